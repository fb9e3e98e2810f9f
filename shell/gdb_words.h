/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb_words.h - gdb's commands that eztsh does not have, and words of uftrace, perf and strace. A
 * command typed by habit must not run an eztsh command as its abbreviation. */
#ifndef EZ_GDB_WORDS_H
#define EZ_GDB_WORDS_H

#include "engine/base/base.h"

struct gdb_word {
    const char *name;
    const char *shorts;  /* gdb's short forms, blanks around each */
    const char *instead; /* text of the hint: the eztsh command to use; "" = none */
};

/* Returns the entry of the command of gdb or of another tool that `word` names, in full or by one
 * of gdb's short forms; NULL if none. The word has `len` bytes, and the rest of the line follows
 * them. family: the text before the word, "" for the first word of a line, else "info ", "set ",
 * "show " or "set logging ". */
const struct gdb_word *gdb_word_named(const char *family, const char *word, size_t len);
/* Returns gdb's first command, in the order of names, that begins with the `len` bytes at `word`;
 * NULL if none. Searches only commands that may be abbreviated. */
const struct gdb_word *gdb_word_begins(const char *word, size_t len);

/* tool_words.c. Returns the entry for a line that begins with a word of uftrace, perf or strace;
 * NULL if none. The first word has `len` bytes; words of the same tool may follow: "perf report",
 * "dump --chrome". gdb_word_named() calls this function, too. */
const struct gdb_word *tool_word_named(const char *line, size_t len);
/* Returns the entry for an option of uftrace, perf or strace that was typed behind a command of
 * eztsh: "report -s"; NULL if none. */
const struct gdb_word *tool_option(const char *command, const char *word);
/* Calls fn for each entry that tool_word_named() or tool_option() may return, for tests. */
void tool_each(void (*fn)(const struct gdb_word *w, void *arg), void *arg);

#endif
