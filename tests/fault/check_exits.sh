#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_exits.sh - exits are followed through whatever return addresses go through.
# What tests/targets/exits.cc does: 3,000,000 mutual tail calls (fault 11), a recursion 60,000
# deep (fault 12), coroutines (fault 23), and more.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/exits

printf 'set trace-auto off\nstart\nprobe exit -count popper skipper\nprobe entry -count popper\n' >script.ezt
shell_feed "$prog"
grep -q 'Cannot probe popper: it removes its arguments from the stack' log &&
    grep -q 'Cannot probe skipper: it looks at its return address' log && grep -q '^Probe 1 at' log &&
    pass "exits that must not be followed are refused" || fail "exits that must not be followed are refused" log
printf 'start\nprobe popper\nprobe -r ^skipper$\n' >script.ezt
shell_feed "$prog"
grep -q 'Cannot probe popper' log && ! grep -q '^Recording to' log &&
    pass "no trace is opened for what is refused" || fail "no trace is opened for what is refused" log
native "$prog"
if grep -q BAD n.out; then fail "the target itself" n.out; else pass "the target itself"; fi
steps="steps${EZT_STEPS:+ $EZT_STEPS}"
native "$prog" $steps
mv n.out steps.out
mv n.rc steps.rc
for exit_mode in auto slots; do
    native "$prog"
    for mode in -count -record; do
        for what in . '*:.'; do
            # recording every function of libc makes a trace of 11 GB: counting shows the same
            [ "$mode $what" = '-record *:.' ] && continue
            probed "probe $mode -r $what
$(exits_of descend even odd fib)" "$prog"
            same "11 12 23 exits: same output, $exit_mode $mode $what"
            counts "11 12 23 exits: counts, $exit_mode $mode $what"
            ledger "11 12 23 exits: ledger, $exit_mode $mode $what"
            [ $mode = -count ] || compact "11 12 23 exits: size of the trace, $exit_mode" 40
            rm -f traces/*
        done
    done

    # A signal handler runs at every instruction of eztsh's code in the target; in the background,
    # where signals are the target's own. Call-through has fewer instructions.
    cp steps.out n.out
    cp steps.rc n.rc
    least=1000
    [ $exit_mode = auto ] && least=500
    modes=-record
    [ $exit_mode = slots ] || modes=-count
    for mode in ${EZT_LONG:+-count} ${EZT_LONG:+-record} $modes; do
        {
            printf 'set args %s >t.out 2>t.err </dev/null\nstart\n' "$steps"
            printf 'probe %s -r ^([^o]|o[^n])\n' $mode
            printf 'probe exit -count leaf\ncontinue &\nwait\ninfo probes\ninfo trace\n'
        } >script.ezt
        shell_run "$prog"
        same "a signal at every instruction, $exit_mode $mode"
        counts "a signal at every instruction, $exit_mode $mode: counts"
        ledger "a signal at every instruction, $exit_mode $mode: ledger"
        n=$(sed -n 's/^handlers run //p' t.err)
        [ "${n:-0}" -gt $least ] && pass "handlers ran at $n instructions, $exit_mode $mode" ||
            fail "handlers ran at ${n:-0} instructions, $exit_mode $mode" t.err log
    done
done

# The first probes are entry probes, also on the unwinder, which the later exit probes need.
native "$targets/throws"
probed "probe entry -count -r *:.
probe both -count -r ." "$targets/throws"
same "exceptions pass exit probes that came with entry probes everywhere"
if grep '^Planted .* refused: 1 it never returns' log >said && ! grep 'refused: [0-9]* [0-9]' log; then
    pass "what a run plants is said as by probe"
else
    fail "what a run plants is said as by probe" log
fi
{
    printf 'set args >t.out 2>t.err </dev/null\nstart\nprobe entry -count -r *:.\n'
    printf 'probe both -count -r .\ncontinue &\nwait\ninfo probes\ninfo trace\n'
} >script.ezt
shell_run "$targets/throws"
same "exceptions pass exit probes that came after entry probes everywhere"
grep -q '^Probe [0-9]* (_Unwind_Find_FDE) is no longer planted, because of exit probes' log &&
    pass "the unwinder's probe makes way, and it is said" ||
    fail "the unwinder's probe makes way, and it is said" log
finish
