/* SPDX-License-Identifier: MIT */
/* pthread_probes.h - the functions of pthread.tpl whose events name a lock.
 *
 * BLOCKED. A replacement first tries the lock, by the original function that does not wait. If
 * another thread has the lock, "Blocked on ..." begins, and the usual function waits. So the state
 * shows only calls that did wait, or would have, and the order of the threads does not change. Some
 * arguments (a time, a clock) are checked by the usual function before it looks at the lock: if
 * they are invalid, the lock is not tried.
 *
 * HELD. "Critical Section" begins after the call that got the lock and ends before the call that
 * releases it, so two threads that have a lock in turn never overlap. A thread counts the locks
 * that it was seen to acquire: if it has none of these, a release ends no state.
 *
 * Calls by the C library and the loader (exit, stdio, dlopen) are not the program's, and are not
 * recorded. */
#ifndef PTHREAD_PROBES_H
#define PTHREAD_PROBES_H

#include <errno.h>
#include <ezt_probe.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "range.h"

enum {
    PT_POP = 1000,
    PT_HELD,
    PT_GIVEN,
    PT_MUTEX,
    PT_SPIN,
    PT_READ,
    PT_WRITE,
    PT_COND,
    PT_BARRIER,
    PT_SEM,
    PT_BUSY,
    PT_SIGNAL,
    PT_BROADCAST,
    PT_CONSUMED,
    PT_POSTED,
    PT_CREATED,
    PT_LINK,
    PT_LINKED,
    PT_UNLINKED,
    PT_ENDED,
    PT_NAMED
};
EZT_EVENT(1000, "pop", "thread", "")
EZT_EVENT(1001, "push", "thread", "Critical Section")
EZT_WORDS(1001, "@lock:data")
EZT_EVENT(1002, "pop", "thread", "") /* the lock that is released */
EZT_WORDS(1002, "@lock:data")
EZT_EVENT(1003, "push", "thread", "Blocked on a mutex")
EZT_WORDS(1003, "@lock:data")
EZT_EVENT(1004, "push", "thread", "Blocked on a spin lock")
EZT_WORDS(1004, "@lock:data")
EZT_EVENT(1005, "push", "thread", "Blocked on a read lock")
EZT_WORDS(1005, "@lock:data")
EZT_EVENT(1006, "push", "thread", "Blocked on a write lock")
EZT_WORDS(1006, "@lock:data")
EZT_EVENT(1007, "push", "thread", "Waiting for a condition")
EZT_WORDS(1007, "@condition:data mutex:data")
EZT_EVENT(1008, "push", "thread", "Waiting at a barrier")
EZT_WORDS(1008, "@barrier:data")
EZT_EVENT(1009, "push", "thread", "Blocked on a semaphore")
EZT_WORDS(1009, "@semaphore:data")
EZT_EVENT(1010, "event", "thread", "lock busy")
EZT_WORDS(1010, "@lock:data")
EZT_EVENT(1011, "event", "thread", "condition signalled")
EZT_WORDS(1011, "@condition:data")
EZT_EVENT(1012, "event", "thread", "condition broadcast")
EZT_WORDS(1012, "@condition:data")
EZT_EVENT(1013, "event", "thread", "semaphore taken")
EZT_WORDS(1013, "@semaphore:data")
EZT_EVENT(1014, "event", "thread", "semaphore posted")
EZT_WORDS(1014, "@semaphore:data")
EZT_EVENT(1015, "event", "thread", "thread created")
EZT_WORDS(1015, "@function:code argument:hex")
EZT_EVENT(1016, "link-start", "thread", "creation")
EZT_EVENT(1017, "link-end", "thread", "creation")
EZT_EVENT(1018, "event", "thread", "thread without a link")
EZT_EVENT(1019, "event", "thread", "thread ended")
EZT_EVENT(1020, "event", "thread", "thread named")
EZT_WORDS(1020, "thread:hex name:text")

static struct range pthread_libc, pthread_loader;
/* number of recorded locks that the thread has, and ezt_rt.loading when it was counted */
static __thread unsigned pthread_held __attribute__((tls_model("initial-exec")));
static __thread uint64_t pthread_loading __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void pthread_find(void)
{
    pthread_libc = range_around((uintptr_t)getauxval); /* a program has no getauxval of its own */
    pthread_loader = range_around(getauxval(AT_BASE));
}

static inline int pthread_of_program(const void *caller)
{
    return !range_has(&pthread_libc, caller) && !range_has(&pthread_loader, caller);
}
#define PT_PROGRAM pthread_of_program(RANGE_CALLER)

/* Locks that were recorded before another shell connected the module may be released already. */
static inline void pthread_counts(void)
{
    if (pthread_loading == ezt_rt.loading)
        return;
    pthread_loading = ezt_rt.loading;
    pthread_held = 0;
}

static inline void pthread_got(const volatile void *lock)
{
    pthread_counts();
    ezt_event1(PT_HELD, (uint64_t)lock);
    pthread_held++;
}

/* Notes that this thread releases the lock. Returns 0 if no lock that it has was recorded. */
static inline int pthread_give(const volatile void *lock)
{
    pthread_counts();
    if (!pthread_held)
        return 0;
    pthread_held--;
    ezt_event1(PT_GIVEN, (uint64_t)lock);
    return 1;
}

static inline int pthread_time_ok(const struct timespec *t)
{
    return (unsigned long)t->tv_nsec < 1000000000;
}
static inline int pthread_clock_ok(clockid_t clock, const struct timespec *t)
{
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && pthread_time_ok(t);
}

/* ---- locks: functions that try, wait and release --------------------------------------------- */

#define PT_REPLACE(type, f, params)                                                                \
    EZT_REPLACE(#f, replace_##f, orig_##f)                                                         \
    EZT_ORIG type(*orig_##f) params;                                                               \
    EZT_EXPORT type replace_##f params

/* With EOWNERDEAD the thread has the lock, too: the last owner died as its holder. */
#define PT_IS_GOT(r) ((r) == 0 || (r) == EOWNERDEAD)

#define PT_TRY(f, type) PT_TRY_OR(f, type, EBUSY)
#define PT_TRY_OR(f, type, busy)                                                                   \
    PT_REPLACE(int, f, (type * lock))                                                              \
    {                                                                                              \
        int r = orig_##f(lock);                                                                    \
        if (!PT_PROGRAM)                                                                           \
            return r;                                                                              \
        if (PT_IS_GOT(r))                                                                          \
            pthread_got(lock);                                                                     \
        else if (r == (busy))                                                                      \
            ezt_event1(PT_BUSY, (uint64_t)lock);                                                   \
        return r;                                                                                  \
    }

#define PT_LOCK(f, params, args, try, right, state)                                                \
    PT_LOCK_OR(f, params, args, try, right, state, EBUSY)
#define PT_LOCK_OR(f, params, args, try, right, state, busy)                                       \
    PT_REPLACE(int, f, params)                                                                     \
    {                                                                                              \
        if (!PT_PROGRAM)                                                                           \
            return orig_##f args;                                                                  \
        int r = (busy);                                                                            \
        if (!(right)) {                                                                            \
            r = orig_##f args;                                                                     \
        } else if (!orig_##try || (r = orig_##try(lock)) == (busy)) {                              \
            ezt_event1(state, (uint64_t)lock);                                                     \
            r = orig_##f args;                                                                     \
            ezt_event0(PT_POP);                                                                    \
        }                                                                                          \
        if (PT_IS_GOT(r))                                                                          \
            pthread_got(lock);                                                                     \
        return r;                                                                                  \
    }

#define PT_UNLOCK(f, type)                                                                         \
    PT_REPLACE(int, f, (type * lock))                                                              \
    {                                                                                              \
        int held = PT_PROGRAM && pthread_give(lock), r = orig_##f(lock);                           \
        if (held && r)                                                                             \
            pthread_got(lock);                                                                     \
        return r;                                                                                  \
    }

PT_TRY(pthread_mutex_trylock, pthread_mutex_t)
PT_LOCK(pthread_mutex_lock, (pthread_mutex_t * lock), (lock), pthread_mutex_trylock, 1, PT_MUTEX)
PT_LOCK(pthread_mutex_timedlock, (pthread_mutex_t * lock, const struct timespec *t), (lock, t),
        pthread_mutex_trylock, pthread_time_ok(t), PT_MUTEX)
PT_LOCK(pthread_mutex_clocklock,
        (pthread_mutex_t * lock, clockid_t clock, const struct timespec *t), (lock, clock, t),
        pthread_mutex_trylock, pthread_clock_ok(clock, t), PT_MUTEX)
PT_UNLOCK(pthread_mutex_unlock, pthread_mutex_t)

PT_TRY(pthread_spin_trylock, pthread_spinlock_t)
PT_LOCK(pthread_spin_lock, (pthread_spinlock_t * lock), (lock), pthread_spin_trylock, 1, PT_SPIN)
PT_UNLOCK(pthread_spin_unlock, pthread_spinlock_t)

PT_TRY(pthread_rwlock_tryrdlock, pthread_rwlock_t)
PT_TRY(pthread_rwlock_trywrlock, pthread_rwlock_t)
PT_LOCK(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock), pthread_rwlock_tryrdlock, 1,
        PT_READ)
PT_LOCK(pthread_rwlock_timedrdlock, (pthread_rwlock_t * lock, const struct timespec *t), (lock, t),
        pthread_rwlock_tryrdlock, pthread_time_ok(t), PT_READ)
PT_LOCK(pthread_rwlock_clockrdlock,
        (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *t), (lock, clock, t),
        pthread_rwlock_tryrdlock, pthread_clock_ok(clock, t), PT_READ)
PT_LOCK(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock), pthread_rwlock_trywrlock, 1,
        PT_WRITE)
PT_LOCK(pthread_rwlock_timedwrlock, (pthread_rwlock_t * lock, const struct timespec *t), (lock, t),
        pthread_rwlock_trywrlock, pthread_time_ok(t), PT_WRITE)
PT_LOCK(pthread_rwlock_clockwrlock,
        (pthread_rwlock_t * lock, clockid_t clock, const struct timespec *t), (lock, clock, t),
        pthread_rwlock_trywrlock, pthread_clock_ok(clock, t), PT_WRITE)
PT_UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)

/* ---- conditions: internal functions of libc release and acquire the mutex -------------------- */

struct pthread_waiting {
    const volatile void *mutex;
    int open, held;
};

/* Records the end of a wait on a condition. Also runs before the handlers of a cancellation, during
 * which the thread has the mutex. */
static inline void pthread_waited(struct pthread_waiting *w)
{
    if (!w->open)
        return;
    ezt_event0(PT_POP);
    if (w->held)
        pthread_got(w->mutex);
}

static inline void pthread_waits(struct pthread_waiting *w, const void *condition)
{
    w->held = pthread_give(w->mutex);
    w->open = 1;
    ezt_event2(PT_COND, (uint64_t)condition, (uint64_t)w->mutex);
}

#define PT_WAIT(f, params, args)                                                                   \
    PT_REPLACE(int, f, params)                                                                     \
    {                                                                                              \
        __attribute__((cleanup(pthread_waited))) struct pthread_waiting w = { mutex, 0, 0 };       \
        if (PT_PROGRAM)                                                                            \
            pthread_waits(&w, condition);                                                          \
        return orig_##f args;                                                                      \
    }

PT_WAIT(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
PT_WAIT(pthread_cond_timedwait,
        (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *t),
        (condition, mutex, t))
PT_WAIT(pthread_cond_clockwait,
        (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock,
         const struct timespec *t),
        (condition, mutex, clock, t))

/* Replaces f, which wakes other threads: records the event before the call, because of its
 * effects. */
#define PT_POST(f, type, event)                                                                    \
    PT_REPLACE(int, f, (type * what))                                                              \
    {                                                                                              \
        if (PT_PROGRAM)                                                                            \
            ezt_event1(event, (uint64_t)what);                                                     \
        return orig_##f(what);                                                                     \
    }

PT_POST(pthread_cond_signal, pthread_cond_t, PT_SIGNAL)
PT_POST(pthread_cond_broadcast, pthread_cond_t, PT_BROADCAST)
PT_POST(sem_post, sem_t, PT_POSTED)

/* ---- barriers, semaphores ---------------------------------------------------------------- */

PT_REPLACE(int, pthread_barrier_wait, (pthread_barrier_t * barrier))
{
    if (!PT_PROGRAM)
        return orig_pthread_barrier_wait(barrier);
    ezt_event1(PT_BARRIER, (uint64_t)barrier);
    int r = orig_pthread_barrier_wait(barrier);
    ezt_event0(PT_POP);
    return r;
}

PT_REPLACE(int, sem_trywait, (sem_t * sem))
{
    int r = orig_sem_trywait(sem);
    if (PT_PROGRAM)
        ezt_event1(r ? PT_BUSY : PT_CONSUMED, (uint64_t)sem);
    return r;
}

/* Decrements the semaphore if that is possible without waiting. A wait is a cancellation point in
 * either case. */
static inline int pthread_sem_try(sem_t *sem)
{
    int was = errno, r;
    if (!orig_sem_trywait)
        return -1;
    pthread_testcancel();
    r = orig_sem_trywait(sem);
    errno = r ? was : errno;
    return r;
}

#define PT_SEM_WAIT(f, params, args, right)                                                        \
    PT_REPLACE(int, f, params)                                                                     \
    {                                                                                              \
        if (!PT_PROGRAM || !(right))                                                               \
            return orig_##f args;                                                                  \
        int r = pthread_sem_try(sem);                                                              \
        if (r) {                                                                                   \
            __attribute__((cleanup(pthread_waited), unused)) struct pthread_waiting w = { sem, 1,  \
                                                                                          0 };     \
            ezt_event1(PT_SEM, (uint64_t)sem);                                                     \
            r = orig_##f args;                                                                     \
        }                                                                                          \
        if (!r)                                                                                    \
            ezt_event1(PT_CONSUMED, (uint64_t)sem);                                                \
        return r;                                                                                  \
    }

PT_SEM_WAIT(sem_wait, (sem_t * sem), (sem), 1)
PT_SEM_WAIT(sem_timedwait, (sem_t * sem, const struct timespec *t), (sem, t), pthread_time_ok(t))
PT_SEM_WAIT(sem_clockwait, (sem_t * sem, clockid_t clock, const struct timespec *t),
            (sem, clock, t), pthread_clock_ok(clock, t))

#endif
