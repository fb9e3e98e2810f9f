/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - what the two ways of measuring a prologue share. */
#ifndef EZ_MEASURE_H
#define EZ_MEASURE_H

#include "engine/target.h"

struct ez_prologue {
    uint64_t func, end; /* the function's first byte; behind its last           */
    uint64_t site;      /* where the jump goes: behind a landing instruction    */
    unsigned need;      /* bytes of the jump                                    */
    uint8_t code[96];   /* from func on, without our own jumps                  */
    size_t n;
};

/* Is the jump covered, or the function over, when `at` comes next? */
static inline bool ez_prologue_done(const struct ez_prologue *p, uint64_t at)
{
    return at >= p->site + p->need || at >= p->end || at - p->func >= p->n;
}

ez_err *ez_prologue_decode(struct ez_target *t, const struct ez_prologue *p, uint64_t at,
                           struct ez_insn *out) EZ_WUR;
/* The row of the instruction at `at`, the index-th; new when there is none yet. NULL =
 * no room for more. */
struct ez_measured *ez_prologue_row(struct ez_target *t, const struct ez_prologue *p,
                                    struct ez_measure *m, size_t index, uint64_t at);
unsigned ez_prologue_sum(const struct ez_prologue *p, uint64_t next);

/* Fills len_step. m->step_note says why it ended early; an error = it did not start. */
ez_err *ez_measure_step(struct ez_target *t, const struct ez_prologue *p,
                        struct ez_measure *m) EZ_WUR;

#endif
