#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# storm.sh - real programs at work, while one shell after the other is killed at a random
# instant (fault 49, fault 67, fault 68; storm.py). EZT_STORM says how many shells are killed on
# each program (`make stress`: 500).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

storm() { # NAME KIND
    timeout 5000 python3 "$top_srcdir/tests/procs/storm.py" "$eztsh" "$2" "${EZT_STORM:-5}" \
        ${EZT_SEED:+"$EZT_SEED"} >log 2>&1
    check "49, 67, 68 a storm on $1: $(tail -n 1 log)" [ $? = 0 ]
}
storm "functions over page ends" "$targets/p_pages"
for threads in 4 300; do
    storm "$threads threads with clauses, modules, replacements" "$targets/p_loop:$threads"
done
storm python3 python
if command -v sqlite3 >/dev/null; then storm sqlite3 sqlite; else skip "a storm on sqlite3: none"; fi
if command -v redis-server >/dev/null; then
    storm redis redis
else
    skip "a storm on redis: there is no redis-server"
fi
finish
