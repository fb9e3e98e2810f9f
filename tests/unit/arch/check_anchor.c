/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_anchor.c - a thread that is let go of inside an anchor (engine/anchor.c) goes on
 * where it was, with every register and flag, and its red zone. */
#include <check.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "tests/unit/suite.h"

struct spin {
    volatile uint64_t go;   /* leaves the loop                                    */
    uint64_t reg[14];       /* rax rbx rcx rdx rsi rbp r8..r15, as they were then */
    uint64_t flags, low[2]; /* and the ends of the red zone                       */
    volatile uint64_t in;   /* it is in the loop                                  */
};

/* Fills registers, flags and red zone, then waits without changing any but rcx. */
void anchor_spin(struct spin *s);
__asm__(".text\n.globl anchor_spin\n.type anchor_spin,@function\nanchor_spin:\n"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        "mov $0x1001,%rax; mov $0x1002,%rbx; mov $0x1004,%rdx; mov $0x1005,%rsi\n"
        "mov $0x1006,%rbp; mov $0x1008,%r8; mov $0x1009,%r9; mov $0x100a,%r10\n"
        "mov $0x100b,%r11; mov $0x100c,%r12; mov $0x100d,%r13; mov $0x100e,%r14\n"
        "mov $0x100f,%r15\n"
        "movq $0x77,-8(%rsp); movq $0x78,-128(%rsp)\n"
        "stc; std\n"
        "movq $1,144(%rdi)\n"
        "1: mov (%rdi),%rcx; jrcxz 1b\n"
        "mov %rax,8(%rdi); mov %rbx,16(%rdi); mov %rcx,24(%rdi); mov %rdx,32(%rdi)\n"
        "mov %rsi,40(%rdi); mov %rbp,48(%rdi); mov %r8,56(%rdi); mov %r9,64(%rdi)\n"
        "mov %r10,72(%rdi); mov %r11,80(%rdi); mov %r12,88(%rdi); mov %r13,96(%rdi)\n"
        "mov %r14,104(%rdi); mov %r15,112(%rdi)\n"
        "mov -8(%rsp),%rax; mov %rax,128(%rdi); mov -128(%rsp),%rax; mov %rax,136(%rdi)\n"
        "pushf; pop %rax; mov %rax,120(%rdi); cld\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
        "ret\n.size anchor_spin,.-anchor_spin\n");
_Static_assert(offsetof(struct spin, flags) == 120 && offsetof(struct spin, in) == 144, "");

static void regs(int request, pid_t pid, struct ez_regs *r)
{
    struct iovec iov = { r, ez_arch_host()->regs_size };
    ck_assert_int_eq(ptrace(request, pid, (void *)1 /* NT_PRSTATUS */, &iov), 0);
}

static void stop(pid_t pid)
{
    int status;
    ck_assert_int_eq(ptrace(PTRACE_SEIZE, pid, 0, 0), 0);
    ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, pid, 0, 0), 0);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFSTOPPED(status));
}

/* The child is stopped: put it into the anchor with a getpid(), and be gone. */
static void abandon_in(pid_t pid, uint8_t *page)
{
    const struct ez_arch *a = ez_arch_host();
    uint64_t arg[6] = { 11, 12, 13, 14, 15, 16 };
    struct ez_regs r;
    uint8_t block[EZ_ANCHOR_BYTES];
    uint64_t mask, all = ~0ull;
    regs(PTRACE_GETREGSET, pid, &r);
    ck_assert_int_eq(ptrace(PTRACE_GETSIGMASK, pid, 8, &mask), 0);
    a->anchor(block, &r, mask);
    memcpy(page, block, sizeof block);
    a->prepare_syscall(&r, (uint64_t)page, SYS_getpid, arg);
    regs(PTRACE_SETREGSET, pid, &r);
    ck_assert_int_eq(ptrace(PTRACE_SETSIGMASK, pid, 8, &all), 0);
    ck_assert_int_eq(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
}

/* Shared, so that the parent can write what the child executes. */
static uint8_t *shared_page(int prot)
{
    void *p = mmap(NULL, EZ_PAGE, prot, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(p, MAP_FAILED);
    return p;
}

/* The signals that it holds back. */
static unsigned long long blocked(pid_t pid)
{
    char path[64], line[128];
    unsigned long long mask = 0;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f))
        sscanf(line, "SigBlk: %llx", &mask);
    fclose(f);
    return mask;
}

START_TEST(everything_is_as_it_was)
{
    uint8_t *page = shared_page(PROT_READ | PROT_WRITE | PROT_EXEC);
    struct spin *s = (struct spin *)shared_page(PROT_READ | PROT_WRITE);
    static const uint64_t want[14] = { 0x1001, 0x1002, 5,      0x1004, 0x1005, 0x1006, 0x1008,
                                       0x1009, 0x100a, 0x100b, 0x100c, 0x100d, 0x100e, 0x100f };
    int status;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (!pid) {
        anchor_spin(s);
        _exit(0);
    }
    while (!s->in)
        usleep(100);
    for (int i = 0; i < 20;) {
        struct ez_regs r;
        stop(pid);
        regs(PTRACE_GETREGSET, pid, &r);
        if (ez_arch_host()->pc(&r) - (uint64_t)page < EZ_PAGE) { /* still in the last one */
            ck_assert_int_eq(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
            usleep(100);
            continue;
        }
        abandon_in(pid, page);
        i++;
    }
    while (blocked(pid) != blocked(getpid()))
        usleep(100);
    s->go = 5;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && !WEXITSTATUS(status));
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++)
        ck_assert_uint_eq(s->reg[i], want[i]);
    ck_assert_uint_eq(s->low[0], 0x77);
    ck_assert_uint_eq(s->low[1], 0x78);
    ck_assert_uint_eq(s->flags & 0x401, 0x401); /* DF, CF */
}
END_TEST

START_TEST(an_interrupted_sleep_begins_anew)
{
    uint8_t *page = shared_page(PROT_READ | PROT_WRITE | PROT_EXEC);
    volatile uint64_t *asleep = (uint64_t *)shared_page(PROT_READ | PROT_WRITE);
    int status;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (!pid) {
        struct timespec t = { .tv_nsec = 300000000 }, left = { .tv_nsec = 1 };
        *asleep = 1;
        long r = syscall(SYS_nanosleep, &t, &left);
        _exit(r ? errno : 0);
    }
    const struct ez_arch *a = ez_arch_host();
    struct ez_regs r;
    do { /* until it was caught in the sleep, or that is over */
        stop(pid);
        regs(PTRACE_GETREGSET, pid, &r);
        if (a->syscall_nr(&r) == SYS_nanosleep)
            break;
        ck_assert_int_eq(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
        usleep(1000);
    } while (true);
    abandon_in(pid, page);
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("anchor");
    TCase *c = tcase_create("anchor");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, everything_is_as_it_was);
    tcase_add_test(c, an_interrupted_sleep_begins_anew);
    suite_add_tcase(s, c);
    return run_suite(s);
}
