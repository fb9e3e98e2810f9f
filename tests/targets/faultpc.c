/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faultpc.c - functions that may fault, and a handler that looks up where. Each returns -1
 * for an address that cannot be read.
 *   listed    its first instruction is in a table of words
 *   second    its second one, whose address the handler forms
 *   compared  its first one, whose address the handler forms as that of any function
 * Prints what each returned. If the handler does not know the address of a fault, it prints
 * "unknown" and ends with status 3. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* clang-format off */
#define FUNCTION(name) ".globl " name "\n.type " name ",@function\n" name ":\n"
#define END(name) ".size " name ",.-" name "\n.balign 16\n"
__asm__(".text\n.balign 16\n"
        FUNCTION("listed") "mov (%rdi),%rax\nadd $1,%rax\nret\n"
        "listed_on: mov $-1,%rax\nret\n" END("listed")
        FUNCTION("second") "xor %eax,%eax\n.globl second_fault\nsecond_fault: mov (%rdi),%rax\n"
        "add $1,%rax\nret\n.globl second_on\nsecond_on: mov $-1,%rax\nret\n" END("second")
        FUNCTION("compared") "mov (%rdi),%rax\nadd $1,%rax\nret\n.globl compared_on\n"
        "compared_on: mov $-1,%rax\nret\n" END("compared")
        ".section .data.rel.ro,\"aw\"\n.balign 8\n.globl table\ntable: .quad listed, listed_on\n.text\n");
/* clang-format on */
long listed(const long *), second(const long *), compared(const long *);
extern const char *table[2];
extern const char second_fault[], second_on[], compared_on[];

static void on_fault(int sig, siginfo_t *si, void *context)
{
    greg_t *pc = &((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const char *at = (const char *)*pc, *on = NULL;
    (void)sig, (void)si;
    if (at == table[0])
        on = table[1];
    if (at == second_fault)
        on = second_on;
    if (at == (const char *)compared)
        on = compared_on;
    if (!on && write(1, "unknown\n", 8))
        _exit(3);
    *pc = (greg_t)on;
}

int main(int argc, char **argv)
{
    struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
    long number = 41;
    const long *volatile bad = (const long *)8;
    sigaction(SIGSEGV, &sa, NULL);
    setbuf(stdout, NULL);
    printf("%ld %ld\n", listed(&number), listed(bad));
    printf("%ld %ld\n", second(&number), second(bad));
    if (argc > 1 && !strcmp(argv[1], "all"))
        printf("%ld %ld\n", compared(&number), compared(bad));
    return 0;
}
