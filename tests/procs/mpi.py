#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mpi.py STATS.json MESSAGES.json TOLD...: what the trace has of MPI is what the ranks say of themselves.

TOLD: the files of the ranks, with lines "call NAME N", "message FROM TO MESSAGES BYTES" and "unsent N"
(sends that failed have one end)."""
import collections
import json
import sys

stats, messages = (json.load(open(name)) for name in sys.argv[1:3])
calls, pairs, unsent = collections.Counter(), {}, 0
for name in sys.argv[3:]:
    for line in open(name):
        word = line.split()
        if word[0] == "call":
            calls[word[1]] += int(word[2])
        if word[0] == "message":
            pairs[int(word[1]), int(word[2])] = int(word[3]), int(word[4])
        if word[0] == "unsent":
            unsent += int(word[1])
calls = {name: n for name, n in calls.items() if n}
traced = {r["function"]: r["calls"] for r in stats["rows"] if r["library"] == "mpi"}
matched = {(m["from_rank"], m["to_rank"]): (m["messages"], m["bytes"]) for m in messages["messages"]}
bad = 0


def same(what, want, got):
    global bad
    for key in sorted(set(want) | set(got)):
        if want.get(key) != got.get(key):
            print(what, key, "want", want.get(key), "got", got.get(key))
            bad = 1


same("calls of", calls, traced)
same("messages", pairs, matched)
same("left", {"unpaired_links": unsent, "unsure_links": 0, "late_processes": 0, "twin_processes": 0, "cut": 0},
     {**{k: messages[k] for k in ("unpaired_links", "unsure_links", "late_processes", "twin_processes")},
      "cut": sum(r["cut"] for r in stats["rows"] if r["library"] == "mpi")})
if not calls:
    print("no calls")
    bad = 1
sys.exit(bad)
