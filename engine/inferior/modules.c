/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modules.c - modules: the objects that are mapped in the process.
 *
 * Modules are found in /proc/PID/maps, not in the loader's list. This works before the loader ran,
 * in static programs, and with any libc. objects.c finds the modules' files.
 * Tests: tests/procs/linkers.sh, tests/procs/libs.sh */
#include "engine/target.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/foreign.h"
#include "engine/inferior/unloaded.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/objects.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"

void ez_modules_clear(struct ez_target *t)
{
    t->inf.ifunc.known = false;
    t->inf.syscall_at = 0;
    EZ_VEC_FREE(&t->inf.cs);
    for (size_t i = 0; i < t->inf.module.n; i++)
        ez_module_free(t->inf.module.at[i]);
    t->inf.module.n = 0;
    ez_unloaded_clear(t);
}

/* The layout of a program or library, from its headers in memory. */
struct layout {
    /* address of the lowest segment's page; bytes from lo to the end of the last segment */
    uint64_t lo, span;
    struct {
        /* at: offset from lo. offset, end: file offsets, rounded to pages */
        uint64_t at, offset, end;
    } load[16];
    size_t n; /* 0: the layout is unknown, because the file is not a 64-bit ELF file */
};

static void modules_add_load(struct layout *l, const Elf64_Phdr *p, uint64_t lowest)
{
    const uint64_t page = p->p_offset & ~(ez_page() - 1);
    l->span = EZ_MAX(l->span, EZ_ROUND_UP(p->p_vaddr + p->p_memsz, ez_page()) - lowest);
    l->load[l->n].at = (p->p_vaddr & ~(ez_page() - 1)) - lowest;
    l->load[l->n].offset = page;
    l->load[l->n++].end = EZ_ROUND_UP(p->p_offset + p->p_filesz, ez_page());
}

/* Reads the layout of a file whose first bytes mapping m has. Returns false if it is not an ELF
 * file. */
static bool modules_read_layout(struct ez_target *t, const struct ez_map *m, struct layout *l)
{
    Elf64_Ehdr eh;
    Elf64_Phdr ph[64];
    uint64_t lowest = UINT64_MAX;
    *l = (struct layout){ .lo = m->lo };
    if (ez_mem_read_some(t, m->lo, &eh, sizeof eh) != sizeof eh ||
        memcmp(eh.e_ident, ELFMAG, SELFMAG))
        return false;
    size_t n = EZ_MIN((size_t)eh.e_phnum, EZ_ARRAY_LEN(ph));
    if (eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_phentsize != sizeof *ph)
        return true;
    n = ez_mem_read_some(t, m->lo + eh.e_phoff, ph, n * sizeof *ph) / sizeof *ph;
    for (size_t i = 0; i < n; i++)
        if (ph[i].p_type == PT_LOAD)
            lowest = EZ_MIN(lowest, ph[i].p_vaddr & ~(ez_page() - 1));
    for (size_t i = 0; i < n && l->n < EZ_ARRAY_LEN(l->load); i++)
        if (ph[i].p_type == PT_LOAD)
            modules_add_load(l, &ph[i], lowest);
    return true;
}

/* Returns true if mapping m belongs to the module that begins with mapping `first`. File offsets
 * alone do not decide, because in a small file one page can belong to two segments and be mapped
 * twice. */
static bool modules_fits(const struct layout *l, const struct ez_map *first, const struct ez_map *m)
{
    if (m->inode != first->inode || strcmp(m->name, first->name))
        return false;
    if (!l->n)
        return m == first || m->offset;
    for (size_t i = 0; i < l->n; i++)
        if (m->offset >= l->load[i].offset && m->offset < l->load[i].end &&
            m->lo - l->lo == l->load[i].at + (m->offset - l->load[i].offset))
            return true;
    return false;
}

/* Returns the index of the last mapping of the module whose first mapping has index i. If no
 * mapping of the module is executable, returns i and sets *exec to false. */
static size_t modules_end(const struct ez_maps *maps, size_t i, const struct layout *l, bool *exec)
{
    const struct ez_map *first = &maps->map.at[i];
    size_t last = i;
    *exec = false;
    for (size_t k = i; k < maps->map.n; k++) {
        const struct ez_map *m = &maps->map.at[k];
        if (l->n ? m->lo - l->lo >= l->span : *m->name && strcmp(m->name, first->name))
            break;
        if (!modules_fits(l, first, m))
            continue;
        last = k;
        *exec |= m->perm[2] == 'x';
    }
    return *exec ? last : i;
}

static struct ez_module *modules_known(struct ez_target *t, const char *name, uint64_t lo)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->lo == lo && !strcmp(t->inf.module.at[i]->mapped, name))
            return t->inf.module.at[i];
    return NULL;
}

static ez_err *modules_add(struct ez_target *t, const struct ez_maps *maps, size_t first,
                           size_t last, uint64_t exec_lo)
{
    const struct ez_map *m0 = &maps->map.at[first];
    struct ez_module *m = modules_known(t, m0->name, m0->lo);
    if (!m) {
        t->inf.ifunc.known = false;
        m = ez_alloc(sizeof *m);
        m->path = ez_mapped_name(m0);
        m->mapped = ez_strdup(m0->name);
        m->lo = m0->lo;
        m->hi = m0->hi;
        m->fresh = true;
        ez_err *e = m0->name[0] == '/' ? ez_object_mapped(t, m0, &m->obj) : NULL;
        if (ez_foreign_stopped()) {
            ez_module_free(m);
            return e ? e : ez_foreign_interrupted();
        }
        if (e)
            ez_post_note(t, "%s; the functions of that file are not known.", e->msg);
        ez_err_free(e);
        if (m->obj)
            m->bias = m->lo - ez_object_vaddr_min(m->obj);
        if (m->obj)
            m = ez_module_again(t, m);
        m->is_program = exec_lo >= m0->lo && exec_lo < maps->map.at[last].hi;
        if (m->is_program && m->obj)
            ez_run_name(t, m);
        if (m->is_program && t->inf.module.n) { /* move the program to the front */
            EZ_PUSH(&t->inf.module, t->inf.module.at[0]);
            t->inf.module.at[0] = m;
        } else {
            EZ_PUSH(&t->inf.module, m);
        }
    }
    m->hi = maps->map.at[last].hi;
    m->seen = true;
    return NULL;
}

static void modules_forget_unseen(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n;) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->seen) {
            i++;
            continue;
        }
        struct ez_event ev = { .kind = EZ_EV_LIB_UNLOADED, .text = ez_strdup(m->path) };
        ez_post(t, ev);
        t->inf.ifunc.known = false;
        ez_module_gone(t, m);
        memmove(&t->inf.module.at[i], &t->inf.module.at[i + 1],
                (--t->inf.module.n - i) * sizeof *t->inf.module.at);
    }
}

ez_err *ez_modules_refresh(struct ez_target *t)
{
    struct ez_maps maps;
    ez_err *e = NULL;
    EZ_TRY(ez_maps_of(t, &maps));
    ez_objects_changed(t);
    /* The program is the module that contains the program headers (AT_PHDR), which distinguishes it
     * from the loader. */
    uint64_t phdr = ez_auxv_of(t, AT_PHDR);
    for (size_t i = 0; i < t->inf.module.n; i++)
        t->inf.module.at[i]->seen = t->inf.module.at[i]->fresh = false;
    for (size_t i = 0; !e && i < maps.map.n; i++) {
        const struct ez_map *m = &maps.map.at[i];
        bool vdso = !strcmp(m->name, "[vdso]"), exec;
        struct layout l;
        if ((m->name[0] != '/' || m->offset || ez_map_is_ours(m)) && !vdso)
            continue;
        if (!modules_read_layout(t, m, &l) && !modules_known(t, m->name, m->lo))
            continue;
        size_t last = modules_end(&maps, i, &l, &exec);
        if (exec || vdso)
            e = modules_add(t, &maps, i, last, phdr);
        i = last;
    }
    if (!e)
        modules_forget_unseen(t);
    ez_maps_free(&maps);
    return e;
}

struct ez_module *ez_module_at(struct ez_target *t, uint64_t addr)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (addr >= t->inf.module.at[i]->lo && addr < t->inf.module.at[i]->hi)
            return t->inf.module.at[i];
    return NULL;
}

struct ez_module *ez_module_program(const struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->is_program)
            return t->inf.module.at[i];
    return NULL;
}

const char *ez_program_name(const struct ez_target *t)
{
    const struct ez_module *m = ez_module_program(t);
    return m ? m->path : NULL;
}

struct ez_module *ez_module_loader(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->obj && !t->inf.module.at[i]->is_program &&
            ez_symbol_addr(t, t->inf.module.at[i], "_dl_debug_state"))
            return t->inf.module.at[i];
    return NULL;
}

static ez_err *modules_foreign(const struct ez_target *t, const struct ez_object *obj,
                               const char *path)
{
    if (ez_object_machine(obj) == t->inf.arch->elf.machine)
        return NULL;
    return ez_err_new(EZ_E_FORMAT, 0,
                      "%s is a %d-bit program for another processor; this eztsh supports only %s",
                      path, ez_object_is_64(obj) ? 64 : 32, t->inf.arch->name);
}

/* In a 32-bit process the auxiliary vector cannot be parsed, so no module is recognized as the
 * program, and /proc/PID/exe is checked. */
ez_err *ez_image_known(struct ez_target *t)
{
    struct ez_module *m = ez_module_program(t);
    struct ez_object *obj = NULL;
    char exe[64], path[4096];
    if (m && m->obj)
        return modules_foreign(t, m->obj, m->path);
    snprintf(exe, sizeof exe, "/proc/%d/exe", ez_live_tid(t));
    ssize_t n = readlink(exe, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    if (!ez_err_drop(ez_object_open(exe, path, &obj)))
        return NULL;
    ez_err *e = modules_foreign(t, obj, path);
    ez_object_close(obj);
    return e;
}

/* An open /proc/PID/mem belongs to the address space for which it was opened. An exec removes that
 * address space, so reading fails. */
bool ez_image_changed(struct ez_target *t)
{
    struct ez_module *m = ez_module_program(t);
    char c;
    return m && ez_mem_read_some(t, m->lo, &c, 1) != 1;
}

/* ---- addresses and symbols ---------------------------------------------------------------- */

static void modules_keep_first(const struct ez_sym *s, void *arg)
{
    const struct ez_sym **best = arg;
    if (!*best || (s->kind != EZ_SYM_PLT && (*best)->kind == EZ_SYM_PLT) ||
        (s->kind == (*best)->kind && !s->old && (*best)->old))
        *best = s;
}

uint64_t ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name)
{
    const struct ez_sym *s = NULL;
    (void)t;
    ez_object_find_name(m->obj, name, modules_keep_first, &s);
    return s && s->kind != EZ_SYM_PLT ? s->vaddr + m->bias : 0;
}

bool ez_module_profiled(struct ez_target *t, const struct ez_module *m)
{
    /* a symbol of gcrt1.o, which gcc -pg links */
    return m->is_program && m->obj && ez_symbol_addr(t, m, "__gmon_start__");
}

uint64_t ez_symbol_in_any(struct ez_target *t, const char *name)
{
    uint64_t at = 0;
    for (size_t i = 0; i < t->inf.module.n && !at; i++)
        at = t->inf.module.at[i]->obj ? ez_symbol_addr(t, t->inf.module.at[i], name) : 0;
    return at;
}

const struct ez_sym *ez_begins_at(struct ez_target *t, uint64_t addr)
{
    struct ez_module *m = ez_module_at(t, addr);
    const struct ez_sym *s = m && m->obj ? ez_object_find_addr(m->obj, addr - m->bias) : NULL;
    return s && s->vaddr == addr - m->bias ? s : NULL;
}

struct ez_module_info ez_module_info_of(const struct ez_module *m)
{
    return (struct ez_module_info){ m->obj, m->path, m->bias, m->lo, m->hi, m->is_program };
}

typedef const struct ez_sym *find_fn(const struct ez_object *o, uint64_t vaddr);

static const struct ez_sym *modules_symbolize(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                              struct ez_module_info *mod, find_fn *find)
{
    uint64_t bias = 0;
    struct ez_object *obj = t->inf.prog_obj;
    struct ez_module_info info = { obj, t->inf.program, 0, 0, 0, true };
    if (t->inf.state != EZ_NONE) {
        struct ez_module *m = ez_module_at(t, addr.v);
        if (!m && t->inf.state == EZ_STOPPED &&
            !t->inf.ops->loads_seen(t) && /* libraries may have been loaded unnoticed */
            ez_err_drop(ez_modules_refresh(t)))
            m = ez_module_at(t, addr.v);
        if (!m)
            return NULL;
        obj = m->obj;
        bias = m->bias;
        info = ez_module_info_of(m);
    }
    if (mod)
        *mod = info;
    const struct ez_sym *s = obj ? find(obj, addr.v - bias) : NULL;
    if (s && offset)
        *offset = addr.v - bias - s->vaddr;
    return s;
}

const struct ez_sym *ez_symbolize(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                  struct ez_module_info *mod)
{
    return modules_symbolize(t, addr, offset, mod, ez_object_find_addr);
}

const struct ez_sym *ez_symbolize_any(struct ez_target *t, ez_addr addr, uint64_t *offset,
                                      struct ez_module_info *mod)
{
    const struct ez_sym *s = modules_symbolize(t, addr, offset, mod, ez_object_find_addr);
    return s ? s : modules_symbolize(t, addr, offset, mod, ez_object_find_data);
}
