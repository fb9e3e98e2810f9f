#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""modules.py TRACE.json MODULE: what a module told, of a trace as Trace Event JSON.

Lines `event NAME N`, `state NAME N` (entered; `state NAME of TID N`), `open NAME N` (states at the end), `var NAME LAST
LEAST` (the least is 0 if it was never below), `set NAME N` (how often, in all threads), `args NAME FIRST-ARGUMENT N` for events,
`link NAME N` for those that have an end (`link NAME to itself N`: in the thread where they began), `links without an end N`."""
import collections
import json
import sys

rows = json.load(open(sys.argv[1]))["traceEvents"]
count = collections.Counter()
last, least, link = {}, {}, {}
stack = collections.defaultdict(list)
for r in rows:
    name, place = r["name"], (r["pid"], r["tid"])
    if r["ph"] == "C":
        last[name] = r["args"]["value"]
        count["set " + name.split(" [")[0]] += 1
        least[name] = min(least.get(name, 0), last[name])
        continue
    if r["ph"] == "E":
        stack[place].pop()
    if r["ph"] == "s":
        link[r["id"]] = place
        continue
    if r["ph"] == "f":
        count["link " + name] += 1
        count["link %s to itself" % name] += link.pop(r["id"]) == place
        continue
    if r.get("cat") != sys.argv[2]:
        if r["ph"] == "B":
            stack[place].append(None)
        continue
    if r["ph"] == "B":
        stack[place].append(name)
    if r["ph"] in "BX":
        count["state " + name] += 1
        count["state %s of %s" % (name, r["tid"])] += 1
    if r["ph"] == "i":
        count["event " + name] += 1
        count["args %s %s" % (name, next(iter(r.get("args", {}).values()), ""))] += 1
for names in stack.values():
    for name in filter(None, names):
        count["open " + name] += 1
for name, value in last.items():
    print("var", name, "%.17g" % value, "%.17g" % least[name])
for name in sorted(count):
    print(name, count[name])
print("links without an end", len(link))
