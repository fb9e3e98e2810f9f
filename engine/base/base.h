/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base.h - the few words every layer shares.
 *
 * Invariant: includes no header of this project, so that any layer may include it.
 * `ez_addr` wraps an address of the *target*: it can be computed with (.v) but
 * not dereferenced by mistake. */
#ifndef EZ_BASE_H
#define EZ_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    uint64_t v; /* an address in the target; never an address of the shell */
} ez_addr;

static inline ez_addr ez_addr_of(uint64_t v)
{
    return (ez_addr){ v };
}

/* The text, or an empty one for NULL. */
static inline const char *ez_text(const char *text)
{
    return text ? text : "";
}

#define EZ_ARRAY_LEN(a) (sizeof(a) / sizeof(*(a)))
#define EZ_WUR __attribute__((warn_unused_result))
#define EZ_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define EZ_CLEANUP(fn) __attribute__((cleanup(fn)))
#define EZ_UNUSED __attribute__((unused))

#define EZ_MIN(a, b) ((a) < (b) ? (a) : (b))
#define EZ_MAX(a, b) ((a) > (b) ? (a) : (b))
/* The nearest rank of a share (0 to 1) of n values: the quantile is the value at this place, counted from 1, when they are
 * sorted. All quantiles are defined so. n > 0. The factor makes up for rounding: 0.99 * 100 may come out above 99. */
static inline uint64_t ez_rank(double share, uint64_t n)
{
    double place = share * (double)n * (1 - 1e-12);
    return place >= (double)n - 1 ? n : place > 0 ? (uint64_t)place + 1 : 1;
}
#define EZ_PAGE 4096ull      /* bytes: pages are this long, or a multiple; see ez_page() */
#define EZ_HUGE (2ull << 20) /* a huge page */
#define EZ_ROUND_UP(x, n) (((uint64_t)(x) + (n)-1) / (n) * (n))

static inline void ez_free_p(void *p)
{
    free(*(void **)p);
}
static inline void ez_close_p(int *fd)
{
    if (*fd >= 0)
        close(*fd);
}
#define EZ_FREE EZ_CLEANUP(ez_free_p)   /* a local that free()s itself      */
#define EZ_CLOSE EZ_CLEANUP(ez_close_p) /* a local fd that close()s itself  */

/* Bytes of a page of this machine's kernel: mappings begin and end at multiples. Where two
 * things must only not share a page, EZ_PAGE serves as well. */
static inline uint64_t ez_page(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Allocation that cannot fail: out of memory in the shell ends the shell (the
 * target runs on, see doc/INTERNALS.md); no caller could do better. */
void ez_heap_prepare(void); /* to be called once, early: makes later allocation faster */
void *ez_alloc(size_t n);   /* zeroed */
/* Zeroed pages that take memory only when they are touched: for large objects that stay mostly
 * empty. */
void *ez_alloc_sparse(size_t n);
void ez_free_sparse(void *p, size_t n);
_Noreturn void ez_out_of_memory(void);
/* As qsort(); an array that is in order already, as most are, takes n steps. */
void ez_sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *ez_realloc(void *p, size_t n);
char *ez_strdup(const char *s);
char *ez_sprintf(const char *fmt, ...) EZ_PRINTF(1, 2); /* caller frees */

#endif
