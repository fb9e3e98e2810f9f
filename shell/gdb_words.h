/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.h - gdb's commands that eztsh does not have. A gdb command typed by habit must not run
 * an eztsh command as its abbreviation. */
#ifndef EZ_GDB_WORDS_H
#define EZ_GDB_WORDS_H

#include "engine/base/base.h"

struct gdb_word {
    const char *name;
    const char *shorts;  /* gdb's short forms, blanks around each */
    const char *instead; /* the eztsh command to use in its place; "" = none */
};

/* Returns the gdb command that `word` names, in full or by one of gdb's short forms; NULL if none.
 * `family` is "", or "info ", "set ", "show " for the words that follow these. */
const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len);
/* Returns the first command of gdb in the table that begins with `word` and whose `family` is "";
 * NULL if none. */
const struct gdb_word *gdb_word_begins(const char *word, size_t len);

#endif
