/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - what probes collected: a table over the numbers among it.
 *
 * A row is an item of a function's entries or exits, over all threads. Values that could not be read,
 * and what is no finite number, are counted apart. Items that are no numbers have a row as well, without
 * any: their names are of use. Tests: tests/unit/engine/check_values.c */
#ifndef EZ_VALUES_H
#define EZ_VALUES_H

#include "engine/trace/model.h"

struct ez_value_row {
    const char *function, *library, *item;
    bool at_exit;
    uint64_t count; /* numbers                                                      */
    uint64_t other; /* values that are none                                         */
    double min, max, sum;
};

struct ez_values {
    struct ez_value_row *row; /* in the order in which they were first seen            */
    size_t n;
};

/* The model must outlive it. */
struct ez_values *ez_values_create(const struct ez_model *m);
/* An ez_item_fn; its arg is the struct ez_values. */
ez_err *ez_values_item(void *values, const struct ez_item *it);
void ez_values_table(struct ez_values *v);
void ez_values_free(struct ez_values *v);

#endif
