/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core_patches.c - finds eztsh's patches in the text of a core file. The journal of the patches is
 * not in the file, but changed text is: where it differs from the program's file, and a jump leads
 * to a trampoline of the runtime (core_runtime.c), there is a site.
 *
 * A trampoline is recognised by its data, which contains addresses in the runtime and the address
 * of the relocated code behind its template.
 * Tests: tests/procs/corefile.sh */
#include <string.h>

#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/patch/alloc.h"

#define CHUNK 65536u
#define HOPS 2 /* a short jump leads to an island, a long jump from there to the trampoline */

struct core_patches {
    struct ez_target *t;
    unsigned functions; /* number of functions with probes */
};

/* Returns the flags (EZ_ROW_*) of a variant with template k, the fewest. */
static uint32_t patches_flags(int k)
{
    for (uint32_t f = 0; f < EZ_ROW_TIMED * 2; f++)
        if (ez_template_of((int)f) == k)
            return f;
    return 0;
}

/* Sets v's flags and the address of its relocated code. Returns false if there is no trampoline at
 * v->trampoline. */
static bool patches_trampoline(struct ez_target *t, struct ez_variant *v)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    struct ez_trampoline_data d;
    for (int k = 0; k < EZ_NTMPL; k++) {
        uint64_t data = h->tmpl_data[k] - h->tmpl[k], len = h->tmpl_end[k] - h->tmpl[k];
        if (h->tmpl_end[k] <= h->tmpl[k] || data >= len ||
            ez_mem_read_some(t, v->trampoline + data, &d, sizeof d) != sizeof d ||
            d.body != v->trampoline + len || d.slow - t->rt.blob >= t->rt.image_size)
            continue;
        v->flags = patches_flags(k);
        v->relocated = d.body;
        return true;
    }
    return false;
}

/* Follows the jump at address `at`. Returns the trampoline, or 0. *len: bytes of the first jump. */
static uint64_t patches_lead(struct ez_target *t, uint64_t at, struct ez_variant *v, uint8_t *len)
{
    for (int i = 0; i < HOPS; i++) {
        uint8_t code[EZ_MAX_INSN];
        struct ez_insn in;
        size_t n = ez_mem_read_some(t, at, code, sizeof code);
        if (!n || !ez_err_drop(t->inf.arch->decode.insn(code, n, at, &in)) ||
            in.flow != EZ_FLOW_JMP || !in.width)
            return 0;
        *len = i ? *len : in.len;
        v->trampoline = at = in.target;
        if (patches_trampoline(t, v))
            return at;
    }
    return 0;
}

/* Sets *w to the whole instructions of the file that the jump of n bytes at `at` covers. */
static void patches_region(const struct ez_target *t, const struct ez_module *m, uint64_t at,
                           size_t n, struct ez_patch_region *w)
{
    struct ez_insn in;
    size_t got = ez_object_read_text(m->obj, at - m->bias, w->bytes, sizeof w->bytes);
    w->site = at;
    w->jump = (uint8_t)n;
    while (w->len < n && w->len < got &&
           ez_err_drop(t->inf.arch->decode.insn(w->bytes + w->len, got - w->len, at + w->len, &in)))
        w->len = (uint8_t)(w->len + in.len), w->n++;
}

static void patches_add(struct core_patches *all, const struct ez_module *m, uint64_t at,
                        const struct ez_variant *v, size_t len)
{
    struct ez_target *t = all->t;
    const struct ez_sym *sym = ez_object_find_addr(m->obj, at - m->bias);
    uint64_t func = sym ? sym->vaddr + m->bias : at;
    int known = ez_site_find(t, func), site = known < 0 ? ez_site_hold(t, func) : known;
    struct ez_site *s = &t->patcher.site.at[site];
    if (known >= 0)
        return;
    s->addr = at;
    s->hook = v->flags & (EZ_ROW_INTERNAL | EZ_ROW_JUMP);
    patches_region(t, m, at, len, &s->win);
    EZ_PUSH(&s->variant, *v);
    ez_trampoline_adopt(t, v->trampoline, v->relocated + EZ_MAX_RELOCATED);
    all->functions += !s->hook;
}

/* Looks for sites where the n bytes `live` of the text at `at` differ from those of the file. */
static void patches_compare(struct core_patches *all, const struct ez_module *m, uint64_t at,
                            const uint8_t *live, const uint8_t *file, size_t n)
{
    struct ez_variant v = { 0 };
    uint8_t len = 0;
    for (size_t i = 0; i < n; i++) {
        if (live[i] == file[i] || !patches_lead(all->t, at + i, &v, &len))
            continue;
        patches_add(all, m, at + i, &v, len);
        i += len - 1u;
    }
}

static void patches_of_map(struct core_patches *all, const struct ez_module *m,
                           const struct ez_map *x)
{
    EZ_FREE uint8_t *live = ez_alloc(CHUNK), *file = ez_alloc(CHUNK);
    for (uint64_t at = x->lo, n; at < x->hi; at += n) {
        n = EZ_MIN(x->hi - at, (uint64_t)CHUNK);
        size_t there = ez_mem_read_some(all->t, at, live, (size_t)n);
        /* sections of code do not fill the mapping: bytes outside of them are skipped */
        for (size_t i = 0, got; i < there; i += got ? got : 16) {
            got = ez_object_read_text(m->obj, at + i - m->bias, file, there - i);
            if (got && memcmp(live + i, file, got))
                patches_compare(all, m, at + i, live + i, file, got);
        }
    }
}

ez_err *ez_core_patches(struct ez_target *t, unsigned *functions)
{
    struct core_patches all = { .t = t };
    struct ez_maps maps;
    EZ_TRY(ez_maps_of(t, &maps));
    for (size_t i = 0; i < maps.map.n; i++) {
        const struct ez_map *x = &maps.map.at[i];
        const struct ez_module *m = x->perm[2] == 'x' ? ez_module_at(t, x->lo) : NULL;
        if (m && m->obj)
            patches_of_map(&all, m, x);
    }
    ez_maps_free(&maps);
    *functions = all.functions;
    return NULL;
}
