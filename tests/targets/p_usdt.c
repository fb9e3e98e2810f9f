/* SPDX-License-Identifier: MIT */
/* p_usdt.c - USDT probes (sdt.h).
 *
 *   p_usdt work N              N hits of app:work, if its counter is up, and of app:plain
 *   p_usdt forms               a hit of app:forms and app:more, with an argument of each form
 *   p_usdt threads N FILE      N threads hit app:work until FILE exists
 *   p_usdt fork N              a child, then N hits in each of the two
 *   p_usdt loads LIB N FILE... N times: waits for the next FILE, loads LIB, makes 10 hits in it, closes it
 *
 * At the end prints "count PROBE HITS" (hits that the program itself counted) and the counters on
 * standard error. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "keep.h"
#include "sdt.h"
#include "target.h"

SDT_SEMAPHORE(app_work_semaphore);
SDT_SEMAPHORE(app_twice_semaphore);
static __thread unsigned long worked, plain, twice;
static unsigned long all_worked, all_plain;

KEEP static long work(long i, const char *name)
{
    if (app_work_semaphore) {
        worked++;
        __asm__ volatile(
            SDT("app", "work", "app_work_semaphore", "-4@%k0 8@%1 -8@%2") "nop; nop; nop; nop"
            :
            : "nor"(i), "nor"(name), "nor"(i * 3)
            : "memory");
    }
    plain++;
    __asm__ volatile(SDT("app", "plain", "0", "") "nop; nop; nop; nop" ::: "memory");
    return i + 1;
}

KEEP static void two_places(int i)
{
    if (!app_twice_semaphore)
        return;
    twice++;
    if (i & 1)
        __asm__ volatile(
            SDT("app", "twice", "app_twice_semaphore", "-4@$1 -4@%0") "nop; nop; nop; nop"
            :
            : "r"(i));
    else
        __asm__ volatile(
            SDT("app", "twice", "app_twice_semaphore", "-4@$2 -4@%0") "nop; nop; nop; nop"
            :
            : "r"(i));
}

static const struct {
    long wide;
    int word[4];
    short half;
    signed char byte[2];
    float real;
    double longer;
} table __attribute__((used)) = { -2, { 10, -11, 12, 13 }, -300, { -7, 8 }, 1.5f, -2.25 };

KEEP static void forms(void)
{
    __asm__ volatile(
        "mov $0x1122334455667788, %%rax\n"
        "mov $-5, %%r12\n"
        "lea %0, %%rbx\n"
        "mov $3, %%ecx\n"
        "mov $0x3ff8000000000000, %%rdx\n"
        "movq %%rdx, %%xmm9\n" SDT(
            "app", "forms", "0",
            "8@%%rax 4@%%eax 2@%%ax 1@%%al -1@%%ah -4@%%r12d "
            "1@%%cl -8@(%%rbx) -4@12(%%rbx) 4@8(%%rbx,%%rcx,4) "
            "-4@$-5 8@$549755813887") "nop; nop; nop; nop\n" SDT("app", "more", "0",
                                                                 "-2@24(%%rbx) -1@24+2+0(%%rbx) "
                                                                 "8f@%%xmm9 4f@28(%%rbx) "
                                                                 "8f@32(%%rbx) "
                                                                 "-8@table(%%rip) "
                                                                 "-4@8+table(%%rip) 2@%%r12w "
                                                                 "4@%%r12d 8@%%r12 -2@-8+32(%%rbx) "
                                                                 "1@%%r12b") "nop; nop; nop; nop\n"
        :
        : "m"(table)
        : "rax", "rbx", "rcx", "rdx", "r12", "xmm9", "memory");
}

static void loop(long n)
{
    for (long i = 0; i < n; i++) {
        work(i, i & 1 ? "odd" : "even");
        two_places((int)i);
    }
    __sync_fetch_and_add(&all_worked, worked);
    __sync_fetch_and_add(&all_plain, plain);
}

static const char *stop;

static void *thread(void *arg)
{
    while (access(stop, F_OK))
        for (long i = 0; i < 1000; i++)
            work(i, "thread");
    loop(0);
    return arg;
}

static void threads(int n)
{
    pthread_t t[64];
    n = n < 64 ? n : 64;
    for (int i = 0; i < n; i++)
        if (pthread_create(&t[i], NULL, thread, NULL))
            exit(2);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
}

static int loads(const char *lib, int n, char **file)
{
    for (int r = 0; r < n; r++) {
        while (access(file[r], F_OK))
            usleep(1000);
        void *h = dlopen(lib, RTLD_NOW);
        long (*hits)(long) = h ? (long (*)(long))dlsym(h, "usdt_hits") : NULL;
        if (!hits)
            return 2;
        claim("count", "lib:hit", (unsigned long)hits(10));
        dlclose(h);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 0;
    int rc = 0;
    bounded();
    if (!strcmp(what, "work"))
        loop(n);
    else if (!strcmp(what, "forms"))
        forms();
    else if (!strcmp(what, "threads")) {
        stop = argv[3];
        threads((int)n);
    } else if (!strcmp(what, "loads"))
        rc = loads(argv[2], atoi(argv[3]), argv + 4);
    else if (!strcmp(what, "fork")) {
        pid_t child = fork();
        loop(n);
        if (child && waitpid(child, NULL, 0) != child)
            rc = 2;
        if (!child)
            what = "child";
    }
    fprintf(stderr, "%s: counters %d %d\n", what, app_work_semaphore, app_twice_semaphore);
    claim("count", "app:work", all_worked);
    claim("count", "app:plain", all_plain);
    claim("count", "app:twice", twice);
    return rc;
}
