#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scribble.sh - a hostile target (fault 74): it writes over all that it shares with the shell, code of conditions and items
# included. The target may die of that; the shell answers, ends, and leaves a trace that can be read.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 fxt_print

writes=10000
[ -z "$EZT_LONG" ] || writes=40000
for seed in 1 2 3; do
    rm -f stop ./*.fxt
    target "$targets/p_loop" stop 4
    shell_start -p "$pid"
    say 'set overflow drop'
    say 'probe beat if $arg0 == 123456789 && *(int *)$arg0 == 1 collect $arg0, $arg1:x'
    say 'hist pulse'
    say 'count work by $arg0 % 7'
    say 'continue &'
    check "seed $seed: it is written over" python3 "$top_srcdir/tests/procs/scribble.py" "$pid" $writes $seed
    say 'info aggregates'
    say 'info probes'
    check "seed $seed: the shell answers" say 'info trace'
    say kill
    shell_end
    check "seed $seed: and ends" test "$rc" -lt 2
    kill -KILL "$pid" 2>/dev/null
    reap "$pid"
    for f in ./*.fxt; do
        [ -e "$f" ] || continue
        check "seed $seed: the trace can be read" trace_valid "$f"
    done
done
finish
