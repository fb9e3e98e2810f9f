/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base.h - the few types and macros that every layer shares.
 *
 * This header includes no other header of the project, so any layer may include it. `ez_addr` wraps
 * an address of the *target*: code can compute with it (.v) but cannot dereference it by
 * mistake. */
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

/* Returns text, or "" for NULL. */
static inline const char *ez_text(const char *text)
{
    return text ? text : "";
}

#define EZ_ARRAY_LEN(a) (sizeof(a) / sizeof(*(a)))
#define EZ_WUR __attribute__((warn_unused_result))
#define EZ_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define EZ_CLEANUP(fn) __attribute__((cleanup(fn)))
#define EZ_UNUSED __attribute__((unused))
/* EZ_ASSUME tells clang's analyser (`make analyze`) that a condition is true. */
#ifdef __clang_analyzer__
#define EZ_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())
#else
#define EZ_ASSUME(condition) ((void)0)
#endif

#define EZ_MIN(a, b) ((a) < (b) ? (a) : (b))
#define EZ_MAX(a, b) ((a) > (b) ? (a) : (b))
/* Returns the nearest rank of a share (0 to 1, both included) of n > 0 values: the position of the
 * quantile among the sorted values, counted from 1. The factor compensates rounding: 0.99 * 100 may
 * be computed as more than 99. */
static inline uint64_t ez_rank(double share, uint64_t n)
{
    double place = share * (double)n * (1 - 1e-12);
    return place >= (double)n - 1 ? n : place > 0 ? (uint64_t)place + 1 : 1;
}
/* bytes; the page size is EZ_PAGE or a multiple of EZ_PAGE, see ez_page() */
#define EZ_PAGE 4096ull
#define EZ_HUGE (2ull << 20)
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
/* declares a local variable that is freed at the end of its scope */
#define EZ_FREE EZ_CLEANUP(ez_free_p)
/* declares a local descriptor that is closed at the end of its scope */
#define EZ_CLOSE EZ_CLEANUP(ez_close_p)

/* Returns the kernel's page size in bytes: mappings begin and end at multiples of it. Each boundary
 * between pages is also a multiple of EZ_PAGE. So a write that crosses no multiple of EZ_PAGE
 * crosses no boundary between pages. */
static inline uint64_t ez_page(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The functions below that allocate memory cannot fail. If there is no memory left, they end the
 * shell, and the target continues to run (doc/INTERNALS.md). No caller could handle such an error
 * better. */
void ez_heap_prepare(void); /* call once, early: makes later allocations faster */
void *ez_alloc(size_t n);   /* zeroed */
/* Returns zeroed pages that use memory only when they are touched, for large objects that stay
 * mostly empty. */
void *ez_alloc_sparse(size_t n);
void ez_free_sparse(void *p, size_t n);
_Noreturn void ez_out_of_memory(void);
/* Sorts as qsort() does. An array that is sorted already, which is the usual case, takes n - 1
 * comparisons. */
void ez_sort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *ez_realloc(void *p, size_t n);
char *ez_strdup(const char *s);
char *ez_strndup(const char *s, size_t n);              /* copies at most n bytes */
char *ez_sprintf(const char *fmt, ...) EZ_PRINTF(1, 2); /* caller frees */

#endif
