/* SPDX-License-Identifier: MIT */
/* range.h - recognizes callers by their addresses: code of libc, of the loader and of malloc.
 *
 * libc and the loader also call replaced functions; such calls are not calls by the program. The
 * ranges are found when the module is loaded, on a thread that may call the loader. Until then no
 * function is replaced. */
#ifndef RANGE_H
#define RANGE_H

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

struct range {
    uintptr_t lo, hi;
};

static inline int range_has(const struct range *r, const void *at)
{
    return (uintptr_t)at - r->lo < r->hi - r->lo;
}

/* Return address of the calling replacement. */
#define RANGE_CALLER __builtin_return_address(0)

struct range_wanted {
    uintptr_t at;
    struct range found;
};

static inline int range_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct range_wanted *w = (struct range_wanted *)arg;
    struct range r = { UINTPTR_MAX, 0 };
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        uintptr_t lo = info->dlpi_addr + p->p_vaddr, hi = lo + p->p_memsz;
        r.lo = lo < r.lo ? lo : r.lo;
        r.hi = hi > r.hi ? hi : r.hi;
    }
    (void)size;
    if (!range_has(&r, (void *)w->at))
        return 0;
    w->found = r;
    return 1;
}

/* Returns the range of the loaded file that contains an address; an empty range if none does. */
static inline struct range range_around(uintptr_t at)
{
    struct range_wanted w = { at, { 0, 0 } };
    dl_iterate_phdr(range_object, &w);
    return w.found;
}

/* Returns the range of addresses from the first to the last of these functions of libc. Functions
 * of other libraries with the same names do not count. */
static inline struct range range_of_libc(const char *const *name, size_t n)
{
    struct range r = { UINTPTR_MAX, 0 };
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    for (size_t i = 0; libc && i < n; i++) {
        uintptr_t at = (uintptr_t)dlsym(libc, name[i]);
        r.lo = at && at < r.lo ? at : r.lo;
        r.hi = at > r.hi ? at : r.hi;
    }
    return r.lo < r.hi ? r : (struct range){ 0, 0 };
}

#endif
