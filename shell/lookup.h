/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h - finds the command that a line names.
 *
 * A word names a command if it is the command's name or alias; else, if it is no word of gdb
 * (gdb_words.h), if it is a prefix of the name at least as long as a pinned abbreviation
 * (min_abbrev), or a prefix of exactly one command.
 * Tests: tests/unit/shell/check_dispatch.c */
#ifndef EZ_LOOKUP_H
#define EZ_LOOKUP_H

#include "shell/command.h"

/* Finds word[0..len) in a table; *out receives the command. family: the text before the word, such
 * as "info ", "" at the top level. Returns EZ_E_ARG if no command matches ("Undefined") or several
 * do ("Ambiguous"). */
ez_err *lookup_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                    const struct ez_cmd **out) EZ_WUR;
/* Stores in *out the deepest command that the words at *text name, subcommands included, and moves
 * *text past these words. `name` receives the full name (heap). */
ez_err *lookup_resolve(const char **text, const struct ez_cmd **out, char **name) EZ_WUR;

/* Returns true if `c` has OWN_WORDS and `text`, which follows its name, does not begin with the
 * name of a subcommand: it is then an operand. */
bool lookup_own_word(const struct ez_cmd *c, const char *text);

#endif
