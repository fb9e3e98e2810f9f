#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# locks.sh - `info locks`: waits, holds, and who held the lock meanwhile, are what a program whose threads
# wait for sure measures by clock_gettime.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
[ -e "$top_builddir/modules/pthread.so" ] || { skip "locks: the module was not built"; exit 77; }

for n in 1 5; do
    rm -f ./*.fxt
    batch -m pthread -ex 'probe keeper' -ex 'probe reader' -ex 'probe take' -ex 'probe take_to_write' -ex 'trace locks.fxt' \
        -ex "run $n >t.out" "$targets/p_held"
    batch -ex 'info locks locks.fxt'
    cp log locks.txt
    batch -ex 'info locks locks.fxt -waits -rows 0'
    cp log waits.txt
    batch -ex 'info locks locks.fxt -rows 0 -json'
    cp log locks.json
    N=$n python3 >py.out 2>&1 <<'END'
import json, os
n = int(os.environ["N"])
locks = {k["lock"]: k for k in json.load(open("locks.json"))["rows"]}
said = {}  # the name of a variable: bounds
for line in open("t.out"):
    w = line.split()
    said[w[0]] = tuple(map(int, (w[2], w[3], w[5], w[6])))

def check(name, good, *about):
    print("ok - %d: %s" % (n, name) if good else "not ok - %d: %s: %s" % (n, name, about))

# The clock of the trace is calibrated against CLOCK_MONOTONIC: 0.1 % is a hundred times its error.
def within(v, least, most):
    return least * .999 <= v <= most * 1.001

def look(name, holder, kind, waits):
    k = locks[name]
    least, most, held_least, held_most = said[name]
    top = k["holders"][0]
    check(name + ": kind and counts", (k["kind"], k["taken"], k["waits"], k["open"]) == (kind, waits + 1, waits, 0), k)
    check(name + ": waited", within(k["waited_ns"], least, most), k, said)
    check(name + ": held by " + holder, top["function"] == holder and top["times"] == 1, top)
    check(name + ": others waited meanwhile", within(top["blocked_ns"], least, k["waited_ns"]), top, said)
    check(name + ": held so long", within(top["held_ns"], held_least, held_most) and
          within(k["longest_held_ns"], held_least, held_most), k, said)
    # The clocks of two processors may differ by some ns, so that two holds overlap and count twice.
    over = sum(h["blocked_ns"] for h in k["holders"]) + k["nobody_ns"] - k["waited_ns"]
    check(name + ": the sum over the holders is what was waited", 0 <= over <= 1000 * waits, k)
    # Each waiter waits once for the only holder, and the sum over the pairs is the time that it waited.
    pairs = [p for p in k["pairs"] if p["holder"]]
    owner = [p for p in pairs if p["holder"] == top["thread"]]
    check(name + ": each waiter waited for " + holder, len({p["tid"] for p in owner}) == waits and
          all(p["waits"] == 1 and p["longest_ns"] == p["waited_ns"] and p["thread"] != p["holder"] for p in owner), k)
    check(name + ": waits for " + holder + " are its share", sum(p["waited_ns"] for p in owner) == top["blocked_ns"] and
          within(sum(p["waited_ns"] for p in owner), least, k["waited_ns"]), k, said)
    check(name + ": the sum over the pairs is the sum over the holders", sum(p["waited_ns"] for p in k["pairs"]) ==
          sum(h["blocked_ns"] for h in k["holders"]) + k["nobody_ns"], k)
    check(name + ": the longest wait", k["longest_ns"] * waits >= k["waited_ns"] and k["longest_ns"] <= k["waited_ns"], k)

look("mutex", "keeper", "mutex", n)
look("rwlock", "reader", "write lock", 1)
quiet = [k for k in locks.values() if not k["waits"]]
check("nobody waits for the third lock", [(k["lock"], k["taken"], k["kind"]) for k in quiet] == [("pair+8", n, None)], quiet)
rows = [line.split() for line in open("waits.txt") if line.startswith("mutex ")][1:]
check("-waits has a row for each pair", len(rows) == len(locks["mutex"]["pairs"]), rows)
text = open("locks.txt").read()
check("the text has both locks, and not the third", all("\n%s  " % k in text for k in said) and
      "1 more lock, taken %d time%s (-all)." % (n, "s" * (n > 1)) in text, text)
END
    cat py.out
    if grep -q '^not ok' py.out || ! grep -q '^ok' py.out; then failed=1; fi
done

rm -f ./*.fxt
batch -ex 'probe keeper' -ex 'trace plain.fxt' -ex 'run 1 >t.out' "$targets/p_held"
batch -ex 'info locks plain.fxt'
check "without the module: the error names it" has log 'no data about locks\. .*module load pthread'
check "without the module: the status" same "$rc" 1
finish
