/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - what the two ways of measuring a prologue share. */
#ifndef EZ_MEASURE_H
#define EZ_MEASURE_H

#include "engine/target.h"

struct ez_prologue {
    uint64_t func, end; /* the function's first byte; behind its last           */
    uint64_t site;      /* where the jump stands: behind a landing instruction  */
    unsigned need;      /* bytes of the jump                                    */
    uint8_t code[96];   /* the function's bytes, without our own jumps          */
    size_t n;
};

/* Is the jump covered, or the function over, when `at` comes next? */
static inline bool ez_prologue_done(const struct ez_prologue *p, uint64_t at)
{
    return at >= p->site + p->need || at >= p->end || at - p->func >= p->n;
}

ez_err *ez_prologue_decode(struct ez_target *t, const struct ez_prologue *p, uint64_t at,
                           struct ez_insn *out) EZ_WUR;
/* Row `index`, for the instruction at `at`; it is added if there is none yet. NULL = no room for
 * more rows. */
struct ez_measured *ez_prologue_row(struct ez_target *t, const struct ez_prologue *p,
                                    struct ez_measure *m, size_t index, uint64_t at);
/* Bytes from the site up to `next`. */
unsigned ez_prologue_sum(const struct ez_prologue *p, uint64_t next);

/* Fill len_step of the rows. m->step_note says why stepping ended early; an error = stepping did
 * not start. */
ez_err *ez_measure_step(struct ez_target *t, const struct ez_prologue *p,
                        struct ez_measure *m) EZ_WUR;

#endif
