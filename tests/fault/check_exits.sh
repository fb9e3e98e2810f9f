#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_exits.sh - exits are followed through whatever return addresses go through.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/exits

native "$prog"
if grep -q BAD n.out; then fail "the target itself" n.out; else pass "the target itself"; fi
for mode in -count -record; do
    for what in . '*:.'; do
        # every function of libc recorded is 11 GB of trace: counting shows the same
        [ "$mode $what" = '-record *:.' ] && continue
        probed "probe $mode -r $what
$(exits_of descend even odd fib)" "$prog"
        same "exits: same output, $mode $what"
        counts "exits: counts, $mode $what"
        ledger "exits: ledger, $mode $what"
        [ $mode = -count ] || compact "exits: size of the trace" 40
        rm -f traces/*
    done
done

# A handler at every instruction of ours: in the background, where signals are the
# target's own.
native "$prog" steps
for mode in -count -record; do
    {
        printf 'set args steps >t.out 2>t.err </dev/null\nstart\nprobe %s -r ^([^o]|o[^n])\n' $mode
        printf 'probe exit -count leaf\ncontinue &\nwait\ninfo probes\ninfo trace\n'
    } >script.ezt
    shell_run "$prog"
    same "a signal at every instruction, $mode"
    counts "a signal at every instruction, $mode: counts"
    ledger "a signal at every instruction, $mode: ledger"
    n=$(sed -n 's/^handlers run //p' t.err)
    [ "${n:-0}" -gt 1000 ] && pass "handlers ran at $n instructions, $mode" ||
        fail "handlers ran at ${n:-0} instructions, $mode" t.err log
done
finish
