/* SPDX-License-Identifier: MIT */
/* openmp_llvm.h - functions that programs of clang, flang and Intel's compilers call, for
 * openmp.tpl.
 *
 * A region's body has as many arguments as the compiler chose. They are packed, and the library
 * calls a function of the module with only the pack. This function calls the body with room for
 * more arguments than it has, which is harmless in the C calling conventions that eztsh knows.
 *
 * A task's body is a word in a block of memory that the library allocates. The module makes the
 * library allocate one word more, after the compiler's part and before the shared variables, to
 * which the block has a pointer. An untied task puts itself back where another task may run, and
 * goes on with its next part. */
#ifndef OPENMP_LLVM_H
#define OPENMP_LLVM_H

#include <stdarg.h>

#include "openmp_probes.h"

static struct range openmp_llvm_library; /* code of the library; empty if the program loads it
                                          * later, by dlopen */

__attribute__((constructor)) static void openmp_llvm_find(void)
{
    uintptr_t at = (uintptr_t)dlsym(RTLD_DEFAULT, "__kmpc_fork_call");
    if (at)
        openmp_llvm_library = range_around(at);
}

#define LLVM_REPLACE(type, f, params)                                                              \
    EZT_REPLACE(#f, replace_##f, orig_##f)                                                         \
    EZT_ORIG type(*orig_##f) params;                                                               \
    EZT_EXPORT type replace_##f params

/* ---- regions --------------------------------------------------------------------------------------- */

enum { OPENMP_PACK = 256 };
typedef void openmp_micro(int32_t *, int32_t *, ...);
struct openmp_pack {
    struct openmp_region r;
    openmp_micro *fn;
    int32_t n;
    void *word[OPENMP_PACK]; /* words of the argument; only the words that the body needs are set */
};

#define LLVM_1(i) , a[i]
#define LLVM_4(i) LLVM_1(i) LLVM_1(i + 1) LLVM_1(i + 2) LLVM_1(i + 3)
#define LLVM_16(i) LLVM_4(i) LLVM_4(i + 4) LLVM_4(i + 8) LLVM_4(i + 12)
#define LLVM_64(i) LLVM_16(i) LLVM_16(i + 16) LLVM_16(i + 32) LLVM_16(i + 48)
#define LLVM_256(i) LLVM_64(i) LLVM_64(i + 64) LLVM_64(i + 128) LLVM_64(i + 192)

/* Returns how many words a call of a body with n arguments passes. */
static inline int32_t openmp_llvm_room(int32_t n)
{
    return n <= 4 ? 4 : n <= 16 ? 16 : n <= 64 ? 64 : OPENMP_PACK;
}

static void openmp_llvm_body(int32_t *thread, int32_t *bound, struct openmp_pack *p)
{
    struct openmp_part part = openmp_part_begin(&p->r);
    void **a = p->word;
    switch (openmp_llvm_room(p->n)) {
    case 4:
        p->fn(thread, bound LLVM_4(0));
        break;
    case 16:
        p->fn(thread, bound LLVM_16(0));
        break;
    case 64:
        p->fn(thread, bound LLVM_64(0));
        break;
    default:
        p->fn(thread, bound LLVM_256(0));
        break;
    }
    openmp_part_end(&p->r, &part);
}

EZT_REPLACE("__kmpc_fork_call", replace___kmpc_fork_call, orig___kmpc_fork_call)
EZT_ORIG void (*orig___kmpc_fork_call)(void *, int32_t, openmp_micro *, ...);

/* Forwards a region whose body has too many arguments: the threads of the region are not recorded,
 * but the body receives all arguments. */
#ifdef __clang__
#define LLVM_FORWARD(loc, n, fn, list)                                                             \
    void *a[1024];                                                                                 \
    if (n > 1024)                                                                                  \
        __builtin_trap(); /* a module that gcc compiled has no such limit */                       \
    for (int32_t i = 0; i < 1024; i++)                                                             \
        a[i] = i < n ? va_arg(list, void *) : NULL;                                                \
    orig___kmpc_fork_call(loc, n, fn LLVM_256(0) LLVM_256(256) LLVM_256(512) LLVM_256(768))
#else
#define LLVM_FORWARD(loc, n, fn, list)                                                             \
    __builtin_apply((void (*)())orig___kmpc_fork_call, __builtin_apply_args(), 8 * ((size_t)n + 3))
#endif

static inline void openmp_llvm_pack(struct openmp_pack *p, openmp_micro *fn, int32_t n,
                                    va_list list)
{
    p->r = (struct openmp_region){ NULL, NULL, NULL, (uint64_t)fn, 0, 0, 0 };
    p->fn = fn;
    p->n = n;
    for (int32_t i = 0; i < openmp_llvm_room(n); i++)
        p->word[i] = i < n ? va_arg(list, void *) : NULL;
}

EZT_EXPORT void replace___kmpc_fork_call(void *loc, int32_t n, openmp_micro *fn, ...)
{
    struct openmp_was was = openmp_to_program(openmp_me()->code);
    va_list list;
    va_start(list, fn);
    openmp_region_begin((uint64_t)fn);
    if (n > OPENMP_PACK) {
        openmp_me()->forwarded++;
        LLVM_FORWARD(loc, n, fn, list);
        openmp_me()->forwarded--;
        ezt_event0(OPENMP_POP);
    } else {
        struct openmp_pack p;
        openmp_llvm_pack(&p, fn, n, list);
        OPENMP_IN(orig___kmpc_fork_call(loc, 1, (openmp_micro *)openmp_llvm_body, &p));
        openmp_region_end(&p.r);
    }
    va_end(list);
    openmp_to_library(was);
}

/* With if(0) the compiler itself calls the body between these two functions. If the region gets a
 * single thread, the library also calls these functions around a body that the module passed on.
 * That thread has its state already. */
LLVM_REPLACE(void, __kmpc_serialized_parallel, (void *loc, int32_t thread))
{
    orig___kmpc_serialized_parallel(loc, thread);
    struct openmp_thread *t = openmp_me();
    if (t->inside)
        return;
    int shown = !t->forwarded || !range_has(&openmp_llvm_library, RANGE_CALLER);
    t->serial = t->serial << 1 | (uint64_t)shown;
    if (shown) {
        openmp_region_begin(OPENMP_CALLER);
        ezt_event1(OPENMP_WORKING, OPENMP_CALLER);
    }
}
LLVM_REPLACE(void, __kmpc_end_serialized_parallel, (void *loc, int32_t thread))
{
    struct openmp_thread *t = openmp_me();
    if (!t->inside && t->serial > 1) {
        if (t->serial & 1) {
            ezt_event0(OPENMP_POP);
            ezt_event0(OPENMP_POP);
        }
        t->serial >>= 1;
    }
    orig___kmpc_end_serialized_parallel(loc, thread);
}

/* ---- waiting ------------------------------------------------------------------------------------------ */

#define LLVM_WAIT(type, f, params, args, state)                                                    \
    LLVM_REPLACE(type, f, params)                                                                  \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return orig_##f args;                                                                  \
        OPENMP_WAIT(state, type r = orig_##f args);                                                \
        return r;                                                                                  \
    }
/* Replaces f, which returns nothing. outermost: code for a call that the program makes, not the
 * library. */
#define LLVM_VOID(f, params, args, outermost)                                                      \
    LLVM_REPLACE(void, f, params)                                                                  \
    {                                                                                              \
        if (openmp_inside()) {                                                                     \
            orig_##f args;                                                                         \
            return;                                                                                \
        }                                                                                          \
        outermost;                                                                                 \
    }
#define LLVM_WAITS(f, params, args, state)                                                         \
    LLVM_VOID(f, params, args, OPENMP_WAIT(state, orig_##f args))

LLVM_WAITS(__kmpc_barrier, (void *loc, int32_t thread), (loc, thread), OPENMP_BARRIER)
LLVM_WAIT(int32_t, __kmpc_cancel_barrier, (void *loc, int32_t thread), (loc, thread),
          OPENMP_BARRIER)
LLVM_WAITS(__kmpc_copyprivate,
           (void *loc, int32_t thread, size_t size, void *data, void (*copy)(void *, void *),
            int32_t did),
           (loc, thread, size, data, copy, did), OPENMP_BARRIER)
LLVM_WAIT(int32_t, __kmpc_omp_taskwait, (void *loc, int32_t thread), (loc, thread), OPENMP_TASKS)
LLVM_WAITS(__kmpc_end_taskgroup, (void *loc, int32_t thread), (loc, thread), OPENMP_TASKS)
LLVM_WAITS(__kmpc_omp_wait_deps,
           (void *loc, int32_t thread, int32_t n, void *dep, int32_t more, void *without),
           (loc, thread, n, dep, more, without), OPENMP_TASKS)

/* ---- critical, single, ordered --------------------------------------------------------------------------- */

#define LLVM_CRITICAL(f, params, args)                                                             \
    LLVM_VOID(f, params, args, OPENMP_CRITICAL(name, orig_##f args))
LLVM_CRITICAL(__kmpc_critical, (void *loc, int32_t thread, void *name), (loc, thread, name))
LLVM_CRITICAL(__kmpc_critical_with_hint, (void *loc, int32_t thread, void *name, uint32_t hint),
              (loc, thread, name, hint))
LLVM_REPLACE(void, __kmpc_end_critical, (void *loc, int32_t thread, void *name))
{
    if (!openmp_inside())
        openmp_leave(name);
    orig___kmpc_end_critical(loc, thread, name);
}

LLVM_REPLACE(int32_t, __kmpc_single, (void *loc, int32_t thread))
{
    int32_t r = orig___kmpc_single(loc, thread);
    if (!r || openmp_inside())
        return r;
    ezt_event1(OPENMP_SINGLE_MET, OPENMP_CALLER);
    openmp_open(&openmp_me()->single, OPENMP_SINGLE, OPENMP_CALLER);
    return r;
}
LLVM_REPLACE(void, __kmpc_end_single, (void *loc, int32_t thread))
{
    if (!openmp_inside())
        openmp_close(&openmp_me()->single);
    orig___kmpc_end_single(loc, thread);
}

LLVM_REPLACE(void, __kmpc_ordered, (void *loc, int32_t thread))
{
    if (openmp_inside()) {
        orig___kmpc_ordered(loc, thread);
        return;
    }
    OPENMP_WAIT(OPENMP_TURN, orig___kmpc_ordered(loc, thread));
    openmp_open(&openmp_me()->ordered, OPENMP_ORDERED, OPENMP_CALLER);
}
LLVM_REPLACE(void, __kmpc_end_ordered, (void *loc, int32_t thread))
{
    if (!openmp_inside())
        openmp_close(&openmp_me()->ordered);
    orig___kmpc_end_ordered(loc, thread);
}

/* ---- loops ------------------------------------------------------------------------------------------------ */

#define LLVM_CHUNK(f, type, step)                                                                  \
    LLVM_REPLACE(int32_t, f,                                                                       \
                 (void *loc, int32_t thread, int32_t *last, type *first, type *end, step *by))     \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return orig_##f(loc, thread, last, first, end, by);                                    \
        OPENMP_IN(int32_t r = orig_##f(loc, thread, last, first, end, by));                        \
        if (r)                                                                                     \
            openmp_chunk((int64_t)*first, (int64_t)*end);                                          \
        return r;                                                                                  \
    }
LLVM_CHUNK(__kmpc_dispatch_next_4, int32_t, int32_t)
LLVM_CHUNK(__kmpc_dispatch_next_4u, uint32_t, int32_t)
LLVM_CHUNK(__kmpc_dispatch_next_8, int64_t, int64_t)
LLVM_CHUNK(__kmpc_dispatch_next_8u, uint64_t, int64_t)

/* ---- tasks ------------------------------------------------------------------------------------------------- */

typedef int32_t openmp_entry(int32_t, void *);
struct openmp_llvm_task { /* a task, as compilers lay it out */
    /* points to the shared variables; the module's word is directly before them */
    openmp_entry **shared;
    openmp_entry *entry;
    int32_t part; /* for an untied task: index of the part that runs next */
};

static int32_t openmp_llvm_entry(int32_t thread, void *p)
{
    struct openmp_llvm_task *t = (struct openmp_llvm_task *)p;
    openmp_entry *entry = t->shared[-1];
    struct openmp_was was = openmp_task_begin((uint64_t)entry);
    int32_t r = entry(thread, p);
    openmp_task_end(was);
    return r;
}

/* For a block that was made before the module was loaded, only the entry is known. */
static inline uint64_t openmp_llvm_code(const struct openmp_llvm_task *t)
{
    return (uint64_t)(t->entry == openmp_llvm_entry ? t->shared[-1] : t->entry);
}

LLVM_REPLACE(void *, __kmpc_omp_task_alloc,
             (void *loc, int32_t thread, int32_t flags, size_t size, size_t shared,
              openmp_entry *entry))
{
    if (openmp_inside())
        return orig___kmpc_omp_task_alloc(loc, thread, flags, size, shared, entry);
    struct openmp_llvm_task *t = (struct openmp_llvm_task *)orig___kmpc_omp_task_alloc(
        loc, thread, flags, (size + 7) / 8 * 8 + 8, shared ? shared : 8, openmp_llvm_entry);
    t->shared[-1] = entry;
    return t;
}

#define LLVM_TASK(f, params, args)                                                                 \
    LLVM_REPLACE(int32_t, f, params)                                                               \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return orig_##f args;                                                                  \
        const struct openmp_llvm_task *t = (const struct openmp_llvm_task *)task;                  \
        if (!t->part)                                                                              \
            ezt_event1(OPENMP_CREATED, openmp_llvm_code(t));                                       \
        OPENMP_IN(int32_t r = orig_##f args);                                                      \
        return r;                                                                                  \
    }
LLVM_TASK(__kmpc_omp_task, (void *loc, int32_t thread, void *task), (loc, thread, task))
LLVM_TASK(__kmpc_omp_task_with_deps,
          (void *loc, int32_t thread, void *task, int32_t n, void *dep, int32_t more,
           void *without),
          (loc, thread, task, n, dep, more, without))

/* With if(0) the compiler itself calls the body, between these two functions. */
LLVM_REPLACE(void, __kmpc_omp_task_begin_if0, (void *loc, int32_t thread, void *task))
{
    if (openmp_inside()) {
        orig___kmpc_omp_task_begin_if0(loc, thread, task);
        return;
    }
    uint64_t code = openmp_llvm_code((const struct openmp_llvm_task *)task);
    ezt_event1(OPENMP_CREATED, code);
    OPENMP_IN(orig___kmpc_omp_task_begin_if0(loc, thread, task));
    openmp_open(&openmp_me()->undeferred, OPENMP_TASK, code);
}
LLVM_REPLACE(void, __kmpc_omp_task_complete_if0, (void *loc, int32_t thread, void *task))
{
    if (openmp_inside()) {
        orig___kmpc_omp_task_complete_if0(loc, thread, task);
        return;
    }
    openmp_close(&openmp_me()->undeferred);
    OPENMP_IN(orig___kmpc_omp_task_complete_if0(loc, thread, task));
}

#endif
