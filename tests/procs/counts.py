#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""counts.py CLAIMS KIND FUNCTIONS trace FILE | stats JSON | probes LOG

What p_counts says of its calls (CLAIMS), against the events of each function and thread in a
trace, the rows of `stats -by thread,function -json`, or the sums in `info probes -all`. KIND is
what the probes tell: both, entry or exit; FUNCTIONS is a pattern of those that have them: nothing
else may be there. Prints what differs, at most 20 lines; status 1 then."""
import collections
import json
import re
import sys

from fxt import DEF, PROBE, events, text


def of_trace(path):
    """Entries, returns, exits that are no returns."""
    name, seen = {}, collections.defaultdict(lambda: [0, 0, 0])
    for _, tid, code, arg in events(path):
        if code == DEF + 1:
            name[arg[0]] = text(arg[3:]).split(b"\0")[0].decode()
        elif code >= PROBE:
            what = 0 if not code & 1 else 2 if arg else 1
            seen[tid, name.get((code - PROBE) // 2)][what] += 1
    return dict(seen)


def of_stats(path):
    """Calls, those with a time, those that did not return."""
    return {(int(re.findall(r"\d+", r["thread"])[-1]), r["function"]):
            [r["calls"], r["timed"], r["unwound"]]
            for r in json.load(open(path))["rows"] if not r["pause"] and r["library"] != "signal"}


def signals_of(path):
    """Signals of each thread: each was handled by on_signal, if the thread had recorded something before."""
    return {int(re.findall(r"\d+", r["thread"])[-1]): r["calls"] for r in json.load(open(path))["rows"] if r["library"] == "signal"}


def of_probes(path, kind):
    """What all threads did together."""
    return {(0, f): [int(n)] for n, f in
            re.findall(rf"^\d+ +{kind} .* 0x\w+ +(\d+) +(\w+)", open(path).read(), re.M) if int(n)}


def wanted(what, kind, entered, returned):
    left = entered - returned
    return {
        "trace": {"both": [entered, returned, left], "entry": [entered, 0, 0], "exit": [0, returned, 0]},
        "stats": {"both": [entered, entered, left], "entry": [entered, 0, 0], "exit": [returned, 0, 0]},
        "probes": {"both": [entered], "entry": [entered], "exit": [returned]},
    }[what][kind]


def main():
    claims, kind, functions, what, path = sys.argv[1:]
    own = collections.Counter(), collections.Counter()
    handled = collections.Counter()
    for line in open(claims):
        _, tid, f, entered, returned = line.split()
        key = 0 if what == "probes" else int(tid), f
        handled[int(tid)] += int(entered) if f == "on_signal" else 0
        if re.fullmatch(functions, f):
            own[0][key] += int(entered)
            own[1][key] += int(returned)
    want = {key: wanted(what, kind, own[0][key], own[1][key]) for key in own[0]}
    want = {key: n for key, n in want.items() if any(n)}
    seen = of_trace(path) if what == "trace" else of_stats(path) if what == "stats" else of_probes(path, kind)
    off = [f"{key}: {seen.get(key)} instead of {want.get(key)}"
           for key in sorted(want.keys() | seen.keys(), key=str) if want.get(key) != seen.get(key)]
    if what == "stats":
        off += [f"{tid}: {n} signals, {handled[tid]} handled" for tid, n in signals_of(path).items() if not 0 < n <= handled[tid]]
    print("\n".join(off[:20]) or f"{len(want)} are right")
    return bool(off) or not want


sys.exit(main())
