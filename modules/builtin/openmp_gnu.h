/* SPDX-License-Identifier: MIT */
/* openmp_gnu.h - functions that programs of gcc and gfortran call, for openmp.tpl.
 *
 * This file is included twice: for the GNU library, and for LLVM's library, which has the same
 * functions. In the GNU library some functions have two names (GOMP_loop_dynamic_start is also
 * GOMP_loop_nonmonotonic_dynamic_start): then the older name is replaced. A name that the library
 * does not have is not replaced. */
#ifndef OPENMP_GNU_LIBRARY
#define OPENMP_GNU_LIBRARY "libgomp.so.1"
#define OPENMP_GNU(name) gnu_##name
#define OPENMP_GNU_FIRST
#endif

#include "openmp_task.h"

#ifndef OPENMP_GNU_MACROS
#define OPENMP_GNU_MACROS

#define GNU_REPLACE(type, f, params)                                                               \
    EZT_REPLACE(OPENMP_GNU_LIBRARY ":" #f, OPENMP_GNU(replace_##f), OPENMP_GNU(f))                 \
    EZT_ORIG type(*OPENMP_GNU(f)) params;                                                          \
    EZT_EXPORT type OPENMP_GNU(replace_##f) params

#define GNU_REGION(f, params, args, plain_args, first)                                             \
    GNU_REPLACE(void, f, params)                                                                   \
    {                                                                                              \
        if (openmp_inside()) {                                                                     \
            OPENMP_GNU(f) plain_args;                                                              \
            return;                                                                                \
        }                                                                                          \
        struct openmp_region r = openmp_region_of(fn, data, first);                                \
        openmp_region_begin(r.code);                                                               \
        OPENMP_IN(OPENMP_GNU(f) args);                                                             \
        openmp_region_end(&r);                                                                     \
    }

#define GNU_WAIT(f, params, args, state)                                                           \
    GNU_REPLACE(void, f, params)                                                                   \
    {                                                                                              \
        if (openmp_inside()) {                                                                     \
            OPENMP_GNU(f) args;                                                                    \
            return;                                                                                \
        }                                                                                          \
        OPENMP_WAIT(state, OPENMP_GNU(f) args);                                                    \
    }
#define GNU_WAIT_CANCEL(f)                                                                         \
    GNU_REPLACE(bool, f, (void))                                                                   \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return OPENMP_GNU(f)();                                                                \
        OPENMP_WAIT(OPENMP_BARRIER, bool r = OPENMP_GNU(f)());                                     \
        return r;                                                                                  \
    }

/* Replaces f, which assigns a range of iterations to this thread. If f returns false, no
 * iterations are left, and *first and *end are invalid. */
#define GNU_CHUNK(f, params, args)                                                                 \
    GNU_REPLACE(bool, f, params)                                                                   \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return OPENMP_GNU(f) args;                                                             \
        OPENMP_IN(bool r = OPENMP_GNU(f) args);                                                    \
        if (r && first && end)                                                                     \
            openmp_chunk((int64_t)*first, (int64_t)*end);                                          \
        return r;                                                                                  \
    }
#define GNU_LOOP(kind)                                                                             \
    GNU_CHUNK(GOMP_loop_##kind##_start,                                                            \
              (long from, long to, long by, long chunk, long *first, long *end),                   \
              (from, to, by, chunk, first, end))                                                   \
    GNU_CHUNK(GOMP_loop_##kind##_next, (long *first, long *end), (first, end))
#define GNU_LOOP_RUNTIME(kind)                                                                     \
    GNU_CHUNK(GOMP_loop_##kind##_start, (long from, long to, long by, long *first, long *end),     \
              (from, to, by, first, end))                                                          \
    GNU_CHUNK(GOMP_loop_##kind##_next, (long *first, long *end), (first, end))

typedef unsigned long long openmp_ull;
#define GNU_ULL(kind)                                                                              \
    GNU_CHUNK(GOMP_loop_ull_##kind##_start,                                                        \
              (bool up, openmp_ull from, openmp_ull to, openmp_ull by, openmp_ull chunk,           \
               openmp_ull *first, openmp_ull *end),                                                \
              (up, from, to, by, chunk, first, end))                                               \
    GNU_CHUNK(GOMP_loop_ull_##kind##_next, (openmp_ull * first, openmp_ull * end), (first, end))
#define GNU_ULL_RUNTIME(kind)                                                                      \
    GNU_CHUNK(GOMP_loop_ull_##kind##_start,                                                        \
              (bool up, openmp_ull from, openmp_ull to, openmp_ull by, openmp_ull *first,          \
               openmp_ull *end),                                                                   \
              (up, from, to, by, first, end))                                                      \
    GNU_CHUNK(GOMP_loop_ull_##kind##_next, (openmp_ull * first, openmp_ull * end), (first, end))

#define GNU_PARALLEL_LOOP(kind)                                                                    \
    GNU_REGION(GOMP_parallel_loop_##kind,                                                          \
               (void (*fn)(void *), void *data, unsigned n, long from, long to, long by,           \
                long chunk, unsigned flags),                                                       \
               (openmp_task_region, &r, n, from, to, by, chunk, flags),                            \
               (fn, data, n, from, to, by, chunk, flags), NULL)
#define GNU_PARALLEL_RUNTIME(kind)                                                                 \
    GNU_REGION(                                                                                    \
        GOMP_parallel_loop_##kind,                                                                 \
        (void (*fn)(void *), void *data, unsigned n, long from, long to, long by, unsigned flags), \
        (openmp_task_region, &r, n, from, to, by, flags), (fn, data, n, from, to, by, flags),      \
        NULL)

#define GNU_SECTION(f, params, args)                                                               \
    GNU_REPLACE(unsigned, f, params)                                                               \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return OPENMP_GNU(f) args;                                                             \
        OPENMP_IN(unsigned r = OPENMP_GNU(f) args);                                                \
        if (r)                                                                                     \
            ezt_event1(OPENMP_SECTION, r);                                                         \
        return r;                                                                                  \
    }

#define GNU_TRY(f, type)                                                                           \
    GNU_REPLACE(int, f, (type * lock))                                                             \
    {                                                                                              \
        if (openmp_inside())                                                                       \
            return OPENMP_GNU(f)(lock);                                                            \
        OPENMP_IN(int r = OPENMP_GNU(f)(lock));                                                    \
        if (r)                                                                                     \
            openmp_got(lock);                                                                      \
        else                                                                                       \
            ezt_event1(OPENMP_BUSY, (uint64_t)lock);                                               \
        return r;                                                                                  \
    }
#define GNU_LOCK(f, type, try)                                                                     \
    GNU_REPLACE(void, f, (type * lock))                                                            \
    {                                                                                              \
        if (openmp_inside()) {                                                                     \
            OPENMP_GNU(f)(lock);                                                                   \
            return;                                                                                \
        }                                                                                          \
        OPENMP_IN(int got = OPENMP_GNU(try) && OPENMP_GNU(try)(lock));                             \
        if (!got) {                                                                                \
            ezt_event1(OPENMP_BLOCKED_LOCK, (uint64_t)lock);                                       \
            OPENMP_IN(OPENMP_GNU(f)(lock));                                                        \
            ezt_event0(OPENMP_POP);                                                                \
        }                                                                                          \
        openmp_got(lock);                                                                          \
    }
#define GNU_UNLOCK(f, type)                                                                        \
    GNU_REPLACE(void, f, (type * lock))                                                            \
    {                                                                                              \
        if (!openmp_inside())                                                                      \
            openmp_give(lock);                                                                     \
        OPENMP_GNU(f)(lock);                                                                       \
    }
#endif

/* ---- regions ------------------------------------------------------------------------------------- */

GNU_REGION(GOMP_parallel, (void (*fn)(void *), void *data, unsigned n, unsigned flags),
           (openmp_task_region, &r, n, flags), (fn, data, n, flags), NULL)
GNU_REGION(GOMP_parallel_sections,
           (void (*fn)(void *), void *data, unsigned n, unsigned count, unsigned flags),
           (openmp_task_region, &r, n, count, flags), (fn, data, n, count, flags), NULL)
GNU_PARALLEL_LOOP(static)
GNU_PARALLEL_LOOP(dynamic)
GNU_PARALLEL_LOOP(guided)
GNU_PARALLEL_RUNTIME(runtime)

GNU_REPLACE(unsigned, GOMP_parallel_reductions,
            (void (*fn)(void *), void *data, unsigned n, unsigned flags))
{
    if (openmp_inside())
        return OPENMP_GNU(GOMP_parallel_reductions)(fn, data, n, flags);
    struct openmp_region r = openmp_region_of(fn, data, *(void **)data);
    openmp_region_begin(r.code);
    OPENMP_IN(unsigned got =
                  OPENMP_GNU(GOMP_parallel_reductions)(openmp_task_region, &r, n, flags));
    openmp_region_end(&r);
    return got;
}

/* ---- loops and sections ---------------------------------------------------------------------------- */

GNU_LOOP(static)
GNU_LOOP(dynamic)
GNU_LOOP(guided)
GNU_LOOP_RUNTIME(runtime)
GNU_LOOP(ordered_static)
GNU_LOOP(ordered_dynamic)
GNU_LOOP(ordered_guided)
GNU_LOOP_RUNTIME(ordered_runtime)
GNU_ULL(static)
GNU_ULL(dynamic)
GNU_ULL(guided)
GNU_ULL_RUNTIME(runtime)
GNU_ULL(ordered_static)
GNU_ULL(ordered_dynamic)
GNU_ULL(ordered_guided)
GNU_ULL_RUNTIME(ordered_runtime)
#ifndef OPENMP_GNU_FIRST
GNU_PARALLEL_LOOP(nonmonotonic_dynamic)
GNU_PARALLEL_LOOP(nonmonotonic_guided)
GNU_PARALLEL_RUNTIME(nonmonotonic_runtime)
GNU_PARALLEL_RUNTIME(maybe_nonmonotonic_runtime)
GNU_LOOP(nonmonotonic_dynamic)
GNU_LOOP(nonmonotonic_guided)
GNU_LOOP_RUNTIME(nonmonotonic_runtime)
GNU_LOOP_RUNTIME(maybe_nonmonotonic_runtime)
GNU_ULL(nonmonotonic_dynamic)
GNU_ULL(nonmonotonic_guided)
GNU_ULL_RUNTIME(nonmonotonic_runtime)
GNU_ULL_RUNTIME(maybe_nonmonotonic_runtime)
#endif
#define GNU_LOOP5(f, up_, type, up)                                                                \
    GNU_CHUNK(f,                                                                                   \
              (up_ type from, type to, type by, long kind, type chunk, type *first, type *end,     \
               uintptr_t *reductions, void **room),                                                \
              (up from, to, by, kind, chunk, first, end, reductions, room))
#define GNU_NONE
#define GNU_UP_ bool up,
#define GNU_UP up,
GNU_LOOP5(GOMP_loop_start, GNU_NONE, long, GNU_NONE)
GNU_LOOP5(GOMP_loop_ordered_start, GNU_NONE, long, GNU_NONE)
GNU_LOOP5(GOMP_loop_ull_start, GNU_UP_, openmp_ull, GNU_UP)
GNU_LOOP5(GOMP_loop_ull_ordered_start, GNU_UP_, openmp_ull, GNU_UP)

#define GNU_DOACROSS(kind, type)                                                                   \
    GNU_CHUNK(GOMP_loop_##kind##_start,                                                            \
              (unsigned n, type *counts, type chunk, type *first, type *end),                      \
              (n, counts, chunk, first, end))
#define GNU_DOACROSS_RUNTIME(kind, type)                                                           \
    GNU_CHUNK(GOMP_loop_##kind##_start, (unsigned n, type *counts, type *first, type *end),        \
              (n, counts, first, end))
#define GNU_DOACROSS5(kind, type)                                                                  \
    GNU_CHUNK(GOMP_loop_##kind##_start,                                                            \
              (unsigned n, type *counts, long how, type chunk, type *first, type *end,             \
               uintptr_t *reductions, void **room),                                                \
              (n, counts, how, chunk, first, end, reductions, room))
GNU_DOACROSS(doacross_static, long)
GNU_DOACROSS(doacross_dynamic, long)
GNU_DOACROSS(doacross_guided, long)
GNU_DOACROSS_RUNTIME(doacross_runtime, long)
GNU_DOACROSS5(doacross, long)
GNU_DOACROSS(ull_doacross_static, openmp_ull)
GNU_DOACROSS(ull_doacross_dynamic, openmp_ull)
GNU_DOACROSS(ull_doacross_guided, openmp_ull)
GNU_DOACROSS_RUNTIME(ull_doacross_runtime, openmp_ull)
GNU_DOACROSS5(ull_doacross, openmp_ull)

GNU_SECTION(GOMP_sections_start, (unsigned count), (count))
GNU_SECTION(GOMP_sections2_start, (unsigned count, uintptr_t *reductions, void **room),
            (count, reductions, room))
GNU_SECTION(GOMP_sections_next, (void), ())

GNU_WAIT(GOMP_barrier, (void), (), OPENMP_BARRIER)
GNU_WAIT(GOMP_loop_end, (void), (), OPENMP_BARRIER)
GNU_WAIT(GOMP_sections_end, (void), (), OPENMP_BARRIER)
GNU_WAIT_CANCEL(GOMP_barrier_cancel)
GNU_WAIT_CANCEL(GOMP_loop_end_cancel)
GNU_WAIT_CANCEL(GOMP_sections_end_cancel)

/* ---- single, ordered, critical ------------------------------------------------------------------------ */

/* Nothing marks the end of a single construct, unless it has copyprivate. */
GNU_REPLACE(bool, GOMP_single_start, (void))
{
    bool r = OPENMP_GNU(GOMP_single_start)();
    if (r && !openmp_inside())
        ezt_event1(OPENMP_SINGLE_MET, OPENMP_CALLER);
    return r;
}

/* If the result is NULL, this thread executes the construct. All other threads wait in this call
 * until the construct has been executed. */
GNU_REPLACE(void *, GOMP_single_copy_start, (void))
{
    if (openmp_inside())
        return OPENMP_GNU(GOMP_single_copy_start)();
    OPENMP_WAIT(OPENMP_BARRIER, void *r = OPENMP_GNU(GOMP_single_copy_start)());
    if (!r) {
        ezt_event1(OPENMP_SINGLE_MET, OPENMP_CALLER);
        openmp_open(&openmp_me()->single, OPENMP_SINGLE, OPENMP_CALLER);
    }
    return r;
}
GNU_REPLACE(void, GOMP_single_copy_end, (void *data))
{
    if (openmp_inside()) {
        OPENMP_GNU(GOMP_single_copy_end)(data);
        return;
    }
    openmp_close(&openmp_me()->single);
    OPENMP_WAIT(OPENMP_BARRIER, OPENMP_GNU(GOMP_single_copy_end)(data));
}

/* The place of the events is the body, not the caller: the caller may be a trampoline, if the
 * caller's registers must be kept (rt_keep.S). */
GNU_REPLACE(void, GOMP_ordered_start, (void))
{
    if (openmp_inside()) {
        OPENMP_GNU(GOMP_ordered_start)();
        return;
    }
    uint64_t body = openmp_me()->code;
    OPENMP_WAIT_AT(OPENMP_TURN, body, OPENMP_GNU(GOMP_ordered_start)());
    openmp_open(&openmp_me()->ordered, OPENMP_ORDERED, body);
}
GNU_REPLACE(void, GOMP_ordered_end, (void))
{
    if (!openmp_inside())
        openmp_close(&openmp_me()->ordered);
    OPENMP_GNU(GOMP_ordered_end)();
}

/* A critical section without a name is identified by the address of the module's pointer to the
 * original. */
GNU_REPLACE(void, GOMP_critical_start, (void))
{
    if (openmp_inside()) {
        OPENMP_GNU(GOMP_critical_start)();
        return;
    }
    OPENMP_CRITICAL(&OPENMP_GNU(GOMP_critical_start), OPENMP_GNU(GOMP_critical_start)());
}
GNU_REPLACE(void, GOMP_critical_end, (void))
{
    if (!openmp_inside())
        openmp_leave(&OPENMP_GNU(GOMP_critical_start));
    OPENMP_GNU(GOMP_critical_end)();
}
GNU_REPLACE(void, GOMP_critical_name_start, (void **name))
{
    if (openmp_inside()) {
        OPENMP_GNU(GOMP_critical_name_start)(name);
        return;
    }
    OPENMP_CRITICAL(name, OPENMP_GNU(GOMP_critical_name_start)(name));
}
GNU_REPLACE(void, GOMP_critical_name_end, (void **name))
{
    if (!openmp_inside())
        openmp_leave(name);
    OPENMP_GNU(GOMP_critical_name_end)(name);
}

GNU_TRY(omp_test_lock, void)
GNU_LOCK(omp_set_lock, void, omp_test_lock)
GNU_UNLOCK(omp_unset_lock, void)
GNU_TRY(omp_test_nest_lock, void)
GNU_LOCK(omp_set_nest_lock, void, omp_test_nest_lock)
GNU_UNLOCK(omp_unset_nest_lock, void)

/* ---- tasks -------------------------------------------------------------------------------------------- */

GNU_WAIT(GOMP_taskwait, (void), (), OPENMP_TASKS)
GNU_WAIT(GOMP_taskwait_depend, (void **depend), (depend), OPENMP_TASKS)
GNU_WAIT(GOMP_taskgroup_end, (void), (), OPENMP_TASKS)

/* The library writes into the argument of a detachable task. So such a task is passed on
 * unchanged, and its body is not recorded. */
GNU_REPLACE(void, GOMP_task,
            (void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
             bool if_, unsigned flags, void **depend, int priority, void *detach))
{
    int inside = openmp_inside();
    if (!inside)
        ezt_event1(OPENMP_CREATED, (uint64_t)fn);
    if (inside || flags & OPENMP_FLAG_DETACH || size > OPENMP_ARGUMENT_MOST) {
        OPENMP_GNU(GOMP_task)(fn, data, copy, size, align, if_, flags, depend, priority, detach);
        return;
    }
    struct openmp_task t = openmp_task_head(fn, data, copy, &size, &align);
    OPENMP_IN(OPENMP_GNU(GOMP_task)(openmp_task_body, &t, openmp_task_copy, size, align, if_, flags,
                                    depend, priority, detach));
}

/* A taskloop without "nogroup" waits for its tasks. LLVM's library itself copies the argument, so
 * no head can be put before the argument. */
#ifdef OPENMP_GNU_FIRST
#define GNU_COPIES(size) ((size) <= OPENMP_ARGUMENT_MOST)
#else
#define GNU_COPIES(size) ((size) < 0)
#endif
#define GNU_TASKLOOP(f, type)                                                                      \
    GNU_REPLACE(void, f,                                                                           \
                (void (*fn)(void *), void *data, void (*copy)(void *, void *), long size,          \
                 long align, unsigned flags, unsigned long tasks, int priority, type from,         \
                 type to, type by))                                                                \
    {                                                                                              \
        int inside = openmp_inside(), waits = !inside && !(flags & OPENMP_FLAG_NOGROUP);           \
        struct openmp_task t;                                                                      \
        if (waits)                                                                                 \
            ezt_event1(OPENMP_TASKS, OPENMP_CALLER);                                               \
        if (!inside && GNU_COPIES(size)) {                                                         \
            t = openmp_task_head(fn, data, copy, &size, &align);                                   \
            t.reductions = flags & OPENMP_FLAG_REDUCTION ? ((void **)data)[2] : NULL;              \
            fn = openmp_task_part;                                                                 \
            data = &t;                                                                             \
            copy = openmp_task_copy;                                                               \
        }                                                                                          \
        openmp_me()->inside = 1;                                                                   \
        OPENMP_GNU(f)(fn, data, copy, size, align, flags, tasks, priority, from, to, by);          \
        openmp_me()->inside = (uint16_t)inside;                                                    \
        if (waits)                                                                                 \
            ezt_event0(OPENMP_POP);                                                                \
    }
GNU_TASKLOOP(GOMP_taskloop, long)
GNU_TASKLOOP(GOMP_taskloop_ull, openmp_ull)

#undef OPENMP_GNU_LIBRARY
#undef OPENMP_GNU
#undef OPENMP_GNU_FIRST
#undef GNU_LOOP5
#undef GNU_DOACROSS
#undef GNU_DOACROSS_RUNTIME
#undef GNU_DOACROSS5
#undef GNU_NONE
#undef GNU_UP_
#undef GNU_UP
#undef GNU_TASKLOOP
#undef GNU_COPIES
