#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# killed.sh - the shell is killed at any moment (fault 49), and the target is (fault 51).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print

# ---- fault 49: in steady state --------------------------------------------------------------------
recorded() { # at least N events are in the file's committed part
    say 'info trace' && [ "$(sed -n 's/.* hits = \([0-9]*\) recorded.*/\1/p' log | tail -n 1)" -ge "$1" ]
}

loop() { # TITLE: a target that works, and a shell
    label="49 SIGKILL of the shell, $1"
    rm -f stop49 ./*.fxt
    target "$targets/p_loop" stop49 4
    shell_start -p "$pid"
}
loop_ends() {
    touch stop49
    reap "$pid"
    check "$label: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
}
steady() { # ACTION OVERFLOW
    loop "$1 $2"
    say "set overflow $2"
    say "probe $1 beat"
    say "probe exit $1 pulse"
    say 'continue &'
    if [ "$1" = -record ]; then
        check "$label: events arrive" until_ok 20 recorded 20000
    fi
    shell_kill
    check "$label: the target goes on" moved "$pid" 50
    if [ "$1" = -record ]; then
        check "$label: the trace is valid" trace_valid "$(echo p_loop-*.fxt)"
        check "$label: what was committed is there" \
            [ "$(sed -n 's/^\([0-9]*\) events in.*/\1/p' stats.out)" -ge 20000 ]
    fi
    # A later shell takes the probes over, if it is root's, or takes them away. It can plant its
    # own.
    batch -p "$pid" -ex detach
    if [ "$(id -u)" = 0 ]; then
        check "$label: a later attach takes the leftovers over" has log '^Took over 2 probes of an earlier eztsh'
    else
        check "$label: a later attach takes the leftovers away" has log '^Removed [0-9]+ probes? of an earlier eztsh'
    fi
    check "$label: text is the file's again" text_intact "$pid"
    check "$label: the target goes on without them" moved "$pid" 50
    batch -p "$pid" -ex 'probe -count beat' -ex 'continue &' -ex 'info probes' -ex detach
    check "$label: it can be probed again" same $rc 0
    loop_ends
}
with_data() { # probes with conditions, data and aggregates are taken away, and that is said
    loop 'probes with data'
    say 'probe beat if $arg0 != 1 collect $arg0'
    say 'count pulse by $arg0'
    say 'continue &'
    check "$label: events arrive" until_ok 20 recorded 20000
    shell_kill
    check "$label: the target goes on" moved "$pid" 50
    batch -p "$pid" -ex 'count pulse by $arg0 if $arg0 == -77' -ex 'info aggregates' -ex detach
    check "$label: a later attach takes them away, and says so" has log '^Removed 2 probes of an earlier eztsh'
    check "$label: an aggregate of that shell begins at nothing" has log '^  no hits$'
    check "$label: text is the file's again" text_intact "$pid"
    loop_ends
}
with_data
steady -count wait
steady -record wait
steady -record drop

# ---- fault 49: at random moments while it plants and removes -----------------------------------------
rm -f stop49
target "$targets/p_loop" stop49 4
awk 'BEGIN { for (i = 0; i < 3000; i++) { print "probe -count beat pulse"; print "delete"; } }' >loop.ezt
rounds=0 lost=0 hit=0
while [ $rounds -lt 25 ]; do
    rounds=$((rounds + 1))
    "$eztsh" -nx -batch -p "$pid" -ex 'continue &' -x loop.ezt >log 2>&1 </dev/null &
    shell=$!
    until_ok 20 has log '^Probe [2-4] at' || { lost=$rounds; break; }
    python3 -c 'import random, time; time.sleep(random.random() * 0.1)'
    alive "$shell" || { lost=$rounds; break; } # the shell had not come to its end
    shell_kill
    alive "$pid" || { lost=$rounds; break; }
    text_intact "$pid" "$targets/p_loop" >/dev/null || hit=$((hit + 1))
done
check "49 SIGKILL while it plants and removes: $hit times of $rounds a probe stood" [ $hit -gt 0 ]
if [ $lost = 0 ]; then
    pass "49 SIGKILL while it plants and removes, $rounds times: the target lives"
else
    fail "49 SIGKILL while it plants and removes: round $lost" log t.out
fi
batch -p "$pid" -ex detach
check "49 SIGKILL while it plants and removes: text is the file's after attach" text_intact "$pid"
touch stop49
reap "$pid"
check "49 SIGKILL while it plants and removes: the target ends right" \
    same "$trc $(tail -n 1 t.out)" "0 right"

# ---- fault 49: while a thread that is stepped sleeps in a system call ------------------------------
target sleep 1000
until_ok 20 asleep_in "$pid" 35 230
shell_start -p "$pid"
until_ok 20 in_state "$pid" t
post stepi
check "49 SIGKILL of the shell in a step that sleeps: it sleeps" until_ok 20 in_state "$pid" S
shell_kill
for _ in 1 2; do
    batch -p "$pid" -ex detach
    check "49 SIGKILL of the shell in a step that sleeps: a later attach" same $rc 0
done
check "49 SIGKILL of the shell in a step that sleeps: the target lives" until_ok 20 in_state "$pid" S
kill "$pid"
reap "$pid"

# ---- fault 51: the target is killed -------------------------------------------------------------------
rm -f stop49 ./*.fxt
target "$targets/p_loop" stop49 2
shell_start -p "$pid"
say 'probe beat'
say 'continue &'
until_ok 20 recorded 5000
kill -KILL "$pid"
wait "$pid" 2>/dev/null
say wait
say 'info trace'
check "51 SIGKILL of the target: its end is reported" has log "process $pid\\) ended"
shell_end
check "51 SIGKILL of the target: the trace is valid" trace_valid "$(echo p_loop-*.fxt)"
check "51 SIGKILL of the target: hits = recorded, but for calls in flight" python3 -c '
import re, sys
hits, rec, fil, unt, drop = map(int, re.findall(
    r"(\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped", open("log").read())[-1])
sys.exit(not (rec >= 5000 and hits == rec + fil + unt + drop and drop <= 4))'

# ---- fault 51: its parent does not ask for its end: the pid lives on ----------------------------------
rm -f stop49 kid ./*.fxt
mkfifo hold
python3 -c '
import subprocess, sys
p = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
open("kid", "w").write(str(p.pid))
open("hold").read()' "$targets/p_loop" stop49 16 </dev/null 2>t.err &
parent=$!
children="$children $parent"
until_ok 10 test -s kid
pid=$(cat kid)
children="$children $pid"
shell_start -p "$pid"
say 'probe beat'
say 'continue &'
until_ok 20 recorded 5000
kill -KILL "$pid"
say wait
say 'info trace'
shell_end
check "51 SIGKILL of the target, a zombie: the ledger adds up" python3 -c '
import re, sys
hits, rec, fil, unt, drop = map(int, re.findall(
    r"(\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped", open("log").read())[-1])
sys.exit(not (rec >= 5000 and hits == rec + fil + unt + drop and drop <= 17))'
in_state "$pid" Z || skip "51 SIGKILL of the target, a zombie: it was none"
echo >hold
wait "$parent"
finish
