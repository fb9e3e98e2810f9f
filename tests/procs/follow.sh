#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# follow.sh - which process the shell follows at a fork, and programs that exec others.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print

rights() { grep -c "right$" "$1"; }
all_ended() { [ "$(rights t.out)" = "$1" ] || grep -q WRONG t.out; }

# ---- fault 36, fault 37: the shell goes on with the child, each time ---------------------------------------
# The first process calls `tick` 100 times before and after (fork, clonevm: those before it
# is let go of are certain), each child a hundred times before it goes on in turn.
chain() { # NUMBER HOW N LAST
    label="$1 follow the child of $2, x$3"
    rm -f ./*.fxt
    batch -ex 'set follow-fork-mode child' -ex 'probe tick' -ex "run $2 $3 >t.out 2>t.err" \
        -ex 'info probes' "$targets/p_follow"
    check "$label: status 0" same $rc 0
    check "$label: told each time" same \
        "$(grep -cE '^\[Attaching after process [0-9]+ v?fork to child process [0-9]+\]$' log)" "$3"
    until_ok 20 all_ended $(($3 + 1))
    check "$label: every process is right" same "$(rights t.out)" $(($3 + 1))
    check "$label: the last one's count begins at 0" same "$(hits 1)" "$4"
    check "$label: each has a trace of its own" same "$(echo p_follow-*.fxt | wc -w)" $(($3 + 1))
    check "$label: all ledgers add up, the last one exactly" python3 -c '
import re, sys
l = [list(map(int, m)) for m in re.findall(
    r"^Trace \S+: (\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped",
    open("log").read(), re.M)]
print(l)
assert len(l) == int(sys.argv[1]) + 1 and l[-1][:2] == [2 * int(sys.argv[2])] * 2
assert all(h == r + f + u + d and h >= 200 for h, r, f, u, d in l[:-1])' "$3" "$4"
}
chain 36 fork 1 100
chain 36 fork 10 100
chain 37 vfork 50 100
chain 37 clonevm 10 100
for f in p_follow-*.fxt; do
    trace_valid "$f" || { fail "37 every trace is valid: $f" fxt.err stats.out; break; }
done

# Frames that were entered through slots of the parent's return in the child.
batch -ex 'set follow-fork-mode child' -ex 'probe -count -r .' -ex 'run fork 5 >t.out' "$targets/p_follow"
until_ok 20 all_ended 6
check "36 inherited frames return: status 0" same $rc 0
check "36 inherited frames return: every process is right" same "$(rights t.out)" 6

# Inherited probes of each strategy.
for how in island pun trap; do
    batch -ex "set strategy $how" -ex 'set follow-fork-mode child' -ex 'probe -count -r .' \
        -ex 'run fork 3 >t.out' -ex 'info probes' "$targets/p_follow"
    until_ok 20 all_ended 4
    check "36 children of $how probes: every process is right" same "$(rights t.out)" 4
    check "36 children of $how probes: all are followed" same "$(grep -c '^.Attaching after' log)" 3
done

# ---- fault 36: both sides, looked at while they live --------------------------------------------------
rm -f stop ./*.fxt
shell_start "$targets/p_follow"
say 'set follow-fork-mode child'
say 'probe -count tick'
say 'probe done'
post 'run fork 1 stop >t.out 2>t.err'
until_ok 20 has log '^\[Inferior 1 \(process [0-9]+\) detached\]'
parent=$(sed -n 's/^\[Attaching after process \([0-9]*\) fork.*/\1/p' log)
child=$(sed -n 's/^\[Attaching after .* child process \([0-9]*\)\]/\1/p' log)
children="$children $parent $child"
check "36 the parent's text is its file's" text_intact "$parent"
check "36 nobody traces the parent" grep -q '^TracerPid:[[:space:]]*0' "/proc/$parent/status"
check "36 the child is ours" grep -q "^TracerPid:[[:space:]]*$shell\$" "/proc/$child/status"
busy() { [ "$(awk '{ print $14 + $15 }' "/proc/$child/stat")" -gt 5 ] || in_state "$child" S; }
until_ok 20 busy
kill -INT "$shell"
until_ok 20 has log 'Program received signal SIGINT'
say 'info textdiff'
check "36 the child's text has its own jumps, no inherited ones" has log ' 0 of them foreign'
say 'info mappings'
say 'info probes'
say 'detach'
check "36 the child's text is its file's after detach" text_intact "$child"
shell_end
touch stop
until_ok 20 all_ended 2
check "36 both end right" same "$(rights t.out)" 2

# ---- fault 36, fault 37: the default: the parent is followed, children run unprobed -----------------------------
for how in fork vfork clonevm; do
    rm -f ./*.fxt
    batch -ex 'probe tick' -ex "run $how 5 >t.out" -ex 'info probes' "$targets/p_follow"
    until_ok 20 all_ended 6
    check "37 follow the parent of $how: every process is right" same "$(rights t.out)" 6
    check "37 follow the parent of $how: exact" same "$(hits 1)" 200
    check "37 follow the parent of $how: one trace" same "$(echo p_follow-*.fxt | wc -w)" 1
done

# ---- modules record in the child, too ------------------------------------------------------------------
rm -f ./*.fxt
batch -m "$targets/m_count.so" -ex 'set follow-fork-mode child' -ex 'run fork 2 >t.out' "$targets/p_follow"
until_ok 20 all_ended 3
check "a module in children: every process is right" same "$(rights t.out)" 3
counted() { "$eztsh" -nx -batch -ex "stats $1" | awk '$1 == "Counting" { print $3 }'; }
newest=$(ls -t ./*.fxt | head -n 1)
check "a module in children: each has a trace of its own" same "$(ls ./*.fxt | wc -l | tr -d ' ')" 3
check "a module in children: calls of the last one" same "$(counted "$newest")" 100

# ---- the setting changes while the target is there ----------------------------------------------------
rm -f stop
batch -ex 'start fork 1 >t.out' -ex 'set follow-fork-mode child' -ex 'probe -count tick' -ex continue \
    -ex 'info probes' "$targets/p_follow"
until_ok 20 all_ended 2
check "set after start: the child is followed" same "$(hits 1)" 100
batch -ex 'set follow-fork-mode child' -ex 'start fork 1 >t.out' -ex 'set follow-fork-mode parent' \
    -ex 'probe -count tick' -ex continue -ex 'info probes' "$targets/p_follow"
until_ok 20 all_ended 2
check "set back after start: the parent is followed" same "$(hits 1)" 200
batch -ex 'set detach-on-fork off' -ex 'show detach-on-fork' -ex 'probe -count tick' -ex 'run fork 2 >t.out' -ex 'info inferiors' \
    "$targets/p_follow"
until_ok 20 all_ended 3
check "detach-on-fork off: all belong to the session" same "$(grep -c 'process [0-9]* *exited' log)" 3
check "detach-on-fork off: every process is right" same "$(rights t.out)" 3

# ---- set stop-at-exec: probes stand in the new program before its first instruction ---------------------
rm -f ./*.fxt
batch -ex 'set stop-at-exec on' -ex 'probe -count tick' -ex 'run exec 1 >t.out' -ex 'probe -count main' -ex continue \
    -ex 'info probes' "$targets/p_follow"
check "stop-at-exec: it stops, once" same "$(grep -c '^The new program is ready to run\.' log)" 1
check "stop-at-exec: the new main is probed in time" same "$(hits 2)" 1
check "stop-at-exec: it ends right" same "$(cat t.out)" "last right"

# ---- fault 38: exec from a thread that is not the leader --------------------------------------------------------
for mode in parent child; do
    rm -f ./*.fxt
    batch -ex "set follow-fork-mode $mode" -ex 'probe -count tick' -ex 'run exec 100 >t.out' "$targets/p_follow"
    check "38 exec from a thread x100, $mode: status 0" same $rc 0
    check "38 exec from a thread x100, $mode: each is told" \
        same "$(grep -c 'is executing new program' log)" 100
    check "38 exec from a thread x100, $mode: it ends right" same "$(cat t.out)" "last right"
    check "38 exec from a thread x100, $mode: every image was probed" \
        same "$(grep -c '^[0-9]* hits = 0 recorded + [0-9]* filtered + 0 untraced + 0 dropped' log)" 101
done
batch -ex 'probe tick' -ex 'run exec 10 >t.out' "$targets/p_follow"
check "38 exec in the middle of recorded hits: ledgers add up" python3 -c '
import re
l = [list(map(int, m)) for m in re.findall(
    r"(\d+) hits = (\d+) recorded \+ (\d+) filtered \+ (\d+) untraced \+ (\d+) dropped", open("log").read())]
print(l)
assert len(l) == 11 and all(h == r + f + u + d and d <= 10 for h, r, f, u, d in l)'
rm -f ./*.fxt
batch -ex 'start exec 100 >t.out' -ex 'probe -count tick' -ex 'continue &' -ex wait "$targets/p_follow"
check "38 exec from a thread x100 in the background: it ends right" same "$(cat t.out)" "last right"

# ---- fault 39: exec of a setuid program ---------------------------------------------------------------------------
install -m 4755 "$targets/p_loop" suid
install -m 4755 "$(command -v id)" euid
if ! other_user p_app libp.so; then
    skip "39 setuid: $why_not"
elif [ "$($as ./euid -u)" != 0 ]; then
    skip "39 setuid: not on this file system"
else
    cd "$theirs" || exit 99
    EZTRACE_TRACE_DIR=$theirs
    plain=$eztsh
    eztsh=./user
    # in the background the process becomes another user's: it cannot be traced any more
    shell_start ./p_app
    say "start 50 other=$work/suid >t.out"
    say 'probe twice'
    say 'info proc'
    prey=$(sed -n 's/^process \([0-9]*\)$/\1/p' log)
    children="$children $prey"
    say 'continue &'
    is_suid() { [ "$(cat "/proc/$prey/comm")" = suid ]; }
    check "39 setuid in the background: it becomes that" until_ok 20 is_suid
    say interrupt
    check "39 setuid in the background: lost, reported in one line" \
        has log "^Process $prey executed a program that you may not trace \\(setuid\\?\\): it runs on without eztsh\\. Root may trace it\\.$"
    say 'info probes'
    check "39 setuid in the background: its probes wait, with their counts" same "$(hits 1)" 50
    check "39 setuid in the background: its ledger is told" has log '^Trace .*: 100 hits = 100 recorded'
    check "39 setuid in the background: it lives on" alive "$prey"
    kill -KILL "$prey"
    shell_end
    check "39 setuid in the background: the shell ends" [ "$rc" -le 1 ]
    # in the foreground the kernel keeps the privileges from a traced process
    shell_start ./p_app
    say 'probe -count twice'
    say 'probe -count beat'
    post "run 50 other=$work/suid >t.out"
    check "39 setuid in the foreground: probed, without privileges" \
        until_ok 20 has log 'is executing new program: .*/suid'
    prey=$(sed -n 's/^process \([0-9]*\) is executing new program: .*\/suid.*/\1/p' log)
    children="$children $prey"
    check "39 setuid in the foreground: it is the user's" same "$(awk '/^Uid/ { print $3 }' "/proc/$prey/status")" $other
    kill -INT "$shell"
    until_ok 20 has log 'Program received signal SIGINT'
    say kill
    shell_end
    # a setuid program that the shell launches has no privileges either; one that has them cannot be
    # attached to by its user
    rm -f t.out
    batch -ex "start stop >t.out" -ex 'probe -count beat' -ex 'info proc' -ex kill "$work/suid"
    check "39 setuid, launched: probed" has log '^Probe 1 at '
    batch -ex "run -u >t.out" "$work/euid"
    check "39 setuid, launched: without privileges" same "$(cat t.out)" $other
    rm -f t.out stop
    # shellcheck disable=SC2086
    target $as "$work/suid" stop 2
    until_ok 10 two_threads
    batch -p "$pid"
    check "39 setuid, attached to: refused with the reason" \
        has log 'Operation not permitted\. The process changed its credentials'
    check "39 setuid, attached to: status 1" same $rc 1
    touch stop
    reap "$pid"
    check "39 setuid, attached to: it was not harmed" same "$trc $(tail -n 1 t.out)" "0 right"
    eztsh=$plain
    cd ..
fi

# ---- fault 41: attach amid short-lived threads ----------------------------------------------------------------------
rm -f stop go
touch go
target "$targets/p_keep" stop go 4 births
n=0 missed=0
while [ $n -lt 40 ]; do
    n=$((n + 1))
    batch -p "$pid" -ex 'probe -count leaf' -ex 'info threads' -ex detach
    [ $rc = 0 ] && lacks log '\(running\)' || missed=$((missed + 1))
done
check "41 attach amid short-lived threads x40: all are stopped each time" same $missed 0
check "41 attach amid short-lived threads x40: text is the file's" text_intact "$pid"
touch stop
reap "$pid"
check "41 attach amid short-lived threads x40: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish
