#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# interrupt.sh - Ctrl-C and SIGTERM while a trace is converted: it ends soon, with a word
# and a status that say so, and nothing half-written stays (fault 78).
. "${top_srcdir:-.}/tests/procs/lib.sh"

rounds=1500000
batch -ex 'probe -r .' -ex "run $rounds >t.out" "$targets/p_app"
set -- ./*.fxt
trace=$1
check "there is a large trace" test "$(wc -c <"$trace")" -gt 50000000

disturbed() { # FORMAT SIGNAL: status in $rc
    rm -rf out && mkdir out
    "$eztsh" -nx -batch -ex "convert $trace -t $1 -o out/o" >log 2>&1 </dev/null &
    shell=$!
    # the shell is at work when its output is there, or is open and has no name yet
    at_work() { ls -A out | grep -q . || ls -l "/proc/$shell/fd" | grep -q /out/ || gone "$shell"; }
    until_ok 10 at_work
    kill -"$2" "$shell"
    wait "$shell"
    rc=$?
}
for sig in INT TERM; do
    [ $sig = INT ] && want=1 || want=143
    for fmt in chrome otf2 paje otf; do
        for _ in 1 2 3 4 5; do # the signal may have come too late
            disturbed $fmt $sig
            [ $rc = 0 ] || break
        done
        if grep -q 'built without' log; then
            skip "$fmt: SIG$sig"
        else
            check "$fmt: SIG$sig ends it" same "$rc" "$want"
            check "$fmt: SIG$sig is told" has log '^interrupted'
            check "$fmt: SIG$sig: nothing stays" same "$(ls -A out)" ''
        fi
        rm -rf out
    done
done
shell=
finish
