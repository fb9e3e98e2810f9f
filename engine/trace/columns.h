/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.h - the columns of `stats`: one list for the table, -json, the page of `report`, the help
 * and the manual. A new column is one entry in columns.c.
 *
 * The list has the order of the JSON members. In tables, columns of names come first, in the order
 * of `place`; columns of figures follow in the order of the list.
 *
 * Tests: tests/unit/shell/check_read.c, tests/unit/trace/check_html.c, tests/trace/report.sh */
#ifndef EZ_COLUMNS_H
#define EZ_COLUMNS_H

#include "engine/trace/stats.h"

enum ez_column_kind {
    EZ_COLUMN_TEXT,
    EZ_COLUMN_RANK, /* a number; EZ_NO_RANK means no rank */
    EZ_COLUMN_FLAG,
    EZ_COLUMN_COUNT,
    EZ_COLUMN_TIME, /* ns */
    /* the time of the previous column in the list, as a share of the duration of the run */
    EZ_COLUMN_SHARE,
};
enum ez_column_of { /* which rows have a value */
                    EZ_COLUMN_OF_ALL,
                    EZ_COLUMN_OF_TIMED, /* rows with a call that was measured at least in part */
                    EZ_COLUMN_OF_WHOLE, /* rows with a call that was measured from entry to exit */
};

struct ez_column {
    /* heading in tables; "" means the kind of subject given with -of; NULL means that tables do not
     * have the column */
    const char *heading;
    const char *json; /* member of `stats -json`, or NULL */
    const char *page; /* member of the rows of the page of `report`, or NULL */
    enum ez_column_kind kind;
    enum ez_column_of of;
    unsigned by;     /* enum ez_stats_by bits of the tables that have the column; 0 means all */
    unsigned place;  /* position of a name in tables, from the left; 0 means a figure */
    bool shortened;  /* the name is shortened if the terminal is too narrow */
    size_t at;       /* offset of the value in struct ez_stat_row */
    size_t beside;   /* offset of a text shown in parentheses after the value; 0 means none */
    double quantile; /* quantile of the row's times that the column shows; 0 means none */
    /* computes the value; NULL means the field at `at` */
    uint64_t (*number)(const struct ez_stat_row *r);
    /* returns true if tables of these rows show the column; NULL means that they always do */
    bool (*shown)(const struct ez_stat_row *row, size_t n);
    const char *meaning; /* text for the help; NULL if the name is clear */
};
extern const struct ez_column ez_columns[];
extern const size_t ez_ncolumns;

/* ez_column_text() returns the value of a text column, which may be NULL; ez_column_number()
 * returns the value of any other column. */
const char *ez_column_text(const struct ez_column *c, const struct ez_stat_row *r);
uint64_t ez_column_number(const struct ez_column *c, const struct ez_stat_row *r);
/* Returns the text that is shown in parentheses after a name, for traces of several processes; ""
 * if there is no such text. */
const char *ez_column_beside(const struct ez_column *c, const struct ez_stat_row *r);
/* Returns true if the row has a value in this column. */
bool ez_column_has(const struct ez_column *c, const struct ez_stat_row *r);
/* Returns true if a table of these n rows, made with `by` (enum ez_stats_by), shows the column. */
bool ez_column_shown(const struct ez_column *c, unsigned by, const struct ez_stat_row *row,
                     size_t n);
/* Returns the column at position i of a table that has all columns. Position 0 is at the left.
 * Returns NULL if i is too large. */
const struct ez_column *ez_column_in_table(size_t i);

#endif
