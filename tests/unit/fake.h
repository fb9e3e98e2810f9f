/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake.h - for Check programs that ask one file of the engine what it makes of a process that does
 * not exist: its memory is `ram`, its libraries have the symbols and relocations that are
 * written here. The program is linked with --wrap for each function that is wrapped below.
 * Included by one file of a program. */
#ifndef TESTS_FAKE_H
#define TESTS_FAKE_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "engine/target.h"
#include "tests/unit/many.h"

#define RAM 0x100000ull /* where memory begins; nothing else can be read or written */
#define FAR_RAM (RAM + EZ_POOL_THUNKS + EZ_RETURN_THUNK_DIST)
static uint8_t ram[0x24000], far_ram[0x4000];
static unsigned writes, fail_write; /* the write of that number fails; 0 = none does */
static uint64_t wrote[32];          /* where the first writes went */

struct fake_reloc {
    uint64_t at, addend;
    uint32_t kind;
    const char *name;
    bool got;
};
struct fake_lib { /* its code is that of a struct ez_object for the engine */
    struct ez_module mod;
    struct ez_sym sym[16];
    size_t nsyms;
    struct fake_reloc reloc[64];
    size_t nrelocs;
    uint64_t plt_lo, plt_hi; /* vaddr */
    const char *interp;
    const uint8_t *file; /* what ez_object_read_text() gives, from vaddr 0 */
    size_t file_size;
};
static struct fake_lib lib[3];
static struct ez_target fake;

static struct fake_lib *lib_of(const struct ez_object *o)
{
    return (struct fake_lib *)(uintptr_t)(const void *)o;
}

static inline void fake_begin(void)
{
    memset(lib, 0, sizeof lib);
    memset(&fake, 0, sizeof fake);
    writes = fail_write = 0;
    fake.inf.arch = ez_arch_host();
    fake.inf.temp_bp_fd = -1;
}

static inline void fake_zeros(void)
{
    memset(ram, 0, sizeof ram);
    memset(far_ram, 0, sizeof far_ram);
}

/* Library i lies in [lo, hi). */
static inline void fake_lib(int i, uint64_t lo, uint64_t hi, uint64_t bias)
{
    lib[i].mod = (struct ez_module){
        .obj = (struct ez_object *)(void *)&lib[i], .lo = lo, .hi = hi, .bias = bias
    };
    EZ_PUSH(&fake.inf.module, &lib[i].mod);
}

static inline void fake_sym(int i, const char *name, uint8_t kind, uint64_t vaddr)
{
    lib[i].sym[lib[i].nsyms++] =
        (struct ez_sym){ .name = name, .vaddr = vaddr, .size = 16, .kind = kind };
}

/* Where the byte at `at` is kept, and how many follow it; *n 0 = there is no memory. */
static uint8_t *fake_ram(uint64_t at, size_t *n)
{
    bool far = at >= FAR_RAM;
    uint64_t off = at - (far ? FAR_RAM : RAM), size = far ? sizeof far_ram : sizeof ram;
    *n = off < size ? size - off : 0;
    return *n ? (far ? far_ram : ram) + off : ram;
}

static inline void poke64(uint64_t at, uint64_t v)
{
    memcpy(ram + (at - RAM), &v, sizeof v);
}

size_t __wrap_ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n);
size_t __wrap_ez_mem_read_some(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    (void)t;
    size_t there;
    const uint8_t *bytes = fake_ram(from, &there);
    n = EZ_MIN(n, there);
    memcpy(buf, bytes, n);
    return n;
}

ez_err *__wrap_ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n);
ez_err *__wrap_ez_mem_read(struct ez_target *t, uint64_t from, void *buf, size_t n)
{
    return __wrap_ez_mem_read_some(t, from, buf, n) == n ? NULL
                                                         : ez_err_new(EZ_E_SYS, 0, "no memory");
}

ez_err *__wrap_ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n,
                            const char *why);
ez_err *__wrap_ez_mem_write(struct ez_target *t, uint64_t to, const void *buf, size_t n,
                            const char *why)
{
    (void)t;
    if (++writes == fail_write)
        return ez_err_new(EZ_E_SYS, 0, "cannot %s", why);
    size_t there;
    uint8_t *bytes = fake_ram(to, &there);
    ck_assert_msg(n <= there, "%s: %zu bytes at 0x%lx", why, n, (unsigned long)to);
    memcpy(bytes, buf, n);
    if (writes <= EZ_ARRAY_LEN(wrote))
        wrote[writes - 1] = to;
    return NULL;
}

const struct ez_sym *__wrap_ez_object_syms(const struct ez_object *o, size_t *n);
const struct ez_sym *__wrap_ez_object_syms(const struct ez_object *o, size_t *n)
{
    *n = lib_of(o)->nsyms;
    return lib_of(o)->sym;
}

const struct ez_sym *__wrap_ez_object_find_addr(const struct ez_object *o, uint64_t vaddr);
const struct ez_sym *__wrap_ez_object_find_addr(const struct ez_object *o, uint64_t vaddr)
{
    for (size_t i = 0; i < lib_of(o)->nsyms; i++)
        if (vaddr - lib_of(o)->sym[i].vaddr < lib_of(o)->sym[i].size)
            return &lib_of(o)->sym[i];
    return NULL;
}

uint64_t __wrap_ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name);
uint64_t __wrap_ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name)
{
    (void)t;
    const struct fake_lib *l = lib_of(m->obj);
    for (size_t i = 0; i < l->nsyms; i++)
        if (!strcmp(l->sym[i].name, name))
            return l->sym[i].vaddr + m->bias;
    return 0;
}

void __wrap_ez_object_relocs(const struct ez_object *o, unsigned kinds,
                             void (*fn)(const struct ez_dynreloc *, void *), void *arg);
void __wrap_ez_object_relocs(const struct ez_object *o, unsigned kinds,
                             void (*fn)(const struct ez_dynreloc *, void *), void *arg)
{
    for (size_t i = 0; i < lib_of(o)->nrelocs; i++) {
        const struct fake_reloc *f = &lib_of(o)->reloc[i];
        if (f->kind & kinds)
            fn(
                &(struct ez_dynreloc){
                    .at = f->at, .addend = f->addend, .kind = f->kind, .symtab = f },
                arg);
    }
}

const char *__wrap_ez_dynreloc_name(const struct ez_dynreloc *r);
const char *__wrap_ez_dynreloc_name(const struct ez_dynreloc *r)
{
    return ((const struct fake_reloc *)r->symtab)->name;
}

bool __wrap_ez_dynreloc_in_got(const struct ez_dynreloc *r);
bool __wrap_ez_dynreloc_in_got(const struct ez_dynreloc *r)
{
    return ((const struct fake_reloc *)r->symtab)->got;
}

bool __wrap_ez_object_section(const struct ez_object *o, uint64_t vaddr, const char **name,
                              uint64_t *lo, uint64_t *hi);
bool __wrap_ez_object_section(const struct ez_object *o, uint64_t vaddr, const char **name,
                              uint64_t *lo, uint64_t *hi)
{
    const struct fake_lib *l = lib_of(o);
    bool plt = vaddr >= l->plt_lo && vaddr < l->plt_hi;
    const char *section = plt ? ".plt.sec" : ".text";
    if (name)
        *name = section;
    *lo = plt ? l->plt_lo : 0;
    *hi = plt ? l->plt_hi : l->mod.hi - l->mod.bias;
    return true;
}

size_t __wrap_ez_object_read_text(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n);
size_t __wrap_ez_object_read_text(const struct ez_object *o, uint64_t vaddr, void *buf, size_t n)
{
    const struct fake_lib *l = lib_of(o);
    n = vaddr >= l->file_size ? 0 : EZ_MIN(n, l->file_size - vaddr);
    if (n)
        memcpy(buf, l->file + vaddr, n);
    return n;
}

const char *__wrap_ez_object_interp(const struct ez_object *o);
const char *__wrap_ez_object_interp(const struct ez_object *o)
{
    return lib_of(o)->interp;
}

static inline void cannot(ez_err *e, const char *want)
{
    ck_assert_ptr_nonnull(e);
    ck_assert_str_eq(e->msg, want);
    ez_err_free(e);
}

#endif
