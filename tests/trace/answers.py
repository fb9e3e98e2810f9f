#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""answers.py FOLDER EZTSH: the page answers.html in the folder, made of traces/*.fxt there, answers an analyst's questions
by clicks, and equals the commands for random filters and windows. Nothing sleeps for a fixed time."""
import csv
import json
import os
import random
import re
import subprocess
import sys

from page import WAIT, Page, bad, check, figure, same, soon, time
from webdriver import ELEMENT, until, with_browser

FILES = "traces/*.fxt"
KEYS = ("calls", "timed", "cut", "unwound", "total", "self", "paused", "mean", "min", "p50", "p90", "p99", "max")
ENTER, SPACE, LEFT, RIGHT = "\ue007", " ", "\ue012", "\ue014"


def asked(command):
    """What a command says as JSON, or the error that it prints. Without the functions that modules only count: the page has
    what has a time."""
    said = subprocess.run([sys.argv[2], "-nx", "-batch", "-ex", command], capture_output=True, text=True, check=False, cwd=sys.argv[1])
    if said.returncode:
        return said.stderr.strip().split("\n")[-1]
    got = json.loads(said.stdout)
    if command.startswith("stats") and "rows" in got:
        got["rows"] = [r for r in got["rows"] if r["timed"] or r["cut"] or ".so" not in r["library"]]
    return got


def ready(p):
    until(WAIT, "the chunks", lambda: p.js("+document.body.dataset.chunks") > 0)
    until(WAIT, "the table", lambda: p.js("document.body.dataset.selected"))


def choose(p, selector, value):
    p.js("(() => { const s = document.querySelector(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change')); })()", selector, value)


def write(p, selector, text):
    """Type into a field, and leave it."""
    p.b.write(selector, text)
    p.b.press(ENTER)


def table(p, selector):
    return p.js("[...document.querySelectorAll(arguments[0] + ' tbody tr')].map(r => [...r.cells].map(c => c.textContent))", selector)


def settled(p, part):
    """Wait until the table is of the selection, whose description is `part`, or has it if that is an option."""
    until(WAIT, f"the selection {part}", lambda: (lambda s: s == part or (part[0] == "-" and part in s))(p.js("document.body.dataset.selected || ''")))


def click_at(p, selector, row, column):
    p.b.click(f"{selector} tbody tr:nth-child({row + 1}) td:nth-child({column + 1})")


def facts(p):
    return dict(p.js("[...document.querySelectorAll('#call-facts tr')].map(r => [...r.cells].map(c => c.textContent))"))


# ---- five questions ------------------------------------------------------------------------------

def which_rank_computes_longest(p):
    write(p, "#where", "-library ^answers$")
    settled(p, "-library")
    choose(p, "#order", "time")
    p.b.click("#fold-all")
    want = {}
    for r in asked(f"stats -json -by process,function {FILES} -library ^answers$")["rows"]:
        want[r["process"]] = want.get(r["process"], 0) + (0 if r["pause"] else r["self_ns"])
    order = sorted(want, key=want.get, reverse=True)
    bars = lambda: [[t.strip("\u25b8\u25be ") for t in r[:2]] for r in p.js("[...document.querySelectorAll('#thread-bars > div')].map(d => [...d.children].map(c => c.textContent))")]
    soon(p.say("which rank computes longest: its bar is the first"), lambda: bars() == [[n, time(want[n])] for n in order])
    same(p.say("it is the one that the program made so"), order[0].split(":")[0], "rank 2")
    p.b.click("#fold-all")
    choose(p, "#order", "trace")


def who_waits_for_whom(p):
    p.b.click("#crumbs button")
    settled(p, f"{p.low} {p.high} null")
    rows = asked(f"stats -messages -json {FILES}")["messages"]
    best = max(rows, key=lambda r: r["total_ns"])
    choose(p, "#metric", "time")
    cells = lambda: p.js("[...document.querySelectorAll('#matrix td.some')].map(c => [parseFloat(c.style.getPropertyValue('--heat')), c.textContent, c.getAttribute('aria-label')])")
    hottest = max(cells())
    check(p.say("who waits for whom longest: the hottest cell"), hottest[1] == time(best["total_ns"]) and hottest[2].startswith(f"{best['from']} to {best['to']}:"), hottest)
    cell = p.js("[...document.querySelectorAll('#matrix td')].find(c => c.getAttribute('aria-label') === arguments[0])", hottest[2])
    p.b.call("POST", f"/element/{cell[ELEMENT]}/click", {})
    longest = asked(f"timeline {FILES} -messages 100000 -json")["messages"]
    mine = [m for m in longest if m["from"].split(":")[0] == best["from"].split(":")[0] and m["to"].split(":")[0] == best["to"].split(":")[0]]
    got = lambda: table(p, "#message-list")
    soon(p.say("a click lists its messages, the longest first"), lambda: [r[3] for r in got()] == [time(m["received_ns"] - m["sent_ns"]) for m in mine])
    check(p.say("and the address has the pair"), "pair=" in p.js("location.hash"), p.js("location.hash"))
    click_at(p, "#message-list", 0, 0)
    soon(p.say("a click on it shows its time"), lambda: p.domain()[0] <= mine[0]["sent_ns"] and p.domain()[1] >= mine[0]["received_ns"] and
         p.span() <= 2.5 * (mine[0]["received_ns"] - mine[0]["sent_ns"]))


def longest_call_of_mpi(p):
    p.b.click("#crumbs button")
    line = "-function ^MPI_ -not '^MPI_(Init|Finalize)'"
    write(p, "#where", line)
    settled(p, "-not")
    rows = [r for r in asked(f"stats -json {FILES} {line}")["rows"] if not r["pause"] and r["timed"]]
    best = max(rows, key=lambda r: r["max_ns"])
    p.b.click("#table th:last-child")
    soon(p.say("the longest call of MPI: a click on Max sorts"), lambda: table(p, "#table")[0][0] == best["function"])
    click_at(p, "#table", 0, len(table(p, "#table")[0]) - 1)
    soon(p.say("another shows the call"), lambda: facts(p).get("Duration") == time(best["max_ns"]) and facts(p)["Function"].startswith(best["function"]))
    calls = [{**r, "start": int(r["start_ns"]), "ns": int(r["duration_ns"]), "depth": int(r["depth"])} for r in
             csv.DictReader(open(p.file[:-4] + "csv", encoding="utf-8")) if r["duration_ns"]]
    call = next(r for r in calls if r["function"] == best["function"] and r["ns"] == best["max_ns"])
    caller = next(r for r in calls if r["thread"] == call["thread"] and r["depth"] == call["depth"] - 1 and
                  r["start"] <= call["start"] and call["start"] + call["ns"] <= r["start"] + r["ns"])
    check(p.say("and its caller"), facts(p)["Caller"].startswith(caller["function"] + " "), [facts(p)["Caller"], caller["function"]])
    p.b.click("#call-caller")
    soon(p.say("a click shows the caller"), lambda: facts(p)["Function"].startswith(caller["function"] + " "))
    with open(os.path.join(os.path.dirname(__file__), "answers.c"), encoding="utf-8") as source:
        line = next(n for n, text in enumerate(source, 1) if re.search(rf"\b{caller['function']}\([^;]*$", text))
    check(p.say("and where that begins in the source"), facts(p)["Source"].endswith(f"answers.c:{line}"), [facts(p)["Source"], line])
    p.b.press("\ue00c")


def what_happened_in_a_window(p):
    p.b.click("#crumbs button")
    settled(p, f"{p.low} {p.high} null")
    for _ in range(3):
        p.b.click("#zoom-in")
    soon(p.say("what happened in a window: it is narrow"), lambda: p.span() < (p.high - p.low) / 7)
    def narrow():  # the address of an earlier click stays for a while
        window = [int(n) for n in re.findall(r"(?:from|to)=(\d+)", p.js("location.hash"))]
        return window if window and window[1] - window[0] < (p.high - p.low) / 7 else None
    low, high = until(WAIT, "the window in the address", narrow)
    settled(p, f"{low} {high} null")
    want = asked(f"stats -json {FILES} -from {low}ns -to {high}ns")["rows"]
    got = {(r[0], r[1]): r[2:] for r in table(p, "#table")}
    columns = [c[0] for c in p.data["columns"]]
    off = [(r["function"], k) for r in want if r["timed"] + r["cut"] for k, kind in (("total", time), ("self", time), ("calls", "{:,}".format))
           if got[r["function"], r["library"]][columns.index(k) - 2] != kind(figure(r, k))]
    same(p.say("the table is that of stats -from -to"), [off, len(got)], [[], len(want)])


def which_lock_is_waited_for_most(p):
    p.b.click("#crumbs button")
    settled(p, f"{p.low} {p.high} null")
    want = asked(f"info locks -rows 0 -json {FILES}")["rows"]
    rows = lambda: table(p, "#locks")
    soon(p.say("which lock is waited for most: the first row"), lambda: rows()[0] == [f"{want[0]['lock']} ({want[0]['process']})", want[0]["kind"]] +
         [f"{want[0][k]:,}" for k in ("taken", "busy", "waits")] + [time(want[0][k]) for k in ("waited_ns", "longest_ns", "held_ns", "longest_held_ns")])
    check(p.say("the program's locks have their names"), any(r[0].startswith("table_lock (rank") for r in rows()), rows())
    click_at(p, "#locks", 0, 0)
    pair = want[0]["pairs"][0]
    soon(p.say("who waited for whom there"), lambda: table(p, "#waits")[0] == [pair["thread"], pair["holder"] or "nobody", f"{pair['waits']:,}", time(pair["waited_ns"]), time(pair["longest_ns"])])
    holder = want[0]["holders"][0]
    same(p.say("and who held it, where"), table(p, "#holders")[0][:5], [holder["thread"], holder["function"] or "-", f"{holder['times']:,}", time(holder["held_ns"]), time(holder["blocked_ns"])])
    click_at(p, "#locks", 0, 6)
    soon(p.say("a click on Max wait shows it"), lambda: p.domain()[0] <= want[0]["longest_start_ns"] <= p.domain()[1] and p.span() < 3 * want[0]["longest_ns"])


# ---- any filter, any window ------------------------------------------------------------------------

def a_filter(p, rnd, k):
    functions = [r["function"] for r in p.want["rows"] if r["function"][0] != "["]
    libraries = sorted({r["library"] for r in p.want["rows"] if r["library"]})
    of = lambda level: [q for q in p.data["places"] if q[1] == level]
    name = lambda: rnd.choice(functions)
    pattern = lambda: rnd.choice([re.escape(name()), "^" + name()[:3], name()[1:4], "[[:upper:]]", "^[a-m]", "(MPI|omp)_?", "a{1,2}|[^_]$"])
    kinds = {"-function": pattern, "-not": pattern, "-caller": pattern, "-callee": pattern, "-library": lambda: rnd.choice(libraries),
             "-depth": lambda: str(rnd.randint(1, 4)), "-min": lambda: rnd.choice(["1us", "20us", "0.5ms", "3ms"]), "-max": lambda: rnd.choice(["5ms", "100us", "1"]),
             "-thread": lambda: ",".join(str(t[4]) for t in rnd.sample(of("thread"), rnd.randint(1, 3))),
             "-process": lambda: str(rnd.choice(of("process"))[4]), "-rank": lambda: rnd.choice(["0", "1,3", "1-2"])}
    words = []
    options = sorted(kinds)
    for option in dict.fromkeys([options[k % len(options)], *rnd.sample(options, rnd.randint(0, 2))]):
        words.append(f"{option} '{kinds[option]()}'")
    return " ".join(words + ["-no-pauses"] * (rnd.random() < .2))


def a_window(p, rnd, k, within=()):
    """All, or a window; one that begins and ends at times that are in `within`."""
    if k % 3 == 0:
        return p.low, p.high, ""
    low, high = sorted(rnd.sample(within or range(1, p.high), 2))
    return low, high, f" -from {low}ns -to {high}ns"


def any_filter(p, n):
    rnd, off, rows, wrong = random.Random(11), [], 0, 0
    for k in range(n):
        line, (low, high, window) = a_filter(p, rnd, k), a_window(p, rnd, k // 11)
        want = asked(f"stats -json {FILES} {line}{window}")
        got = p.js("eztsh.filtered(...arguments).then(s => [eztsh.store.rows(s), s.run], e => e.message)", line, low, high)
        if isinstance(want, str) or isinstance(got, str):
            # a thread that the period lacks is no error of the page, which knows the whole trace
            wrong += 1
            if not isinstance(want, str) or not (isinstance(got, str) or "The period has no" in want):
                off.append((line, window, want, got))
            continue
        figures = lambda rs, of: {(r["function"], r["library"]): {k: of(r, k) for k in KEYS} for r in rs if r["calls"]}
        a, b = figures(got[0], lambda r, k: r[k]), figures(want["rows"], figure)
        rows += len(b)
        # In a window that begins in the sleep with which a thread begins, stats does not count that sleep to the run.
        if a != b or (not window and got[1] != want["run_ns"]):
            off.append((line, window, [got[1], want["run_ns"]], [(f, a.get(f), b.get(f)) for f in set(a) | set(b) if a.get(f) != b.get(f)][:1]))
    check(p.say(f"{n} filters and windows with {rows} rows show what stats shows with them"), not off and rows > n and wrong < n / 2, off[:1])


def any_links(p, n):
    rnd, off, seen = random.Random(5), [], [0, 0]
    place = [q[0] for q in p.data["places"]]
    name = [q[0] for q in p.data["names"]]
    # windows that cut messages and waits
    within = sorted({(m["sent_ns"] + m["received_ns"]) // 2 for m in asked(f"timeline {FILES} -messages 100 -json")["messages"]} |
                    {r["longest_start_ns"] + r["longest_ns"] // 2 for r in asked(f"info locks -rows 0 -json {FILES}")["rows"] if r["longest_ns"]})
    for k in range(n):
        (low, high, window), line = a_window(p, rnd, k, within), rnd.choice(["", "-rank 1", "-rank 0,2"]) if k else ""
        write(p, "#where", line) if line else p.js("void (document.getElementById('where').value = '', document.getElementById('where').onchange())")
        want = {(r["from"], r["to"]): [r[q] for q in ("messages", "bytes", "min", "max", "total_ns", "min_ns", "max_ns")]
                for r in asked(f"stats -messages -json {FILES}{window} {line}")["messages"]}
        got = {(place[m["from"]], place[m["to"]]): [m[q] for q in ("messages", "bytes", "min", "max", "time", "shortest", "longest")]
               for m in p.js("[...eztsh.messages.pairs(...arguments).values()]", low, high)}
        seen[0] += len(got)
        if got != want:
            off.append((line, window, got, want))
        want = [[r["lock"], r["process"], r["kind"] or "", r["taken"], r["busy"], r["held_ns"], r["longest_held_ns"], r["waits"], r["waited_ns"], r["longest_ns"], r["open"], r["nobody_ns"],
                 r["longest_thread"] or "", sorted([h["thread"], h["function"] or "", h["times"], h["held_ns"], h["blocked_ns"]] for h in r["holders"]),
                 sorted([w["thread"], w["holder"] or "", w["waits"], w["waited_ns"], w["longest_ns"]] for w in r["pairs"])] for r in asked(f"info locks -rows 0 -json {FILES}{window} {line}")["rows"]]
        got = [[l["text"], place[l["process"]], l["kind"], l["taken"], l["busy"], l["held"], l["longestHeld"], l["waits"], l["waited"], l["longest"], l["open"], l["nobody"],
                place[l["longestThread"]] if l["waits"] else "", sorted([place[h["container"]], name[h["fn"] - 1] if h["fn"] else "", h["times"], h["held"], h["blocked"]] for h in l["holders"]),
                sorted([place[w["waiter"]], place[w["holder"]] if w["holder"] >= 0 else "", w["waits"], w["waited"], w["longest"]] for w in l["pairs"])] for l in p.js(
                    "(() => { const f = arguments[2] ? eztsh.filters.parse(arguments[2]) : null; return eztsh.locks.sums(arguments[0], arguments[1], f ? (c) => f.shown[c] : undefined)"
                    ".map(l => ({ ...l, kind: l.kind, hold: 0, wait: 0, holders: [...l.holders.values()], pairs: [...l.pairs.values()].map(w => ({ ...w, wait: 0 })) })); })()", low, high, line)]
        seen[1] += len(got)
        key = lambda l: l[:2]
        if sorted(got, key=key) != sorted(want, key=key):
            off.append((line, window, [(a, b) for a, b in zip(sorted(got, key=key), sorted(want, key=key)) if a != b][:1]))
    check(p.say(f"messages and locks of {n} windows are those of stats -messages and info locks"), not off and seen[0] >= 4 and seen[1] > n, off[:1] or seen)


def wrong_filters(p):
    for line, why in (("-functoin x", 'The filter has no option "-functoin"'), ("-function '('", "-function: Invalid regular expression"), ("-rank 77", 'The page has no rank "77"'),
                      ("-min soon", '-min: Invalid time "soon"'), ("-depth 0", "-depth needs a number greater than 0"), ("-function", "-function needs a value"),
                      ("-min 2s -max 1s", "No call is longer than -min and shorter than -max"), ("-where 'n > 1'", "-where needs the values of all calls"),
                      ("-function 'x", "A quote is not closed"), ("-rank 3-1", '"3-1" is an empty range of rank numbers'), ("-rank x", '"x" is no rank')):
        write(p, "#where", line)
        said = p.text("#where-wrong")
        check(p.say(f"{line}: says why"), said.startswith(why) and "\n" not in said, said)
    same(p.say("the figures stay those of the filter before"), "with" in p.js("document.body.dataset.selected"), False)
    p.js("void (document.getElementById('where').value = '', document.getElementById('where').onchange())")
    same(p.say("no filter, no error"), p.text("#where-wrong"), "")


# ---- headings, colors, callers and callees -------------------------------------------------------------

def headings(p):
    p.b.click("#crumbs button")
    names = lambda: p.js("eztsh.lines.map(l => l.name)")
    heads = lambda: p.js("[...document.querySelectorAll('#headings .fold')].map(b => b.getAttribute('aria-expanded'))")
    whole = names()
    same(p.say("each rank has a heading"), heads(), ["true"] * 4)
    p.js("document.querySelector('#headings .fold').focus()")
    p.b.press(ENTER)
    soon(p.say("Enter folds a rank"), lambda: heads()[0] == "false" and len(names()) < len(whole))
    folded = names()
    p.b.press(SPACE)
    soon(p.say("Space unfolds it"), lambda: names() == whole)
    p.b.press(RIGHT)
    p.b.press(ENTER)
    soon(p.say("to the right, Enter selects it"), lambda: " in " in p.js("document.body.dataset.selected"))
    p.b.press(ENTER)
    soon(p.say("and no longer"), lambda: " in " not in p.js("document.body.dataset.selected"))
    p.b.press(LEFT)
    p.b.press(LEFT)
    soon(p.say("an arrow folds it, too"), lambda: names() == folded)
    soon(p.say("the address has that"), lambda: "fold=" in p.js("location.hash"))
    x, y = p.js("(() => { document.getElementById('timeline').scrollIntoView({ block: 'center' }); const l = eztsh.lines[0], r = document.getElementById('timeline').getBoundingClientRect(); return [r.left + r.width * .6, r.top + l.top + 28]; })()")
    p.b.mouse((x - 3, y), (x, y))
    soon(p.say("its row tells what the threads are in"), lambda: re.search(r"^rank 0.*\n(\d+ in |no thread)", p.text("#tip")))
    p.b.click("#headings div:nth-child(2) .name")
    soon(p.say("a click on its name selects a rank"), lambda: p.js("document.body.dataset.selected").endswith("in " + str(p.js("eztsh.lines.filter(l => l.group)[1].group.container"))))
    want = asked(f"stats -json {FILES} -rank 1")
    got = lambda: {(r["function"], r["library"]): (r["calls"], r["self"]) for r in p.js("eztsh.rows")}
    soon(p.say("the table is of that rank"), lambda: got() == {(r["function"], r["library"]): (r["calls"], r["self_ns"]) for r in want["rows"]})
    address = p.js("location.href")
    p.b.go("about:blank")
    p.b.go(address)
    ready(p)
    soon(p.say("the address shows it again"), lambda: names() == folded and got() == {(r["function"], r["library"]): (r["calls"], r["self_ns"]) for r in want["rows"]})
    p.b.click("#crumbs button")
    choose(p, "#order", "name")
    soon(p.say("sorted by name"), lambda: p.js("eztsh.lines.filter(l => l.group).map(l => l.name)") == sorted(q[0] for q in p.data["places"] if q[1] == "process"))
    choose(p, "#order", "trace")


def colors(p):
    legend = lambda: p.js("[...document.querySelectorAll('#legend .item')].map(s => s.textContent)")
    choose(p, "#color", "role")
    same(p.say("the legend of roles has those that there are"), legend(), [n for i, n in enumerate(p.data["role_names"]) if i in p.data["roles"]])
    soon(p.say("the choice is in the address"), lambda: "color=role" in p.js("location.hash"))
    role = {n[0]: p.data["role_names"][r] for n, r in zip(p.data["names"], p.data["roles"])}
    same(p.say("roles are those of the modules"), [role[n] for n in ("kernel", "MPI_Waitall", "Parallel region", "Blocked on a mutex", "[slept]")], ["user code", "MPI", "OpenMP", "locks", "not running"])
    choose(p, "#color", "process")
    same(p.say("or of processes"), legend(), [q[0] for q in p.data["places"] if q[1] == "process"])
    choose(p, "#color", "library")
    check(p.say("or of libraries"), {"answers", "mpi", "openmp", "pthread"} <= set(legend()), legend())
    choose(p, "#color", "function")


def around(p):
    p.b.click("#crumbs button")
    settled(p, f"{p.low} {p.high} null")
    for function in ("exchange", "kernel", "MPI_Waitall"):
        write(p, "#around", function)
        total = next(r for r in p.want["rows"] if r["function"] == function)
        soon(p.say(f"{function} in the middle has its total"), lambda: p.text("#sandwich-of").startswith(f"of {function}: {time(total['total_ns'])}, itself {time(total['self_ns'])}"))
        frames = p.js("[...document.querySelectorAll('#sandwich g')].map(g => g.getAttribute('aria-label').split('\\n'))")
        graph = asked(f"stats -json {FILES} -callee '^{function}$' -depth 1")
        check(p.say("there are callers and callees"), len(frames) > 2 and not isinstance(graph, str), frames)
    callers = [f[0] for f in frames if "was called through here" in f[1]]
    check(p.say("MPI_Waitall was called by exchange, by main"), callers[:2] == ["exchange", "main"], callers)
    p.b.click("#sandwich-close")
    same(p.say("it closes"), p.js("document.getElementById('sandwich-part').hidden"), True)


def longest_obeys(p):
    """Longest, in the window, is not the longest of the trace."""
    calls = [(int(r["start_ns"]), int(r["duration_ns"])) for r in csv.DictReader(open(p.file[:-4] + "csv", encoding="utf-8")) if r["function"] == "update" and r["duration_ns"]]
    best = max(calls, key=lambda c: c[1])
    within = lambda w: [c for c in calls if c[0] >= w[0] and sum(c) <= w[1]]
    low, high = max(((0, best[0] - 1), (best[0] + best[1] + 1, p.high)), key=lambda w: len(within(w)))
    inside = within((low, high))
    p.zoom_to(low, high)
    settled(p, f"{low} {high} null")
    row = next(i for i, r in enumerate(table(p, "#table")) if r[0] == "update")
    click_at(p, "#table", row, len(table(p, "#table")[0]) - 1)
    soon(p.say("the longest call is that of the window"), lambda: facts(p).get("Duration") == time(max(c[1] for c in inside)))
    p.b.click("#call-before")
    p.zoom_to(low, high)
    settled(p, f"{low} {high} null")
    p.b.click("#call-longest")
    soon(p.say("also by the call's button"), lambda: facts(p).get("Duration") == time(max(c[1] for c in inside)))
    p.b.press("\ue00c")


# ---- two sides ------------------------------------------------------------------------------------------

def changes(b, folder):
    """What diff finds, and the timeline before, which moves with the other."""
    os.link(os.path.join(folder, "answers.json"), os.path.join(folder, "compared_.json"))
    os.link(os.path.join(folder, "compared.html"), os.path.join(folder, "compared_.html"))
    p = Page(b, folder, "compared_")
    ready(p)
    want = json.load(open(os.path.join(folder, "compared.json"), encoding="utf-8"))
    rows = table(p, "#changes")
    same(p.say("the rows are those of diff"), [r[:3] for r in rows], [[r["function"], r["library"] or "", r["verdict"] or ""] for r in want["rows"]])
    whole = lambda ns: time(int(ns + .5)) if ns > 0 else "-"
    same(p.say("with its times"), [r[3:5] for r in rows], [[whole(r["total_before_ns"]), whole(r["total_after_ns"])] for r in want["rows"]])
    drawn = lambda: p.js("(() => { const c = document.getElementById('before'); return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data].reduce((a, v, i) => (a * 31 + v * (i % 97)) % 1000003, 7); })()")
    colours = p.js("(() => { const c = document.getElementById('before'); return new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size; })()")
    check(p.say("the run before is drawn"), colours > 5, colours)
    at_first = drawn()
    c = p.js("eztsh.data.compared")
    slice_ns = (c["to"] - c["from"]) / len(c["threads"][0]["slices"])
    change = next(k for t in c["threads"] for k, (a, b) in enumerate(zip(t["slices"], t["slices"][1:])) if a != b)
    low = c["from"] + max(0, change - 3) * slice_ns
    p.zoom_to(low, low + 8 * slice_ns)
    soon(p.say("and zooms with the other"), lambda: drawn() != at_first)
    p.b.click("#zoom-all")
    soon(p.say("and back"), lambda: drawn() == at_first and p.domain() == [p.low, p.high])
    p.zoom_to(0, 2)
    settled(p, "0 2 null")
    check(p.say("a window without kernel"), all(r[0] != "kernel" for r in table(p, "#table")))
    row = next(i for i, r in enumerate(rows) if r[0] == "kernel")
    click_at(p, "#changes", row, 0)
    soon(p.say("a click on a row finds its function, also if the window has no call of it"), lambda: p.js("document.getElementById('find').value") == "kernel")
    p.clean()


def lacking(b, folder):
    """A page without its messages says so."""
    text = open(os.path.join(folder, "answers.html"), encoding="utf-8").read()
    with open(os.path.join(folder, "lacking.html"), "w", encoding="utf-8") as f:
        f.write(text.replace('"many_messages":false,"many_locks":false', '"many_messages":true,"many_locks":true'))
    os.link(os.path.join(folder, "answers.json"), os.path.join(folder, "lacking.json"))
    p = Page(b, folder, "lacking")
    ready(p)
    check(p.say("says that messages and locks are missing"), "Who sends what to whom is not in the page: " in p.text("#notes") and "Locks are not in the page: " in p.text("#notes"), p.text("#notes"))
    same(p.say("and has no empty tables"), p.js("[document.getElementById('messages-part').hidden, document.getElementById('locks-part').hidden]"), [True, True])
    p.clean()


# ---- names that want to be more ------------------------------------------------------------------------

def hostile(b, folder):
    """Every text of the page's data is markup; nothing of it becomes an element."""
    evil = "<img src=x onerror='document.title=1'><script>document.title=2</script>\u202e"
    text = open(os.path.join(folder, "answers.html"), encoding="utf-8").read()
    begin = text.index(">", text.index('<script type="application/json" id="data"')) + 1
    end = text.index("</script>", begin)
    data = json.loads(text[begin:end])
    spoil = lambda t: evil + t
    data["title"] = spoil(data["title"])
    data["notes"] = [evil]
    data["names"] = [[spoil(n[0]), spoil(n[1]), *n[2:]] for n in data["names"]]
    data["places"] = [[spoil(q[0]), *q[1:]] for q in data["places"]]
    data["role_names"] = [spoil(n) for n in data["role_names"]]
    data["locks"] = [[spoil(n), q] for n, q in data["locks"]]
    data["threads"] = [{**t, "name": spoil(t["name"]), "process": spoil(t["process"])} for t in data["threads"]]
    data["rows"] = [{**r, "function": spoil(r["function"]), "library": spoil(r["library"])} for r in data["rows"]]
    data["flame"]["name"] = [spoil(n) for n in data["flame"]["name"]]
    data["vars"] = [{**v, "unit": spoil(v["unit"])} for v in data["vars"]]
    other = open(os.path.join(folder, "compared.html"), encoding="utf-8").read()
    at = other.index(">", other.index('<script type="application/json" id="data"')) + 1
    data["compared"] = c = json.loads(other[at:other.index("</script>", at)])["compared"]
    c["title"], c["names"] = spoil(c["title"]), [spoil(n) for n in c["names"]]
    c["rows"] = [{**r, "function": spoil(r["function"]), "library": spoil(r["library"]), "verdict": spoil(r["verdict"])} for r in c["rows"]]
    c["threads"] = [{**t, "name": spoil(t["name"])} for t in c["threads"]]
    with open(os.path.join(folder, "evil.html"), "w", encoding="utf-8") as f:
        f.write(text[:begin] + json.dumps(data).replace("<", "\\u003c") + text[end:])
    os.link(os.path.join(folder, "answers.json"), os.path.join(folder, "evil.json"))
    p = Page(b, folder, "evil")
    ready(p)
    for mode in ("role", "process", "library", "function"):
        choose(p, "#color", mode)
    for line in (evil, f"-function \"{evil}(\"", "-rank \"" + evil + "\"", "-rank 1"):
        write(p, "#where", line)
    settled(p, "-rank 1")
    write(p, "#around", evil + "kernel")
    soon(p.say("its callers are drawn"), lambda: p.js("document.querySelectorAll('#sandwich g').length") > 2)
    p.b.click("#crumbs button")
    p.b.click("#fold-all")
    settled(p, f"{p.low} {p.high} null")
    until(WAIT, "the matrix", lambda: p.js("document.querySelectorAll('#matrix td.some').length") == 4)
    p.js("document.querySelector('#matrix td.some').click()")
    p.b.mouse(p.js("(() => { const e = document.querySelector('#matrix td.some'); e.scrollIntoView({ block: 'center' }); const r = e.getBoundingClientRect(); return [r.left + 4, r.top + 4]; })()"))
    soon(p.say("a cell tells names as they are"), lambda: "<img src=x" in p.text("#tip"))
    click_at(p, "#locks", 0, 0)
    soon(p.say("so does a lock"), lambda: table(p, "#waits") and "<img src=x" in table(p, "#waits")[0][0] and "<script>" in p.text("#lock-name"))
    same(p.say("no text turned round"), "\u202e" in p.js("document.querySelector('#locks-part').innerText + document.querySelector('#headings').innerText"), False)
    p.clean()


def judge(b, folder):
    p = Page(b, folder, "answers")
    ready(p)
    which_rank_computes_longest(p)
    who_waits_for_whom(p)
    longest_call_of_mpi(p)
    what_happened_in_a_window(p)
    which_lock_is_waited_for_most(p)
    headings(p)
    colors(p)
    around(p)
    longest_obeys(p)
    wrong_filters(p)
    any_filter(p, 45)
    any_links(p, 12)
    p.clean()
    changes(b, folder)
    lacking(b, folder)
    hostile(b, folder)


folder = sys.argv[1]
with_browser("answers", folder, judge)
sys.exit(bool(bad))
