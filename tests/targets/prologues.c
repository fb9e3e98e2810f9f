/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prologues.c - functions whose first instructions are each a case of their own, for
 * check_measure.sh. Exits 0 when nobody disturbed it:
 *   prologues          waits on a line of standard input, then checks itself
 *   prologues sleep    sleeps a second and says how long it slept
 *   prologues nofork   may not fork (RLIMIT_NPROC)
 *   prologues seccomp  runs under a filter */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* name: body. Each is a function of its own with its size, padded to 16 bytes. */
#define FUNC(name, body)                                                                           \
    __asm__(".pushsection .text\n.balign 16\n.globl " #name "\n.type " #name ", @function\n" #name \
            ":\n" body "\n.size " #name ", . - " #name "\n.balign 16\n.popsection");               \
    long name(long, long)

extern volatile long *counter; /* on a page shared with other processes */
extern volatile long hits;
volatile long *counter;
volatile long hits;

FUNC(plain, "push %rbp\n mov %rsp,%rbp\n sub $0x40,%rsp\n lea (%rdi,%rsi),%rax\n leave\n ret");
FUNC(landing, "endbr64\n push %rbp\n mov %rsp,%rbp\n xor %eax,%eax\n pop %rbp\n ret");
FUNC(relative, "mov hits(%rip),%rax\n add %rdi,%rax\n ret");
FUNC(calls, "push %rbx\n call tiny\n mov %rax,%rbx\n mov %rbx,%rax\n pop %rbx\n ret");
FUNC(taken, "xor %eax,%eax\n je 1f\n mov $1,%eax\n .skip 32,0x90\n 1: ret");
FUNC(taken_near, "xor %eax,%eax\n je 1f\n mov $1,%eax\n 1: ret");
FUNC(not_taken, "test %rsp,%rsp\n je 1f\n mov $1,%eax\n 1: ret");
FUNC(system_call, "xor %edi,%edi\n mov %esi,%eax\n syscall\n ret\n nop");
FUNC(shared_store, "push %rbx\n incq 0x10000000\n pop %rbx\n xor %eax,%eax\n ret");
FUNC(shared_first, "movq $1,0x10000000\n ret"); /* the page is mapped there */
FUNC(tiny, "xor %eax,%eax\n ret");
__asm__(".pushsection .text\n.globl one_byte\n.type one_byte, @function\none_byte: ret\n.size "
        "one_byte, 1\n.globl behind\n.type behind, @function\nbehind: ret\n.size behind, "
        "1\n.popsection");
FUNC(traps, "push %rbp\n ud2\n nopl 0(%rax)");
FUNC(repeats, "rep stosb\n mov $7,%eax\n ret");

static volatile sig_atomic_t children;

static void on_child(int sig)
{
    (void)sig;
    children++;
}

static int undisturbed(void)
{
    int bad = 0;
    bad |= *counter != 0;
    bad |= children != 0;
    bad |= waitpid(-1, NULL, WNOHANG | __WALL) != -1; /* no child of any kind */
    bad |= plain(40, 2) != 42;
    bad |= relative(5, 0) != 5;
    bad |= shared_store(0, 0) != 0 || *counter != 1;
    return bad;
}

static int sleep_a_second(void)
{
    struct timespec a, b, second = { 1, 0 };
    clock_gettime(CLOCK_MONOTONIC, &a);
    puts("sleeping");
    fflush(stdout);
    int r = nanosleep(&second, NULL);
    clock_gettime(CLOCK_MONOTONIC, &b);
    double slept = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
    printf("slept %.1f, answer %d\n", slept, r);
    return r || slept < 1.0;
}

static void no_more_processes(void)
{
    struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_NPROC, &none);
}

static void filter_nothing(void)
{
    struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog prog = { 1, &allow };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

int main(int argc, char **argv)
{
    char line[16];
    const char *mode = argc > 1 ? argv[1] : "";
    struct sigaction sa = { .sa_handler = on_child };
    sigaction(SIGCHLD, &sa, NULL);
    counter = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (counter == MAP_FAILED)
        return 99;
    if (!strcmp(mode, "sleep"))
        return sleep_a_second() | undisturbed();
    if (!strcmp(mode, "nofork"))
        no_more_processes();
    if (!strcmp(mode, "seccomp"))
        filter_nothing();
    puts("ready");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return 98;
    return undisturbed();
}
