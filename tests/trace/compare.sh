#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compare.sh - `diff` of real traces: each value is that of `stats`; the number of calls, which is the
# same in each run, decides on the exit status; two periods of a trace. `stats -slowest`: the calls are the
# slowest ones that `convert -t csv` has.
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "diff: needs python3"; finish; }

batch() { timeout -k 5 $limit "$eztsh" -nx -batch "$@" >log 2>log.err </dev/null; }
status() { # NAME STATUS COMMAND
    batch -ex "$3"
    got=$?
    if [ $got = "$2" ]; then pass "$1"; else fail "$1: status $got" log log.err; fi
}
holds() { # NAME EXPRESSION over d, the table of `diff`, and stats()
    if python3 -c 'import json, sys
d = json.load(open("diff.json"))
row = {r["function"]: r for r in d["rows"]}
def stats(name):
    return {r["function"]: r for r in json.load(open(name + ".json"))["rows"]}
sys.exit(not eval("(%s)" % sys.argv[1]))' "$2" 2>py.err; then pass "$1"; else fail "$1" diff.json py.err; fi
}

for run in a-1 a-2 a-3 b-1 b-2 b-3; do
    case $run in a-*) rounds=10 ;; *) rounds=20 ;; esac
    batch -ex 'set trace-switches off' -ex 'probe main' -ex 'probe twice' -ex 'probe area' -ex "trace $run.fxt" \
        -ex "run $rounds >t.out" "$targets/p_app"
    batch -ex "stats $run.fxt -json"
    cp log $run.json
done
[ -s a-1.json ] && [ -s b-3.json ] || { fail "traces to compare" log log.err; finish; }

batch -ex 'diff a-1.fxt b-1.fxt -json'
cp log diff.json
holds "one run per side: the values of both" 'set(row) == {"main", "twice", "area"} and all(
    r[v + "_before" + u] == stats("a-1")[f][v + u] and r[v + "_after" + u] == stats("b-1")[f][v + u]
    for f, r in row.items() for v, u in (("total", "_ns"), ("self", "_ns"), ("calls", "")))'
holds "one run per side: no verdict" 'all(r["verdict"] is None and r["p"] is None for r in d["rows"])'
batch -ex 'diff a-*.fxt b-*.fxt -sort calls -json'
cp log diff.json
holds "three runs per side: means" 'd["before_runs"] == d["after_runs"] == 3 and all(
    abs(r["total_before_ns"] - sum(stats("a-%d" % i)[f]["total_ns"] for i in (1, 2, 3)) / 3) < 1 for f, r in row.items())'
holds "three runs per side: twice the calls" 'row["twice"]["calls_before"] == 10 and row["twice"]["calls_after"] == 20 and
    [row[f]["verdict"] for f in ("main", "twice", "area")] == ["noise", "more", "more"] and row["twice"]["change"] == 1 and
    row["twice"]["low"] == 1 and row["twice"]["p"] < 1e-6'

status "the threshold is exceeded" 1 'diff a-*.fxt b-*.fxt -sort calls -threshold 99'
status "the threshold is not exceeded" 0 'diff a-*.fxt b-*.fxt -sort calls -threshold 100'
status "fewer calls exceed no threshold" 0 'diff b-*.fxt a-*.fxt -sort calls -threshold 0'
status "equal runs exceed no threshold" 0 'diff a-1.fxt a-2.fxt vs a-3.fxt a-1.fxt -sort calls -threshold 0'

# Two periods: all that is before the middle, and the rest.
middle=$(python3 -c 'import json; print(json.load(open("a-1.json"))["span_ns"] // 2)')
batch -ex "stats a-1.fxt -to ${middle}ns -json"
cp log first.json
batch -ex "stats a-1.fxt -from ${middle}ns -json"
cp log rest.json
batch -ex "diff a-1.fxt -window 0..${middle}ns -vs-window ${middle}ns.. -json"
cp log diff.json
holds "two periods of a trace" 'set(row) == set(stats("first")) | set(stats("rest")) and all(
    r["calls_before"] == stats("first").get(f, r)["calls" if f in stats("first") else "calls_before"] and
    r["total_after_ns"] == stats("rest").get(f, r)["total_ns" if f in stats("rest") else "total_after_ns"]
    for f, r in row.items())'

# The slowest calls, with values.
batch -ex 'set trace-switches off' -ex 'probe main' -ex 'probe twice collect v return $ret' -ex 'trace c.fxt' \
    -ex 'run 30 >t.out' "$targets/p_app"
batch -ex 'convert c.fxt -t csv -o c.csv' -ex 'stats c.fxt -slowest 7 -json'
sed -n '/^{/,$p' log >diff.json
holds "the slowest calls are those of csv" '[r["duration_ns"] for r in d["rows"]] == sorted(
    (round(float(c["duration_ns"])) for c in __import__("csv").DictReader(open("c.csv"))), reverse=True)[:7]'
holds "the slowest calls have their values" 'd["rows"][0]["function"] == "main" and
    d["rows"][0]["longest_ns"] == d["rows"][1]["duration_ns"] and all(r["function"] == "twice" and r["caller"] == "main" and
    int(r["result"].split("=")[1]) == 2 * (3 * int(r["arguments"].split("=")[1]) + 1) for r in d["rows"][1:])'
if [ "$(id -u)" = 0 ]; then
    skip "diff: root may read any folder"
else
    mkdir locked && chmod 0 locked
    status "diff: a folder that may not be read" 1 'diff locked a-1.fxt'
    if grep -q '^Cannot read the folder locked: ' log.err; then pass "diff: the reason"; else fail "diff: the reason" log.err; fi
    chmod 700 locked
fi
finish
