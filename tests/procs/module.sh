#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# module.sh - modules get into processes, at their start and later, record, and are taken back.
# The targets count what they do, so that every number is compared exactly.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 "${CC:-cc}"
module=$targets/m_count.so
own() { awk -v w="$1" '$1 == w { print $2 }' t.err; }
start_target() {
    rm -f stop ./*.fxt
    target "$targets/p_module" "$@" stop
    until_ok 10 has t.out '^ready'
}
quick() { timeout -k 5 $limit "$eztsh" -nx -batch "$@" >log 2>&1 </dev/null; }
# What the module's variable and states were in the trace.
told() { # FILE
    "$eztsh" -nx -batch -ex "convert $1 -o told.csv" >/dev/null 2>&1
    python3 - told.csv <<'END'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print(sum(r["function"] == "Counting" for r in rows), sum(r["function"] == "counted" for r in rows))
END
}

# ---- at the start, before the first constructor -----------------------------------------------
for n in 1 4; do
    rm -f ./*.fxt
    quick -m "$module" -ex "run $n 3000 >t.out 2>t.err </dev/null" -ex "events 30" "$targets/p_module"
    check "start ($n): the program ends right" same "$(tail -n 1 t.out)" right
    check "start ($n): all calls, the constructor's too" \
        same "$(told ./*.fxt) $(own tick)" "$((n * 3000 + 1)) $((n * 3000 + 1)) $((n * 3000 + 1))"
    check "start ($n): the ledger adds up" ledger_ok
    check "start ($n): the newest events have names" has log ' ms  [0-9]+ +exit  m_count$'
done
quick -m "$module" -ex 'run >/dev/null </dev/null' "$targets/p_replaced"
check "start: a function that is not there is no failure" same "$?" 0
check "start: and is not told" lacks log 'never resolved'
rm -f ./*.fxt
quick -m "$module" -ex "run -c 'exec $targets/p_module 1 100' >t.out 2>t.err </dev/null" /bin/sh
check "exec: all calls of the new program" same "$(told ./*.fxt)" "$(own tick) $(own tick)"
rm -f ./*.fxt
EZTRACE_TRACE=" m_count," EZTRACE_LIBRARY_PATH=$targets quick \
    -ex "run 1 100 >t.out 2>t.err </dev/null" "$targets/p_module"
check "EZTRACE_TRACE, EZTRACE_LIBRARY_PATH" same "$(told ./*.fxt)" "$(own tick) $(own tick)"
rm -f ./*.fxt
ln -s "$(cd "$targets" && pwd)" linked
EZTRACE_TRACE=" m_count," EZTRACE_LIBRARY_PATH=$PWD/linked quick \
    -ex "run 1 100 >t.out 2>t.err </dev/null" "$PWD/linked/p_module"
check "EZTRACE_LIBRARY_PATH: a folder that is a link" same "$(told ./*.fxt)" "$(own tick) $(own tick)"
EZTRACE_LIBRARY_PATH=/nonexistent::$targets quick -ex 'module list'
check "list: what is in the folders" has log '^m_count +0x21 +counts ticks'
check "list: a damaged one with its reason" has log 'm_bad\.so: '
check "list: no other libraries" lacks log libreplace
cp "$module" ./m_count.so
quick -ex 'module load m_count'
check "the current directory is not searched" has log '^There is no module "m_count"'
quick -ex 'module load ./m_count.so' -ex 'info modules' "$targets/p_module"
check "a file with a slash is" has log '^m_count +0x21 +waits for a process +1'

# ---- functions with "...": by a twin, whatever its name is; one that has none is left alone ----------------
cat >say.c <<'END'
#include <stdarg.h>
#include <stdio.h>
int say_vline(const char *f, va_list ap) { return vprintf(f, ap); }
int say_line(const char *f, ...) { va_list ap; va_start(ap, f); int n = say_vline(f, ap); va_end(ap); return n; }
int alone(const char *f, ...) { return f[0]; }
int plain(int n) { return n + 1; }
END
cat >says.c <<'END'
int say_line(const char *f, ...), alone(const char *f, ...), plain(int n);
int main(void) { say_line("%d %s %.1f\n", 7, "seven", 7.5); return plain(alone("x", 1)) == 'x' + 1 ? 0 : 1; }
END
printf 'BEGIN_MODULE\nNAME say\nID 67\nint say_line(const char *f, ...)\nint alone(const char *f, ...)\nint plain(int n)\nEND_MODULE\n' >say.tpl
"${CC:-cc}" -shared -fPIC -O1 -o libsay.so say.c && "${CC:-cc}" -O1 -o says says.c -L. -lsay -Wl,-rpath,"$PWD"
quick -ex 'module compile say.tpl'
quick -m ./say.so -ex 'run >t.out' -ex 'info replacements' ./says
check 'variadic: the program does as it does alone' same "$(cat t.out)" '7 seven 7.5'
check 'variadic: by a twin in the middle of the name' has log ' armed .* say_line|armed .* 1 +say_line|^[0-9]+ .* 1 +say_line '
check 'variadic: the other functions of the module, too' has log '^[0-9]+ .* 1 +plain '
check 'variadic: without a twin it is left alone, and told' has log 'cannot replace alone: its "\.\.\." can be passed on only to .*: valone alone_valist\.$'

# ---- in the process, but not connected: nothing may call it ------------------------------------------------
{ cat "$top_srcdir/tests/targets/m_count.c"
  printf '#include <unistd.h>\n__attribute__((constructor)) static void moved(void) { unlink("%s/m_moved.so"); }\n' "$PWD"
} >m_moved.c
check "a file that goes while it is loaded: it is built" \
    "${CC:-cc}" -shared -fPIC -O2 -I"$top_srcdir/modules" -o m_moved.so m_moved.c
quick -m ./m_moved.so -ex 'run 1 100 >t.out 2>t.err </dev/null' -ex 'info modules' "$targets/p_module"
check "a file that goes while it is loaded: that is told" has log '^Module m_count is not loaded: The process has loaded an older file'
check "a file that goes while it is loaded: the program ends right" same "$(tail -n 1 t.out)" right

# ---- fault 81: later: one thread, with signals, several, all busy in malloc, loading libraries ------------
for how in '1 0' '1 alarm' '4 alarm' '4 0' '4 malloc' '4 dlopen'; do
    start_target $how
    shell_start -p "$pid"
    say 'continue &'
    for round in 1 2 3; do
        say "module load $module"
        moved "$pid" 10
        say 'info modules'
        say 'module unload m_count'
    done
    say "module load $module"
    say 'interrupt'
    say 'info modules'
    say 'continue &'
    touch stop
    say wait
    shell_end
    reap "$pid"
    check "later ($how): the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
    check "later ($how): loaded each time" \
        same "$(grep -c '^Module m_count .*: 1 of 1 function replaced' log)" 4
    check "later ($how): the ledger adds up" ledger_ok
    check "later ($how): calls were recorded" has log '^m_count +0x21 +in the process .* [1-9][0-9]* '
done

# ---- fault 80: detach, a killed shell: the module stays, and records nothing or on --------------------------
start_target 2 0
quick -p "$pid" -ex "module load $module" -ex detach
check "detach: every byte comes back" text_intact "$pid" "$targets/p_module"
shell_start -p "$pid"
say 'continue &'
say "module load $module"
moved "$pid" 10
shell_kill
moved "$pid" 20
quick -p "$pid" -ex 'info modules' -ex 'info replacements' -ex 'continue &' -ex 'detach -keep'
! takes_over || check "killed: the module is known" has log '^m_count +0x21 +in the process +1 +1 +0 +0 +[1-9]'
moved "$pid" 20
rm -f ./*.fxt
shell_start -p "$pid"
say 'trace start again.fxt'
say 'continue &'
moved "$pid" 20
for command in 'info replacements' 'module unload m_count' 'info replacements' detach; do
    say "$command"
done
shell_end
check "killed: its events keep their names" [ "$(told again.fxt | cut -d' ' -f2)" -gt 0 ]
check "killed: unloading gives its functions back" has log '^No replacements'
! takes_over || check "killed: the replacement is known" has log ' armed .* tick +m_count.so:my_tick '
check "killed: every byte comes back" text_intact "$pid" "$targets/p_module"
touch stop
reap "$pid"
check "killed: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- refused, and the target stays as it was --------------------------------------------------------
start_target 2 0
quick -p "$pid" -ex "module load $targets/m_needs.so"
check "refused: the loader's own words" has log 'undefined symbol: nobody_has_this'
check "refused: nothing of it is mapped" lacks "/proc/$pid/maps" m_needs
for bad in m_bad:'the description of the module has the invalid entry "id=0x5"' libreplace:'is not a module'; do
    quick -p "$pid" -ex "module load $targets/${bad%%:*}.so"
    check "refused: ${bad%%:*}" has log "${bad#*:}"
done
mkfifo pipe.so
quick -p "$pid" -ex 'module load ./pipe.so'
check "refused: a pipe" has log 'pipe\.so: not a regular file'
quick -p "$pid" -ex begin -ex "module load $module"
check "refused: in a transaction" has log '^Modules cannot be loaded between "begin" and "commit"'
cp "$module" ./m_new.so
quick -p "$pid" -ex 'module load ./m_new.so' -ex 'module unload m_count'
cp "$module" ./m_newer.so && mv ./m_newer.so ./m_new.so
quick -p "$pid" -ex 'module load ./m_new.so'
check "refused: another file of the name is there" has log 'The process has loaded an older file of that name.*\. The old file stays loaded until the process ends; a new process loads the new one\.$'
check "refused: and every byte is the file's" text_intact "$pid" "$targets/p_module"
quick -p "$pid" -ex "module load $module" -ex "module load ./m_count.so"
check "refused: twice" has log '^Module m_count is loaded already'
touch stop
reap "$pid"
check "refused: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
rm -f ./*.fxt
quick -m "$module" -ex "run >t.out </dev/null" "$targets/p_static"
check "a static program: said, and it runs" has log 'Module m_count is not loaded: the program is static'

# ---- the loader cannot be called, or does not come back ------------------------------------------------
# After the first thread, no other can be started. (The limit does not apply to root.)
cat >nothread.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *arg)
{
    const struct rlimit none = { 0, 0 };
    int e = getuid() ? 0 : setuid(65534);
    e = e ? e : ((create *)dlsym(RTLD_NEXT, "pthread_create"))(t, a, f, arg);
    return e ? e : setrlimit(RLIMIT_NPROC, &none);
}
END
{ cat "$top_srcdir/tests/targets/m_count.c"
  printf '#include <unistd.h>\n__attribute__((constructor)) static void waits(void) { while (!access("%s/wait", F_OK)) usleep(1000); }\n' "$PWD"
} >m_waits.c
"${CC:-cc}" -shared -fPIC -O1 -o libnothread.so nothread.c && "${CC:-cc}" -shared -fPIC -O2 -I"$top_srcdir/modules" -o m_waits.so m_waits.c
check "the loader: the libraries are built" test -e m_waits.so
LD_PRELOAD=$PWD/libnothread.so start_target 2 0
quick -p "$pid" -ex "module load $module"
check "the loader: no thread can be started for it" \
    has log '^Nothing was loaded: the target cannot start a thread for the dynamic loader: Resource temporarily unavailable\.$'
check "the loader: nothing is mapped then" lacks "/proc/$pid/maps" m_count
touch stop
reap "$pid"
check "the loader: the target without threads ends right" same "$trc $(tail -n 1 t.out)" "0 right"
start_target 2 0
: >wait
quick -p "$pid" -ex 'module load ./m_waits.so'
check "the loader: a constructor waits" \
    has log '^Nothing was loaded: the dynamic loader of the program is busy\. A constructor may be waiting for something: try again later\.$'
rm wait
touch stop
reap "$pid"
check "the loader: the target whose constructor waited ends right" same "$trc $(tail -n 1 t.out)" "0 right"
cat >ownmalloc.c <<'END'
#include <stddef.h>
void *__libc_malloc(size_t n);
void *malloc(size_t n) { return __libc_malloc(n); }
__attribute__((noinline)) int inside(int n) { __asm__ volatile(""); return n + 1; }
END
printf 'int inside(int n);\nint main(void) { return inside(1) - 2; }\n' >inside.c
"${CC:-cc}" -shared -fPIC -O1 -o libownmalloc.so ownmalloc.c && "${CC:-cc}" -O1 -o inside inside.c -L. -lownmalloc -Wl,-rpath,"$PWD"
quick -ex 'break inside' -ex run -ex "module load $module" -ex kill ./inside
check "the loader: the user stopped the only thread inside a library that has malloc" \
    has log '^Module m_count is not loaded: all threads are inside malloc or the loader\. Let the program run a little, and try again\.$'
# old return addresses into free() in a frame's memory that was never written
cat >stale.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) int waits(int n)
{
    volatile char unused[8192];
    unused[8191] = (char)n;
    return unused[8191];
}
int main(void)
{
    char *block[64];
    for (int i = 0; i < 64; i++)
        block[i] = malloc(100000);
    for (int i = 0; i < 64; i++)
        free(block[i]);
    return waits(0);
}
END
"${CC:-cc}" -O0 -g -o stale stale.c
quick -ex 'break waits' -ex run -ex next -ex "module load $module" -ex kill ./stale
check "the loader: old return addresses in a live frame" lacks log 'is not loaded'
echo 'entry routine="main" code="static int n; n++;"' >x.spec
quick -ex 'break inside' -ex run -ex 'spec load x.spec' -ex kill ./inside
check "the loader: nor is a specification loaded then" \
    has log '^The specification is not loaded: all threads are inside malloc or the loader\. Let the program run a little, and try again\.$'

# ---- a coroutine loads it: the heap below its stack, which dlopen changes, is not the stack's ----------------

cat >coroutine.c <<'E2'
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
static ucontext_t outside, inside;
__attribute__((noinline)) unsigned long work(unsigned long n)
{
    usleep(2000);
    return n + 1;
}
static void body(void)
{
    unsigned long n = 0;
    while (access("stop", F_OK))
        n = work(n);
}
static int one(struct dl_phdr_info *i, size_t size, void *n)
{
    (void)size;
    *(int *)n += i->dlpi_phnum > 0;
    return 0;
}
int main(void)
{
    int files = 0;
    void *some[300], *below;
    puts("begin");
    below = malloc(20000);
    getcontext(&inside);
    inside.uc_stack.ss_size = 16384;
    inside.uc_stack.ss_sp = malloc(inside.uc_stack.ss_size);
    inside.uc_link = &outside;
    some[0] = malloc(100);
    free(below); /* the loader's next memory */
    makecontext(&inside, body, 0);
    swapcontext(&outside, &inside);
    for (int i = 0; i < 300; i++)
        some[i] = malloc(50 + i * 17 % 900);
    for (int i = 0; i < 300; i++)
        free(some[i]);
    dl_iterate_phdr(one, &files);
    printf("%s files\n", files > 3 ? "more" : "three");
    return 0;
}
E2
cat >m_coroutine.c <<'E2'
#include <ezt_probe.h>
EZT_MODULE("coroutine", 0x20, "replaces work")
EZT_EVENT(1, "push", "thread", "In work")
EZT_EVENT(2, "pop", "thread", "")
EZT_REPLACE("work", my_work, orig_work)
EZT_ORIG uintptr_t (*orig_work)(uintptr_t);
EZT_EXPORT uintptr_t my_work(uintptr_t a)
{
    ezt_event0(1);
    uintptr_t r = orig_work(a);
    ezt_event0(2);
    return r;
}
E2
check 'coroutine: it is built' ${CC:-cc} -g -O1 -o coroutine coroutine.c
check 'coroutine: its module is built' ${CC:-cc} -shared -fPIC -O2 -I"$top_srcdir/modules" -o m_coroutine.so m_coroutine.c
rm -f stop
target ./coroutine
until_ok 20 asleep_in "$pid" 35 230
batch -p "$pid" -ex 'module load ./m_coroutine.so' -ex 'info modules' -ex detach
check 'coroutine: the module is loaded' has log '^coroutine +0x20 +in the process +1 '
touch stop
reap "$pid"
check 'coroutine: the heap is as the loader left it' same "$trc $(tail -n 1 t.out)" '0 more files'
rm -f stop ./*.fxt

# ---- the guard ----------------------------------------------------------------------------------------
rm -f ./*.fxt
quick -m "$targets/m_guard.so" -ex "run 1 50 >t.out 2>t.err </dev/null" "$targets/p_module"
check "guard: the program ends right" same "$(tail -n 1 t.out)" right
check "guard: calls of the module's own are left out" same "$(told ./*.fxt)" "$(own tick) 0"
check "guard: they are counted" python3 -c '
import re
h, r, f = map(int, re.findall(r"(\d+) hits = (\d+) recorded \+ (\d+) filtered", open("log").read())[-1])
ticks = int(open("t.err").read().split()[1])
# each call: one of the stub (filtered), two events, and one call of its own: stub and guard
assert r == 2 * ticks and f == 3 * ticks and h == r + f, (h, r, f, ticks)'

finish
