#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jobs_bench.py - what commands of a job cost, with 8 daemons on one machine: `make bench-jobs`. Prints; asserts nothing.

  jobs_bench.py EZTSH APP MPI-LAUNCHER [OPTIONS]

APP is jobs_app.c. The session is the machine interface, so no time of a terminal is in the figures."""
import glob
import json
import os
import statistics
import subprocess
import sys
import time

eztsh, app, launcher = sys.argv[1:4]
options = " ".join(sys.argv[4:])
ticks = os.sysconf("SC_CLK_TCK")


class Session:
    def __init__(self):
        self.p = subprocess.Popen([eztsh, "-nx", "-q", "--interpreter=json"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.n = 0

    def ask(self, command, may_fail=False):
        """Milliseconds; a command that fails ends all."""
        self.n += 1
        begin = time.perf_counter()
        self.p.stdin.write(json.dumps({"id": self.n, "command": command}) + "\n")
        while True:
            line = self.p.stdout.readline()
            if not line:
                sys.exit("%s: the shell ended" % command)
            o = json.loads(line)
            if o.get("id") == self.n:
                if not o["ok"] and not may_fail:
                    sys.exit("%s: %s" % (command, o))
                return (time.perf_counter() - begin) * 1e3

    def end(self):
        self.ask("job kill", True)  # the launcher may be first to kill them
        self.p.stdin.close()
        self.p.wait()


def below(pid):
    """All processes that pid has started, and those have."""
    parents = {}
    for f in glob.glob("/proc/[0-9]*/stat"):
        try:
            text = open(f).read()
        except OSError:
            continue
        parents.setdefault(int(text[text.rindex(")") + 1:].split()[1]), []).append(int(text.split()[0]))
    todo, found = [pid], []
    while todo:
        more = parents.get(todo.pop(), [])
        found += more
        todo += more
    return found


def used(pids, names):
    """Seconds of processor time by kind of process: {name: (seconds, processes)}."""
    sums = {}
    for pid in pids:
        try:
            line = open("/proc/%d/cmdline" % pid).read().replace("\0", " ")
            text = open("/proc/%d/stat" % pid).read()
        except OSError:
            continue
        fields = text[text.rindex(")") + 1:].split()
        for name, word in names.items():
            if word in line.split(" ")[0] or word in line and word.startswith("--"):
                s, n = sums.get(name, (0, 0))
                sums[name] = s + (int(fields[11]) + int(fields[12])) / ticks, n + 1
    return sums


def told(what, v, bound):
    print("%-44s median %8.2f ms (bound %s), %.2f to %.2f" % (what, statistics.median(v), bound, min(v), max(v)), flush=True)


def series(s, command, n, pause=0):
    v = []
    for _ in range(n):
        time.sleep(pause)
        v.append(s.ask(command))
    return v


def idle(s, label, seconds):
    names = {"daemon": "eztsh-daemon-", "driver": "--interpreter=json", "target": os.path.basename(app)}
    pids = below(s.p.pid)
    a = used(pids, names)
    time.sleep(seconds)
    b = used(pids, names)
    for name, (t, n) in sorted(b.items()):
        print("%-44s %.2f %% of a core each, %d of them" % (label + ": a " + name, (t - a[name][0]) / seconds / n * 100, n), flush=True)


def main():
    seconds = int(os.environ.get("SECONDS_IDLE", "20"))
    s = Session()
    s.ask("job run -launcher %s -daemons 8 -np 8 %s %s" % (launcher, options, app))
    told("round trip, one after the other", series(s, "print 1", 50), 5)
    told("round trip, from idle", series(s, "print 1", 9, 1), 5)
    s.end()
    s = Session()
    s.ask("job run -launcher %s -daemons 8 -np 64 %s %s" % (launcher, options, app))
    told("a probe on 64 ranks, the first", [s.ask("probe f00")], 150)
    told("a probe on 64 ranks, others", [s.ask("probe f%02d" % i) for i in range(1, 4)], 150)
    s.ask("continue &")
    time.sleep(1)
    idle(s, "64 ranks, no aggregates", seconds)
    for i in range(100):
        s.ask("aggregate f%02d by sum of n -every 1s" % i)
    idle(s, "64 ranks, 100 values a second", seconds)
    s.end()


main()
