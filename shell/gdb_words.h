/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.h - gdb's commands that eztsh does not have, and words of uftrace, perf and strace. A
 * command typed by habit must not run an eztsh command as its abbreviation. */
#ifndef EZ_GDB_WORDS_H
#define EZ_GDB_WORDS_H

#include "engine/base/base.h"

struct gdb_word {
    const char *name;
    const char *shorts;  /* gdb's short forms, blanks around each */
    const char *instead; /* the eztsh command to use in its place; "" = none */
};

/* Returns the command of gdb or of another tool that `word` names, in full or by one of gdb's short
 * forms; NULL if none. The rest of the line is behind the word.
 * `family` is "", or "info ", "set ", "show " for the words that follow these. */
const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len);
/* Returns the first command of gdb in the table that begins with `word` and whose `family` is "";
 * NULL if none. */
const struct gdb_word *gdb_word_begins(const char *word, size_t len);

/* tool_words.c. Returns the answer to a line that begins with a word of uftrace, perf or strace, of
 * `len` bytes, and may have more of its words behind it: "perf report", "dump --chrome"; NULL if
 * none. gdb_word_named() asks this, too. */
const struct gdb_word *tool_word_named(const char *line, size_t len);
/* Returns the answer to an option of theirs behind a command of eztsh: `report -s`; NULL if none. */
const struct gdb_word *tool_option(const char *command, const char *word);
/* Calls fn for each answer that these functions may return, for tests. */
void tool_each(void (*fn)(const struct gdb_word *w, void *arg), void *arg);

#endif
