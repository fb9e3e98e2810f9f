#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fork.sh - children that fork and go on (fault 36); children that exec (fault 37).
. "${top_srcdir:-.}/tests/procs/lib.sh"

own_count() { awk '$1 == "ticks" { print $2 }' "$1"; }

# The parent is probed and counted exactly; children run unprobed and see nothing.
family() { # NUMBER HOW CHILDREN
    label="$1 $2 x$3"
    "$targets/p_fork" "$2" "$3" >native.out 2>native.err </dev/null
    batch -return-child-result -ex 'probe tick' -ex "run $2 $3 >t.out 2>t.err" \
        -ex 'info probes' -ex 'info trace' "$targets/p_fork"
    check "$label: same status" same $rc 0
    check "$label: same output" cmp native.out t.out
    case $2 in *fork) call=${2#raw} ;; *) call=vfork ;; esac
    check "$label: each child is named" same "$3" \
        "$(grep -cE "^\\[Detaching after $call from child process [0-9]+\\]\$" log)"
    n=$(own_count t.err)
    check "$label: the parent's calls are counted exactly" same "$(hits 1)" "$n"
    check "$label: every event is recorded, none of a child" \
        has log "^$((2 * n)) hits = $((2 * n)) recorded \+ 0 filtered \+ 0 untraced \+ 0 dropped\."
    trace=$(echo p_fork-*.fxt)
    check "$label: the trace is valid" trace_valid "$trace"
    check "$label: the trace has the parent's calls" has stats.out "^tick +p_fork +$n "
    rm -f "$trace"
}

family 36 fork 3
family 36 rawfork 3
family 37 vfork 50
family 37 spawn 50


# Processes that /bin/sh forks to make the arguments are not the program's.
batch -ex 'probe -count main' -ex 'run $(echo 1; echo x | cat >/dev/null)' "$targets/p_app"
check "arguments made by commands: it runs" has log 'exited'
check "arguments made by commands: nobody else is named" lacks log 'Detaching'
finish
