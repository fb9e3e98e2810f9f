/* SPDX-License-Identifier: MIT */
/* openmp_probes.h - code for both kinds of OpenMP libraries, for openmp.tpl.
 *
 * REGION. The compiler makes a function of a region's body, and the library calls it in each thread
 * with the same argument. The module passes its own function and a box instead. The box is on the
 * stack of the thread that encounters the region, like the compiler's argument: the region ends
 * only when the last body has ended. So begin and end of each thread's part are exact.
 *
 * INSIDE. The library's functions call each other, differently in each version. The outermost one
 * is what the program requested: a flag of the thread says that the library runs. When the library
 * calls the body of a region or task, the flag is cleared, because the body belongs to the program.
 *
 * STATE OF A THREAD. It is valid while the module stays loaded. If the module was unloaded and
 * loaded again, no state that began before the unload is ended. ezt_rt.loading differs after each
 * load. */
#ifndef OPENMP_PROBES_H
#define OPENMP_PROBES_H

#include <ezt_probe.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "range.h"

enum {
    OPENMP_POP = 1000,
    OPENMP_REGION,
    OPENMP_WORKING,
    OPENMP_IMBALANCE,
    OPENMP_BARRIER,
    OPENMP_HELD,
    OPENMP_GIVEN,
    OPENMP_BLOCKED,
    OPENMP_BLOCKED_LOCK,
    OPENMP_BUSY,
    OPENMP_SINGLE,
    OPENMP_SINGLE_MET,
    OPENMP_ORDERED,
    OPENMP_TURN,
    OPENMP_TASKS,
    OPENMP_TASK,
    OPENMP_CREATED,
    OPENMP_CHUNK,
    OPENMP_SECTION
};
EZT_EVENT(1000, "pop", "thread", "")
EZT_EVENT(1001, "push", "thread", "Parallel region")
EZT_EVENT(1002, "push", "thread", "Working")
EZT_EVENT(1003, "var-set", "thread", "Imbalance")
EZT_EVENT(1004, "push", "thread", "Waiting at a barrier")
EZT_EVENT(1005, "push", "thread", "Critical Section")
EZT_EVENT(1006, "pop", "thread", "") /* the lock that is released */
EZT_EVENT(1007, "push", "thread", "Blocked on a critical section")
EZT_EVENT(1008, "push", "thread", "Blocked on a lock")
EZT_EVENT(1009, "event", "thread", "lock busy")
EZT_EVENT(1010, "push", "thread", "Single")
EZT_EVENT(1011, "event", "thread", "single")
EZT_EVENT(1012, "push", "thread", "Ordered")
EZT_EVENT(1013, "push", "thread", "Waiting for the turn")
EZT_EVENT(1014, "push", "thread", "Waiting for tasks")
EZT_EVENT(1015, "push", "thread", "Task")
EZT_EVENT(1016, "event", "thread", "task created")
EZT_EVENT(1017, "event", "thread", "loop chunk")
EZT_EVENT(1018, "event", "thread", "section")
EZT_WORDS(1001, "@region:code")
EZT_WORDS(1002, "@region:code")
EZT_WORDS(1003, "value:double @region:code")
EZT_WORDS(1004, "@at:code")
EZT_WORDS(1005, "@lock:data")
EZT_WORDS(1006, "@lock:data")
EZT_WORDS(1007, "@lock:data")
EZT_WORDS(1008, "@lock:data")
EZT_WORDS(1009, "@lock:data")
EZT_WORDS(1010, "@at:code")
EZT_WORDS(1011, "@at:code")
EZT_WORDS(1012, "@at:code")
EZT_WORDS(1013, "@at:code")
EZT_WORDS(1014, "@at:code")
EZT_WORDS(1015, "@task:code")
EZT_WORDS(1016, "@task:code")
EZT_WORDS(1017, "first:int end:int")
EZT_WORDS(1018, "number:uint")

/* The return address of a replacement, where the program continues. If a body ends with the call
 * of the replacement, the compiler makes that call a jump. In this case the return address is in
 * the module's function, and the place is the body. */
#define OPENMP_CALLER openmp_place((uint64_t)RANGE_CALLER)

struct openmp_thread {
    uint32_t loading;
    uint16_t inside, forwarded;
    uint16_t held, single, ordered, undeferred; /* how many of each the thread has open */
    uint64_t code;                              /* the body that is running */
    /* Regions of one thread, one bit each, below the highest 1 bit: 1 = the region is recorded. */
    uint64_t serial;
};
static struct range openmp_own;
static __thread struct openmp_thread openmp_of_thread __attribute__((tls_model("initial-exec")));

static inline struct openmp_thread *openmp_me(void)
{
    struct openmp_thread *t = &openmp_of_thread;
    if (t->loading != (uint32_t)ezt_rt.loading)
        *t = (struct openmp_thread){ .loading = (uint32_t)ezt_rt.loading, .serial = 1 };
    return t;
}

static inline int openmp_inside(void)
{
    return openmp_me()->inside;
}

__attribute__((constructor)) static void openmp_find(void)
{
    openmp_own = range_around((uintptr_t)openmp_find);
}

static inline uint64_t openmp_place(uint64_t caller)
{
    uint64_t code = openmp_me()->code;
    return code && range_has(&openmp_own, (void *)caller) ? code : caller;
}

/* Runs `f`, a call into the library, with `inside` set. */
#define OPENMP_IN(f)                                                                               \
    openmp_me()->inside = 1;                                                                       \
    f;                                                                                             \
    openmp_me()->inside = 0

/* State to restore when a body that the library called returns to the library. */
struct openmp_was {
    uint64_t code;
    uint16_t inside;
};
static inline struct openmp_was openmp_to_program(uint64_t code)
{
    struct openmp_thread *t = openmp_me();
    struct openmp_was was = { t->code, t->inside };
    t->code = code;
    t->inside = 0;
    return was;
}
static inline void openmp_to_library(struct openmp_was was)
{
    struct openmp_thread *t = openmp_me();
    t->code = was.code;
    t->inside = was.inside;
}

/* ---- regions ----------------------------------------------------------------------------------- */

/* A region while it runs. The GNU library reads the first word of an argument (a list of
 * reductions). */
struct openmp_region {
    void *first;
    void (*fn)(void *);
    void *data;
    uint64_t code;
    /* ns in the body: `sum` of all threads, `most` of one thread; bodies: number of threads that
     * ran the body */
    uint64_t sum, most, bodies;
};

static inline uint64_t openmp_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static inline void openmp_region_begin(uint64_t code)
{
    ezt_event1(OPENMP_REGION, code);
}

/* Returns the slowest thread's time relative to the mean: 1 if all took the same time. */
static inline double openmp_imbalance(const struct openmp_region *r)
{
    return r->sum ? (double)r->most * (double)r->bodies / (double)r->sum : 1;
}

static inline void openmp_region_end(const struct openmp_region *r)
{
    if (r->bodies)
        ezt_event2(OPENMP_IMBALANCE, ezt_double(openmp_imbalance(r)), r->code);
    ezt_event0(OPENMP_POP);
}

struct openmp_part { /* the part of a region that one thread executes */
    uint64_t begin;
    struct openmp_was was;
};

static inline struct openmp_part openmp_part_begin(const struct openmp_region *r)
{
    struct openmp_part p = { 0, openmp_to_program(r->code) };
    ezt_event1(OPENMP_WORKING, r->code);
    p.begin = openmp_now();
    return p;
}

static inline void openmp_part_end(struct openmp_region *r, const struct openmp_part *p)
{
    uint64_t took = openmp_now() - p->begin, most = __atomic_load_n(&r->most, __ATOMIC_RELAXED);
    ezt_event0(OPENMP_POP);
    __atomic_fetch_add(&r->sum, took, __ATOMIC_RELAXED);
    __atomic_fetch_add(&r->bodies, 1, __ATOMIC_RELAXED);
    while (took > most && !__atomic_compare_exchange_n(&r->most, &most, took, 1, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        ;
    openmp_to_library(p->was);
}

/* ---- critical sections and locks ------------------------------------------------------------------ */

/* The library has no function that only tries to enter a critical section. So the module counts the
 * threads that are in a section or try to enter: each but the first is blocked. The upper half of
 * `busy` is ezt_rt.loading, so that counts from before an unload are ignored. */
enum { OPENMP_NAMES = 256 };
struct openmp_name {
    const void *lock;
    uint64_t busy;
};
static struct openmp_name openmp_names[OPENMP_NAMES];

/* Returns the entry for a lock; NULL if all OPENMP_NAMES entries are in use. */
static inline struct openmp_name *openmp_name_of(const void *lock)
{
    unsigned from = (unsigned)((uintptr_t)lock >> 4 ^ (uintptr_t)lock >> 12);
    for (unsigned i = 0; i < OPENMP_NAMES; i++) {
        struct openmp_name *n = &openmp_names[(from + i) % OPENMP_NAMES];
        const void *has = __atomic_load_n(&n->lock, __ATOMIC_RELAXED);
        if (!has && __atomic_compare_exchange_n(&n->lock, &has, lock, 0, __ATOMIC_RELAXED,
                                                __ATOMIC_RELAXED))
            return n;
        if (has == lock)
            return n;
    }
    return NULL;
}

/* Adds `by` to the count of a section. Returns the old count. */
static inline uint32_t openmp_name_count(const void *lock, int by)
{
    struct openmp_name *n = openmp_name_of(lock);
    uint64_t loading = ezt_rt.loading << 32, was, next;
    uint32_t there;
    if (!n)
        return 0;
    was = __atomic_load_n(&n->busy, __ATOMIC_RELAXED);
    do {
        there = was >> 32 == loading >> 32 ? (uint32_t)was : 0;
        next = loading | (by < 0 && !there ? 0 : there + (uint32_t)by);
    } while (
        !__atomic_compare_exchange_n(&n->busy, &was, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return there;
}

static inline void openmp_got(const void *lock)
{
    ezt_event1(OPENMP_HELD, (uint64_t)lock);
    openmp_me()->held++;
}

/* Notes that this thread releases the lock. Returns 0 if no lock that it has was recorded. */
static inline int openmp_give(const void *lock)
{
    struct openmp_thread *t = openmp_me();
    if (!t->held)
        return 0;
    t->held--;
    ezt_event1(OPENMP_GIVEN, (uint64_t)lock);
    return 1;
}

/* Enters the critical section `lock`: runs `call` and records the wait. */
#define OPENMP_CRITICAL(lock, call)                                                                \
    uint32_t there = openmp_name_count(lock, 1);                                                   \
    if (there)                                                                                     \
        ezt_event1(OPENMP_BLOCKED, (uint64_t)(lock));                                              \
    OPENMP_IN(call);                                                                               \
    if (there)                                                                                     \
        ezt_event0(OPENMP_POP);                                                                    \
    openmp_got(lock)

static inline void openmp_leave(const void *lock)
{
    if (openmp_give(lock))
        openmp_name_count(lock, -1);
}

/* ---- other code for both libraries ----------------------------------------------------------- */

static inline void openmp_chunk(int64_t first, int64_t end)
{
    ezt_event2(OPENMP_CHUNK, (uint64_t)first, (uint64_t)end);
}

/* Runs `call`, which waits. During the call the thread has the state `state`. */
#define OPENMP_WAIT(state, call) OPENMP_WAIT_AT(state, OPENMP_CALLER, call)
#define OPENMP_WAIT_AT(state, place, call)                                                         \
    ezt_event1(state, place);                                                                      \
    OPENMP_IN(call);                                                                               \
    ezt_event0(OPENMP_POP)

/* Call it after the call that lets the thread enter. openmp_close() is its counterpart, before the
 * thread leaves. */
static inline void openmp_open(uint16_t *open, uint32_t state, uint64_t word)
{
    ezt_event1(state, word);
    ++*open;
}
static inline void openmp_close(uint16_t *open)
{
    if (!*open)
        return;
    --*open;
    ezt_event0(OPENMP_POP);
}

static inline struct openmp_was openmp_task_begin(uint64_t code)
{
    struct openmp_was was = openmp_to_program(code);
    ezt_event1(OPENMP_TASK, code);
    return was;
}
static inline void openmp_task_end(struct openmp_was was)
{
    ezt_event0(OPENMP_POP);
    openmp_to_library(was);
}

#endif
