#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""pictures.py EZTSH EXAMPLES OUT: the pictures of README.md and the tutorial, of real runs (`make pictures`).

OUT/session.svg is a session on a terminal: EZTSH runs on a pseudo-terminal, the lines of SESSION are typed, and
what the terminal then shows is drawn as text with its colours. OUT/report.png is the page of `report` in
Chromium; without that it stays what it is. The example is compiled and run in a folder of its own, whose name is
left out, so that no path of the machine is in a picture.
"""
import html
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import termios
import time

COLUMNS, PROMPT = 126, "(eztsh) "
SESSION = ["probe step", "probe libkernel.so:kernel_row if $arg4 > 100", "run", "stats", "info histogram step",
           "timeline -from 10ms -to 10.2ms", "perf record"]
COLOUR = {"31": "#e06c75", "33": "#e5c07b"}


# ---- the terminal ------------------------------------------------------------------------------
class Screen:
    """What a terminal shows: lines of (character, class). It knows what eztsh and readline write."""

    def __init__(self):
        self.lines, self.column, self.style = [[]], 0, ""

    def put(self, char):
        line = self.lines[-1]
        line[self.column:self.column + 1] = [(char, self.style)]
        self.column += 1

    def sequence(self, args, letter):
        if letter == "m":
            self.style = {"": "", "0": "", "1": "b"}.get(args, COLOUR.get(args, ""))
        elif letter == "K":
            del self.lines[-1][self.column:]
        elif letter == "C":
            self.column += int(args or 1)
        elif letter not in "hl":
            raise ValueError("the terminal is told to do %r" % (args + letter))

    def feed(self, text):
        for args, letter, char in re.findall(r"\x1b\[([?0-9;]*)([A-Za-z])|([^\x1b])", text):
            if letter:
                self.sequence(args, letter)
            elif char == "\n":
                self.lines.append([])
                self.column = 0
            elif char == "\r":
                self.column = 0
            elif char == "\b":
                self.column -= 1
            elif char >= " ":
                self.put(char)


class Typist:
    def __init__(self, eztsh, program, folder):
        self.text = ""
        pid, self.fd = pty.fork()
        if not pid:
            os.chdir(folder)
            termios.tcsetwinsize(0, (200, COLUMNS))  # before eztsh begins: for a later size readline prints the prompt again
            os.environ.update(TERM="xterm", LC_ALL="C.UTF-8", INPUTRC="/dev/null", HOME=folder)
            for name in ("NO_COLOR", "EZTRACE_TRACE_DIR"):
                os.environ.pop(name, None)
            os.execl(eztsh, "eztsh", "-nx", "-q", program)
        self.pid = pid

    def wait(self, lines):
        """Until the prompt stands there again, behind so many typed lines."""
        end = time.monotonic() + 60
        while self.text.count(PROMPT) < lines + 1 or not self.text.endswith(PROMPT):
            if time.monotonic() > end:
                raise TimeoutError(self.text)
            self.text += os.read(self.fd, 65536).decode()
            self.text = self.text.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")

    def type(self, line):
        os.write(self.fd, line.encode() + b"\n")

    def end(self):
        self.type("quit")
        os.waitpid(self.pid, 0)


def draw(screen, path):
    width, height = 8.43, 19  # of a character of 14 px
    lines = ["".join(c for c, _ in line) for line in screen.lines]
    while lines and not lines[-1].strip():
        lines.pop()
    w, h = int(COLUMNS * width + 32), int(len(lines) * height + 52)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">' % (w, h, w, h),
           "<title>A session of eztsh</title>",
           '<rect width="100%" height="100%" rx="8" fill="#1e222a"/>',
           '<circle cx="20" cy="18" r="5" fill="#e06c75"/><circle cx="38" cy="18" r="5" fill="#e5c07b"/>'
           '<circle cx="56" cy="18" r="5" fill="#98c379"/>',
           '<g font-family="DejaVu Sans Mono, Consolas, Menlo, monospace" font-size="14" fill="#d7dae0" xml:space="preserve">']
    for y, line in enumerate(screen.lines[:len(lines)]):
        text, spans = "", []
        for char, style in line + [("", None)]:
            if spans and spans[-1][0] == style:
                spans[-1][1] += char
            elif char:
                spans.append([style, char])
        typed = lines[y].startswith(PROMPT)
        for style, part in spans:
            part = html.escape(part, quote=False)
            if typed:
                part = re.sub(r"^\(eztsh\) ", '<tspan fill="#61afef">(eztsh) </tspan>', part)
            if style == "b":
                part = '<tspan font-weight="bold" fill="#ffffff">%s</tspan>' % part
            elif style:
                part = '<tspan fill="%s">%s</tspan>' % (style, part)
            text += part
        if text.strip():
            out.append('<text x="16" y="%d" textLength="%.0f" lengthAdjust="spacingAndGlyphs">%s</text>' %
                       (52 + y * height - 4, len(lines[y]) * width, text))
    out += ["</g>", "</svg>", ""]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out))


# ---- the two pictures --------------------------------------------------------------------------
def compile_example(examples, folder):
    shown = "-ffile-prefix-map=%s=examples" % os.path.abspath(examples)
    for command in (["-fPIC", "-shared", "-o", "libkernel.so", os.path.abspath(examples + "/kernel.c")],
                    ["-o", "demo", os.path.abspath(examples + "/demo.c"), "./libkernel.so", "-pthread", "-Wl,-rpath,$ORIGIN"]):
        subprocess.run(["cc", "-g", "-O2", shown, *command], cwd=folder, check=True)


def session(eztsh, folder, out):
    t = Typist(eztsh, "./demo", folder)
    t.wait(0)
    for n, line in enumerate(SESSION):
        t.type(line)
        t.wait(n + 1)
    t.end()
    screen = Screen()
    screen.feed(t.text[:-len(PROMPT)].replace(folder + "/", ""))
    draw(screen, out)


def report(eztsh, folder, out):
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not browser:
        print("pictures: %s stays what it is: there is no chromium" % os.path.basename(out))
        return
    subprocess.run([eztsh, "-nx", "-batch", "-ex", "probe -r .", "-ex", "probe libkernel.so:kernel_row", "-ex", "run",
                    "-ex", "report -o report.html", "./demo"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "report.html"), encoding="utf-8") as page:
        data = json.loads(re.search('id="data">(.*?)</script>', page.read(), re.S).group(1))
    flat = data["calls"]
    calls = [flat[i:i + 6] for i in range(0, len(flat), 6)]
    steps = sorted((c for c in calls if data["names"][c[2]][0] == "step"), key=lambda c: c[4])
    thread, depth, name, start, ns, _ = steps[len(steps) * 9 // 10]  # no odd one
    address = "from=%d&to=%d&call=%d.%d.%d.%d" % (start - 20 * ns, start + 20 * ns, data["threads"][thread]["container"], start,
                                                  depth, name)
    shot = os.path.join(folder, "report.png")
    subprocess.run([browser, "--headless=new", "--disable-gpu", "--hide-scrollbars", "--window-size=1100,1000",
                    "--force-device-scale-factor=1", "--user-data-dir=" + folder + "/profile", "--screenshot=" + shot,
                    "--virtual-time-budget=3000",
                    *(["--no-sandbox"] if os.getuid() == 0 else []), "file://%s/report.html#%s" % (folder, address)],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    shutil.copy(shot, out)


if __name__ == "__main__":
    program, examples, out = (os.path.abspath(a) for a in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        compile_example(examples, folder)
        session(program, folder, os.path.join(out, "session.svg"))
        report(program, folder, os.path.join(out, "report.png"))
