/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.h - finds the command that a line names, and runs it.
 *
 * A name matches if it is exact, an alias, at least as long as a pinned abbreviation (min_abbrev),
 * or a prefix of exactly one command. The dispatcher parses options and checks preconditions and
 * the number of operands, all from the table.
 * Tests: tests/unit/shell/check_dispatch.c */
#ifndef EZ_DISPATCH_H
#define EZ_DISPATCH_H

#include "shell/command.h"

/* Finds word[0..len) in a table; `family` is "" or "info " for the message. EZ_E_ARG: Undefined or
 * Ambiguous command. */
ez_err *dispatch_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                      const struct ez_cmd **out) EZ_WUR;
/* Follows words through sub-tables to the deepest command that `*text` names, and moves *text past
 * these words. `name` receives the full name (heap). */
ez_err *dispatch_resolve(const char **text, const struct ez_cmd **out, char **name) EZ_WUR;

/* Returns true if an operand follows the name, not a subcommand (OWN_WORDS). */
bool dispatch_own_word(const struct ez_cmd *c, const char *text);

/* Runs a line and returns its error. */
ez_err *dispatch(struct ez_sess *s, const char *line) EZ_WUR;
/* Runs a line, prints its error and counts the failure. Returns false if the line failed. */
bool dispatch_print(struct ez_sess *s, const char *line);

#endif
