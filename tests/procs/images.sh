#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# images.sh - (fault 96) programs and libraries without a path (memfd, fexecve), names of other languages (D, Forth, stripped Go):
# found, or refused with the reason; and LeakSanitizer, which does not work under ptrace.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc objcopy

cat >plug.c <<'EOT'
int plug(int x) { __asm__ volatile(""); return x + 2; }
EOT
cat >load.c <<'EOT'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
extern char **environ;
int main(int argc, char **argv)
{
    int exec = argv[1][0] == 'e', keep = argv[1][0] == 'k', s = 0;
    int fd = memfd_create("plugin", exec ? MFD_CLOEXEC : 0), in = open(argv[2], O_RDONLY);
    char b[65536], p[64];
    for (long n; (n = read(in, b, sizeof b)) > 0;)
        if (write(fd, b, n) != n)
            return 9;
    if (exec) {
        fexecve(fd, argv + 2, environ);
        return 8;
    }
    sprintf(p, "/proc/self/fd/%d", fd);
    void *h = dlopen(p, RTLD_NOW);
    if (!h)
        return puts(dlerror()), 7;
    if (!keep)
        close(fd);
    int (*f)(int) = dlsym(h, "plug");
    for (int i = 0; i < 1000; i++)
        s = f(s);
    if (argc > 3) {
        puts("waits");
        fflush(stdout);
        pause();
    }
    printf("%d\n", s);
    return 0;
}
EOT
cat >prog.c <<'EOT'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int work(int x) { __asm__ volatile(""); return x + 1; }
int main(int argc, char **argv)
{
    int s = 0;
    (void)argv;
    for (int i = 0; i < 1000; i++)
        s = work(s);
    printf("%d\n", s);
    fflush(stdout);
    if (argc > 1)
        pause();
    return 3;
}
EOT
gcc -O1 -shared -fPIC plug.c -o plug.so && gcc load.c -o load -ldl && gcc -O1 prog.c -o prog
batch -ex 'probe plug' -ex 'run k ./plug.so >t.out' -ex 'info probes' ./load
check "a library from a memfd: its functions are probed" same "$(hits 1) $(cat t.out)" "1000 2000"
batch -ex 'probe plugin:plug' -ex 'run c ./plug.so >t.out' -ex 'info probes' ./load
check "by the library's name; the descriptor is closed later" same "$(hits 1) $(cat t.out)" "1000 2000"
waits() { grep -q waits t.out; }
target ./load c ./plug.so wait
until_ok 10 waits
batch -p "$pid" -ex 'probe plug'
if [ "$(id -u)" = 0 ]; then
    check "attached, the descriptor is closed: found" has log '^Probe 1 at .*: plug in memfd:plugin'
else
    check "attached, the descriptor is closed: said" has log 'plugin.*deleted or replaced; the kernel shows the old one to root only'
fi
kill "$pid"
target ./load k ./plug.so wait
until_ok 10 waits
batch -p "$pid" -ex 'probe plug' -ex 'info sharedlibrary'
check "attached: found" has log '^Probe 1 at .*: plug in memfd:plugin' && check "... among libraries" has log ' Yes  .*memfd:plugin'
kill "$pid"
batch -ex 'probe work' -ex 'run e ./prog >t.out' -ex 'info probes' ./load
check "a program by fexecve: its functions are probed" same "$(hits 1) $(cat t.out)" "1000 1000"
target ./load e ./prog wait
worked() { grep -q 1000 t.out; }
until_ok 10 worked
batch -p "$pid" -ex 'probe work' -ex 'info line work' -ex 'info probes'
check "attached: found" has log '^1 .*armed.* work +memfd:plugin'
kill "$pid"

# ---- names ----------------------------------------------------------------------------------------------------------
cat >names.c <<'EOT'
int d_f(int) __asm__("_D1d1fFiZi"), d_m(int) __asm__("_D1d1S1mMFiZi");
int forth(int);
__attribute__((noinline)) int d_f(int x) { __asm__ volatile(""); return x + 1; }
__attribute__((noinline)) int d_m(int x) { __asm__ volatile(""); return x + 2; }
__attribute__((noinline)) int forth(int x) { __asm__ volatile(""); return x + 3; }
int main(void)
{
    int s = 0;
    for (int i = 0; i < 10; i++)
        s = forth(d_m(d_f(s)));
    return s;
}
EOT
gcc -O1 names.c -o plain && objcopy --redefine-sym forth=3dup plain names
for word in f d.f 'd.f(int)' _D1d1fFiZi m d.S.m 3dup; do
    batch -ex "probe '$word'" -ex run -ex 'info probes' ./names
    check "'$word': found" same "$(hits 1)" 10
done
check "a name that begins with a digit: as it is" has log ' 3dup +names'
batch -ex 'probe d.f' -ex 'info probes' ./names
check "a name of D: as one reads it" has log ' d\.f\(int\) '
batch -ex 'probe 0x401136' ./names
check "a number is no name" has log '"0x401136" cannot be the name of a function'
printf x >table
objcopy --strip-all --add-section .gopclntab=table --set-section-flags .gopclntab=alloc,readonly plain go 2>/dev/null
batch -ex 'probe main.work' ./go
check "stripped Go: the reason" has log 'Function "main.work" not defined: a stripped program of Go has names in .gopclntab'
batch -ex 'probe main.work' ./plain
check "... of no other program" lacks log 'program of Go'

# ---- LeakSanitizer --------------------------------------------------------------------------------------------------
printf 'int main(void) { return 0; }\n' >lsan.c
unset ASAN_OPTIONS LSAN_OPTIONS
if gcc -fsanitize=leak lsan.c -o lsan 2>/dev/null && ./lsan; then
    batch -ex run -ex run ./lsan
    check "LeakSanitizer: said once, with what helps" same "$(grep -c 'LeakSanitizer does not work under ptrace.*detect_leaks=0' log)" 1
    batch -ex 'set environment LSAN_OPTIONS detect_leaks=0' -ex run ./lsan
    check "... it helps" has log 'exited normally' && check "... nothing is said" lacks log 'under ptrace'
    batch -ex start -ex 'continue &' -ex wait ./lsan
    check "in the background it works" lacks log 'detect_leaks=0'
else
    skip "LeakSanitizer: not here"
fi
finish
