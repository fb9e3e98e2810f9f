#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# interp.sh - the reader's half of a module: with it, without it, with one that cannot be used.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
export EZTRACE_LIBRARY_PATH="$work/found"
mkdir found
timeout -k 5 $limit "$eztsh" -nx -batch -m "$targets/m_gpu.so" -ex 'run 10 5 >t.out' "$targets/p_counters" >log 2>&1 </dev/null
check "the program ends right" same "$(tail -n 1 t.out)" right
trace=$(ls ./*.fxt)
read_as() { "$eztsh" -nx -batch -ex "$1" >log 2>&1 </dev/null; }
row() { awk -v f="$1" '$1 == f { print $3 }' log; }

# ---- without it --------------------------------------------------------------------------------
read_as "stats $trace"
check "without: events as they are, by their module's name" \
    has log '^m_gpu event 1 +11 +-'
check "without: said in one line" same "$(grep -c 'shown as they are' log)" 1
check "without: what it says" has log '^23 events of module m_gpu shown as they are: there is no m_gpu-interp.so\.$'
check "without: what the trace itself says" same "$(row launched)" 11

# ---- with it -----------------------------------------------------------------------------------
cp "$targets/m_gpu-interp.so" found
read_as "stats $trace -by thread,function"
check "with: a container of its own, and its states" has log '^Device 0 +Busy +m_gpu +11 '
check "with: nothing twice" lacks log 'event [123] '
check "with: what the trace itself says stays" has log ' launched +m_gpu +11 '
check "with: its variable" has log '^Pages +Device 0 +m_gpu +11 +0 +50 +50$'
check "with: its line, once" same "$(grep -c '^Device 0: 11 of 11 done$' log)" 1
check "with: no line before the end" lacks log 'too early'
check "with: what it does not know" \
    has log '^1 event of module m_gpu shown as they are: its interpreter knows them not\.$'
read_as "convert $trace -t chrome -o t.json"
check "convert: what it does not know" \
    has log '^1 event of module m_gpu shown as they are: its interpreter knows them not\.$'
python3 - >told 2>&1 <<'END'
import json
rows = json.load(open("t.json"))["traceEvents"]
names = {(r["pid"], r["tid"]): r["args"]["name"] for r in rows if r["name"] == "thread_name"}
busy = [r for r in rows if r["ph"] in "BX" and r["name"] == "Busy"]
print(len(busy), {names[(r["pid"], r["tid"])] for r in busy})
flow = {ph: {r["id"]: (r["pid"], r["tid"]) for r in rows if r["ph"] == ph} for ph in "sf"}
print(len(flow["s"]), all(names[flow["f"][i]] == "Device 0" != names[flow["s"][i]] for i in flow["s"]))
END
check "convert: states of the container" has told "^11 \{'Device 0'\}$"
check "convert: links that lead there" has told '^11 True$'
for to in paje:t.trace otf2:t.otf2 csv:t.csv; do
    read_as "convert $trace -t ${to%:*} -o ${to#*:}"
    left_out || check "convert -t ${to%:*}" [ -s "${to#*:}" -o -d t_otf2 -o -d t.otf2 ]
done
check "csv: the container" same "$(grep -c ',Device 0,.*,Busy,m_gpu,' t.csv)" 11
read_as "timeline $trace"
check "timeline: the container" has log 'Device 0'
read_as "report $trace -o t.html"
left_out || check "report: the container" grep -q 'Device 0' t.html

# ---- two of them: the first and the second are asked, in the order of their names --------------------
cp "$targets/m_gpu-interp.so" found/m_gpu-interp-again.so
read_as "stats $trace -by thread,function"
check "two: each adds its own" same "$(grep -c '^Device 0: 11 of 11 done$' log)" 2
check "two: one container" has log '^Device 0 +Busy +m_gpu +22 '
rm found/m_gpu-interp-again.so

# ---- one that cannot be used --------------------------------------------------------------------
cp "$targets/m_gpu.so" found/m_gpu-interp.so
read_as "stats $trace"
check "no interpreter: why" has log 'm_gpu-interp.so: it has no EZT_INTERP\.$'
echo nothing >found/m_gpu-interp.so
read_as "stats $trace"
check "no shared object: why" has log 'm_gpu-interp.so: .*(too short|invalid ELF|ELF header)'
check "no shared object: the rest is shown" same "$(row launched)" 11
finish
