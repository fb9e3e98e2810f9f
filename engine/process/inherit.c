/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inherit.c - removes the patches that a forked child inherited from its parent, and undoes the
 * increments of the counters of USDT probes.
 *
 * The patches of all variants of the parent's sites are collected, planted or not, because patches
 * may have been planted or removed since the fork. The child's bytes are replaced only where they
 * equal such a patch.
 * Tests: tests/procs/follow.sh, tests/procs/offer.sh */
#include <string.h>

#include "engine/process/session.h"
#include "engine/inferior/mem.h"

/* Adds the patches of all sites to j or, if `islands` is true, only the jumps of their islands in
 * the program's text. */
static void inherit_collect(struct ez_target *t, struct ez_jumps *j, bool islands)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        for (size_t k = 0; s->mod && k < s->variant.n; k++) {
            const struct ez_row *r = &t->rt.rows[s->variant.at[k].id];
            struct ez_jump one = { .at = s->addr, .len = s->win.jump };
            if (islands && ez_strategy(s->win.strategy)->island != EZ_ISLAND_IN_TEXT)
                continue;
            if (islands)
                one = (struct ez_jump){ .at = s->win.island, .len = (size_t)t->inf.arch->jump.len };
            memcpy(one.file, islands ? s->win.island_bytes : s->win.bytes, one.len);
            memcpy(one.ours, islands ? r->island_after : r->after, one.len);
            EZ_PUSH(&j->v, one);
        }
    }
}

void ez_jumps_collect(struct ez_target *t, struct ez_jumps *j)
{
    inherit_collect(t, j, false);
    inherit_collect(t, j, true);
    for (size_t i = 0; i < t->probes.semaphore.n; i++)
        EZ_PUSH(&j->semaphore, t->probes.semaphore.at[i].addr);
    if (t->inf.temp_bp) {
        struct ez_jump one = { .at = t->inf.temp_bp, .len = t->inf.arch->trap.len };
        memcpy(one.file, t->inf.temp_bp_byte, one.len);
        memcpy(one.ours, t->inf.arch->trap.insn, one.len);
        EZ_PUSH(&j->v, one);
    }
}

ez_err *ez_jumps_restore(struct ez_target *child, const struct ez_jumps *j)
{
    for (size_t i = 0; i < j->v.n; i++) {
        const struct ez_jump *x = &j->v.at[i];
        uint8_t live[16];
        if (ez_mem_read_some(child, x->at, live, x->len) == x->len &&
            !memcmp(live, x->ours, x->len))
            EZ_TRY(ez_mem_write(child, x->at, x->file, x->len, "remove an inherited probe"));
    }
    for (size_t i = 0; i < j->semaphore.n; i++) {
        const uint64_t at = j->semaphore.at[i];
        uint16_t value;
        if (ez_mem_read_some(child, at, &value, sizeof value) == sizeof value && value--)
            EZ_TRY(ez_mem_write(child, at, &value, sizeof value,
                                "decrement an inherited semaphore of a USDT probe"));
    }
    return NULL;
}

void ez_jumps_free(struct ez_jumps *j)
{
    EZ_VEC_FREE(&j->v);
    EZ_VEC_FREE(&j->semaphore);
}
