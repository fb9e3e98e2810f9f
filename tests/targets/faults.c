/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faults.c - functions that are special in other ways than by their bytes: what an IFUNC's
 * resolver chose, aliases, functions that never return, symbols without a size, a red zone
 * in use, aligned vectors. (doc/FAULTS.md has the numbers.)
 * faults STOP READY: handles SIGTRAP itself, makes READY, runs until STOP exists. */
#include "target.h"

#include <emmintrin.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* fault 9: calls go to the implementation, the symbol is the resolver's */
static long chosen_a(long x)
{
    OPAQUE;
    return x + 1;
}
long chosen_b(long x);
NI long chosen_b(long x)
{
    OPAQUE;
    return x + 2;
}
typedef long function(long);
static volatile int never;
static function *choose(void)
{
    return never ? chosen_a : chosen_b;
}
long chosen(long x) __attribute__((ifunc("choose")));

/* fault 10: two names, one function */
NI long one_name(long x)
{
    OPAQUE;
    return x * 3;
}
long other_name(long x) __attribute__((alias("one_name")));

/* fault 13: functions that are entered and never left */
NI void *thread_ends(void *arg)
{
    OPAQUE;
    pthread_exit(arg);
}
NI void program_ends(void)
{
    OPAQUE;
    exit(23);
}

/* fault 14: a symbol without .type and .size */
long sizeless(long x);
__asm__(
    ".text\n.balign 16\n.globl sizeless\nsizeless: lea 7(%rdi),%rax\nnop\nnop\nret\n.balign 16");

/* fault 27: the words below the stack pointer are in use at `red_zone + N`, whatever N */
long red_zone(long x);
__asm__(".text\n.balign 16\n.globl red_zone\n.type red_zone,@function\nred_zone:\n"
        "mov %rdi,-8(%rsp)\nmov %rdi,-16(%rsp)\nmov %rdi,-64(%rsp)\nmov %rdi,-128(%rsp)\n"
        ".globl red_zone_used\nred_zone_used:\n"
        "nop\nnop\nnop\nnop\nnop\nnop\nnop\nnop\n"
        "mov -8(%rsp),%rax\nadd -16(%rsp),%rax\nadd -64(%rsp),%rax\nadd -128(%rsp),%rax\nret\n"
        ".size red_zone,.-red_zone\n.balign 16");

/* fault 34: movaps faults where the stack is not aligned */
NI long aligned(long x)
{
    __m128i v[2] = { _mm_set1_epi64x(x), _mm_set1_epi64x(x + 1) };
    __asm__ volatile("movaps %0,%%xmm0; movaps %%xmm0,%1" : "+m"(v[0]), "+m"(v[1])::"xmm0");
    return (long)_mm_cvtsi128_si64(v[1]);
}

static volatile sig_atomic_t own_traps;
static void on_trap(int sig)
{
    (void)sig;
    own_traps++;
}

/* A program that handles SIGTRAP itself: signals that it sends, and its own breakpoints. */
static int traps(const char *stop, const char *ready)
{
    long rounds = 0, wrong = 0;
    struct sigaction sa = { .sa_handler = on_trap, .sa_flags = SA_NODEFER };
    sigaction(SIGTRAP, &sa, NULL); /* else no trap could be planted during the handler */
    close(open(ready, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    for (; access(stop, F_OK) || rounds < 100; rounds++) {
        raise(SIGTRAP);
        wrong += one_name(rounds) != 3 * rounds;
        __asm__ volatile("int3");
    }
    printf("%s, wrong %ld\n", own_traps == 2 * rounds ? "all its traps" : "other traps", wrong);
    return 24;
}

int main(int argc, char **argv)
{
    enum { N = 1000 };
    unsigned long sum = 0;
    pthread_t t;
    bounded();
    if (argc > 2)
        return traps(argv[1], argv[2]);
    for (long i = 0; i < N; i++) {
        sum = sum * 31 + (unsigned long)chosen(i);
        sum = sum * 31 + (unsigned long)(one_name(i) + other_name(i));
        sum = sum * 31 + (unsigned long)sizeless(i);
        sum = sum * 31 + (unsigned long)red_zone(i);
        sum = sum * 31 + (unsigned long)aligned(i);
    }
    for (int i = 0; i < 3; i++)
        if (!pthread_create(&t, NULL, thread_ends, NULL))
            pthread_join(t, NULL);
    printf("sum %lx\n", sum);
    claim("count", "chosen_b", N);
    claim("exits", "chosen_b", N);
    claim("count", "one_name", 2 * N);
    claim("exits", "one_name", 2 * N);
    claim("count", "sizeless", N);
    claim("count", "red_zone", N);
    claim("count", "aligned", N);
    claim("exits", "aligned", N);
    claim("count", "thread_ends", 3);
    claim("exits", "thread_ends", 0);
    claim("count", "program_ends", 1);
    claim("exits", "program_ends", 0);
    program_ends();
}
