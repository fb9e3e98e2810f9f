/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_name.c - symbols by name, and names people can read.
 *
 * The index holds hashes only, three per mangled symbol: the raw name, the
 * demangled name with and without parameters. A hash that matches is checked by
 * demangling again, so that 100,000 C++ names cost 8 bytes each and not 100.
 * Built by the first look-up.
 * Tests: tests/unit/engine/check_sym.c */
#include "config.h"

#include <bfd.h>
#include <string.h>

#include "engine/sym_priv.h"

/* libiberty's DMGL_PARAMS and DMGL_ANSI: its demangle.h comes with no libbfd. */
enum { PARAMS = 1 << 0, ANSI = 1 << 1, WITH_PARAMS = PARAMS | ANSI, BARE = ANSI };

struct name_entry {
    uint32_t hash, sym, next; /* next: index + 1 in `entries`, 0 = last */
};

struct name_index {
    EZ_VEC(struct name_entry) entries;
    uint32_t *heads; /* index + 1 in `entries` */
    uint32_t mask;
};

static bool is_mangled(const char *name)
{
    return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* NULL when the name is no mangled one. Caller frees. */
static char *demangle(const char *name, int style)
{
    return is_mangled(name) ? bfd_demangle(NULL, name, style) : NULL;
}

static uint32_t hash_of(const char *s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h;
}

static void add(struct name_index *x, uint32_t sym, uint32_t hash)
{
    uint32_t *head = &x->heads[hash & x->mask];
    struct name_entry e = { hash, sym, *head };
    EZ_PUSH(&x->entries, e);
    *head = (uint32_t)x->entries.n;
}

static void add_demangled(struct name_index *x, uint32_t i, const char *name)
{
    EZ_FREE char *full = demangle(name, WITH_PARAMS);
    if (!full)
        return;
    EZ_FREE char *bare = demangle(name, BARE);
    uint32_t h = hash_of(full);
    add(x, i, h);
    if (bare && hash_of(bare) != h)
        add(x, i, hash_of(bare));
}

static struct name_index *build(const struct ez_object *o)
{
    struct name_index *x = ez_alloc(sizeof *x);
    size_t buckets = 64;
    while (buckets < o->syms.n * 2)
        buckets *= 2;
    x->heads = ez_alloc(buckets * sizeof *x->heads);
    x->mask = (uint32_t)(buckets - 1);
    for (size_t i = o->syms.n; i-- > 0;) { /* backwards: chains then run forwards */
        add(x, (uint32_t)i, hash_of(o->syms.at[i].name));
        add_demangled(x, (uint32_t)i, o->syms.at[i].name);
    }
    return x;
}

static bool is_called(const struct ez_sym *s, const char *name)
{
    if (!strcmp(s->name, name))
        return true;
    EZ_FREE char *full = demangle(s->name, WITH_PARAMS);
    if (full && !strcmp(full, name))
        return true;
    EZ_FREE char *bare = demangle(s->name, BARE);
    return bare && !strcmp(bare, name);
}

size_t ez_object_find_name(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg)
{
    size_t found = 0;
    uint32_t hash = hash_of(name);
    if (!o->names)
        ((struct ez_object *)o)->names = build(o); /* a cache: const to the caller */
    const struct name_index *x = o->names;
    for (uint32_t i = x->heads[hash & x->mask]; i; i = x->entries.at[i - 1].next) {
        const struct name_entry *e = &x->entries.at[i - 1];
        if (e->hash != hash || !is_called(&o->syms.at[e->sym], name))
            continue;
        fn(&o->syms.at[e->sym], arg);
        found++;
    }
    return found;
}

const char *ez_sym_pretty(const struct ez_sym *s)
{
    struct ez_object *o = (struct ez_object *)s->obj; /* fills the cache */
    size_t i = (size_t)(s - o->syms.at);
    if (!is_mangled(s->name) || s < o->syms.at || i >= o->syms.n)
        return s->name;
    if (!o->pretty)
        o->pretty = ez_alloc(o->syms.n * sizeof *o->pretty);
    if (!o->pretty[i]) {
        char *full = demangle(s->name, WITH_PARAMS);
        o->pretty[i] = full ? full : ez_strdup(s->name);
    }
    return o->pretty[i];
}

void symname_free(struct ez_object *o)
{
    for (size_t i = 0; o->pretty && i < o->syms.n; i++)
        free(o->pretty[i]);
    free(o->pretty);
    if (o->names) {
        EZ_VEC_FREE(&o->names->entries);
        free(o->names->heads);
    }
    free(o->names);
    o->pretty = NULL;
    o->names = NULL;
}
