/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.h - writes the output of commands to the terminal.
 *
 * Symbols, paths, thread names and trace contents come from outside and may hold terminal escapes.
 * All output except that of out_raw() and out_file() is escaped: control characters, invalid UTF-8
 * and characters that reorder or hide text are shown as octal \ooo bytes, and a backslash, except
 * in eztsh's own text, as two. So a name cannot imitate another name.
 * Tests: tests/unit/shell/check_out.c */
#ifndef EZ_OUT_H
#define EZ_OUT_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/json.h"

struct ez_accounting;
struct ez_sess;

/* Prints one line and a newline. On a terminal, the pager stops at each page. */
void out_line(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Prints one line of eztsh's own text. Control characters are escaped; a backslash stays a single
 * one. */
void out_ours(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Calls out_ours() for each line of the formatted text, which may have several lines. */
void out_lines(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Prints a line that is escaped already. */
void out_safe(struct ez_sess *s, const char *safe);
/* Prints eztsh's own text in several lines (help). */
void out_text(struct ez_sess *s, const char *text);
/* Prints the JSON document `j` and frees it. */
void out_json(struct ez_sess *s, struct ez_json *j);
/* Prints the user's own bytes, unescaped (echo, questions). */
void out_raw(struct ez_sess *s, const char *text);
/* Prints the bytes of a file, unchanged. The caller must not use it under the JSON interface
 * (s->wire), whose standard output has nothing but answers. */
ez_err *out_file(struct ez_sess *s, const char *path) EZ_WUR;
/* Returns an error for the first failed write since the previous call; NULL if no write failed, or
 * only because the reader is gone (ending_unread()). */
ez_err *out_unwritten(struct ez_sess *s) EZ_WUR;
/* Prints the error's message and hint on standard error, or as an event of the JSON interface.
 * Frees the error. */
void out_error(struct ez_sess *s, ez_err *e);
/* Prints a line on standard error, apart from the command's output, above a line that is being
 * typed. */
void out_aside(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
void out_warning(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Returns true if standard output is the terminal of this session, where printed lines can be
 * replaced. Returns false for a rank of mpirun, whose terminal is copied to a file or a pipe. */
bool out_moves(void);
/* Returns true if the target writes to the shell's terminal. */
bool out_shares_terminal(struct ez_sess *s);
/* Shows the progress of work in the terminal's last line. The next call replaces the line; ""
 * clears it. Does nothing unless out_moves(), and under the JSON interface (s->wire). */
void out_status(struct ez_sess *s, const char *fmt, ...) EZ_PRINTF(2, 3);
/* Estimates the remaining time of work: `done` of `total` units took `ns` nanoseconds. Returns text
 * for the end of a progress line, ", 3 s left"; "" if no estimate is possible yet. */
struct out_left {
    char text[32];
};
struct out_left out_left(uint64_t done, uint64_t total, uint64_t ns);
/* Moves up `lines` lines and clears from there, so that new output replaces them. Does nothing
 * unless out_moves(). */
void out_rewind(struct ez_sess *s, unsigned lines);
/* Returns the columns of output lines (`set width`, or the terminal's); 80 if they are not
 * known. */
unsigned out_columns(struct ez_sess *s);
/* Returns the maximum columns of a table's line. 0 = no limit: standard output is no terminal, or a
 * terminal without a size, as processes of mpirun have. */
unsigned out_limit(struct ez_sess *s);
unsigned out_height(struct ez_sess *s); /* Returns the terminal's lines; 0 = no limit. */
void out_flush(struct ez_sess *s);

/* Return strings that live until the command returns. */
const char *out_addr(struct ez_sess *s, uint64_t addr);   /* "0x401136" */
const char *out_addr16(struct ez_sess *s, uint64_t addr); /* 16 digits, for columns */
const char *out_sym(struct ez_sess *s, uint64_t addr);    /* "main+4"; "" = no symbol */
const char *out_size(struct ez_sess *s, uint64_t n);      /* "8 KiB" */
const char *out_time(struct ez_sess *s, uint64_t ns);     /* "1.25 us" */
const char *out_count(struct ez_sess *s, uint64_t n);
/* Returns v with 15 significant digits, or all digits if v is an integer below 2^64. */
const char *out_number(struct ez_sess *s, double v);
const char *out_signal(struct ez_sess *s, int sig); /* "SIGUSR1" */
const char *out_signal_text(int sig);               /* "User defined signal 1" */
/* Prints a line such as "thread 4 hits = 2 recorded + ..."; `whose` is its start. */
void out_accounting(struct ez_sess *s, const char *whose, const struct ez_accounting *l);

/* A table with columns as wide as their widest cell. The first character of a head may be a mark.
 * '>' aligns the column to the right. '~' marks names, which are shortened in the middle if a line
 * would be longer than the terminal's. '?' marks columns that are omitted before names are
 * shortened. A column that is empty, head included, is omitted; if all heads are empty, so is the
 * line of heads. NULL ends a row: out_row(&t, "1", name, NULL). */
struct out_table {
    struct ez_sess *sess;
    char **cell;
    size_t n, cap, columns;
    uint32_t right, names, spare; /* one bit for each column, from its mark: '>', '~', '?' */
    bool wide;                    /* with `most` 0, lines may be longer than the terminal's */
    unsigned most;   /* maximum terminal columns of a line; table columns that do not fit are
                      * omitted from the right; 0 = no limit */
    bool leaves_out; /* omits columns that do not fit on a terminal, and names them in a line
                      * below */
    bool json;       /* prints JSON: out_table_keys() */
    const char *schema, *keys;
    struct ez_json facts; /* members of the JSON object besides the rows */
};
void out_table_init(struct out_table *t, struct ez_sess *s, ...) __attribute__((sentinel));
void out_row(struct out_table *t, ...) __attribute__((sentinel));
/* out_table_column() adds a column and out_cell() a cell, for a table whose number of columns is
 * not known at compile time. */
void out_table_column(struct out_table *t, const char *head);
void out_cell(struct out_table *t, const char *text);
void out_table_print(struct out_table *t); /* Prints and frees. */
void out_table_drop(struct out_table *t);  /* Frees. */
/* Prints the table, or only the line `none` if there are no rows, and frees the table. With -json,
 * prints the table in both cases. */
void out_table_end(struct out_table *t, const char *none);

/* ---- tables for programs (doc/JSON.md) -------------------------------------------------------
 *
 * With -json, a table that has keys is printed as
 *   {"schema": "eztsh-SCHEMA-1", FACTS..., "rows": [ {KEY: CELL, ...}, ... ]}
 * `keys` has one word for each column. A mark after a key gives the type: '#' a number, '?' a
 * boolean, true if the cell is "yes", '!' JSON text, copied unchanged; without a mark, cells are
 * strings. An empty cell, except of a boolean, is null, and so is a bad number. "." omits a column.
 * Cells are not escaped and not shortened. The command makes the cells with the functions below.
 * Without columns the object has no "rows". */
void out_table_keys(struct out_table *t, const char *schema, const char *keys);
/* Begins a table that is printed with -json only. The table has a column for each key.
 * out_table_json_end() prints and frees the table; without -json, or after an error, it only
 * frees. */
void out_table_json(struct out_table *t, struct ez_sess *s, const char *schema, const char *keys);
void out_table_json_end(struct out_table *t, const ez_err *e);
/* Adds a member to the JSON object; `key` has a mark as in out_table_keys(). Does nothing without
 * -json. */
void out_fact(struct out_table *t, const char *key, const char *value);
/* Returns true if the running command prints JSON. */
bool out_json_requested(const struct ez_sess *s);
/* Return a cell: a text with units, or with -json the plain number (times in nanoseconds). */
const char *out_cell_time(struct ez_sess *s, uint64_t ns);
const char *out_cell_count(struct ez_sess *s, uint64_t n);
/* Returns a cell for -json only: "" without -json. */
const char *out_cell_only(struct ez_sess *s, const char *text);

/* Returns true if lines on standard output may be coloured. */
bool out_coloured(const struct ez_sess *s);
/* Prints a line that is escaped already, with n parts of it in colour. The parts are in order and
 * do not overlap. Records and logs have no colours. Call only if out_coloured(). */
struct out_colour {
    size_t from, to; /* bytes */
    enum { OUT_BOLD, OUT_RED, OUT_YELLOW, OUT_FAINT } how;
};
void out_paint(struct ez_sess *s, const char *safe, const struct out_colour *part, size_t n);
/* Prints a table's line of heads, escaped already; bold if lines may be coloured
 * (out_coloured()). */
void out_head(struct ez_sess *s, const char *safe);

/* Returns the escaped copy of `text`; the caller frees. */
char *out_escape(const char *text);

#endif
