/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.h - what calls used: a table over the counters that modules sampled at their begin and
 * at their end (EZ_I_SAMPLE).
 *
 * The first sample in a call is its begin, the last one its end; between them is what the call
 * and the calls inside it used. A call with one sample, for it was left by an exception or the
 * rest is lost, is in no row. Tests: tests/unit/engine/check_about.c */
#ifndef EZ_SAMPLES_H
#define EZ_SAMPLES_H

#include "engine/trace/model.h"

struct ez_sample_row {
    const char *function, *module, *counter;
    uint64_t calls, total, min, max;
};

struct ez_samples {
    struct ez_sample_row *row; /* by function, in the order in which they were first seen; then in
                                * the order of its counters                          */
    size_t n;
};

/* The model must outlive it. */
struct ez_samples *ez_samples_create(const struct ez_model *m);
/* An ez_item_fn; its arg is the struct ez_samples. */
ez_err *ez_samples_item(void *samples, const struct ez_item *it);
void ez_samples_table(struct ez_samples *s);
void ez_samples_free(struct ez_samples *s);

#endif
