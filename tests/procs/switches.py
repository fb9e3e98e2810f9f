#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""switches.py TRACE OUTPUT STOLEN: when threads did not run, by the trace, against what each counted
itself ("thread TID voluntary involuntary off", p_switches.c). The trace's ticks are
nanoseconds. Prints what is wrong or was found; status 1 when something is wrong.
STOLEN: ns that interrupts and the host took of the processors meanwhile. A thread does not run then, by its
own count, and no switch says so.

switches.py none TRACE: no switch is in it.
switches.py names TRACE N: the names "brief 0" to "brief N-1" are in it, each once."""
import collections
import sys

from fxt import DEF, PROBE, THREAD, events, text

OUT, IN = THREAD + 4, THREAD + 5


def off(stream):
    """(slept, preempted, ns off) between the first and the last call in a thread."""
    calls = [tick for tick, code, _ in stream if code >= PROBE]
    count, ns, since = [0, 0], 0, None
    for tick, code, arg in sorted(stream, key=lambda e: e[0]):
        if not calls[0] <= tick <= calls[-1]:
            continue
        if code == OUT:
            assert since is None, f"switched out at {since} and {tick}"
            since = tick
            count[arg[0]] += 1
        elif code == IN:
            assert since is not None, f"switched in at {tick}, never out"
            ns += tick - since
            since = None
    return count[0], count[1], ns


def main():
    if sys.argv[1] == "none":
        return any(code in (OUT, IN) for _, _, code, _ in events(sys.argv[2]))
    if sys.argv[1] == "names":
        names = {a[0]: text(a[1:]).decode() for _, _, code, a in events(sys.argv[2]) if code == DEF + 2}
        want = {f"brief {i}" for i in range(int(sys.argv[3]))}
        missing = want - set(names.values())
        print(len(missing), "missing:", *sorted(missing)[:5])
        return bool(missing)
    threads = collections.defaultdict(list)
    for tick, tid, code, arg in events(sys.argv[1]):
        if code >= PROBE or code in (OUT, IN):
            threads[tid].append((tick, code, arg))
    told = [line.split()[1:] for line in open(sys.argv[2]) if line.startswith("thread ")]
    bad = len(told) != 2
    for tid, voluntary, involuntary, lost in (map(int, w) for w in told):
        slept, preempted, ns = off(threads[tid])
        print(f"{tid}: slept {slept} of {voluntary}, preempted {preempted} of {involuntary}, "
              f"{ns} of {lost} ns")
        # a thread may also be switched between mark() and reading its counters
        bad |= not 0 <= slept - voluntary <= 2 or not 0 <= preempted - involuntary <= 2
        bad |= voluntary < 20 or involuntary < 2
        bad |= not -(0.05 * lost + 2000000) <= lost - ns <= 0.05 * lost + 2000000 + int(sys.argv[3])
    return bad


sys.exit(main())
