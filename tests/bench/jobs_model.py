#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jobs_model.py - how the tree of daemons grows beyond this machine: a discrete model with constants measured here.

  jobs_model.py PROGRAM MPI [PICTURE.svg]

PROGRAM is jobs_tree.c, run by jobs_front.py's start() and run(). A node does one piece of work at a time, in the order in
which pieces become ready, and needs a processor for it; pieces are

  hop    a message received, looked at, and passed on
  value  a row of an answer of a task, taken into the node's sums
  merge  a row of an answer of a child, taken into them

`hop` and the front end's own share are measured with two daemons, `value` with one, `merge` with nine; what the model says of a
window under CHECK daemons, other sizes, is compared with what they measure: a difference of more than 25 % is a failure. Here
daemons share processors, and what that costs is the scheduler's, not the tree's: a command without data takes from 0.1 ms
(2 daemons) to 30 ms (64, MPICH), by no rule that a model could have. So that part is measured at each size, and the model
adds the work. For 1,024 daemons it is run with a processor for each, and with the pauses that a daemon makes between two looks
for messages (tree_mpi.c): the longest on the way down, as after a time without commands, the short ones on the way up."""
import collections
import heapq
import os
import statistics
import sys

import jobs_front

FANOUT, REPEATS, WARM, TASKS, ROWS = 8, 30, 6, 4, 100
FIT, CHECK = (1, 2, 9), (2, 4, 8, 16, 24, 32, 64)
IDLE_MS, PAUSE_MS = 1.5, .1  # as in tree_mpi.c (REST_NS, PAUSE_NS)
DAEMONS = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
HOST = 64                           # tasks and processors of a host: 65,536 tasks for 1,024 daemons
PROBE_MS, FIRST_PROBE_MS = 1, 8      # what a driver works for a probe: doc/SCALE.md, "Bounds"
STATS_ROWS = 1000                   # functions


class Tree:
    """One command down the tree, and the merged answer of all up again. `processors` 0: each daemon has its own."""

    def __init__(self, cost, daemons, processors, tasks=0, rows=0, task_ms=0):
        self.c, self.n = cost, daemons
        self.idle = processors or daemons
        self.down, self.up = (0, 0) if processors else (IDLE_MS, PAUSE_MS)
        self.tasks, self.rows, self.task_ms = tasks, rows, task_ms
        self.events, self.order = [], 0
        self.busy = [False] * daemons
        self.waiting = collections.deque()
        self.missing = [len(self.children(i)) + 1 for i in range(daemons)]

    def children(self, node):
        return range(node * FANOUT + 1, min(node * FANOUT + FANOUT + 1, self.n))

    def at(self, when, what, *args):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, what, args))

    def work(self, now, node, ms, then):
        self.waiting.append((node, ms, then))
        self.dispatch(now)

    def dispatch(self, now):
        for _ in range(len(self.waiting)):
            node, ms, then = piece = self.waiting.popleft()
            if self.busy[node] or not self.idle:
                self.waiting.append(piece)
                continue
            self.idle -= 1
            self.busy[node] = True
            self.at(now + ms, self.done, node, then)

    def done(self, now, node, then):
        self.idle += 1
        self.busy[node] = False
        then(now, node)
        self.dispatch(now)

    def command(self, now, node):
        for child in self.children(node):
            self.at(now + self.down, self.work, child, self.c["hop"], self.command)
        own = self.tasks * self.rows * self.c["value"]
        self.at(now + self.task_ms, self.work, node, own, self.merged)

    def merged(self, now, node):
        self.missing[node] -= 1
        if self.missing[node]:
            return
        if not node:
            self.end = now
            return
        ms = self.c["hop"] + self.rows * self.c["merge"]
        self.at(now + self.up, self.work, (node - 1) // FANOUT, ms, self.merged)

    def run(self):
        self.work(0, 0, 0, self.command)
        while self.events:
            now, _, what, args = heapq.heappop(self.events)
            what(now, *args)
        return self.end


def here(cost, m, n):
    """A window, where the command alone takes what was measured."""
    return m[n, "ping"] + Tree(dict(cost, hop=0), n, os.cpu_count(), TASKS, ROWS).run()


def measured(program, mpi):
    """Medians, ms, by the number of daemons and the mode."""
    out = {}
    for n in sorted({*FIT, *CHECK}):
        p = jobs_front.start(program, mpi, n, TASKS, FANOUT)
        for mode, m in ("ping", 1), ("vector", ROWS):
            times = [sum(jobs_front.run(p, mode, m, n * TASKS)[:2]) for _ in range(WARM + REPEATS)]
            out[n, mode] = statistics.median(times[WARM:])
        jobs_front.end(p)
    return out


def solve(cost, name, m, n):
    """The value of one constant with which the model says what a window was measured to take."""
    low, high = 0, m[n, "vector"]
    for _ in range(30):
        cost[name] = (low + high) / 2
        low, high = (low, cost[name]) if here(cost, m, n) > m[n, "vector"] else (cost[name], high)


def fit(m):
    cost = dict(front=m[1, "ping"], hop=max(0, m[2, "ping"] - m[1, "ping"]) / 2, value=0, merge=0)
    solve(cost, "value", m, 1)
    solve(cost, "merge", m, 9)
    return cost


def far(cost, n):
    """ms: a first probe, another one, a window of ROWS values, statistics of STATS_ROWS functions."""
    def one(**k):
        return Tree(cost, n, 0, HOST, **k).run() + cost["front"]
    return one(rows=1, task_ms=FIRST_PROBE_MS), one(rows=1, task_ms=PROBE_MS), one(rows=ROWS), one(rows=STATS_ROWS)


def picture(path, curves):
    """A curve for each name over DAEMONS; both axes are logarithmic."""
    import math
    top = math.ceil(math.log10(max(max(v) for v in curves.values())))
    low = math.floor(math.log10(min(min(v) for v in curves.values())))

    def x(n):
        return 70 + 460 * math.log2(n / DAEMONS[0]) / math.log2(DAEMONS[-1] / DAEMONS[0])

    def y(ms):
        return 300 - 270 * (math.log10(ms) - low) / (top - low)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="760" height="350" font-family="sans-serif" font-size="12">',
           '<rect width="760" height="350" fill="white"/>',
           '<text x="300" y="342" text-anchor="middle">daemons, %d tasks each</text>' % HOST]
    for n in DAEMONS:
        out.append('<text x="%.0f" y="320" text-anchor="middle">%d</text>' % (x(n), n))
    for e in range(low, top + 1):
        out.append('<path d="M70 %.0fH530" stroke="#ddd"/><text x="62" y="%.0f" text-anchor="end">%g ms</text>'
                   % (y(10**e), y(10**e) + 4, 10**e))
    for (name, v), colour in zip(curves.items(), ("#1f77b4", "#2ca02c", "#ff7f0e", "#d62728")):
        points = " ".join("%.0f,%.0f" % (x(n), y(ms)) for n, ms in zip(DAEMONS, v))
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (points, colour))
        out.append('<text x="538" y="%.0f" fill="%s">%s</text>' % (y(v[-1]) + 4, colour, name))
    with open(path, "w") as f:
        f.write("\n".join(out + ["</svg>"]) + "\n")


def main(program, mpi, path=None):
    m = measured(program, mpi)
    cost = fit(m)
    print("== a model of the tree: %s\n   %s\n   a window of %d values of %d tasks each, ms:" % (
        mpi, ", ".join("%s %.4f ms" % i for i in cost.items()), ROWS, TASKS))
    failed = 0
    for n in CHECK:
        says, was = here(cost, m, n), m[n, "vector"]
        off = says / was - 1
        failed += abs(off) > .25
        print("   %s: %2d daemons: measured %6.2f, the model %6.2f (%+.0f %%); the command alone %6.2f" % (
            "agrees" if abs(off) <= .25 else "DIFFERS", n, was, says, off * 100, m[n, "ping"]))
    names = ["a first probe", "another probe", "a window of %d values" % ROWS, "statistics of %d functions" % STATS_ROWS]
    curves = dict(zip(names, zip(*(far(cost, n) for n in DAEMONS))))
    print("   %-28s" % "a host each, ms; daemons:" + "".join("%8d" % n for n in DAEMONS))
    for name, v in curves.items():
        print("   %-28s" % name + "".join("%8.1f" % ms for ms in v))
    if path:
        picture(path, curves)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
