/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.h - from a line to the command that it names.
 *
 * A name is found if it is exact, an alias, long enough for a pinned abbreviation
 * (min_abbrev), or a prefix of one command only. Options are parsed, preconditions and
 * the number of operands checked here, from the table.
 * Tests: tests/unit/shell/check_dispatch.c */
#ifndef EZ_DISPATCH_H
#define EZ_DISPATCH_H

#include "shell/command.h"

/* Find word[0..len) in a table; `family` is "" or "info " for the message.
 * EZ_E_ARG: Undefined or Ambiguous command. */
ez_err *dispatch_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                      const struct ez_cmd **out) EZ_WUR;
/* Follow words through sub-tables: the deepest command that `*text` names, and
 * *text moved behind the words used. `name` receives the full name (heap). */
ez_err *dispatch_resolve(const char **text, const struct ez_cmd **out, char **name) EZ_WUR;

/* Is what follows the name an operand, and no subcommand (OWN_WORDS)? */
bool dispatch_own_word(const struct ez_cmd *c, const char *text);

/* Run a line; the error is returned, for the caller to print or to prefix. */
ez_err *dispatch(struct ez_sess *s, const char *line) EZ_WUR;
/* Run a line, print its error, count a failure. false = it failed. */
bool dispatch_print(struct ez_sess *s, const char *line);

#endif
