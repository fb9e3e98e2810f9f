/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.h - a table of the counters that modules sample at the start and the end of calls
 * (EZ_I_SAMPLE).
 *
 * A counter's first sample in a call is read when the call begins, its last sample when the call
 * ends. The difference is the amount that the call, with the calls inside it, used. A call with
 * only one sample, because an exception left the call or records are lost, is not counted.
 *
 * Tests: tests/unit/trace/check_about.c */
#ifndef EZ_SAMPLES_H
#define EZ_SAMPLES_H

#include "engine/trace/model.h"

struct ez_sample_row {
    const char *function, *module, *counter;
    uint64_t calls, total, min, max;
};

struct ez_samples {
    /* rows in the order of the functions' first calls, then by counter */
    struct ez_sample_row *row;
    size_t n;
};

/* Creates an empty table. The model must outlive the table. */
struct ez_samples *ez_samples_create(const struct ez_model *m);
/* Adds an item to the table. The function is an ez_item_fn, and samples a struct ez_samples. */
ez_err *ez_samples_item(void *samples, const struct ez_item *it);
void ez_samples_table(struct ez_samples *s);
void ez_samples_free(struct ez_samples *s);

#endif
