/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textdiff.c - live text against the files on disk: whose is each changed byte?
 *
 * Each run of changed bytes belongs to a planted probe, to a hook of eztsh's own, to a
 * temporary breakpoint, or to nobody we know: then it is foreign, which is for the
 * user to know. Nothing is written; the target may run. Tests: tests/procs/why.sh */
#include "engine/why.h"

#include <string.h>

#include "engine/target.h"

enum {
    CHUNK = 1 << 16,
    MOST_CHANGED = 64, /* bytes from where a site, or its hop, begins; more than any has */
};

struct place {
    uint64_t lo;
    const struct ez_site *site;
};

struct diff {
    struct ez_target *t;
    void (*fn)(const struct ez_textdiff *, void *);
    void *arg;
    struct ez_textdiff_sum sum;
    struct ez_textdiff now; /* the run being collected; len 0 = none               */
    EZ_VEC(struct place) place;
    int *probe; /* two for each site: its first, the first of its guests   */
};

static int by_lo(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

static void note_probe(struct diff *d, int site, int number, bool guest)
{
    int *n = site >= 0 ? &d->probe[2 * site + guest] : NULL;
    if (n && !*n)
        *n = number;
}

/* Thousands of sites, and more changed bytes: whose is which is looked up in tables. */
static void learn(struct diff *d)
{
    struct ez_target *t = d->t;
    d->probe = ez_alloc(2 * (t->site.n + 1) * sizeof *d->probe);
    for (size_t i = 0; i < t->site.n; i++) {
        const struct ez_site *s = &t->site.at[i];
        struct place at = { s->addr, s }, hop = { s->win.hop, s };
        if (!s->mod || s->current < 0)
            continue;
        EZ_PUSH(&d->place, at);
        if (s->win.hop)
            EZ_PUSH(&d->place, hop);
    }
    ez_sort(d->place.at, d->place.n, sizeof *d->place.at, by_lo);
    for (size_t i = 0; i < t->probe.n; i++) {
        const struct ez_probe *p = t->probe.at[i];
        note_probe(d, p->site, p->number, false);
        if (p->site >= 0)
            note_probe(d, ez_site_host(t, &t->site.at[p->site]), p->number, true);
    }
}

static const struct ez_site *site_over(const struct diff *d, uint64_t at)
{
    size_t lo = 0, hi = d->place.n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->place.at[mid].lo <= at)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo && at - d->place.at[lo - 1].lo < MOST_CHANGED; lo--)
        if (ez_site_original(d->t, d->place.at[lo - 1].site, at))
            return d->place.at[lo - 1].site;
    return NULL;
}

/* A host without probes serves those of its guests. */
static int first_probe(const struct diff *d, const struct ez_site *s)
{
    const int *n = &d->probe[2 * (s - d->t->site.at)];
    return n[0] ? n[0] : n[1];
}

static void flush(struct diff *d)
{
    if (!d->now.len)
        return;
    d->sum.runs++;
    d->sum.bytes += d->now.len;
    d->sum.foreign += d->now.owner == EZ_DIFF_FOREIGN ? d->now.len : 0;
    d->fn(&d->now, d->arg);
    d->now.len = 0;
}

static void own(struct diff *d, struct ez_textdiff *x)
{
    const struct ez_target *t = d->t;
    const struct ez_site *s = site_over(d, x->addr);
    x->owner = EZ_DIFF_FOREIGN;
    x->probe = 0;
    if (s) {
        x->owner = s->hook ? EZ_DIFF_HOOK : EZ_DIFF_PROBE;
        x->probe = first_probe(d, s);
    } else if (t->temp_bp && x->addr - t->temp_bp < t->arch->trap_len) {
        x->owner = EZ_DIFF_BREAKPOINT;
    }
}

static void changed(struct diff *d, const struct ez_module *m, uint64_t at, uint8_t file,
                    uint8_t live)
{
    struct ez_textdiff x = { .addr = at, .module = m->path };
    struct ez_textdiff *n = &d->now;
    own(d, &x);
    if (n->len == sizeof n->file || n->addr + n->len != at || x.owner != n->owner ||
        x.probe != n->probe)
        flush(d);
    if (!n->len)
        *n = x;
    n->file[n->len] = file;
    n->live[n->len++] = live;
}

/* Returns how far it came: the file has nothing for some bytes between sections. */
static size_t compare(struct diff *d, const struct ez_module *m, uint64_t at, size_t n,
                      uint8_t *file, uint8_t *live)
{
    size_t want = ez_object_read_text(m->obj, at - m->bias, file, EZ_MIN(n, (size_t)CHUNK));
    if (!want)
        return 1;
    size_t got = ez_mem_read_some(d->t, at, live, want);
    d->sum.compared += got;
    for (size_t i = 0; i < got; i++)
        if (file[i] != live[i])
            changed(d, m, at + i, file[i], live[i]);
    return want;
}

ez_err *ez_textdiff(struct ez_target *t, void (*fn)(const struct ez_textdiff *, void *), void *arg,
                    struct ez_textdiff_sum *sum)
{
    struct diff d = { .t = t, .fn = fn, .arg = arg };
    struct ez_maps maps;
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_modules_refresh(t));
    EZ_TRY(ez_maps_read(t->pid, &maps));
    EZ_FREE uint8_t *file = ez_alloc(CHUNK), *live = ez_alloc(CHUNK);
    learn(&d);
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *x = &maps.map.at[i];
        const struct ez_module *m = x->perm[2] == 'x' ? ez_module_at(t, x->lo) : NULL;
        for (uint64_t at = x->lo; m && m->obj && x->inode && at < x->hi;)
            at += compare(&d, m, at, x->hi - at, file, live);
        flush(&d);
    }
    ez_maps_free(&maps);
    EZ_VEC_FREE(&d.place);
    free(d.probe);
    *sum = d.sum;
    return NULL;
}
