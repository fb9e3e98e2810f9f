#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# screen.sh - `top` and `replay -f` on a terminal (screen.py): keys, resizing, Ctrl-C, Ctrl-Z, SIGTERM, the end of the
# program, dumb and unknown terminals, a pipe; and what top refuses.
. "${top_srcdir:-.}/tests/procs/lib.sh"
command -v python3 >/dev/null || { skip "screen: needs python3"; finish; }
python3 -c 'import pty, os; os.close(pty.openpty()[0])' 2>/dev/null || { skip "screen: no pseudo-terminal here"; finish; }
python3 -B "$top_srcdir/tests/trace/screen.py" "$eztsh" "$targets/p_loop" >py 2>&1 || echo "not ok - screen.py" >>py
if grep -q '^not ok' py || ! grep -q '^ok' py; then failed=1; fi
cat py

# ---- without a terminal ---------------------------------------------------------------------------------
rm -f ./*.fxt
batch -ex 'probe pulse' -ex 'probe -count beat' -ex 'topk beat by $caller' -ex 'top beat by $arg1 if $arg0 > 1' -ex 'info aggregates' "$targets/p_loop"
check "top FUNC by KEY is topk" has log 'Aggregate [0-9]+ at beat\.'
check "top FUNC by KEY if EXPR" same "$(grep -c '^Aggregate [0-9]* at beat' log)" 2
batch -ex top
check "top: no trace" has log '^There is no trace yet\. "probe" records functions; "top PID" probes all functions\.$'
batch -ex 'top none.fxt'
check "top: no such file" has log '^none\.fxt: No such file or directory\.$'
batch -ex "top -min 1us $$"
check "top PID: a filter that cannot be followed is refused" has log '^-min, -max, -callee, and -where with values'
check "top PID: and the process is not touched" lacks log '^Attaching to process'
batch -ex 'top -every 10ms none.fxt'
check "top: the period is too short" has log '^-every needs at least 100 ms\.$'
batch -ex 'set trace-switches off' -ex 'probe -r .' -ex 'run 300 >/dev/null' "$targets/p_app"
set -- ./*.fxt
batch -ex "top -sort calls -top 2 $1"
check "top FILE: a table of a whole trace" same "$(grep -c '^twice\|^area' log)" 2
check "top FILE: calls are counted" has log '^area +[^ ]+ +300 '
check "top FILE: the sums" has log '^[0-9]+ events, 1 thread, 0 events lost\.$'
cp "$1" second.fxt
batch -ex "top -sort calls $1 second.fxt"
check "top FILE FILE: sums of both" has log '^area +[^ ]+ +600 '
finish
