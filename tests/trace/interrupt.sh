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

# A compressed one, the end of which its killed writer had not counted: repairs write it anew.
batch -ex 'set trace-compress on' -ex 'trace packed.fxt' -ex 'probe -r .' -ex "run $rounds >t.out" "$targets/p_app"
has log 'without libzstd' && rm -f packed.fxt
[ -s packed.fxt ] && head -c "$(($(wc -c <packed.fxt) * 9 / 10))" packed.fxt >cut.fxt

at_work() { ls -A out | grep -q . || ls -l "/proc/$shell/fd" 2>/dev/null | grep -q "/out/\|$busy" || gone "$shell"; }
disturbed() { # SIGNAL COMMAND...: status in $rc, milliseconds in $took
    sig=$1
    shift
    rm -rf out && mkdir out
    for c; do printf '%s\n' "$c"; done >commands.ezt
    "$eztsh" -nx -batch -x commands.ezt >log 2>&1 </dev/null &
    shell=$!
    # The shell is at work when its output is there, or is open and has no name yet. It stands meanwhile.
    until_ok 10 at_work
    kill -STOP "$shell"
    kill -"$sig" "$shell"
    begun=$(date +%s%N)
    kill -CONT "$shell"
    wait "$shell"
    rc=$?
    took=$((($(date +%s%N) - begun) / 1000000))
}
# NAME COMMAND...: SIGINT and SIGTERM end it, within 0.3 s on an idle machine, and nothing stays.
ends_soon() {
    title=$1
    shift
    for sig in INT TERM; do
        [ $sig = INT ] && want=1 || want=143
        for _ in 1 2 3 4 5 6 7 8; do # the signal may have come too late
            disturbed $sig "$@"
            [ $rc = 0 ] || break
        done
        if grep -qE 'built without|d3, which draws the report, is not installed' log; then
            skip "$title: SIG$sig"
            continue
        fi
        check "$title: SIG$sig ends it" same "$rc" "$want"
        check "$title: SIG$sig is told" has log '[Ii]nterrupted|Quit'
        check "$title: SIG$sig: soon" test "$took" -lt 3000
        check "$title: SIG$sig: nothing stays" same "$(ls -A out)" ''
    done
    rm -rf out
}

# ---- each format, and each command that writes a file -------------------------------------------------
"$eztsh" -nx -batch -ex 'help convert' >help.out
formats=$(sed -n '/^FORMAT is one of/,/^$/p' help.out | sed -n 's/^  \([a-z0-9]*\)  .*/\1/p')
check "the formats are those of the help" test "$(echo "$formats" | wc -w)" -ge 7
busy=/out/
for fmt in $formats; do ends_soon "convert $fmt" "convert $trace -t $fmt -o out/o"; done
ends_soon 'convert, compressed' "convert $trace -t chrome -z -o out/o"
ends_soon report "report -o out/o.html $trace"
if [ -s packed.fxt ]; then
    ends_soon 'trace export' 'trace export out/plain packed.fxt'
    busy=cut.fxt
    cp cut.fxt before
    ends_soon 'trace repair' 'trace repair cut.fxt'
    check 'trace repair: the trace is as it was' cmp cut.fxt before
else
    skip 'trace export, trace repair: eztsh was built without libzstd'
fi
# What only reads.
busy=$trace
for c in stats 'stats -graph' timeline 'info histogram area' events replay; do ends_soon "$c" "$c $trace"; done

shell=
# ---- nobody is waited for ------------------------------------------------------------------------------
# libotf2 asks for the host's id, and the C library would ask name servers for it, deaf to signals.
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    strace -f -e trace=network -o asked "$eztsh" -nx -batch -ex "convert $trace -to 1ms -t otf2 -o asked.otf2" >log 2>&1 </dev/null
    if has log 'built without'; then skip "otf2: no network is asked"; else
        check "otf2: it is written" test -s asked.otf2/traces.otf2
        check "otf2: no network is asked" lacks asked 'socket\(|connect\('
    fi
    rm -rf asked asked.otf2
else
    skip "otf2: no network is asked: no strace"
fi
finish
