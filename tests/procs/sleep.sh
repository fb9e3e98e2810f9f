#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sleep.sh - work is injected into a target that sleeps in a system call: the call goes on
# sleeping, answers as it would have, and takes as long (fault 45).
. "${top_srcdir:-.}/tests/procs/lib.sh"

asleep() { asleep_in "$pid" "$@" || gone "$pid"; }
# Attach while the target sleeps, do the work, let go.
disturb() { # SYSCALL-NUMBER...; $how, $ms
    rm -f ./*.fxt
    target "$targets/p_sleep" "$how" $ms
    until_ok 10 asleep "$@"
    begun=$(date +%s%3N)
    batch -p "$pid" -ex 'mmap 8192 rw-' -ex 'munmap $_ 8192' -ex 'syscall getpid' \
        -ex 'probe noted' -ex 'info probes' -ex 'continue &' -ex 'shell date +%s%3N >released' -ex wait
}
# How the call ended, and whether in its time. The kernel begins the time of some calls anew (recv), so they may
# take as much longer as we had the target.
answer() {
    had=$(($(cat released) - begun))
    took=$(sed -n 's/.*, \([0-9]*\) ms$/\1/p' t.out)
    sed 's/, [0-9]* ms$//' t.out
    if [ "${took:-0}" -lt $((ms - 5)) ]; then
        echo 'too early'
    elif [ "$took" -gt $((ms + 2500 + had)) ]; then
        echo 'too late'
    else
        echo 'in time'
    fi
}
sleeper() { # HOW SYSCALL-NUMBER...
    how=$1
    shift
    for ms in 900 3600 14400; do # on a busy machine the target may wake up before we attach, or seconds after its time
        disturb "$@"
        reap "$pid"
        has log '^Trace .*: 2 hits = ' && [ "$(answer | tail -n 1)" = 'in time' ] && break
    done
    check "45 $how: the injected calls work" has log "^[$]_ = 0x[0-9a-f]+ \\($pid\\)"
    check "45 $how: no command fails" same $rc 0
    check "45 $how: the probe is planted" has log '^1 +both +record +armed'
    check "45 $how: the same result, in its time" same "$(answer | tr '\n' ' ')$trc" "$how: $want in time 0"
    check "45 $how: the probe counted what came after" has log '^Trace .*: 2 hits = 2 recorded'
    rm -f ./*.fxt
}

want='1 -'
sleeper read 0
want='0 -'
sleeper nanosleep 35
sleeper clock_nanosleep 230
sleeper poll 7
sleeper select 23 270
sleeper epoll_wait 232 281
want='-1 ETIMEDOUT'
sleeper futex 202
want='-1 EAGAIN'
sleeper recv 45
sleeper sigtimedwait 128
sleeper semtimedop 220

# ---- a filter that kills for what the kernel continues sleeps by -------------------------------
rm -f stop
target "$targets/p_sec" stop sleep
if until_ok 20 has t.out '^filtered' && until_ok 20 asleep_in "$pid" 35 230; then
    for _ in 1 2 3; do
        batch -p "$pid" -ex detach
        check "45 seccomp without restart_syscall: attach and detach" same $rc 0
    done
    touch stop
    reap "$pid"
    check "45 seccomp without restart_syscall: it sleeps on" same "$trc $(tail -n 1 t.out)" "0 alive"
else
    skip "45 seccomp without restart_syscall: there are no filters here"
fi
finish
