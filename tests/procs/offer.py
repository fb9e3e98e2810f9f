# SPDX-License-Identifier: GPL-3.0-or-later
"""offer.py EZTSH TARGETS: a driver of process trees, an eztsh for each process (`set follow-fork-mode offer`).

The target is p_tree, each of whose processes says how often it called `leaf`: the shell that had that
process must have counted as much, whatever way the process was born. Prints a line for each case."""
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time

eztsh, targets = sys.argv[1:3]
TREE = targets + "/p_tree"
LIMIT = 120  # of anything, on a busy machine


def check(name, good, *why):
    print(("ok - " if good else "not ok - ") + name, *(why if not good else ()), flush=True)


def until(what, limit=LIMIT):
    end = time.time() + limit
    while not what() and time.time() < end:
        time.sleep(0.005)
    return what()


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def status(pid, field):
    with open(f"/proc/{pid}/status") as f:
        return re.search(rf"^{field}:\s*(\S+)", f.read(), re.M).group(1)


def text_differs(pid):
    """How many bytes of the program's and its libraries' code are not those of their files."""
    n = 0
    with open(f"/proc/{pid}/mem", "rb", 0) as mem, open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            f = line.split(None, 5)
            if "x" not in f[1] or len(f) < 6 or f[5][0] != "/" or "memfd:" in f[5]:
                continue
            lo, hi = (int(v, 16) for v in f[0].split("-"))
            mem.seek(lo)
            live = mem.read(hi - lo)
            with open(f[5].strip(), "rb") as disk:
                disk.seek(int(f[2], 16))
                want = disk.read(hi - lo)
            n += sum(a != b for a, b in zip(live, want)) if live[:len(want)] != want else 0
    return n


class Driver:
    """One eztsh. What it tells is read by a thread of its own."""

    def __init__(self, tree, *args, env=None):
        self.tree, self.events, self.n, self.pid, self.end = tree, [], 0, None, None
        self.answers, self.over, self.ready = queue.Queue(), threading.Event(), threading.Event()
        self.p = subprocess.Popen([eztsh, "-nx", "--interpreter=json", *args], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=tree.out, env=env)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.p.stdout:
            o = json.loads(line)
            if "event" not in o:
                self.answers.put(o)
                continue
            self.events.append(o)
            if o["event"] == "ready":
                self.ready.set()
            if o["event"] == "forked":
                self.tree.forked(o)
            if o["event"] in ("exited", "killed", "gone"):
                self.end = o
                self.over.set()
        self.answers.put(None)
        self.over.set()
        self.ready.set()

    def ask(self, command, may_fail=False):
        self.n += 1
        self.p.stdin.write(json.dumps({"id": self.n, "command": command}).encode() + b"\n")
        self.p.stdin.flush()
        got = self.answers.get(timeout=LIMIT)
        if got is None:
            raise EOFError(f"eztsh ended at {command}")
        if not got["ok"] and not may_fail:
            raise RuntimeError(f"{command}: {got}")
        return got

    def named(self, name):
        return [e for e in self.events if e["event"] == name]

    def calls(self, function="leaf"):
        rows = self.ask("info probes -json")["result"]["rows"]
        return max((r["calls"] for r in rows if r["function"] == function and r["kind"] != "exit"), default=0)

    def close(self):
        self.p.stdin.close()
        return self.p.wait(LIMIT)


class Tree:
    """A program, and an eztsh for each of its processes."""

    def __init__(self, probes=("probe -count leaf",), settings=(), takes=True, timeout=LIMIT):
        self.probes, self.takes, self.drivers, self.threads = probes, takes, [], []
        self.offers, self.wrong, self.lock = [], [], threading.Lock()
        self.settings = ["set follow-fork-mode offer", f"set offer-timeout {timeout}", *settings]
        self.said = "said"
        self.out = open(self.said, "wb+")

    def prepare(self, d, commands):
        d.ready.wait(LIMIT)
        for c in [*self.settings, *commands]:
            d.ask(c)

    def start(self, *args):
        d = Driver(self, "--args", TREE, *args)
        self.drivers.append(d)
        self.prepare(d, [*self.probes, "start"])
        d.pid = int(d.ask("info proc -json")["result"]["pid"])
        d.ask("continue &")
        return d

    def forked(self, event):
        with self.lock:
            self.offers.append(event)
        if self.takes:
            t = threading.Thread(target=self.take, args=(event["child"],))
            with self.lock:
                self.threads.append(t)
                t.start()

    def take(self, pid):
        try:
            d = Driver(self)
            self.prepare(d, [f"attach {pid} -held", *self.probes])
            d.pid = pid
            with self.lock:
                self.drivers.append(d)
            d.ask("continue &")
        except Exception as e:
            self.wrong.append(f"{pid}: {e!r}")

    def wait(self):
        """Until all processes that are held by a shell have ended."""
        end = time.time() + LIMIT
        while time.time() < end:
            with self.lock:
                seen = list(self.threads), list(self.drivers)
            for t in seen[0]:
                t.join(max(0, end - time.time()))
            for d in seen[1]:
                d.over.wait(max(0, end - time.time()))
            with self.lock:
                if seen == (self.threads, self.drivers):
                    return

    def lines(self):
        """What processes said of themselves: pid -> (parent, name, calls, verdict)."""
        with open(self.said) as f:
            found = re.findall(r"^(\d+) (\d+) (\w+) (\d+) (right|WRONG)$", f.read(), re.M)
        return {int(p): (int(q), name, int(n), verdict) for p, q, name, n, verdict in found}

    def close(self):
        for d in self.drivers:
            d.close()
        self.out.close()


def whole(name, how, children, calls, lines, offers, probes=("probe -count leaf",), settings=()):
    """The whole tree: `lines` processes say how often they called leaf, `offers` were offered."""
    t = Tree(probes, settings)
    t.start(how, str(children), str(calls))
    t.wait()
    said = t.lines()
    notes = [e for d in t.drivers for e in d.named("note")]
    check(f"{name}: nothing fails", not t.wrong, t.wrong)
    check(f"{name}: every process is right", len(said) == lines and all(v[3] == "right" for v in said.values()), said)
    check(f"{name}: each child is offered", len(t.offers) == offers, t.offers, notes)
    parents = {e["child"]: e["parent"] for e in t.offers if how != "daemon" or e["parent"] in said}
    check(f"{name}: by its parent", all(said[c][0] == p for c, p in parents.items() if c in said), parents, said)
    counts = {d.pid: d.calls() for d in t.drivers}
    check(f"{name}: counts are exact", all(counts[p] == v[2] for p, v in said.items() if p in counts) and
          sum(counts.values()) == sum(v[2] for v in said.values()), counts, said)
    ends = [d.end and (d.end["event"], d.end.get("status")) for d in t.drivers]
    check(f"{name}: each ends with its status", ends == [("exited", 0)] * len(ends), ends)
    ways = {e["how"] for e in t.offers}
    t.close()
    return ways


# ---- fault 85: trees, whole -----------------------------------------------------------------------
check("85 fork: how", whole("85 fork, 8 children", "fork", 8, 1000, 9, 8) == {"fork"})
whole("85 fork in a probed function", "inside", 5, 100, 6, 5, ("probe -count leaf", "probe brood", "probe exit brood"))
whole("85 forks of threads", "threads", 8, 100, 9, 8)
whole("85 children that fork", "chain", 6, 100, 7, 6)
check("85 fork, then exec: how", whole("85 fork, then exec", "execs", 4, 100, 5, 4) == {"fork"})
check("85 vfork: how", whole("85 vfork, then exec", "vfork", 6, 100, 7, 6) == {"vfork"})
whole("85 posix_spawn", "spawn", 4, 100, 5, 4)
whole("85 posix_spawn of threads", "spawns", 8, 100, 9, 8)
whole("85 children in the parent's memory", "clonevm", 4, 100, 5, 4)
whole("85 children that end at once", "quick", 8, 10, 1, 8)
whole("85 vfork without exec", "mute", 4, 10, 1, 0)
whole("85 a daemon", "daemon", 3, 100, 4, 4)
for how in ("island", "pun", "trap"):
    whole(f"85 fork, {how} probes on all", "fork", 3, 100, 4, 3, (f"set strategy {how}", "probe -count -r .",
                                                              *(["set strategy auto", "probe -count leaf"] if how == "pun" else [])))
whole("85 recorded hits", "fork", 4, 100, 5, 4, ("probe leaf",))
whole("85 vfork, a rule", "vfork", 3, 100, 4, 3, ("probe -count -r ^leaf$",))
whole("85 64 children at once", "fork", 64, 100, 65, 64)

# ---- fault 86: nobody comes, or somebody goes -------------------------------------------------------
HELD = 8 # seconds, in which all is looked at
t = Tree(takes=False, timeout=HELD)
d = t.start("fork", "3", "100")
began = time.time()
check("86 nobody comes: they are told of", until(lambda: len(t.offers) == 3), t.offers)
held = [e["child"] for e in t.offers]
check("86 nobody comes: nobody traces them", all(status(p, "TracerPid") == "0" for p in held))
check("86 nobody comes: they sleep", until(lambda: all(status(p, "State") == "S" for p in held), HELD / 2))
check("86 nobody comes: their text is the files'", not any(text_differs(p) for p in held))
t.wait()
said = t.lines()
check("86 no shell comes: the children go on", len(said) == 4 and all(v[3] == "right" for v in said.values()), said)
check("86 nobody comes: after the time", HELD - 0.1 < time.time() - began < LIMIT, time.time() - began)
check("86 nobody comes: the parent's count is its own", d.calls() == 100)
t.close()

# LIMIT is the offer's time, too: who waits for its end is too late.
for how in ("fork", "vfork", "spawn"):
    t = Tree(takes=False)
    d = t.start(how, "2", "100")
    check(f"the offering shell detaches, {how}: two are held", until(lambda: len(t.offers) == 2), t.offers)
    o = Driver(t)
    o.ready.wait(LIMIT)
    o.ask(f"attach {t.offers[0]['child']} -held")
    check(f"the offering shell detaches, {how}: it does", d.ask("detach")["ok"])
    check(f"the offering shell detaches, {how}: sleeping children go on", until(lambda: t.offers[1]["child"] in t.lines(), LIMIT / 2), t.lines())
    check(f"the offering shell detaches, {how}: who was taken stays", o.ask("info threads -json")["ok"] and
          status(t.offers[0]["child"], "TracerPid") == str(o.p.pid))
    o.ask("detach")
    check(f"the offering shell detaches, {how}: all are right", until(lambda: len(t.lines()) == 3, LIMIT / 2) and
          all(v[3] == "right" for v in t.lines().values()), t.lines())
    o.close()
    t.close()

for how in ("fork", "vfork"):
    t = Tree(takes=False)
    d = t.start(how, "2", "100")
    until(lambda: len(t.offers) == 2)
    d.p.kill()
    d.p.wait()
    for e in t.offers:
        o = Driver(t)
        o.ready.wait(LIMIT)
        o.ask(f"attach {e['child']} -held")
        check(f"86 the offering shell dies, {how}: the child can be taken", o.ask("info threads -json")["ok"])
        left = o.ask("info textdiff -json")["result"]
        check(f"86 the offering shell dies, {how}: no byte of ours is left", left["foreign_bytes"] == 0 and
              (how == "vfork" or not text_differs(e["child"])), left)
        o.ask("detach")
        o.close()
    check(f"86 the offering shell dies, {how}: all go on", until(lambda: len(t.lines()) == 3 and
          all(v[3] == "right" for v in t.lines().values())), t.lines())
    t.out.close()

for moment in ([], ["probe -count leaf"], ["probe -count leaf", "continue &"]):
    for how in ("fork", "vfork"):
        name = f"86 the new shell dies after {(['attach'] + moment)[-1]}, {how}"
        t = Tree(takes=False)
        d = t.start(how, "1", "100")
        until(lambda: t.offers)
        o = Driver(t)
        o.ready.wait(LIMIT)
        for c in [f"attach {t.offers[0]['child']} -held", *moment]:
            o.ask(c)
        o.p.kill()
        t.wait()
        check(f"{name}: the child goes on at once", until(lambda: len(t.lines()) == 2) and
              all(v[3] == "right" for v in t.lines().values()), t.lines())
        o.p.wait()
        t.close()

# ---- the new shell finds the process as it was ------------------------------------------------------------
t = Tree(takes=False)
d = t.start("fork", "2", "100")
until(lambda: len(t.offers) == 2)
one, two = (e["child"] for e in t.offers)
o = Driver(t)
o.ready.wait(LIMIT)
got = o.ask(f"attach {one}")
check("plain attach: it is woken, too", any("was held" in e.get("text", "") for e in o.named("note")), o.events)
where = o.ask("backtrace -json")["result"]["rows"]
check("it stands in fork", any("fork" in (r["function"] or "") for r in where) and
      any(r["function"] == "main" for r in where), where)
check("it runs at once after detach", o.ask("detach")["ok"] and until(lambda: one in t.lines(), 10), t.lines())
got = o.ask(f"attach {two} -held")
check("attach -held: no word of that", sum("was held" in e.get("text", "") for e in o.named("note")) == 1)
o.ask("detach")
t.wait()
check("all are right", len(t.lines()) == 3 and all(v[3] == "right" for v in t.lines().values()), t.lines())
o.close()
t.close()

t = Tree(takes=False)
d = t.start("vfork", "1", "100")
until(lambda: t.offers)
o = Driver(t)
o.ready.wait(LIMIT)
o.ask(f"attach {t.offers[0]['child']} -held")
libs = o.ask("info sharedlibrary -json")["result"]["rows"]
check("held at its exec: before its libraries", not any("libc.so" in r["path"] for r in libs), libs)
o.ask("probe -count leaf")
o.ask("probe -count libc.so.6:write")
check("held at its exec: probes wait", all(r["state"] == "pending" for r in o.ask("info probes -json")["result"]["rows"]),
      o.ask("info probes"))
o.ask("continue &")
t.wait()
o.over.wait(LIMIT)
check("held at its exec: planted in time", (o.calls("leaf"), o.calls("write")) == (101, 1), o.ask("info probes"))
o.close()
t.close()

# ---- text changes while a child lives in it, and will be offered ---------------------------------------------
t = Tree()
d = t.start("linger", "2", "100")
until(lambda: len(open(f"/proc/{d.pid}/task/{d.pid}/children").read().split()) == 2)
d.ask("interrupt")
got = d.ask("delete", may_fail=True)
check("85 a probe is removed under children in the same memory", got["ok"], got)
check("85 no jump of it stays", d.ask("info probes -json")["result"]["rows"] == [])
d.ask("continue &")
t.wait()
said = t.lines()
check("85 then they are offered", len(t.offers) == 2 and len(said) == 3 and all(v[3] == "right" for v in said.values()),
      t.offers, said)
check("85 then counts are exact", [x.calls() for x in t.drivers[1:]] == [101, 101], t.wrong)
t.close()

# ---- fault 87: a filter of system calls ----------------------------------------------------------------------------------
t = Tree()
d = t.start("filtered", "2", "100")
t.wait()
said = t.lines()
check("87 seccomp: children are let go", not t.offers and len(said) == 3 and
      all(v[3] == "right" for v in said.values()), t.offers, said)
check("87 seccomp: a note says so", sum("is not held: " in e["text"] for e in d.named("note")) == 2, d.events)
check("87 seccomp: the parent's count is exact", d.calls() == 100)
t.close()

# ---- ends, with their statuses ---------------------------------------------------------------------------------------
for how, event, value in (("status", "exited", ("status", 3)), ("signal", "killed", ("signal", "SIGTERM"))):
    t = Tree(settings=("handle SIGTERM nostop",))
    t.start(how, "3", "10")
    t.wait()
    ends = [(d.end["event"], d.end.get(value[0])) for d in t.drivers[1:]]
    check(f"the end of an attached process: {event}", ends == [(event, value[1])] * 3, ends)
    check(f"the end of an attached process: {event}: its parent sees the same", len(t.lines()) == 4 and
          all(v[3] == "right" for v in t.lines().values()), t.lines())
    t.close()

# ---- traced in the background ----------------------------------------------------------------------------------------------
t = Tree(takes=False)
t.settings = ["set background-traced on", "handle SIGUSR1 nostop print pass", "handle SIGUSR2 stop"]
stop = os.path.realpath("stop")
loop = subprocess.Popen([targets + "/p_loop", stop, "2"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
until(lambda: len(os.listdir(f"/proc/{loop.pid}/task")) == 2)
o = Driver(t)
t.prepare(o, [f"attach {loop.pid}", "continue &"])
check("traced in the background: it is traced, and runs", status(loop.pid, "TracerPid") == str(o.p.pid))
loop.send_signal(signal.SIGUSR1)
check("traced in the background: a signal is told", until(lambda: o.named("signal")), o.events)
got = o.ask("probe -count beat")
check("traced in the background: probes", until(lambda: o.calls("beat") > 0), got)
check("traced in the background: info", len(o.ask("info threads -json")["result"]["rows"]) == 2)
got = o.ask("interrupt")
check("traced in the background: interrupt", got["state"] == "stopped", got)
check("traced in the background: goes on", o.ask("continue &")["state"] == "running")
open(stop, "w").close()
said, _ = loop.communicate(timeout=LIMIT)
o.over.wait(LIMIT)
check("traced in the background: its end's status", o.end and (o.end["event"], o.end.get("status")) == ("exited", 0), o.end)
check("traced in the background: it is right", said.endswith(b"right\n") and loop.returncode == 0, said)
o.close()


# ---- fault 86: the new shell dies at each of its calls ------------------------------------------------------------------------
def offered(how, env):
    """A process that is held, and nobody else's: its pid, and the file that it writes to."""
    out = open("held", "wb+")
    p = subprocess.run([eztsh, "-nx", "-batch", "-ex", "set follow-fork-mode offer", "-ex", "set offer-timeout 60", "-ex",
                        "probe -count leaf", "-ex", f"run {how}", TREE], stdin=subprocess.DEVNULL,
                       stdout=out, stderr=subprocess.STDOUT, env=env, timeout=LIMIT)
    with open("held") as f:
        return int(re.search(r"child process (\d+) is held", f.read()).group(1)), p.returncode


def verdicts():
    with open("held") as f:
        return re.findall(r"^\d+ \d+ \w+ \d+ (right|WRONG)$", f.read(), re.M)


def sweep(kind, seconds):
    plain = dict(os.environ)
    plain.pop("EZ_FAULT", None)
    bad, n, step, done = [], 0, 1, 0
    begin = time.time()
    total = None
    while total is None or n <= total + 1:
        pid, _ = offered("daemon 0 100", plain)
        env = dict(plain, EZ_FAULT=f"any:{n or 1000000000}:{kind}")
        if total is None:
            env["EZ_FAULT_COUNT"] = os.path.realpath("count")
        r = subprocess.run([eztsh, "-nx", "-batch", "-ex", f"attach {pid} -held", "-ex", "probe -count leaf", "-ex", "continue &",
                            "-ex", "interrupt", "-ex", "detach"], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=LIMIT)
        if alive(pid):
            after = subprocess.run([eztsh, "-nx", "-batch", "-ex", f"attach {pid} -held", "-ex", "detach"], env=plain,
                                   stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
            if after.returncode and alive(pid):
                bad.append((n, "the next shell", after.stderr[-200:]))
        if not until(lambda: not alive(pid), 20):
            bad.append((n, "it does not end", status(pid, "State"), status(pid, "SigBlk")))
            os.kill(pid, signal.SIGKILL)
        elif verdicts() != ["right"] and kind != "KILL":
            bad.append((n, verdicts(), r.stderr[-300:]))
        if total is None:
            with open("count") as f:
                total = int(f.read())
            took = time.time() - begin
            step = max(1, int(total * took / seconds)) if seconds else 1
        n += step if n else 1
        done += 1
    check(f"86 the new shell, sweep with {kind}: {done} of {total} calls", not bad, *bad[:5])


if subprocess.run([eztsh, "-nx", "-batch", "-ex", "maint fail-ptrace 1000000"], capture_output=True).returncode == 0:
    for kind in ("DIE", "EIO", "KILL"):
        sweep(kind, float(os.environ.get("EZT_SWEEP", "6")))
else:
    print("skip - 86 sweeps: built without --enable-fault-injection")
