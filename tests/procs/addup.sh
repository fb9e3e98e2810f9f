#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# addup.sh - aggregates: exact against what the program counted itself, and against the sums of a full
# trace of the same run; with many threads and under signals; its result unchanged.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

prog=$targets/p_data
"$prog" 8 20000 signals >native.out 2>claims

cat >script.ezt <<'END'
count work by $arg0 % 10
sum $arg0 at work by $thread
avg $farg0 at work
max $ret at work
min $arg0 at work if $arg0 > 100
hist work
hist $arg0 at work if $arg0 < 64
count work by $arg1:str
topk work by $caller
count handled
count work if *(int *)$arg2 > 5
run 8 20000 signals >t.out 2>claims
info aggregates -json
info aggregates
info trace
END
rm -f ./*.fxt
batch -return-child-result -x script.ezt "$prog"
check 'the result is the same' cmp native.out t.out
check 'no trace was made' lacks log 'Recording'
check 'the ledger' ledger_ok
json_of log >all.json
cat >look.py <<'END'
import json, sys
a = {x["number"]: x for x in json.load(open("all.json"))["aggregates"]}
claim = dict((k, int(v)) for k, v in (l.split() for l in open("claims")))
rows = lambda n: {r["key"]: r for r in a[n]["rows"]}
total = 8 * sum(range(20000))
def check(what, got, want):
    if got != want:
        print("%s: %s, not %s" % (what, got, want))
        sys.exit(1)
check("ten keys", sorted((k, r["hits"]) for k, r in rows(1).items()), sorted((str(i), 16000) for i in range(10)))
check("threads", (len(rows(2)), {r["sum"] for r in rows(2).values()}), (8, {total / 8}))
check("doubles", (rows(3)[""]["sum"], rows(3)[""]["max"]), (total / 4, 19999 / 4))
check("results", rows(4)[""]["hits"], claim["all"])
check("the least", (rows(5)[""]["min"], rows(5)[""]["hits"]), (101, 8 * (20000 - 101)))
check("calls that took time", rows(6)[""]["hits"], claim["all"])
check("a bucket each", rows(7)[""]["buckets"][:16], [[i, 8] for i in range(16)])
check("all buckets", sum(n for _, n in rows(7)[""]["buckets"]), 8 * 64)
check("texts", {k: r["hits"] for k, r in rows(8).items()}, {'"zero"': 40000, '"one"': 40000, '"two"': 40000})
check("a caller", [k.split("+")[0] for k in rows(9)], ["thread"])
check("signals", rows(10)[""]["hits"] if rows(10) else 0, claim["signals"])
check("a condition", rows(11)[""]["hits"], claim["keyed"])
check("room", [x["no_room"] for x in a.values()], [0] * 11)
END
check 'all numbers are those that the program claims' python3 look.py
check 'a table for people' has log '^1: count work by \$arg0 % 10$'
check 'bars' has log '^ +8 +64  ####'

# ---- what a stub counts by itself --------------------------------------------------------------------
cat >script.ezt <<'END'
count jumps by $arg0 if $arg0 != 300
count work by $arg0
run 8 20000 signals >t.out 2>claims
info aggregates -json
info probes
END
rm -f ./*.fxt
batch -return-child-result -x script.ezt "$prog"
check 'straight: the result is the same' cmp native.out t.out
json_of log >all.json
cat >look.py <<'END'
import json
a = {x["number"]: x for x in json.load(open("all.json"))["aggregates"]}
got = {int(r["key"]): r["hits"] for r in a[1]["rows"]}
assert got == {n: 8 for n in range(0, 20000, 100) if n != 300}, got
assert a[1]["no_room"] == 0
hits = sum(r["hits"] for r in a[2]["rows"])
assert hits + a[2]["no_room"] == 160000, (hits, a[2]["no_room"])
assert all(r["hits"] <= 8 and r["sum"] == r["hits"] for r in a[2]["rows"])
END
check 'straight: each key, and what found no room' python3 look.py
check 'straight: calls and what was filtered' has log '^1 .* 1592 +jumps'

# ---- how long calls take: by the stub and the exit themselves -----------------------------------------
cat >script.ezt <<'END'
hist work if $arg0 < 50
hist deep
hist jumps
run 8 20000 signals >t.out 2>claims
info aggregates -json
info probes
END
cat >look.py <<'END'
import json, re
a = {x["number"]: x for x in json.load(open("all.json"))["aggregates"]}
claim = dict((k, int(v)) for k, v in (l.split() for l in open("claims")))

rows = {n: a[n]["rows"][0] for n in (1, 2, 3)}
assert rows[1]["hits"] == 8 * 50, rows[1]
assert 0 < rows[3]["hits"] <= claim["jumps"], (rows[3], claim)
for r in rows.values():
    assert sum(n for _, n in r["buckets"]) == r["hits"], r
    assert 0 < r["min"] <= r["sum"] / r["hits"] <= r["max"], r
    assert r["buckets"][0][0] <= r["min"] and r["buckets"][-1][0] <= r["max"], r
END
for clock in tsc monotonic; do
    rm -f ./*.fxt
    { echo "set trace-clock $clock"; cat script.ezt; } >timed.ezt
    batch -return-child-result -x timed.ezt "$prog"
    check "$clock: the result is the same" cmp native.out t.out
    json_of log >all.json
    check "$clock: calls, buckets and bounds" python3 look.py
done

# calls that throw or jump away, and in deep recursion: each that returned is in the histogram
cat >script.ezt <<'END'
hist leaf
hist mid
hist deep
hist jumper
run >t.out 2>claims
info aggregates -json
END
"$targets/p_timed" >timed.out 2>timed.claims
batch -return-child-result -x script.ezt "$targets/p_timed"
check 'left calls: the result is the same' cmp timed.out t.out
check 'left calls: the claims are the same' cmp timed.claims claims
json_of log >all.json
cat >look.py <<'END'
import json
claim = dict((k, int(v)) for k, v in (l.split() for l in open("claims")))
got = {a["function"]: a["rows"][0]["hits"] for a in json.load(open("all.json"))["aggregates"]}
assert got == claim, (got, claim)
END
check 'left calls: those that returned are counted' python3 look.py

# ---- a full trace of the same run ------------------------------------------------------------------
rm -f ./*.fxt
cat >script.ezt <<'END'
sum $arg0 at work by $arg0 & 7
hist deep
probe work collect $arg0:d
probe deep
run 2 3000 >t.out 2>claims
info aggregates -json
info trace
END
batch -return-child-result -x script.ezt "$prog"
check 'with a trace: the ledger' ledger_ok
json_of log >all.json
batch -ex "events $(echo ./*.fxt) 1000000"
cat >look.py <<'END'
import json, re, collections
a = {x["number"]: x for x in json.load(open("all.json"))["aggregates"]}
want, deep = collections.Counter(), 0
for line in open("log"):
    m = re.search(r"entry work  \$arg0=(\d+)", line)
    if m:
        want[int(m.group(1)) & 7] += int(m.group(1))
    deep += " exit  deep" in line
got = {int(r["key"]): r["sum"] for r in a[1]["rows"]}
assert got == dict(want), (got, want)
assert a[2]["rows"][0]["hits"] == deep, (a[2], deep)
END
check 'with a trace: the sums are those of its events' python3 look.py

# ---- by type: a program that says itself what is right ------------------------------------------------
cat >kinds.c <<'END'
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#define SEEN __attribute__((noipa))
volatile uint64_t kept;
volatile double kept_real;
SEEN void wide(uint64_t v) { kept = v; kept += v; }
SEEN void sign(long v) { kept = v; kept += v; }
SEEN void real(double v) { kept_real = v; kept_real += v; }
static long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000L + t.tv_nsec; }
SEEN void wait_for(long ns) { long end = now() + ns; while (now() < end); }
int main(void)
{
    for (int i = 0; i < 10; i++) wide(i < 5 ? (uint64_t)i : UINT64_MAX - (uint64_t)i);
    for (long i = -1000; i < 0; i++) sign(i);
    for (int i = 0; i < 3; i++) real(0.1 + i);
    for (int i = 0; i < 50; i++) wait_for(i == 49 ? 200000000 : 10000);
    printf("wide 0 %" PRIu64 "\n", UINT64_MAX - 5);
    printf("real %.15g\n", 2.1);
    return 0;
}
END
if compiled kinds "${CC:-cc}" -g -O1 kinds.c; then
    ./prog >truth
    rm -f ./*.fxt
    batch -ex 'max v at wide' -ex 'min v at wide' -ex 'hist v at wide' -ex 'hist v at sign' -ex 'max v at real' \
        -ex 'hist wait_for' -ex 'probe wait_for' -ex 'run >t.out' -ex 'info aggregates' -ex 'info aggregates -json' \
        -ex stats -ex 'stats -json' ./prog
    cat >look.py <<'END'
import json, re
log = open("log").read()
wide, real = [l.split()[1:] for l in open("truth")]
table = log.split("\n1: max v at wide\n")[1]
assert re.search(r"hits  %s\n2: min" % wide[1], table), "max"
assert re.search(r"hits  %s\n3: hist" % wide[0], table), "min"
assert re.search(r"hits  %s\n" % re.escape(real[0]), table), "max of doubles"
of = {n: [l.split() for l in re.findall(r"\n%d: hist.*\n.*\n( .* p50 .*)" % n, log)][0] for n in (3, 4)}
low = dict(zip(of[3][::2], map(int, of[3][1::2])))
assert low["min"] == 0 and low["max"] == int(wide[1]) and low["p50"] == 4 and low["p90"] >= 15 << 60, low
low = dict(zip(of[4][::2], map(int, of[4][1::2])))
assert low["min"] == -1000 and low["max"] == -1, low
for q, want in (("p50", -501), ("p90", -101), ("p99", -11)):
    assert abs(low[q] - want) <= abs(want) / 8, (q, low)
a = {x["number"]: x for x in json.loads(re.search(r'\{"schema": "eztsh-aggregates-1".*?\n\]\}', log, re.S).group(0))["aggregates"]}
assert a[1]["rows"][0]["max"] == int(wide[1]), a[1]
b = a[4]["rows"][0]["buckets"]
assert sum(n for _, n in b) == 1000 and all(v < 0 for v, _ in b) and b == sorted(b), b
# one call of 50 is the longest: it is p99, in each view
for line in re.findall(r"min .*p99 .*max .*", log):
    if "ms" in line:
        assert re.search(r"p99 ([0-9.]+ ms)  max \1", line), line
row = [r for r in json.loads(log[log.rindex('{\n  "schema"'):])["rows"] if r["function"] == "wait_for"][0]
assert row["p99_ns"] == row["max_ns"] >= 200000000 > row["p50_ns"], row
END
    check 'by type: unsigned, negative, doubles; p99 of 50 calls' python3 look.py
fi

# ---- as many as there is room for: none beyond that counts nothing in silence -------------------------
most=192
for i in $(seq $((most + 1))); do
    echo "__attribute__((noinline, aligned(32))) int g$i(int n) { __asm__ volatile(\"\"); return n + $i; }"
done >many.c
{ echo 'int main(void) { int s = 0;'; seq $((most + 1)) | sed 's/.*/s += g&(&);/'; echo 'return s == 0; }'; } >>many.c
if ${CC:-cc} -g -O1 -o many many.c 2>err; then
    { echo start; seq "$most" | sed 's/.*/sum n at g&/'; printf '%s\n' continue 'info aggregates -json'; } >script.ezt
    batch -x script.ezt ./many
    json_of log >all.json
    cat >look.py <<'END'
import json
a = json.load(open("all.json"))["aggregates"]
assert [(x["function"], [(r["hits"], r["sum"]) for r in x["rows"]]) for x in a] == [("g%d" % i, [(1, i)]) for i in range(1, 193)], a
END
    check "$most aggregates of a process" python3 look.py
    { echo start; seq $((most + 1)) | sed 's/.*/sum n at g&/'; } >script.ezt
    batch -x script.ezt ./many
    check "one more is refused" has log "^Cannot probe g$((most + 1)): A process has room for $most aggregates"
    check "... and does not seem to be there" lacks log "^Aggregate $((most + 1)) "
else
    fail "many.c does not compile" err
fi

# ---- what is wrong -----------------------------------------------------------------------------------
for wrong in 'sum work' 'topk work' 'count' 'avg at work' 'hist nosuch at work' 'count work by'; do
    batch -ex "$wrong" "$prog"
    check "wrong: $wrong" lacks log '^Aggregate'
done

finish
