#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_clock.sh - events stamped by CLOCK_MONOTONIC through the target's vDSO: same
# results, registers and ledger as by the counter, also under a storm of signals; and
# both clocks measure the time that passed.
. "${top_srcdir:-.}/tests/lib.sh"
mono='set trace-clock monotonic'

# forward NAME [nested]: in the order of the file no thread's time runs back; nested:
# handlers that interrupt a stamp may turn two records round, but no call returns before
# it began. (The end of a call that left without returning may be recorded later.)
forward() {
    command -v fxt_print >/dev/null || { skip "$1: time runs forward: no fxt_print here"; return; }
    fxt_print -d -f traces/*.fxt 2>/dev/null | awk -v nested="${2:-}" '
        { tid = $3; code = $5 }
        code ~ /\(1\)/ { next }
        { sub(/\(.*/, "", code) }
        code !~ /^1[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/ { next }
        {
            tick = $1 + 0; n++
            if (nested == "" && tick < last[tid]) back++
            last[tid] = tick
            d = index("0123456789abcdef", substr(code, 7)) - 1
            call = tid " " substr(code, 1, 6) " " int(d / 2)
            if (d % 2 == 0) open[call, depth[call]++] = tick
            else if (depth[call] && tick < open[call, --depth[call]]) back++
        }
        END { print n + 0 " events, " back + 0 " backwards"; exit !n || back }' >forward.out
    if [ $? = 0 ]; then pass "$1: time runs forward"; else fail "$1: time runs forward" forward.out; fi
}

# total FUNCTION: nanoseconds in all its calls, by `stats`
total() {
    "$eztsh" -nx -batch -ex "stats $(echo traces/*.fxt)" >stats.out 2>&1
    awk -v f="$1" '$1 == f {
        unit = $5 == "ns" ? 1 : $5 == "us" ? 1e3 : $5 == "ms" ? 1e6 : 1e9
        printf "%.0f\n", $4 * unit; exit }' stats.out
}

# The printed times are rounded to five digits; the counter's rate is known to 0.01 %.
native "$targets/spin"
for clock in monotonic tsc auto; do
    probed "set trace-clock $clock
probe spin" "$targets/spin"
    same "$clock: same output"
    counts "$clock: counts"
    ledger "$clock: ledger"
    within=$(sed -n 's/^within //p' t.err) around=$(sed -n 's/^around //p' t.err) got=$(total spin)
    if awk -v g="${got:-0}" -v w="$within" -v a="$around" 'BEGIN {
        exit !(g > w * 0.999 && g < a * 1.001) }'; then
        pass "$clock: 200 calls of a millisecond take what they take"
    else
        fail "$clock: $got ns measured, between $within and $around were spent" stats.out
    fi
    forward "$clock"
done

# Both clocks leave results, registers, flags, vectors, the floating-point environment and
# exceptions alone.
for t in throws longjmps md regs errn; do
    native "$targets/$t"
    probed "$mono
probe -r ." "$targets/$t"
    [ "$(cat n.rc)" = 77 ] && [ $t = regs ] && continue
    same "monotonic: $t, same output"
    counts "monotonic: $t, counts"
    [ $t = regs ] || ledger "monotonic: $t, ledger"
done

# Signals come from a 5 kHz timer on a small alternate stack, then at every instruction.
native "$targets/altstack"
probed "$mono
probe -r ." "$targets/altstack"
same "monotonic: signals on an alternate stack"
counts "monotonic: signals on an alternate stack, counts"
ledger "monotonic: signals on an alternate stack, ledger"
rm -f traces/*
native "$targets/exits" steps calls
{
    printf '%s\nset args steps calls >t.out 2>t.err </dev/null\nstart\nprobe -r ^([^o]|o[^n])\n' "$mono"
    printf 'probe exit -count leaf\ncontinue &\nwait\ninfo probes\ninfo trace\n'
} >script.ezt
shell_run "$targets/exits"
same "monotonic: a signal at every instruction"
counts "monotonic: a signal at every instruction, counts"
ledger "monotonic: a signal at every instruction, ledger"
forward "monotonic: a signal at every instruction" nested
finish
