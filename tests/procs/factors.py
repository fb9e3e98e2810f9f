# SPDX-License-Identifier: GPL-3.0-or-later
"""factors.py - what `analyze` says of a run with MPI, computed anew from a table of its calls.

factors.py CALLS.csv ANALYSIS.json

The run begins when the first rank returns from MPI_Init, and ends when the last one calls MPI_Finalize. What a rank
does outside of MPI is its work: POP's factors follow from that. The times of each rank add up to the run. Exits with 1
if a number differs.
"""
import csv, json, sys

calls = {} # thread -> its calls of MPI: (begin, end)
begun, stop = [], {}
for r in csv.DictReader(open(sys.argv[1])):
    if r["library"] != "mpi" or not r["duration_ns"]:
        continue
    start, end = int(r["start_ns"]), int(r["start_ns"]) + int(r["duration_ns"])
    calls.setdefault(r["thread"], []).append((start, end))
    if r["function"] in ("MPI_Init", "MPI_Init_thread"):
        begun.append(end)
    elif r["function"] == "MPI_Finalize":
        stop[r["thread"]] = start
begin, last = min(begun), max(stop.values())


def inside(spans, low, high):
    """How much of [low, high) the spans cover, nested ones once."""
    covered = 0
    for start, end in sorted(spans):
        start, end = max(start, low), min(end, high)
        if end > start:
            covered += end - start
            low = end
    return covered


work = [stop[t] - begin - inside(calls[t], begin, stop[t]) for t in stop]
mean, most, span = sum(work) / len(work), max(work), last - begin
d = json.load(open(sys.argv[2]))
e, wrong = d["efficiency"], []
for name, want in (("mpi", mean / span), ("load_balance", mean / most), ("communication", most / span)):
    if abs(e[name] - want) > 1e-4:
        wrong.append(f"{name} is {e[name]}, not {want}")
if abs(e["communication"] - e["serialisation"] * e["transfer"]) > 1e-9:
    wrong.append(f"serialisation and transfer: {e}")
for t in d["threads"]:
    whole = sum(t[k] for k in ("useful_ns", "wait_ns", "mpi_ns", "runtime_ns", "eztsh_ns", "absent_ns"))
    if whole != d["to_ns"] - d["from_ns"]:
        wrong.append(f"{t['thread']}: {whole} of {d['to_ns'] - d['from_ns']} ns")
if d["ranks"] != len(stop) or d["events_lost"]:
    wrong.append(f"{d['ranks']} ranks, not {len(stop)}; events lost: {d['events_lost']}")
print("\n".join(wrong))
sys.exit(bool(wrong))
