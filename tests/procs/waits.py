#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""waits.py wait|drop TRACE CLAIMS LEDGER: waits and gaps of each thread against the rest of the
trace, what the target called ("hot TID CALLS"), and the ledger's line. The trace's ticks are
nanoseconds. Prints what is wrong, or what was found; status 1 when something is wrong."""
import collections
import re
import sys

from fxt import DEF, PROBE, THREAD, events

WAIT, WAIT_END, GAP, GAP_END = range(THREAD, THREAD + 4)


def main():
    how, trace, claims, ledger = sys.argv[1:]
    threads = collections.defaultdict(list)
    sums = None
    for tick, tid, code, arg in events(trace):
        if WAIT <= code <= GAP_END or code >= PROBE:
            threads[tid].append((tick, code, arg))
        elif code == DEF + 5:
            sums = arg
    dropped, unwound, waits, waited = sums[4], sums[7], sums[8], sums[9]
    lost = slept = times = 0
    for tid, all_of_it in threads.items():
        assert all_of_it == sorted(all_of_it, key=lambda e: e[0]), f"{tid}: not in order"
        since, why, probes = None, None, 0
        for tick, code, arg in all_of_it:
            if code >= PROBE:
                assert not since or tick == since, f"{tid}: an event at {tick}, in what began at {since}"
                probes += 1
            elif code in (WAIT, GAP):
                assert why is None, f"{tid}: two begin, at {since} and {tick}"
                since, why = tick, code
                lost += sum(arg)
            else:
                assert why == code - 1, f"{tid}: {code:x} at {tick} ends {why}"
                slept += tick - since if code == WAIT_END else 0
                times += code == WAIT_END
                since = why = None
        threads[tid] = probes
    called = 0
    for line in open(claims):
        w = line.split()
        if w and w[0] == "hot":
            called += 2 * int(w[2])
            probes = threads[int(w[1])]
            if how == "wait":
                assert probes == 2 * int(w[2]), f"{w[1]}: {probes} events of {w[2]} calls"
    assert called and sum(threads.values()) + lost == called, f"{called} claimed, {lost} lost"
    assert lost == dropped, f"{lost} lost, {dropped} dropped"
    said = re.search(r"Threads waited ([0-9.]+) (\w+) for room \((\d+) times?\)", open(ledger).read())
    if how == "wait":
        assert times and not lost, f"{times} waits, {lost} lost"
        # a thread may wait more than once for one sub-buffer, as seen from a signal's handler
        assert times <= waits, f"{times} waits, the ledger counts {waits}"
        assert abs(slept - waited) <= times, f"waited {slept}, the ledger says {waited}"
        unit = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[said[2]]
        assert abs(float(said[1]) * unit - waited) <= 0.01 * waited and int(said[3]) == waits, said[0]
    else:
        assert lost and not times, f"{lost} lost, {times} waits"
        assert not said and not waits, said
    assert not unwound, unwound
    print(f"{times} waits, {slept} ns; {lost} lost")


try:
    main()
except AssertionError as e:
    print(e)
    sys.exit(1)
