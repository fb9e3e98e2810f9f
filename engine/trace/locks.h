/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locks.h - contention of locks: how long threads waited for each lock, and who held it meanwhile.
 *
 * Modules (pthread, openmp) record states whose subject is a lock: EZ_LOCK_HELD while a thread
 * holds it, and other states ("Blocked on a mutex") while a thread waits for it. Events about a
 * lock are tries that failed.
 *
 * While n threads wait for a lock, each moment counts n times for the thread that holds the lock:
 * blocked_ns. If several threads hold a lock (to read), it counts for each of them. If none holds
 * it, because a thread that was woken up does not run yet, it counts as nobody_ns. A struct
 * ez_lock_pair has the same for a single waiting thread.
 *
 * Tests: tests/unit/trace/check_locks.c */
#ifndef EZ_LOCKS_H
#define EZ_LOCKS_H

#include "engine/trace/model.h"

#define EZ_LOCK_KIND "lock"
#define EZ_LOCK_HELD "Critical Section"

struct ez_lock_holder { /* a thread and a function that held a lock */
    uint32_t container;
    uint32_t function; /* innermost recorded function that held the lock; EZ_NONE_IDX if none */
    uint64_t times;
    uint64_t held_ns;
    uint64_t blocked_ns;
};

struct ez_lock_pair { /* a waiting thread, and the thread that held the lock during the wait */
    uint32_t waiter;
    uint32_t holder;                /* EZ_NONE_IDX: no thread held it */
    uint64_t waits;                 /* waits of `waiter` in which `holder` held the lock */
    uint64_t waited_ns, longest_ns; /* longest_ns: in a single wait */
};

struct ez_lock {
    uint32_t subject, process; /* process: container of the process */
    const char *kind;          /* "mutex"; with several, "read lock, write lock"; "" if unknown */
    /* taken: number of times the lock was acquired; busy: number of failed tries */
    uint64_t taken, busy;
    uint64_t held_ns, longest_held_ns;
    uint64_t waits, waited_ns;
    uint64_t longest_ns, longest_start_ns; /* the longest wait */
    uint32_t longest_thread;
    uint64_t open;                 /* number of waits whose end is missing */
    uint64_t nobody_ns;            /* time of waits in which no thread held the lock */
    struct ez_lock_holder *holder; /* sorted by blocked_ns, then held_ns */
    size_t holders;
    struct ez_lock_pair *pair; /* sorted by waited_ns */
    size_t pairs;
};

struct ez_locks {
    struct ez_lock *lock; /* sorted by waited_ns, then held_ns */
    size_t n;
};

/* Returns whether the subject, which may be EZ_NONE_IDX, is a lock. */
bool ez_lock_is(const struct ez_model *m, uint32_t subject);
/* Returns the innermost function around a state of a lock, neither a pause nor another lock; or
 * EZ_NONE_IDX. */
uint32_t ez_lock_function(const struct ez_model *m, const struct ez_item *it);

/* with_pairs: find the pairs, too. Their number may be the square of that of the threads. */
struct ez_locks *ez_locks_create(const struct ez_model *m, bool with_pairs);
/* Adds an item. An ez_item_fn whose arg is the struct ez_locks. */
ez_err *ez_locks_item(void *locks, const struct ez_item *it);
/* Fills in the table. Call once, after the last item. */
void ez_locks_sort(struct ez_locks *l);
void ez_locks_free(struct ez_locks *l);

#endif
