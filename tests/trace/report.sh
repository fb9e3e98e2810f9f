#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# report.sh - the pages of `report` in a browser without a window and without a network
# (report.py): they draw what `stats -json` says of the same trace, react to the user, and show
# names as plain text. The example program with its threads; it and a program that jumps out of its
# calls, at once; a trace whose names are hostile; one with hardly anything in it.
. "${top_srcdir:-.}/tests/lib.sh"
here=$top_srcdir/tests/trace
for tool in python3 chromium chromedriver; do
    command -v $tool >/dev/null || { skip "report: no $tool here"; exit 77; }
done

probed 'probe step
probe libkernel.so:kernel_row
probe -count work' "$top_builddir/examples/demo"
mv traces/*.fxt demo.fxt || { fail "a trace of the example" log t.err; finish; }
probed 'probe -r .' "$targets/longjmps"
mv traces/*.fxt jumps.fxt || { fail "a trace of jumps" log t.err; finish; }
hostile=${targets%/targets}/trace/hostile
nofail "a trace with hostile names" "$hostile" hostile.fxt
nofail "a trace of one event" "$hostile" one.fxt empty
nofail "a trace of ten nanoseconds" "$hostile" short.fxt short
nofail "a trace of many points" "$hostile" points.fxt points
nofail "a trace of many calls" "${hostile%hostile}pauses" many.fxt many

page() { # NAME TRACE...: NAME.html by `report`, NAME.json by `stats -json`
    name=$1
    shift
    "$eztsh" -nx -batch -ex "report $* -o $name.html" >log 2>&1 </dev/null && [ -s $name.html ] &&
        "$eztsh" -nx -batch -ex "stats -json $*" >$name.json 2>log </dev/null
}
if ! page demo demo.fxt && grep -q 'd3, which draws the report, is not installed' log; then
    skip "report: no d3 here"
    exit 77
fi
nofail "report of the example" page demo demo.fxt
nofail "report of hostile names" page hostile hostile.fxt
nofail "report of one event" page one one.fxt
nofail "report of ten nanoseconds" page short short.fxt
nofail "report of many points" page points points.fxt
nofail "report of many calls" page many many.fxt
for t in many demo hostile; do nofail "calls of $t as a table" "$eztsh" -nx -batch -ex "convert $t.fxt -o $t.csv"; done
nofail "calls of both as a table" "$eztsh" -nx -batch -ex 'convert demo.fxt jumps.fxt -o both.csv'
nofail "report of a window" page part many.fxt -from 1s -to 1010ms
nofail "report with little room" page little many.fxt
nofail "and with less" "$eztsh" -nx -batch -ex 'report many.fxt -max-size 1K -o little.html'
nofail "report of a deep window" page deep hostile.fxt -from 399us -to 420us
nofail "report of two traces" page both demo.fxt jumps.fxt

timeout -k 5 $limit python3 -B "$here/report.py" "$work" "$eztsh" >report.out 2>report.err || failed=1
cat report.out
if [ -s report.err ]; then fail "the page's test comes to its end" report.err chromedriver.log; fi
finish
