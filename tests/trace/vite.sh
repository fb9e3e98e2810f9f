#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# vite.sh - the example program, traced, converted and drawn by ViTE without a display:
# each format that it reads gives a picture; pj_dump and otfprint count the same calls. Of a
# trace whose calls are known the picture has a rectangle for each.
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

# ViTE draws one rectangle for calls that are narrower than a pixel together: how many of a run
# on busy processors, nobody knows. The calls of `pauses` are wide enough.
vite=$(vite -v 2>/dev/null </dev/null | sed -n 's/^ViTE //p')
draw() { # FILE RECTANGLES [NAME-OF-A-THREAD]: has so many at least
    have vite "picture of $1" || return 0
    case $vite:$1 in
    1.4.*:*.otf | 1.4.*:*.otf2) # "There is no container"; EZTrace's own archives hang it, too
        skip "picture of $1: ViTE $vite draws no OTF and no OTF2"
        return 0
        ;;
    esac
    rm -f out.svg
    timeout -k 5 $limit vite "$1" -e out.svg >vite.log 2>&1 </dev/null
    drawn=$(grep -o '<rect' out.svg 2>/dev/null | wc -l)
    if [ "$drawn" -ge "$2" ] && grep -q ">${3:-demo [0-9]*}</text>" out.svg; then
        pass "picture of $1"
    else
        fail "picture of $1: $drawn rectangles, wanted $2" vite.log
    fi
    case $1 in
    *.otf2) ;; # ViTE 1.2 draws OTF2 black (doc/LIMITS.md)
    *) nofail "picture of $1 has colours" test "$(grep -o '<rect[^>]*' out.svg | grep -o 'fill="[^"]*' | sort -u | wc -l)" -ge 3 ;;
    esac
    have rsvg-convert "picture of $1 is an image" || return 0
    nofail "picture of $1 is an image" rsvg-convert out.svg -o out.png
}

convert csv x.csv
convert paje x.trace
have pj_dump "calls in x.trace" &&
    is "calls in x.trace" "$(pj_dump x.trace | grep -c ^State)" $((events / 2))
draw x.trace 4

convert paje z.trace.gz -z
have pj_dump "calls in z.trace.gz" &&
    is "calls in z.trace.gz" "$(zcat z.trace.gz | pj_dump | grep -c ^State)" $((events / 2))

convert vite x.vite.trace
draw x.vite.trace 4

convert otf x.otf
have otfprint "calls in x.otf" &&
    is "calls in x.otf" "$(otfprint x.otf | grep -c ' Leave: ')" $((events / 2))
draw x.otf 4

trace=pauses.fxt
nofail "a trace of a process and its main thread" "${targets%/targets}/trace/pauses" $trace
calls=$((3 * (1 + 300 * 3))) # of three threads, each 300 rounds
convert csv pauses.csv
is "calls of it" $((events / 2)) $calls
convert paje pauses.trace
draw pauses.trace $calls 'app 4242'
convert vite pauses.vite.trace
draw pauses.vite.trace $calls 'app 4242'
convert otf pauses.otf
draw pauses.otf $calls 'app 4242'
# of OTF2 ViTE takes a process and a thread of one name for the same thing
"$eztsh" -nx -batch -ex "convert $trace -o pauses.otf2" >log 2>&1 </dev/null
if grep -q 'built without OTF2' log; then skip "pauses.otf2: not in this eztsh"; else
    draw pauses.otf2/traces.otf2 $calls 'app 4242 (main)_0'
fi
finish
