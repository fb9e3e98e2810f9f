/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - commands of the shell as words of the command line: `eztsh stats FILE`. A command
 * with the flag FRONT (command_front() in command.h) may be the first word that is not an
 * option. The following words are the command's operands, as the user's shell has split them. */
#ifndef EZ_SHELL_FRONT_H
#define EZ_SHELL_FRONT_H

#include <stdio.h>

#include "engine/base/base.h"

/* Returns the line for the dispatcher that runs the command with these words (a NULL ends them),
 * each quoted unless the command is RAW. If --help is among the command's options, the line is the
 * "help" command for it. The caller frees. */
char *front_line(char *const *words);
/* Prints a line with name and description for each command with FRONT that is not hidden. */
void front_list(FILE *f);
/* Writes the same commands and their options for the completion scripts of other shells
 * (doc/completion), fields separated by tabs: "command NAME OPERANDS first|any BRIEF", and for each
 * of its options "option NAME OPTION VALUE WORDS MEANING". OPERANDS is fxt, file, pid, command or
 * "-". VALUE is "-" for a flag, file, words or text. */
void front_completion(FILE *f);

#endif
