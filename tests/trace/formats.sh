#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# formats.sh - the same totals come out of every format: calls, time and own time per
# function, read by the format's own tools (totals.py) and compared with `stats` and with
# each other. First a program whose calls all end, then one that jumps out of its calls, then two
# files at once.
. "${top_srcdir:-.}/tests/lib.sh"
totals=$top_srcdir/tests/trace/totals.py
command -v python3 >/dev/null || { skip "python3 is not here"; finish; }

reader() { # FORMAT: the program that reads it
    case $1 in
    otf2) echo otf2-print ;;
    paje | vite) echo pj_dump ;;
    otf) echo otfprint ;;
    *) echo python3 ;;
    esac
}

tolerance() { # FORMAT: Paje has seconds in floating point
    case $1 in paje | vite) echo 2 ;; *) echo 0 ;; esac
}

# convert NAME FORMAT TRACE...: NAME.FORMAT, and what is in it in NAME.FORMAT.totals
convert() {
    what=$1.$2 fmt=$2
    shift 2
    printf 'convert %s -t %s -o %s\n' "$*" "$fmt" "$what" >script.ezt
    shell_run
    [ "$(cat t.rc)" = 0 ] && python3 "$totals" "$fmt" "$what" >"$what.totals" 2>why
}

# all NAME REFERENCE TRACE...: every format says what REFERENCE.totals says
all() {
    name=$1 ref=$2
    shift 2
    for f in csv chrome folded otf2 paje vite otf; do
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

# compressed, where that is possible
for f in csv chrome folded; do
    printf 'convert demo.fxt -z -t %s -o z.gz\n' $f >script.ezt
    shell_run
    nofail "demo: $f -z is gzip" gzip -t z.gz
    python3 "$totals" $f z.gz >z.totals
    nofail "demo: $f -z says the same" cmp z.totals demo.$f.totals
done

# ---- calls that do not end: the formats must agree how they end --------------------------
probed 'probe -r .' "$targets/longjmps"
mv traces/*.fxt jumps.fxt
convert jumps csv jumps.fxt
cp jumps.csv.totals table.totals
if grep -q ',0$' jumps.csv; then
    pass "jumps: some calls were cut short"
else
    fail "jumps: some calls were cut short" log
fi
all jumps table jumps.fxt

# ---- several files -----------------------------------------------------------------------
stats_of both demo.fxt jumps.fxt
convert both csv demo.fxt jumps.fxt
cp both.csv.totals table.totals
all both table demo.fxt jumps.fxt
finish
