/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h - the columns of `stats`: one list for its table, for -json, for the page of `report`, and for the help and
 * the manual. A new column is one entry in columns.c.
 *
 * The list is in the order of JSON's members. In tables, names come first, in the order of `place`;
 * the figures follow, in the order of the list.
 * Tests: tests/unit/shell/check_read.c, tests/unit/engine/check_html.c, tests/trace/report.sh */
#ifndef EZ_COLUMNS_H
#define EZ_COLUMNS_H

#include "engine/trace/stats.h"

enum ez_column_kind {
    EZ_COLUMN_TEXT,
    EZ_COLUMN_RANK, /* a number; EZ_NO_RANK = none                              */
    EZ_COLUMN_FLAG,
    EZ_COLUMN_COUNT,
    EZ_COLUMN_TIME,  /* ns                                                       */
    EZ_COLUMN_SHARE, /* of the run: the share of the time in the column before   */
};
enum ez_column_of { /* which rows have a value */
                    EZ_COLUMN_OF_ALL,
                    EZ_COLUMN_OF_TIMED, /* rows with a call that was measured, if only in part      */
                    EZ_COLUMN_OF_WHOLE, /* rows with a call that was measured from entry to exit    */
};

struct ez_column {
    const char *heading; /* of tables; "" = the kind that -of names; NULL = not in tables   */
    const char *json;    /* the member of `stats -json`; NULL = none                        */
    const char *page;    /* the member of the page's rows; NULL = not on the page           */
    enum ez_column_kind kind;
    enum ez_column_of of;
    unsigned by;     /* enum ez_stats_by: in tables that distinguish that; 0 = in all  */
    unsigned place;  /* from the left, in tables, of a name; 0 = a figure              */
    bool shortened;  /* where the terminal has no room for the name                    */
    size_t at;       /* offset of the value in struct ez_stat_row                      */
    size_t beside;   /* offset of a text shown in parentheses; 0 = none                */
    double quantile; /* the value is this quantile of the row's times; 0 = it is not   */
    uint64_t (*number)(const struct ez_stat_row *r);        /* the value, if it is no plain field */
    bool (*shown)(const struct ez_stat_row *row, size_t n); /* are there values? NULL = always */
    const char *meaning; /* for the help; NULL = the name says it                            */
};
extern const struct ez_column ez_columns[];
extern const size_t ez_ncolumns;

/* A value: of a text (may be NULL), and of all other kinds. */
const char *ez_column_text(const struct ez_column *c, const struct ez_stat_row *r);
uint64_t ez_column_number(const struct ez_column *c, const struct ez_stat_row *r);
/* What stands in parentheses behind a text, where the trace has several processes; "" = nothing. */
const char *ez_column_beside(const struct ez_column *c, const struct ez_stat_row *r);
/* Does the row have a value of its own in this column? */
bool ez_column_has(const struct ez_column *c, const struct ez_stat_row *r);
/* Does a table of these rows show the column? */
bool ez_column_shown(const struct ez_column *c, unsigned by, const struct ez_stat_row *row,
                     size_t n);
/* The columns that tables have, from the left; NULL behind the last one. */
const struct ez_column *ez_column_in_table(size_t i);

#endif
