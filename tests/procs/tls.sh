#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tls.sh - thread-local variables, in each thread: of the program, of a library that is loaded with it and of one that
# dlopen() loads; static in files and functions; C++. gdb is the witness.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc

cat >lib.c <<'END'
__thread int lib_tls = 77;
__thread int lib_arr[3] = { 1, 2, 3 };
static __thread long lib_priv = 5;
int lib_step(int n) { lib_tls += n; lib_priv += n; lib_arr[1] += n; return lib_tls + (int)lib_priv; }
END
cat >late.c <<'END'
__thread int late_tls = 500;
__thread char late_big[100000] = "far"; /* no room in the blocks that threads have from their start on */
int late_step(int n) { static __thread int calls; calls++; late_tls += n; return late_big[0] + calls; }
END
cat >app.c <<'END'
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
struct pair { char c; short s; };
__thread int prog_tls = 11;
__thread struct pair prog_pair = { 'q', 3 };
static __thread int prog_priv = 4;
extern __thread int lib_tls;
int lib_step(int);
static int (*late)(int);
static pthread_barrier_t bar;
static void *worker(void *arg)
{
    static __thread long own = 1000;
    long n = (long)arg;
    own += n;
    prog_tls += (int)n;
    prog_priv += (int)n;
    lib_step((int)n);
    if (late && n == 1)
        late((int)n);
    pthread_barrier_wait(&bar);
    pthread_barrier_wait(&bar);
    return (void *)own;
}
static __attribute__((noinline)) int halt(int n) { static __thread int seen = 8; seen += n; return seen; }
int main(int argc, char **argv)
{
    pthread_t t[2];
    void *h = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
    late = h ? (int (*)(int))dlsym(h, "late_step") : 0;
    pthread_barrier_init(&bar, 0, 3);
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, (void *)(i + 1));
    pthread_barrier_wait(&bar);
    lib_step(100);
    if (late)
        late(100);
    errno = 7;
    int r = halt(1);
    pthread_barrier_wait(&bar);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return r != 9;
}
END
cat >main.ask <<'END'
print prog_tls
print prog_pair
print prog_pair.s
print prog_priv
print lib_tls
print lib_arr
print lib_arr[1]
print lib_priv
print 'lib.c'::lib_priv
print seen
print prog_tls + lib_tls
print prog_tls = 50
print prog_tls
set var lib_arr[2] = 9
print lib_arr
print *&prog_priv
print sizeof(prog_tls)
whatis prog_tls
ptype prog_pair
thread apply all print prog_tls
thread apply 1-3 print lib_tls
thread apply all print prog_pair.s + lib_priv
- thread 2
print prog_priv
x/dw &lib_tls
- up
print prog_tls
END
grep -v lib_ main.ask >static.ask
cat >late.ask <<'END'
print late_tls
print late_big[0]@3
print late_step
- thread 2
print late_tls
print late_big[1]
print lib_tls
END
here=$PWD
gcc -w -g -O0 -fPIC -shared -o libtls.so lib.c && gcc -w -g -O0 -fPIC -shared -o late.so late.c || fail 'the libraries do not compile'
for how in '' -O1 '-fno-pie -no-pie' -gdwarf-4 '-ftls-model=initial-exec'; do
    compiled "app $how" gcc -g $how "$here/app.c" ./libtls.so -pthread -ldl -Wl,-rpath,"$here" || continue
    case $how in -O1) grep -v seen main.ask >asks ;; *) cp main.ask asks ;; esac
    as_gdb "C $how" ./prog asks 20 'break halt' run
done
if compiled 'a static program' gcc -g -static "$here/app.c" "$here/lib.c" -pthread; then
    as_gdb 'a static program' ./prog static.ask 14 'break halt' run
fi
compiled 'dlopen' gcc -g "$here/app.c" ./libtls.so -pthread -ldl -Wl,-rpath,"$here"
as_gdb 'a library that is loaded later' ./prog late.ask 6 'break halt' 'run ./late.so'
printf '%s\n' 'break halt' 'run ./late.so' 'thread 3' 'print late_tls' 'print prog_tls' 'detach' 'print prog_tls' \
    'probe halt collect prog_tls' 'probe halt collect lib_step' >own.ezt
"$eztsh" -nx ./prog <own.ezt >log 2>&1
check 'a thread that has no storage yet' has log '^This thread has not yet allocated storage for the thread-local variables of .*late\.so\.$'
check 'and has others' has log '^\$[0-9]+ = 13$'
check 'no thread' has log "^Cannot read \`prog_tls' without registers$"
check 'nor in a probe' has log '^"prog_tls" is thread-local, and cannot be read in a probe\.$'
check 'a function of another library is none of the program' has log '^"lib_step" is defined outside of prog, or optimized out\.$'

cat >app.cc <<'END'
namespace ns { thread_local int counter = 6; struct shape { static thread_local long live; }; thread_local long shape::live = 21; }
static thread_local double ratio = 0.5;
int halt(int n) { thread_local int inner = 2; inner += n; ns::counter += n; ns::shape::live++; ratio *= 2; return inner; }
int main() { int r = halt(1); return halt(r) != 6; }
END
printf '%s\n' 'print ns::counter' 'print ns::shape::live' 'print ratio' 'print inner' 'print ratio + inner' >cxx.ask
if command -v g++ >/dev/null && compiled 'C++' g++ -g -O0 "$here/app.cc"; then
    as_gdb 'C++' ./prog cxx.ask 5 'break halt' run continue
fi
finish
