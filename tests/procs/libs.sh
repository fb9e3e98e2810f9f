#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# libs.sh - libraries that come and go, and programs that exec.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print
lib=$targets/libp.so

# ---- dlopen: planted before the constructor runs ----------------------------------------------
native=$("$targets/p_dl" "$lib" 1 10)
batch -ex 'probe libp:lib_inner' -ex 'probe libp:lib_mix' -ex "run '$lib' 1 10 >t.out" \
    -ex 'info trace' "$targets/p_dl"
check "dlopen: same output" same "$(cat t.out)" "$native"
check "dlopen: pending before, no failure after" same "$rc $(grep -c pending log)" "0 2"
# three calls of lib_inner in the constructor, then ten through lib_mix
check "dlopen: the constructor's calls are counted" \
    has log '46 hits = 46 recorded \+ 0 filtered \+ 0 untraced \+ 0 dropped'
rm -f ./*.fxt

batch -ex 'probe nowhere_defined' -ex 'probe libp:lib_mix' -ex "run '$lib' 1 10 >t.out" "$targets/p_dl"
check "never resolved: named at exit" has log '^Probe 1 \(nowhere_defined\) never resolved'
check "never resolved: status 1" same $rc 1
check "never resolved: the other one works" has log ' 20 hits = 20 recorded'
rm -f ./*.fxt

# fault 43
native=$("$targets/p_dl" "$lib" 20 10)
batch -ex 'probe libp:lib_inner' -ex 'probe libp:lib_mix' -ex "run '$lib' 20 10 >t.out" \
    -ex 'info trace' "$targets/p_dl"
check "43 dlclose and reload x20: same output" same "$(cat t.out)" "$native"
check "43 dlclose and reload x20: status 0" same $rc 0
check "43 dlclose and reload x20: probes follow, counts are exact" \
    has log '920 hits = 920 recorded \+ 0 filtered \+ 0 untraced \+ 0 dropped'
check "43 dlclose and reload x20: the trace is valid" trace_valid "$(echo p_dl-*.fxt)"
check "43 dlclose and reload x20: what was planted is told once, then one line each time" \
    same "$(grep -c '^Probe [12] at ' log) $(grep -c '^Planted 2 probes again, because libp.so was loaded again\.$' log)" "2 19"
codes=$(fxt_print -d -f p_dl-*.fxt 2>/dev/null | grep -oE '	 *1[0-9a-f]{6}\(' | sort -u | wc -l)
check "43 dlclose and reload x20: stubs and ids of the first time serve again" same "$codes" 4
rm -f ./*.fxt

# ---- a name that turns out to be two functions: each gets all that was asked -----------------------
for f in one two; do
    printf '%s\n' 'static volatile int sum;' '__attribute__((noinline)) static void both(int n) { sum += n; }' \
        "void $f(int n) { both(n); both(n + 1); }" >$f.c
done
echo 'void one(int), two(int); unsigned lib_mix(unsigned a, unsigned b) { one((int)a); two(10 + (int)a); return b; }' >mix.c
${CC:-cc} -g -O1 -shared -fPIC -o libtwo.so one.c two.c mix.c || exit 99
batch -ex 'dprintf libtwo:both,"n=%ld.\n",$arg0' -ex "run ./libtwo.so 1 1 >t.out" "$targets/p_dl"
check "two functions: both print" same "$(grep -o '^n=.*' log | xargs)" 'n=0. n=1. n=10. n=11.'
batch -ex 'tp libtwo:both' -ex tstart -ex "run ./libtwo.so 1 1 >t.out" -ex tstatus "$targets/p_dl"
check "two functions: both make frames" has log '^Collected 4 trace frames'
batch -ex 'tp libtwo:both' -ex "run ./libtwo.so 1 1 >t.out" -ex 'info trace' "$targets/p_dl"
check "two functions: neither without tstart" has log ': 4 hits = 0 recorded \+ 4 filtered'
batch -ex 'probe entry -count libtwo:both do stop' -ex "run ./libtwo.so 1 1 >t.out" -ex continue -ex continue -ex continue \
    -ex continue "$targets/p_dl"
check "two functions: each call of both stops" same "$(grep -o 'hit probe [12]' log | xargs)" \
    'hit probe 1 hit probe 1 hit probe 2 hit probe 2'
rm -f ./*.fxt

# ---- what matched once is not matched again ----------------------------------------------------
for rounds in 1 20; do # the library comes 20 times, libc once
    batch -ex "probe -count -r '*:^(_?setjmp|lib_mix)\$'" -ex "run '$lib' $rounds 10 >t.out" \
        -ex 'info coverage' "$targets/p_dl"
    grep 'refused: it returns twice' log >refused.$rounds
done
check "a rule: refused once, counted once" cmp refused.1 refused.20
check "a rule: refused at all" test -s refused.1

batch -ex 'probe -count -r ^twice$' -ex 'start 30 again=2 >t.out' -ex disable -ex enable \
    -ex continue -ex 'run 30 >t.out' -ex 'info probes' "$targets/p_app"
check "a rule: enable, exec and run make no second probe" same "$(grep -c 'both  *count .* twice ' log)" 1
batch -ex 'set solib-watch syscalls' -ex 'probe -count -r ^twice$' -ex 'run 30 >t.out' \
    -ex 'info probes' "$targets/p_app"
check "a rule: libraries noticed by system calls make no second probe" \
    same "$(grep -c 'both  *count .* twice ' log)" 1

# ---- exec: probes go into the new image ----------------------------------------------------------
"$targets/p_app" 30 again=2 >n.out
batch -ex 'probe twice' -ex 'run 30 again=2 >t.out' -ex 'info trace' "$targets/p_app"
check "exec x2: same output" cmp n.out t.out
check "exec x2: status 0" same $rc 0
check "exec x2: each is told" same "$(grep -c 'is executing new program' log)" 2
check "exec x2: by its number" lacks log '^process 0 is'
check "exec x2: the ledger of each image is told" same "$(grep -c "^Trace .*: 60 hits = 60 recorded" log)" 3
for f in p_app-*.fxt; do check "exec x2: a valid trace for an image" trace_valid "$f"; done
check "exec x2: each image has its trace" same "$(ls p_app-*.fxt | wc -l)" 3

batch -ex 'probe twice' -ex 'start 30 again=2 >t.out' -ex 'continue &' -ex wait "$targets/p_app"
check "exec x2 in the background: same output" cmp n.out t.out
check "exec x2 in the background: its end is told" has log 'exited normally\]'
check "exec x2 in the background: status 0" same $rc 0

# The exec is noticed at the next command, which plants the pending probes.
rm -f stop go
target sh -c "until [ -e go ]; do sleep 0.02; done; exec \"\$0\" stop 2" "$targets/p_loop"
shell_start -p "$pid"
say 'probe -count beat'
say 'continue &'
touch go
execed() { [ "$(cat "/proc/$pid/comm")" = p_loop ]; }
check "exec in the background: it goes on" until_ok 20 execed
say 'probe -count pulse'
check "exec in the background: told at the next command" \
    has log "^process $pid is executing new program: .*/p_loop"
counted() { say 'info probes' && [ "$(hits 1)" -gt 1000 ] && [ "$(hits 2)" -gt 1000 ]; }
check "exec in the background: the pending probe and the new one count" until_ok 20 counted
say detach
shell_end
check "exec in the background: bytes are restored" text_intact "$pid"
touch stop
reap "$pid"
check "exec in the background: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish
