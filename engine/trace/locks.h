/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locks.h - contention of locks: how long threads waited for each lock, and which threads held it
 * during that time.
 *
 * Modules (pthread, openmp) record states whose subject is a lock: EZ_LOCK_HELD while a thread
 * holds the lock, and other states ("Blocked on a mutex") while a thread waits for the lock. Point
 * events whose subject is a lock are failed attempts to acquire the lock (trylock).
 *
 * While n threads wait for a lock for t ns, n * t is added to blocked_ns of the thread that holds
 * the lock. If several threads hold the lock (to read), n * t is added for each of them. If no
 * thread holds the lock, because a thread that was woken up does not run yet, n * t is added to
 * nobody_ns. A struct ez_lock_pair has such a time for a single waiting thread.
 *
 * Tests: tests/unit/trace/check_locks.c */
#ifndef EZ_LOCKS_H
#define EZ_LOCKS_H

#include "engine/trace/model.h"

#define EZ_LOCK_KIND "lock"
#define EZ_LOCK_HELD "Critical Section"

struct ez_lock_holder { /* a thread and a function that held a lock */
    uint32_t container;
    /* innermost recorded function in which the lock was acquired; EZ_NONE_IDX if none */
    uint32_t function;
    uint64_t times;
    uint64_t held_ns;
    uint64_t blocked_ns;
};

struct ez_lock_pair { /* a waiting thread, and the thread that held the lock during the wait */
    uint32_t waiter;
    uint32_t holder; /* EZ_NONE_IDX: no thread held the lock */
    uint64_t waits;  /* number of waits of `waiter` in which `holder` held the lock */
    /* waited_ns: sum over the waits; longest_ns: maximum in a single wait */
    uint64_t waited_ns, longest_ns;
};

struct ez_lock {
    uint32_t subject, process; /* process: container of the process */
    /* "mutex"; several kinds are separated by commas: "read lock, write lock"; "" if unknown */
    const char *kind;
    /* taken: number of times that the lock was acquired; busy: number of failed attempts */
    uint64_t taken, busy;
    uint64_t held_ns, longest_held_ns;
    uint64_t waits, waited_ns;
    uint64_t longest_ns, longest_start_ns; /* duration and start of the longest wait */
    uint32_t longest_thread;
    uint64_t open;                 /* number of waits whose end is missing */
    uint64_t nobody_ns;            /* sum of the times of waits in which no thread held the lock */
    struct ez_lock_holder *holder; /* sorted by blocked_ns, then held_ns */
    size_t holders;
    struct ez_lock_pair *pair; /* sorted by waited_ns */
    size_t pairs;
};

struct ez_locks {
    struct ez_lock *lock; /* sorted by waited_ns, then held_ns */
    size_t n;
};

/* Returns true if the subject is a lock. subject may be EZ_NONE_IDX. */
bool ez_lock_is(const struct ez_model *m, uint32_t subject);
/* Returns the name of the innermost state around the item, a state of a lock, that is neither a
 * pause nor a state of a lock; or EZ_NONE_IDX. */
uint32_t ez_lock_function(const struct ez_model *m, const struct ez_item *it);

/* with_pairs: also makes the pairs. The number of pairs may be the square of the number of
 * threads. */
struct ez_locks *ez_locks_create(const struct ez_model *m, bool with_pairs);
/* Adds an item. The function is an ez_item_fn, and locks a struct ez_locks. */
ez_err *ez_locks_item(void *locks, const struct ez_item *it);
/* Fills in the table. Call once, after the last item. */
void ez_locks_sort(struct ez_locks *l);
void ez_locks_free(struct ez_locks *l);

#endif
