#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# counts.sh - each function's events in the trace, thread by thread, its rows in `stats` and its
# count in `info probes` are what the target counted itself, whatever is probed and however.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

all='leaf|many|deep|tails|sum|large|half|calls|order|on_signal|last'
are() { # WHAT FILE KIND FUNCTIONS
    python3 "$top_srcdir/tests/procs/counts.py" t.err "$3" "$4" "$1" "$2"
}
traced() { # THREADS COMMAND...
    n=$1
    shift
    rm -f ./*.fxt t.out t.err
    for c; do set -- "$@" -ex "$c"; shift; done
    batch -ex "set exit-mode $mode" "$@" -ex "run $n 1500 >t.out 2>t.err" -ex 'info probes -all' \
        "$targets/p_counts"
    check "$label: the results" same "$(cat t.out)" right
    check "$label: the ledger" ledger_ok
}
events_are() { # KIND FUNCTIONS
    check "$label: the trace" are trace ./*.fxt "$1" "$2"
    "$eztsh" -nx -batch -ex "stats $(echo ./*.fxt) -by thread,function -json" >stats.out 2>&1
    check "$label: stats" are stats stats.out "$1" "$2"
}
probes_are() { # KIND FUNCTIONS
    check "$label: info probes" are probes log "$1" "$2"
}

for mode in auto slots call-through; do
    for kind in both entry exit; do
        label="exit-mode $mode, $kind, recorded"
        traced 4 "probe $kind -r ^($all)\$"
        events_are $kind "$all"
        probes_are $kind "$all"

        label="exit-mode $mode, $kind, counted"
        traced 4 "probe $kind -count -r ^($all)\$"
        probes_are $kind "$all"
        check "$label: no event" same "$(echo ./*.fxt)" './*.fxt'
    done

    # A function is counted and its caller is recorded; then one function is both.
    label="exit-mode $mode, some recorded, some counted"
    traced 4 'probe -r ^(calls|tails|last|order)$' 'probe -count -r ^(leaf|deep|sum|half)$' \
        'probe entry -count order'
    events_are both 'calls|tails|last|order'
    probes_are both 'calls|tails|last|order|leaf|deep|sum|half'
    probes_are entry order

    # Rings wrap hundreds of times, and are passed from thread to thread.
    label="exit-mode $mode, many threads, small rings"
    traced 40 'set ring-size 16384' "probe -r ^($all)\$"
    events_are both "$all"
done
finish
