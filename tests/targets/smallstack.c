/* SPDX-License-Identifier: GPL-3.0-or-later */
/* smallstack.c - smallstack [BUDGET]: probed functions run with a little stack left, and a guard page
 * below it. How much of the stack a hit uses is measured: BUDGET bytes at most (512), also the first
 * hit of a thread, hits that find the ring full or entries to reclaim, and those of many threads at
 * once, which wait for a buffer.
 *
 * Prints whether that held; on standard error, how deep the hits went. */
#include "target.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PAINT = 0xa5 };
static unsigned budget = 512, left_over = 1024; /* bytes */

struct ground {
    uint8_t *low; /* the lowest byte of the stack */
    unsigned deepest;
};

NI long proved(long x) /* exits by call-through */
{
    OPAQUE;
    return x + 1;
}

NI long jumping(long x) /* exits by slots: it may leave by a jump */
{
    OPAQUE;
    if (x < 0)
        return proved(x);
    OPAQUE;
    return x + 1;
}

/* Goes back to call_on() without a return. */
long leaving(long x);
__asm__(".text\n.globl leaving\n.type leaving,@function\nleaving:\n\t"
        "lea 1(%rdi),%rax\n\tnop\n\tnop\n\tmov %rbx,%rsp\n\tjmp *%r12\n\t"
        ".size leaving,.-leaving");

/* Calls f(x) with left_over bytes of stack, its return address included. */
static long call_on(struct ground *g, long (*f)(long), long x)
{
    uint8_t *top = g->low + left_over;
    long r;
    memset(g->low, PAINT, left_over);
    __asm__ volatile("mov %%rsp,%%rbx\n\t"
                     "lea 1f(%%rip),%%r12\n\t"
                     "mov %[top],%%rsp\n\t"
                     "call *%[f]\n\t"
                     "1: mov %%rbx,%%rsp"
                     : "=a"(r), "+D"(x)
                     : [top] "r"(top), [f] "r"(f)
                     : "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r12", "memory", "cc");
    unsigned i = 0;
    while (i < left_over && g->low[i] == PAINT)
        i++;
    if (left_over - i > g->deepest)
        g->deepest = left_over - i;
    return r;
}

static struct ground ground(void)
{
    uint8_t *m = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(m, PAGE, PROT_NONE);
    return (struct ground){ .low = m + PAGE };
}

static unsigned long wrong, calls[3];
static unsigned deepest[3];

struct job {
    int which;
    long n;
    pthread_barrier_t *begin; /* NULL: at once */
};

static void *work(void *arg)
{
    static long (*const fn[])(long) = { proved, jumping, leaving };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const struct job *job = arg;
    struct ground g = ground();
    unsigned long off = 0;
    if (job->begin)
        pthread_barrier_wait(job->begin);
    for (long i = 0; i < job->n; i++)
        off += call_on(&g, fn[job->which], i) != i + 1;
    pthread_mutex_lock(&lock);
    wrong += off;
    calls[job->which] += (unsigned long)job->n;
    if (g.deepest > deepest[job->which])
        deepest[job->which] = g.deepest;
    pthread_mutex_unlock(&lock);
    munmap(g.low - PAGE, 3 * PAGE);
    return NULL;
}

static void run(int which, long n) /* in a thread of its own */
{
    pthread_t t;
    struct job job = { .which = which, .n = n };
    pthread_create(&t, NULL, work, &job);
    pthread_join(t, NULL);
}

/* More threads than buffers are ready: some of the first hits wait for a buffer. */
static void crowd(void)
{
    enum { THREADS = 120 };
    pthread_t t[THREADS];
    struct job job[THREADS];
    pthread_barrier_t begin;
    pthread_barrier_init(&begin, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        job[i] = (struct job){ .which = i % 3, .n = 2, .begin = &begin };
        if (pthread_create(&t[i], NULL, work, &job[i]))
            abort();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    pthread_barrier_destroy(&begin);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        budget = (unsigned)atoi(argv[1]);
    left_over = budget + 512;
    bounded();
    for (int i = 0; i < 60; i++) { /* first hits */
        run(i % 3, 1);
        run((i + 1) % 3, 1 + i % 5);
    }
    crowd();
    run(0, 20000); /* sub-buffers end, the ring is full */
    run(1, 20000);
    run(2, 3000); /* entries are reclaimed */
    unsigned most = 0;
    for (int i = 0; i < 3; i++)
        most = deepest[i] > most ? deepest[i] : most;
    printf("wrong %lu, %s\n", wrong, most <= budget ? "within the budget" : "too deep");
    fprintf(stderr, "deepest %u proved %u jumping %u leaving\n", deepest[0], deepest[1],
            deepest[2]);
    claim("count", "proved", calls[0]);
    claim("exits", "proved", calls[0]);
    claim("count", "jumping", calls[1]);
    claim("exits", "jumping", calls[1]);
    claim("count", "leaving", calls[2]);
    claim("exits", "leaving", 0);
    return 0;
}
