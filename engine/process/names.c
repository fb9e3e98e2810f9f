/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c - gives names to the addresses in events (drain_code.c), before the list of modules is
 * cleared.
 * Tests: tests/procs/values.sh, tests/procs/locks.sh */
#include "engine/target.h"

#include "engine/base/strutil.h"
#include "engine/process/session.h"
#include "engine/inferior/modules.h"

/* Returns the name of the variable at addr, such as "lock" or "table+40"; NULL if addr is in no
 * variable. The caller frees it. */
static char *names_of_data(struct ez_target *t, uint64_t addr)
{
    struct ez_module_info m;
    uint64_t off = 0;
    const struct ez_sym *s = ez_symbolize_any(t, ez_addr_of(addr), &off, &m);
    if (!s || s->kind != EZ_SYM_DATA)
        return NULL;
    return off ? ez_sprintf("%s+%llu", ez_sym_pretty(s), (unsigned long long)off)
               : ez_strdup(ez_sym_pretty(s));
}

/* Returns the name of a code address, such as "main._omp_fn.0", "f+8" or "libx.so+0x1234"; NULL if
 * it is in no module. A value of kind EZ_ADDR_POINTER, which can be any pointer, gets a name only
 * if a function begins there. The caller frees the name. */
static char *names_of(struct ez_target *t, struct ez_code_addr a)
{
    struct ez_module *m = ez_module_at(t, a.addr);
    if (a.kind == EZ_ADDR_DATA)
        return names_of_data(t, a.addr);
    if (!m)
        return NULL;
    const struct ez_sym *s = m->obj ? ez_object_find_addr(m->obj, a.addr - m->bias) : NULL;
    uint64_t off = a.addr - m->bias - (s ? s->vaddr : 0);
    if (a.kind == EZ_ADDR_POINTER && (!s || off))
        return NULL;
    if (!s)
        return ez_sprintf("%s+0x%llx", ez_base_name(m->path), (unsigned long long)off);
    return off ? ez_sprintf("%s+%llu", ez_sym_pretty(s), (unsigned long long)off)
               : ez_strdup(ez_sym_pretty(s));
}

void ez_name_code(struct ez_target *t)
{
    struct ez_code_addr addr[64];
    size_t n;
    if (!t->tracing.drain)
        return;
    ez_drain_flush(t->tracing.drain);
    ez_drain_note_keys(t->tracing.drain);
    while ((n = ez_drain_unnamed(t->tracing.drain, addr, EZ_ARRAY_LEN(addr))))
        for (size_t i = 0; i < n; i++) {
            EZ_FREE char *name = names_of(t, addr[i]);
            if (name)
                ez_drain_define_symbol(t->tracing.drain, addr[i].addr, name);
        }
}
