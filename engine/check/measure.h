/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h - data of the two ways to measure a prologue, by libopcodes (measure.c) and by stepping
 * (measure_step.c). */
#ifndef EZ_MEASURE_H
#define EZ_MEASURE_H

#include "engine/target.h"

struct ez_prologue {
    uint64_t func, end; /* addresses of the function's first byte, and of its end */
    uint64_t site;      /* address of the jump: func, or after a landing instruction (endbr64) */
    unsigned need;      /* length of the jump, bytes */
    uint8_t code[96];   /* the function's n first bytes, without eztsh's jumps */
    size_t n;
};

/* Returns whether the instructions before address `at` suffice: they cover the jump, or are all of
 * the function or of p->code. */
static inline bool ez_prologue_done(const struct ez_prologue *p, uint64_t at)
{
    return at >= p->site + p->need || at >= p->end || at - p->func >= p->n;
}

ez_err *ez_prologue_decode(struct ez_target *t, const struct ez_prologue *p, uint64_t at,
                           struct ez_insn *out) EZ_WUR;
/* Returns row `index` of m, for the instruction at address `at`. Adds the row if there is none yet;
 * returns NULL if m has no room. */
struct ez_measured *ez_prologue_row(struct ez_target *t, const struct ez_prologue *p,
                                    struct ez_measure *m, size_t index, uint64_t at);
/* Returns the number of bytes from the site of the jump up to address `next`. */
unsigned ez_prologue_sum(const struct ez_prologue *p, uint64_t next);

/* Sets len_step of the rows. If stepping ends early, stores the reason in m->step_note. Returns an
 * error if stepping did not start. */
ez_err *ez_measure_step(struct ez_target *t, const struct ez_prologue *p,
                        struct ez_measure *m) EZ_WUR;

#endif
