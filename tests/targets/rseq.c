/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rseq.c - functions with a restartable sequence among their first bytes, or not; and a
 * thread that stands in one.
 *   rseq sum     four threads count, each processor in its own cell; prints what was lost
 *   rseq spin    prints "ready", spins in a sequence until SIGUSR1, prints whether it was aborted
 *   rseq known   another thread spins, in a sequence that no section lists */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/rseq.h>
#include <unistd.h>

static struct {
    long n;
    char pad[56];
} cell[4096];
static volatile int stop, aborts;

/* clang-format off */
/* A descriptor of the sequence between start and stop, in the section `where`. */
#define DESCRIPTOR(where, start, stop, abort)                                                      \
    ".pushsection " where ",\"aw\"\n.balign 32\n" start "_cs: .long 0,0\n"                         \
    ".quad " start "," stop "-" start "," abort "\n.popsection\n"
#define FUNCTION(name) ".globl " name "\n.type " name ",@function\n" name ":\n"
#define END(name) ".size " name ",.-" name "\n"
#define SIGNATURE ".byte 0x0f,0xb9,0x3d\n.long 0x53053053\n"

/* long add(struct rseq *, void *cells, void *descriptor): one is added to this processor's
 * cell. The sequence begins far behind the entry, or one instruction behind it. */
__asm__(FUNCTION("adds_behind")
        "lea far_cs(%rip),%rax\nnopl 0(%rax)\nmov %rax,8(%rdi)\n"
        "far: mov 4(%rdi),%eax\nshl $6,%rax\nincq (%rsi,%rax)\n"
        "far_end: xor %eax,%eax\nret\n" SIGNATURE
        "far_abort: mov $1,%eax\nret\n" END("adds_behind")
        DESCRIPTOR("__rseq_cs", "far", "far_end", "far_abort"));
__asm__(FUNCTION("adds_at_once")
        "mov %rdx,8(%rdi)\n"
        "near: mov 4(%rdi),%eax\nshl $6,%rax\nmov (%rsi,%rax),%rcx\ninc %rcx\n"
        "mov %rcx,(%rsi,%rax)\n"
        "near_end: xor %eax,%eax\nret\n" SIGNATURE
        "near_abort: mov $1,%eax\nret\n" END("adds_at_once")
        DESCRIPTOR("__rseq_cs", "near", "near_end", "near_abort") ".globl near_cs\n");
/* Spins until stop. No section lists this sequence; a program need not have the section. */
__asm__(FUNCTION("unlisted")
        "mov %rdx,8(%rdi)\n"
        "here: cmpl $0,(%rsi)\nje here\n"
        "here_end: ret\n" SIGNATURE
        "here_abort: jmp unlisted\n" END("unlisted")
        DESCRIPTOR(".data", "here", "here_end", "here_abort") ".globl here_cs\n");
/* The same; *aborts counts how often the sequence was aborted. */
__asm__(FUNCTION("spin")
        "push %rbx\npush %rbp\n"
        "1: lea spins_cs(%rip),%rax\nmov %rax,8(%rdi)\n"
        "spins: cmpl $0,(%rsi)\nje spins\n"
        "spins_end: pop %rbp\npop %rbx\nret\n" END("spin")
        FUNCTION("signature") SIGNATURE
        "spins_abort: incl (%rdx)\ncmpl $0,(%rsi)\nje 1b\njmp spins_end\n" END("signature")
        DESCRIPTOR("__rseq_cs", "spins", "spins_end", "spins_abort"));
/* clang-format on */

long adds_behind(struct rseq *, void *, void *), adds_at_once(struct rseq *, void *, void *);
void spin(struct rseq *, volatile int *stop, volatile int *aborts);
void unlisted(struct rseq *, volatile int *stop, void *);
extern char near_cs, here_cs;

static struct rseq *mine(void)
{
    return (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

enum { ROUNDS = 3000000 };

static void *count(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        while (adds_behind(mine(), cell, NULL))
            ;
        while (adds_at_once(mine(), cell, &near_cs))
            ;
    }
    return arg;
}

static void caught(int sig)
{
    (void)sig;
    stop = 1;
    aborts = 0;
}

static void ready(void)
{
    printf("ready\n");
    fflush(stdout);
}

static void *stay(void *arg)
{
    ready();
    unlisted(mine(), &stop, &here_cs);
    return arg;
}

static int sum(void)
{
    pthread_t t[4];
    long n = 0;
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 4096; i++)
        n += cell[i].n;
    printf("%ld of %d\n", n, 4 * 2 * ROUNDS);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "sum";
    alarm(150);
    signal(SIGUSR1, caught);
    if (!__rseq_size)
        return 77;
    if (!strcmp(what, "sum"))
        return sum();
    pthread_t t;
    if (!strcmp(what, "known"))
        return pthread_create(&t, NULL, stay, NULL) || pthread_join(t, NULL);
    ready();
    spin(mine(), &stop, &aborts);
    printf("%s\n", aborts == 1 ? "aborted" : "went on");
    return 0;
}
