#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""page.py FOLDER PAGE: how long a page of `report` takes in a browser. Medians of seven selections; cold: no chunk of
the selection is unpacked yet. Says MISS where a bound is not met."""
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "trace"))
from webdriver import Browser, until  # noqa: E402

SELECT = """(async () => {
  const times = [];
  for (const at of arguments[0]) {
    const t = performance.now(), s = await eztsh.store.select(at[0], at[1], null, () => false);
    eztsh.store.rows(s, true);
    times.push(performance.now() - t);
  }
  return times;
})()"""
PAN = """(async () => {
  const span = eztsh.data.span, t = performance.now();
  let n = 0;
  for (; performance.now() - t < 2000; n++) {
    eztsh.zoomTo(span * (.4 + n / 1e5), span * (.41 + n / 1e5));
    await new Promise(requestAnimationFrame);
  }
  return n / 2;
})()"""


def line(what, value, unit, most=None, least=None):
    good = (most is None or value <= most) and (least is None or value >= least)
    bound = "" if most is None and least is None else f" ({'at most' if least is None else 'at least'} {most or least}{'' if good else ': MISS'})"
    print(f"{what:22} {value:8.0f} {unit}{bound}")


def main():
    folder, page = sys.argv[1:]
    try:
        browser = Browser(folder)
    except (RuntimeError, OSError, TimeoutError) as e:
        print("page: the browser does not start:", str(e).split("\n")[0][:200])
        return
    try:
        browser.resize(1280, 1000)
        browser.go("file://" + os.path.abspath(page))
        until(60, "the chunks", lambda: browser.js("+document.body.dataset.chunks") > 0)
        line("page, size", os.path.getsize(page) / 1e6, "MB")
        line("page, first picture", browser.js("performance.getEntriesByType('paint').at(-1).startTime"), "ms", most=1000)
        span = browser.js("eztsh.data.span")
        windows = [[int(span * i / 10), int(span * (i + .5 + i / 3) / 10)] for i in range(1, 8)]
        line("page, table, cold", statistics.median(browser.js(SELECT, windows)), "ms", most=1000)
        line("page, table, warm", statistics.median(browser.js(SELECT, windows)), "ms", most=200)
        line("page, moving", browser.js(PAN), "frames/s")
        line("page, script's memory", browser.js("performance.memory.usedJSHeapSize / 1e6"), "MB")
    finally:
        browser.close()


main()
