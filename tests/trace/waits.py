# SPDX-License-Identifier: GPL-3.0-or-later
# waits.py - does `analyze` find the waits that a program knows of by its own stamps (stamps.h)? For analyze.sh.
#
#   waits.py NAME ANALYSIS EVENTS STAMPS...   `analyze -json`, `events -json`, and the program's stamps
#   waits.py -between EVENTS PHASE            prints a time at which one rank has left the barrier before the phase
#   waits.py -later NAME EVENTS ALL PERIOD NS two analyses: do they agree on the phases that begin after this time?
#   waits.py -missing NAME ANALYSIS RANKS     does the analysis add up, and say that so many ranks are missing?
#
# The waits follow from the stamps by the definitions of the patterns. b(x) and a(x) are the stamps before and after
# call x. A sum of waits may differ by 2 % and 0.2 ms, and by the LAG of the calls: the time between a stamp and the
# event of its call, in which the thread may have been preempted.
#
# Causes and the critical path are those of the program unless a disturbance is larger: time that threads spent neither
# in the waits nor in the program's own delays.
#
# Prints one line a phase: "ok - NAME: PHASE: ...", "not ok - ...", or "again - ..." where the machine disturbed the
# program so much that the phase says nothing.
import bisect
import json
import sys

PART, ROOM_NS = 0.02, 200_000
LAG_NS = 10_000_000  # a larger one says that a phase is disturbed
BUFFERED = 4096  # an_mpi.c: shorter messages are buffered


class Call:
    def __init__(self, line):
        self.phase, tid, before, after, self.name, *words = line.split()
        self.tid, self.before, self.after = int(tid), int(before), int(after)
        self.word = dict(w.split("=", 1) for w in words)
        self.lag = self.lag_after = 0
        self.inner = 0  # a wait inside MPI that is none of the patterns: for a member that hands on another one's part

    def number(self, key):
        return int(self.word[key])


class Message:
    """A message: `sent` is the call that starts it, `op` the one that completes the send, if that is known; `posted`
    and `got` are the receiver's."""

    def __init__(self, sent):
        self.sent, self.op, self.posted, self.got = sent, sent, None, None

    def waits_for_receive(self):
        return self.sent.number("bytes") >= BUFFERED or "Ssend" in self.sent.name or "ssend" in self.sent.name


class Waits:
    """Sums of waits by (phase, tid, pattern, function): [ns, lag]."""

    def __init__(self):
        self.sum = {}
        self.unclear = set()  # phases in which a judgement hangs by a hair

    def add(self, call, pattern, until, lag, name=None, since=None):
        """A call waits from `since`, or from its beginning, to `until`."""
        since = call.before if since is None else since
        until = min(until, call.after)
        lag += call.lag
        if until > since - lag:
            s = self.sum.setdefault((call.phase, call.tid, pattern, call.name if name is None else name), [0, 0])
            s[0] += max(until - since, 0)
            s[1] += lag


def latest(calls, but=None):
    """Returns when the last of the calls begins, but for one of them, and the lag of that time."""
    until = max(c.before for c in calls if c is not but)
    return until, max(c.before + c.lag for c in calls if c is not but) - until


# ---- MPI ---------------------------------------------------------------------------------------------------------------


def messages_of(calls):
    """Pairs sends and receives of a channel in their order."""
    sends, receives, completes = {}, {}, {}
    for c in calls:
        for r in c.word.get("done", "").split(","):
            completes[(c.tid, r)] = c
    rank = {c.tid: c.rank for c in calls}
    for c in calls:
        done = completes.get((c.tid, c.word.get("request")), c)
        if "to" in c.word:
            m = Message(c)
            m.op = done
            sends.setdefault((c.word["comm"], rank[c.tid], c.number("to"), c.word["tag"]), []).append(m)
        if "from" in c.word:
            key = (c.word["comm"], c.number("from"), rank[c.tid], c.word["tag"])
            receives.setdefault(key, []).append((c, done))
    for key, list_ in sends.items():
        for m, (posted, got) in zip(list_, receives[key], strict=True):
            m.posted, m.got = posted, got
    return [m for list_ in sends.values() for m in list_]


def wrong_order(m, messages):
    """An earlier message to the receiver is not received yet, and no receive for it is posted."""
    return any(o is not m and o.got.tid == m.got.tid and o.sent.before < m.sent.before and o.posted.before > m.got.after
               for o in messages)


def mpi_messages(calls, waits):
    messages = messages_of(calls)
    best = {}  # of a call: its candidates

    def consider(call, until, cause, pattern):
        best.setdefault(call, []).append((until, cause, pattern))

    for m in messages:
        pattern = "late_sender_wrong_order" if wrong_order(m, messages) else "late_sender"
        consider(m.got, m.sent.before, m.sent, pattern)
        if not m.waits_for_receive():
            continue
        if m.op.before < m.posted.before < m.op.after:
            consider(m.op, m.posted.before, m.posted, "late_receiver")
        if m.posted.before < m.got.before and m.op.before < m.got.before:
            transfer, all_ = m.op.after - m.got.before, m.op.after - m.op.before
            if abs(all_ - 2 * transfer) < 2 * (m.got.lag + m.op.lag + ROOM_NS):
                waits.unclear.add(m.op.phase)
            if m.got.before < m.op.after and 2 * transfer < all_:
                consider(m.op, m.got.before, m.got, "late_progress")
    for call, candidates in best.items():
        until, cause, pattern = max(candidates, key=lambda c: c[0])
        waits.add(call, pattern, until, cause.lag)


def mpi_collectives(calls, waits):
    instances, count = {}, {}
    for c in calls:
        if "coll" in c.word:
            key = (c.tid, c.word["comm"])
            n = count[key] = count.get(key, 0) + 1
            instances.setdefault((c.word["comm"], n), []).append(c)
    for everyone in instances.values():
        members = [c for c in everyone if c.word["coll"] != "apart"]  # of an intercommunicator
        kind = members[0].word["coll"]
        last = max(members, key=lambda c: c.before)
        for c in members:
            c.last = last.before
        root = [c for c in members if c.rank == int(members[0].word.get("root", -1))]
        others = sorted((c for c in members if c not in root), key=lambda c: c.before)
        for c in members:
            if kind in ("nxn", "barrier"):
                waits.add(c, "wait_" + kind, *latest(members, c))
            elif kind == "from_root" and c not in root:
                waits.add(c, "late_broadcast", root[0].before, root[0].lag)
            elif kind == "to_root" and c in root and others[-1].before > c.before:
                early = max(others[0].before, c.before)
                until, lag = latest(others)
                waits.add(c, "early_reduce", early, max(o.lag for o in others))
                waits.add(c, "late_reduce", until, lag + max(o.lag for o in others), since=early)
            elif kind == "to_root":
                c.inner = max(min(last.before, c.after) - c.before, 0)


def mpi_finalize(calls, waits):
    end = [c for c in calls if c.name == "MPI_Finalize"]
    for c in end:
        waits.add(c, "wait_finalize", *latest(end, c))


# ---- threads -------------------------------------------------------------------------------------------------------------


def thread_waits(calls, waits):
    """One thread waits for another one of the process, or for a lock: "blocked" is a wait all of it."""
    barrier = {}
    for c in calls:
        if c.name == "blocked":
            waits.add(c, c.word["pattern"], c.after, c.lag_after, "")
        elif c.name == "waits":
            wakes = [w for w in calls if w.name == "wakes" and w.word["pattern"] == c.word["pattern"] and w.tid != c.tid
                     and c.before < w.before < c.after]
            if wakes:
                waits.add(c, c.word["pattern"], wakes[-1].before, wakes[-1].lag, "")
        elif c.name in ("barrier", "part"):
            barrier.setdefault((c.phase, c.name), []).append(c)
    omp = any(c.name == "region" for c in calls)
    threads = len({c.tid for c in calls if c.name == "part"}) if omp else 2
    for list_ in barrier.values():
        list_.sort(key=lambda c: c.before)
        for i in range(0, len(list_), threads):  # its users come again only after all have left
            members = list_[i:i + threads]
            for c in members:
                wait = c if c.name == "barrier" else part_end(c)
                waits.add(wait, "omp_barrier" if omp else "barrier", *latest(members, c), "")


def part_end(c):
    """The end of a part of a region: who ends early waits without another stamp."""
    c.after = sys.maxsize
    return c


def idle_waits(calls, waits):
    regions = [c for c in calls if c.name == "region"]
    for tid in {c.tid for c in calls if c.name == "part"} - {c.tid for c in regions}:
        s = waits.sum[("", tid, "omp_idle", "")] = [0, 0]
        for r, after in zip(regions, regions[1:]):
            s[0] += after.before - r.after
            s[1] += after.lag + r.lag_after


def nobody_ns(calls):
    """Returns how long threads waited for a lock that no thread held: nobody is charged with that."""
    ns = 0
    for c in calls:
        if c.name != "blocked":
            continue
        ns += c.after - c.before
        for h in calls:
            if h.phase == c.phase and h.name == "work" and h.tid != c.tid:
                ns -= max(min(h.after, c.after) - max(h.before, c.before), 0)
    return ns


# ---- what analyze found --------------------------------------------------------------------------------------------------


def phase_of(path, tid, only):
    for name in path.split("/"):
        if name.startswith("phase_"):
            return name[6:].rstrip("_")
    return only.get(tid, "main")


def tid_of(thread):
    return int(thread.split()[-1])


class Found:
    def __init__(self, analysis, calls, mpi):
        self.mpi = mpi
        phases = {}
        for c in calls:
            phases.setdefault(c.tid, set()).add(c.phase)
        only = {tid: next(iter(p)) for tid, p in phases.items() if len(p) == 1}
        self.sum = {}
        for w in analysis["waits"]:
            tid = tid_of(w["thread"])
            phase = "" if w["pattern"] == "omp_idle" else phase_of(w["path"], tid, only)
            key = (phase, tid, w["pattern"], w["path"].split("/")[-1] if mpi else "")
            self.sum[key] = self.sum.get(key, 0) + w["ns"]
        self.path = [(phase_of(p["path"], tid_of(p["thread"]), only), tid_of(p["thread"]),
                      p["path"].split("/")[-1].rstrip("_"), p) for p in analysis["paths"] if p["thread"]]


def adds_up(a):
    """Returns what does not add up, as a text."""
    span = a["to_ns"] - a["from_ns"]
    wrong = []
    parts = ("useful_ns", "wait_ns", "mpi_ns", "runtime_ns", "eztsh_ns", "absent_ns")
    for t in a["threads"]:
        if sum(t[p] for p in parts) != span:
            wrong.append(f"times of {t['thread']}: {sum(t[p] for p in parts)} of {span}")
    if a["processor_ns"] != span * len(a["threads"]):
        wrong.append("processor_ns")
    critical = sum(p["critical_ns"] for p in a["paths"])
    if critical != span or any(p["critical_ns"] < 0 for p in a["paths"]):
        wrong.append(f"critical path: {critical} of {span}")
    cost = sum(p["delay_short_ns"] + p["delay_long_ns"] for p in a["paths"]) + a["unknown_cause_ns"]
    waits = sum(w["ns"] for w in a["waits"])
    if abs(cost - waits) > 2 * len(a["paths"]) + 1:
        wrong.append(f"costs: {cost} of {waits}")
    if waits != sum(t["wait_ns"] for t in a["threads"]):
        wrong.append("waits by thread")
    for p in a["paths"]:
        got = sum(v["ns"] for v in p["waiting"])
        if abs(got - p["delay_short_ns"] - p["delay_long_ns"]) > len(p["waiting"]) + 2:
            wrong.append(f"victims of {p['path']}: {got}")
    return "; ".join(wrong)


# ---- stamps and events ---------------------------------------------------------------------------------------------------


def clock_difference(calls, events):
    """The stamps' clock to the trace's: each function work_NAME has a stamp before its entry."""
    entries, least = {}, None
    for e in events:
        if e["kind"] == "entry" and e["function"].startswith("work_"):
            entries.setdefault(e["tid"], []).append(e["ns"])
    for tid in entries:
        work = [c for c in calls if c.tid == tid and c.name == "work"]
        if len(work) != len(entries[tid]):
            sys.exit(f"{len(work)} works, {len(entries[tid])} calls of them")
        for c, ns in zip(work, entries[tid]):
            least = ns - c.before if least is None else min(least, ns - c.before)
    return least


def event_names(call):
    """Returns the function of the call's events, or None if they are of any module's state."""
    if call.name == "work":
        return "work_" + call.word["name"]
    return call.name if call.name.startswith("MPI_") else None


def find_lags(calls, events):
    """Sets calls' lags: from the stamp before to the event of the entry, from the event of the exit to the stamp
    after."""
    difference = clock_difference(calls, events)
    at = {}
    for e in events:
        name = e["function"]
        own = name.startswith(("work_", "phase_"))
        begins = e["kind"] in ("entry", "begin")
        for key in (name.rstrip("_"), None):
            if not name.startswith("[") and (key or not own):
                at.setdefault((e["tid"], key, begins), []).append(e["ns"] - difference)
    for list_ in at.values():
        list_.sort()
    for c in calls:
        entry = at.get((c.tid, event_names(c), True), [])
        i = bisect.bisect_left(entry, c.before - 1000)
        if i < len(entry) and entry[i] <= c.after:
            c.lag = max(entry[i] - c.before, 0)
        exit_ = at.get((c.tid, event_names(c), False), [])
        i = bisect.bisect_right(exit_, c.after + 1000)
        if i and exit_[i - 1] >= c.before:
            c.lag_after = max(c.after - exit_[i - 1], 0)


def spans(calls, phase):
    """Returns for each thread the time that it spent in the phase. With MPI it begins when the last rank enters the
    barrier before the phase, and ends when this rank enters the next one."""
    span = {}
    regions = [c for c in calls if c.name == "region" and c.phase == phase]
    for tid in {c.tid for c in calls if c.phase == phase}:
        mine = [c for c in calls if c.tid == tid and c.phase in (phase, "main")]
        ns = 0
        if regions:
            ns = sum(r.after - r.before for r in regions)
        elif any(c.phase == "main" for c in mine):
            for before, c in zip(mine, mine[1:]):
                if before.phase == "main" and c.phase == phase:
                    ns -= before.last
                elif before.phase == phase and c.phase == "main":
                    ns += c.before
        else:
            ns = mine[-1].before - mine[0].before
        span[tid] = ns
    return span


def disturbance(calls, phase, expected):
    """The time by which threads were too late in the phase by no fault of the program: it is in no sum of waits, and
    longer than the functions should take."""
    span = spans(calls, phase)
    for c in calls:
        if c.phase == phase:
            span[c.tid] -= c.inner + (c.number("nominal") * 1_000_000 if c.name == "work" else 0)
    for (p, tid, _, _), (wait, _) in expected.items():
        if p == phase and tid in span:
            span[tid] -= wait
    return sum(max(ns, 0) for ns in span.values())


# ---- the judgement -------------------------------------------------------------------------------------------------------


def cost(row):
    return row[3]["delay_short_ns"] + row[3]["delay_long_ns"]


class Judge:
    def __init__(self, name, calls, expected, unclear, found):
        self.name, self.calls, self.expected, self.unclear, self.found = name, calls, expected, unclear, found
        self.who = {tid: f"thread {i}" for i, tid in enumerate(dict.fromkeys(c.tid for c in calls))}
        if found.mpi:
            self.who = {c.tid: f"rank {c.rank}" for c in calls}

    def say(self, word, phase, text):
        print(f"{word} - {self.name}: {phase}: {text}")

    def waits(self, phase):
        """Returns what is wrong with the waits of the phase, a text about the largest sum, and the largest lag."""
        wrong, text_of = [], {-1: "no waits"}
        for key in sorted(k for k in set(self.expected) | set(self.found.sum) if k[0] == phase):
            want, lag = self.expected.get(key, (0, 0))
            got = self.found.sum.get(key, 0)
            text = f"{key[2]} of {self.who[key[1]]}, {got / 1e6:.3f} for {want / 1e6:.3f} ms"
            if abs(got - want) > PART * max(got, want) + ROOM_NS + lag:
                wrong.append(text + f", lag {lag / 1e6:.3f}")
            text_of[want] = text
        lag = max((s[1] for k, s in self.expected.items() if k[0] == phase), default=0)
        return wrong, text_of[max(text_of)], lag

    def cause(self, phase, disturbed):
        """Returns what is wrong with the causes of the phase, or that it is no more than the disturbance, or None."""
        late = {c.tid for c in self.calls if c.phase == phase and c.name == "work" and c.word["name"] == "late"}
        row = [r for r in self.found.path if r[0] == phase]
        if not late:
            return None
        mine = [r for r in row if r[1] in late and r[2] == "work_late"]
        if not mine:
            return "not ok", "work_late has no costs"
        top, best = max(row, key=cost), max(mine, key=cost)
        own, critical = best[3]["own_ns"], best[3]["critical_ns"]
        if top not in mine:
            text = f"{cost(top) / 1e6:.1f} ms for {top[2]} of {self.who[top[1]]}, {cost(best) / 1e6:.1f} for work_late"
            # who is late by a disturbance keeps three others waiting
            return "not ok" if cost(top) > cost(best) + 3 * disturbed else "again", text
        if len(late) == 1 and own - critical > own / 10:
            text = f"{critical / 1e6:.1f} of {own / 1e6:.1f} ms of work_late are on the critical path"
            return "not ok" if own - critical > 3 * disturbed else "again", text
        return None

    def phase(self, phase):
        wrong, largest, lag = self.waits(phase)
        disturbed = 0 if phase == "main" else disturbance(self.calls, phase, self.expected)
        cause = self.cause(phase, disturbed)
        noise = f"disturbed for {disturbed / 1e6:.1f} ms, lag {lag / 1e6:.1f} ms"
        if phase in self.unclear or lag > LAG_NS:
            self.say("again", phase, noise)
        elif wrong:
            self.say("not ok", phase, "; ".join([*wrong, noise]))
        elif cause:
            self.say(cause[0], phase, f"{cause[1]}, {noise}")
        else:
            self.say("ok", phase, f"{largest}; {noise}")


def load(path):
    return json.load(open(path))


def main():
    name, analysis, events, *stamps = sys.argv[1:]
    a, e = load(analysis), load(events)["rows"]
    calls = []
    for path in stamps:
        for line in open(path):
            c = Call(line)
            c.rank = int(path.rsplit(".", 1)[1])
            calls.append(c)
    calls = sorted((c for c in calls if c.name != "none"), key=lambda c: c.before)
    find_lags(calls, e)
    mpi = any(c.name == "MPI_Finalize" for c in calls)
    waits = Waits()
    if mpi:
        mpi_messages(calls, waits)
        mpi_collectives(calls, waits)
        mpi_finalize(calls, waits)
    else:
        thread_waits(calls, waits)
        if any(c.name == "region" for c in calls):
            idle_waits(calls, waits)
    wrong = adds_up(a)
    if a["events_lost"] or a["unpaired"] or a["backwards"] or a["ranks_missing"]:
        wrong += " events are lost, ranks missing, or messages unpaired or backwards"
    # the threads that wait at the next barrier have no known cause either
    unknown, most = a["unknown_cause_ns"], 3 * nobody_ns(calls) + PART * sum(w["ns"] for w in a["waits"]) + ROOM_NS
    if unknown > most:
        wrong += f" causes of {unknown / 1e6} ms are unknown, for {most / 1e6}"
    print(f"{'not ok' if wrong else 'ok'} - {name}: sums: {wrong or 'all add up'}")
    judge = Judge(name, calls, waits.sum, waits.unclear, Found(a, calls, mpi))
    phases = list(dict.fromkeys([c.phase for c in calls] + [k[0] for k in [*waits.sum, *judge.found.sum]]))
    for phase in phases:
        judge.phase(phase)


# ---- parts of a trace ----------------------------------------------------------------------------------------------------


def between(events, phase):
    begin = {}
    for e in events:
        if e["function"] == "phase_" + phase and e["kind"] == "entry":
            begin.setdefault(e["tid"], e["ns"])
    left = sorted(max(e["ns"] for e in events if e["tid"] == tid and e["function"] == "MPI_Barrier" and
                      e["kind"] == "exit" and e["ns"] < ns) for tid, ns in begin.items())
    print((left[0] + left[1]) // 2)


def later(name, events, full, period, ns):
    first = {}
    for e in events:
        if e["function"].startswith("phase_"):
            first.setdefault(e["function"][6:], e["ns"])
    phases = {p for p in first if first[p] > ns}
    sums = []
    for a in (full, period):
        rows = [w for w in a["waits"] if phase_of(w["path"], 0, {}) in phases]
        sums.append(sorted((w["path"], w["thread"], w["pattern"], w["ns"]) for w in rows))
    differ = sorted(set(sums[0]) ^ set(sums[1])) or ([] if len(sums[0]) > 10 else "few")
    wrong = adds_up(period)
    print(f"{'not ok' if wrong or differ else 'ok'} - {name}: period: {len(sums[0])} sums of {len(phases)} phases agree",
          wrong, *differ[:4])


def missing(name, a, ranks):
    wrong = adds_up(a) or ("" if a["ranks_missing"] == ranks else f"{a['ranks_missing']} ranks")
    print(f"{'not ok' if wrong else 'ok'} - {name}: missing ranks: {wrong or ranks}")


if sys.argv[1] == "-between":
    between(load(sys.argv[2])["rows"], sys.argv[3])
elif sys.argv[1] == "-later":
    later(sys.argv[2], load(sys.argv[3])["rows"], load(sys.argv[4]), load(sys.argv[5]), int(sys.argv[6]))
elif sys.argv[1] == "-missing":
    missing(sys.argv[2], load(sys.argv[3]), int(sys.argv[4]))
else:
    main()
