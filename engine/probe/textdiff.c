/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textdiff.c - compares live text with the files on disk, and determines which patch changed each
 * byte.
 *
 * Consecutive changed bytes (a run) belong to a planted probe, a hook of eztsh, a hook that an
 * earlier eztsh left for open calls, or a temporary breakpoint. Any other run is foreign. The
 * comparison does not write to the target, which may run.
 * Tests: tests/procs/why.sh */
#include "engine/probe/why.h"

#include <stdlib.h>
#include <string.h>

#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/thread.h"
#include "engine/patch/site.h"
#include "engine/patch/variant.h"

enum { CHUNK = 1 << 16 };

/* Addresses that a site's patch covers: those of its jump, or of its island in the text. */
struct span {
    uint64_t lo, hi;
    int site;
};

struct diff {
    struct ez_target *t;
    void (*fn)(const struct ez_textdiff *, void *);
    void *arg;
    struct ez_textdiff_sum sum;
    struct ez_textdiff now;   /* the run being collected; len 0: none */
    EZ_VEC(struct span) span; /* sorted by address */
    /* for each site (by its index) the number of the first probe on it, 0: none */
    int *probe;
};

static int textdiff_by_lo(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return x->lo < y->lo ? -1 : x->lo > y->lo;
}

static void textdiff_note_sites(struct diff *d)
{
    const struct ez_target *t = d->t;
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        const struct ez_patch_region *w = &s->win;
        if (!s->mod || s->current < 0)
            continue;
        EZ_PUSH(&d->span, ((struct span){ s->addr, s->addr + w->jump, (int)i }));
        if (ez_strategy(w->strategy)->island == EZ_ISLAND_IN_TEXT)
            EZ_PUSH(
                &d->span,
                ((struct span){ w->island, w->island + (uint64_t)t->inf.arch->jump.len, (int)i }));
    }
    ez_sort(d->span.at, d->span.n, sizeof *d->span.at, textdiff_by_lo);
}

/* Sets d->probe. An evicted neighbour without probes gets a probe of the site whose island it
 * contains. */
static void textdiff_note_probes(struct diff *d)
{
    const struct ez_target *t = d->t;
    d->probe = ez_alloc((t->patcher.site.n + 1) * sizeof *d->probe);
    for (int guests = 0; guests < 2; guests++)
        for (size_t i = 0; i < t->probes.probe.n; i++) {
            const struct ez_probe *p = t->probes.probe.at[i];
            int s =
                p->site < 0 || !guests ? p->site : ez_site_evict(t, &t->patcher.site.at[p->site]);
            if (s >= 0 && !d->probe[s])
                d->probe[s] = p->number;
        }
}

/* Returns the index of the site whose patch has byte `live` at address `at`. Returns -1 if no patch
 * covers this address, or if its patch has another byte there. */
static int textdiff_site_over(const struct diff *d, uint64_t at, uint8_t live)
{
    size_t n = EZ_UPTO(d->span.at, d->span.n, lo, at);
    if (!n || at >= d->span.at[n - 1].hi)
        return -1;
    int site = d->span.at[n - 1].site;
    const uint8_t *ours = ez_site_written(d->t, &d->t->patcher.site.at[site], at);
    return ours && *ours == live ? site : -1;
}

static void textdiff_flush(struct diff *d)
{
    if (!d->now.len)
        return;
    d->sum.runs++;
    d->sum.bytes += d->now.len;
    d->sum.foreign += d->now.owner == EZ_DIFF_FOREIGN ? d->now.len : 0;
    d->fn(&d->now, d->arg);
    d->now.len = 0;
}

static void textdiff_own(const struct diff *d, struct ez_textdiff *x, uint8_t live)
{
    const struct ez_target *t = d->t;
    int site = textdiff_site_over(d, x->addr, live);
    x->owner = EZ_DIFF_FOREIGN;
    x->probe = 0;
    if (site >= 0) {
        const struct ez_site *s = &t->patcher.site.at[site];
        x->probe = d->probe[site];
        x->owner = s->hook || (s->jump && !ez_site_wanted(s)) ? EZ_DIFF_HOOK : EZ_DIFF_PROBE;
    } else if (t->inf.temp_bp && x->addr - t->inf.temp_bp < t->inf.arch->trap.len) {
        x->owner = EZ_DIFF_BREAKPOINT;
    } else if (ez_is_left_hook(t, x->addr, live)) {
        x->owner = EZ_DIFF_LEFT_HOOK;
    }
}

static void textdiff_changed(struct diff *d, const struct ez_module *m, uint64_t at, uint8_t file,
                             uint8_t live)
{
    struct ez_textdiff x = { .addr = at, .module = m->path };
    struct ez_textdiff *n = &d->now;
    textdiff_own(d, &x, live);
    if (n->len == sizeof n->file || n->addr + n->len != at || x.owner != n->owner ||
        x.probe != n->probe)
        textdiff_flush(d);
    if (!n->len)
        *n = x;
    n->file[n->len] = file;
    n->live[n->len++] = live;
}

/* Compares up to CHUNK bytes from address `at` on. Returns the number of bytes to advance: the
 * number of compared bytes, or 1 at an address for which the file has no bytes (between
 * sections). */
static size_t textdiff_compare(struct diff *d, const struct ez_module *m, uint64_t at, size_t n,
                               uint8_t *file, uint8_t *live)
{
    size_t want = ez_object_read_text(m->obj, at - m->bias, file, EZ_MIN(n, (size_t)CHUNK));
    if (!want)
        return 1;
    size_t got = ez_mem_read_some(d->t, at, live, want);
    d->sum.compared += got;
    for (size_t i = 0; i < got; i++)
        if (file[i] != live[i])
            textdiff_changed(d, m, at + i, file[i], live[i]);
    return want;
}

ez_err *ez_textdiff(struct ez_target *t, void (*fn)(const struct ez_textdiff *, void *), void *arg,
                    struct ez_textdiff_sum *sum)
{
    struct diff d = { .t = t, .fn = fn, .arg = arg };
    struct ez_maps maps;
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_modules_refresh(t));
    EZ_TRY(ez_maps_read(t->inf.pid, &maps));
    EZ_FREE uint8_t *file = ez_alloc(CHUNK), *live = ez_alloc(CHUNK);
    textdiff_note_sites(&d);
    textdiff_note_probes(&d);
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *x = &maps.map.at[i];
        const struct ez_module *m = x->perm[2] == 'x' ? ez_module_at(t, x->lo) : NULL;
        for (uint64_t at = x->lo; m && m->obj && x->inode && at < x->hi;)
            at += textdiff_compare(&d, m, at, x->hi - at, file, live);
        textdiff_flush(&d);
    }
    ez_maps_free(&maps);
    EZ_VEC_FREE(&d.span);
    free(d.probe);
    *sum = d.sum;
    return NULL;
}
