/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_addr.c - finds symbols by address in the table of sym.c.
 *
 * Tests: tests/unit/sym/check_sym.c */
#include "engine/sym/sym_priv.h"

/* Returns how many code symbols start at or below vaddr. */
static size_t sym_upto(const struct ez_object *o, uint64_t vaddr)
{
    return EZ_UPTO(o->syms.at, o->ncode, vaddr, vaddr);
}

static const struct ez_sym *sym_first_alias(const struct ez_object *o, size_t i)
{
    while (i && o->syms.at[i - 1].vaddr == o->syms.at[i].vaddr)
        i--;
    return &o->syms.at[i];
}

/* Returns the index behind symbol i and those that start at the same address. */
static size_t sym_behind(const struct ez_object *o, size_t i)
{
    const uint64_t vaddr = o->syms.at[i].vaddr;
    while (i < o->ncode && o->syms.at[i].vaddr == vaddr)
        i++;
    return i;
}

/* Returns sym_upto(o, s->vaddr), without a search if s is in the table. */
static size_t sym_upto_sym(const struct ez_object *o, const struct ez_sym *s)
{
    size_t i = (size_t)(s - o->syms.at);
    return s < o->syms.at || i >= o->ncode ? sym_upto(o, s->vaddr) : sym_behind(o, i);
}

/* Returns the index of the symbol of the previous look-up, or of the symbol at the next address, if
 * that symbol starts at vaddr, else o->ncode. Planting on thousands of functions looks up one
 * symbol several times, then the next. */
static size_t sym_last_lookup(struct ez_object *o, uint64_t vaddr)
{
    size_t i = o->last_index;
    if (i >= o->ncode)
        return o->ncode;
    if (o->syms.at[i].vaddr != vaddr)
        i = sym_behind(o, i);
    if (i >= o->ncode || o->syms.at[i].vaddr != vaddr || !sym_section(o, vaddr))
        return o->ncode;
    o->last_index = i;
    return i;
}

static const struct ez_sym *sym_find_addr(const struct ez_object *o, uint64_t vaddr)
{
    enum { LOOK_BACK = 64 }; /* symbols; few functions contain the starts of more symbols */
    size_t i = sym_upto(o, vaddr);
    if (!i || !sym_section(o, vaddr))
        return NULL;
    const struct ez_sym *s = sym_first_alias(o, i - 1);
    if (vaddr < ez_sym_end(s))
        return s;
    for (size_t back = 0; i-- && back < LOOK_BACK; back++)
        if (o->syms.at[i].size > vaddr - o->syms.at[i].vaddr)
            return sym_first_alias(o, i);
    return NULL;
}

const struct ez_sym *ez_object_find_addr(const struct ez_object *object, uint64_t vaddr)
{
    struct ez_object *o = (struct ez_object *)object; /* a cache; const to the caller */
    const size_t last = sym_last_lookup(o, vaddr);
    if (last < o->ncode)
        return &o->syms.at[last];
    const struct ez_sym *s = sym_find_addr(o, vaddr);
    if (s && s->vaddr == vaddr)
        o->last_index = (size_t)(s - o->syms.at);
    return s;
}

const struct ez_sym *ez_object_find_data(const struct ez_object *o, uint64_t vaddr)
{
    const struct ez_sym *data = o->syms.at + o->ncode;
    size_t n = EZ_UPTO(data, o->syms.n - o->ncode, vaddr, vaddr);
    if (!n)
        return NULL;
    const struct ez_sym *s = &data[n - 1];
    while (s > data && s[-1].vaddr == s->vaddr)
        s--;
    return vaddr == s->vaddr || vaddr - s->vaddr < s->size ? s : NULL;
}

uint64_t ez_sym_next(const struct ez_sym *s)
{
    const struct ez_object *o = s->obj;
    const struct code_section *c = sym_section(o, s->vaddr);
    uint64_t limit = c ? c->end : s->vaddr + s->size;
    if (s->kind == EZ_SYM_DATA)
        return s->vaddr + s->size;
    size_t i = sym_upto_sym(o, s);
    return i < o->ncode ? EZ_MIN(limit, o->syms.at[i].vaddr) : limit;
}

uint64_t ez_sym_end(const struct ez_sym *s)
{
    uint64_t next = ez_sym_next(s);
    return s->size && s->size < next - s->vaddr ? s->vaddr + s->size : next;
}
