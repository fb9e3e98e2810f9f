#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# vite.sh - the example program, traced, converted and drawn by ViTE without a display:
# each format that it reads gives a picture with every thread and a rectangle for each
# call (of those that fall on one pixel, one); pj_dump and otfprint count the same calls.
# Formats whose tools are missing are skipped.
. "${top_srcdir:-.}/tests/lib.sh"
QT_QPA_PLATFORM=offscreen; export QT_QPA_PLATFORM

cat >script.ezt <<EOF
set trace-switches off
probe step
run >t.out 2>t.err </dev/null
EOF
shell_run "$top_builddir/examples/demo"
trace=$(ls traces/*.fxt 2>/dev/null | head -n 1)
[ -n "$trace" ] || { fail "a trace to convert" log t.err; finish; }

convert() { # FORMAT OUT [OPTION]: converts; sets `events`
    "$eztsh" -nx -batch -ex "convert $trace -t $1 -o $2 ${3:-}" >log 2>&1 </dev/null
    events=$(sed -n 's/^.*: \([0-9]*\) events handled$/\1/p' log)
    if [ "${events:-0}" -gt 0 ]; then
        pass "convert -t $1${3:+ $3}"
    else
        fail "convert -t $1${3:+ $3}" log
    fi
}

is() { # NAME GOT WANTED
    if [ "$2" -gt 0 ] && [ "$2" -eq "$3" ]; then pass "$1"; else fail "$1: $2, wanted $3"; fi
}

have() {
    command -v "$1" >/dev/null && return 0
    skip "$2: no $1"
    return 1
}

draw() { # FILE [NAME-OF-A-THREAD]
    have vite "picture of $1" || return 0
    rm -f out.svg
    timeout -k 5 $limit vite "$1" -e out.svg >vite.log 2>&1 </dev/null
    drawn=$(grep -o '<rect' out.svg 2>/dev/null | wc -l)
    # ViTE draws one rectangle for calls that are narrower than a pixel together
    if [ "$drawn" -ge "$apart" ] && grep -q ">${2:-demo [0-9]*}</text>" out.svg; then
        pass "picture of $1"
    else
        fail "picture of $1: $drawn rectangles for $events events" vite.log
    fi
    have rsvg-convert "picture of $1 is an image" || return 0
    nofail "picture of $1 is an image" rsvg-convert out.svg -o out.png
}

# How many calls begin in different columns of a picture of 200, up to 100. A thread that waits
# for a busy processor makes the others' columns few.
convert csv x.csv
apart=$(awk -F, '
    NR > 1 { start[NR] = $8; tid[NR] = $4; if ($8 + $9 > end) end = $8 + $9 }
    END {
        for (i in start) if (!seen[tid[i], int(start[i] * 200 / end)]++) n++
        print n < 100 ? n : 100
    }' x.csv)
convert paje x.trace
have pj_dump "calls in x.trace" &&
    is "calls in x.trace" "$(pj_dump x.trace | grep -c ^State)" $((events / 2))
draw x.trace

convert paje z.trace.gz -z
have pj_dump "calls in z.trace.gz" &&
    is "calls in z.trace.gz" "$(zcat z.trace.gz | pj_dump | grep -c ^State)" $((events / 2))

convert vite x.vite.trace
draw x.vite.trace

# of OTF2 ViTE takes a process and a thread of one name for the same thing
trace=pauses.fxt
nofail "a trace of a process and its main thread" "${targets%/targets}/trace/pauses" $trace
"$eztsh" -nx -batch -ex "convert $trace -o x.otf2" >log 2>&1 </dev/null
if grep -q 'built without OTF2' log; then skip "x.otf2: not in this eztsh"; else
    draw x.otf2/traces.otf2 'app 4242 (main)_0'
    convert vite pauses.vite.trace
    draw pauses.vite.trace 'app 4242'
fi
trace=$(ls traces/*.fxt)

convert otf x.otf
have otfprint "calls in x.otf" &&
    is "calls in x.otf" "$(otfprint x.otf | grep -c ' Leave: ')" $((events / 2))
draw x.otf
finish
