/* SPDX-License-Identifier: GPL-3.0-or-later */
/* announce.c - reports whether probes that waited for a library were planted: one event for each
 * probe. When a library is loaded again, one note reports all its probes. For the probes of a rule,
 * one note has the numbers of planted, refused (by reason) and pending probes.
 * Tests: tests/procs/libs.sh, tests/unit/code/check_analyze.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/target.h"
#include "engine/inferior/queue.h"
#include "engine/probe/bulk.h"
#include "engine/probe/coverage.h"

static void announce_one_probe(struct ez_target *t, const struct ez_probe *p)
{
    struct ez_event ev = { .kind = EZ_EV_PROBE,
                           .number = p->number,
                           .addr = p->addr,
                           .status = p->state != EZ_PROBE_ARMED };
    if (p->state == EZ_PROBE_ARMED && p->spec.with)
        ev.text = ez_sprintf("Replacement %d at 0x%lx: calls of %s in %s go to %s.", p->number,
                             (unsigned long)p->addr, p->function, p->library, p->spec.with);
    else if (p->state == EZ_PROBE_ARMED)
        ev.text = ez_sprintf("Probe %d at 0x%lx: %s in %s.", p->number, (unsigned long)p->addr,
                             p->function, p->library);
    else
        ev.text =
            ez_sprintf("%s %d refused: cannot %s %s: %s", p->spec.with ? "Replacement" : "Probe",
                       p->number, p->spec.with ? "replace" : "probe",
                       *p->function ? p->function : p->spec.location, p->reason ? p->reason : "?");
    ez_post(t, ev);
    if (p->state == EZ_PROBE_ARMED && p->missing)
        ez_post_note(t, "Note: probe %d does not collect %s.", p->number, p->missing);
}

/* Returns true if p was refused because another replacement of the same user's module replaces the
 * function already, under another name (mmap, mmap64). Such a refusal needs no report. */
static bool announce_alias(const struct ez_target *t, const struct ez_probe *p)
{
    size_t file = p->spec.with ? strcspn(p->spec.with, ":") : 0;
    for (size_t i = 0; i < t->probes.probe.n && file; i++) {
        const struct ez_probe *q = t->probes.probe.at[i];
        if (q != p && q->state == EZ_PROBE_ARMED && q->addr == p->addr && q->spec.with &&
            q->spec.with[file] == ':' && !strncmp(q->spec.with, p->spec.with, file))
            return p->state == EZ_PROBE_REFUSED;
    }
    return false;
}

/* Returns the number of these n probes that were planted again in this library, and clears their
 * `again`. */
static unsigned announce_drop_repeated(struct ez_probe **p, size_t n, const char *library)
{
    unsigned same = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i]->again && !strcmp(p[i]->library, library)) {
            p[i]->again = false;
            same++;
        }
    return same;
}

/* Posts one note for each library that was loaded again. */
static void announce_again(struct ez_target *t, struct ez_probe **p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned same = p[i]->again ? announce_drop_repeated(p + i, n - i, p[i]->library) : 0;
        if (same)
            ez_post_note(t, "Planted %u probe%s again, because %s was loaded again.", same,
                         same == 1 ? "" : "s", p[i]->library);
    }
}

void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed)
{
    unsigned refused = 0, returns = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ez_fragment_request *a = &p[i]->spec.fragment;
        const bool no = a->spec && p[i]->state == EZ_PROBE_REFUSED, there = a->callee == EZT_THERE;
        returns += no && there;
        refused += no && !there;
        if (a->spec || (p[i]->state == EZ_PROBE_ARMED && (!armed || p[i]->again)))
            continue;
        p[i]->again = false;
        if (!announce_alias(t, p[i]))
            announce_one_probe(t, p[i]);
    }
    if (refused)
        ez_post_note(t, "%u routine%s of specifications cannot be probed: \"info spec\" says why.",
                     refused, refused == 1 ? "" : "s");
    if (returns)
        ez_post_note(t, "The line of %u return%s is not known: \"info spec -routines\" says why.",
                     returns, returns == 1 ? "" : "s");
    if (armed)
        announce_again(t, p, n);
}

/* ---- the probes of a rule ------------------------------------------------------------------- */

#define OTHERS "other reasons"
enum { REASONS_SHOWN = 16 };

void ez_bulk_reason(struct ez_bulk *b, const char *reason, size_t what)
{
    char cut[80];
    size_t i;
    ez_cover_reason(reason, what, cut, sizeof cut);
    for (i = 0; i < b->nreasons && strcmp(b->reasons[i].reason, cut); i++)
        continue;
    if (i >= EZ_ARRAY_LEN(b->reasons) - 1) {
        i = EZ_ARRAY_LEN(b->reasons) - 1;
        snprintf(cut, sizeof cut, OTHERS);
    }
    if (i == b->nreasons)
        b->nreasons++;
    memcpy(b->reasons[i].reason, cut, sizeof cut);
    b->reasons[i].n++;
}

void ez_bulk_sort(struct ez_bulk *b)
{
    for (unsigned i = 1; i < b->nreasons; i++)
        for (unsigned j = i; j && b->reasons[j].n > b->reasons[j - 1].n; j--) {
            typeof(b->reasons[0]) swap = b->reasons[j];
            b->reasons[j] = b->reasons[j - 1];
            b->reasons[j - 1] = swap;
        }
    while (b->nreasons > REASONS_SHOWN) {
        unsigned rarest = b->reasons[--b->nreasons].n;
        b->reasons[REASONS_SHOWN - 1].n += rarest;
        snprintf(b->reasons[REASONS_SHOWN - 1].reason, sizeof b->reasons[0].reason, OTHERS);
    }
}

void ez_bulk_announce(struct ez_target *t, const struct ez_bulk *b)
{
    struct ez_event ev = { .kind = EZ_EV_NOTE };
    char *s = ez_sprintf("Planted %u of %u matched; refused:%s", b->planted, b->matched,
                         b->refused ? "" : " 0");
    for (unsigned i = 0; i < b->nreasons; i++) {
        char *more =
            ez_sprintf("%s%s %u %s", s, i ? "," : "", b->reasons[i].n, b->reasons[i].reason);
        free(s);
        s = more;
    }
    ev.text = ez_sprintf("%s; pending %u.", s, b->pending);
    free(s);
    ez_post(t, ev);
    if (b->exit_only)
        ez_post_note(t, EZ_BULK_EXITS, b->exit_only);
    if (b->partial)
        ez_post_note(t, EZ_BULK_PARTIAL, b->partial);
}
