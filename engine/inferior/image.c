/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image.c - the text of a module, read from the process and prepared for analysis: its bytes, its
 * functions, and the words of data that contain addresses in the text.
 *
 * The bytes are read from the process, not from the file, because the target may have changed them.
 * While the probes of an earlier shell are adopted, the file's bytes replace the bytes of its
 * patches.
 * Tests: tests/fault/check_labels.sh, tests/procs/keep.sh */
#include <string.h>

#include "engine/target.h"
#include "engine/inferior/image.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/rseq.h"

static int image_by_addr(const void *a, const void *b)
{
    const struct ez_func *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Returns the function that symbol s names, with runtime addresses. All slots of a PLT count as one
 * function. */
static struct ez_func image_func_of(const struct ez_module *m, const struct ez_sym *s)
{
    struct ez_func f = { s->vaddr, ez_sym_end(s), ez_sym_next(s), s->kind == EZ_SYM_PLT,
                         s->vaddr + s->size };
    const char *section;
    uint64_t lo, hi;
    if (f.linkage && ez_object_section(m->obj, s->vaddr, &section, &lo, &hi) &&
        strstr(section, "plt"))
        f.addr = lo, f.end = f.next = hi;
    f.addr += m->bias;
    f.end += m->bias;
    f.next += m->bias;
    f.body += m->bias;
    return f;
}

static void image_collect_funcs(struct ez_module *m)
{
    size_t n, k = 0;
    const struct ez_sym *s = ez_object_syms(m->obj, &n);
    m->funcs = ez_alloc(n * sizeof *m->funcs);
    for (size_t i = 0; i < n && s[i].kind != EZ_SYM_DATA; i++) {
        struct ez_func f = image_func_of(m, &s[i]);
        if (f.addr < m->image_va || f.addr >= m->image_va + m->image_len ||
            (k && m->funcs[k - 1].addr == f.addr))
            continue;
        m->funcs[k++] = f;
    }
    ez_sort(m->funcs, k, sizeof *m->funcs, image_by_addr);
    for (size_t i = 0; i < k;
         i++) /* drop further slots of the same PLT: sorting made them neighbours */
        if (!m->nfuncs || m->funcs[m->nfuncs - 1].addr != m->funcs[i].addr)
            m->funcs[m->nfuncs++] = m->funcs[i];
}

/* Returns true if one of the instructions from address *at on begins before addr and ends after it.
 * Advances *at to the last instruction that was decoded. The caller calls this for symbols in
 * ascending order, so that each instruction is decoded once. */
static bool image_cuts(const struct ez_target *t, const struct ez_module *m, uint64_t *at,
                       uint64_t addr)
{
    size_t n = 1;
    while (*at < addr && n) {
        uint64_t off = *at - m->image_va;
        n = t->inf.arch->decode.length(m->image + off, m->image_len - off);
        if (*at + n > addr)
            /* *at does not advance, because the next symbol may be in this instruction, too. */
            return true;
        *at += n;
    }
    return false;
}

/* Drops symbols in the middle of an instruction: such a symbol is not a function, and the code
 * after it belongs to the enclosing function. */
static void image_drop_cut(const struct ez_target *t, struct ez_module *m)
{
    size_t k = 0;
    const struct ez_func none = { 0 }, *outer = &none;
    uint64_t at = 0; /* address of an instruction of `outer`, the enclosing function */
    for (size_t i = 0; i < m->nfuncs; i++) {
        struct ez_func f = m->funcs[i];
        if (f.addr < outer->body && image_cuts(t, m, &at, f.addr)) {
            m->funcs[k - 1].end = EZ_MIN(outer->body, f.next);
            m->funcs[k - 1].next = f.next;
            continue;
        }
        m->funcs[k++] = f;
        if (f.body > outer->body) {
            outer = &m->funcs[k - 1];
            at = f.addr;
        }
    }
    m->nfuncs = k;
}

static void image_add_pointer(uint64_t at, uint64_t to, void *arg)
{
    struct ez_module *m = arg;
    EZ_PUSH(&m->pointer, ((struct ez_pointer){ at + m->bias, to + m->bias }));
}

static bool image_executable(const struct ez_module *m, const struct ez_map *e)
{
    return e->lo >= m->lo && e->hi <= m->hi && e->perm[2] == 'x';
}

/* Replaces the n bytes of a patch by the file's bytes, if the image has the patch at `addr`. */
static void image_restore(struct ez_module *m, uint64_t addr, const uint8_t *ours, size_t n)
{
    uint8_t file[16];
    uint64_t at = addr - m->image_va;
    if (at < m->image_len && n <= EZ_MIN(m->image_len - at, sizeof file) &&
        ez_object_read_text(m->obj, addr - m->bias, file, n) == n &&
        ez_patched(m->image + at, ours, file, n))
        memcpy(m->image + at, file, n);
}

void ez_image_old_rows(struct ez_target *t, const struct ez_row *row, uint32_t n)
{
    t->inf.old_rows = row;
    t->inf.nold_rows = n;
}

/* Removes the patches of adopted probes from the image. */
static void image_restore_in(struct ez_target *t, struct ez_module *m)
{
    for (uint32_t i = 0; i < t->inf.nold_rows; i++) {
        const struct ez_row *r = &t->inf.old_rows[i];
        if (r->planted && r->len <= sizeof r->after)
            image_restore(m, r->addr, r->after, r->len);
        if (r->planted && ez_strategy(r->strategy)->island == EZ_ISLAND_IN_TEXT)
            image_restore(m, r->island, r->island_after, (size_t)t->inf.arch->jump.len);
    }
}

/* Reads the module's executable mappings from the process. Gaps between the mappings are filled
 * with zeros, and an earlier shell's patches are replaced by the file's bytes
 * (ez_image_old_rows()). */
static ez_err *image_read_live(struct ez_target *t, struct ez_module *m)
{
    struct ez_maps maps;
    uint64_t lo = 0, hi = 0;
    EZ_TRY(ez_maps_of(t, &maps));
    for (size_t i = 0; i < maps.map.n; i++) {
        if (!image_executable(m, &maps.map.at[i]))
            continue;
        lo = lo ? lo : maps.map.at[i].lo;
        hi = maps.map.at[i].hi;
    }
    m->image_va = lo;
    m->image_len = hi - lo;
    m->profiled = ez_module_profiled(t, m);
    m->image = ez_alloc(m->image_len + 64);
    ez_err *e = lo ? NULL : ez_err_new(EZ_E_REFUSED, 0, "%s has no executable mapping", m->path);
    for (size_t i = 0; i < maps.map.n && !e; i++) {
        const struct ez_map *x = &maps.map.at[i];
        if (image_executable(m, x))
            e = ez_mem_read(t, x->lo, m->image + (x->lo - lo), x->hi - x->lo);
    }
    ez_maps_free(&maps);
    if (!e && t->inf.old_rows)
        image_restore_in(t, m);
    return e;
}

static size_t image_read_data(void *arg, uint64_t addr, void *buf, size_t n)
{
    return ez_mem_read_some(arg, addr, buf, n);
}

ez_err *ez_need_strategy(void)
{
    const struct ez_arch *a = ez_arch_host();
    return ez_strategies_of(a)
               ? NULL
               : ez_err_new(EZ_E_REFUSED, 0, "eztsh cannot plant probes on %s yet", a->name);
}

ez_err *ez_module_text(struct ez_target *t, struct ez_module *m)
{
    if (m->text)
        return NULL;
    EZ_TRY(ez_need_strategy());
    if (!m->obj)
        return ez_err_new(EZ_E_REFUSED, 0, "the symbols of %s cannot be read", m->path);
    EZ_TRY(image_read_live(t, m));
    image_collect_funcs(m);
    image_drop_cut(t, m);
    uint64_t lo = m->image_va - m->bias;
    ez_object_pointers(m->obj, lo, lo + m->image_len, image_add_pointer, m);
    EZ_TRY(
        ez_text_create(&(struct ez_text_desc){ t->inf.arch, m->image, m->image_len, m->image_va,
                                               m->funcs, m->nfuncs, m->pointer.at, m->pointer.n },
                       &m->text));
    ez_text_data(m->text, image_read_data, t);
    ez_rseq_module(t, m);
    return NULL;
}

void ez_texts_refresh(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->text)
            ez_text_data(t->inf.module.at[i]->text, image_read_data, t);
}

ez_err *ez_module_not_cut(const struct ez_module *m, uint64_t func)
{
    size_t n = EZ_UPTO(m->funcs, m->nfuncs, addr, func);
    if (!n || m->funcs[n - 1].addr == func)
        return NULL;
    const struct ez_sym *outer = ez_object_find_addr(m->obj, m->funcs[n - 1].addr - m->bias);
    return ez_err_new(EZ_E_REFUSED, 0, "the address is not an instruction boundary of %s",
                      outer ? ez_sym_pretty(outer) : "the function around it");
}
