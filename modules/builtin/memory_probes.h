/* SPDX-License-Identifier: MIT */
/* memory_probes.h - the allocator's functions, for memory.tpl.
 *
 * The size of a block is its number of usable bytes (malloc_usable_size), because free() can
 * determine this number, too. The size comes from the allocator that made the block: all functions
 * of one library are replaced together, with that library's malloc_usable_size.
 *
 * An allocator calls its own functions, and mmap: only the outermost call counts. The thread's word
 * memory_inside needs no memory (initial-exec TLS), because its first use may be in the thread's
 * first malloc.
 *
 * Order: the event "release" of a block is recorded before the block is freed, "hold" after it was
 * allocated. So the "hold" of the block's next owner comes later, on any thread.
 *
 * CALLER. The address of the allocator's caller; for libstdc++'s operator new, which calls malloc,
 * the caller of operator new. */
#ifndef MEMORY_PROBES_H
#define MEMORY_PROBES_H

#include <ezt_probe.h>
#include <stddef.h>

#include "range.h"

#define MEMORY_PAGE ((size_t)4096)

enum {
    MEMORY_HOLD = 1000,
    MEMORY_RELEASE,
    MEMORY_MALLOC,
    MEMORY_CALLOC,
    MEMORY_REALLOC,
    MEMORY_ALIGNED,
    MEMORY_FREE
};
EZT_EVENT(1000, "hold", "process", "Memory used")
EZT_WORDS(1000, "block:hex bytes:uint @caller:code")
EZT_EVENT(1001, "release", "process", "Memory used")
EZT_WORDS(1001, "block:hex")
EZT_EVENT(1002, "event", "thread", "malloc") /* argument: the requested bytes */
EZT_WORDS(1002, "block:hex bytes:uint @caller:code")
EZT_EVENT(1003, "event", "thread", "calloc")
EZT_WORDS(1003, "block:hex bytes:uint @caller:code")
EZT_EVENT(1004, "event", "thread", "realloc")
EZT_WORDS(1004, "block:hex bytes:uint @caller:code old:hex")
EZT_EVENT(1005, "event", "thread", "aligned allocation")
EZT_WORDS(1005, "block:hex bytes:uint @caller:code")
EZT_EVENT(1006, "event", "thread", "free")
EZT_WORDS(1006, "block:hex")

static __thread const void *memory_caller __attribute__((tls_model("initial-exec")));
static __thread int memory_inside __attribute__((tls_model("initial-exec")));

/* Code of libc's allocator. When a thread ends, this code frees cached blocks by free(): the
 * program freed these blocks already. */
static struct range memory_allocator;

__attribute__((constructor)) static void memory_find(void)
{
    static const char *const name[] = { "malloc",   "free",   "calloc",         "realloc",
                                        "memalign", "valloc", "posix_memalign", "malloc_info" };
    memory_allocator = range_of_libc(name, sizeof name / sizeof *name);
}

static inline void memory_hold(void *p, size_t size, const void *caller)
{
    if (p)
        ezt_event3(MEMORY_HOLD, (uint64_t)p, size, (uint64_t)caller);
}
static inline void memory_release(void *p)
{
    if (p)
        ezt_event1(MEMORY_RELEASE, (uint64_t)p);
}

static inline void memory_got(uint32_t event, void *p, size_t requested, size_t size,
                              const void *caller)
{
    if (memory_caller)
        caller = memory_caller;
    ezt_event3(event, (uint64_t)p, requested, (uint64_t)caller);
    memory_hold(p, size, caller);
}

/* Records the result of realloc. The release of `old` was recorded before the call. */
static inline void memory_again(void *p, size_t n, void *old, size_t was, size_t size,
                                const void *caller)
{
    if (memory_caller)
        caller = memory_caller;
    ezt_event4(MEMORY_REALLOC, (uint64_t)p, n, (uint64_t)caller, (uint64_t)old);
    if (p)
        memory_hold(p, size, caller);
    else if (n) /* realloc() failed, so the old block still exists. */
        memory_hold(old, was, caller);
}

/* Runs `f`, a call of the original. */
#define MEMORY_IN(f)                                                                               \
    memory_inside = 1;                                                                             \
    f;                                                                                             \
    memory_inside = 0

/* Replaces the functions of one library; `a` is a prefix for their names. */
#define MEMORY_ALLOCATOR(lib, a)                                                                   \
    EZT_REPLACE(lib ":malloc_usable_size", a##_replace_size, a##_size)                             \
    EZT_ORIG size_t (*a##_size)(void *);                                                           \
    EZT_EXPORT size_t a##_replace_size(void *p)                                                    \
    {                                                                                              \
        return a##_size(p);                                                                        \
    }                                                                                              \
    static inline size_t a##_bytes(void *p)                                                        \
    {                                                                                              \
        return p && a##_size ? a##_size(p) : 0;                                                    \
    }                                                                                              \
                                                                                                   \
    EZT_REPLACE(lib ":malloc", a##_replace_malloc, a##_malloc)                                     \
    EZT_ORIG void *(*a##_malloc)(size_t);                                                          \
    EZT_EXPORT void *a##_replace_malloc(size_t n)                                                  \
    {                                                                                              \
        if (memory_inside)                                                                         \
            return a##_malloc(n);                                                                  \
        MEMORY_IN(void *p = a##_malloc(n));                                                        \
        memory_got(MEMORY_MALLOC, p, n, a##_bytes(p), RANGE_CALLER);                               \
        return p;                                                                                  \
    }                                                                                              \
                                                                                                   \
    EZT_REPLACE(lib ":calloc", a##_replace_calloc, a##_calloc)                                     \
    EZT_ORIG void *(*a##_calloc)(size_t, size_t);                                                  \
    EZT_EXPORT void *a##_replace_calloc(size_t n, size_t each)                                     \
    {                                                                                              \
        if (memory_inside)                                                                         \
            return a##_calloc(n, each);                                                            \
        MEMORY_IN(void *p = a##_calloc(n, each));                                                  \
        memory_got(MEMORY_CALLOC, p, n *each, a##_bytes(p), RANGE_CALLER);                         \
        return p;                                                                                  \
    }                                                                                              \
                                                                                                   \
    /* If realloc(p, 0) returns NULL, it has freed p. With any other size, realloc() has not freed
     * p. */ \
    EZT_REPLACE(lib ":realloc", a##_replace_realloc, a##_realloc)                                  \
    EZT_ORIG void *(*a##_realloc)(void *, size_t);                                                 \
    EZT_EXPORT void *a##_replace_realloc(void *old, size_t n)                                      \
    {                                                                                              \
        if (memory_inside)                                                                         \
            return a##_realloc(old, n);                                                            \
        size_t was = a##_bytes(old);                                                               \
        memory_release(old);                                                                       \
        MEMORY_IN(void *p = a##_realloc(old, n));                                                  \
        memory_again(p, n, old, was, a##_bytes(p), RANGE_CALLER);                                  \
        return p;                                                                                  \
    }                                                                                              \
                                                                                                   \
    EZT_REPLACE(lib ":free", a##_replace_free, a##_free)                                           \
    EZT_ORIG void (*a##_free)(void *);                                                             \
    EZT_EXPORT void a##_replace_free(void *p)                                                      \
    {                                                                                              \
        if (memory_inside || range_has(&memory_allocator, RANGE_CALLER)) {                         \
            a##_free(p);                                                                           \
            return;                                                                                \
        }                                                                                          \
        if (p) {                                                                                   \
            ezt_event1(MEMORY_FREE, (uint64_t)p);                                                  \
            memory_release(p);                                                                     \
        }                                                                                          \
        MEMORY_IN(a##_free(p));                                                                    \
    }                                                                                              \
                                                                                                   \
    EZT_REPLACE(lib ":posix_memalign", a##_replace_posix_memalign, a##_posix_memalign)             \
    EZT_ORIG int (*a##_posix_memalign)(void **, size_t, size_t);                                   \
    EZT_EXPORT int a##_replace_posix_memalign(void **p, size_t align, size_t n)                    \
    {                                                                                              \
        if (memory_inside)                                                                         \
            return a##_posix_memalign(p, align, n);                                                \
        MEMORY_IN(int r = a##_posix_memalign(p, align, n));                                        \
        memory_got(MEMORY_ALIGNED, r ? NULL : *p, n, r ? 0 : a##_bytes(*p), RANGE_CALLER);         \
        return r;                                                                                  \
    }                                                                                              \
                                                                                                   \
    MEMORY_ALIGNED_AS(lib, a, aligned_alloc)                                                       \
    MEMORY_ALIGNED_AS(lib, a, memalign)                                                            \
    MEMORY_PAGED_AS(lib, a, valloc)                                                                \
    MEMORY_PAGED_AS(lib, a, pvalloc)

#define MEMORY_ALIGNED_AS(lib, a, f)                                                               \
    EZT_REPLACE(lib ":" #f, a##_replace_##f, a##_##f)                                              \
    EZT_ORIG void *(*a##_##f)(size_t, size_t);                                                     \
    EZT_EXPORT void *a##_replace_##f(size_t align, size_t n)                                       \
    {                                                                                              \
        if (memory_inside)                                                                         \
            return a##_##f(align, n);                                                              \
        MEMORY_IN(void *p = a##_##f(align, n));                                                    \
        memory_got(MEMORY_ALIGNED, p, n, a##_bytes(p), RANGE_CALLER);                              \
        return p;                                                                                  \
    }

#define MEMORY_PAGED_AS(lib, a, f)                                                                 \
    EZT_REPLACE(lib ":" #f, a##_replace_##f, a##_##f)                                              \
    EZT_ORIG void *(*a##_##f)(size_t);                                                             \
    EZT_EXPORT void *a##_replace_##f(size_t n)                                                     \
    {                                                                                              \
        if (memory_inside)                                                                         \
            return a##_##f(n);                                                                     \
        MEMORY_IN(void *p = a##_##f(n));                                                           \
        memory_got(MEMORY_ALIGNED, p, n, a##_bytes(p), RANGE_CALLER);                              \
        return p;                                                                                  \
    }

MEMORY_ALLOCATOR("libc.so.6", libc)
MEMORY_ALLOCATOR("libjemalloc.so.2", jemalloc)

/* ---- jemalloc: its operator new does not call malloc, but some delete call free -------------- */

static inline void memory_out(int *was)
{
    memory_inside = *was;
}
#define MEMORY_JEMALLOC(type, f, params)                                                           \
    EZT_REPLACE("libjemalloc.so.2:" #f, jemalloc_replace_##f, jemalloc_##f)                        \
    EZT_ORIG type(*jemalloc_##f) params;                                                           \
    EZT_EXPORT type jemalloc_replace_##f params

/* memory_out() resets memory_inside if `new` throws. */
#define MEMORY_NEW(f, params, args, event)                                                         \
    MEMORY_JEMALLOC(void *, f, params)                                                             \
    {                                                                                              \
        __attribute__((cleanup(memory_out))) int was = memory_inside;                              \
        memory_inside = 1;                                                                         \
        void *p = jemalloc_##f args;                                                               \
        if (!was)                                                                                  \
            memory_got(event, p, n, jemalloc_bytes(p), RANGE_CALLER);                              \
        return p;                                                                                  \
    }
#define MEMORY_DELETE(f, params, args)                                                             \
    MEMORY_JEMALLOC(void, f, params)                                                               \
    {                                                                                              \
        __attribute__((cleanup(memory_out))) int was = memory_inside;                              \
        if (p && !was) {                                                                           \
            ezt_event1(MEMORY_FREE, (uint64_t)p);                                                  \
            memory_release(p);                                                                     \
        }                                                                                          \
        memory_inside = 1;                                                                         \
        jemalloc_##f args;                                                                         \
    }

MEMORY_NEW(_Znwm, (size_t n), (n), MEMORY_MALLOC)
MEMORY_NEW(_Znam, (size_t n), (n), MEMORY_MALLOC)
MEMORY_NEW(_ZnwmRKSt9nothrow_t, (size_t n, const void *nothrow), (n, nothrow), MEMORY_MALLOC)
MEMORY_NEW(_ZnamRKSt9nothrow_t, (size_t n, const void *nothrow), (n, nothrow), MEMORY_MALLOC)
MEMORY_NEW(mallocx, (size_t n, int flags), (n, flags), MEMORY_MALLOC)
MEMORY_DELETE(_ZdlPvm, (void *p, size_t n), (p, n))
MEMORY_DELETE(_ZdaPvm, (void *p, size_t n), (p, n))
MEMORY_DELETE(sdallocx, (void *p, size_t n, int flags), (p, n, flags))
MEMORY_DELETE(dallocx, (void *p, int flags), (p, flags))

MEMORY_JEMALLOC(void *, rallocx, (void *old, size_t n, int flags))
{
    if (memory_inside)
        return jemalloc_rallocx(old, n, flags);
    size_t was = jemalloc_bytes(old);
    memory_release(old);
    MEMORY_IN(void *p = jemalloc_rallocx(old, n, flags));
    memory_again(p, n, old, was, jemalloc_bytes(p), RANGE_CALLER);
    return p;
}

/* ---- libstdc++'s operator new calls malloc: the event's caller is the caller of new ---------- */

static inline void memory_called(const void **was)
{
    memory_caller = *was;
}
#define MEMORY_CPP(f, params, args)                                                                \
    EZT_REPLACE("libstdc++.so.6:" #f, stdcpp_replace_##f, stdcpp_##f)                              \
    EZT_ORIG void *(*stdcpp_##f)params;                                                            \
    EZT_EXPORT void *stdcpp_replace_##f params                                                     \
    {                                                                                              \
        __attribute__((cleanup(memory_called))) const void *was = memory_caller;                   \
        if (!was)                                                                                  \
            memory_caller = RANGE_CALLER;                                                          \
        return stdcpp_##f args;                                                                    \
    }

MEMORY_CPP(_Znwm, (size_t n), (n))
MEMORY_CPP(_Znam, (size_t n), (n))
MEMORY_CPP(_ZnwmRKSt9nothrow_t, (size_t n, const void *nothrow), (n, nothrow))
MEMORY_CPP(_ZnamRKSt9nothrow_t, (size_t n, const void *nothrow), (n, nothrow))
MEMORY_CPP(_ZnwmSt11align_val_t, (size_t n, size_t align), (n, align))
MEMORY_CPP(_ZnamSt11align_val_t, (size_t n, size_t align), (n, align))

#endif
