#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# index.sh - indexes of large traces, as a user meets them: the first command with a window makes one,
# all commands show the same with it and without, and `set trace-index off` uses none.
. "${top_srcdir:-.}/tests/procs/lib.sh"

XDG_CACHE_HOME=$work/cache; export XDG_CACHE_HOME
indexes() { ls cache/eztsh/indexes 2>/dev/null | wc -l; }
# both COMMAND: its output is the same with and without an index
both() {
    batch -ex "$1"; mv log with
    batch -ex 'set trace-index off' -ex "$1"
    cmp with log
}

batch -ex 'trace t.fxt' -ex 'probe -r .' -ex 'run 120000 exit=9 >t.out' "$targets/p_app"
check "the trace is large enough" [ "$(wc -c <t.fxt)" -gt 8400000 ]
batch -ex 'stats t.fxt'
check "the whole trace: no index is made" same "$(indexes)" 0
batch -ex 'set trace-index off' -ex 'stats t.fxt -from 5ms -to 6ms'
check "trace-index off: no index is made" same "$(indexes)" 0
cp log without
batch -ex 'stats t.fxt -from 5ms -to 6ms'
check "the first look at a window: the index is made" same "$(indexes)" 1
check "the first look at a window: as without an index" cmp log without
check "the index is private" same "$(stat -c %a cache/eztsh/indexes/*)" 600
check "the folder is private" same "$(stat -c %a cache/eztsh/indexes)" 700
check "the index is small" [ $((100 * $(cat cache/eztsh/indexes/* | wc -c))) -le "$(wc -c <t.fxt)" ]
for c in 'stats t.fxt -from 5ms -to 6ms' 'stats t.fxt' 'timeline t.fxt -from 8ms' 'events 20 t.fxt -from 9ms' \
    'replay t.fxt -from 9ms -to 9.1ms' 'calltree t.fxt -from 5ms -to 6ms -min 1us' 'stats t.fxt -from 7ms -by thread' \
    'diff t.fxt t.fxt -from 5ms -to 6ms'; do
    check "with the index: $c" both "$c"
done
batch -ex 'convert t.fxt -t csv -from 5ms -to 6ms -o with.csv'
batch -ex 'set trace-index off' -ex 'convert t.fxt -t csv -from 5ms -to 6ms -o without.csv'
check "with the index: convert" cmp with.csv without.csv

cp t.fxt copy.fxt
batch -ex 'trace repair copy.fxt' -ex 'stats copy.fxt -from 5ms -to 6ms'
check "a copy gets its own index" same "$(indexes)" 2
dd if=/dev/zero of=copy.fxt bs=24 count=100 seek=4000 conv=notrunc 2>/dev/null # damaged
check "a changed trace: as without an index" both 'stats copy.fxt -from 5ms -to 6ms'
chmod 777 cache/eztsh/indexes
check "a folder of everybody: as without an index" both 'stats t.fxt -from 5ms -to 6ms'
finish
