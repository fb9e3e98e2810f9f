/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_name.c - finds symbols by name, and demangles names.
 *
 * The index contains only hashes: of the raw name, of the demangled name with and without
 * parameters and ABI tags, and of its last part (sym_part.c). A match is checked by demangling
 * again, so an entry takes 12 bytes, and no copy of a long name. The first look-up builds the
 * index.
 *
 * Tests: tests/unit/sym/check_sym.c */
#include "config.h"

#include <bfd.h>
#include <string.h>

#include "engine/sym/sym_priv.h"

/* libiberty's DMGL_PARAMS, DMGL_ANSI, DMGL_RET_DROP, DMGL_DLANG. libbfd does not install its
 * demangle.h. */
enum { PARAMS = 1 << 0, ANSI = 1 << 1, NO_RESULT = 1 << 6, D_LANGUAGE = 1 << 16 };
enum { WITH_PARAMS = PARAMS | ANSI, BARE = ANSI };

struct name_entry {
    uint32_t hash, sym, next; /* next: index + 1 in `entries`; 0 = last */
};

struct name_index {
    EZ_VEC(struct name_entry) entries;
    uint32_t *heads; /* index: hash & mask; index + 1 in `entries` of the first entry; 0 = none */
    uint32_t mask;
};

/* Returns where "_MOD_" begins in the name of a gfortran module procedure, __MODULE_MOD_NAME, or
 * NULL for other names. */
static const char *sym_name_fortran(const char *name)
{
    const char *mod = name[0] == '_' && name[1] == '_' ? strstr(name + 2, "_MOD_") : NULL;
    return mod && mod > name + 2 && mod[5] ? mod : NULL;
}

/* Returns whether the name is a mangled name of the language D: _D, then the length of a module's
 * name. Dots separate the parts of the demangled name. */
static bool sym_name_is_d(const char *name)
{
    return name[0] == '_' && name[1] == 'D' && name[2] >= '1' && name[2] <= '9';
}

/* Demangles a name of the language D; returns NULL if that is impossible. libiberty always adds the
 * parameters, so this cuts them off at the last pair of brackets if they are not wanted. The caller
 * frees the result. */
static char *sym_name_demangle_d(const char *name, int style)
{
    char *full = bfd_demangle(NULL, name, D_LANGUAGE), *p = full ? full + strlen(full) : NULL;
    int depth = 0;
    if (!full || (style & PARAMS) || p == full || p[-1] != ')')
        return full;
    do
        depth += *--p == ')' ? 1 : *p == '(' ? -1 : 0;
    while (p > full && depth);
    if (p > full)
        *p = 0;
    return full;
}

static bool sym_is_mangled(const char *name)
{
    return name[0] == '_' &&
           (name[1] == 'Z' || name[1] == 'R' || sym_name_fortran(name) || sym_name_is_d(name));
}

/* Returns the demangled name, or NULL if the name cannot be demangled. The caller frees it. */
static char *sym_name_demangle(const char *name, int style)
{
    const char *mod;
    if (!sym_is_mangled(name))
        return NULL;
    if (name[1] == '_' && (mod = sym_name_fortran(name)))
        return ez_sprintf("%.*s::%s", (int)(mod - name - 2), name + 2, mod + 5);
    return sym_name_is_d(name) ? sym_name_demangle_d(name, style) : bfd_demangle(NULL, name, style);
}

/* Returns the part of `bare` after its last dot ("f" of "d.S.f") if the symbol `name` is of the
 * language D, else NULL. bare: the demangled name without parameters. */
static const char *sym_name_d_part(const char *name, const char *bare)
{
    const char *dot = sym_name_is_d(name) && bare ? strrchr(bare, '.') : NULL;
    return dot ? dot + 1 : NULL;
}

static uint32_t sym_hash_of(const char *s)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *s; s++)
        h = (h ^ (uint8_t)*s) * 16777619u;
    return h;
}

/* Returns whether the symbol has no other names (demangled, partial), as in C. */
static bool sym_name_is_plain(const char *name)
{
    const char *c = name;
    while ((*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') || *c == '_')
        c++;
    return !*c && !sym_is_mangled(name);
}

static void sym_name_add(struct name_index *x, uint32_t sym, uint32_t hash)
{
    uint32_t *head = &x->heads[hash & x->mask];
    struct name_entry e = { hash, sym, *head };
    EZ_PUSH(&x->entries, e);
    *head = (uint32_t)x->entries.n;
}

/* Adds the name without ABI tags, if it has tags. name may be NULL. */
static void sym_name_add_untagged(struct name_index *x, uint32_t i, const char *name)
{
    EZ_FREE char *plain = name ? sympart_untagged(name) : NULL;
    if (plain)
        sym_name_add(x, i, sym_hash_of(plain));
}

/* Adds the other names of symbol i: demangled with and without parameters, and the last part, which
 * finds partial names. */
static void sym_name_add_others(struct name_index *x, uint32_t i, const char *name)
{
    EZ_FREE char *full = sym_name_demangle(name, WITH_PARAMS);
    EZ_FREE char *bare = full ? sym_name_demangle(name, BARE) : NULL;
    const char *shown = bare ? bare : full ? full : name;
    const char *behind = sym_name_d_part(name, bare);
    EZ_FREE char *part = behind ? ez_strdup(behind) : sympart_last(shown);
    if (full)
        sym_name_add(x, i, sym_hash_of(full));
    if (bare && strcmp(bare, full))
        sym_name_add(x, i, sym_hash_of(bare));
    if (strcmp(part, shown))
        sym_name_add(x, i, sym_hash_of(part));
    sym_name_add_untagged(x, i, full);
    sym_name_add_untagged(x, i, bare);
}

static struct name_index *sym_name_build(const struct ez_object *o)
{
    struct name_index *x = ez_alloc(sizeof *x);
    size_t buckets = 64;
    while (buckets < o->syms.n * 2)
        buckets *= 2;
    x->heads = ez_alloc(buckets * sizeof *x->heads);
    x->mask = (uint32_t)(buckets - 1);
    /* The loop runs backwards, so that chains run forwards. */
    for (size_t i = o->syms.n; i-- > 0;) {
        sym_name_add(x, (uint32_t)i, sym_hash_of(o->syms.at[i].name));
        if (!sym_name_is_plain(o->syms.at[i].name))
            sym_name_add_others(x, (uint32_t)i, o->syms.at[i].name);
    }
    return x;
}

/* Returns whether `name` is the name `its`, with all its ABI tags or with none. */
static bool sym_is_so_called(const char *its, const char *name)
{
    EZ_FREE char *plain = sympart_untagged(its);
    return !strcmp(its, name) || (plain && !strcmp(plain, name));
}

static bool sym_is_called(const struct ez_sym *s, const char *name)
{
    if (!strcmp(s->name, name))
        return true;
    EZ_FREE char *full = sym_name_demangle(s->name, WITH_PARAMS);
    if (full && sym_is_so_called(full, name))
        return true;
    EZ_FREE char *bare = sym_name_demangle(s->name, BARE);
    return bare && sym_is_so_called(bare, name);
}

static bool sym_is_called_in_part(const struct ez_sym *s, const char *name)
{
    EZ_FREE char *full = sym_name_demangle(s->name, WITH_PARAMS);
    EZ_FREE char *bare = sym_name_demangle(s->name, BARE);
    const char *behind = sym_name_d_part(s->name, bare);
    if (behind && !strcmp(behind, name))
        return true;
    return !sym_is_called(s, name) &&
           sympart_names(name, full ? full : s->name, bare ? bare : s->name);
}

/* Calls fn for each symbol for which called() is true; key: the name under which the index has such
 * symbols. Returns their number. */
static size_t sym_name_find(const struct ez_object *o, const char *name, const char *key,
                            bool (*called)(const struct ez_sym *, const char *),
                            void (*fn)(const struct ez_sym *s, void *arg), void *arg)
{
    size_t found = 0;
    uint32_t hash = sym_hash_of(key), last = UINT32_MAX;
    if (!o->names)
        ((struct ez_object *)o)->names = sym_name_build(o); /* a cache; const to the caller */
    const struct name_index *x = o->names;
    for (uint32_t i = x->heads[hash & x->mask]; i; i = x->entries.at[i - 1].next) {
        const struct name_entry *e = &x->entries.at[i - 1];
        if (e->hash != hash || e->sym == last || !called(&o->syms.at[e->sym], name))
            continue;
        last = e->sym; /* entries of one symbol are adjacent */
        fn(&o->syms.at[e->sym], arg);
        found++;
    }
    return found;
}

size_t ez_object_find_name(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg)
{
    return sym_name_find(o, name, name, sym_is_called, fn, arg);
}

size_t ez_object_find_part(const struct ez_object *o, const char *name,
                           void (*fn)(const struct ez_sym *s, void *arg), void *arg)
{
    EZ_FREE char *bare = sympart_bare(name);
    EZ_FREE char *part = sympart_last(bare);
    return sym_name_find(o, name, part, sym_is_called_in_part, fn, arg);
}

char *ez_name_pretty(const char *name)
{
    return sym_name_demangle(name, WITH_PARAMS | NO_RESULT);
}

char *ez_name_bare(const char *name)
{
    return sym_name_demangle(name, BARE);
}

const char *ez_sym_pretty(const struct ez_sym *s)
{
    struct ez_object *o = (struct ez_object *)s->obj; /* fills the cache */
    size_t i = (size_t)(s - o->syms.at);
    if (!sym_is_mangled(s->name) || s < o->syms.at || i >= o->syms.n)
        return s->name;
    if (!o->pretty)
        o->pretty = ez_alloc(o->syms.n * sizeof *o->pretty);
    if (!o->pretty[i]) {
        char *full = sym_name_demangle(s->name, WITH_PARAMS);
        o->pretty[i] = full ? full : ez_strdup(s->name);
    }
    return o->pretty[i];
}

bool ez_sym_matches(const struct ez_sym *s, const regex_t *re)
{
    if (s->kind != EZ_SYM_FUNC && s->kind != EZ_SYM_IFUNC)
        return false;
    if (!regexec(re, s->name, 0, NULL, 0))
        return true;
    const char *pretty = ez_sym_pretty(s);
    return pretty != s->name && !regexec(re, pretty, 0, NULL, 0);
}

const char *symname_readable(struct ez_object *o, const char *raw)
{
    char *full = sym_name_demangle(raw, WITH_PARAMS);
    return full ? sym_keep(o, full) : raw;
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
