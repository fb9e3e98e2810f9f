/* SPDX-License-Identifier: MIT */
/* p_held.c - a lock that one thread holds while others wait, and measures it by clock_gettime:
 * the test of `info locks`.
 *   p_held WAITERS     keeper() holds a mutex until so many threads sleep in the kernel and 20 ms
 *                      more; then reader() holds a read-write lock likewise, while a writer waits.
 * Prints for each lock its variable, bounds in ns of the time that threads waited and of the time
 * that it was held: "mutex waited LEAST MOST held LEAST MOST". The inner bounds are measured inside
 * of what the module records, the outer ones around it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>

#include "keep.h"

enum { MOST = 16 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    long other;
    pthread_mutex_t quiet;
} pair = { 0, PTHREAD_MUTEX_INITIALIZER };
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int waiters;
static struct waiter {
    pthread_t thread;
    volatile long tid;
    long long waited;
} waiter[MOST];

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void until_asleep(const struct waiter *w)
{
    char path[60], got[20], want[20];
    int n = snprintf(want, sizeof want, "%d ", (int)SYS_futex);
    while (!w->tid)
        usleep(1000);
    snprintf(path, sizeof path, "/proc/self/task/%ld/syscall", w->tid);
    for (;; usleep(1000)) {
        int fd = open(path, O_RDONLY);
        ssize_t r = read(fd, got, sizeof got);
        close(fd);
        if (r > n && !strncmp(got, want, (size_t)n))
            return;
    }
}

KEEP static void *take(void *arg)
{
    struct waiter *w = arg;
    pthread_mutex_lock(&pair.quiet); /* nobody waits for this one */
    pthread_mutex_unlock(&pair.quiet);
    w->tid = syscall(SYS_gettid);
    long long start = now();
    pthread_mutex_lock(&mutex);
    w->waited = now() - start;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

KEEP static void *take_to_write(void *arg)
{
    struct waiter *w = arg;
    w->tid = syscall(SYS_gettid);
    long long start = now();
    pthread_rwlock_wrlock(&rwlock);
    w->waited = now() - start;
    pthread_rwlock_unlock(&rwlock);
    return NULL;
}

/* Begins n waiters one after the other, and lets them wait 20 ms. Returns how long they have slept at
 * least, together. */
static long long let_wait(int n, void *(*fn)(void *))
{
    const struct timespec hold = { .tv_nsec = 20000000 };
    long long since[MOST], sum = 0;
    for (int i = 0; i < n; i++) {
        waiter[i] = (struct waiter){ .tid = 0 };
        pthread_create(&waiter[i].thread, NULL, fn, &waiter[i]);
        until_asleep(&waiter[i]);
        since[i] = now();
    }
    nanosleep(&hold, NULL);
    for (int i = 0; i < n; i++)
        sum += now() - since[i];
    return sum;
}

static void tell(const char *what, int n, long long least, const long long t[4])
{
    long long most = 0;
    for (int i = 0; i < n; i++) {
        pthread_join(waiter[i].thread, NULL);
        most += waiter[i].waited;
    }
    printf("%s waited %lld %lld held %lld %lld\n", what, least, most, t[2] - t[1], t[3] - t[0]);
}

KEEP static void keeper(void)
{
    long long t[4];
    t[0] = now();
    pthread_mutex_lock(&mutex);
    t[1] = now();
    long long least = let_wait(waiters, take);
    t[2] = now();
    pthread_mutex_unlock(&mutex);
    t[3] = now();
    tell("mutex", waiters, least, t);
}

KEEP static void reader(void)
{
    long long t[4];
    t[0] = now();
    pthread_rwlock_rdlock(&rwlock);
    t[1] = now();
    long long least = let_wait(1, take_to_write);
    t[2] = now();
    pthread_rwlock_unlock(&rwlock);
    t[3] = now();
    tell("rwlock", 1, least, t);
}

int main(int argc, char **argv)
{
    waiters = argc > 1 ? atoi(argv[1]) : 2;
    if (waiters < 1 || waiters > MOST)
        return 2;
    keeper();
    reader();
    return 0;
}
