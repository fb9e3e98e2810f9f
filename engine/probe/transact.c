/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transact.c - "begin", "commit", "rollback": plants the probes of many commands together.
 *
 * Between begin and commit new probes are *held*: they have numbers and are pending, and the target
 * does not change. Commit writes the jumps of all held probes in one stop, so that the target never
 * runs with only some of them. Rollback drops the held probes, and the rules (`probe -r`) of the
 * transaction.
 * Deleting, disabling and enabling take effect immediately, also for held probes.
 * Tests: tests/e2e/transact.ezt */
#include <string.h>

#include "engine/target.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/queue.h"
#include "engine/probe/arm.h"
#include "engine/probe/carry.h"
#include "engine/probe/bulk.h"
#include "engine/probe/coverage.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/resolve.h"
#include "engine/probe/transact.h"

ez_err *ez_begin(struct ez_target *t)
{
    EZ_TRY(ez_hand_none(t));
    if (t->probes.holding)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "A transaction is open already"),
                           "\"commit\" plants its probes, \"rollback\" discards them");
    t->probes.holding = true;
    return NULL;
}

bool ez_transaction_open(const struct ez_target *t)
{
    return t->probes.holding;
}

static ez_err *transact_need_open(const struct ez_target *t)
{
    return t->probes.holding ? NULL
                             : ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No transaction is open"),
                                           "\"begin\" opens one");
}

void ez_hold(struct ez_target *t, size_t from)
{
    for (size_t i = from; i < t->probes.probe.n; i++) {
        t->probes.probe.at[i]->held = true;
        ez_probe_reason(t->probes.probe.at[i], "held until commit");
    }
}

/* ---- the probe that is planted by hand (hand.c) --------------------------------------------- */

static struct ez_probe *transact_by_hand(const struct ez_target *t)
{
    return t->probes.hand.number ? ez_probe_numbered(t, t->probes.hand.number) : NULL;
}

ez_err *ez_hand_none(const struct ez_target *t)
{
    const struct ez_probe *p = transact_by_hand(t);
    return p ? ez_err_hint(ez_err_new(EZ_E_STATE, 0, "Probe %d, on %s, is being planted by hand",
                                      p->number, p->function ? p->function : p->spec.location),
                           "\"hand next\" continues, \"hand undo\" cancels")
             : NULL;
}

/* Moves threads from the relocated code back to the function, and withdraws the probe's request
 * from its site. The trampoline stays mapped, like a deleted probe's. */
ez_err *ez_hand_leave(struct ez_target *t)
{
    struct ez_probe *p = transact_by_hand(t);
    bool moved = t->probes.hand.next > EZ_HAND_THREADS;
    t->probes.hand = (struct ez_hand_state){ .number = 0 };
    if (!p || p->site < 0)
        return NULL;
    const struct ez_site *s = &t->patcher.site.at[p->site];
    ez_err *e = NULL;
    if (moved && s->reloc_of >= 0 && s->current < 0 && t->inf.state == EZ_STOPPED)
        e = ez_patch_threads_back(t, s, &s->variant.at[s->reloc_of]);
    ez_probe_leave(t, p);
    p->site = -1;
    p->state = EZ_PROBE_PENDING;
    return e;
}

/* Ends the transaction for its rules: keeps them (keep true) or drops them. */
static void transact_settle_rules(struct ez_target *t, bool keep)
{
    size_t k = 0;
    for (size_t i = 0; i < t->probes.rule.n; i++) {
        struct ez_rule *r = &t->probes.rule.at[i];
        if (r->held && !keep) {
            ez_rule_free(r);
            continue;
        }
        r->held = false;
        t->probes.rule.at[k++] = *r;
    }
    t->probes.rule.n = k;
}

/* Counts the planted, pending and refused probes of the transaction in *out. Drops the refused
 * ones. */
static void transact_drop_refused(struct ez_target *t, struct ez_bulk *out)
{
    size_t k = 0;
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        bool ours = p->held;
        p->held = false;
        if (!ours || p->state == EZ_PROBE_ARMED || p->state == EZ_PROBE_PENDING ||
            p->state == EZ_PROBE_DISABLED) {
            out->planted += ours && p->state == EZ_PROBE_ARMED;
            out->pending += ours && p->state == EZ_PROBE_PENDING;
            t->probes.probe.at[k++] = p;
            continue;
        }
        out->refused++;
        out->exit_only += p->why == EZ_REFUSE_EXIT;
        ez_bulk_reason(out, p->reason, p->what);
        ez_cover_refused(t, p->reason, p->what);
        ez_probe_leave(t, p);
        ez_probe_free(p);
    }
    t->probes.probe.n = k;
    ez_bulk_sort(out);
}

ez_err *ez_commit(struct ez_target *t, struct ez_bulk *out)
{
    EZ_VEC(struct ez_probe *) held = { 0 };
    memset(out, 0, sizeof *out);
    EZ_TRY(transact_need_open(t));
    EZ_TRY(ez_hand_leave(t));
    if (t->inf.state != EZ_NONE)
        ez_probes_resolve(t, true);
    ez_probes_find_begin(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (!p->held)
            continue;
        out->matched++;
        ez_probe_reason(p, NULL);
        if (t->inf.state != EZ_NONE && !p->user_disabled && ez_probe_find(t, p))
            EZ_PUSH(&held, p);
    }
    ez_progress_begin(t);
    ez_err *e = held.n ? ez_arm_live(t, held.at, held.n, &out->stopped_ms) : NULL;
    e = ez_progress_end(t, e);
    /* after an error, withdraw the probes: the transaction stays open, as before the commit */
    for (size_t i = 0; e && i < held.n; i++) {
        if (held.at[i]->state == EZ_PROBE_ARMED)
            continue;
        ez_probe_leave(t, held.at[i]);
        held.at[i]->site = -1;
        held.at[i]->state = EZ_PROBE_PENDING;
    }
    EZ_VEC_FREE(&held);
    EZ_TRY(e);
    t->probes.holding = false;
    transact_drop_refused(t, out);
    transact_settle_rules(t, true);
    return ez_probes_watch(t);
}

ez_err *ez_rollback(struct ez_target *t, unsigned *n)
{
    size_t k = 0;
    *n = 0;
    EZ_TRY(transact_need_open(t));
    ez_err *e = ez_hand_leave(t);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (!p->held) {
            t->probes.probe.at[k++] = p;
            continue;
        }
        ++*n;
        ez_probe_free(p);
    }
    t->probes.probe.n = k;
    t->probes.holding = false;
    transact_settle_rules(t, false);
    return e;
}

void ez_hand_ended(struct ez_target *t)
{
    unsigned n;
    const struct ez_probe *p = transact_by_hand(t);
    if (!p)
        return;
    ez_post_note(t, "Probe %d was being planted by hand when the process ended.", p->number);
    t->probes.hand.next = EZ_HAND_ROOM;
    ez_err_drop(ez_rollback(t, &n));
}
