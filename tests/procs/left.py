#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""left.py TRACE CLAIMS: what the target says of its calls (p_left.cc), against the trace.

Each call must have one entry and one exit in the trace, in the thread, between the moments
that the target claims, marked unwound if and only if it did not return ("either": whichever). The trace's ticks are
CLOCK_MONOTONIC's nanoseconds.

left.py nesting TRACE...: every call of `jumper` ended without returning, and none lies in more than
four others. Prints what is wrong, at most 20 lines; status 1 then."""
import collections
import sys

from fxt import DEF, PROBE, THREAD, events, text

def nesting(paths):
    """What is wrong with the calls of `jumper`."""
    total = 0
    for path in paths:
        name, seen = {}, []
        for tick, tid, code, arg in events(path):
            if code == DEF + 1:
                name[arg[0]] = text(arg[3:]).split(b"\0")[0].decode().split("(")[0]
            elif code == THREAD + 2: # events were lost: the ends of calls that are open, too
                seen.append((tick, None, False))
            elif code >= PROBE and name.get((code - PROBE) // 2) == "jumper":
                seen.append((tick, code & 1, bool(arg)))
        depth = 0
        for tick, ends, unwound in sorted(seen, key=lambda e: e[0]):
            depth = 0 if ends is None else depth - 1 if ends else depth + 1
            if depth > 5 or (ends and not unwound):
                return f"{path}: at {tick} there are {depth} open; ends {ends}, unwound {unwound}"
        total += len(seen)
    return None if total > 100 else f"{total} events"


def main():
    if sys.argv[1] == "nesting":
        wrong = nesting(sys.argv[2:])
        print(wrong or "right")
        return bool(wrong)
    name, began, ended = {}, collections.defaultdict(list), collections.defaultdict(list)
    for tick, tid, code, arg in events(sys.argv[1]):
        if code == DEF + 1:
            name[arg[0]] = text(arg[3:]).split(b"\0")[0].decode().split("(")[0]
        elif code >= PROBE:
            key = tid, name.get((code - PROBE) // 2)
            if code & 1:
                ended[key].append((tick, bool(arg)))
            else:
                began[key].append(tick)
    claims = collections.defaultdict(list)
    for line in open(sys.argv[2]):
        w = line.split()
        if w and w[0] == "call":
            claims[int(w[1]), w[2]].append([int(v) for v in w[3:7]] + [w[7]])
    bad = []
    if not claims:
        bad.append("the target claims nothing")
    for key, want in claims.items():
        b, e = sorted(began[key]), sorted(ended[key])
        if len(b) != len(want) or len(e) != len(want):
            bad.append(f"{key}: {len(want)} calls; {len(b)} entries, {len(e)} exits")
            continue
        for t, c in zip(b, sorted(want)):
            if not c[0] <= t <= c[1]:
                bad.append(f"{key}: entered at {t}, claims {c[0]} to {c[1]}")
        for (t, unwound), c in zip(e, sorted(want, key=lambda c: c[2:4])):
            if not c[2] <= t <= c[3] or c[4] == ("returned" if unwound else "unwound"):
                bad.append(f"{key}: left at {t}, unwound {unwound}, claims {c[2]} to {c[3]}, {c[4]}"
                           f" ({t - c[2]}, {c[3] - t})")
    print("\n".join(bad[:20]))
    ends = [c[4] for v in claims.values() for c in v]
    print(f"{len(ends)} calls, {ends.count('unwound')} unwound; {len(bad)} wrong")
    return bool(bad)


sys.exit(main())
