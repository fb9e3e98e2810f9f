/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - a table of the numbers that probes collected.
 *
 * A row is an item that was collected at the entries or at the exits of a function, over all
 * threads. Unreadable values and values that are not finite numbers are counted separately. An item
 * that is not a number also has a row, without numbers, so that the user sees its name.
 *
 * Tests: tests/unit/trace/check_values.c */
#ifndef EZ_VALUES_H
#define EZ_VALUES_H

#include "engine/trace/model.h"

struct ez_value_row {
    const char *function, *library, *item;
    bool at_exit;
    uint64_t count; /* number of numeric values */
    uint64_t other; /* number of values that were unreadable, or not finite numbers */
    double min, max, sum;
};

struct ez_values {
    struct ez_value_row *row; /* rows in the order of their first value */
    size_t n;
};

/* Creates an empty table. The model must outlive the table. */
struct ez_values *ez_values_create(const struct ez_model *m);
/* Adds an item to the table. The function is an ez_item_fn, and values a struct ez_values. */
ez_err *ez_values_item(void *values, const struct ez_item *it);
void ez_values_table(struct ez_values *v);
void ez_values_free(struct ez_values *v);

#endif
