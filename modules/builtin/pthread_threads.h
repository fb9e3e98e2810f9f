/* SPDX-License-Identifier: MIT */
/* pthread_threads.h - threads: their creation, names and ends; and C11's functions for locks and
 * waits. For pthread.tpl.
 *
 * A new thread begins in a function of the module, which ends the link from its creator and calls
 * the program's function. That function is passed in a box, which the new thread empties first. The
 * number of boxes is fixed, because the module allocates no memory. If no box is free, the thread
 * is created without a link. */
#ifndef PTHREAD_THREADS_H
#define PTHREAD_THREADS_H

#include <threads.h>
#include <unistd.h>

#include "pthread_probes.h"

enum { PT_BOXES = 256 };
struct pthread_box {
    void *(*start)(void *);
    int (*start11)(void *);
    void *arg;
    uint64_t key;
    int taken;
};
static struct pthread_box pthread_boxes[PT_BOXES];
static uint64_t pthread_keys; /* key of the newest link; other processes in the same trace have
                               * other keys */
static __thread int pthread_is_ours __attribute__((tls_model("initial-exec")));

static inline uint64_t pthread_new_key(void)
{
    const uint64_t *random = (const uint64_t *)getauxval(AT_RANDOM);
    uint64_t n = __atomic_add_fetch(&pthread_keys, 1, __ATOMIC_RELAXED);
    return (random ? *random : 0) + ((uint64_t)getpid() << 32) + n;
}

/* Returns a free box. Returns NULL if all boxes belong to threads that have not begun yet. */
static inline struct pthread_box *pthread_claim_box(void)
{
    static unsigned next;
    unsigned from = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
    for (unsigned i = 0; i < PT_BOXES; i++) {
        struct pthread_box *b = &pthread_boxes[(from + i) % PT_BOXES];
        if (!__atomic_exchange_n(&b->taken, 1, __ATOMIC_ACQUIRE))
            return b;
    }
    return NULL;
}

static inline void pthread_give_box(struct pthread_box *b)
{
    __atomic_store_n(&b->taken, 0, __ATOMIC_RELEASE);
}

/* Handles the end of a thread: by its function's return, pthread_exit or a cancellation. */
static inline void pthread_thread_ends(int *ours)
{
    (void)ours;
    ezt_event0(PT_ENDED);
}

static void *pthread_thread(void *arg)
{
    struct pthread_box *b = (struct pthread_box *)arg, is = *b;
    pthread_give_box(b);
    __attribute__((cleanup(pthread_thread_ends))) int ours = pthread_is_ours = 1;
    ezt_event1(PT_LINKED, is.key);
    (void)ours;
    return is.start ? is.start(is.arg) : (void *)(intptr_t)is.start11(is.arg);
}
static int pthread_thread11(void *arg)
{
    return (int)(intptr_t)pthread_thread(arg);
}

/* Begins the link from the creator before the new thread exists and can end it. pthread_made() ends
 * the link if the thread is not created. */
static inline struct pthread_box *pthread_box_of(const struct pthread_box *what, uint64_t *key)
{
    struct pthread_box *b = pthread_claim_box();
    if (!b) {
        ezt_event0(PT_UNLINKED);
        return NULL;
    }
    b->start = what->start;
    b->start11 = what->start11;
    b->arg = what->arg;
    b->key = *key = pthread_new_key();
    ezt_event1(PT_LINK, *key);
    return b;
}
static inline void pthread_made(struct pthread_box *b, uint64_t key, int failed, const void *start,
                                const void *arg)
{
    if (!failed) { /* The box is not accessed, because another thread may already use it. */
        ezt_event2(PT_CREATED, (uint64_t)start, (uint64_t)arg);
    } else if (b) {
        pthread_give_box(b);
        ezt_event1(PT_LINKED, key);
    }
}

PT_REPLACE(int, pthread_create,
           (pthread_t * thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg))
{
    uint64_t key = 0;
    if (!PT_PROGRAM)
        return orig_pthread_create(thread, attr, start, arg);
    struct pthread_box what = { start, NULL, arg, 0, 0 }, *b = pthread_box_of(&what, &key);
    int r = orig_pthread_create(thread, attr, b ? pthread_thread : start, b ? b : arg);
    /* *thread may no longer exist, because the thread may have ended. */
    pthread_made(b, key, r, (const void *)start, arg);
    return r;
}

PT_REPLACE(int, thrd_create, (thrd_t * thread, int (*start)(void *), void *arg))
{
    uint64_t key = 0;
    if (!PT_PROGRAM)
        return orig_thrd_create(thread, start, arg);
    struct pthread_box what = { NULL, start, arg, 0, 0 }, *b = pthread_box_of(&what, &key);
    int r = orig_thrd_create(thread, b ? pthread_thread11 : start, b ? b : arg);
    pthread_made(b, key, r != thrd_success, (const void *)start, arg);
    return r;
}

/* Ends a thread that began before the module was loaded. */
EZT_REPLACE("pthread_exit", replace_pthread_exit, orig_pthread_exit)
EZT_ORIG void (*orig_pthread_exit)(void *);
EZT_EXPORT void replace_pthread_exit(void *result)
{
    if (!pthread_is_ours)
        ezt_event0(PT_ENDED);
    orig_pthread_exit(result);
}

PT_REPLACE(int, pthread_setname_np, (pthread_t thread, const char *name))
{
    int r = orig_pthread_setname_np(thread, name);
    union {
        char c[24];
        uint64_t word[3];
    } u = { .word = { (uint64_t)thread } };
    for (unsigned i = 0; !r && i < 16 && name[i]; i++)
        u.c[8 + i] = name[i];
    if (!r && PT_PROGRAM)
        ezt_event(PT_NAMED, 3, u.word);
    return r;
}

/* ---- C11: separate functions of the C library ------------------------------------------------ */

PT_TRY_OR(mtx_trylock, mtx_t, thrd_busy)
PT_LOCK_OR(mtx_lock, (mtx_t * lock), (lock), mtx_trylock, 1, PT_MUTEX, thrd_busy)
PT_LOCK_OR(mtx_timedlock, (mtx_t * lock, const struct timespec *t), (lock, t), mtx_trylock,
           pthread_time_ok(t), PT_MUTEX, thrd_busy)
PT_UNLOCK(mtx_unlock, mtx_t)
PT_WAIT(cnd_wait, (cnd_t * condition, mtx_t *mutex), (condition, mutex))
PT_WAIT(cnd_timedwait, (cnd_t * condition, mtx_t *mutex, const struct timespec *t),
        (condition, mutex, t))
PT_POST(cnd_signal, cnd_t, PT_SIGNAL)
PT_POST(cnd_broadcast, cnd_t, PT_BROADCAST)

#endif
