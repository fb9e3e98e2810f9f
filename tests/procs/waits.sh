#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# waits.sh - when threads wait for room in their rings, and what is lost where they do not, is in
# the trace (fault 76). A small ring is full before the drain thread is awake.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

told() { # wait|drop
    rm -f ./*.fxt claims t.out
    batch -return-child-result -ex 'set trace-clock monotonic' -ex 'set ring-size 64' \
        -ex "set overflow $1" -ex "set exit-mode $mode" -ex 'probe hot' \
        -ex 'run hot 2>claims >t.out' -ex 'info trace' "$targets/p_left"
    [ "$rc $(cat t.out)" = "0 right" ] || { cat t.out; return 1; }
    ledger_ok && python3 "$top_srcdir/tests/procs/waits.py" "$1" ./*.fxt claims log
}

for mode in auto slots; do
    check "$mode: waits are shown with their durations" told wait
    check "$mode: what is lost is told, and where" told drop
done
finish
