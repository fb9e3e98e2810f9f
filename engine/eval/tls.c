/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tls.c - finds thread-local variables, for the thread that the expression is about.
 *
 * Each thread has a vector (DTV) with the addresses of its TLS blocks, one for each module with
 * thread-local variables. A module's index is private to the loader, but glibc exports descriptions
 * of its structures for debuggers, in variables "_thread_db_*": each is three numbers, the size in
 * bits, the number of elements and the offset of a field. The program's file always has index 1. A
 * block whose address is not in the vector yet may be at a fixed distance from the thread pointer.
 *
 * Tests: tests/procs/tls.sh */
#include "engine/eval/eval_priv.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"
#include "engine/inferior/modules.h"

#define TLS_MODULES 4096 /* maximum number of entries of the loader's list that are read */
#define TLS_ENTRY 16     /* bytes of an entry of the DTV, if glibc does not export the size */

struct tls_map { /* the start of the target's struct link_map (link.h) */
    uint64_t addr, name, ld, next;
};

static bool tls_read(struct eval *ev, uint64_t at, void *to, size_t n)
{
    return ez_read_some(ev->t, ez_addr_of(at), to, n) == n;
}

/* Reads glibc's description of a field of its private structures, the variable `name`. */
static bool tls_field(struct eval *ev, const char *name, uint32_t out[3])
{
    for (size_t i = 0; i < ev->t->inf.module.n; i++) {
        const struct ez_module *m = ev->t->inf.module.at[i];
        uint64_t at = m->obj ? ez_symbol_addr(ev->t, m, name) : 0;
        if (at)
            return tls_read(ev, at, out, 3 * sizeof *out);
    }
    return false;
}

static const struct ez_module *tls_module(const struct eval *ev, const struct ez_object *obj)
{
    for (size_t i = 0; i < ev->t->inf.module.n; i++)
        if (ev->t->inf.module.at[i]->obj == obj)
            return ev->t->inf.module.at[i];
    return NULL;
}

/* Returns the address of the loader's struct link_map for the module, or 0. */
static uint64_t tls_map_of(struct eval *ev, const struct ez_module *m)
{
    struct ez_module *ld = ez_module_loader(ev->t);
    uint64_t debug = ld ? ez_symbol_addr(ev->t, ld, "_r_debug") : 0, at = 0;
    struct tls_map map;
    if (!debug || !tls_read(ev, debug + 8, &at, sizeof at))
        return 0;
    for (size_t i = 0; at && i < TLS_MODULES && tls_read(ev, at, &map, sizeof map); i++) {
        if (map.ld >= m->lo && map.ld < m->hi)
            return at;
        at = map.next;
    }
    return 0;
}

/* Reads a word of the module's struct link_map. field: name of the "_thread_db_*" variable. */
static bool tls_of_map(struct eval *ev, const struct ez_module *m, const char *field, uint64_t *out)
{
    uint32_t field_at[3];
    uint64_t map = tls_field(ev, field, field_at) ? tls_map_of(ev, m) : 0;
    return map && tls_read(ev, map + field_at[2], out, sizeof *out);
}

/* Finds the TLS block by the thread's DTV. */
static bool tls_from_vector(struct eval *ev, uint64_t pointer, uint64_t module, uint64_t *out)
{
    uint32_t field_at[3];
    uint64_t vector, most;
    unsigned entry = tls_field(ev, "_thread_db_dtv_dtv", field_at) ? field_at[0] / 8 : TLS_ENTRY;
    return tls_read(ev, pointer + ev->t->inf.arch->abi.tls_vector, &vector, sizeof vector) &&
           tls_read(ev, vector - entry, &most, sizeof most) && module <= most &&
           tls_read(ev, vector + entry * module, out, sizeof *out) && *out && !(*out & 1);
}

/* Finds the TLS block at a fixed distance from the thread pointer. */
static bool tls_fixed(struct eval *ev, const struct ez_module *m, uint64_t pointer, uint64_t *out)
{
    uint64_t offset;
    if (!tls_of_map(ev, m, "_thread_db_link_map_l_tls_offset", &offset) || !offset ||
        offset >= (uint64_t)-2)
        return false; /* the values by which glibc says "none" and "in the DTV" */
    *out = ev->t->inf.arch->abi.tls_below ? pointer - offset : pointer + offset;
    return true;
}

ez_err *tls_address(void *arg, const struct ez_object *obj, const char *name, uint64_t offset,
                    uint64_t *out)
{
    struct eval *ev = arg;
    const struct ez_module *m = tls_module(ev, obj);
    uint64_t module = 0, block;
    *out = 0;
    if (ev->types || ev->checks) /* only types or names are checked: nothing is read */
        return NULL;
    if (!ev->regs || !m)
        return ez_err_gdb(EZ_E_STATE, "Cannot read `%s' without registers", name);
    const struct ez_arch *a = ev->t->inf.arch;
    const uint64_t pointer = a->regs.thread_pointer ? a->regs.thread_pointer(ev->regs) : 0;
    if (!tls_of_map(ev, m, "_thread_db_link_map_l_tls_modid", &module) && m->is_program)
        module = 1;
    if (!module)
        return ez_err_new(EZ_E_NOTFOUND, 0,
                          "\"%s\" is thread-local, and this C library does not say where the "
                          "thread-local variables of %s are",
                          name, ez_object_base(obj));
    if (!pointer ||
        (!tls_from_vector(ev, pointer, module, &block) && !tls_fixed(ev, m, pointer, &block)))
        return ez_err_new(
            EZ_E_STATE, 0,
            "This thread has not yet allocated storage for the thread-local variables of %s",
            ez_object_base(obj));
    *out = block + offset;
    return NULL;
}
