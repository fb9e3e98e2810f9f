# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of `report` in a browser, for tests: what it shows, and what `stats -json` says of the same traces.

Prints "ok - ", "not ok - " and "skip - " lines. Nothing sleeps for a fixed time.
"""
import csv
import decimal
import html.parser
import json
import os

from webdriver import ELEMENT, until

WAIT = 60  # seconds; the machine may be busy
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
        self.csv = []
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
            "[document.querySelectorAll('script:not([type=b])').length, document.images.length, document.querySelectorAll('b,i,s,u').length]"), [3, 0, 0])
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
        if self.js("eztsh.dense()"):
            return sum(s <= high and e >= low for s, e, _ in self.all_calls())
        return sum(c[3] <= high and c[3] + c[4] >= low for c in self.calls if not self.pause(c))

    def all_calls(self):
        """(start, end, function) of each call that has a line, as `convert -t csv` has them; without pauses."""
        if not self.csv:
            lanes = max(t["depth"] for t in self.data["threads"])
            with open(self.file[:-4] + "csv", encoding="utf-8") as f:
                self.csv = [(int(r["start_ns"]), int(r["start_ns"]) + int(r["duration_ns"]), r["function"])
                            for r in csv.DictReader(f) if r["duration_ns"] and not r["function"].startswith("[") and int(r["depth"]) < lanes]
        return self.csv

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
        soon(self.say("the frames' own times are those of stats -json"), lambda: self.js("eztsh.tree.value") == total)
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
