#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""speedscope.py SPEEDSCOPE FILE.json THREAD FUNCTION...: speedscope opens it.

SPEEDSCOPE is its index.html. The browser (webdriver.py) has it load the file, as its own
command does; it must show the thread, each function in its table, and complain of nothing
but that the end of a call carries how it ended, and its beginning does not.
The folder is the one that this is run in. Nothing sleeps for a fixed time.
"""
import base64
import os
import re
import sys

from webdriver import Browser, until

page, trace, thread, functions = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
said = """(window.said = [], ["warn", "error"].forEach(function (how) {
    console[how] = function () { window.said.push(Array.from(arguments).join(" ")); }; }),
    window.alert = function (text) { window.said.push(text); }, true)"""
# This warning is harmless: the call that speedscope ends "instead" is the right one.
harmless = re.compile(r'ts=\S+ Tried to end "(.*) \{.*\}" when "\1" was on the top of the stack\. Ending \1 instead\.')
text = "document.body.innerText"
browser = Browser(os.getcwd())


def complaints():
    return [s for s in browser.js("window.said") if not harmless.fullmatch(s)]


try:
    browser.go("file://" + os.path.realpath(page) + "#localProfilePath=none")
    browser.js(said)
    until(60, "speedscope is there", lambda: browser.js("typeof speedscope === 'object'"))
    with open(trace, "rb") as f:
        data = base64.b64encode(f.read()).decode()
    browser.js("speedscope.loadFileFromBase64(arguments[0], arguments[1])", trace, data)
    until(60, thread + " is shown", lambda: complaints() or thread in browser.js(text))
    browser.press("3")  # the table of functions
    until(60, "the table", lambda: complaints() or all(f in browser.js(text) for f in functions))
    print("\n".join(complaints()[:5]))
    failed = bool(complaints())
finally:
    browser.close()
sys.exit(failed)
