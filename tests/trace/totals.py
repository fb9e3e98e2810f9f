#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""totals.py FORMAT FILE: calls and time per function, by the readers of other projects.

One line a function, sorted: its name as a JSON string (cut to 60 characters), calls, time
with the callees, time without them; tabs between; "-" where a format does not tell.
Formats: callgrind chrome csv folded pprof perfetto speedscope ctf otf2 paje vite otf fxt (babeltrace2, otf2-print,
pj_dump, otfprint and fxt_print read the last six), stats: the output of `stats -json`, and
annotate: a callgrind file as callgrind_annotate reads it.
Also checked: what begins ends, the innermost first, and time never goes back.

totals.py same LEFT RIGHT TOLERANCE: compare two such outputs; times may differ by that
many nanoseconds a call, or that part of themselves if it is below 1.
"""
import collections
import csv
import gzip
import json
import re
import subprocess
import sys


PAUSES = ("[waiting for the trace]", "[slept]", "[preempted]", "[events lost]")


APART = ("[waiting for the trace]", "[events lost]")


class Totals:
    """Pauses have rows of their own. Time in which a thread does not run counts as a call inside
    the calls; time of the other pauses is in no call."""

    def __init__(self):
        self.row = collections.defaultdict(lambda: [0, 0, 0])
        self.stack = collections.defaultdict(list)
        self.last = collections.defaultdict(int)

    def push(self, where, name, ns):
        self.clock(where, ns)
        self.stack[where].append([name, ns, 0, 0])

    def pop(self, where, name, ns):
        self.clock(where, ns)
        begun, start, inside, paused = self.stack[where].pop()
        assert name is None or name == begun, (name, begun)
        took = ns - start - paused
        self.add(begun, took, took - inside)
        if begun in APART:
            for frame in self.stack[where]:
                frame[3] += took
        elif self.stack[where]:
            self.stack[where][-1][2] += took

    def clock(self, where, ns):
        assert ns >= self.last[where], (where, ns)
        self.last[where] = ns

    def add(self, name, total, own):
        row = self.row[name]
        row[0] += 1
        row[1] += total
        row[2] += own

    def show(self, hide=()):
        assert not any(self.stack.values()), self.stack
        for name in sorted(self.row):
            quoted = json.dumps(name)[:60]
            print(quoted, *("-" if i in hide else v for i, v in enumerate(self.row[name])), sep="\t")


def text(path):
    opened = gzip.open if path.endswith(".gz") else open
    return opened(path, "rt", encoding="utf-8", newline="")


def chrome(path):
    t = Totals()
    # a float has 53 bits: enough for 100 days, but read the text to be sure
    for e in json.load(text(path), parse_float=lambda s: (s,))["traceEvents"]:
        if e["ph"] not in "BE":
            continue
        whole, part = e["ts"][0].split(".")
        assert len(part) == 3
        (t.push if e["ph"] == "B" else t.pop)((e["pid"], e["tid"]), e["name"], int(whole + part))
    t.show()


def speedscope(path):
    t = Totals()
    d = json.load(text(path))
    assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    name = [f["name"] for f in d["shared"]["frames"]]
    for p in d["profiles"]:
        assert p["type"] == "evented" and p["unit"] == "nanoseconds", p
        where, last = object(), p["startValue"]
        for e in p["events"]:
            assert last <= e["at"] <= p["endValue"], e
            last = e["at"]
            (t.push if e["type"] == "O" else t.pop)(where, name[e["frame"]], last)
    t.show()


def callgrind(path):
    """Like callgrind_annotate: the calls and the time of a function are those of the calls to it."""
    t = Totals()
    names, own = {}, {}

    def named(which, spelled):
        number, _, rest = spelled.partition(") ")
        number = number.rstrip(")")
        assert not rest or (which, number) not in names, spelled
        return names.setdefault((which, number), rest) and number

    fn = cfn = calls = file = None
    head, _, body = text(path).read().partition("\n\n")
    head = dict(line.split(": ", 1) for line in head.split("\n") if line[0] != "#")
    assert head["positions"] == "line" and head["events"] == "ns calls", head
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for line in filter(None, body.split("\n")):
        key, eq, value = line.partition("=")
        if not eq:
            at, ns, n = map(int, line.split())
            assert (at > 0) == (file != "???"), line
            if calls is None:
                assert fn not in own, "a function twice"
                own[fn] = [ns, n]
            else:
                rows[cfn] = [rows[cfn][0] + calls, rows[cfn][1] + ns, 0]
            calls = None
        elif key == "fn":
            fn = named("fn", value)
        elif key == "cfn":
            cfn = named("fn", value)
        elif key == "calls":
            calls = int(value.split()[0])
            assert calls
        else:
            number = named({"ob": "ob", "cob": "ob", "fl": "fl", "cfl": "fl"}[key], value)
            file = names["fl", number] if key == "fl" else file
    for fn, (ns, n) in own.items():
        assert rows[fn][0] == n, (names["fn", fn], rows[fn], n)
        if n:  # not a thread
            row = t.row[names["fn", fn]]
            row[0], row[1], row[2] = row[0] + n, row[1] + rows[fn][1], row[2] + ns
    assert [int(x) for x in head["summary"].split()] == [sum(o[i] for o in own.values()) for i in (0, 1)]
    t.show()


def annotate(path):
    """A callgrind file, as valgrind's own program adds it up."""
    t = Totals()
    row = re.compile(r"\s*([\d,]+|\.)\s+([\d,]+|\.)\s+(?:\?\?\?|[^:]*\.\w+):(.*?)(?: \[[^][]*\])?$")
    number = lambda s: 0 if s == "." else int(s.replace(",", ""))
    for inclusive in ("no", "yes"):
        command = "callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", "--inclusive=" + inclusive, path
        for m in filter(None, map(row.match, lines(*command))):
            if inclusive == "no" and number(m[2]):  # not a thread
                t.row[m[3]] = [number(m[2]), 0, number(m[1])]
            elif m[3] in t.row:
                t.row[m[3]][1] = number(m[1])
    t.show()


def table(path):
    t = Totals()
    for r in csv.DictReader(text(path)):
        if r["duration_ns"]:
            t.add(r["function"], int(r["duration_ns"]) - int(r["paused_ns"]), int(r["self_ns"]))
    t.show()


def folded(path):
    t = Totals()
    for line in text(path).read().split("\n")[:-1]:
        stack, ns = line.rsplit(" ", 1)
        t.add(stack.split(";")[-1], 0, int(ns))
    assert PAUSES[0] not in t.row, "nobody's time is in no stack"
    t.show(hide=(0, 1))
    print(json.dumps(PAUSES[0]), "-", "-", "-", sep="\t")


def fields(data):
    """The fields of a message of protocol buffers: (number, value), in their order."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        number, wire = divmod(varint(), 8)
        if wire == 0:
            yield number, varint()
            continue
        size = {1: 8, 5: 4}[wire] if wire != 2 else varint()
        assert at + size <= len(data), (number, at, size)
        yield number, data[at : at + size]
        at += size


def packed_ints(data):
    """A packed list is like the values of a field's numbers without the numbers."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield value
            value = shift = 0


def pprof(path):
    t = Totals()
    texts, located, named, samples, again = [], {}, {}, [], set()
    for number, value in fields(gzip.open(path).read()):
        if number == 2:
            samples.append(dict(fields(value)))
        elif number == 4:
            m = dict(fields(value))
            located[m[1]] = dict(fields(m[4]))[1]
        elif number == 5:
            m = dict(fields(value))
            named[m[1]] = m[2]
        elif number == 6:
            texts.append(value.decode())
    assert texts[0] == ""
    for m in samples:
        stack = [texts[named[located[i]]] for i in packed_ints(m[1])]
        calls, wall, pauses = packed_ints(m[2])
        assert pauses == (wall if stack[0] in PAUSES else 0), (stack, pauses)
        again |= {f for f in stack if stack.count(f) > 1}
        t.row[stack[0]][0] += calls
        t.row[stack[0]][2] += wall
        for f in set(stack):
            t.row[f][1] += wall
    t.row.pop("[more]", None)
    assert PAUSES[0] not in t.row, "nobody's time is in no stack"
    for f in again:  # a reader counts the time of a recursion once
        t.row[f][1] = "-"
    t.show()
    print(json.dumps(PAUSES[0]), "-", "-", "-", sep="\t")


def perfetto(path):
    t = Totals()
    opened = gzip.open if path.endswith(".gz") else open
    name, group, item, place, tracks, sequence = {}, {}, {}, {}, {0: None}, None
    for _, packet in fields(opened(path, "rb").read()):
        m = dict(fields(packet))
        assert m[10] == 1 and (sequence is not None or m[13] == 1), "one sequence, which begins"
        sequence = m[10]
        for number, text in fields(m.get(12, b"")):
            text = dict(fields(text))
            known = {1: group, 2: name, 3: item, 4: place}[number]
            assert text[1] not in known and m[13] & 2, text
            assert number != 4 or text[3].decode() in name.values() and text[4] > 0, text
            known[text[1]] = text[2].decode()
        if 60 in m:
            track = dict(fields(m[60]))
            assert track[1] not in tracks and track.get(5, 0) in tracks, track
            tracks[track[1]] = track
        if 11 not in m:
            continue
        event = dict(fields(m[11]))
        assert event[11] in tracks and (event[9] == 4) == (8 in tracks[event[11]]), event
        if event[9] in (1, 3):
            assert event[10] in name and event.get(3, next(iter(group), None)) in group | {None: 0}, event
            assert event.get(34) in place | {None: 0}, event
        for number, note in fields(m[11]):
            assert number != 4 or dict(fields(note))[1] in item, note
        if event[9] == 1:
            t.push(event[11], name[event[10]], m[8])
        elif event[9] == 2:
            t.pop(event[11], None, m[8])
    t.show()


def lines(*command):
    p = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
    yield from p.stdout
    assert p.wait() == 0, command


def otf2(path):
    t = Totals()
    region = re.compile(r'(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "(.*)" <(\d+)>')
    points = set()
    for line in lines("otf2-print", "-G", path + "/traces.otf2"):
        m = re.match(r'REGION\s+(\d+)\s.* Descr\.: "event" ', line)
        if m:
            points.add(m[1])
    for line in lines("otf2-print", path + "/traces.otf2"):
        m = region.match(line)
        if m and m[5] not in points:
            (t.push if m[1] == "ENTER" else t.pop)(m[2], m[4], int(m[3]))
    t.show()


def ctf(path):
    t = Totals()
    event = re.compile(r"\[(\d+)\] (?:[^\[:][^:]*:)?(.*)_(entry|exit): \{ vpid = (\d+), vtid = (\d+) \}, \{.*\}$")
    for line in lines("babeltrace2", "--clock-cycles", "--no-delta", path):
        m = event.match(line)
        if m:
            (t.push if m[3] == "entry" else t.pop)((m[4], m[5]), m[2], int(m[1]))
    t.show()


def seconds(s):
    whole, part = s.strip().split(".")
    return int(whole) * 10**9 + int(part.ljust(9, "0")[:9])


def paje(path):
    t = Totals()
    found = collections.defaultdict(list)
    for line in lines("pj_dump", "--float-precision=9", path):
        f = [x.strip() for x in line.rstrip("\n").split(", ")]
        if f[0] == "State":
            found[f[1]].append([seconds(f[3]), float(f[6]), seconds(f[5]), f[7]])
    for states in found.values():
        stack = []
        for s in sorted(states):
            while stack and stack[-1][1] >= s[1]:
                stack.pop()
            for outer in stack if s[3] in APART else ():
                outer[2] -= s[2]
            stack.append(s)
        for s in states:
            t.add(s[3], s[2], 0)
    t.show(hide=(2,))


def otf(path):
    t = Totals()
    name = {}
    for line in lines("otfprint", path):
        m = re.search(r'DefFunction:.* function (\d+).*name "(.*)"', line)
        if m:
            name[m[1]] = m[2]
        m = re.match(r"\(#\d+\)\s+(\d+)\s+(Enter|Leave):.*function (\d+).*process (\d+)", line)
        if m:
            (t.push if m[2] == "Enter" else t.pop)(m[4], name[m[3]], int(m[1]))
    t.show()


CLOCK, PROBE, SCHEMA, FIRST_PROBE = 0x200000, 0x200001, 0x200006, 0x1000000
WAIT, WAIT_END, GAP, GAP_END, SWITCH_OUT, SWITCH_IN = range(0x300000, 0x300006)


def packed(words):
    data = b"".join(int(w).to_bytes(8, "little") for w in words)
    return data.split(b"\0")[0].decode("utf-8", "replace")


class Thread:
    """The pause of a thread: a wait or, when it does not run, sleep or preemption."""

    def __init__(self):
        self.wait, self.off, self.on = 0, None, None

    def event(self, t, tid, code, arg, tick):
        if code in (WAIT, WAIT_END):
            self.wait += 1 if code == WAIT else -1
        elif code in (SWITCH_OUT, SWITCH_IN):
            self.off = (PAUSES[1], PAUSES[2])[arg[0]] if code == SWITCH_OUT else None
        elif t.stack[tid] or code & 1 == 0:  # a probe's
            if self.on:
                t.pop(tid, self.on, tick)
            n, leave = divmod(code - FIRST_PROBE, 2)
            (t.pop if leave else t.push)(tid, n, tick)
            if self.on:
                t.push(tid, self.on, tick)
        now = PAUSES[0] if self.wait else self.off
        if now != self.on and tid in t.last:
            if self.on:
                t.pop(tid, self.on, tick)
            if now:
                t.push(tid, now, tick)
            self.on = now


def fxt(path):
    t = Totals()
    name, clock, per_s, events = {}, [], 0, []
    record = re.compile(r"(\d+)u\s+\[\s*([0-9a-f]+)\]\s+\d+\s+([0-9a-f]+)\(\d+\)\s*(.*)")
    for line in lines("fxt_print", "-d", "-f", path):
        m = record.match(line)
        if not m:
            continue
        tick, tid, code = int(m[1]), m[2], int(m[3], 16)
        arg = [int(x) for x in m[4].replace("x", " ").split()]
        if code == CLOCK:
            clock.append((tick, arg[1]))
        elif code == SCHEMA:
            per_s = arg[1]
        elif code == PROBE:
            name[arg[0]] = packed(arg[3:])
        elif FIRST_PROBE <= code < 2 * FIRST_PROBE or WAIT <= code <= SWITCH_IN:
            events.append((tick, tid, code, arg))
    events.sort(key=lambda e: e[0])
    last = max(e[0] for e in events if e[2] < SWITCH_OUT or e[2] > SWITCH_IN)
    thread = collections.defaultdict(Thread)
    for tick, tid, code, arg in events:
        if tick <= last:
            thread[tid].event(t, tid, code, arg, tick)
    for tid, x in thread.items():
        if x.on:
            t.pop(tid, x.on, last)
    (t0, n0), (t1, n1) = clock[0], clock[-1]
    ns = (n1 - n0) / (t1 - t0) if t1 > t0 else 1e9 / per_s if per_s else 1
    t.row = {name.get(n, n): [c, round(a * ns), round(b * ns)] for n, (c, a, b) in t.row.items()}
    t.show()


def stats(path):
    t = Totals()
    for r in json.load(text(path))["rows"]:
        t.row[r["function"]] = [r["calls"], r["sum_ns"], r["self_ns"]]
    t.show()


def rows(path):
    return {line.split("\t")[0]: line.rstrip("\n").split("\t")[1:] for line in text(path)}


def same(left, right, tolerance):
    a, b = rows(left), rows(right)
    for n in [n for x in (a, b) for n, v in x.items() if v == ["-"] * 3]:  # what a format does not have
        a.pop(n, None), b.pop(n, None)
    wrong = [f"only in one: {n}" for n in a.keys() ^ b.keys()]
    for n in a.keys() & b.keys():
        for i, what in enumerate(("calls", "time", "own time")):
            if "-" in (a[n][i], b[n][i]):
                continue
            x, y = int(a[n][i]), int(b[n][i])
            calls = max(int(r[0]) for r in (a[n], b[n]) if r[0] != "-")
            room = 0 if i == 0 else tolerance * (calls if tolerance >= 1 else x)
            if abs(x - y) > room:
                wrong.append(f"{n}: {what} {x} and {y}")
    if not a or wrong:
        sys.exit("\n".join(wrong or ["nothing to compare"]))


readers = {"chrome": chrome, "csv": table, "folded": folded, "otf2": otf2, "paje": paje}
readers |= {"annotate": annotate, "callgrind": callgrind, "speedscope": speedscope}
readers |= {"pprof": pprof, "perfetto": perfetto, "ctf": ctf}
readers |= {"vite": paje, "otf": otf, "fxt": fxt, "stats": stats}
if sys.argv[1] == "reads":
    sys.exit(sys.argv[2] not in readers)
elif sys.argv[1] == "same":
    same(sys.argv[2], sys.argv[3], float(sys.argv[4]))
else:
    readers[sys.argv[1]](sys.argv[2])
