#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# answers.sh - an analyst's questions, answered by clicks on the page of `report` of a real run with MPI and OpenMP, and
# what the page shows of any filter and window: each number is that of `stats -json` or `info locks -json` (answers.py).
. "${top_srcdir:-.}/tests/env.sh"
here=$top_srcdir/tests/trace
for tool in python3 chromium chromedriver mpicc mpirun; do
    command -v $tool >/dev/null || { skip "answers: no $tool here"; exit 77; }
done
for module in mpi openmp pthread; do
    [ -e "$top_builddir/modules/$module.so" ] || { skip "answers: module $module was not built"; exit 77; }
done
mpi_here
mpi_sleeps
OMPI_MCA_pml=ob1; export OMPI_MCA_pml
mpicc -O2 -g -fopenmp "$here/answers.c" yield.c -o answers >log 2>&1 || { skip "answers: mpicc does not compile with -fopenmp"; exit 77; }

mkdir traces
EZTRACE_TRACE_DIR=$work/traces; export EZTRACE_TRACE_DIR
printf 'probe %s\n' main kernel update note compute exchange report_sum >s.ezt
echo run >>s.ezt
if timeout -k 5 $limit mpirun -np 4 "$eztsh" -nx -batch -m mpi -m openmp -m pthread -x s.ezt --args ./answers end >log 2>&1 </dev/null &&
    [ "$(cat end.* | grep -c right)" = 4 ]; then
    pass "four ranks end right"
else
    fail "four ranks end right" log
    finish
fi
"$eztsh" -nx -batch -ex 'report traces/*.fxt -o answers.html' >log 2>&1 </dev/null
if grep -q 'd3, which draws the report, is not installed' log; then skip "answers: no d3 here"; exit 77; fi
[ -s answers.html ] || { fail "report" log; finish; }
"$eztsh" -nx -batch -ex 'stats -json traces/*.fxt' >answers.json 2>log </dev/null || fail "stats" log
"$eztsh" -nx -batch -ex 'convert traces/*.fxt -o answers.csv' >log 2>&1 </dev/null || fail "calls as a table" log
sides='traces/*rank0*.fxt traces/*rank1*.fxt vs traces/*rank2*.fxt traces/*rank3*.fxt'
"$eztsh" -nx -batch -ex "report $sides -o compared.html" >log 2>&1 </dev/null || fail "report of two sides" log
"$eztsh" -nx -batch -ex "diff -json $sides" >compared.json 2>log </dev/null || fail "diff of two sides" log
for wrong in '-job traces -o no.html|-job is for a comparison: report BEFORE vs AFTER' 'traces/*.fxt vs|"vs" needs runs on both sides'; do
    "$eztsh" -nx -batch -ex "report ${wrong%%|*}" >log 2>&1 </dev/null
    if grep -qF -e "${wrong#*|}" log; then pass "report ${wrong%%|*}"; else fail "report ${wrong%%|*}" log; fi
done
timeout -k 5 $limit python3 -B "$here/answers.py" "$work" "$eztsh" >answers.out 2>answers.err || failed=1
cat answers.out
if [ -s answers.err ]; then fail "the page's test comes to its end" answers.err chromedriver.log; fi
finish
