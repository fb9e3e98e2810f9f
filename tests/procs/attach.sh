#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# attach.sh - 47, 48, 52, 53, 54: processes that cannot be had or must be treated gently.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

# ---- 47: a seccomp filter that would kill the target for our mmap ------------------------
target "$targets/p_sec" stop47
if until_ok 10 grep -q '^Seccomp:[[:space:]]*2' "/proc/$pid/status"; then
    batch -p "$pid" -ex 'probe guarded' -ex 'mmap 4096' -ex 'info probes' -ex detach
    check "47 seccomp: refused with its reason" \
        has log "process $pid runs under a seccomp filter that may kill it"
    check "47 seccomp: one line for each refusal" same "$(grep -c seccomp log)" 2
    check "47 seccomp: no probe is left" has log '^No probes'
    check "47 seccomp: status 1" same $rc 1
    check "47 seccomp: text is the file's" text_intact "$pid"
    touch stop47
    reap "$pid"
    check "47 seccomp: the target lives on" same "$trc $(tail -n 1 t.out)" "0 alive"
else
    skip "47 seccomp: no filter could be set"
fi

# A filter that comes when the runtime is there already: what needs no call is still planted.
rm -f stop47
shell_start "$targets/p_sec"
say 'set args stop47 >t.out 2>t.err'
say start
say 'probe guarded'
say 'continue &'
filtered() { grep -q '^Seccomp:[[:space:]]*2' "/proc/$(pgrep -P "$shell" -x p_sec)/status"; }
if until_ok 10 filtered; then
    say 'probe usleep'
    check "47 seccomp, late: where there is room, planting goes on" has log '^Probe 2 at .*usleep'
    say 'probe -count -r libc:.'
    check "47 seccomp, late: refused with its reason" \
        has log 'runs under a seccomp filter that may kill it'
    say 'info probes'
    check "47 seccomp, late: the old probe stays" has log '^1 +both +record +armed .* guarded'
    touch stop47
    say wait
    shell_end
    check "47 seccomp, late: the target lives on" same "$(tail -n 1 t.out)" alive
else
    skip "47 seccomp, late: no filter could be set"
    touch stop47
    shell_end
fi

# ---- 48: no page may become executable after it was writable -------------------------------
native=$("$targets/p_app" 50)
batch -return-child-result -ex 'run 50 mdwe >t.out' "$targets/p_app"
if [ $rc = 77 ]; then
    skip "48 PR_SET_MDWE: this kernel does not have it"
else
    batch -ex 'start 50 mdwe >t.out' -ex 'syscall 157 65 1 0 0 0' -ex 'probe twice' \
        -ex 'probe exit libp:lib_mix' -ex continue -ex 'info probes' "$targets/p_app"
    check "48 PR_SET_MDWE: probes work" same "$(hits 1) $(hits 2) $rc" "50 50 0"
    check "48 PR_SET_MDWE: same output" same "$(cat t.out)" "$native"
fi

# ---- 52: detach and quit from a running target ------------------------------------------------
let_go() { # NAME COMMAND
    rm -f stop52
    target "$targets/p_loop" stop52 4
    shell_start -p "$pid"
    say 'probe beat'
    say 'probe -count pulse'
    say 'continue &'
    say 'info probes'
    until_ok 10 more_hits || fail "52 $1: hits arrive"
    $2
    shell_end
    check "52 $1: bytes are restored" text_intact "$pid"
    check "52 $1: nobody traces it" grep -q '^TracerPid:[[:space:]]*0' "/proc/$pid/status"
    touch stop52
    reap "$pid"
    check "52 $1: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
}
more_hits() { say 'info probes' && [ "$(hits 1)" -gt 1000 ] && [ "$(hits 2)" -gt 1000 ]; }
by_detach() { say detach; }
by_quit() { post quit; }
by_eof() { :; }
by_term() { kill -TERM "$shell"; reap "$shell"; }
let_go detach by_detach
let_go quit by_quit
let_go "end of input" by_eof
let_go SIGTERM by_term

# ---- 53: job control and pending signals ----------------------------------------------------------
rm -f stop53
target "$targets/p_loop" stop53
until_ok 10 in_state "$pid" S || until_ok 10 in_state "$pid" R
kill -STOP "$pid"
until_ok 10 in_state "$pid" T
batch -p "$pid" -ex 'probe beat' -ex 'syscall getpid' -ex 'info threads' -ex detach
check "53 SIGSTOP before attach: attaches and injects" has log "^[$]_ = 0x[0-9a-f]+ \\($pid\\)"
check "53 SIGSTOP before attach: still stopped after detach" until_ok 5 in_state "$pid" T
check "53 SIGSTOP before attach: status 0" same $rc 0
kill -CONT "$pid"
shell_start -p "$pid"
say 'probe -count beat'
send() {
    python3 -c 'import ctypes, sys
ctypes.CDLL(None).sigqueue(int(sys.argv[1]), 10, ctypes.c_long(int(sys.argv[2])))' "$pid" "$1"
}
send 3 # comes while we hold it: kept through injections, stops and goes
say 'syscall getpid'
say 'probe -count pulse'
say 'continue &'
say interrupt
say 'delete 2'
send 5
say 'syscall getpid'
say 'syscall getpid'
say detach
shell_end
touch stop53
reap "$pid"
check "53 pending signals: each delivered once, with its details" \
    has t.out '^signals 2 values 8 queued 2$'
check "53 a pending signal: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- 54: who cannot be attached to -----------------------------------------------------------------
free=$(cat /proc/sys/kernel/pid_max)
batch -p $((free - 1))
check "54 no such process: said so" has log '^ptrace: No such process\. \(there is no process'
check "54 no such process: status 1" same $rc 1
batch -ex 'attach nonsense'
check "54 not a number: said so" has log '^Invalid number "nonsense" for a process id\.'
if [ "$(ps -o comm= -p 2)" = kthreadd ]; then
    batch -p 2
    check "54 a kernel thread: said so" has log 'Operation not permitted.*\(process 2 \(kthreadd\) is a kernel thread'
else
    skip "54 a kernel thread: none in this pid namespace"
fi
rm -f stop54
target "$targets/p_loop" stop54
held=$pid
shell_start -p "$held"
say 'info proc'
batch -p "$held"
check "54 already traced: by whom" has log "process $held is already traced by process $shell"
shell_end
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    timeout 30 setpriv --reuid=65534 --regid=65534 --clear-groups \
        "$eztsh" -nx -batch -p "$held" >log 2>&1 </dev/null
    rc=$?
    check "54 another user's process: which uids" \
        has log "Operation not permitted\\. \\(process $held belongs to uid 0, you are uid 65534"
    check "54 another user's process: status 1" same $rc 1
    check "54 another user's process: one line" same "$(grep -vc '^Attaching' log)" 1
else
    skip "54 another user's process: needs root"
fi
touch stop54
reap "$held"
check "54 the target was not harmed" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- its main thread has ended, the process has not -------------------------------------------
rm -f stop54 go54
: >go54
target "$targets/p_keep" stop54 go54 2 headless
until_ok 10 in_state "$pid" Z
shell_start -p "$pid"
say 'probe leaf'
say 'info threads'
check "54 the main thread has ended: the others are there" lacks log "LWP $pid "
say 'continue &'
say 'probe -count lap'
touch stop54
say wait
say 'info probes'
shell_end
reap "$pid"
check "54 the main thread has ended: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
check "54 the main thread has ended: nothing is lost" has log ' hits = [1-9][0-9]* recorded .* 0 dropped'
check "54 the main thread has ended: the trace names the program" grep -qa "$targets/p_keep" "p_keep-$pid.fxt"
finish
