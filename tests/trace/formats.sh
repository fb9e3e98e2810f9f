#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# formats.sh - the same totals come out of every format: calls, time and own time per
# function, read by the format's own tools (totals.py) and compared with `stats` and with
# each other. First a program whose calls all end, then one that jumps out of its calls, then
# traces made by pauses.c, with pauses and exceptions, and with gaps, then two files at once.
. "${top_srcdir:-.}/tests/lib.sh"
totals=$top_srcdir/tests/trace/totals.py
command -v python3 >/dev/null || { skip "python3 is not here"; finish; }

formats=$("$eztsh" -nx -batch -ex 'complete convert -t ' | sed 's/.* //')
readable=$(for f in $formats; do python3 "$totals" reads "$f" && echo "$f"; done)
nofail "the formats that are read back" test "$(echo "$readable" | wc -l)" -ge 9

reader() { # FORMAT: the program that reads it
    case $1 in
    otf2) echo otf2-print ;;
    ctf) echo babeltrace2 ;;
    paje | vite) echo pj_dump ;;
    otf) echo otfprint ;;
    *) echo python3 ;;
    esac
}

tolerance() { # FORMAT: Paje has seconds in floating point
    case $1 in paje | vite) echo 2 ;; *) echo 0 ;; esac
}

# convert NAME FORMAT TRACE...: makes NAME.FORMAT, and its totals in NAME.FORMAT.totals
convert() {
    what=$1.$2 fmt=$2
    shift 2
    printf 'convert %s -t %s -o %s\n' "$*" "$fmt" "$what" >script.ezt
    shell_run
    [ "$(cat t.rc)" = 0 ] && python3 "$totals" "$fmt" "$what" >"$what.totals" 2>why
}

# all NAME REFERENCE TRACE...: every format has the totals of REFERENCE.totals
all() {
    name=$1 ref=$2
    shift 2
    for f in $readable; do
        command -v "$(reader $f)" >/dev/null || { skip "$name: $f: no $(reader $f)"; continue; }
        if ! convert "$name" $f "$@"; then
            if grep -qE 'is no format|built without' log; then
                skip "$name: $f: not in this eztsh"
            else
                fail "$name: $f: converts and reads back" log why
            fi
        elif python3 "$totals" same "$ref.totals" "$name.$f.totals" "$(tolerance $f)" >why 2>&1; then
            pass "$name: $f says what $ref says"
        else
            fail "$name: $f says what $ref says" why
        fi
    done
}

stats_of() { # NAME TRACE...
    out=$1
    shift
    printf 'stats -json %s\n' "$*" >script.ezt
    shell_run
    cp log "$out.json"
    python3 "$totals" stats "$out.json" >"$out.totals"
}

# ---- all calls end ---------------------------------------------------------------------
probed 'probe step
probe libkernel.so:kernel_row' "$top_builddir/examples/demo"
mv traces/*.fxt demo.fxt
stats_of stats demo.fxt
all demo stats demo.fxt
if command -v fxt_print >/dev/null; then
    python3 "$totals" fxt demo.fxt >fxt.totals
    # the shell reads the clock better than by its first and last reading alone
    nofail "demo: stats says what fxt_print says" python3 "$totals" same stats.totals fxt.totals 0.001
else
    skip "demo: no fxt_print"
fi

annotated() { # NAME REFERENCE: valgrind's program finds the sums of the reference in NAME.callgrind
    command -v callgrind_annotate >/dev/null || { skip "$1: no callgrind_annotate"; return; }
    nofail "$1: callgrind_annotate reads it" sh -c 'python3 "$1" annotate "$2" >"$2.annotated"' \
        sh "$totals" "$1.callgrind"
    nofail "$1: callgrind_annotate says what $2 says" \
        python3 "$totals" same "$2.totals" "$1.callgrind.annotated" 0
}
annotated demo stats

# compressed, where that is possible
for f in $readable; do
    [ "$(reader $f)" = python3 ] || continue
    printf 'convert demo.fxt -z -t %s -o z.gz\n' $f >script.ezt
    shell_run
    nofail "demo: $f -z is gzip" gzip -t z.gz
    python3 "$totals" $f z.gz >z.totals
    nofail "demo: $f -z says the same" cmp z.totals demo.$f.totals
done

# to standard output, where nothing but the file appears
for f in $readable; do
    case $(reader $f) in python3 | pj_dump) ;; *) continue ;; esac
    "$eztsh" -nx -batch -ex "convert demo.fxt -t $f -o -" >aside 2>said </dev/null
    if [ ! -e demo.$f ]; then
        skip "demo: $f -o -: not in this eztsh"
    elif cmp -s aside demo.$f && grep -q '^standard output: .* events handled$' said; then
        pass "demo: $f -o - is the same file"
    else
        fail "demo: $f -o - is the same file" said
    fi
done

# ---- calls that do not end: the formats must agree how they end --------------------------
probed 'probe -r .' "$targets/longjmps"
mv traces/*.fxt jumps.fxt
convert jumps csv jumps.fxt
cp jumps.csv.totals table.totals
if awk -F, '$11 == 0 || $13 == 1 { n++ } END { exit !n }' jumps.csv; then # complete, unwound
    pass "jumps: some calls did not return"
else
    fail "jumps: some calls did not return" log
fi
all jumps table jumps.fxt

# ---- threads that wait, sleep, are preempted; calls left by exceptions ---------------------
maker=${targets%/targets}/trace/pauses
nofail "a trace of pauses" "$maker" pauses.fxt
stats_of paused pauses.fxt
all pauses paused pauses.fxt
annotated pauses paused
if command -v fxt_print >/dev/null; then
    python3 "$totals" fxt pauses.fxt >fxt.totals
    nofail "pauses: stats says what fxt_print says" python3 "$totals" same paused.totals fxt.totals 0
else
    skip "pauses: no fxt_print here"
fi
printf 'stats pauses.fxt -sort name\n' >script.ezt
shell_run
cp log pauses.log
# by what the maker wrote: 300 rounds each of three threads, one of three unwound
# as the maker has it: of 300 rounds of three threads every third is left by exceptions
nofail "pauses: calls left by exceptions are counted" \
    grep -qE '^compute +lib.so +1800 +300 ' pauses.log
nofail "pauses: and said" grep -qx '600 calls were left by an exception or longjmp\.' pauses.log
marked() { # FORMAT COMMAND...: it finds each of the 600 in pauses.FORMAT
    f=$1
    shift
    [ -e pauses.$f ] || return 0
    if [ "$("$@" | grep -c unwound)" = 600 ]; then pass "pauses: $f has the marks"; else fail "pauses: $f has the marks"; fi
}
marked chrome cat pauses.chrome
marked csv awk -F, '$13 == 1 { print "unwound" }' pauses.csv
marked otf2 otf2-print pauses.otf2/traces.otf2
marked paje pj_dump pauses.paje
marked otf sh -c 'otfprint pauses.otf | grep Marker:'
# of the 150 us in the second `compute` of a round, 40 to 79 are a wait, and 15 another program's,
# of which up to 9 us are the wait's already; the first takes 50
want=$(awk 'BEGIN {
    for (i = 0; i < 300; i++) { w = 40 + i % 40; n += 50 + 150 - w; off += w > 70 ? 85 - w : 15 }
    print 3000 * n "\t" 3000 * (n - off) }')
nofail "pauses: are in no call's own time" grep -qE "^\"compute\"	1800	$want\$" paused.totals

# pprof itself: calls and self time of each function, and the total time
peak() { # SAMPLE_INDEX COLUMN: function and number, sorted
    HOME=$work PPROF_TMPDIR=$work go tool pprof -top -unit=ns -nodecount=0 -nodefraction=0 -sample_index="$1" \
        pauses.pprof 2>why | awk -v c="$2" 'on { n = $c; sub(/ns$/, "", n); print "\"" $6 "\"\t" n } /flat%/ { on = 1 }' |
        LC_ALL=C sort
}
listed() { # FIELD of paused.totals, without the pause that is in no stack
    grep -v waiting paused.totals | cut -f "1,$1" | LC_ALL=C sort
}
if [ ! -e pauses.pprof ]; then
    skip "pauses: go tool pprof: not in this eztsh"
elif ! go tool pprof -h >why 2>&1 && ! grep -q sample_index why; then
    skip "pauses: go tool pprof is not here"
else
    for column in calls:1:2 wall:1:4 wall:4:3; do
        at=${column#*:} kind=${column%%:*}
        peak "$kind" "${at%:*}" >peak
        listed "${at#*:}" >listed
        if [ -s peak ] && cmp -s peak listed; then
            pass "pauses: go tool pprof has the $kind of stats, column ${at%:*}"
        else
            fail "pauses: go tool pprof has the $kind of stats, column ${at%:*}" peak listed why
        fi
    done
fi

# what formats in protocol buffers are for
if [ ! -e pauses.perfetto ]; then
    skip "pauses: the size of perfetto: not in this eztsh"
else
    nofail "pauses: perfetto has at most half the size of chrome" \
        test $((2 * $(wc -c <pauses.perfetto))) -le "$(wc -c <pauses.chrome)"
fi

# ---- fault 76: lost events; the formats must agree where calls end, and say so ------------------------
nofail "a trace with gaps" "$maker" gaps.fxt gap
convert gaps csv gaps.fxt
cp gaps.csv.totals table.totals
all gaps table gaps.fxt
for what in 'stats gaps.fxt' 'convert gaps.fxt -o g.csv' 'timeline gaps.fxt' 'report gaps.fxt -o g.html'; do
    printf '%s\n' "$what" >script.ezt
    shell_run
    if grep -q 'd3, which draws the report, is not installed' log; then
        skip "gaps: $what: no d3 here"
    elif grep -qx '1350 events of 3 threads are lost, in 9 gaps of 270\.00 us together; 12 calls open there are known in part\.' log; then
        pass "gaps: $what says what is lost"
    else
        fail "gaps: $what says what is lost" log
    fi
done

# in a window without a gap nothing is lost; the file's own sums are those of the whole file
printf 'stats gaps.fxt -from 1ms -to 2ms\n' >script.ezt
shell_run
if grep -qE ' events in 1\.00 ms, 3 threads\.$' log && ! grep -qE 'lost|dropped|without' log; then
    pass "gaps: a window has its own sums"
else
    fail "gaps: a window has its own sums" log
fi

# ---- several files -----------------------------------------------------------------------
stats_of both demo.fxt jumps.fxt
convert both csv demo.fxt jumps.fxt
cp both.csv.totals table.totals
all both table demo.fxt jumps.fxt
finish
