/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_switches.c - when threads did not run (switches.h), of a child that sleeps, names its
 * threads, forks, and shares a processor with us. */
#include "config.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

#include "engine/record/switches.h"
#include "engine/base/vec.h"
#include "tests/unit/suite.h"

enum { NAP_NS = 20000000, NAPS = 5 };

static struct shared { /* with the child */
    volatile int go, done;
    volatile uint32_t thread, child;
    volatile uint64_t before, after; /* the thread's naps: CLOCK_MONOTONIC */
} * shared;
static struct ez_switches *s;
static EZ_VEC(struct ez_switch) seen;
static pid_t pid;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void nap(long ns)
{
    nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

static void *thread_main(void *arg)
{
    shared->thread = (uint32_t)syscall(SYS_gettid);
    prctl(PR_SET_NAME, "a name of 15 by");
    shared->before = now();
    for (int i = 0; i < NAPS; i++)
        nap(NAP_NS);
    shared->after = now();
    return NULL;
}

static void child_main(void)
{
    pthread_t thread;
    while (!shared->go)
        nap(100000);
    if (pthread_create(&thread, NULL, thread_main, NULL) || pthread_join(thread, NULL))
        _exit(1);
    pid_t forked = fork();
    if (!forked) {
        nap(NAP_NS);
        _exit(0);
    }
    shared->child = (uint32_t)forked;
    waitpid(forked, NULL, 0);
    shared->done = 1;
    for (;;) /* busy, beside us */
        ;
}

static void start(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(shared, MAP_FAILED);
    pid = fork();
    if (!pid) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        child_main();
    }
    ck_assert_int_eq(ez_switches_open(pid, &s), 0);
    shared->go = 1;
}

static void collect(void)
{
    const struct ez_switch *w;
    size_t n = ez_switches_read(s, &w);
    for (size_t i = 0; i < n; i++) {
        ck_assert(!i || w[i].ns >= w[i - 1].ns);
        EZ_PUSH(&seen, w[i]);
    }
}

static void stop(void)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    ez_switches_close(s);
    EZ_VEC_FREE(&seen);
}

static size_t count(uint32_t tid, enum ez_switch_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < seen.n; i++)
        n += seen.at[i].tid == tid && seen.at[i].kind == kind;
    return n;
}

/* Assert that switches out and in alternate. Returns how long the thread slept within [lo, hi]. */
static uint64_t slept_ns(uint32_t tid, uint64_t lo, uint64_t hi)
{
    uint64_t sum = 0, since = 0;
    bool sleeps = false;
    for (size_t i = 0; i < seen.n; i++) {
        const struct ez_switch *w = &seen.at[i];
        if (w->tid != tid || w->ns < lo || w->ns > hi || w->kind > EZ_SWITCH_IN)
            continue;
        if (w->kind == EZ_SWITCH_IN) {
            ck_assert(since);
            sum += sleeps ? w->ns - since : 0;
            since = 0;
        } else {
            ck_assert(!since);
            since = w->ns;
            sleeps = w->kind == EZ_SWITCH_SLEPT;
        }
    }
    return sum;
}

START_TEST(a_thread_that_naps)
{
    start();
    while (!shared->done)
        nap(1000000);
    collect();
    uint64_t slept = slept_ns(shared->thread, shared->before, shared->after);
    ck_assert_uint_ge(slept, (uint64_t)NAPS * NAP_NS);
    ck_assert_uint_le(slept, shared->after - shared->before);
    ck_assert_uint_eq(count(shared->thread, EZ_SWITCH_NAME), 1);
    ck_assert_uint_eq(count(shared->thread, EZ_SWITCH_ENDED), 1);
    for (size_t i = 0; i < seen.n; i++) {
        ck_assert(seen.at[i].tid == (uint32_t)pid || seen.at[i].tid == shared->thread);
        if (seen.at[i].kind == EZ_SWITCH_NAME)
            ck_assert_str_eq(seen.at[i].name, "a name of 15 by");
    }
    ck_assert_uint_eq(ez_switches_lost(s), 0);
    stop();
}
END_TEST

/* The child and this process compete for one processor. */
START_TEST(one_that_is_preempted)
{
    start();
    while (!shared->done)
        nap(1000000);
    for (uint64_t end = now() + 60000000000u; now() < end;) {
        collect();
        if (count((uint32_t)pid, EZ_SWITCH_PREEMPTED) > 2)
            break;
    }
    ck_assert_uint_gt(count((uint32_t)pid, EZ_SWITCH_PREEMPTED), 2);
    stop();
}
END_TEST

/* Nobody reads the ring: records without room are counted, and later records are whole again. */
START_TEST(a_ring_that_is_full)
{
    start();
    while (!shared->done)
        nap(1000000);
    collect();
    ck_assert(!ez_switches_pressed(s));
    uint64_t end = now() + 60000000000u;
    do { /* each time we sleep it is switched in, and out when we wake */
        for (int i = 0; i < 20000; i++)
            nap(1);
        seen.n = 0;
        collect();
        nap(1000000);
        collect();
    } while (!ez_switches_lost(s) && now() < end);
    ck_assert_uint_gt(ez_switches_lost(s), 0);
    seen.n = 0;
    for (int i = 0; i < 100; i++)
        nap(1);
    collect();
    ck_assert_uint_gt(seen.n, 0);
    ck_assert(!ez_switches_pressed(s));
    stop();
}
END_TEST

static bool can_be_asked(void)
{
    struct utsname u;
    return !uname(&u) && atoi(u.release) >= 6;
}

/* The same where no further record comes that would report the loss. */
START_TEST(a_ring_that_is_full_to_the_end)
{
    uint64_t lost = 0;
    if (!can_be_asked()) {
        printf("skip - switches lost at the end: Linux before 6.0 does not tell\n");
        return;
    }
    for (int naps = 10000; !lost && naps < 1000000; naps *= 2) {
        start();
        while (!shared->done)
            nap(1000000);
        for (int i = 0; i < naps; i++)
            nap(1);
        kill(pid, SIGSTOP);
        waitpid(pid, NULL, WUNTRACED);
        collect();
        lost = ez_switches_lost(s);
        stop();
    }
    ck_assert_uint_gt(lost, 0);
}
END_TEST

START_TEST(refusals)
{
    ck_assert_int_eq(ez_switches_open(getpid(), &s), 0);
    ez_switches_close(s);
#ifdef EZ_FAULT_INJECTION
    setenv("EZ_FAULT", "perf:0:EACCES", 1);
    ck_assert_int_eq(ez_switches_open(getpid(), &s), EACCES);
    unsetenv("EZ_FAULT");
#endif
    ck_assert_int_eq(ez_switches_open(0x3fffff, &s), ESRCH);
    ez_switches_close(NULL);
}
END_TEST

int main(void)
{
    struct ez_switches *may;
    int e = ez_switches_open(getpid(), &may);
    if (e) {
        printf("skip - switches: the kernel does not tell: %s\n", strerror(e));
        return 77;
    }
    ez_switches_close(may);
    Suite *suite = suite_create("switches");
    TCase *c = tcase_create("switches");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, a_thread_that_naps);
    tcase_add_test(c, one_that_is_preempted);
    tcase_add_test(c, a_ring_that_is_full);
    tcase_add_test(c, a_ring_that_is_full_to_the_end);
    tcase_add_test(c, refusals);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
