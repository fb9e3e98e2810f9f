#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""report.py FOLDER: the pages demo, hostile, one and both in it, judged in a browser.

Prints "ok - ", "not ok - " and "skip - " lines. Each page stands beside the output of
`stats -json` for the same traces. Nothing sleeps for a fixed time.
"""
import csv
import decimal
import html.parser
import json
import os
import sys

from webdriver import ELEMENT, Browser, until

WAIT = 15
bad = []


def check(name, true, why=""):
    print(f"ok - {name}" if true else f"not ok - {name}" + (f": {why}" if why != "" else ""), flush=True)
    if not true:
        bad.append(name)


def same(name, got, want):
    check(name, got == want, f"{str(got)[:300]} is not {str(want)[:300]}")


def soon(name, test):
    try:
        until(WAIT, name, test)
        check(name, True)
    except TimeoutError as e:
        check(name, False, str(e))


def time(ns):
    """The time as the page writes it, rounded as JavaScript does."""
    for unit, digits, word in ((10**9, 3, "s"), (10**6, 2, "ms"), (10**3, 2, "us"), (1, 0, "ns")):
        if ns >= unit or unit == 1:
            exact = decimal.Decimal(ns / unit)
            return f"{exact.quantize(decimal.Decimal(1).scaleb(-digits), decimal.ROUND_HALF_UP)} {word}"


def figure(row, key):
    """What `stats -json` has of a column of the page."""
    if key == "mean":
        return row["sum_ns"] // row["timed"] if row["timed"] else 0
    return row[key] if key in row else row[key + "_ns"]


def cell(row, column):
    """What the page's table has of it."""
    if column["kind"] == "text":
        return row[column["key"]]
    if not {"all": True, "timed": row["timed"] + row["cut"], "whole": row["timed"]}[column["of"]]:
        return "-"
    n = figure(row, column["key"])
    return f"{n:,}" if column["kind"] == "count" else time(n)


class References(html.parser.HTMLParser):
    found = ()

    def handle_starttag(self, tag, attrs):
        self.found += tuple(v for k, v in attrs if k in ("src", "href", "action", "data"))


class Page:
    """One page that the browser shows, and the data that it should show."""

    def __init__(self, browser, folder, name):
        self.b, self.name, self.file = browser, name, os.path.join(folder, name + ".html")
        self.want = json.load(open(os.path.join(folder, name + ".json"), encoding="utf-8"))
        self.b.logs("browser")
        self.b.logs("performance")
        self.b.go("file://" + self.file)
        soon(f"{name}: the page gets ready", lambda: self.js("document.body.dataset.ready"))
        self.data = self.js("eztsh.data")
        flat = self.data["calls"]
        self.low, self.high = self.data["from"], max(self.data["from"] + 1, self.data["to"])
        self.calls = [flat[i:i + 6] for i in range(0, len(flat), 6)]

    def js(self, script, *args):
        return self.b.js(script, *args)

    def say(self, what):
        return f"{self.name}: {what}"

    def domain(self):
        return self.js("eztsh.domain()")

    def span(self):
        low, high = self.domain()
        return high - low

    def text(self, selector):
        return self.js("document.querySelector(arguments[0]).textContent", selector)

    def column(self, n):
        return self.js("[...document.querySelectorAll('#table tbody tr')].map(r => r.cells[arguments[0]].textContent)", n)

    def clean(self):
        """No errors, no request to a network, and no name was interpreted as markup or script."""
        said = [e for e in self.b.logs("browser") if "getImageData" not in e["message"]]  # a warning about this test's own reading
        same(self.say("no errors in the browser's console"), said, [])
        asked = [json.loads(e["message"])["message"] for e in self.b.logs("performance")]
        urls = {e["params"]["request"]["url"][:80] for e in asked if e["method"] == "Network.requestWillBeSent"}
        other = {u for u in urls if not u.startswith(("file://" + self.file[:60], "data:"))}
        same(self.say("nothing was asked of a network"), other, set())
        parser = References()
        parser.feed(open(self.file, encoding="utf-8").read())
        same(self.say("nothing refers to elsewhere"), {r for r in parser.found if r != "data:,"}, set())
        same(self.say("no name became an element"), self.js(
            "[document.scripts.length, document.images.length, document.querySelectorAll('b,i,s,u').length]"), [3, 0, 0])
        same(self.say("the title is the trace's"), self.js("document.title"), self.data["title"] + " - eztsh report")

    def facts(self):
        facts = self.text("#facts")
        for n, what in ((self.want["events"], "event"), (self.want["threads"], "thread")):
            words = f"{n:,} {what}" + ("" if n == 1 else "s")
            check(self.say(f"facts tell the number of {what}s"), words in facts.split(" \u00b7 "), facts)
        same(self.say("span"), self.data["span"], self.want["span_ns"])
        same(self.say("number of calls"), self.data["all_calls"], sum(r["timed"] + r["cut"] for r in self.want["rows"] if not r["pause"]))

    def table(self):
        columns = [dict(zip(("key", "heading", "kind", "of", "part"), c)) for c in self.data["columns"]]
        known = {"function", "library", "calls", "total", "share", "self", "selfshare", "mean", "min", "p50", "p90", "p99", "max"}
        same(self.say("the table has its columns"), known - {c["key"] for c in columns}, set())
        key = lambda r: (r["function"], r["library"])
        got = sorted(self.data["rows"], key=key)
        want = sorted(self.want["rows"], key=key)
        same(self.say("as many rows as stats has"), [self.js("+document.body.dataset.rows"), len(got)], [len(want)] * 2)
        figures = {"timed", "cut", "unwound"} | {c["key"] for c in columns if c["kind"] in ("count", "time")}
        off = [(key(g), k) for g, w in zip(got, want) for k in figures if key(g) != key(w) or g[k] != figure(w, k)]
        same(self.say("the rows are those of stats -json"), off, [])
        same(self.say("calls that were unwound have a column"), any(c["key"] == "unwound" for c in columns), any(r["unwound"] for r in want))
        same(self.say("the heads are the columns'"), self.js("[...document.querySelectorAll('#table th')].map(c => c.textContent)"),
             [c["heading"] for c in columns])
        cells = self.js("[...document.querySelectorAll('#table tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
        shown = [[t for t, c in zip(row, columns) if c["kind"] != "share"] for row in cells]
        same(self.say("and so are the cells"), sorted(shown), sorted(
            [cell(r, c) for c in columns if c["kind"] != "share"] for r in want))

    def sorting(self):
        def head(n):
            self.b.click(f"#table th:nth-child({n})")
        head(1)
        same(self.say("a click on a head sorts by name"), self.column(0), sorted(self.column(0), key=lambda t: t.encode("utf-16-be")))
        head(3)
        calls = [int(c.replace(",", "")) for c in self.column(2)]
        same(self.say("a click sorts by calls, the most first"), calls, sorted((r["calls"] for r in self.want["rows"]), reverse=True))
        head(3)
        calls = [int(c.replace(",", "")) for c in self.column(2)]
        same(self.say("a second click turns it round"), calls, sorted(calls))

    def filter(self, part):
        left = [r for r in self.want["rows"] if part.lower() in (r["function"] + " " + r["library"]).lower()]
        self.b.write("#filter", part)
        soon(self.say("the filter leaves what fits"), lambda: len(self.column(0)) == len(left) > 0)
        self.js("void (document.getElementById('filter').value = '', document.getElementById('filter').oninput())")

    def inside(self):
        low, high = self.domain()
        low, high = max(self.low, low), min(self.high, high)
        return sum(c[3] <= high and c[3] + c[4] >= low for c in self.calls if not self.pause(c))

    def pause(self, call):
        return len(self.data["names"][call[2]]) > 2

    def shown_right(self, when):
        soon(self.say(f"the number of calls shown is right {when}"),
             lambda: self.js("+document.body.dataset.shown") == self.inside() == self.js("eztsh.visible()"))

    def middle(self):
        return self.js("(() => { const c = document.getElementById('timeline'); c.scrollIntoView({block: 'center'});"
                       " const r = c.getBoundingClientRect(); return [r.left + r.width * .6, r.top + r.height / 2]; })()")

    def zooming(self):
        whole, all_shown = self.span(), self.inside()
        self.shown_right("at first")
        self.b.click("#zoom-in")
        soon(self.say("the button zooms in"), lambda: self.span() < whole * .6)
        self.shown_right("then")
        x, y = self.middle()
        before = self.span()
        for _ in range(3):
            self.b.wheel(x, y, -300)
        soon(self.say("the wheel zooms in"), lambda: self.span() < before * .9)
        self.shown_right("after the wheel")
        soon(self.say("fewer calls are shown"), lambda: self.js("eztsh.visible()") < all_shown)
        low, high = self.domain()
        self.b.mouse((x, y), "down", (x - 40, y), (x - 120, y), "up")
        soon(self.say("dragging moves"), lambda: self.domain()[0] > low and abs(self.span() - (high - low)) < (high - low) / 100)
        self.shown_right("after that")
        before = self.span()
        self.b.click("#zoom-out")
        soon(self.say("the button zooms out"), lambda: self.span() > before)
        self.b.click("#zoom-all")
        soon(self.say("All shows all"), lambda: self.domain() == [self.low, self.high])
        self.js("document.getElementById('timeline').focus()")
        self.b.press("+")
        soon(self.say("the + key zooms in"), lambda: self.span() < whole * .6)
        low = self.domain()[0]
        self.b.press("\ue014")
        soon(self.say("an arrow key moves"), lambda: self.domain()[0] > low)
        self.b.press("0")
        soon(self.say("the 0 key shows all"), lambda: self.span() == whole)
        same(self.say("and all calls"), self.inside(), all_shown)

    def zoom_to(self, low, high):
        self.js("eztsh.zoomTo(arguments[0], arguments[1])", low, high)
        until(WAIT, "the zoom", lambda: abs(self.domain()[0] - low) < (high - low) / 50 and self.js(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"))

    def tooltip(self, name):
        """Point at a long call of that name, in the last thread that has one."""
        i = max((c[0], c[4], k) for k, c in enumerate(self.calls) if self.data["names"][c[2]][0] == name)[2]
        thread, _, _, start, ns, _ = self.calls[i]
        self.zoom_to(start - ns, start + 2 * ns)
        x, y = self.js("eztsh.where(arguments[0])", i)
        self.b.mouse((x - 3, y), (x, y))
        want = [name[:100], self.data["threads"][thread]["name"]]
        soon(self.say(f"a call tells its name: {name[:20]}"), lambda: not self.js("document.getElementById('tip').hidden")
             and all(w in self.text("#tip") for w in want) and time(ns) + " from" in self.text("#tip"))
        self.b.mouse((2, 2))
        soon(self.say("and no longer when the mouse is elsewhere"), lambda: self.js("document.getElementById('tip').hidden"))

    def ticks(self):
        """At any zoom, times that differ have different labels."""
        at = self.data["span"] * 2 // 3
        for width in (self.data["span"], 10**4, 50):
            self.zoom_to(at, at + width) if width < self.data["span"] else self.b.click("#zoom-all")
            labels = self.js("[...document.querySelectorAll('#axis .tick text')].map(t => t.textContent).filter(t => t)")
            boxes = self.js("[...document.querySelectorAll('#axis .tick text')].filter(t => t.textContent).map(t => t.getBoundingClientRect()).map(r => [r.left, r.right])")
            check(self.say(f"times on the axis of {time(width)}"), len(labels) > 2 and len(set(labels)) == len(labels), labels)
            check(self.say("do not touch"), all(a[1] < b[0] for a, b in zip(boxes, boxes[1:])), boxes)
        self.b.click("#zoom-all")

    def colour(self, i):
        return self.js("(() => { const [x, y] = eztsh.where(arguments[0]), c = document.getElementById('timeline'),"
                       " r = c.getBoundingClientRect(); return [...c.getContext('2d').getImageData(x - r.left, y - r.top - 5,"
                       " 1, 1).data]; })()", i)

    def finding(self, name, other):
        """`name` keeps its colour, `other` fades."""
        longest = lambda n: max((c[4], k) for k, c in enumerate(self.calls) if self.data["names"][c[2]][0] == n)[1]
        seen = []
        for n in (name, other):
            i = longest(n)
            self.zoom_to(self.calls[i][3] - 1, self.calls[i][3] + self.calls[i][4] + 1)
            before = self.colour(i)
            self.b.write("#find", name)
            seen.append(before[3] == 255 and before != self.colour(i))
            self.js("void (document.getElementById('find').value = '', document.getElementById('find').oninput())")
        same(self.say("Find fades the others"), seen, [False, True])
        self.b.click("#zoom-all")

    def flames(self, name):
        total = sum(r["self_ns"] for r in self.want["rows"] if r["function"] != "[waiting for the trace]")  # nobody's time
        same(self.say("the frames' own times are those of stats -json"), self.js("eztsh.tree.value"), total)
        same(self.say("frames are drawn"), self.js("document.querySelectorAll('#flame g').length"), self.js("+document.body.dataset.frames"))
        frame = self.js("[...document.querySelectorAll('#flame g')].find(g => d3.select(g).datum().id > 0 && "
                        "eztsh.data.flame.name[d3.select(g).datum().id - 1] === arguments[0]).querySelector('rect')", name)
        width = lambda: self.js("arguments[0].getBoundingClientRect().width", frame)
        before = width()
        self.b.call("POST", f"/element/{frame[ELEMENT]}/click", {})
        soon(self.say("a click on a frame zooms"), lambda: width() > before and self.text("#flame-at").startswith(name[:100]))
        self.b.click("#flame-all")
        soon(self.say("All frames come back"), lambda: width() == before)

    def not_blank(self, when):
        colours = self.js("(() => { const c = document.getElementById('timeline'); const d = new Uint32Array(c.getContext('2d')"
                          ".getImageData(0, 0, c.width, c.height).data.buffer); return new Set(d).size; })()")
        check(self.say(f"something is drawn {when}"), colours > 5, f"{colours} colours")

    def resizing(self):
        before = self.js("document.getElementById('timeline').clientWidth")
        self.zoom_to(self.data["span"] / 4, self.data["span"] / 2)
        low, high = self.domain()
        self.b.resize(800, 700)
        soon(self.say("a narrower window, a narrower picture"), lambda: self.js("document.getElementById('timeline').clientWidth") < before - 200)
        soon(self.say("of the same time"), lambda: abs(self.domain()[0] - low) + abs(self.domain()[1] - high) < (high - low) / 100)
        self.shown_right("in it")
        self.not_blank("in it")
        check(self.say("the page is not wider than the window"), self.js("document.documentElement.scrollWidth <= innerWidth"))
        self.b.resize(1280, 900)
        self.b.click("#zoom-all")

    def dark(self):
        def scheme(name):
            self.b.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        # the brightest pixel among the names of the threads
        bright = lambda: self.js("(() => { const d = document.getElementById('timeline').getContext('2d').getImageData(0, 0, 60, 24)"
                                 ".data; let m = 0; for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) m = Math.max(m, d[i]);"
                                 " return m; })()")
        scheme("dark")
        soon(self.say("names are bright on dark"), lambda: bright() > 200)
        scheme("light")
        soon(self.say("and dark on bright"), lambda: bright() < 100)

    def everything(self, name, other):
        self.facts()
        self.table()
        self.sorting()
        self.filter(name[:7])
        self.not_blank("at first")
        self.zooming()
        self.ticks()
        self.tooltip(name)
        self.tooltip(other)
        self.finding(name, other)
        self.flames(name)
        self.resizing()
        self.dark()
        picture = self.b.screenshot()
        check(self.say("a screenshot"), picture[:8] == b"\x89PNG\r\n\x1a\n" and len(picture) > 10000, len(picture))
        self.clean()


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
    events = [(int(r["start_ns"]), int(r["start_ns"]) + int(r["duration_ns"]), r["function"]) for r in
              csv.DictReader(open(os.path.join(folder, "many.csv"), encoding="utf-8")) if r["duration_ns"]]
    calls = [e for e in events if not e[2].startswith("[")]
    there = lambda low, high: sum(s <= high and e >= low for s, e, _ in calls)
    p = Page(b, folder, "many")
    drawn = sum(not p.pause(c) for c in p.calls)
    check(p.say("not all calls are drawn"), drawn < len(calls), drawn)
    same(p.say("the window tells how many there are"), p.text("#window").split("), ")[1], f"{drawn:,} of {len(calls):,} calls drawn")
    low, high = 1 * 10**9, 1 * 10**9 + 10**7
    p.zoom_to(low, high)
    slice_ns, said = p.data["slice_ns"], p.js("+document.body.dataset.all")
    check(p.say("and zoomed in, to a slice on each side"), there(low, high) <= said <= there(low - 2 * slice_ns, high + 2 * slice_ns),
          [there(low, high), said])
    check(p.say("in words"), f"of up to {said:,} calls drawn" in p.text("#window"), p.text("#window"))
    check(p.say("and what would draw them"), "report -from T -to T" in p.text("#drawn"), p.text("#drawn"))
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
    many(b, folder)
    demo = Page(b, folder, "demo")
    demo.everything("kernel_row", "step")
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
try:
    browser = Browser(folder)
except (RuntimeError, OSError, TimeoutError) as e:
    print("skip - report: the browser does not start:", str(e).split("\n")[0][:200])
    sys.exit(0)
try:
    judge(browser, folder)
finally:
    browser.close()
sys.exit(bool(bad))
