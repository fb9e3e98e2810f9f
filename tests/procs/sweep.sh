#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sweep.sh - each call of ptrace (engine/inferior/pt.c) fails once, or the target dies there
# (fault 51), or the shell does (fault 49, fault 68, fault 94). EZT_SWEEP=0 tries every call (`make stress`);
# another number of seconds per row tries calls spread over the row.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need_faults
need python3
sweep() { # MODE KIND...
    mode=$1
    shift
    for kind; do
        timeout 3000 python3 "$top_srcdir/tests/procs/sweep.py" "$eztsh" "$targets" $mode $kind \
            "${EZT_SWEEP:-3}" >log 2>&1
        check "49, 51, 68 sweep of $mode with $kind: $(tail -n 1 log)" [ $? = 0 ]
    done
}
for m in attach run start keep adopt follow offer; do
    sweep $m KILL ESRCH EIO DIE
done
for m in ask signal halt clauses module spec job; do
    sweep $m KILL EIO DIE
done
sweep details EIO
for m in stopped jump island pun trap; do
    sweep $m DIE
done
for kind in EIO DIE; do
    timeout 3000 python3 "$top_srcdir/tests/procs/sweep.py" "$eztsh" "$targets" pages $kind \
        "${EZT_SWEEP:-6}" >log 2>&1
    check "49, 51 sweep of writes over page ends with $kind: $(tail -n 1 log)" [ $? = 0 ]
done

# ---- fault 58: no memory for the rings ------------------------------------------------------------
n=1
while [ $n -le 3 ]; do
    rm -f stop58
    target "$targets/p_loop" stop58 2
    EZ_FAULT=fallocate:$n:ENOSPC; export EZ_FAULT
    batch -p "$pid" -ex 'probe beat' -ex 'info probes' -ex 'continue &' -ex detach
    unset EZ_FAULT
    if [ $n = 1 ]; then
        check "58 fallocate $n fails: said in one line" has log 'No space left on device'
        check "58 fallocate $n fails: nothing is armed" lacks log ' armed '
        check "58 fallocate $n fails: status 1" same $rc 1
    else
        check "58 fallocate $n fails: the shell ends by itself" [ $rc -le 1 ]
    fi
    check "58 fallocate $n fails: bytes are untouched" text_intact "$pid"
    touch stop58
    reap "$pid"
    check "58 fallocate $n fails: the target lives" same "$trc $(tail -n 1 t.out)" "0 right"
    n=$((n + 1))
done
finish
