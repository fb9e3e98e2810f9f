/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_parts.c - helpers of the other files: the frame of a move, its destinations, halts, and
 * end.
 * Tests: tests/procs/moving.sh, tests/procs/inlined.sh */
#include "engine/base/hash.h"
#include "engine/inferior/inferior.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"
#include "engine/move/move_priv.h"
#include "engine/process/session.h"

bool move_word(struct ez_move *m, uint64_t at, uint64_t *out)
{
    return ez_err_drop(ez_mem_read(m->t, at, out, sizeof *out));
}

struct ez_thread *move_thread(struct ez_move *m)
{
    return ez_thread_find(m->t, m->tid);
}

uint64_t move_image(struct ez_move *m)
{
    const struct ez_target *t = m->t;
    uint64_t image = ez_hash_pair((uint64_t)t->inf.pid, (uintptr_t)t->inf.prog_obj);
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const struct ez_module *l = t->inf.module.at[i];
        image = ez_hash_pair(ez_hash_pair(image, l->lo), (uintptr_t)l->obj);
    }
    return image | 1;
}

struct move_seat move_seat(struct ez_move *m)
{
    struct ez_stack all;
    struct move_seat seat = { 0 };
    if (!ez_err_drop(ez_stack_frames(m->v, 1, &all)))
        return seat;
    if (all.frame.n)
        seat =
            (struct move_seat){ all.frame.at[0].cfa, move_function(m->t, all.frame.at[0].pc, NULL),
                                all.frame.at[0].key };
    ez_stack_clear(&all);
    return seat;
}

void move_to(struct ez_move *m, uint64_t at, uint64_t sp, bool ends)
{
    struct move_places p = { { 0 } };
    move_copies(m->t, at, &p);
    for (size_t i = 0; i < p.at.n; i++)
        EZ_PUSH(&m->to, ((struct move_to){ .at = p.at.at[i], .sp = sp, .ends = ends }));
    EZ_VEC_FREE(&p.at);
}

bool move_same_halt(const struct ez_halt *a, const struct ez_halt *b)
{
    return a->kind == b->kind && a->addr == b->addr && a->len == b->len;
}

void move_want(struct ez_move *m, struct ez_halt h)
{
    for (size_t i = 0; i < m->want.n; i++)
        if (move_same_halt(&m->want.at[i], &h)) {
            m->want.at[i].spare &= h.spare;
            return;
        }
    EZ_PUSH(&m->want, h);
}

void move_done(struct ez_move *m)
{
    /* the move may have ended at the first instruction of an inlined function, whose frame is
     * entered then */
    ez_frame_enter(m->t, m->request.kind != EZ_MOVE_FINISH);
    struct move_seat now = move_seat(m);
    m->end.end = EZ_MOVED;
    m->end.same =
        !m->into && now.cfa == m->seat.cfa && now.func == m->began.func && now.key == m->began.key;
    m->on = false;
}
