#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jobs_front.py - the front end of jobs_tree.c: what data costs on its way up the tree of daemons.

  jobs_front.py PROGRAM MPI DAEMONS TASKS FANOUT REPEATS MODE:M...

MPI: openmpi or mpich; TASKS: of each daemon. Prints, for each MODE:M, a line
  MPI DAEMONS TASKS FANOUT MODE M LATENCY-ms RECEIVE-ms MESSAGES
that are medians: the time from the command to the first message, from there to the last one, and how many
messages came to the front end. All values are added up and compared with what they must be."""
import json
import os
import re
import statistics
import subprocess
import sys
import time


def start(program, mpi, daemons, tasks, fanout):
    env = dict(os.environ, EZ_TASKS=str(tasks), EZT_JOB_FANOUT=str(fanout), OMPI_ALLOW_RUN_AS_ROOT="1",
               OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl_vader_single_copy_mechanism="none",
               OMPI_MCA_mpi_yield_when_idle="1")
    words = ["mpirun.openmpi", "--oversubscribe"] if mpi == "openmpi" else ["mpiexec.mpich"]
    p = subprocess.Popen(words + ["-np", str(daemons), program], env=env, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    ready = json.loads(p.stdout.readline())["ready"]
    assert ready == daemons, (ready, daemons)
    return p


def members(text):
    return sum(int(b or a) - int(a) + 1 for a, b in re.findall(r"(\d+)(?:-(\d+))?", text))


def value(reply, mode):
    """How many values a message has, and their sum."""
    if mode in ("raw", "batch"):
        groups = [(members(g["ranks"]), int(g["answer"]["text"])) for g in reply["groups"]]
        return sum(n for n, _ in groups), sum(n * v for n, v in groups)
    rows = [r for s in reply.get("sums", []) for r in s["rows"]]
    return sum(r["hits"] for r in rows), sum(r["sum"] for r in rows)


def run(p, mode, m, all_tasks):
    want = all_tasks * m
    begin = time.perf_counter()
    p.stdin.write(json.dumps({"do": "send", "mode": mode, "m": m}).encode() + b"\n")
    p.stdin.flush()
    n = total = messages = 0
    first = None
    while n < want:
        reply = json.loads(p.stdout.readline())
        first = first or time.perf_counter()
        messages += 1
        if mode == "ping":
            return (first - begin) * 1e3, 0, 1
        k, s = value(reply, mode)
        n += k
        total += s
    end = time.perf_counter()
    if n != want or total != all_tasks * m * (m - 1) // 2:
        sys.exit("%s: %d values of %d, their sum is %d" % (mode, n, want, total))
    return (first - begin) * 1e3, (end - first) * 1e3, messages


def end(p):
    p.stdin.close()
    try:
        p.wait(20)
    except subprocess.TimeoutExpired:
        p.terminate()
        p.wait()


def main(program, mpi, daemons, tasks, fanout, repeats, *what):
    p = start(program, mpi, int(daemons), int(tasks), int(fanout))
    for w in what:
        mode, m = w.split(":")
        v = [run(p, mode, int(m), int(daemons) * int(tasks)) for _ in range(int(repeats))]
        print(mpi, daemons, tasks, fanout, mode, m, "%.3f %.3f" % tuple(statistics.median(x[i] for x in v) for i in (0, 1)),
              v[0][2], flush=True)
    end(p)


if __name__ == "__main__":
    main(*sys.argv[1:])
