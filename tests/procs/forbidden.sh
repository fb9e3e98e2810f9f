#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# forbidden.sh - (fault 95) programs that forbid what the runtime does: reading the time stamp counter (PR_SET_TSC), system calls
# (syscall user dispatch, as Wine), a thread pointer. They end as without probes, or planting is refused.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc
[ "$(uname -m)" = x86_64 ] || { skip "forbidden: not x86-64"; finish; }
runs() { # NAME SCRIPT-COMMAND PROGRAM CALLS: as without probes, f counted exactly
    "$3" >n.out 2>&1
    n=$?
    rm -f ./*.fxt
    batch -return-child-result -ex "$2" -ex 'probe f' -ex 'run >t.out' -ex 'info probes' -ex 'info trace' "$3"
    check "$1: output and status are the native ones" same "$rc $(cat t.out)" "$n $(cat n.out)"
    check "$1: f is counted" same "$(hits 1)" "$4"
    check "$1: the ledger adds up" ledger_ok
}
attached() { # NAME PROGRAM PATTERN: it waits for a line; the same, or it is refused with the reason
    rm -f in t.out
    mkfifo in
    "$2" wait <in >t.out 2>&1 3>&- &
    pid=$!
    children="$children $pid"
    exec 4>in
    until_ok 10 asleep_in "$pid" 0
    shell_start -p "$pid"
    say 'probe f'
    say 'continue &'
    echo >&4
    exec 4>&-
    say wait
    say 'info probes'
    shell_end
    reap "$pid"
    check "$1, attached: output and status are the native ones" same "$trc $(cat t.out)" "$n $(cat n.out)"
    check "$1, attached: said" has log "$3"
}

cat >tsc.c <<'EOT'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <ucontext.h>
#include <unistd.h>
static volatile int n;
static void handler(int sig, siginfo_t *info, void *u)
{
    ucontext_t *c = u;
    unsigned char *p = (void *)c->uc_mcontext.gregs[REG_RIP];
    (void)sig, (void)info;
    if (p[0] != 0x0f || p[1] != 0x31)
        _exit(77);
    n++;
    c->uc_mcontext.gregs[REG_RIP] += 2;
}
__attribute__((noinline)) int f(int x) { __asm__ volatile(""); return x + 1; }
int main(int argc, char **argv)
{
    struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
    char c;
    int s = 0;
    (void)argv;
    sigaction(SIGSEGV, &a, 0);
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
    if (argc > 1 && read(0, &c, 1) < 0)
        return 9;
    for (int i = 0; i < 1000; i++)
        s = f(s);
    for (int i = 0; i < 5; i++)
        (void)__builtin_ia32_rdtsc();
    printf("%d %d\n", n, s);
    return 3;
}
EOT
gcc -O1 -w tsc.c -o tsc
runs "PR_SET_TSC, later" 'set trace-clock auto' ./tsc 1000
runs "PR_SET_TSC, later, the counter" 'set trace-clock tsc' ./tsc 1000
attached "PR_SET_TSC" ./tsc 'The program forbids to read the time stamp counter'
check "PR_SET_TSC, attached: f is counted" same "$(hits 1)" 1000

cat >sud.c <<'EOT'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
static volatile char block;
static volatile int n, other;
static void handler(int sig, siginfo_t *info, void *u)
{
    block = 0;
    ucontext_t *c = u;
    (void)sig;
    n++;
    other += info->si_syscall != SYS_getppid;
    c->uc_mcontext.gregs[REG_RAX] = 0;
}
__attribute__((noinline)) int f(int x) { __asm__ volatile(""); return x + 1; }
int main(int argc, char **argv)
{
    struct sigaction a = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
    char c;
    int s = 0;
    (void)argv;
    sigaction(SIGSYS, &a, 0);
    if (prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, 0, 0, &block))
        return 9;
    if (argc > 1 && read(0, &c, 1) < 0)
        return 9;
    for (int k = 0; k < 20; k++) {
        block = 1;
        for (int i = 0; i < 2000; i++)
            s = f(s);
        s += (int)syscall(SYS_getppid);
        block = 0;
    }
    printf("%d %d %d\n", n, other, s);
    return 4;
}
EOT
gcc -O1 -w sud.c -o sud
if ./sud >/dev/null; [ $? = 4 ]; then
    runs "syscall user dispatch, later" 'set trace-clock auto' ./sud 40000
    # It sleeps in read() with the selector open, so calls may be made, and the runtime makes none afterwards.
    attached "syscall user dispatch" ./sud 'Probe 1 at'
    check "syscall user dispatch, attached: f is counted" same "$(hits 1)" 40000
    sed 's/if (argc > 1 && read(0, &c, 1) < 0)/if (argc > 1) for (block = 1; block; f(0)) ; if (0)/' sud.c >spins.c
    gcc -O1 -w spins.c -o spins
    ./spins wait &
    pid=$!
    children="$children $pid"
    # It cannot say that it is in the loop. Nothing before the loop takes 0.1 s of a processor.
    until_ok 60 awk '$14 < 10 { exit 1 }' "/proc/$pid/stat"
    batch -p "$pid" -ex 'probe f' -ex 'info probes'
    check "syscall user dispatch, blocked: refused with the reason" has log 'The program handles the system calls of thread [0-9]+ itself'
    check "... nothing is planted" has log '^No probes\.'
    check "... it goes on" alive "$pid"
    kill "$pid"
else
    skip "syscall user dispatch: not in this kernel"
fi

cat >fs.c <<'EOT'
#include <asm/prctl.h>
#include <stdio.h>
#include <sys/syscall.h>
#define PLAIN __attribute__((noinline, optimize("no-stack-protector")))
PLAIN static long call(long nr, long a, long b)
{
    long r;
    __asm__ volatile("syscall" : "=a"(r) : "a"(nr), "D"(a), "S"(b) : "rcx", "r11", "memory");
    return r;
}
__attribute__((noinline)) int f(int x) { __asm__ volatile(""); return x + 1; }
PLAIN static int loop(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = f(s);
    return s;
}
PLAIN int main(void)
{
    unsigned long fs;
    int s = loop(100);
    call(SYS_arch_prctl, ARCH_GET_FS, (long)&fs);
    for (int i = 0; i < 3; i++) {
        call(SYS_arch_prctl, ARCH_SET_FS, 0);
        s += loop(100);
        call(SYS_arch_prctl, ARCH_SET_FS, (long)fs);
        s += loop(100);
    }
    printf("%d\n", s);
    return 5;
}
EOT
gcc -O1 -w fs.c -o fs
runs "a thread pointer of 0, later" 'set trace-clock auto' ./fs 700

# ---- runtimes that look at what we change, by name and shape ------------------------------------------------------------
cat >vm.c <<'EOT'
int luaJIT_setmode(int x) { return x; }
__attribute__((noinline)) int f(int x) { __asm__ volatile(""); return x + 1; }
int main(void) { int s = 0; for (int i = 0; i < 10; i++) s = f(s); return luaJIT_setmode(s) != 10; }
EOT
gcc -O1 -rdynamic vm.c -o vm
batch -ex 'set exit-mode slots' -ex 'probe f' -ex run -ex 'info probes' ./vm
check "LuaJIT: no exit by a slot" has log 'refused.*LuaJIT|LuaJIT.s unwinder' && check "... it runs" has log 'exited normally'
batch -ex 'probe f' -ex run -ex 'info probes' ./vm
check "LuaJIT: exits by call-through" same "$(hits 1)" 10
cat >aot.c <<'EOT'
int mono_aot_file_info = 1;
extern int plt_f(int);
__attribute__((noinline)) int f(int x) { return x + 1; }
int (*got)(int) = f;
__asm__(".text\n.globl plt_f\n.type plt_f,@function\nplt_f: jmp *got(%rip)\n.byte 1,2,3,4\n.size plt_f,.-plt_f\n");
int main(void) { int s = 0; for (int i = 0; i < 10; i++) s = plt_f(s); return s != 10; }
EOT
gcc -O1 -w aot.c -o aot
batch -ex 'probe plt_f' -ex 'probe f' -ex run -ex 'info probes' ./aot
check "Mono's PLT: refused" has log 'Mono reads the bytes of this function' && check "... what it leads to is probed" same "$(hits 2)" 10
finish
