#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# attach.sh - processes that cannot be had or must be treated gently.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

# ---- fault 47: a seccomp filter that would kill the target for our mmap ------------------------
target "$targets/p_sec" stop47
if until_ok 10 grep -q '^Seccomp:[[:space:]]*2' "/proc/$pid/status"; then
    batch -p "$pid" -ex 'probe guarded' -ex 'mmap 4096' -ex 'info probes' -ex detach
    check "47 seccomp: refused with its reason" \
        has log "Process $pid runs under a seccomp filter that may kill it"
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

# The filter comes when the runtime is there already: probes that need no system call are planted.
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

# ---- fault 48: no page may become executable after it was writable -------------------------------
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

# ---- fault 52: detach and quit from a running target ------------------------------------------------
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

# ---- fault 53: job control and pending signals ----------------------------------------------------------
rm -f stop53
target "$targets/p_loop" stop53 2
until_ok 10 two_threads # its signal handlers are set by then
kill -STOP "$pid"
until_ok 10 in_state "$pid" T
batch -p "$pid" -ex 'probe beat' -ex 'syscall getpid' -ex 'info threads' -ex detach
check "53 SIGSTOP before attach: attaches and injects" has log "^[$]_ = 0x[0-9a-f]+ \\($pid\\)"
check "53 SIGSTOP before attach: still stopped after detach" until_ok 5 in_state "$pid" T
check "53 SIGSTOP before attach: status 0" same $rc 0
kill -CONT "$pid"
# Others send the signals while we hold the target. SIGSTOP cannot be blocked, so each injected
# call meets one.
shell_start -p "$pid"
for sig in STOP STOP CONT STOP CONT; do
    kill -$sig "$pid"
    say 'syscall getpid'
done
say detach
shell_end
check "53 SIGSTOP and SIGCONT while it is held: calls are injected" \
    same "$(grep -cE "^[$]_ = 0x[0-9a-f]+ \\($pid\\)" log) $rc" "5 0"
check "53 SIGSTOP and SIGCONT while it is held: the last one holds, it runs" moved "$pid" 2
shell_start -p "$pid"
for sig in CONT STOP; do
    kill -$sig "$pid"
    say 'syscall getpid'
done
say detach
shell_end
check "53 SIGCONT and SIGSTOP while it is held: the last one holds, it stands" until_ok 5 in_state "$pid" T
kill -CONT "$pid"
# fault 79
python3 - "$pid" >pairs 2>&1 <<'END' &
import os, random, signal, sys, time
random.seed(53)
for _ in range(60):
    for sig in (signal.SIGSTOP, signal.SIGCONT):
        time.sleep(random.random() * 0.02)
        os.kill(int(sys.argv[1]), sig)
END
pairs=$!
sessions=0 failed_sessions=0
while [ $sessions -lt 3 ] || alive $pairs; do
    batch -p "$pid" -ex 'probe beat' -ex 'continue &' -ex interrupt -ex 'mmap 4096' \
        -ex 'check beat' -ex 'measure beat' -ex 'probe -count pulse' -ex 'syscall getpid' -ex detach
    sessions=$((sessions + 1))
    [ $rc = 0 ] || { failed_sessions=$((failed_sessions + 1)); cp log failed.log; }
done
check "53 60 pairs of SIGSTOP and SIGCONT: $sessions sessions, none fails" same $failed_sessions 0
[ $failed_sessions = 0 ] || cat failed.log
check "53 60 pairs of SIGSTOP and SIGCONT: it runs on" moved "$pid" 2
shell_start -p "$pid"
say 'probe -count beat'
send() {
    python3 -c 'import ctypes, sys
ctypes.CDLL(None).sigqueue(int(sys.argv[1]), 10, ctypes.c_long(int(sys.argv[2])))' "$pid" "$1"
}
send 3 # comes while we hold the target, and is kept through injections and stops
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

# ---- timers of some kHz: a signal waits whenever a thread stops -------------------------------------
rm -f stop53
target "$targets/p_storm" stop53 4
none_held() { # except inside handlers, which end
    same "$(cat /proc/"$pid"/task/*/status | grep '^SigBlk' | sort -u | tr '\t' ' ')" \
        'SigBlk: 0000000000000000'
}
batch -p "$pid" -ex 'probe -count beat' -ex 'syscall getpid' -ex 'check beat' -ex 'continue &' \
    -ex 'probe -count -r .' -ex 'info probes' -ex detach
check "53 timers of 5 kHz: probes are planted" has log '^Probe 1 at .*'
check "53 timers of 5 kHz: status 0" same $rc 0
check "53 timers of 5 kHz: no signal is held back" until_ok 20 none_held
check "53 timers of 5 kHz: text is the file's" text_intact "$pid"
touch stop53
reap "$pid"
check "53 timers of 5 kHz: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- flags that are pushed during a step are the program's ---------------------------------------
rm -f stop53
target "$targets/p_flags" stop53
until_ok 10 moved "$pid" 1
n=0 bad_sessions=0
while [ $n -lt 12 ]; do
    batch -p "$pid" -ex "stepi $((20 + n))" -ex detach
    [ $rc = 0 ] || bad_sessions=$((bad_sessions + 1))
    n=$((n + 1))
done
check "stepi over pushf: 12 sessions" same $bad_sessions 0
touch stop53
reap "$pid"
check "stepi over pushf: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- a range of numbers is deleted in one stop -------------------------------------------------
interrupts() { # COMMAND...: how many interrupts it takes; other ptrace calls vary with the load
    EZ_FAULT_COUNT=$work/calls EZ_FAULT=interrupt:1000000:EIO
    export EZ_FAULT_COUNT EZ_FAULT
    batch -p "$pid" -ex 'probe -count -r libc:^mem' -ex 'continue &' "$@" -ex 'info probes' -ex detach
    unset EZ_FAULT_COUNT EZ_FAULT
    cat calls 2>/dev/null | awk '{ n += $NF } END { print n + 0 }'
}
rm -f stop53
target "$targets/p_loop" stop53 4
all=$(interrupts -ex delete)
some=$(interrupts -ex 'delete 1-3 5-1000')
check "a range of numbers: is gone" has log '^4 '
check "a range of numbers: the others are, too" lacks log '^(5|6) '
if faults; then
    check "a range of numbers: takes as few stops as all ($all, $some interrupts of 5 threads)" \
        [ "$some" -lt $((all + 20)) ]
else
    skip "a range of numbers: how often it stops: needs configure --enable-fault-injection"
fi
touch stop53
reap "$pid"

# ---- a process that locks all memory it ever maps: tables stay sparse ---------------------------
rm -f stop53
target python3 -c '
import ctypes, os, time
print("no" if ctypes.CDLL(None).mlockall(3) else "locks", flush=True)
while not os.path.exists("stop53"):
    time.sleep(0.01)
print("right")'
until_ok 20 [ -s t.out ]
if has t.out locks; then # the limit bounds the memory if tables are not sparse
    (ulimit -f 1048576; batch -p "$pid" -ex 'probe -count -r libc:^mem' -ex detach)
    check "mlockall: probes are planted" has log '^Planted [1-9]'
    check "mlockall: tables stay sparse" \
        [ "$(sed -n 's/^RssShmem:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status")" -lt 100000 ]
    touch stop53
    reap "$pid"
    check "mlockall: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
else
    skip "mlockall: not allowed here"
    touch stop53
    reap "$pid"
fi

# ---- fault 58: no room in the target for all that the runtime needs ------------------------------------------
rm -f stop53
target "$targets/p_loop" stop53 2
until_ok 10 two_threads
size=$(sed -n 's/^VmSize:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status") # KiB
prlimit --pid "$pid" --as=$(((size + 50000) * 1024)) # the slots alone are 64 MiB
what_it_has() { wc -l <"/proc/$pid/maps"; ls "/proc/$pid/fd"; }
before=$(what_it_has)
batch -p "$pid" -ex 'probe beat' -ex detach
check "58 the target's limit of addresses is reported" \
    has log "mmap failed: ENOMEM .*\\. Process $pid may be at a limit: see ulimit -v"
check "58 the target's limit of addresses: nothing is left in it" same "$(what_it_has)" "$before"
touch stop53
reap "$pid"
check "58 the target's limit of addresses: it ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- fault 54: who cannot be attached to -----------------------------------------------------------------
free=$(cat /proc/sys/kernel/pid_max)
batch -p $((free - 1))
check "54 no such process: said so" has log '^ptrace: No such process\. There is no process'
check "54 no such process: status 1" same $rc 1
batch -ex 'attach nonsense'
check "54 not a number: said so" has log '^Illegal process-id: nonsense\.'
if [ "$(cat /proc/2/comm 2>/dev/null)" = kthreadd ]; then
    batch -p 2
    check "54 a kernel thread: said so" has log 'Operation not permitted.* Process 2 \(kthreadd\) is a kernel thread'
else
    skip "54 a kernel thread: none in this pid namespace"
fi
rm -f stop54
target "$targets/p_loop" stop54
held=$pid
shell_start -p "$held"
say 'info proc'
batch -p "$held"
check "54 already traced: the tracer is named" has log \
    "^ptrace: Operation not permitted\\. Process $held is already traced by process $shell \\(eztsh\\): detach that one first\\."
check "54 already traced: in one line" same "$(grep -vc '^Attaching' log)" 1
shell_end
# by another debugger: whoever it is has it until it lets go
cat >holder.py <<'END'
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long] * 4
print("holds" if libc.ptrace(0x4206, int(sys.argv[1]), 0, 0) == 0 else "no", flush=True) # PTRACE_SEIZE
sys.stdin.read()
END
held_by() { # NAME COMMAND...: it traces, and says so by "holds" on its output
    whom=$1
    shift
    rm -f holding
    mkfifo holding
    "$@" <holding >holder.out 2>&1 &
    holder=$!
    children="$children $holder"
    exec 4>holding
    check "54 traced by $whom: it is" until_ok 30 grep -q "^TracerPid:[[:space:]]*[1-9]" "/proc/$held/status"
    tracer=$(sed -n 's/^TracerPid:[[:space:]]*//p' "/proc/$held/status")
    comm=$(cat "/proc/$tracer/comm")
    batch -p "$held"
    check "54 traced by $whom: its number and its name" has log \
        "^ptrace: Operation not permitted\\. Process $held is already traced by process $tracer \\($comm\\): detach"
    check "54 traced by $whom: in one line, an error" same "$(grep -vc '^Attaching' log) $rc" "1 1"
    exec 4>&-
    check "54 traced by $whom: it ends" until_ok 20 gone "$holder"
    batch -p "$held" -ex detach
    check "54 traced by $whom: then it can be had" same "$rc" 0
}
held_by "a tracer" python3 holder.py "$held"
if command -v gdb >/dev/null; then
    held_by gdb gdb -nx -q -p "$held"
else
    skip "54 traced by gdb: no gdb here"
fi
if other_user; then
    timeout -k 5 $limit "$theirs/user" -nx -batch -p "$held" >log 2>&1 </dev/null
    rc=$?
    check "54 another user's process: which uids" \
        has log "Operation not permitted\\. Process $held belongs to uid 0, you are uid $other"
    check "54 another user's process: status 1" same $rc 1
    check "54 another user's process: one line" same "$(grep -vc '^Attaching' log)" 1
else
    skip "54 another user's process: $why_not"
fi
cat >p32.s <<'S'
        .globl _start
_start: mov $162, %eax          # nanosleep, for as long as the test may take
        mov $time, %ebx
        xor %ecx, %ecx
        int $0x80
        mov $1, %eax            # exit(3)
        mov $3, %ebx
        int $0x80
        .data
time:   .long 0, 1
S
if as --32 p32.s -o p32.o 2>/dev/null && ld -m elf_i386 p32.o -o p32 2>/dev/null && { ./p32; [ $? = 3 ]; }; then
    sed 's/\.long 0, 1/.long 600, 0/' p32.s >p32_long.s
    as --32 p32_long.s -o p32.o && ld -m elf_i386 p32.o -o p32
    ./p32 &
    narrow=$!
    children="$children $narrow"
    asleep() { [ "$(readlink "/proc/$narrow/exe")" = "$PWD/p32" ] && in_state "$narrow" S; }
    until_ok 10 asleep # before that it is a copy of this script
    batch -p "$narrow"
    check "54 a 32-bit process: refused, and why" has log 'p32 is a 32-bit program for another processor'
    check "54 a 32-bit process: status 1, one line" same "$rc $(grep -vc '^Attaching' log)" "1 1"
    check "54 a 32-bit process: it goes on" test "$(sed -n 's/^TracerPid:[^0-9]*//p' /proc/$narrow/status)" = 0
    kill "$narrow"
else
    skip "54 a 32-bit process: no such program can be made, or run, here"
fi
if unshare --pid --fork true 2>/dev/null; then
    unshare --pid --fork --kill-child "$targets/p_loop" stop54 >/dev/null 2>&1 &
    outside=$!
    children="$children $outside"
    until_ok 10 pgrep -P "$outside" -x p_loop >/dev/null
    batch -p "$(pgrep -P "$outside" -x p_loop)" -ex 'probe -count pulse' -ex 'syscall getpid' -ex detach
    check "54 a process of another pid namespace: it is probed, and has its own number" \
        same "$rc $(grep -cE '^Probe 1 at|^[$]_ = 0x1 \(1\)' log)" "0 2"
else
    skip "54 a process of another pid namespace: no namespace of processes can be made"
fi
touch stop54
reap "$held"
check "54 the target was not harmed" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- the number of a process that ended is another's --------------------------------------------
cat >reuse.sh <<'END'
. "$top_srcdir/tests/procs/lib.sh"
target "$targets/p_loop" stop 2
first=$pid
until_ok 10 two_threads
shell_start -p "$first"
say 'probe -count beat'
say 'continue &'
kill -STOP "$shell"
until_ok 10 in_state "$shell" T
kill -KILL "$first"
wait "$first" 2>/dev/null
echo $((first - 1)) >/proc/sys/kernel/ns_last_pid
target "$targets/p_loop" stop 2
if [ "$pid" != "$first" ]; then
    skip "a number that is given again: it was not"
    finish
fi
post interrupt
kill -CONT "$shell"
say 'info probes'
check "a number that is given again: the end of its first owner is told" has log "process $pid\\) ended"
check "a number that is given again: nothing is done to the second" lacks log 'received signal'
check "a number that is given again: nobody traces it" grep -q '^TracerPid:[[:space:]]*0' "/proc/$pid/status"
shell_end
check "a number that is given again: its text is the file's" text_intact "$pid"
touch stop
reap "$pid"
check "a number that is given again: it ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish
END
if unshare --pid --fork --mount-proc true 2>/dev/null; then
    unshare --pid --fork --mount-proc sh reuse.sh || failed=1
else
    skip "a number that is given again: no namespace of processes can be made"
fi

# ---- a process that has ended -------------------------------------------------------------------
python3 -c 'import os, time
child = os.fork() or os._exit(0)
print(child, flush=True)
time.sleep(1000)' >zombie &
parent=$!
children="$children $parent"
ended_child() { [ -s zombie ] && in_state "$(cat zombie)" Z; }
until_ok 10 ended_child
batch -p "$(cat zombie)"
check "a zombie: refused with its reason" has log "Process $(cat zombie) has ended and waits for its parent \\(a zombie\\)\\.$"
kill_ours "$parent"

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
