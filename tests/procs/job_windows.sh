#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# job_windows.sh - windows of a job's aggregates are a trace among those of the ranks: its last values are the programs' own, it is drawn,
# gathered, and not made where none is wanted.
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
command -v "${CC:-cc}" >/dev/null || { skip "windows: no compiler"; finish; }
cat >app.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void step(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
int main(void)
{
    int rank = atoi(getenv("PMI_RANK")), sum = 0;
    for (int i = 0; i < 60 * (rank + 1); i++) {
        sum += i % 7 + rank;
        step(i % 7 + rank);
        usleep(5000);
    }
    printf("rank %d sum %d\n", rank, sum);
    return 0;
}
END
${CC:-cc} -g -O1 -o app app.c || { fail "windows: app.c does not compile"; finish; }
job_launch
same() { [ "$1" = "$2" ] || { echo "want '$2', got '$1'" >>log; false; }; }
own() { sed -n "s/^rank $1 sum //p" log; }
# The column "Last" of a variable, as `stats` has it.
last() { sed -n "s/^$1  .* \([0-9.e+]*\)\$/\1/p" log; }
window() { ls traces/*-aggregates.fxt 2>/dev/null; }
mkdir -p traces
EZTRACE_TRACE_DIR=$PWD/traces
export EZTRACE_TRACE_DIR

batch 'job run -launcher ./launch -np 3 ./app' 'probe step' 'aggregate step by sum of n -every 100ms' \
    'aggregate step by own of n -every 200ms' 'aggregate step by count -at-end' 'aggregate step by avg -every 100ms' \
    continue 'stats -by process' 'job gather brought' 'report -o page.html' 'convert -t chrome -o rows.json' "stats $PWD/traces/*.fxt"
all=$(($(own 0) + $(own 1) + $(own 2)))
check 'windows: the file is named once' test "$(grep -c "^Recording the aggregates to $PWD/traces/app-job.*-aggregates.fxt\\.\$" log)" = 1
check 'windows: it is beside the traces of the ranks' test "$(ls traces/*.fxt | wc -l) $(window | wc -l)" = '4 1'
check 'windows: the sum of all is the last value' same "$(last 'sum of n at step' | sort -u)" "$all"
for r in 0 1 2; do
    check "windows: rank $r's own" same "$(last "own of n at step, rank $r" | sort -u)" "$(own "$r")"
done
check 'windows: what is told at the end alone' same "$(last 'count at step' | sort -u)" 360
check 'windows: a time is in ns' test "$(last 'avg at step, ns' | wc -l)" -ge 1
check 'windows: there were several' test "$(sed -n 's/^sum of n at step .* aggregates  *\([0-9]*\) .*/\1/p' log | head -n 1)" -ge 3
check 'windows: the file alone says the same' test "$(last 'sum of n at step' | wc -l)" = 2
check 'windows: they are gathered' same "$(wc -c <"$(ls brought/*-aggregates.fxt)")" "$(wc -c <"$(window)")"
check 'windows: as many as there are' has '^4 traces, .* in brought\.$'
check 'windows: the page draws them' grep -q 'sum of n at step' page.html
check 'windows: and any other format has them' grep -q 'own of n at step, rank 2' rows.json

# The window's value, and the total beside it: the values rise from 1 to 20.
cat >rises.c <<'END'
#include <unistd.h>
__attribute__((noinline)) void step(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
int main(void)
{
    for (int i = 0; i < 200; i++) { step(i < 150 ? 1 : 20); usleep(5000); }
    return 0;
}
END
${CC:-cc} -g -O1 -o rises rises.c
rm -f traces/*
batch 'job run -launcher ./launch -np 2 ./rises' 'aggregate step by avg of n -every 50ms' 'aggregate step by sum of n -every 50ms' \
    'aggregate step by max of n -every 50ms' continue "stats $PWD/traces/*.fxt"
windows() { sed -n "s/^ *[0-9.]* s  2: sum of n at step = \([0-9]*\) ([0-9]* in all)  .*/\1/p" log | awk '{ n += $1 } END { print n }'; }
check 'windows: the value of a window' has '1: avg of n at step = 20 \([0-9.]+ in all\) '
check 'windows: the total at the end' has '1: avg of n at step = 5\.75  \(400 hits'
check 'windows: sums of windows are at most the total, and most of it' test "$(windows)" -le 2300 -a "$(windows)" -gt 1000
check 'windows: no window of a greatest value' has '3: max of n at step = 20 in all '
check 'windows: both are variables' test "$(grep -cE '^(sum|avg) of n at step, in the window ' log)" = 2

rm -f traces/*
batch 'set trace-auto off' 'job run -launcher ./launch -np 2 ./app' 'aggregate step by count -at-end' continue
check 'windows: no file where traces are not opened by themselves' test -z "$(window)"
check 'windows: they are told all the same' has ': count at step = 180 '

rm -rf traces
: >traces
batch 'job run -launcher ./launch -np 2 ./app' 'aggregate step by count -every 100ms' continue
check 'windows: a file that cannot be is told once' test "$(grep -c '^warning: The aggregates are not recorded: ' log)" = 1
check 'windows: and the job goes on' has ': count at step = 180 '
finish
