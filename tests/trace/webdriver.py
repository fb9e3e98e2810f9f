# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser without a window, for tests: Chromium, driven through chromedriver.

It needs only Python's own library. The browser writes only to the folder that it is given; the
network is off; `close` ends every process that was started here.
"""
import base64
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def until(seconds, what, test):
    """Wait until test() is true. Returns what it gave."""
    end = time.monotonic() + seconds
    while True:
        got = test()
        if got:
            return got
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not after {seconds} s")
        time.sleep(0.02)


class Browser:
    def __init__(self, folder, width=1280, height=900, options=()):
        self.profile = os.path.join(folder, "profile")
        self.log = os.path.join(folder, "chromedriver.log")
        self.session = None
        with open(self.log, "wb") as log:
            self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdin=subprocess.DEVNULL, stdout=log,
                                           stderr=log, start_new_session=True)
        try:
            port = until(30, "chromedriver starts", self._port)
            self.url = f"http://127.0.0.1:{port}"
            self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            self._start([f"--window-size={width},{height}", *options])
        except BaseException:
            self.close()
            raise

    def _port(self):
        if self.driver.poll() is not None:
            raise RuntimeError("chromedriver ended: " + open(self.log).read()[-500:])
        m = re.search(r"started successfully on port (\d+)", open(self.log).read())
        return m and int(m[1])

    def _start(self, options):
        args = ["--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--no-default-browser-check",
                "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe", "--force-device-scale-factor=1",
                f"--user-data-dir={self.profile}", *options]
        if os.getuid() == 0:
            args.append("--no-sandbox")
        want = {"browserName": "chrome", "goog:chromeOptions": {"args": args},
                "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        got = self.call("POST", "/session", {"capabilities": {"alwaysMatch": want}}, top=True)
        self.session = got["sessionId"]
        self.call("POST", "/timeouts", {"script": 30000, "pageLoad": 60000})
        off = {"offline": True, "latency": 0, "throughput": 0}
        self.call("POST", "/chromium/network_conditions", {"network_conditions": off})
        self.go("about:blank") # ends the requests of the browser's own first page

    def call(self, method, path, body=None, top=False):
        url = self.url + ("" if top else "/session/" + self.session) + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        try:
            with self.opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(f"{method} {path}: {e.read().decode()[:500]}") from None

    def go(self, url):
        self.call("POST", "/url", {"url": url})

    def js(self, script, *args):
        """The value of an expression; `args` are its arguments."""
        return self.call("POST", "/execute/sync", {"script": "return " + script, "args": list(args)})

    def logs(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)[ELEMENT]}/click", {})

    def write(self, selector, text):
        """Replace the text of a field."""
        there = f"/element/{self.find(selector)[ELEMENT]}"
        self.call("POST", there + "/clear", {})
        self.call("POST", there + "/value", {"text": text})

    def press(self, key):
        self.actions({"type": "key", "id": "k", "actions": [{"type": "keyDown", "value": key},
                                                            {"type": "keyUp", "value": key}]})

    def actions(self, *devices):
        self.call("POST", "/actions", {"actions": list(devices)})

    def mouse(self, *steps):
        """Steps: (x, y), "down", "up"."""
        do = []
        for s in steps:
            if isinstance(s, str):
                do.append({"type": "pointer" + s.capitalize(), "button": 0})
            else:
                do.append({"type": "pointerMove", "duration": 0, "x": int(s[0]), "y": int(s[1])})
        self.actions({"type": "pointer", "id": "m", "parameters": {"pointerType": "mouse"}, "actions": do})

    def wheel(self, x, y, delta):
        self.actions({"type": "wheel", "id": "w", "actions": [
            {"type": "scroll", "x": int(x), "y": int(y), "deltaX": 0, "deltaY": delta, "duration": 0}]})

    def resize(self, width, height):
        self.call("POST", "/window/rect", {"width": width, "height": height})

    def devtools(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def screenshot(self):
        return base64.b64decode(self.call("GET", "/screenshot"))

    def _ours(self):
        """Processes of the session that chromedriver leads, or that write to our profile."""
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/stat") as f:
                    fields = f.read().rpartition(")")[2].split()
                with open(f"/proc/{name}/cmdline", "rb") as f:
                    ours = os.fsencode(self.profile) in f.read()
                if fields[0] != "Z" and (ours or int(fields[3]) == self.driver.pid):
                    yield int(name)
            except (OSError, ValueError, IndexError):
                pass

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except (OSError, RuntimeError):
            pass

        def gone():
            pids = list(self._ours())
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.driver.poll()
            return not pids

        until(10, "the browser ends", gone)
        self.driver.wait(10)


def with_browser(name, folder, judge):
    """Call judge(browser, folder). Without a browser, end the test `name` with a reason to skip it."""
    try:
        browser = Browser(folder)
    except (RuntimeError, OSError, TimeoutError) as e:
        print(f"skip - {name}: the browser does not start:", str(e).split("\n")[0][:200])
        sys.exit(0)
    try:
        judge(browser, folder)
    finally:
        browser.close()
