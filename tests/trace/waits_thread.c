/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits_thread.c - a thread that waits for another one in the ways that `analyze` knows, a function phase_NAME for each
 * way, and notes when (stamps.h). For analyze.sh. */
#include "tests/trace/stamps.h"

#include <pthread.h>
#include <semaphore.h>

enum { ROUNDS = 2 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int held, ready;

WORK(late)
WORK(same)

/* ---- what the second thread does ------------------------------------------------------------- */

static void hold(void)
{
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&held, 1, __ATOMIC_RELEASE);
    DO(late, 30);
    pthread_mutex_unlock(&mutex);
}

static void signal_late(void)
{
    DO(late, 30);
    pthread_mutex_lock(&mutex);
    ready = 1;
    STAMP(pthread_cond_signal(&cond), "wakes pattern=cond");
    pthread_mutex_unlock(&mutex);
}

static void post_late(void)
{
    DO(late, 30);
    STAMP(sem_post(&sem), "wakes pattern=semaphore");
}

static void meet_late(void)
{
    DO(late, 30);
    STAMP(pthread_barrier_wait(&barrier), "barrier");
}

static void meet_in_time(void)
{
    DO(same, 20);
    STAMP(pthread_barrier_wait(&barrier), "barrier");
}

static void end_late(void)
{
    DO(late, 30);
}

static void *second(void *what)
{
    ((void (*)(void))what)();
    stamp_note(stamp_now(), stamp_now(), "wakes pattern=join");
    return NULL;
}

/* ---- what the first one does ----------------------------------------------------------------- */

static pthread_t begin(void (*what)(void))
{
    pthread_t t;
    if (pthread_create(&t, NULL, second, (void *)what))
        abort();
    return t;
}

static void join(pthread_t t)
{
    STAMP(pthread_join(t, NULL), "waits pattern=join");
}

static void phase_mutex(void)
{
    pthread_t t = begin(hold);
    while (!__atomic_load_n(&held, __ATOMIC_ACQUIRE))
        usleep(100);
    STAMP(pthread_mutex_lock(&mutex), "blocked pattern=mutex");
    pthread_mutex_unlock(&mutex);
    held = 0;
    join(t);
}

static void phase_cond(void)
{
    pthread_t t = begin(signal_late);
    pthread_mutex_lock(&mutex);
    while (!ready)
        STAMP(pthread_cond_wait(&cond, &mutex), "waits pattern=cond");
    ready = 0;
    pthread_mutex_unlock(&mutex);
    join(t);
}

static void phase_semaphore(void)
{
    pthread_t t = begin(post_late);
    STAMP(sem_wait(&sem), "waits pattern=semaphore");
    join(t);
}

static void phase_barrier(void)
{
    pthread_t t = begin(meet_late);
    STAMP(pthread_barrier_wait(&barrier), "barrier");
    join(t);
}

static void phase_join(void)
{
    join(begin(end_late));
}

static void phase_balanced(void)
{
    pthread_t t = begin(meet_in_time);
    DO(same, 20);
    STAMP(pthread_barrier_wait(&barrier), "barrier");
    join(t);
}

#define PHASE(f)                                                                                   \
    do {                                                                                           \
        stamp_phase = #f;                                                                          \
        for (int k = 0; k < ROUNDS; k++)                                                           \
            phase_##f();                                                                           \
    } while (0)

int main(void)
{
    stamps_begin();
    pthread_barrier_init(&barrier, NULL, 2);
    sem_init(&sem, 0, 0);
    PHASE(mutex);
    PHASE(cond);
    PHASE(semaphore);
    PHASE(barrier);
    PHASE(join);
    PHASE(balanced);
    stamps_write(0);
    return 0;
}
