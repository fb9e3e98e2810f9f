/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.h - commands of the shell as words of the command line: `eztsh stats FILE`. A command
 * with the flag FRONT (command_front() in command.h) may be the first word that is not an
 * option. The following words are the command's operands, as the user's shell has split them. */
#ifndef EZ_SHELL_FRONT_H
#define EZ_SHELL_FRONT_H

#include <stdio.h>

#include "engine/base/base.h"

/* Returns the line that runs the command with these words (NULL ends them), each quoted. With
 * --help among its options, the line prints the command's help. The caller frees. */
char *front_line(char *const *words);
/* Lists the commands with FRONT: a line with name and description for each. */
void front_list(FILE *f);
/* Writes these commands and their options for the completion of other shells, fields separated by
 * tabs: "command NAME OPERANDS first|any BRIEF", and for each of its options "option NAME OPTION
 * VALUE WORDS MEANING". OPERANDS: fxt, file, pid, command or -. VALUE: - (a flag), file, words or
 * text. */
void front_completion(FILE *f);

#endif
