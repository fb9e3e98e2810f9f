/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - shared by the two ways of measuring a prologue. */
#ifndef EZ_MEASURE_H
#define EZ_MEASURE_H

#include "engine/target.h"

struct ez_prologue {
    uint64_t func, end; /* the function's first byte; the end of the function */
    uint64_t site;      /* place of the jump, after a landing instruction */
    unsigned need;      /* bytes of the jump */
    uint8_t code[96];   /* the function's bytes without eztsh's jumps */
    size_t n;
};

/* Returns whether the jump is covered, or the function ends, if `at` is the next address. */
static inline bool ez_prologue_done(const struct ez_prologue *p, uint64_t at)
{
    return at >= p->site + p->need || at >= p->end || at - p->func >= p->n;
}

ez_err *ez_prologue_decode(struct ez_target *t, const struct ez_prologue *p, uint64_t at,
                           struct ez_insn *out) EZ_WUR;
/* Returns row `index`, for the instruction at `at`, and adds it if necessary. Returns NULL if there
 * is no room. */
struct ez_measured *ez_prologue_row(struct ez_target *t, const struct ez_prologue *p,
                                    struct ez_measure *m, size_t index, uint64_t at);
/* Returns the number of bytes from the site up to `next`. */
unsigned ez_prologue_sum(const struct ez_prologue *p, uint64_t next);

/* Fills len_step of the rows. m->step_note is the reason if stepping ended early. Returns an error
 * if stepping did not start. */
ez_err *ez_measure_step(struct ez_target *t, const struct ez_prologue *p,
                        struct ez_measure *m) EZ_WUR;

#endif
