/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.h - finds the command that a line names.
 *
 * A name matches if it is exact, an alias, at least as long as a pinned abbreviation (min_abbrev),
 * or a prefix of exactly one command.
 * Tests: tests/unit/shell/check_dispatch.c */
#ifndef EZ_LOOKUP_H
#define EZ_LOOKUP_H

#include "shell/command.h"

/* Finds word[0..len) in a table; `family` is "" or "info " for the message. EZ_E_ARG: Undefined or
 * Ambiguous command. */
ez_err *lookup_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                    const struct ez_cmd **out) EZ_WUR;
/* Follows words through sub-tables to the deepest command that `*text` names, and moves *text past
 * these words. `name` receives the full name (heap). */
ez_err *lookup_resolve(const char **text, const struct ez_cmd **out, char **name) EZ_WUR;

/* Returns true if an operand follows the name, not a subcommand (OWN_WORDS). */
bool lookup_own_word(const struct ez_cmd *c, const char *text);

#endif
