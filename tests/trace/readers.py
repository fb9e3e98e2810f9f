#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""readers.py EZTSH TRACE N: compares what the readers of a trace say of its calls, for N random filters, and the
sums over windows with those of the whole trace. Prints "ok - ..." and "not ok - ..." lines."""
import collections
import csv
import json
import random
import subprocess
import sys

eztsh, trace, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
FUNCTIONS = ("alpha", "beta", "gamma_", "nap", "leap")


def shell(*commands):
    words = [eztsh, "-nx", "-batch"]
    for c in commands:
        words += ["-ex", c]
    run = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    if run.returncode:
        raise SystemExit(f"{commands}: status {run.returncode}: {run.stderr}")
    return run.stdout


def documents(text):
    """The JSON objects of the text, one after another."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while (at := text.find("{", at)) >= 0:
        value, at = decoder.raw_decode(text, at)
        found.append(value)
    return found


def random_filter(rnd):
    some = lambda: rnd.choice(FUNCTIONS)
    possible = [
        lambda: f"-function ^{some()}$", lambda: f"-not {some()}", lambda: f"-caller {some()}",
        lambda: f"-callee {some()}", lambda: f"-depth {rnd.randint(1, 6)}", lambda: f"-min {rnd.randint(50, 3000)}ns",
        lambda: f"-max {rnd.randint(100, 20000)}ns", lambda: f"-where n>{rnd.randint(0, 9)}",
        lambda: "-where depth%2==0||$ret>100", lambda: "-no-pauses", lambda: f"-from {rnd.randint(1, 400)}us",
        lambda: f"-to {rnd.randint(500, 1500)}us", lambda: f"-thread {rnd.choice(threads)}",
    ]
    return " ".join(make() for make in rnd.sample(possible, rnd.randint(1, 3)))


def sums(rows, calls, time):
    got = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        got[r["function"]][0] += calls(r)
        got[r["function"]][1] += time(r)
    return {f: tuple(v) for f, v in got.items() if f != "[waiting for the trace]"}


def readers(options):
    """Calls and a time by function, as each reader has them."""
    text = shell(f"stats {trace} -json {options}", f"calltree {trace} -json {options}", f"replay {trace} -json {options}",
                 f"events 1000000 {trace} -json {options}", f"convert {trace} -t csv -o r.csv {options}",
                 f"convert {trace} -t chrome -o r.json {options}", f"convert {trace} -t folded -o r.folded {options}")
    stats, tree, replay, events = documents(text)[:4]
    for r in stats["rows"]:
        r["function"] = r["function"] or r.get("pause")
    with open("r.csv", newline="", encoding="utf-8") as f:
        table = list(csv.DictReader(f))
    with open("r.json", encoding="utf-8") as f:
        chrome = json.load(f)
    chrome = chrome["traceEvents"] if isinstance(chrome, dict) else chrome
    folded = collections.Counter()
    with open("r.folded", encoding="utf-8") as f:
        for line in f:
            path, _, ns = line.rstrip("\n").rpartition(" ")
            folded[path.split(";")[-1]] += int(ns)
    ended = [r for r in replay["rows"] if r["kind"] in ("call", "exit", "pause")]
    pauses = lambda r: r["function"].startswith("[")
    self_ns = {
        "stats": sums(stats["rows"], lambda r: r["calls"], lambda r: r["self_ns"]),
        "calltree": sums(tree["rows"], lambda r: r["calls"], lambda r: r["self_ns"] or 0),
        "csv": sums(table, lambda r: 1, lambda r: int(r["self_ns"])),
    }
    calls = {f: n for f, (n, _) in self_ns["stats"].items()}
    counts = {
        "replay": collections.Counter(r["function"] for r in ended if r["function"] != "[waiting for the trace]"),
        "chrome": collections.Counter(e["name"] for e in chrome
                                      if e.get("ph") in "BX" and e["name"] != "[waiting for the trace]"),
    }
    whole = {f: s["timed"] for s in stats["rows"] if not s["pause"] for f in [s["function"]]}
    counts["events"] = collections.Counter(r["function"] for r in events["rows"] if r["kind"] == "exit")
    leaf = {f: ns for f, (_, ns) in self_ns["stats"].items() if ns}
    problems = [name for name, got in self_ns.items() if got != self_ns["stats"]]
    problems += [name for name in ("replay", "chrome") if dict(counts[name]) != calls]
    problems += ["events"] if {f: n for f, n in whole.items() if n} != dict(counts["events"]) else []
    problems += ["folded"] if dict(folded) != leaf else []
    if problems:
        print({"stats": self_ns["stats"], "whole": whole, "folded": dict(folded), **{p: self_ns.get(p) or dict(counts.get(p, {}))
                                                                    for p in problems}}, file=sys.stderr)
    return problems, sum(calls.values()), any(pauses({"function": f}) for f in calls)


def windows(rnd, stats):
    """Cuts the trace at random times; returns the sums of self times and of begun calls over the windows."""
    end = stats["span_ns"]
    cuts = sorted(rnd.sample(range(1, end), 6))
    edges = list(zip([0] + cuts, cuts + [end]))
    parts = documents(shell(*[f"stats {trace} -json -from {a}ns -to {b}ns" for a, b in edges]))
    total = collections.Counter()
    for part in parts:
        for r in part["rows"]:
            total[r["function"] or r["pause"]] += r["self_ns"]
    return total


threads = [r["thread"].split()[-1] for r in documents(shell(f"stats {trace} -by thread -json"))[0]["rows"] if r["thread"]]
threads = sorted(set(threads))
rnd = random.Random(4711)
used = shown = paused = 0
for i in range(rounds):
    options = random_filter(rnd) if i else ""
    problems, calls, pauses = readers(options)
    used += calls > 0
    paused += pauses
    name = f"readers agree: {options or 'everything'} ({calls} calls)"
    print(f"not ok - {name}: {', '.join(problems)}" if problems else f"ok - {name}")
print("ok - most filters show calls, some with pauses" if used > rounds / 2 and paused > 3 else
      f"not ok - {used} of {rounds} filters show calls, {paused} pauses")
whole = documents(shell(f"stats {trace} -json"))[0]
self_of = {r["function"] or r["pause"]: r["self_ns"] for r in whole["rows"]}
for i in range(3):
    total = windows(rnd, whole)
    good = {f: n for f, n in self_of.items() if n} == {f: n for f, n in total.items() if n}
    print("ok - the windows add up to the whole" if good else f"not ok - windows: {dict(total)}, whole {self_of}")
