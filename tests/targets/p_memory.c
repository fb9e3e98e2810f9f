/* SPDX-License-Identifier: GPL-3.0-or-later */
/* p_memory.c - allocates in all ways, and knows what: the memory module's test.
 *   p_memory THREADS N KEPT    each thread does N rounds; at the end KEPT blocks are left
 * Says how many calls there were, how many blocks were freed, and how many usable bytes are left.
 * What libc allocates for itself is the same for every N and KEPT. */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 8 };
struct count {
    unsigned long malloc, calloc, realloc, aligned, free;
    long bytes;
};
static struct count count[MOST];
static unsigned long rounds;
static volatile sig_atomic_t signals;
static int wrong;

static void *got(struct count *c, void *p)
{
    if (p)
        c->bytes += (long)malloc_usable_size(p);
    return p;
}

static void drop(struct count *c, void *p)
{
    if (p) {
        c->bytes -= (long)malloc_usable_size(p);
        c->free++;
    }
    free(p);
}

/* Through volatile pointers, so that the compiler keeps the odd calls. */
static void *(*volatile re)(void *, size_t) = realloc;
static void *(*volatile ma)(size_t) = malloc;
static void *(*volatile ca)(size_t, size_t) = calloc;

static void *resize(struct count *c, void *p, size_t n)
{
    long was = p ? (long)malloc_usable_size(p) : 0;
    void *q = re(p, n);
    c->realloc++;
    if (q || !n)
        c->bytes -= was;
    return got(c, q);
}

static void one_round(struct count *c, unsigned long i)
{
    void *p = got(c, ma(i % 300 + 1)), *q = got(c, ca(i % 7, 40)), *r = NULL;
    c->malloc++;
    c->calloc++;
    p = resize(c, p, 5000);
    p = resize(c, p, 10);
    r = resize(c, NULL, 77);
    if (resize(c, r, 0)) /* this frees it */
        wrong = 1;
    q = resize(c, q, i % 50 == 3 ? 400000 : 90); /* by mmap */
    drop(c, p);
    drop(c, q);
    drop(c, NULL);
    if (posix_memalign(&p, 64, 100))
        wrong = 1;
    drop(c, got(c, p));
    drop(c, got(c, aligned_alloc(256, 512)));
    drop(c, got(c, memalign(8, 10)));
    drop(c, got(c, valloc(100)));
    drop(c, got(c, pvalloc(100)));
    c->aligned += 5;
    p = ma((size_t)PTRDIFF_MAX + 1); /* fails */
    c->malloc++;
    if (p)
        wrong = 1;
    p = got(c, strdup("a text"));
    c->malloc++;
    drop(c, p);
    if (c == &count[0] && i == 3)
        raise(SIGUSR1);
}

/* The thread is in none of these functions: raise() came from the program. */
static void handler(int sig)
{
    struct count *c = &count[MOST - 1];
    void *p = got(c, ma(1000));
    c->malloc++;
    drop(c, p);
    signals++;
}

static void *work(void *arg)
{
    for (unsigned long i = 0; i < rounds; i++)
        one_round(arg, i);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[MOST];
    int n = atoi(argv[1]), kept = atoi(argv[3]);
    rounds = strtoul(argv[2], NULL, 10);
    signal(SIGUSR1, handler);
    for (int i = 1; i < n; i++)
        pthread_create(&t[i], NULL, work, &count[i]);
    work(&count[0]);
    for (int i = 1; i < n; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < kept; i++) {
        void *volatile p = got(&count[0], ma(123));
        count[0].malloc++;
        (void)p;
    }
    char *m = mmap(NULL, 10 * 4096 + 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(m + 8 * 4096, 4096);
    struct count all = { 0 };
    for (int i = 0; i < MOST; i++) {
        all.malloc += count[i].malloc;
        all.calloc += count[i].calloc;
        all.realloc += count[i].realloc;
        all.aligned += count[i].aligned;
        all.free += count[i].free;
        all.bytes += count[i].bytes;
    }
    char said[200];
    int len = snprintf(
        said, sizeof said,
        "malloc %lu\ncalloc %lu\nrealloc %lu\naligned %lu\nfree %lu\nbytes %ld\n%s\n", all.malloc,
        all.calloc, all.realloc, all.aligned, all.free, all.bytes, wrong ? "wrong" : "right");
    return write(1, said, (size_t)len) != len || wrong;
}
