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
    batch -p "$pid" -ex 'mmap 8192 rw-' -ex 'munmap $_ 8192' -ex 'syscall getpid' \
        -ex 'probe noted' -ex 'info probes' -ex 'continue &' -ex wait
}
sleeper() { # HOW SYSCALL-NUMBER...
    how=$1
    shift
    for ms in 900 3600 14400; do # on a busy machine the target may wake up before we attach, or seconds after its time
        disturb "$@"
        reap "$pid"
        has log '^Trace .*: 2 hits = ' && ! has t.out 'too late' && break
    done
    check "45 $how: the injected calls work" has log "^[$]_ = 0x[0-9a-f]+ \\($pid\\)"
    check "45 $how: no command fails" same $rc 0
    check "45 $how: the probe is planted" has log '^1 +both +record +armed'
    check "45 $how: the same result, in its time" same "$(cat t.out) $trc" "$how: $want, in time 0"
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
