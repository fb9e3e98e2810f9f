#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_rseq.sh - restartable sequences (rseq): no jump moves a part of one, and a thread that
# we send elsewhere out of a sequence is aborted first, as the kernel would do.
. "${top_srcdir:-.}/tests/procs/lib.sh"
gcc -O1 -w -pthread -pie -fPIE "$top_srcdir/tests/targets/rseq.c" -o rseq 2>cc.err &&
    gcc -O1 -w -pthread -no-pie -fno-pie "$top_srcdir/tests/targets/rseq.c" -o rseq_fixed || {
    skip "no restartable sequences in this libc: $(head -n 1 cc.err)"
    exit 77
}
./rseq sum >native || { skip "no restartable sequences in this kernel"; exit 77; }
reason='a restartable sequence is among its first bytes'

for prog in rseq rseq_fixed; do
    batch -ex 'set args sum >t.out' -ex start -ex 'probe -count -r .' -ex continue -ex 'info probes' ./$prog
    check "$prog: nothing is lost" cmp native t.out
    check "$prog: a function with a sequence far behind its entry is probed" \
        has log '^[0-9].* 1[0-9]{7}  adds_behind '
    check "$prog: others are not" lacks log '^[0-9].* (adds_at_once|signature) '
    printf 'start\nwhy adds_at_once\nwhy signature\nwhy spin\nkill\n' >script.ezt
    timeout -k 5 60 "$eztsh" -nx ./$prog <script.ezt >log 2>&1
    check "$prog: why says so" same "$(grep -c "^Entry: refused: $reason" log)" 2
done

# The only thread stands in a sequence, and must make our system calls.
target ./rseq spin
until_ok 30 has t.out ready
batch -p "$pid" -ex 'probe -count main' -ex detach
check "probed, in a sequence" has log 'Probe 1 at'
kill -USR1 "$pid"
reap "$pid"
check "it is aborted by the next signal" has t.out '^aborted$'

target ./rseq known
until_ok 30 has t.out ready
# A stop aborts the sequence, and so does another thread that gets the processor: until this thread
# runs again, nobody knows the sequence. So ask until it is seen.
seen_by() { # COMMAND ANSWER
    batch -p "$pid" -ex "$1"
    has log "$2$reason"
}
check "known to the thread alone: probe" until_ok 30 seen_by 'probe -count unlisted' 'Cannot probe unlisted: '
check "known to the thread alone: why" until_ok 30 seen_by 'why unlisted' '^Entry: refused: '
kill -USR1 "$pid"
reap "$pid"
check "it ends" same "$trc" 0
finish
