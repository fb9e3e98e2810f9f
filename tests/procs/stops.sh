# SPDX-License-Identifier: GPL-3.0-or-later
# stops.sh - for scripts that compare where eztsh and gdb stop, behind lib.sh. ./moving0 is t_moving.c at -O0.

# Can the processor's breakpoints be used here?
batch -ex 'tbreak nothing' -ex run ./moving0
if has log 'Cannot insert hardware|no hardware breakpoints'; then
    echo "skip - moving: no breakpoints of the processor"
    exit 0
fi

# Some virtual machines accept the processor's breakpoints and never deliver one: there is no watchpoint there.
watches=true
batch -ex 'break main' -ex run -ex 'watch total' -ex continue ./moving0
if has log '^Cannot insert hardware breakpoints: they never fire'; then
    watches=false
    echo "skip - moving: watchpoints, the processor's breakpoints never fire here"
fi

have_gdb=true
command -v gdb >/dev/null || { have_gdb=false; echo "skip - moving: comparisons, no gdb"; }

# Where it stood: function and line, the source line, values, and gdb's words at stops (gdb 13's).
stops() { # FILE
    sed -E "s|$work/||g; s|at [^ ]*/t_mov|at t_mov|g; s/0x[0-9a-f]+/ADDR/g; s/^Value returned is [$][0-9]+/Value/
        s/(reakpoint|atchpoint) [0-9.]+(, |: | deleted|$)/\1 N\2/; s/^#0  //
        s/^No breakpoints, watchpoints, tracepoints, or catchpoints[.]/No breakpoints or watchpoints./" "$1" |
        grep -E '^(ADDR in )?[a-z]+ \(.*\) at t_moving|^[A-Z].* at t_moving|^(ADDR.)?[0-9]+	|^Value|^Old v|^New v|atchpoint' |
        grep -vE '^(Temporary b|B)reakpoint N at|^Run till|^Hardware watchpoint N: [a-z]+$|[0-9]+	in |No such file'
}
compare() { # TITLE PROG SCRIPT LEAST [PROBES...]: the script's stops are gdb's, so many at least
    title=$1 prog=$2 script=$3 least=$4
    shift 4
    { printf '%s\n' "$@"; cat "$script"; } >ours.ezt
    timeout -k 5 $limit "$eztsh" -nx -batch -x ours.ezt "$prog" >log 2>&1 </dev/null
    stops log >ours
    if $have_gdb; then
        { gdb_quiet; cat "$script"; } >theirs.gdb
        timeout -k 5 $limit gdb -nx -q -batch -x theirs.gdb "$prog" >theirs.log 2>&1 </dev/null
        stops theirs.log >theirs
        check "$title: the stops are gdb's" diff theirs ours
    fi
    check "$title: it stopped" [ "$(wc -l <ours)" -ge "$least" ]
}
killed() { # TITLE PLACE COMMAND...: at the place, killed while the last command is under way
    title="killed in $1" place=$2
    shift 2
    rm -f t.out
    shell_start ./moving0
    say "tbreak $place"
    say 'run - 4000000000 >t.out'
    while [ $# -gt 1 ]; do
        say "$1"
        shift
    done
    say 'info proc'
    pid=$(sed -n 's/^process //p' log)
    children="$children $pid"
    post "$1"
    check "$title: it was under way" moved "$pid" 5
    check "$title: and not over" lacks log 'exited|^12[34]	'
    shell_kill
    check "$title: the program ends" until_ok 60 gone "$pid"
    check "$title: it did all" has t.out '^x [0-9]+ spun 1$'
}
