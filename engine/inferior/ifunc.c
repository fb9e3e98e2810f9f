/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ifunc.c - finds the function that an IFUNC's resolver returned in this process.
 *
 * The loader writes the resolver's result into one slot for each relocation that refers to the
 * IFUNC: an IRELATIVE relocation, which has the resolver's address, or a relocation with the
 * resolver's symbol. eztsh reads the slots of every loaded object, but only those in a global
 * offset table: a variable that was initialized as a pointer to the function belongs to the
 * program, which may change it. A slot's value is used if it is code of the resolver's own file
 * outside the procedure linkage table (a slot that points to the PLT is not resolved yet). If no
 * slot can be used, or two slots have different values, eztsh calls the resolver (call.c). If two
 * resolvers in a file have the same name (symbol versions), relocations with this name are
 * ignored.
 * Invariant: the value of a slot is read each time it is needed. The list of slots is renewed with
 * the list of modules.
 * Source: psABI x86-64 section 4.4.1; the glibc wiki, "GNU IFUNC".
 * Tests: tests/procs/ifunc.sh */
#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"

#include <stdlib.h>
#include <string.h>

struct resolver {
    const char *name;
    const struct ez_module *mod;
    uint64_t addr;
};

struct finder {
    struct ez_target *t;
    EZ_VEC(struct resolver) by_name;
    const struct ez_module *mod; /* module whose relocations are being read */
};

static int ifunc_by_name(const void *a, const void *b)
{
    const struct resolver *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static void ifunc_note_resolvers(struct finder *f)
{
    for (size_t m = 0; m < f->t->inf.module.n; m++) {
        const struct ez_module *mod = f->t->inf.module.at[m];
        size_t n = 0;
        const struct ez_sym *s = mod->obj ? ez_object_syms(mod->obj, &n) : NULL;
        for (size_t i = 0; i < n; i++)
            if (s[i].kind == EZ_SYM_IFUNC)
                EZ_PUSH(&f->by_name, ((struct resolver){ s[i].name, mod, s[i].vaddr + mod->bias }));
    }
    ez_sort(f->by_name.at, f->by_name.n, sizeof *f->by_name.at, ifunc_by_name);
}

static void ifunc_note_slot(struct finder *f, uint64_t resolver, uint64_t at)
{
    EZ_PUSH(&f->t->inf.ifunc.slot, ((struct ez_ifunc_slot){ resolver, at }));
}

/* Adds the slot at address `at` for each resolver that has this name, unless its file has two
 * resolvers of the name. */
static void ifunc_note_named(struct finder *f, const char *name, uint64_t at)
{
    const struct resolver key = { .name = name }, *r = f->by_name.at, *end = r + f->by_name.n;
    const struct resolver *x = bsearch(&key, r, f->by_name.n, sizeof *r, ifunc_by_name);
    if (!x)
        return;
    while (x > r && !strcmp(x[-1].name, name))
        x--;
    for (; x < end && !strcmp(x->name, name); x++) {
        bool alone = true;
        for (const struct resolver *y = x - 1; alone && y >= r && !strcmp(y->name, name); y--)
            alone = y->mod != x->mod || y->addr == x->addr;
        for (const struct resolver *y = x + 1; alone && y < end && !strcmp(y->name, name); y++)
            alone = y->mod != x->mod || y->addr == x->addr;
        if (alone)
            ifunc_note_slot(f, x->addr, at);
    }
}

static void ifunc_note_reloc(const struct ez_dynreloc *r, void *arg)
{
    struct finder *f = arg;
    uint64_t at = r->at + f->mod->bias;
    if (!ez_dynreloc_in_got(r))
        return;
    if (r->kind == EZ_RELOC_IRELATIVE)
        ifunc_note_slot(f, r->addend + f->mod->bias, at);
    else if (!r->addend)
        ifunc_note_named(f, ez_dynreloc_name(r), at);
}

static int ifunc_by_resolver(const void *a, const void *b)
{
    const struct ez_ifunc_slot *x = a, *y = b;
    return x->resolver < y->resolver ? -1 : x->resolver > y->resolver;
}

static void ifunc_find_slots(struct ez_target *t)
{
    struct finder f = { .t = t };
    t->inf.ifunc.slot.n = 0;
    ifunc_note_resolvers(&f);
    for (size_t m = 0; m < t->inf.module.n; m++) {
        f.mod = t->inf.module.at[m];
        if (f.mod->obj)
            ez_object_relocs(f.mod->obj, EZ_RELOC_IRELATIVE | EZ_RELOC_SYMBOL, ifunc_note_reloc,
                             &f);
    }
    EZ_VEC_FREE(&f.by_name);
    ez_sort(t->inf.ifunc.slot.at, t->inf.ifunc.slot.n, sizeof *t->inf.ifunc.slot.at,
            ifunc_by_resolver);
    t->inf.ifunc.known = true;
}

/* Returns true if addr is code of module mod, outside its procedure linkage table. */
static bool ifunc_is_choice(struct ez_target *t, const struct ez_module *mod, uint64_t addr)
{
    const char *section;
    uint64_t lo, hi;
    return ez_module_at(t, addr) == mod && mod->obj &&
           ez_object_section(mod->obj, addr - mod->bias, &section, &lo, &hi) &&
           strncmp(section, ".plt", 4) && strcmp(section, ".iplt");
}

uint64_t ez_ifunc_chosen(struct ez_target *t, uint64_t resolver)
{
    const struct ez_module *mod = ez_module_at(t, resolver);
    uint64_t found = 0;
    if (!mod)
        return 0;
    if (!t->inf.ifunc.known)
        ifunc_find_slots(t);
    const struct ez_ifunc_slot *slot = t->inf.ifunc.slot.at;
    for (size_t i = EZ_UPTO(slot, t->inf.ifunc.slot.n, resolver, resolver); i-- > 0;) {
        uint64_t value;
        if (slot[i].resolver != resolver)
            break;
        if (ez_mem_read_some(t, slot[i].at, &value, sizeof value) != sizeof value ||
            !ifunc_is_choice(t, mod, value) || value == resolver)
            continue;
        if (found && found != value)
            return 0;
        found = value;
    }
    return found;
}

static ez_err *ifunc_resolve(struct ez_target *t, uint64_t resolver, uint64_t *target)
{
    struct ez_thread *th = ez_inject_thread(t);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0,
                          "The process has no live thread that could call an IFUNC's resolver");
    EZ_TRY(ez_inject_call(t, th, &(struct ez_call){ .func = resolver }, target,
                          "call an IFUNC's resolver"));
    if (!ez_module_at(t, *target))
        return ez_err_new(EZ_E_REMOTE, 0,
                          "An IFUNC's resolver returned 0x%lx, which is not the address of code",
                          (unsigned long)*target);
    return NULL;
}

ez_err *ez_ifunc_target(struct ez_target *t, uint64_t resolver, uint64_t *target)
{
    *target = ez_ifunc_chosen(t, resolver);
    return *target ? NULL : ifunc_resolve(t, resolver, target);
}
