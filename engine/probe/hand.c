/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.c - plants a probe step by step, at the user's commands (hand.h).
 *
 * Each step calls the functions that the command `probe` calls, in the same order, so that the
 * result is the same. The steps are a transaction (transact.c) with one probe. Omitting
 * EZ_HAND_THREADS does no harm: the jump is refused while a thread is in the bytes that it
 * overwrites. Only the last step, the jump, changes text. So the program runs correctly if the
 * shell ends before that step: threads in the relocated code return to the function by themselves.
 * Tests: tests/procs/hand.sh */
#include "engine/probe/hand.h"

#include <string.h>

#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"
#include "engine/patch/return_thunk.h"
#include "engine/patch/island.h"
#include "engine/probe/arm.h"
#include "engine/probe/carry.h"
#include "engine/probe/probe_list.h"

static struct ez_probe *hand_probe(const struct ez_target *t)
{
    return t->probes.hand.number ? ez_probe_numbered(t, t->probes.hand.number) : NULL;
}

/* Rolls the transaction back. Returns e or, if e is NULL, the reason for which the probe was
 * refused. */
static ez_err *hand_end(struct ez_target *t, struct ez_probe *p, ez_err *e)
{
    unsigned n;
    if (!e) {
        e = ez_err_new(EZ_E_REFUSED, 0, "Cannot probe %s: %s", p->function,
                       p->reason ? p->reason : "?");
        if (p->help)
            e = ez_err_hint(e, "%s", p->help);
    }
    return ez_err_first(e, t->probes.holding ? ez_rollback(t, &n) : NULL);
}

static bool hand_is_refused(const struct ez_probe *p)
{
    return p->state == EZ_PROBE_REFUSED || p->state == EZ_PROBE_LOST;
}

/* Calls work(), a step of arm.h, for this probe alone. After an error or a refusal, rolls the
 * transaction back. */
static ez_err *hand_work(struct ez_target *t, struct ez_probe *p,
                         ez_err *(*work)(struct ez_target *, struct ez_probe **, size_t))
{
    ez_progress_begin(t);
    ez_err *e = ez_progress_end(t, work(t, &p, 1));
    return e || hand_is_refused(p) ? hand_end(t, p, e) : NULL;
}

ez_err *ez_hand_begin(struct ez_target *t, int number)
{
    struct ez_probe *p = ez_probe_numbered(t, number);
    unsigned n;
    ez_err *e = ez_need_stopped(t);
    if (!e && (!p || !p->addr))
        e = ez_err_new(EZ_E_NOTFOUND, 0, "A function that is not loaded cannot be probed by hand");
    if (e)
        return ez_err_first(e, ez_rollback(t, &n));
    ez_probe_reason(p, "planted by hand");
    t->probes.hand = (struct ez_hand_state){ .number = number };
    return hand_work(t, p, ez_arm_runtime);
}

static ez_err *hand_room(struct ez_target *t, struct ez_probe *p)
{
    ez_err *e = ez_trampoline_place(t, p->addr, EZ_TRAMPOLINE_MOST + EZ_TRAMPOLINE_ROOM,
                                    &t->probes.hand.room);
    return e ? hand_end(t, p, e) : NULL;
}

static ez_err *hand_trampoline(struct ez_target *t, struct ez_probe *p)
{
    ez_err *e = ez_code_flush(t);
    if (!e)
        e = ez_islands_map(t);
    return e ? hand_end(t, p, e) : NULL;
}

ez_err *ez_hand_threads(struct ez_target *t)
{
    struct ez_probe *p = hand_probe(t);
    return p && p->site >= 0 && t->probes.hand.next >= EZ_HAND_THREADS
               ? ez_probe_threads(t, p, true)
               : NULL;
}

static bool hand_somebody_inside(const struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.region.n; i++)
        if (t->patcher.region.at[i].moved_to || t->patcher.region.at[i].frames)
            return true;
    return false;
}

static ez_err *hand_jump(struct ez_target *t, struct ez_probe *p)
{
    EZ_TRY(ez_hand_threads(t));
    if (hand_somebody_inside(t))
        return ez_err_new(EZ_E_STATE, 0,
                          "A thread is at an instruction that the jump would overwrite");
    EZ_TRY(hand_work(t, p, ez_arm_write));
    p->held = t->probes.holding = false;
    t->probes.hand = (struct ez_hand_state){ .number = 0 };
    return ez_probes_watch(t);
}

static ez_err *hand_do_step(struct ez_target *t, struct ez_probe *p, enum ez_hand_step step)
{
    switch (step) {
    case EZ_HAND_ROOM:
        return hand_room(t, p);
    case EZ_HAND_MAP:
        return hand_work(t, p, ez_arm_reserve);
    case EZ_HAND_RELOCATE:
        return hand_work(t, p, ez_arm_make);
    case EZ_HAND_TRAMPOLINE:
        return hand_trampoline(t, p);
    case EZ_HAND_THREADS:
        return ez_probe_threads(t, p, false);
    default:
        return hand_jump(t, p);
    }
}

ez_err *ez_hand_step(struct ez_target *t, enum ez_hand_step step)
{
    struct ez_probe *p = hand_probe(t);
    struct ez_hand_state *h = &t->probes.hand;
    EZ_TRY(ez_need_stopped(t));
    if (!p)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No probe is being planted by hand"),
                           "Use \"set by-hand on\", then \"probe FUNC\"");
    if (!p->addr || (h->next > EZ_HAND_RELOCATE && p->site < 0))
        return hand_end(t, p,
                        ez_err_new(EZ_E_GONE, 0, "The library of %s was unloaded", p->function));
    if (step < h->next && step != EZ_HAND_THREADS)
        return ez_err_new(EZ_E_STATE, 0, "This step is already done");
    if (step > h->next && !(step == EZ_HAND_JUMP && h->next == EZ_HAND_THREADS))
        return ez_err_new(EZ_E_STATE, 0, "An earlier step is not done yet");
    EZ_TRY(hand_do_step(t, p, step));
    if (h->number)
        h->next = EZ_MAX(h->next, (enum ez_hand_step)(step + 1));
    return NULL;
}

/* ---- description --------------------------------------------------------------------------- */

static void hand_describe_insns(const struct ez_site *s, const struct ez_variant *v,
                                const uint8_t *mirror, struct ez_hand *out)
{
    const struct ez_moved *r = &s->reloc;
    for (unsigned i = 0; i < r->n && i < EZ_ARRAY_LEN(out->insn); i++) {
        struct ez_hand_insn *in = &out->insn[out->ninsn++];
        unsigned end = i + 1 < r->n ? r->to[i + 1] : r->len;
        in->from = s->addr + r->from[i];
        in->from_len = (i + 1 < r->n ? r->from[i + 1] : s->win.len) - r->from[i];
        in->to = v->relocated + r->to[i];
        if (i + 1 == r->n && v->back)
            end = (unsigned)(v->back - v->relocated);
        in->to_len = end - r->to[i];
        memcpy(in->code, mirror + (in->to - v->trampoline), EZ_MIN(in->to_len, sizeof in->code));
    }
}

static void hand_describe_trampoline(const struct ez_target *t, const struct ez_site *s,
                                     struct ez_hand *out)
{
    const struct ez_variant *v = &s->variant.at[s->reloc_of];
    const struct ez_row *row = &t->rt.rows[v->id];
    const uint8_t *mirror = ez_trampoline_mirror(t, v->trampoline);
    out->site = s->addr;
    out->island = s->win.island;
    out->trampoline = v->trampoline;
    out->relocated = v->relocated;
    out->lands = v->lands;
    out->jump = s->win.jump;
    out->covered = s->win.len;
    out->trampoline_len = (unsigned)(v->relocated - v->trampoline);
    out->relocated_len = s->reloc.len;
    memcpy(out->before, s->win.bytes, EZ_MIN(sizeof out->before, (size_t)s->win.jump));
    memcpy(out->after, row->after, EZ_MIN(sizeof out->after, (size_t)s->win.jump));
    if (mirror)
        hand_describe_insns(s, v, mirror, out);
}

void ez_hand_look(struct ez_target *t, struct ez_hand *out)
{
    const struct ez_probe *p = hand_probe(t);
    *out = (struct ez_hand){ .number = p ? p->number : 0 };
    if (!p)
        return;
    const struct ez_hand_state *h = &t->probes.hand;
    out->next = h->next;
    out->kind = p->spec.kind;
    out->func = p->addr;
    out->room = h->room;
    out->room_mapped = h->room && ez_trampoline_owns(t, h->room, h->room + 1);
    if (h->next > EZ_HAND_RELOCATE && p->site >= 0 && t->patcher.site.at[p->site].reloc_of >= 0)
        hand_describe_trampoline(t, &t->patcher.site.at[p->site], out);
}
