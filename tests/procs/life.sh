#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# life.sh - the shell's own life: background, signals, statuses, input, full disks.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print

# ---- background ----------------------------------------------------------------------------------
native=$("$targets/p_app" 40)
batch -ex 'start 40 >t.out' -ex 'continue &' -ex 'probe -count answer' -ex wait "$targets/p_app"
check "continue &, probe, wait: same output" same "$(cat t.out)" "$native"
check "continue &, probe, wait: its end is told" has log '^\[Inferior 1 \(process [0-9]+\) exited normally\]'

rm -f stop
target "$targets/p_loop" stop 2
shell_start -p "$pid"
say 'continue &'
say 'probe -count beat'
say 'info probes'
touch stop
say wait
shell_end
reap "$pid"
check "probe in the background: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "probe in the background: its end is told" has log "process $pid\\) ended"

# ---- fault 78: signals to the shell ---------------------------------------------------------------------------
rm -f stop
: >log
"$eztsh" -nx -batch -ex "run stop 2 >t.out" -ex 'info threads' -ex 'shell touch stop' -ex continue \
    "$targets/p_loop" >log 2>&1 </dev/null &
shell=$!
children="$children $shell"
until_ok 20 has log '^Starting program' && until_ok 20 pgrep -P "$shell" -x p_loop >/dev/null
kill -INT "$shell"
check "SIGINT to a batch: interrupts" until_ok 20 has log 'received signal SIGINT, Interrupt'
reap "$shell"
check "SIGINT to a batch: its commands go on to the end" \
    same "$trc $(tail -n 1 t.out) $(grep -c 'exited normally' log)" "0 right 1"

rm -f stop
: >log
"$eztsh" -nx -batch -return-child-result -ex "run stop 2 >t.out" "$targets/p_loop" >log 2>&1 </dev/null &
shell=$!
children="$children $shell"
until_ok 20 has log '^Starting program' && until_ok 20 pgrep -P "$shell" -x p_loop >/dev/null
kill -TERM "$shell"
if until_ok 20 has log 'signal SIGTERM, Terminated'; then
    pass "SIGTERM is passed on to the target in the foreground"
else
    fail "SIGTERM is passed on to the target in the foreground" log
fi
reap "$shell"
check "SIGTERM: the shell ends, and says by what" same "$trc" 143

# The same where the program's status is not asked for, and where the program does not end at once.
cat >deaf.sh <<'END'
trap 'echo >heard' TERM HUP
echo >ready
until [ -e stop ]; do sleep 0.02; done
END
ended_by() { # SIGNAL STATUS PROG ARG
    rm -f stop heard ready
    # (who runs the tests with nohup ignores SIGHUP)
    env --default-signal=HUP "$eztsh" -nx -batch -ex "run $4 >t.out" -ex 'echo went on\n' "$3" >log 2>&1 </dev/null &
    shell=$!
    children="$children $shell"
    if [ "$4" = deaf.sh ]; then
        until_ok 20 [ -e ready ]
        kill -"$1" "$shell"
        check "SIG$1, $4: the program gets it" until_ok 20 [ -e heard ]
        touch stop
    else
        until_ok 20 has log '^Starting program' && until_ok 20 pgrep -P "$shell" -x p_loop >/dev/null
        kill -"$1" "$shell"
    fi
    reap "$shell"
    check "SIG$1, $4: 128 + signal" same "$trc" "$2"
    check "SIG$1, $4: no further command" lacks log 'went on'
}
for arg in stop deaf.sh; do
    prog=$targets/p_loop
    [ $arg = stop ] || prog=/bin/sh
    ended_by TERM 143 "$prog" $arg
    ended_by HUP 129 "$prog" $arg
done

# A process that was attached to is let go, not ended.
rm -f stop
target "$targets/p_loop" stop
"$eztsh" -nx -batch -p "$pid" -ex 'probe -count pulse' -ex continue >log 2>&1 </dev/null &
shell=$!
children="$children $shell"
until_ok 20 has log '^Continuing'
kill -TERM "$shell"
reap "$shell"
check "SIGTERM, attached: 128 + signal" same "$trc" 143
check "SIGTERM, attached: its bytes are restored" text_intact "$pid"
touch stop
reap "$pid"
check "SIGTERM, attached: it goes on" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- probes that never came to be ----------------------------------------------------------------------
batch -ex 'probe nowhere_defined' "$targets/p_app"
check "never resolved, never run: said" has log '^Probe 1 \(nowhere_defined\) never resolved: '
check "never resolved, never run: status 1" same $rc 1
batch -ex 'probe nowhere_defined' -ex start "$targets/p_app"
check "never resolved, killed: status 1" same $rc 1
check "never resolved, killed: said once" same "$(grep -c 'never resolved' log)" 1
batch -ex 'probe nowhere_defined' -ex 'delete 1' "$targets/p_app"
check "never resolved, deleted: status 0" same $rc 0

# ---- statuses, input ----------------------------------------------------------------------------------
batch -return-child-result -ex 'run 5 exit=3 >t.out' "$targets/p_app"
check "-return-child-result: the status" same $rc 3
batch -return-child-result -ex 'run 5 raise=9 >t.out' "$targets/p_app"
check "-return-child-result: 128+n" same $rc 137
printf 'probe twice\n# a comment\nrun 25 >t.out\ninfo probes\n' |
    timeout -k 5 $limit "$eztsh" -nx "$targets/p_app" >log 2>&1
rc=$?
check "a script on standard input" same "$rc $(hits 1)" "0 25"

# ---- a shell that is stopped, and a full ring ------------------------------------------------------
rm -f stop ./*.fxt
target "$targets/p_loop" stop 2
shell_start -p "$pid"
say 'set overflow wait'
say 'probe beat'
say 'continue &'
kill -STOP "$shell"
until_ok 5 in_state "$shell" T
check "the shell is stopped: the target goes on" moved "$pid" 500
kill -CONT "$shell"
say detach
shell_end
touch stop
reap "$pid"
check "the shell was stopped: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "the shell was stopped: losses are counted, the ledger adds up" python3 -c '
import re
h, r, f, u, d = map(int, re.findall(
    r"(\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped", open("log").read())[-1])
assert h == r + f + u + d and d > 0, (h, r, f, u, d)'
check "the shell was stopped: the trace is valid" trace_valid "$(echo p_loop-*.fxt)"

# ---- fault 57: a full disk; another user ------------------------------------------------------------------------
if [ "$(id -u)" = 0 ]; then
    mkdir small
    if mount -t tmpfs -o size=256k none small 2>/dev/null; then
        mounted=$work/small
        native=$("$targets/p_app" 200000)
        batch -ex 'trace small/t.fxt' -ex 'probe twice' -ex 'run 200000 >t.out' -ex 'info trace' "$targets/p_app"
        check "disk full: the target is not blocked, same output" same "$(cat t.out)" "$native"
        check "disk full: it is said" has log 'Trace lost: .*No space left'
        check "disk full: every hit is accounted for" python3 -c '
import re
h, r, f, u, d = map(int, re.findall(
    r"(\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped", open("log").read())[-1])
assert h == 400000 == r + f + u + d and u + d > 0, (h, r, f, u, d)'
        check "disk full: the trace is readable" trace_valid small/t.fxt
        umount small && mounted=
    else
        skip "disk full: no tmpfs can be mounted"
    fi
else
    skip "disk full: needs root"
fi
if other_user p_app libp.so; then
    (cd "$theirs" && EZTRACE_TRACE_DIR=$theirs timeout -k 5 $limit ./user -nx -batch \
        -ex 'probe twice' -ex 'run 30 >t.out' ./p_app) >log 2>&1 </dev/null
    check "launch as another user: status 0" same $? 0
    check "launch as another user: the hits are recorded" has log ' 60 hits = 60 recorded'
else
    skip "launch as another user: $why_not"
fi
finish
