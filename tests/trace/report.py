#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""report.py FOLDER EZTSH: the pages demo, hostile, one and both in it, judged in a browser (page.py). Each page stands
beside the output of `stats -json` for the same traces.
"""
import csv
import json
import os
import random
import subprocess
import sys

from page import WAIT, Page, bad, check, figure, same, soon, time
from webdriver import ELEMENT, until, with_browser


def selections(p, files, windows):
    """Any window, of all threads or one, adds up to what `stats -from -to` says of it."""
    until(WAIT, "the chunks", lambda: p.js("+document.body.dataset.chunks") > 0)
    chunks = p.js("eztsh.store.chunks.map(c => [c.container, c.t0, c.t1, c.events])")
    tids = {t["container"]: t["name"] for t in p.data["threads"]}
    rnd, off, rows = random.Random(7), [], 0
    edges = [t for c in chunks for t in c[1:3]]
    for k in range(windows):
        low, high = sorted(rnd.choice((rnd.randrange(p.high), rnd.choice(edges), max(0, rnd.choice(edges) - 1))) for _ in "ab")
        high += low == high
        low += low == 0 and high >= max(edges)  # the whole trace has functions that were only counted, too
        container = rnd.choice(chunks)[0] if k % 4 == 3 else None
        tid = "" if container is None else " -thread " + tids[container].split()[-1].strip("()")
        # a thread by its number, which ends its name
        said = subprocess.run([sys.argv[2], "-nx", "-batch", "-ex", f"stats -json {files} -from {low}ns -to {high}ns{tid}"],
                              capture_output=True, text=True, check=False)
        want = json.loads(said.stdout) if said.returncode == 0 else {"rows": [], "run_ns": 0}
        got, run = p.js("eztsh.store.select(...arguments, () => false).then(s => [eztsh.store.rows(s), s.run])", low, high, container)
        keys = ("calls", "timed", "cut", "unwound", "total", "self", "paused", "mean", "min", "p50", "p90", "p99", "max")
        figures = lambda rs, of: {(r["function"], r["library"]): {k: of(r, k) for k in keys} for r in rs if r["calls"]}
        a, b = figures(got, lambda r, k: r[k]), figures(want["rows"], figure)
        b = {n: v for n, v in b.items() if n[0] != "work" or v["timed"] or v["cut"]}  # calls that were only counted have no time
        rows += len(b)
        wrong = [(n, {k: (a.get(n, {}).get(k), v) for k, v in b[n].items() if a.get(n, {}).get(k) != v}) for n in b if a.get(n) != b[n]]
        wrong += [(n, "is not in stats") for n in a if n not in b]
        if wrong or run != want["run_ns"]:
            off.append((low, high, tid, [run, want["run_ns"]], wrong))
    check(p.say(f"{windows} windows with {rows} rows add up as stats -from -to"), not off and rows > windows, off[:1])


def gestures(p, files):
    """Clicks and keys change the selection; the page shows the same again from its address."""
    rows = list(csv.DictReader(open(p.file[:-4] + "csv", encoding="utf-8")))
    rows = [{**r, "start": int(r["start_ns"]), "ns": int(r["duration_ns"]), "depth": int(r["depth"])} for r in rows if r["duration_ns"]]
    steps = [r for r in rows if r["function"] == "step"]
    best = max(steps, key=lambda r: r["ns"])
    t = next(i for i, h in enumerate(p.data["threads"]) if h["name"] == best["thread"])
    container, name = p.data["threads"][t]["container"], next(i for i, n in enumerate(p.data["names"]) if n[0] == "step")
    selected = lambda: p.js("document.body.dataset.selected")
    the_call = lambda: p.js("document.body.dataset.call")
    facts = lambda: dict(p.js("[...document.querySelectorAll('#call-facts tr')].map(r => [...r.cells].map(c => c.textContent))"))
    until(WAIT, "the chunks", lambda: p.js("+document.body.dataset.chunks") > 0)

    # the bars, and the flame graph upside down
    said = subprocess.run([sys.argv[2], "-nx", "-batch", "-ex", f"stats -json -by thread,function {files}"], capture_output=True,
                          text=True, check=True)
    work = {}
    for r in json.loads(said.stdout)["rows"]:
        work[r["thread"]] = work.get(r["thread"], 0) + (0 if r["pause"] else r["self_ns"])
    bars = lambda: {r[0]: r[1] for r in p.js("[...document.querySelectorAll('#thread-bars > div')].map(d => [...d.children].map(c => c.textContent))")}
    soon(p.say("a bar for each thread has its time in calls"), lambda: bars() == {n: time(w) for n, w in work.items()})
    same(p.say("the busiest one stands out"), p.js("[...document.querySelectorAll('#thread-bars .most span')].map(s => s.textContent)[0]"),
         max(work, key=work.get) if max(work.values()) > 1.1 * sum(work.values()) / len(work) else None)
    p.b.write("#find", "kernel_row")
    kernel = {n: sum(r["self_ns"] for r in json.loads(said.stdout)["rows"] if r["thread"] == n and r["function"] == "kernel_row") for n in work}
    soon(p.say("or in the functions that are searched for"), lambda: bars() == {n: time(w) for n, w in kernel.items()})
    p.js("void (document.getElementById('find').value = '', document.getElementById('find').oninput())")
    p.b.click("#callers")
    bottom = lambda: {d[0]: d[1] for d in p.js("[...document.querySelectorAll('#flame g')].map(g => d3.select(g).datum())"
                                               ".filter(d => d.depth === 1).map(d => [d.data.name, d.value])")}
    own = {r["function"]: r["self_ns"] for r in p.want["rows"]}
    # what is below 0.01 % is apart, and what is narrower than half a pixel is not drawn
    soon(p.say("callers on callees: at the bottom is the time of each function alone"),
         lambda: max(own, key=own.get) in bottom() and all(.98 * own[n] <= v <= own[n] for n, v in bottom().items() if n != "[small]"))
    p.b.click("#callers")

    # a click on the name of a thread
    p.b.mouse(p.js("eztsh.spot(arguments[0], 0, null)", t), "down", "up")
    soon(p.say("a click on a thread selects it"), lambda: selected().endswith(f" {t}"))
    said = subprocess.run([sys.argv[2], "-nx", "-batch", "-ex", f"stats -json {files} -thread '{best['thread']}'"],
                          capture_output=True, text=True, check=True)
    want = json.loads(said.stdout)["rows"]
    got = lambda: {r["function"]: (r["calls"], r["self"]) for r in p.js("eztsh.rows")}
    soon(p.say("the table is of that thread"), lambda: got() == {r["function"]: (r["calls"], r["self_ns"]) for r in want})
    p.b.mouse(p.js("eztsh.spot(arguments[0], 0, null)", t), "down", "up")
    soon(p.say("a second click selects all"), lambda: selected().endswith(" null"))

    # a click on a call
    low, high = max(p.low, best["start"] - best["ns"]), min(p.high, best["start"] + 2 * best["ns"])
    p.zoom_to(low, high)
    soon(p.say("the window is in the address"), lambda: f"to={high}" in p.js("location.hash"))
    p.b.mouse(p.js("eztsh.spot(...arguments)", t, best["depth"], best["start"] + best["ns"] // 2), "down", "up")
    soon(p.say("a click on a call shows it"), lambda: the_call() == f"{container} {best['start']} {best['depth']}")
    inside = [r for r in rows if r["thread"] == best["thread"] and r["depth"] == best["depth"] + 1 and best["start"] <= r["start"] and
              r["start"] + r["ns"] <= best["start"] + best["ns"]]
    same(p.say("with its time"), facts()["Duration"], time(best["ns"]))
    same(p.say("and its own"), facts()["Self"], time(best["ns"] - sum(r["ns"] for r in inside)))
    callees = p.js("[...document.querySelectorAll('#callees tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    sums = {f: [r["ns"] for r in inside if r["function"] == f] for f in {r["function"] for r in inside}}
    same(p.say("and what it called"), {c[0].split(" (")[0]: c[1:] for c in callees}, {f: [str(len(n)), time(sum(n))] for f, n in sums.items()})
    soon(p.say("the call is in the address"), lambda: "call=" in p.js("location.hash"))
    address = p.js("location.href")

    # keys and buttons
    mine = sorted((r for r in steps if r["thread"] == best["thread"]), key=lambda r: r["start"])
    at = mine.index(best)
    for key, path in ((".", mine[at + 1:at + 6]), (",", mine[max(0, at + len(mine[at + 1:at + 6]) - 5):at + len(mine[at + 1:at + 6])][::-1])):
        for r in path:
            p.b.press(key)
            until(WAIT, "the neighbour", lambda r=r: the_call() == f"{container} {r['start']} {r['depth']}")
    check(p.say("the keys . and , visit the calls of a function in order"), True)
    kernel = max((r for r in rows if r["function"] == "kernel_row"), key=lambda r: r["ns"])
    p.b.click("#zoom-all")
    soon(p.say("all of it again"), lambda: selected() == f"{p.low} {p.high} null")
    row = p.js("[...document.querySelectorAll('#table tbody tr')].findIndex(r => r.cells[0].textContent === 'kernel_row')")
    p.b.click(f"#table tbody tr:nth-child({row + 1}) td:last-child")
    soon(p.say("a click on Max shows the longest call"), lambda: the_call().split()[1] == str(kernel["start"]) and facts()["Duration"] == time(kernel["ns"]))
    p.b.click("#call-caller")
    around = next(r for r in steps if r["thread"] == kernel["thread"] and r["start"] <= kernel["start"] and
                  kernel["start"] + kernel["ns"] <= r["start"] + r["ns"])
    soon(p.say("Caller shows what is around it"), lambda: the_call().split()[1] == str(around["start"]))
    p.b.press("\ue00c")
    soon(p.say("Escape closes"), lambda: p.js("document.getElementById('call').hidden"))

    # the address, back, the way up
    p.b.go("about:blank")
    p.b.go(address)
    soon(p.say("the address shows the call again"), lambda: the_call() == f"{container} {best['start']} {best['depth']}")
    same(p.say("in the same window"), [round(n) for n in p.domain()], [low, high])
    p.b.click("#zoom-out")
    soon(p.say("a wider window"), lambda: p.span() > 1.1 * (high - low) and p.js("location.href") != address)
    p.js("void history.back()")
    soon(p.say("back is the window before"), lambda: abs(p.span() - (high - low)) < 2 and p.js("location.href") == address)
    p.b.click("#crumbs button")
    soon(p.say("the first of the crumbs is all"), lambda: selected() == f"{p.low} {p.high} null" and p.js("document.getElementById('call').hidden"))


def addresses(b, folder):
    """An address that asks for what there is not shows what there is."""
    p = Page(b, folder, "demo")
    end = p.high
    for address, window in (("from=-1e9&to=5", [0, 5]), ("from=-Infinity&to=Infinity", [0, end]), ("from=1e30&to=2e30", [0, end]),
                            ("from=-1&to=NaN&thread=99999&call=a.b.c.d", [0, end]), ("from=10.5&to=1e300", [10, end]),
                            ("from=7&to=7&call=0.0.0.0&find=%5B%28", [0, end]), ("%%%&from=&to=", [0, end])):
        b.go("about:blank")
        b.go("file://" + p.file + "#" + address)
        selected = lambda: p.js("document.body.dataset.chunks && document.body.dataset.selected")
        soon(p.say(f"#{address} shows a part that there is"), lambda w=window: selected() == f"{w[0]} {w[1]} null")
        same(p.say("and nothing else"), [round(n) for n in p.domain()], window)
        same(p.say("in numbers"), "NaN" in p.js("document.body.innerText"), False)
    b.go("file://" + p.file + "#from=1000000&to=2000000")
    soon(p.say("a millisecond is none less"), lambda: p.text("#window").startswith("1.000 ms to 2.000 ms (1.00 ms), "))
    p.clean()


def lacking(b, folder):
    """A page without its calls, for an old browser or because its file is damaged, says what its table is of."""
    low, high = 10**6, 2 * 10**6
    p = Page(b, folder, "demo")
    until(WAIT, "the chunks", lambda: p.js("+document.body.dataset.chunks") > 0)
    check(p.say("the table is of what is shown"), "are of what the timeline shows" in p.text("#select"), p.text("#select"))

    def whole(p, why, word):
        soon(p.say(f"{why}: that is told"), lambda: word in p.text("#notes") + p.text("#select"))
        p.zoom_to(low, high)
        soon(p.say("the table does not pretend to be of a part"), lambda: p.text("#of") == p.text("#flame-of") == "of the whole page, not of this part")
        p.table()
        soon(p.say("no bars"), lambda: p.js("document.getElementById('bars').hidden"))
        check(p.say("nor do the words"), "whatever the timeline shows" in p.text("#notes") + p.text("#select"))
        p.b.click("#zoom-all")
        soon(p.say("which all is"), lambda: p.text("#of") == "")

    whole(Page(b, folder, "little"), "too many calls", "more room than -max-size")
    for source in ("delete window.DecompressionStream", "window.DecompressionStream = class { constructor() { throw TypeError('no such format'); } }"):
        there = b.devtools("Page.addScriptToEvaluateOnNewDocument", source=source)
        whole(Page(b, folder, "demo"), "an old browser", "This browser cannot unpack the calls")
        b.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=there["identifier"])
    there = b.devtools("Page.addScriptToEvaluateOnNewDocument", source="delete Uint8Array.fromBase64")
    p = Page(b, folder, "demo")
    soon(p.say("without fromBase64 all calls are there"), lambda: p.js("+document.body.dataset.chunks") > 0)
    p.clean()
    b.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=there["identifier"])
    text = open(p.file, encoding="utf-8").read()
    chunk = text.index(">", text.index(' id="c0"')) + 1
    broken = {"flipped": text[:chunk + 200] + "A" * 60 + text[chunk + 260:], "ended": text[:text.index("<script", text.index(' id="sums"')) + 10],
              "scriptless": text[:text.index(' id="data"') + 5000]}
    for name, part in broken.items():
        with open(os.path.join(folder, name + ".html"), "w", encoding="utf-8") as f:
            f.write(part)
        os.link(os.path.join(folder, "demo.json"), os.path.join(folder, name + ".json"))
    p = Page(b, folder, "flipped")
    until(WAIT, "the chunks", lambda: p.js("document.body.dataset.chunks"))
    p.zoom_to(low, high)
    whole(p, "a bad chunk", "This page is damaged")
    whole(Page(b, folder, "ended"), "no end", "This page is damaged")
    b.go("file://" + os.path.join(folder, "scriptless.html"))
    check("scriptless: half a page says so", "the file is not complete" in b.js("document.body.innerText"))
    p = Page(b, folder, "demo")
    check(p.say("which a whole one does not"), "the file is not complete" not in p.js("document.body.innerText"))


def points(p):
    """Where the timeline shows few chunks it draws all points, as many as the table counts."""
    until(WAIT, "the chunks", lambda: p.js("+document.body.dataset.chunks") > 0)
    check(p.say("not all points are apart in the page"), len(p.data["points"]) / 3 < 6000 == p.data["all_points"])
    check(p.say("the page says where the others are"), "points of 6,000 are drawn, evenly over the trace; all others appear where you zoom in." in
          p.text("#drawn"), p.text("#drawn"))
    p.zoom_to(1000000, 1100000)
    counted = lambda: p.js("eztsh.rows.reduce((n, r) => n + r.points, 0)")
    soon(p.say("zoomed in, all are"), lambda: p.js("+document.body.dataset.points") == counted() == 101)
    soon(p.say("and nothing says that some are not"), lambda: p.js("document.getElementById('drawn').hidden"))
    p.b.click("#zoom-all")
    p.clean()


def turned(b, folder):
    """A thread's name that turns the direction of text; a variable with many digits."""
    text = open(os.path.join(folder, "hostile.html"), encoding="utf-8").read()
    text = text.replace("long name 3 4245", "long name \u202e 3 4245").replace('"steps":[', '"steps":[0,-40.000139274000012,-40,', 1)
    with open(os.path.join(folder, "turned.html"), "w", encoding="utf-8") as f:
        f.write(text)
    os.link(os.path.join(folder, "hostile.json"), os.path.join(folder, "turned.json"))
    p = Page(b, folder, "turned")
    soon(p.say("a name cannot turn its number round"), lambda: any(n.endswith(" \ufffd 3 4245") for n in
         p.js("[...document.querySelectorAll('#thread-bars span:first-child')].map(s => s.textContent)")))
    x, y = p.js("(v => { eztsh.spot(v.thread, 0, null); const c = document.getElementById('timeline'), r = c.getBoundingClientRect();"
                " return [r.left + 10, eztsh.spot(v.thread, 0, null)[1]]; })(eztsh.data.vars[0])")
    for dy in range(0, 60, 6):
        p.b.mouse((x, y + dy))
        if "speed" in p.text("#tip"):
            break
    check(p.say("a range has few digits"), p.text("#tip").endswith("-40 to 56"), p.text("#tip"))


def keyboard(p):
    """All that a mouse chooses is chosen without one."""
    rows = [r for r in csv.DictReader(open(p.file[:-4] + "csv", encoding="utf-8")) if r["duration_ns"]]
    the_call = lambda: p.js("document.body.dataset.call")
    up, down, enter, tab = "\ue013", "\ue015", "\ue007", "\ue004"
    focus = lambda selector: p.js("void document.querySelector(arguments[0]).focus()", selector)
    here = lambda: p.js("document.activeElement.textContent")
    until(WAIT, "the chunks", lambda: p.js("+document.body.dataset.chunks") > 0)
    until(WAIT, "the bars", lambda: p.js("document.querySelectorAll('#thread-bars div').length") > 0)

    def tabs():  # what Tab visits
        focus("#zoom-in")
        seen = []
        while len(seen) < 60 and p.js("document.activeElement !== document.body"):
            seen.append(p.js("(e => e.id || (e.closest('#table, #thread-bars, #flame') || e).id + ' ' + e.tagName.toLowerCase())(document.activeElement)"))
            p.b.press(tab)
        return seen

    seen = tabs()
    for stop in ("timeline", "table tr", "thread-bars div", "flame g"):
        same(p.say(f"Tab visits {stop} once"), seen.count(stop), 1)
    names = p.column(0)
    focus("#table tbody tr")
    p.b.press(down)
    check(p.say("an arrow goes to the next row"), here().startswith(names[1]) and tabs().count("table tr") == 1, here())
    focus("#table tbody tr:nth-child(2)")
    p.b.press(up)
    check(p.say("and back"), here().startswith(names[0]), here())
    p.b.press(enter)
    same(p.say("Enter finds the function"), p.js("document.getElementById('find').value"), names[0])
    p.b.press(enter)
    k = names.index("kernel_row")
    focus(f"#table tbody tr:nth-child({k + 1})")
    p.b.press("l")
    longest = max((r for r in rows if r["function"] == "kernel_row"), key=lambda r: int(r["duration_ns"]))
    soon(p.say("l shows its longest call"), lambda: (the_call() or "? ?").split()[1] == longest["start_ns"])
    focus("#call-next")
    p.b.press("\ue00c")
    same(p.say("Escape leaves the focus on the timeline"), p.js("[document.getElementById('call').hidden, document.activeElement.id]"), [True, "timeline"])
    p.b.press("0")
    selected = lambda: p.js("document.body.dataset.selected")
    for key, thread in (("\ue00f", "0"), ("\ue00f", "1"), ("\ue00e", "0"), ("\ue00e", "null"), ("\ue00e", str(len(p.data["threads"]) - 1))):
        p.b.press(key)
        soon(p.say(f"Page Up and Page Down select thread {thread}"), lambda t=thread: selected() == f"{p.low} {p.high} {t}")
    p.b.press(enter)
    name = p.data["threads"][-1]["name"]
    outer = max((r for r in rows if r["thread"] == name and r["depth"] == "0" and not r["function"].startswith("[")), key=lambda r: int(r["duration_ns"]))
    soon(p.say("Enter shows its longest call"), lambda: the_call().split()[1] == outer["start_ns"])
    p.b.press("\ue00c")
    p.b.press("\ue00f")
    focus("#thread-bars div")
    p.b.press(down)
    p.b.press(enter)
    soon(p.say("Enter on a bar selects its thread"), lambda: selected() == f"{p.low} {p.high} 1")
    p.b.press(enter)
    soon(p.say("and again selects all"), lambda: selected() == f"{p.low} {p.high} null")
    focus("#flame g[tabindex='0']")
    p.b.press(up)
    frame = p.js("document.activeElement.getAttribute('aria-label')")
    p.b.press(enter)
    check(p.say("Enter on a frame zooms to it"), p.text("#flame-at").split(", ")[0] == frame.split("\n")[0] != "all", [frame, p.text("#flame-at")])
    p.b.press(down)
    p.b.press(enter)
    check(p.say("and on the one below comes back"), p.text("#flame-at").startswith("all, "), p.text("#flame-at"))
    p.clean()


def marks(p):
    """The points, links and variables that tests/trace/hostile.c wrote."""
    drawn = p.text("#drawn")
    for what in ("All 400 points are drawn.", "All 200 links are drawn."):
        check(p.say(what), what in drawn, drawn)
    speed = [i * i % 97 - 40 for i in range(200)]
    variables = {p.data["names"][v["name"]][0]: v for v in p.data["vars"]}
    same(p.say("variables are there"), [len(p.data["vars"]), set(variables)], [25, {"<script>speed", "queue"}])
    steps = variables["<script>speed"]["steps"]
    same(p.say("from the lowest to the highest value"), [min(steps[1::3]), max(steps[2::3]), steps[-1]], [min(speed), max(speed), speed[-1]])
    same(p.say("every thread has its line"), [t["process"] == p.data["threads"][0]["name"] for t in p.data["threads"]], [False] + [True] * 24)


def ten_ns(b, folder):
    """No slice is shorter than a nanosecond, and a call that is says so."""
    p = Page(b, folder, "short")
    names, recurse, none = p.data["names"], "recurse", -1
    strip = [names[s][0] if s >= 0 else s for s in p.data["threads"][0]["slices"]]
    same(p.say("a slice is a nanosecond"), p.data["slice_ns"], 1)
    same(p.say("each has what it shows"), strip, [recurse] * 3 + [none] * 4 + [recurse] * 3 + [none])
    same(p.say("and counts"), [sum(p.data["begun"]), sum(p.data["ended"]), p.data["begun"][5], p.data["ended"][5]], [3, 3, 1, 1])
    i = next(k for k, c in enumerate(p.calls) if names[c[2]][0] == "never_ends")
    x, y = p.js("eztsh.where(arguments[0])", i)
    p.b.mouse((x - 3, y), (x, y))
    soon(p.say("a call of no length tells that"), lambda: "less than 1 ns from" in p.text("#tip"))


def many(b, folder):
    """A trace with more calls than a page draws: the page says how many there are, also of each
    window; a page of a window draws all of them."""
    p = Page(b, folder, "many")
    calls = p.all_calls()
    there = lambda low, high: sum(s <= high and e >= low for s, e, _ in calls)
    drawn = sum(not p.pause(c) for c in p.calls)
    check(p.say("not all calls are drawn"), drawn < len(calls), drawn)
    same(p.say("the window tells how many there are"), p.text("#window").split("), ")[1], f"{drawn:,} of {len(calls):,} calls drawn")
    low, high = 1 * 10**9, 1 * 10**9 + 10**7
    p.zoom_to(low, high)
    soon(p.say("zoomed in, all calls are drawn"), lambda: p.js("eztsh.dense() && eztsh.visible()") == there(low, high))
    soon(p.say("in words"), lambda: p.text("#window").endswith(f"{there(low, high):,} calls"))
    check(p.say("the page says so"), "all others appear where you zoom in" in p.text("#drawn"), p.text("#drawn"))
    little = Page(b, folder, "little")
    until(WAIT, "that there are no chunks", lambda: little.js("document.body.dataset.chunks") == "0")
    check(little.say("the longest calls alone, and what has all"), "-max-size SIZE makes a page with" in little.text("#drawn"),
          little.text("#drawn"))
    little.zoom_to(low, high)
    same(little.say("the table is still that of the whole trace"), little.js("eztsh.rows.length"), len(little.want["rows"]))
    little.table()
    deep = Page(b, folder, "deep")
    check(deep.say("300 calls inside each other are drawn"), max(c[1] for c in deep.calls) == 299, "")
    same(deep.say("and all others"), deep.js("eztsh.visible()"), deep.data["all_calls"])
    part = Page(b, folder, "part")
    want = there(low, high)
    same(part.say("all calls of the window"), [part.data["all_calls"], part.js("eztsh.visible()")], [want, want])
    same(part.say("the window tells so"), part.text("#window").split("), ")[1], f"{want:,} calls")
    part.facts()
    same(part.say("shows that time alone"), part.domain(), [low, high])
    part.not_blank("in it")
    part.table()
    part.zooming()
    part.flames("compute")
    part.tooltip("compute")
    part.tooltip("[preempted]")
    part.clean()


def judge(b, folder):
    in_ = lambda *names: " ".join(os.path.join(folder, n + ".fxt") for n in names)
    for name, files, windows in (("many", in_("many"), 30), ("demo", in_("demo"), 30), ("hostile", in_("hostile"), 30),
                                 ("both", in_("demo", "jumps"), 20), ("short", in_("short"), 20)):
        selections(Page(b, folder, name), files, windows)
    many(b, folder)
    demo = Page(b, folder, "demo")
    demo.everything("kernel_row", "step")
    gestures(Page(b, folder, "demo"), in_("demo"))
    points(Page(b, folder, "points"))
    turned(b, folder)
    keyboard(Page(b, folder, "demo"))
    addresses(b, folder)
    lacking(b, folder)
    hostile = Page(b, folder, "hostile")
    marks(hostile)
    names = [n[0] for n in hostile.data["names"]]
    hostile.everything(next(n for n in names if n.startswith("</script>")), next(n for n in names if n.startswith("<img")))
    hostile.tooltip("never_ends")
    hostile.tooltip(next(n for n in names if n.startswith("NNN")))
    both = Page(b, folder, "both")
    both.facts()
    both.table()
    both.flames("kernel_row")
    both.shown_right("of both")
    both.clean()
    ten_ns(b, folder)
    one = Page(b, folder, "one")
    one.facts()
    same(one.say("nothing is not a number"), "NaN" in one.js("document.body.innerText"), False)
    one.clean()


folder = sys.argv[1]
with_browser("report", folder, judge)
sys.exit(bool(bad))
