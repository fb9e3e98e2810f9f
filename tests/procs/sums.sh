#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sums.sh - aggregates in traces: the file tells what the session tells, also of a program that runs on, of
# a session that is killed, of several processes; in a compressed file, and on the page of `report`.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

prog=$targets/p_data
cat >alike.py <<'END'
# alike.py SESSION STATS [FACTOR]: `info aggregates -json` and `stats -json` tell the same
import json, sys
live, file = (json.load(open(name))["aggregates"] for name in sys.argv[1:3])
def told(a, by=1):
    rows = {r["key"]: (by * r["hits"], by * r["sum"] if not a["unit"] else 0, r["min"] if not a["unit"] else 0,
                       [by * n for _, n in r.get("buckets", [])]) for r in a["rows"]}
    return a["aggregate"], a["function"], a["value"], a["by"], by * a["no_room"], rows
by = int(sys.argv[3]) if len(sys.argv) > 3 else 1
want, got = [told(a, by) for a in live], [told(a) for a in file]
if want != got:
    print(want, got, sep="\n")
    sys.exit(1)
assert all(a["rows"] for a in live)
END
cat >aggregates.ezt <<'END'
count work by $arg0 % 10
sum $arg0 at work
avg $farg0 at work
hist $arg0 at work
hist work
topk work by $caller
count work by $arg1:str
min $arg0 at work
END

# ---- at the program's end; plain and compressed -----------------------------------------------------------
for how in off on; do
    { [ $how = off ] || grep -qs '^#define HAVE_ZSTD 1' "$top_builddir/config.h"; } || continue
    rm -f t.fxt
    { echo "set trace-compress $how"; echo 'trace t.fxt'; cat aggregates.ezt; echo 'probe deep'
      echo 'run 4 3000 >t.out 2>claims'; echo 'info aggregates -json'; } >script.ezt
    batch -x script.ezt "$prog"
    json_of log >live.json
    batch -ex 'stats t.fxt -json'
    mv log stats.json
    check "compress $how: the file tells what the session told" python3 alike.py live.json stats.json
done
batch -ex 'stats t.fxt'
check 'calls are not counted once more for each aggregate' lacks log '^work +p_data '
check 'the tables stand in stats' has log '^1: count work by \$arg0 % 10$'
check 'and the bars' has log '^ +[0-9.]+ [nu]s +[0-9]+  ####'
check 'callers have names' has log '^  thread\+[0-9]+ +12000 hits$'
check 'claims' same "$(claim all)" 12000
cp log table
batch -ex 'stats t.fxt -from 1us'
check 'a part of the trace has none: they are those of the whole' lacks log '^1: count'
# "p50 N p90 N p99 N" of the histogram of $arg0, of a table
shares() { sed -n '/hist $arg0 at/,/ p50 /s/.* \(p50 [0-9]*\)  \(p90 [0-9]*\)  \(p99 [0-9]*\) .*/\1 \2 \3/p' "$1"; }
shares table >told
batch -ex 'report t.fxt -o t.html'
if [ "$rc" = 0 ]; then
    sed -n '/"title":"hist $arg0 at/,/"p50"/s/.*"p50":\([0-9]*\),"p90":\([0-9]*\),"p99":\([0-9]*\),.*/p50 \1 p90 \2 p99 \3/p' \
        t.html >shown
    check 'the page has p50, p90, p99 of the table' test -s told
    check 'the page has p50, p90, p99 of the table: the same' cmp told shown
    check 'the page has them' has t.html '"title":"hist \$arg0 at work","what":"hist"'
else
    echo "skip - the page: $(tail -1 log)"
fi
batch -ex 'convert t.fxt -t csv -o t.csv'
check 'other formats leave them out' same $rc 0

# ---- no trace is opened for them alone; one that is wanted has them ------------------------------------------
rm -f ./*.fxt
{ cat aggregates.ezt; echo 'run 1 100 >t.out 2>claims'; } >script.ezt
batch -x script.ezt "$prog"
check 'no trace for them alone' lacks log 'Recording'
{ echo 'trace alone.fxt'; cat script.ezt; } >traced.ezt
batch -x traced.ezt -ex 'stats alone.fxt' "$prog"
check 'a trace without events has them' has log '^2: sum \$arg0 at work$'

# ---- while the program runs, two traces of one process, and when the session is killed ------------------------
target "$prog" 2 100000000
shell_start -p "$pid"
say 'trace run1.fxt'
say 'count work by $arg0 & 3'
say 'hist work'
say 'continue &'
counted() { say 'stats -json' && sed -n '/"aggregates"/,$p' log | grep -q '"hits": [1-9]'; }
until_ok 20 counted
check 'stats of the running session has them' has log '"aggregate": "hist"'
say 'interrupt'
say 'trace stop'
say 'trace run2.fxt'
say 'continue &'
two() { batch -ex 'stats run2.fxt -json'; grep -q '"hits": [1-9]' log; } # written once a second
cp log session.log
shell=$shell until_ok 20 two
shell_kill
batch -ex 'stats run2.fxt -json'
check 'a killed session: they are in the file' has log '"aggregate": "hist"'
sum() { sed -n '/"aggregates"/,$p' log | sed -n '/"count"/,/]}/s/.*"hits": \([0-9]*\).*/\1/p' |
    awk '{ n += $1 } END { print n + 0 }'; }
second=$(sum)
batch -ex 'stats run1.fxt run2.fxt -json'
check 'two traces of one process are not summed' same "$(sum)" "$second"
kill -KILL "$pid"

# ---- several processes -----------------------------------------------------------------------------------------
rm -f ./*.fxt
for i in 1 2 3; do
    { echo "trace rank$i.fxt"; grep -v 'hist work' aggregates.ezt; echo 'run 2 1000 >t.out 2>claims'
      echo 'info aggregates -json'; } >script.ezt
    batch -x script.ezt "$prog"
done
json_of log >live.json
batch -ex 'stats rank1.fxt rank2.fxt rank3.fxt -json'
mv log stats.json
check 'processes are summed' python3 alike.py live.json stats.json 3

finish
