# SPDX-License-Identifier: GPL-3.0-or-later
# lib.sh - for the scripts that run a program natively and under eztsh, and compare.
#
#   native PROG ARG...          run it; output in n.out, status in n.rc (env.sh)
#   probed SCRIPT PROG ARG...   the same under eztsh, after the commands of SCRIPT;
#                               t.out, t.err, t.rc, and the shell's words in log
#   same NAME                   output and status are the native ones
#   counts NAME                 each "count F N" and "exits F N" line that the target
#                               wrote on its standard error is what `info probes` says
#   ledger NAME                 hits = recorded + filtered + untraced, nothing dropped
#   compact NAME BYTES          an event takes so much of the trace file at most
#   nofail NAME COMMAND...      the command succeeds
#
# Each prints one line; a script ends with `finish` (env.sh).
. "${top_srcdir:-.}/tests/env.sh"
EZTRACE_TRACE_DIR=$work/traces; export EZTRACE_TRACE_DIR
mkdir "$work/traces"
children=
exit_mode=auto # of `set exit-mode`, for all that the functions below run
clean_up() {
    kill_ours $children
    rm -rf "$work"
}
trap clean_up EXIT

nofail() {
    name=$1
    shift
    if "$@" >nofail.out 2>&1; then pass "$name"; else fail "$name" nofail.out; fi
}

# A shell splits the arguments: only plain words may be used here.
probed() {
    script=$1 prog=$2
    shift 2
    printf '%s\nrun %s >t.out 2>t.err </dev/null\ninfo probes -all\ninfo trace\n' "$script" "$*" >script.ezt
    rm -f t.out t.err traces/*
    shell_run "$prog"
}

# Runs script.ezt, for scripts that do not just `run`.
shell_run() {
    timeout -k 5 $limit "$eztsh" -nx -batch -return-child-result -ex "set exit-mode $exit_mode" \
        -x script.ezt "$@" \
        >log 2>&1 </dev/null
    echo $? >t.rc
}

same() {
    if cmp -s n.out t.out && cmp -s n.rc t.rc; then
        pass "$1"
    else
        diff n.out t.out >out.diff 2>&1
        fail "$1 (status $(cat t.rc), native $(cat n.rc))" out.diff t.err log
    fi
}

# hits FUNCTION [exit]: how many entries `info probes` counted, or exits
hits() {
    awk -v f="$1" -v k="${2:-}" '$1 ~ /^[0-9]+$/ && $7 == f && ($2 == "exit") == (k == "exit") {
        print $6; exit }' log
}

counts() {
    grep -E '^(count|exits) ' t.err >claims
    [ -s claims ] || { fail "$1: the target claims nothing" t.err log; return; }
    off= seen=
    while read -r what f n; do
        [ "$what" = exits ] && k=exit || k=
        got=$(hits "$f" $k)
        [ -n "$got" ] || continue # not probed
        seen=y
        [ "$got" = "$n" ] || off="$off $what $f: $got of $n;"
    done <claims
    if [ -n "$seen" ] && [ -z "$off" ]; then pass "$1"; else fail "$1:$off" log; fi
}

# ledger NAME: the last ledger line adds up and nothing was dropped.
ledger() { # NAME
    if awk '
        / hits = / { sub(/^Trace [^ ]*: /, ""); h = $1; r = $4; f = $7; u = $10; d = $13 + 0 }
        END { exit !(h > 0 && h == r + f + u && d == 0) }' log
    then pass "$1"; else fail "$1: $(grep ' hits = ' log | tail -n 1)" log; fi
}

compact() {
    size=$(cat traces/*.fxt | wc -c) events=$(sed -n 's/.* hits = \([0-9]*\) recorded.*/\1/p' log | tail -n 1)
    each=$(awk -v s="$size" -v n="${events:-0}" 'BEGIN { if (n) printf "%.2f", s / n }')
    if awk -v e="${each:-999}" -v most="$2" 'BEGIN { exit !(e <= most) }'; then
        pass "$1: $each bytes an event of $events"
    else
        fail "$1: ${each:-?} bytes an event of ${events:-0}" log
    fi
}

# Commands on the shell's standard input: an error does not end them.
shell_feed() {
    timeout -k 5 $limit "$eztsh" -nx "$@" >log 2>&1 <script.ezt
    echo $? >t.rc
}

# Commands that probe these functions' exits once more, so that `info probes` shows them.
exits_of() {
    for f in "$@"; do echo "probe exit -count $f"; done
}

# How many functions the last `probe -r` planted.
planted() {
    sed -n 's/^Planted \([0-9]*\) of .* pending 0\.$/\1/p' log | tail -n 1
}
