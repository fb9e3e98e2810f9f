/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.h - the only writer to the terminal.
 *
 * Symbols, paths, thread names and trace contents come from outside and may hold
 * terminal escapes. Everything that goes through here but out_raw() is escaped:
 * control characters, invalid UTF-8 and characters that reorder or hide text
 * are shown as octal \ooo bytes, and a backslash as two. So a message is one line whatever it
 * contains, and a name cannot look like another one.
 * Tests: tests/unit/shell/check_out.c */
#ifndef EZ_OUT_H
#define EZ_OUT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_accounting;
struct ez_sess;

/* One line; the newline is added. Pages on a terminal. */
void out_line(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* The same for text that is escaped in its own way: its backslashes stay single. */
void out_ours(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* out_ours() of each of its lines: values over several lines, which have no other line ends */
void out_lines(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* For text that is escaped already. */
void out_safe(struct ez_sess *s, const char *safe);
/* For eztsh's own text in several lines (help). */
void out_text(struct ez_sess *s, const char *text);
/* For the user's own bytes, unescaped (echo, questions). */
void out_raw(struct ez_sess *s, const char *text);
/* For the bytes of a file, unchanged. */
ez_err *out_file(struct ez_sess *s, const char *path) EZ_WUR;
/* A write of what the session prints failed with `error`. Where nobody reads any more, the session ends: the
 * shell leaves its loops, lets the target go, and its status is 128 + SIGPIPE. In `pipe` only the
 * output of that command ends. Another failure (a full disk) is kept for out_unwritten(). */
void out_unread(struct ez_sess *s, int error);
/* The first write that failed since this was asked last, as an error of the command that printed. NULL: all is written. */
ez_err *out_unwritten(struct ez_sess *s) EZ_WUR;
/* "MSG (HINT)" on standard error. Frees the error. */
void out_error(struct ez_sess *s, ez_err *e);
/* A line beside what the command prints: on standard error, and above a line that is being typed. */
void out_aside(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
void out_warning(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Is standard output the terminal of this session, on which lines can be replaced? (mpirun gives its
 * ranks one too, behind which is a file or a pipe.) */
bool out_moves(void);
/* Shows what is going on in the terminal's last line, which the next call replaces; "" clears
 * the line. Does nothing unless out_moves(). */
void out_status(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* For the end of such a line: ", 3 s left" of work of which `done` of `total` took `ns`; "" = that
 * cannot be told yet. */
struct out_left {
    char text[32];
};
struct out_left out_left(uint64_t done, uint64_t total, uint64_t ns);
/* Goes `lines` up and clears from there: what is printed next replaces these lines. Does nothing
 * unless out_moves(). */
void out_rewind(struct ez_sess *s, unsigned lines);
unsigned out_columns(struct ez_sess *s); /* of the terminal; 80 without one */
/* What tables have to fit into. 0 = no limit: there is no terminal, or one without a size, as those that
 * mpirun gives its processes. */
unsigned out_limit(struct ez_sess *s);
unsigned out_height(struct ez_sess *s); /* 0 = no limit */
void out_flush(struct ez_sess *s);

/* Strings that live until the command returns. */
const char *out_addr(struct ez_sess *s, uint64_t addr);   /* "0x401136"              */
const char *out_addr16(struct ez_sess *s, uint64_t addr); /* 16 digits, for columns */
const char *out_sym(struct ez_sess *s, uint64_t addr);    /* "main+4", "" = none     */
const char *out_size(struct ez_sess *s, uint64_t n);      /* "8 KiB"                 */
const char *out_time(struct ez_sess *s, uint64_t ns);     /* "1.25 us"               */
const char *out_count(struct ez_sess *s, uint64_t n);
/* 15 digits; a whole number below 2^64 with all of its digits. */
const char *out_number(struct ez_sess *s, double v);
const char *out_json(struct ez_sess *s, const char *text); /* with its quotes      */
const char *out_signal(struct ez_sess *s, int sig);        /* "SIGUSR1"            */
const char *out_signal_text(int sig);                      /* "User defined signal 1" */
/* "WHOSE4 hits = 2 recorded + ..." */
void out_accounting(struct ez_sess *s, const char *whose, const struct ez_accounting *l);

/* Columns as wide as their widest cell. A head that starts with '>' is aligned to
 * the right; one that starts with '~' is over names, which are shortened in the middle where
 * lines would be longer than the terminal's; one that starts with '?' is left out there first. A column that is empty from its head down is left
 * out; if all heads are empty, the line of heads is. Rows end with NULL:
 * out_row(&t, "1", name, NULL). */
struct out_table {
    struct ez_sess *sess;
    char **cell;
    size_t n, cap, columns;
    uint32_t right, names, spare; /* bit per column */
    bool wide;                    /* names are not shortened                                */
    unsigned most;   /* columns that a line may have; columns that do not fit are left out
                            * from the right; 0 = any number                         */
    bool leaves_out; /* the same on a terminal, and a line tells which are left out */
    bool json;       /* printed for programs: out_table_keys()                 */
    const char *schema, *keys;
    EZ_VEC(char) facts; /* members beside the rows, as JSON                      */
};
void out_table_init(struct out_table *t, struct ez_sess *s, ...) __attribute__((sentinel));
void out_row(struct out_table *t, ...) __attribute__((sentinel));
/* One more column, and one more cell, of tables whose columns are not known to the compiler. */
void out_table_column(struct out_table *t, const char *head);
void out_cell(struct out_table *t, const char *text);
void out_table_print(struct out_table *t); /* prints and frees */
void out_table_drop(struct out_table *t);  /* frees */
/* The same; without any row only the line `none` is printed. */
void out_table_end(struct out_table *t, const char *none);

/* ---- tables for programs (doc/JSON.md) -------------------------------------------------------
 * Where -json was given, a table that has keys is printed as
 *   {"schema": "eztsh-SCHEMA-1", FACTS..., "rows": [ {KEY: CELL, ...}, ... ]}
 * `keys` has one word for each column. Behind a key '#' says that the cells are numbers, '?' that they
 * are true where they are "yes"; others are strings. A cell that is empty, or no number, is null.
 * "." leaves a column out. Cells are not escaped and not shortened; the command gives them as programs
 * want them, by the functions below. Without columns there are no rows. */
void out_table_keys(struct out_table *t, const char *schema, const char *keys);
/* A table of which people get no table but lines: a column for each key. It is ended by
 * out_table_json_end(), which prints nothing to people, nor where the command failed. */
void out_table_json(struct out_table *t, struct ez_sess *s, const char *schema, const char *keys);
void out_table_json_end(struct out_table *t, const ez_err *e);
/* A member beside the rows; `key` as above. Nothing where the table is text. */
void out_fact(struct out_table *t, const char *key, const char *value);
/* Does the command that runs print for programs? */
bool out_json_requested(const struct ez_sess *s);
/* A cell: for programs the number itself, of nanoseconds. */
const char *out_cell_time(struct ez_sess *s, uint64_t ns);
const char *out_cell_count(struct ez_sess *s, uint64_t n);
/* A column that only programs get: "" in the text. */
const char *out_cell_only(struct ez_sess *s, const char *text);

/* As out_safe, for the heads of a table: bold where there are colours (`set style enabled`). */
void out_head(struct ez_sess *s, const char *safe);

/* The escaped copy of `text`; the caller frees. */
char *out_escape(const char *text);

#endif
