/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_lock.c - locks, waits and signals in all ways, and knows how often: the pthread module's test.
 *   p_lock THREADS N     each thread does N rounds on locks of its own, and all on one mutex
 * What waits for a lock does so for sure: who has the lock sees the other sleep in the kernel first.
 * Says how often it did what, and how many critical sections each thread had. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8 };
struct count {
    unsigned long held, busy, conds, barriers, taken, posted, signals, broadcasts, blocked[5];
    long tid;
};
enum { MUTEX, SPIN, READ, WRITE, SEM };
static struct count count[MOST + 4];
static pthread_barrier_t barrier;
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static unsigned long rounds, sum, joined, created, failed, named;
static const struct timespec never = { .tv_sec = 4000000000 }, wrong_time = { .tv_nsec = -1 };
static int wrong;

static void check(int good)
{
    if (!good)
        wrong = 1;
}

static void with_mutex(struct count *c, int kind)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, kind);
    pthread_mutex_init(&m, &a);
    check(!pthread_mutex_lock(&m));
    c->held++;
    if (kind == PTHREAD_MUTEX_RECURSIVE) {
        check(!pthread_mutex_lock(&m) && !pthread_mutex_unlock(&m));
        c->held++;
    } else if (kind == PTHREAD_MUTEX_ERRORCHECK) {
        check(pthread_mutex_lock(&m) == EDEADLK);
        c->blocked[MUTEX]++; /* as far as anybody can tell */
    } else {
        check(pthread_mutex_trylock(&m) == EBUSY);
        c->busy++;
    }
    check(!pthread_mutex_unlock(&m));
    if (kind == PTHREAD_MUTEX_ERRORCHECK)
        check(pthread_mutex_unlock(&m) == EPERM);
    check(!pthread_mutex_trylock(&m) && !pthread_mutex_unlock(&m));
    check(!pthread_mutex_timedlock(&m, &never) && !pthread_mutex_unlock(&m));
    check(!pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &never) && !pthread_mutex_unlock(&m));
    check(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &never) == EINVAL);
    c->held += 3;
    pthread_mutex_destroy(&m);
}

static void with_others(struct count *c)
{
    pthread_spinlock_t s;
    pthread_rwlock_t rw;
    sem_t sem;
    pthread_spin_init(&s, 0);
    pthread_rwlock_init(&rw, NULL);
    sem_init(&sem, 0, 0);
    check(!pthread_spin_lock(&s) && pthread_spin_trylock(&s) == EBUSY && !pthread_spin_unlock(&s));
    check(!pthread_spin_trylock(&s) && !pthread_spin_unlock(&s));
    check(!pthread_rwlock_rdlock(&rw) && !pthread_rwlock_tryrdlock(&rw));
    check(pthread_rwlock_trywrlock(&rw) == EBUSY);
    check(!pthread_rwlock_unlock(&rw) && !pthread_rwlock_unlock(&rw));
    check(!pthread_rwlock_wrlock(&rw) && !pthread_rwlock_unlock(&rw));
    check(!pthread_rwlock_timedwrlock(&rw, &never) && !pthread_rwlock_unlock(&rw));
    check(!pthread_rwlock_timedrdlock(&rw, &never) && !pthread_rwlock_unlock(&rw));
    check(pthread_rwlock_timedrdlock(&rw, &wrong_time) == EINVAL);
    c->held += 7;
    c->busy += 2;
    errno = 0;
    for (int i = 0; i < 3; i++)
        check(!sem_post(&sem));
    check(!sem_wait(&sem) && !sem_timedwait(&sem, &never) && !sem_trywait(&sem) && errno == 0);
    check(sem_trywait(&sem) && errno == EAGAIN);
    check(sem_timedwait(&sem, &wrong_time) && errno == EINVAL);
    c->posted += 3;
    c->taken += 3;
    c->busy++;
}

static void *work(void *arg)
{
    struct count *c = arg;
    c->tid = syscall(SYS_gettid);
    for (unsigned long i = 0; i < rounds; i++) {
        with_mutex(c, PTHREAD_MUTEX_NORMAL);
        with_mutex(c, PTHREAD_MUTEX_RECURSIVE);
        with_mutex(c, PTHREAD_MUTEX_ERRORCHECK);
        with_mutex(c, PTHREAD_MUTEX_ADAPTIVE_NP);
        with_others(c);
        if (i % 10)
            continue;
        pthread_barrier_wait(&barrier);
        c->barriers++;
    }
    return NULL;
}

/* ---- threads that wait for sure ------------------------------------------------------------------ */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
/* Where the other thread is: it writes that before it goes to sleep there. */
static volatile enum {
    NOWHERE,
    IN_MUTEX,
    IN_WAIT,
    IN_TIMEDWAIT,
    IN_READ,
    IN_SEM,
    IN_WRITE,
    AT_END
} at;
static volatile int turn;
static volatile long sleeper; /* who goes to sleep there */

static void let_go(void *m)
{
    check(!pthread_mutex_unlock(m));
}

static void *waits(void *arg)
{
    struct count *c = &count[MOST];
    sleeper = c->tid = syscall(SYS_gettid);
    at = IN_MUTEX;
    check(!pthread_mutex_lock(&mutex));
    c->held++;
    c->blocked[MUTEX]++;
    while (turn < 1) { /* signal, then broadcast */
        at = IN_WAIT;
        check(!pthread_cond_wait(&cond, &mutex));
        c->conds++;
        c->held++;
    }
    while (turn < 2) {
        at = IN_TIMEDWAIT;
        check(!pthread_cond_timedwait(&cond, &mutex, &never));
        c->conds++;
        c->held++;
    }
    check(!pthread_mutex_unlock(&mutex));
    at = IN_READ;
    check(!pthread_rwlock_rdlock(&rwlock) && !pthread_rwlock_unlock(&rwlock));
    at = IN_SEM;
    check(!sem_wait(&sem));
    c->taken++;
    at = IN_WRITE;
    check(!pthread_rwlock_wrlock(&rwlock) && !pthread_rwlock_unlock(&rwlock));
    c->held += 2;
    c->blocked[READ]++;
    c->blocked[WRITE]++;
    c->blocked[SEM]++;
    check(!pthread_mutex_lock(&mutex));
    c->held++;
    c->conds++; /* it is cancelled in there, and has the mutex again */
    c->held++;
    pthread_cleanup_push(let_go, &mutex);
    for (at = AT_END;;)
        pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    return arg;
}

/* Until that thread sleeps there, in a lock of the kernel's. */
static void asleep(int where)
{
    while ((int)at != where)
        usleep(1000);
    char path[60], b[20] = "", want[20];
    int n = snprintf(want, sizeof want, "%d ", SYS_futex);
    snprintf(path, sizeof path, "/proc/self/task/%ld/syscall", sleeper);
    for (;;) {
        int fd = open(path, O_RDONLY);
        if (read(fd, b, sizeof b - 1) > 0 && !strncmp(b, want, (size_t)n)) {
            close(fd);
            return;
        }
        close(fd);
        usleep(1000);
    }
}

static void wake_by(struct count *c, int all)
{
    asleep(all ? IN_TIMEDWAIT : IN_WAIT);
    check(!pthread_mutex_lock(&mutex));
    c->held++;
    turn++;
    check(!(all ? pthread_cond_broadcast(&cond) : pthread_cond_signal(&cond)));
    *(all ? &c->broadcasts : &c->signals) += 1;
    if (all) /* the next that it waits for */
        check(!pthread_rwlock_wrlock(&rwlock));
    c->held += (unsigned)all;
    check(!pthread_mutex_unlock(&mutex));
}

static void others_wait(struct count *c)
{
    pthread_t t;
    void *r;
    sem_init(&sem, 0, 0);
    check(!pthread_mutex_lock(&mutex));
    pthread_create(&t, NULL, waits, NULL);
    created++;
    asleep(IN_MUTEX);
    check(!pthread_mutex_unlock(&mutex));
    c->held++;
    wake_by(c, 0);
    wake_by(c, 1);
    asleep(IN_READ);
    check(!pthread_rwlock_unlock(&rwlock));
    asleep(IN_SEM);
    check(!pthread_rwlock_rdlock(&rwlock) && !sem_post(&sem));
    c->held++;
    c->posted++;
    asleep(IN_WRITE);
    check(!pthread_rwlock_unlock(&rwlock));
    asleep(AT_END);
    pthread_cancel(t);
    pthread_join(t, &r);
    joined++;
    check(r == PTHREAD_CANCELED);
}

/* ---- C11's, and how threads end -------------------------------------------------------------------- */

static mtx_t mtx;
static cnd_t cnd;

static void with_c11(struct count *c)
{
    check(mtx_init(&mtx, mtx_timed) == thrd_success && cnd_init(&cnd) == thrd_success);
    check(mtx_lock(&mtx) == thrd_success && mtx_trylock(&mtx) == thrd_busy);
    check(mtx_unlock(&mtx) == thrd_success);
    check(mtx_trylock(&mtx) == thrd_success && mtx_unlock(&mtx) == thrd_success);
    check(mtx_timedlock(&mtx, &never) == thrd_success && mtx_unlock(&mtx) == thrd_success);
    check(mtx_timedlock(&mtx, &wrong_time) == thrd_success && mtx_unlock(&mtx) == thrd_success);
    c->held += 4;
    c->busy++;
}

static int waits_c11(void *arg)
{
    struct count *c = arg;
    sleeper = c->tid = syscall(SYS_gettid);
    at = IN_MUTEX;
    check(mtx_lock(&mtx) == thrd_success);
    c->blocked[MUTEX]++;
    for (turn = 0; turn < 1; c->conds++) {
        at = IN_WAIT;
        check(cnd_wait(&cnd, &mtx) == thrd_success);
    }
    for (; turn < 2; c->conds++) {
        at = IN_TIMEDWAIT;
        check(cnd_timedwait(&cnd, &mtx, &never) == thrd_success);
    }
    check(mtx_unlock(&mtx) == thrd_success);
    c->held += 1 + c->conds;
    thrd_exit(42);
}

static void others_wait_c11(struct count *c)
{
    thrd_t t;
    int r;
    at = NOWHERE;
    check(mtx_lock(&mtx) == thrd_success);
    check(thrd_create(&t, waits_c11, &count[MOST + 2]) == thrd_success);
    asleep(IN_MUTEX);
    check(mtx_unlock(&mtx) == thrd_success);
    for (int all = 0; all < 2; all++) {
        asleep(all ? IN_TIMEDWAIT : IN_WAIT);
        check(mtx_lock(&mtx) == thrd_success);
        turn++;
        check((all ? cnd_broadcast(&cnd) : cnd_signal(&cnd)) == thrd_success);
        check(mtx_unlock(&mtx) == thrd_success);
    }
    check(thrd_join(t, &r) == thrd_success && r == 42);
    c->held += 3;
    c->signals++;
    c->broadcasts++;
    created++;
    joined++;
}

static void *calls_exit(void *arg)
{
    pthread_exit(arg);
}
static int returns_11(void *arg)
{
    return *(int *)arg;
}

static void threads_end(void)
{
    pthread_t t;
    thrd_t t11;
    pthread_attr_t a;
    void *r;
    int n = -7, r11;
    check(!pthread_create(&t, NULL, calls_exit, &n) && !pthread_join(t, &r) && r == &n);
    check(thrd_create(&t11, returns_11, &n) == thrd_success);
    check(thrd_join(t11, &r11) == thrd_success && r11 == -7);
    created += 2;
    joined += 2;
    pthread_attr_init(&a);
    check(!pthread_attr_setstacksize(&a, 1UL << 60));
    check(pthread_create(&t, &a, calls_exit, NULL));
    failed++;
    check(!pthread_setname_np(pthread_self(), "the first"));
    check(pthread_setname_np(pthread_self(), "a name that is too long"));
    named++;
}

static void *share(void *arg)
{
    struct count *c = arg;
    for (unsigned long i = 0; i < 50 * rounds; i++) {
        pthread_mutex_lock(&shared);
        sum++;
        c->held++;
        pthread_mutex_unlock(&shared);
    }
    return NULL;
}

/* Nothing else of this program blocks on a mutex: how often it does here, nobody knows. */
static void shared_by(int n)
{
    pthread_t t[MOST];
    static struct count each[MOST];
    for (int i = 0; i < n; i++, created++)
        pthread_create(&t[i], NULL, share, &each[i]);
    for (int i = 0; i < n; i++, joined++) {
        pthread_join(t[i], NULL);
        count[MOST + 1].held += each[i].held;
    }
    check(sum == 50 * rounds * (unsigned)n);
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = atoi(argv[1]);
    rounds = strtoul(argv[2], NULL, 10);
    pthread_barrier_init(&barrier, NULL, (unsigned)n);
    for (int i = 1; i < n; i++, created++)
        pthread_create(&t[i], NULL, work, &count[i]);
    work(&count[0]);
    for (int i = 1; i < n; i++, joined++)
        pthread_join(t[i], NULL);
    others_wait(&count[0]);
    with_c11(&count[0]);
    others_wait_c11(&count[0]);
    threads_end();
    if (argc > 3)
        shared_by(n);
    struct count all = { 0 };
    for (int i = 0; i < MOST + 4; i++)
        for (size_t k = 0; k < sizeof all / sizeof(long); k++)
            ((unsigned long *)&all)[k] += ((unsigned long *)&count[i])[k];
    printf("held %lu\nbusy %lu\nconds %lu\nbarriers %lu\ntaken %lu\nposted %lu\nsignals %lu\n"
           "broadcasts %lu\n",
           all.held, all.busy, all.conds, all.barriers, all.taken, all.posted, all.signals,
           all.broadcasts);
    printf("spin %lu\nread %lu\nwrite %lu\nsem %lu\ncreated %lu\njoined %lu\n"
           "ended %lu\nlinks %lu\nfailed %lu\nnamed %lu\n",
           all.blocked[SPIN], all.blocked[READ], all.blocked[WRITE], all.blocked[SEM], created,
           joined, created, created + failed, failed, named);
    printf("mutex %lu\n", all.blocked[MUTEX]);
    for (int i = 0; i < MOST + 4; i++)
        if (count[i].tid && count[i].held)
            printf("%ld %lu\n", count[i].tid, count[i].held);
    puts(wrong ? "wrong" : "right");
    return wrong;
}
