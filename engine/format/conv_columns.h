/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_columns.h - collected values as columns of a table with a row for each call.
 *
 * There is a column for each item in `collected` of the model, in that order. Values of the entry
 * and values of the exit are in different columns, because an item may be collected at both. The
 * values of an entry are kept until the call ends, so only open calls use memory.
 *
 * Tests: tests/unit/trace/check_values.c */
#ifndef EZ_CONV_COLUMNS_H
#define EZ_CONV_COLUMNS_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

struct ez_conv_cell {
    uint32_t column, depth;
    char *text;  /* owned; a string of the program is without quotes */
    bool number; /* the text is a number that eztsh made, not a text of the program */
};
struct ez_conv_cells {
    EZ_VEC(struct ez_conv_cell) at;
};

struct ez_conv_columns {
    const struct ez_model *m;
    /* NAME; or "return NAME" for values of the exit if NAME is also collected at an entry. If the
     * table already has that heading, "#2" or a higher number follows. */
    EZ_VEC(char *) heading;
    struct ez_hash by_name;            /* hash of an item's name and of `is_exit` -> column */
    EZ_VEC(struct ez_conv_cells) open; /* index: container; values of open calls, by depth */
    struct ez_conv_cells row;          /* values of the current row */
    const struct ez_conv_cell **cell;  /* index: column; the cell of the current row, or NULL */
    uint64_t left_out;                 /* values without a column */
};

/* taken: the n headings that the table has before these columns. */
void ez_conv_columns_init(struct ez_conv_columns *c, const struct ez_model *m,
                          const char *const *taken, size_t n);
/* Call this function with each item. After a POP or an EVENT, `cell` is the row of that item until
 * the next call of the function. */
void ez_conv_columns_item(struct ez_conv_columns *c, const struct ez_item *it);
void ez_conv_columns_free(struct ez_conv_columns *c);

#endif
