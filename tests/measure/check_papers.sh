#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_papers.sh - `make papers`, with small programs and once: every table is there, and has figures
# of eztsh where the machine can have them. How large they are is not judged.
. "${top_srcdir:-.}/tests/env.sh"
export PAPERS_QUICK=1 EZTSH="$eztsh" top_srcdir
timeout -k 5 "$limit" sh "$top_srcdir/tests/bench/papers.sh" >out 2>&1 </dev/null
[ $? = 0 ] && pass "it ends well" || fail "it ends well" out
[ "$(grep -c '^== paper' out)" = 5 ] && pass "five tables" || fail "five tables" out
has() { # NAME TABLE ROW: the table's row ends with a figure
    sed -n "/^== $2/,/^\$/p" out | grep -qE -- "^ *$3 .*[0-9]( [a-z%]+)?\$" && pass "$1" || fail "$1" out
}
has "table 1" 'paper 000, table 1' counted
has "table 2" 'paper 000, table 2' recorded
grep -q 'no OpenMP' out && skip "table 3: no OpenMP" || has "table 3" 'paper 000, table 3' 'overhead an event'
if grep -q 'No MPI' out; then
    skip "tables I and II: no MPI"
else
    has "table I" 'paper 002, table I:' 'manual \(the two functions\)'
    has "table II" 'paper 002, table II:' 'LU: neighbours. cells, often'
fi
finish
