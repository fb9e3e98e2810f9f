#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unwind.sh - exceptions through probed frames: in children that were forked while another
# thread threw, after the probes are gone, and from inside stubs.
. "${top_srcdir:-.}/tests/procs/lib.sh"
plain=$eztsh

in_call() { say 'info probes' && [ "$(hits 2)" = 1 ]; }

# Calls of two probed functions are open, and throw later. COMMAND: with %s for the function.
calls_open() { # TITLE MODE COMMAND
    rm -f go t.out
    shell_start "$targets/p_unwind"
    say "set exit-mode $2"
    say 'set args late go >t.out'
    say "$(printf "$3" serve)"
    say "$(printf "$3" linger)"
    say start
    say 'continue &'
    until_ok 20 has t.out '^ready'
    pid=$(sed -n 's/^ready //p' t.out)
    check "$1: the calls have begun" until_ok 20 in_call
}
calls_throw() { # TITLE
    touch go
    check "$1: the target ends" until_ok 20 gone "$pid"
    check "$1: a call that is open throws" same "$(tail -n 1 t.out)" right
}
open_at_detach() { # TITLE MODE COMMAND
    calls_open "$@"
    say detach
    check "$1: the program's text is the file's" text_intact "$pid" "$targets/p_unwind"
    check "$1: what stays is said" has log 'libgcc_s.* keeps a hook of eztsh: calls .* are open'
    batch -p "$pid" -ex 'info textdiff' -ex 'probe -count linger' -ex 'continue &' -ex detach
    check "$1: the next shell does the same" has log 'keeps a hook of eztsh'
    check "$1: no byte is foreign" has log ' 0 of them foreign'
    calls_throw "$1"
    shell_end
}
# The shell is killed, and the next one takes away what it cannot take over. PATTERN: what it says then.
open_at_kill() { # TITLE COMMAND PATTERN WHOSE
    calls_open "$1" auto "$2"
    shell_kill
    batch -p "$pid" -ex 'info textdiff' -ex detach
    check "$1: the next shell tells what becomes of the probes" has log "$3"
    check "$1: it knows whose the unwinder's hook is" has log "_Unwind_Find_FDE.*  a hook $4\$"
    check "$1: no byte is foreign" has log ' 0 of them foreign'
    check "$1: the program's text is the file's" text_intact "$pid" "$(readlink "/proc/$pid/exe")"
    shell_start -p "$pid"
    say 'probe -count serve linger'
    say 'continue &'
    calls_throw "$1" # and calls that begin under this shell
    check "$1: a third shell plants its own" same "$(grep -c '^Probe ' log)" 2
    check "$1: exceptions pass them" lacks log 'cannot pass'
    shell_end
}

for mode in auto slots; do
    batch -return-child-result -ex "set exit-mode $mode" -ex 'probe -count sink' \
        -ex 'run forks 300 >t.out' "$targets/p_unwind"
    check "$mode: a child forked while others throw can throw" same "$rc $(cat t.out)" "0 right"

    rm -f go
    target "$targets/p_unwind" late go
    until_ok 10 has t.out ready
    shell_start -p "$pid"
    say "set exit-mode $mode"
    say 'probe -count serve'
    say 'probe -count linger'
    say detach
    shell_end
    touch go
    reap "$pid"
    check "$mode: a call that began before the probes throws" same "$trc $(tail -n 1 t.out)" "0 right"

    open_at_detach "$mode" "$mode" "probe -count %s"
done

# Calls that are followed for a clause are in no count.
open_at_detach 'collected' auto 'probe %s collect $ret'
open_at_detach 'timed' auto 'hist %s'

left='Removed 2 probes of an earlier eztsh'
whose="of eztsh's own" # only root can read the counts, and so take the hook over
[ "$(id -u)" = 0 ] || whose='that an earlier eztsh left'
open_at_kill 'killed, collected' 'probe %s collect $ret' "^$left" "$whose"
open_at_kill 'killed, timed' 'hist %s' "^$left" "$whose"
if other_user p_unwind; then
    cd "$theirs" || exit 99
    targets=. eztsh=./user
    open_at_kill 'killed, another user' 'probe -count %s' "^$left.* Only root can read" 'that an earlier eztsh left'
    open_at_kill 'killed, another user, collected' 'probe %s collect $ret' "^$left.* Only root can read" 'that an earlier eztsh left'
    cd .. || exit 99
    targets=$top_builddir/tests/targets eztsh=$plain
else
    skip "killed, another user: $why_not"
fi

# A call that a jump or the end of its thread left is not open any more, though its exit was never counted.
cat >left.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <unistd.h>
static jmp_buf env;
__attribute__((noinline)) void jumps(void)
{
    __asm__ volatile("");
    longjmp(env, 1);
}
__attribute__((noinline)) void *ends(void *a)
{
    __asm__ volatile("");
    pthread_exit(a);
}
int main(int argc, char **argv)
{
    pthread_t t;
    if (pthread_create(&t, NULL, ends, NULL) || pthread_join(t, NULL))
        return 1;
    if (!setjmp(env))
        jumps();
    puts("ready");
    fflush(stdout);
    while (access(argv[argc - 1], F_OK) && getppid() != 1)
        usleep(1000);
    return 0;
}
END
${CC:-cc} -O1 -pthread left.c -o left || exit 99
for f in jumps ends; do
    rm -f go t.out
    shell_start ./left
    say 'set exit-mode slots'
    say "probe -count $f"
    say 'set args go >t.out'
    say start
    say 'continue &'
    until_ok 20 has t.out '^ready'
    say detach
    check "a call of $f that was left is not open: the program is detached" has log 'detached\]'
    check "a call of $f that was left is not open: no hook stays" lacks log 'keeps a hook'
    shell_end
    touch go
done

# The runtime asks the unwinder that calls it which frame is left: each knows its own frames. LLVM's comes first here,
# and glibc loads libgcc at pthread_exit().
cat >two.c <<'END'
#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) void *work(void *a)
{
    __asm__ volatile("");
    pthread_exit(a);
}
static void *run(void *a)
{
    work(a);
    return NULL;
}
int main(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        void *r;
        if (pthread_create(&t, NULL, run, &t) || pthread_join(t, &r) || r != &t)
            return 1;
    }
    puts("right");
    return 0;
}
END
if ${CC:-cc} -O1 -pthread two.c -o two -Wl,--no-as-needed -l:libunwind.so.1 2>cc.err; then
    batch -return-child-result -ex 'probe work' -ex 'run >t.out' ./two
    check "two unwinders: each is asked for its own frames" same "$rc $(cat t.out)" "0 right"
    check "two unwinders: calls that a thread's end left are told" has log '3 calls ended without returning'
else
    skip "two unwinders: no libunwind of LLVM"
fi
cat >own.c <<'END'
#include <unwind.h>
static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *deepest)
{
    *(unsigned long *)deepest = _Unwind_GetCFA(context);
    return _URC_NO_REASON;
}
unsigned long deepest(void)
{
    unsigned long at = 0;
    _Unwind_Backtrace(frame, &at);
    return at;
}
END
check "a library with an unwinder of its own" ${CC:-cc} -O1 -g -shared -fPIC -static-libgcc -o own.so own.c
batch -return-child-result -ex 'probe -count sink' -ex 'run library ./own.so >t.out' "$targets/p_unwind"
check "exceptions pass when its library has gone" same "$rc $(cat t.out)" "0 right"

# A signal may come anywhere in a stub: an unwinder in its handler finds the way out.
anywhere() { # HOW PROBE
    for what in 'cancel 200' 'sample 100'; do
        batch -return-child-result -ex "set $1" -ex "probe $2 leaf" -ex "run $what >t.out" \
            "$targets/p_unwind"
        check "$1, probe $2, $what: out of stubs" same "$rc $(cat t.out)" "0 right"
    done
}
for mode in auto slots; do
    anywhere "exit-mode $mode" -count
    anywhere "exit-mode $mode" -record
done
anywhere 'strategy auto' 'entry -count'
anywhere 'strategy auto' 'entry -record'

# An entry probe stands on a function that exit probes need: it makes way, and they work.
batch -return-child-result -ex 'probe entry -count _Unwind_Find_FDE' -ex start -ex 'probe -count sink' \
    -ex 'info probes' -ex 'continue' --args "$targets/p_unwind" forks 50
check "a probe on the look-up makes way" has log '^Probe 1 \(_Unwind_Find_FDE\) is no longer planted, because of exit probes: eztsh itself needs this function'
check "and exceptions pass" same "$rc" 0

# gprof's mcount looks for the caller by the return address: its call graph is that of a run without probes.
cat >profiled.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) int leaf(int n) { volatile int m = n + 1; return m; }
__attribute__((noinline)) int mid(int n) { return leaf(n) + leaf(n + 1) - n; }
__attribute__((noinline)) int last(int n) { return mid(n); }
__attribute__((noinline)) int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
    int v[] = { 3, 1, 2 }, s = 0;
    qsort(v, 3, sizeof *v, order);
    for (int i = 0; i < 5; i++)
        s += last(i) + mid(i) + leaf(i);
    return s > 1000;
}
END
graph() { # FILE: the arcs of gmon.out, and how often each was taken
    gprof -b -q ./profiled gmon.out 2>&1 | grep -E '^ .*[0-9]' >"$1"
    rm -f gmon.out
}
profiled() { # COMPILER OPTION...
    title="gprof, $*"
    "$@" -g -pg -o profiled profiled.c 2>made && rm -f gmon.out && ./profiled && [ -f gmon.out ] || {
        echo "skip - unwind: $title: no profiled program"
        return
    }
    graph plain
    check "$title: there is a graph" [ "$(wc -l <plain)" -ge 5 ]
    batch -ex 'probe leaf mid last order' -ex run ./profiled
    graph probed
    check "$title: probes leave the call graph as it is" same "$(cat probed)" "$(cat plain)"
    check "$title: and nothing is said" lacks log gprof
    check "$title: all calls are recorded" has log ' 86 hits = 86 recorded'
}
if command -v gprof >/dev/null; then
    profiled gcc -O1
    profiled gcc -O0 -static
    profiled gcc -O2 -mfentry -fno-optimize-sibling-calls
    profiled clang -O1
    batch -ex start -ex 'probe leaf mid last' -ex 'detach -keep' ./profiled
    until_ok 20 gone "$(sed -n 's/.*(process \([0-9]*\)) detached.*/\1/p' log)"
    graph kept
    check 'gprof: kept probes, too' same "$(cat kept)" "$(cat plain)"
    batch -ex start -ex 'why leaf' -ex 'why mid' -ex 'probe leaf mid last' -ex continue ./profiled
    graph judged
    check 'gprof: functions that were judged before they were probed' same "$(cat judged)" "$(cat plain)"
    cat >rounds.c <<'END'
#include <fcntl.h>
#include <unistd.h>
__attribute__((noinline)) int leaf(int n) { volatile int m = n + 1; return m; }
__attribute__((noinline)) int mid(int n) { return leaf(n) + leaf(n + 1) - n; }
int main(void)
{
    int in = open("in", O_RDONLY);
    for (char c; read(in, &c, 1) == 1; write(1, &c, 1))
        mid(leaf(c));
    return 0;
}
END
    gcc -O1 -w -g -pg -o profiled rounds.c || exit 99
    mkfifo in
    rounds() { [ "$(wc -c <t.out)" -ge "$1" ]; }
    for shells in 0 3; do
        target ./profiled
        exec 9>in
        for k in 1 2 3 4; do
            printf r >&9
            until_ok 20 rounds "$k"
            [ "$k" -gt $shells ] || batch -p "$pid" -ex "$([ "$k" != 1 ] || echo 'probe leaf mid')" -ex 'detach -keep'
        done
        exec 9>&-
        reap "$pid"
        graph "taken$shells"
    done
    check 'gprof: probes that two more shells took over' same "$(cat taken3)" "$(cat taken0)"
    check 'gprof: they are two' has log '^Took over 2 probes'
else
    echo 'skip - unwind: there is no gprof'
fi
finish
