/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_restorer.c - a thread that is let go of inside a restorer (engine/inferior/restorer.c) goes on
 * where it was, with every register and flag, and its red zone: after a system call, a copy of
 * the process (which ends), and a call that spoils what a function may. */
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
    volatile uint64_t go;   /* not 0 = the loop ends                              */
    uint64_t reg[14];       /* rax rbx rcx rdx rsi rbp r8..r15, as they were then */
    uint64_t flags, low[2]; /* and the ends of the red zone                       */
    volatile uint64_t in;   /* not 0 = the thread is in the loop                  */
    uint64_t vec[2];        /* xmm5, xmm15                                        */
    double x87;             /* the top of its stack                               */
};

/* Fills registers, flags and red zone, then waits without changing any but rcx. */
void restorer_spin(struct spin *s);
__asm__(".text\n.globl restorer_spin\n.type restorer_spin,@function\nrestorer_spin:\n"
        "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        "mov $0x1001,%rax; mov $0x1002,%rbx; mov $0x1004,%rdx; mov $0x1005,%rsi\n"
        "mov $0x1006,%rbp; mov $0x1008,%r8; mov $0x1009,%r9; mov $0x100a,%r10\n"
        "mov $0x100b,%r11; mov $0x100c,%r12; mov $0x100d,%r13; mov $0x100e,%r14\n"
        "mov $0x100f,%r15\n"
        "movq $0x77,-8(%rsp); movq $0x78,-128(%rsp)\n"
        "movq %rax,%xmm5; movq %r15,%xmm15; fldpi\n"
        "stc; std\n"
        "movq $1,144(%rdi)\n"
        "1: mov (%rdi),%rcx; jrcxz 1b\n"
        "mov %rax,8(%rdi); mov %rbx,16(%rdi); mov %rcx,24(%rdi); mov %rdx,32(%rdi)\n"
        "mov %rsi,40(%rdi); mov %rbp,48(%rdi); mov %r8,56(%rdi); mov %r9,64(%rdi)\n"
        "mov %r10,72(%rdi); mov %r11,80(%rdi); mov %r12,88(%rdi); mov %r13,96(%rdi)\n"
        "mov %r14,104(%rdi); mov %r15,112(%rdi)\n"
        "mov -8(%rsp),%rax; mov %rax,128(%rdi); mov -128(%rsp),%rax; mov %rax,136(%rdi)\n"
        "movq %xmm5,152(%rdi); movq %xmm15,160(%rdi); fstpl 168(%rdi)\n"
        "pushf; pop %rax; mov %rax,120(%rdi); cld\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
        "ret\n.size restorer_spin,.-restorer_spin\n");
_Static_assert(offsetof(struct spin, flags) == 120 && offsetof(struct spin, in) == 144 &&
                   offsetof(struct spin, vec) == 152 && offsetof(struct spin, x87) == 168,
               "");

static void regs(int request, pid_t pid, struct ez_regs *r)
{
    struct iovec iov = { r, ez_arch_host()->regs.size };
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

static const struct ez_arch *arch;
static uint8_t *page;             /* with the block, and what it needs */
static volatile uint64_t *called; /* shared: by the target's spoil() */

/* Changes all registers that a function may change. */
static void spoil(uint64_t a, uint64_t b)
{
    __asm__ volatile("fninit; fld1; pcmpeqd %%xmm0,%%xmm0; pcmpeqd %%xmm5,%%xmm5\n"
                     "pcmpeqd %%xmm15,%%xmm15; xor %%eax,%%eax; mov $1,%%r8d; mov $2,%%r9d\n"
                     "mov $3,%%r10d; mov $4,%%r11d; cmp %%eax,%%eax" ::
                         : "rax", "r8", "r9", "r10", "r11", "xmm0", "xmm5", "xmm15", "cc", "st");
    *called += a == 11 && b == 12 && !((uint64_t)__builtin_frame_address(0) & 15);
}

/* Put the stopped child into a block, and let go of it, as a shell that dies would. */
static void abandon_in(pid_t pid, enum ez_restored what)
{
    const uint64_t arg[6] = { 11, 12, 13, 14, 15, 16 }, clone[6] = { 0 };
    struct ez_regs r, back;
    struct ez_restorer restorer = { .what = what, .back = &back, .func = (uint64_t)spoil };
    uint64_t all = ~0ull;
    struct iovec extended = { page + EZ_RESTORER_BYTES, 16384 };
    regs(PTRACE_GETREGSET, pid, &r);
    back = r;
    ck_assert_int_eq(ptrace(PTRACE_GETSIGMASK, pid, 8, &restorer.mask), 0);
    ck_assert_int_eq(
        ptrace(PTRACE_GETREGSET, pid, (void *)(long)arch->regs.extended_regset, &extended), 0);
    arch->restorer.write(page, &restorer);
    if (what == EZ_RESTORED_CALL)
        arch->abi.prepare_call(&r, (uint64_t)page, arg, 2);
    else
        arch->syscall.prepare(&r, (uint64_t)page, what == EZ_RESTORED_COPY ? SYS_clone : SYS_getpid,
                              what == EZ_RESTORED_COPY ? clone : arg);
    regs(PTRACE_SETREGSET, pid, &r);
    ck_assert_int_eq(ptrace(PTRACE_SETSIGMASK, pid, 8, &all), 0);
    ck_assert_int_eq(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
}

/* Shared, so that the parent can write what the child executes. */
static uint8_t *shared_page(int prot)
{
    void *p = mmap(NULL, 5 * EZ_PAGE, prot, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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

/* One that changes nothing until it is let out of its loop. */
static pid_t spinner(struct spin *s)
{
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (!pid) {
        restorer_spin(s);
        _exit(0);
    }
    while (!s->in)
        usleep(100);
    return pid;
}

static bool has_children(pid_t pid)
{
    char path[64];
    int child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    bool some = fscanf(f, "%d", &child) == 1;
    fclose(f);
    return some;
}

/* Stop it outside the block. It is left alone longer each time: where much else runs, one that
 * is stopped again at once never gets on. */
static void catch_at_home(pid_t pid)
{
    struct ez_regs r;
    for (useconds_t rest = 100;; usleep(rest), rest = rest < 100000 ? 2 * rest : rest) {
        stop(pid);
        regs(PTRACE_GETREGSET, pid, &r);
        if (arch->regs.pc(&r) - (uint64_t)page >= EZ_RESTORER_BYTES)
            return;
        ck_assert_int_eq(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
    }
}

static void is_as_it_was(const struct spin *s)
{
    static const uint64_t want[14] = { 0x1001, 0x1002, 5,      0x1004, 0x1005, 0x1006, 0x1008,
                                       0x1009, 0x100a, 0x100b, 0x100c, 0x100d, 0x100e, 0x100f };
    for (size_t i = 0; i < EZ_ARRAY_LEN(want); i++)
        ck_assert_uint_eq(s->reg[i], want[i]);
    ck_assert_uint_eq(s->low[0], 0x77);
    ck_assert_uint_eq(s->low[1], 0x78);
    ck_assert_uint_eq(s->flags & 0x401, 0x401); /* DF, CF */
    ck_assert_uint_eq(s->vec[0], 0x1001);
    ck_assert_uint_eq(s->vec[1], 0x100f);
    ck_assert(s->x87 > 3.14159 && s->x87 < 3.1416);
}

enum { TIMES = 20 };

START_TEST(everything_is_as_it_was)
{
    struct spin *s = (struct spin *)shared_page(PROT_READ | PROT_WRITE);
    called = (uint64_t *)shared_page(PROT_READ | PROT_WRITE);
    int status;
    pid_t pid = spinner(s);
    for (int i = 0; i < TIMES; i++) {
        catch_at_home(pid);
        abandon_in(pid, (enum ez_restored)_i);
    }
    catch_at_home(pid);
    ck_assert_int_eq(ptrace(PTRACE_DETACH, pid, 0, 0), 0);
    ck_assert_uint_eq(blocked(pid), blocked(getpid()));
    ck_assert(!has_children(pid));
    ck_assert_uint_eq(*called, _i == EZ_RESTORED_CALL ? TIMES : 0);
    s->go = 5;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert(WIFEXITED(status) && !WEXITSTATUS(status));
    is_as_it_was(s);
}
END_TEST

/* The number of the system call that a process sleeps in, -1 = it does not. */
static int asleep_in(pid_t pid)
{
    char path[64];
    int nr = -1;
    snprintf(path, sizeof path, "/proc/%d/syscall", pid);
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    if (fscanf(f, "%d", &nr) != 1)
        nr = -1; /* "running" */
    fclose(f);
    return nr;
}

/* A sleep goes on for the rest of its time: as the kernel does it, by restart_syscall. */
START_TEST(an_interrupted_sleep_goes_on)
{
    called = (uint64_t *)shared_page(PROT_READ | PROT_WRITE);
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (!pid) {
        struct timespec t = { .tv_sec = 1000 };
        syscall(SYS_nanosleep, &t, NULL);
        _exit(1);
    }
    while (asleep_in(pid) != SYS_nanosleep)
        usleep(100);
    stop(pid);
    abandon_in(pid, (enum ez_restored)_i);
    while (asleep_in(pid) != SYS_nanosleep && asleep_in(pid) != SYS_restart_syscall)
        usleep(100);
    ck_assert_int_eq(asleep_in(pid), SYS_restart_syscall);
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

/* Another shell reads where the thread goes home (engine/inferior/sleep_block.c). */
START_TEST(home_is_read_from_the_block)
{
    struct spin *s = (struct spin *)shared_page(PROT_READ | PROT_WRITE);
    struct ez_regs back, r = { { 0 } };
    uint8_t block[EZ_RESTORER_BYTES], spare[EZ_RESTORER_SPARE_BYTES];
    uint64_t mask = 0, va, vb;
    pid_t pid = spinner(s);
    stop(pid);
    regs(PTRACE_GETREGSET, pid, &back);
    struct ez_restorer a = { .what = EZ_RESTORED_SYSCALL,
                             .back = &back,
                             .mask = 0x1234567890ull,
                             .func = arch->regs.pc(&back),
                             .at = arch->regs.pc(&back) & ~63ull };
    arch->restorer.write(block, &a);
    ck_assert_int_eq(arch->restorer.left(block), EZ_RESTORED_SYSCALL);
    memset(spare, 0x5a, sizeof spare);
    memcpy(block + EZ_RESTORER_SPARE, spare, sizeof spare);
    ck_assert_int_eq(arch->restorer.left(block), EZ_RESTORED_SYSCALL);
    r = back;
    arch->syscall.prepare(&r, (uint64_t)page, SYS_nanosleep, (uint64_t[6]){ 1, 2, 3, 4, 5, 6 });
    ck_assert(arch->trial.differs(&back, &r, &va, &vb) != NULL);
    arch->restorer.home(block, &r, &mask);
    ck_assert_uint_eq(mask, 0x1234567890ull);
    ck_assert_uint_eq(arch->regs.pc(&r), arch->regs.pc(&back));
    const char *other = arch->trial.differs(&back, &r, &va, &vb);
    ck_assert_msg(!other, "%s", other);
    kill(pid, SIGKILL);
    ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

static void set_up(void)
{
    arch = ez_arch_host();
    page = shared_page(PROT_READ | PROT_WRITE | PROT_EXEC);
}

int main(void)
{
    if (!proc_there("check_restorer"))
        return 77;
    Suite *s = suite_create("restorer");
    TCase *c = tcase_create("restorer");
    tcase_set_timeout(c, 60);
    tcase_add_checked_fixture(c, set_up, NULL);
    tcase_add_loop_test(c, everything_is_as_it_was, EZ_RESTORED_SYSCALL, EZ_RESTORED_CALL + 1);
    tcase_add_test(c, home_is_read_from_the_block);
    tcase_add_loop_test(c, an_interrupted_sleep_goes_on, EZ_RESTORED_SYSCALL, EZ_RESTORED_CALL + 1);
    suite_add_tcase(s, c);
    return run_suite(s);
}
