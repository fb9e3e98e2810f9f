/* SPDX-License-Identifier: GPL-3.0-or-later */
/* textdiff.c - live text against the files on disk: whose is each changed byte?
 *
 * Each run of changed bytes belongs to a planted probe, to a hook of eztsh's own, to a
 * temporary breakpoint, or to nobody we know: then it is foreign, which is for the
 * user to know. Nothing is written; the target may run. Tests: tests/procs/why.sh */
#include "engine/why.h"

#include <string.h>

#include "engine/target.h"

enum { CHUNK = 1 << 16 };

struct diff {
    struct ez_target *t;
    void (*fn)(const struct ez_textdiff *, void *);
    void *arg;
    struct ez_textdiff_sum sum;
    struct ez_textdiff now; /* the run being collected; len 0 = none               */
};

static const struct ez_site *site_over(const struct ez_target *t, uint64_t at)
{
    for (size_t i = 0; i < t->site.n; i++) {
        const struct ez_site *s = &t->site.at[i];
        if (s->mod && s->current >= 0 && ez_site_original(t, s, at))
            return s;
    }
    return NULL;
}

/* A host without probes serves those of its guests. */
static int first_probe(const struct ez_target *t, const struct ez_site *s)
{
    const int site = (int)(s - t->site.at);
    int guest = 0;
    for (size_t i = 0; i < t->probe.n; i++) {
        const struct ez_probe *p = t->probe.at[i];
        if (p->site == site)
            return p->number;
        if (!guest && p->site >= 0 && ez_site_host(t, &t->site.at[p->site]) == site)
            guest = p->number;
    }
    return guest;
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
    const struct ez_site *s = site_over(t, x->addr);
    x->owner = EZ_DIFF_FOREIGN;
    x->probe = 0;
    if (s) {
        x->owner = s->hook ? EZ_DIFF_HOOK : EZ_DIFF_PROBE;
        x->probe = first_probe(t, s);
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
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *x = &maps.map.at[i];
        const struct ez_module *m = x->perm[2] == 'x' ? ez_module_at(t, x->lo) : NULL;
        for (uint64_t at = x->lo; m && m->obj && x->inode && at < x->hi;)
            at += compare(&d, m, at, x->hi - at, file, live);
        flush(&d);
    }
    ez_maps_free(&maps);
    *sum = d.sum;
    return NULL;
}
