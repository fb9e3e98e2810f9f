# SPDX-License-Identifier: GPL-3.0-or-later
"""screen.py EZTSH P_LOOP: `top` and `replay -f` as a person meets them, on a pseudo-terminal. Prints a line for each
result. A Screen keeps what a terminal of the type xterm shows."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

eztsh, p_loop = sys.argv[1:3]
LIMIT = 60  # seconds; for what hangs
PROMPT = "(eztsh) "


def check(name, good, shown=""):
    print(("ok - " if good else "not ok - ") + name)
    if not good:
        print("\n".join("  " + line for line in str(shown).split("\n")[-60:]))
    sys.stdout.flush()


class Screen:
    """The lines of a terminal; `other` are those of the normal screen while the alternate one is shown."""

    PART = re.compile(r"\x1b\[([?>]?)([\d;]*)([@A-Za-z])|\x1b[()].|\x1b[=>78M]|[\x00-\x1a\x1c-\x1f]|[^\x00-\x1f]+")

    def __init__(self, lines, columns):
        self.lines, self.columns = lines, columns
        self.row = self.column = 0
        self.first, self.end = 0, lines  # the lines that scroll
        self.text = [[" "] * columns for _ in range(lines)]
        self.other, self.rest, self.unknown, self.last = None, "", set(), " "

    def resize(self, lines, columns):
        self.lines, self.columns = lines, columns
        self.text = [(row + [" "] * columns)[:columns] for row in self.text][:lines]
        self.text += [[" "] * columns for _ in range(lines - len(self.text))]
        self.row, self.column = min(self.row, lines - 1), min(self.column, columns - 1)
        self.first, self.end = 0, lines

    def feed(self, text):
        text = self.rest + text
        at = 0
        while at < len(text):
            m = self.PART.match(text, at)
            if not m:  # the rest of a sequence has not come yet
                break
            at = m.end()
            if m.group(3):
                self.control(m.group(1), [int(n or 0) for n in m.group(2).split(";")], m.group(3))
            elif m.group(0)[0] >= " ":
                self.put(m.group(0))
            else:
                self.character(m.group(0))
        self.rest = text[at:]

    def put(self, text):
        for c in text:
            if self.column == self.columns:
                self.column = 0
                self.down()
            self.text[self.row][self.column] = self.last = c
            self.column += 1

    def scroll(self, begin, n):
        """Moves the lines from `begin` to the end of those that scroll: up by n, or down by -n."""
        part = self.text[begin:self.end]
        n = max(min(n, len(part)), -len(part))
        blank = [[" "] * self.columns for _ in range(abs(n))]
        self.text[begin:self.end] = part[n:] + blank if n > 0 else blank + part[:len(part) + n]

    def down(self):
        if self.row + 1 == self.end:
            self.scroll(self.first, 1)
        else:
            self.row = min(self.row + 1, self.lines - 1)

    def character(self, c):
        if c == "\n":
            self.down()
        elif c == "\r":
            self.column = 0
        elif c == "\b":
            self.column = max(min(self.column, self.columns - 1) - 1, 0)
        elif c == "\t":
            self.column = min(self.column // 8 * 8 + 8, self.columns - 1)
        elif c == "\x1bM" and self.row == self.first:
            self.scroll(self.first, -1)
        elif c == "\x1bM":
            self.row = max(self.row - 1, 0)

    def control(self, mark, n, what):
        first = n[0] or 1
        row = self.text[self.row]
        if mark == "?" and n == [1049] and what in "hl":
            if what == "h":
                self.other, self.text = self.text, [[" "] * self.columns for _ in range(self.lines)]
            elif self.other is not None:
                self.text, self.other = self.other, None
                self.resize(self.lines, self.columns)
        elif mark or what in "hlmtq":
            pass
        elif what == "r":
            self.first, self.end = first - 1, (n[1:] or [0])[0] or self.lines
            self.row = self.column = 0
        elif what in "Hf":
            self.row = min(first, self.lines) - 1
            self.column = min((n[1:] or [1])[0] or 1, self.columns) - 1
        elif what == "d":
            self.row = min(first, self.lines) - 1
        elif what == "G":
            self.column = min(first, self.columns) - 1
        elif what == "A":
            self.row = max(self.row - first, 0)
        elif what == "B":
            self.row = min(self.row + first, self.lines - 1)
        elif what == "C":
            self.column = min(self.column + first, self.columns - 1)
        elif what == "D":
            self.column = max(self.column - first, 0)
        elif what == "K":
            begin, end = {0: (self.column, self.columns), 1: (0, self.column + 1), 2: (0, self.columns)}[n[0]]
            row[begin:end] = [" "] * (end - begin)
        elif what == "J":
            begin = self.row + 1 if n[0] == 0 else 0
            if n[0] == 0:
                row[self.column:] = [" "] * (self.columns - self.column)
            for i in range(begin, self.lines):
                self.text[i] = [" "] * self.columns
        elif what == "X":
            row[self.column:self.column + first] = [" "] * len(row[self.column:self.column + first])
        elif what == "P":
            self.text[self.row] = (row[:self.column] + row[self.column + first:] + [" "] * first)[:self.columns]
        elif what == "@":
            self.text[self.row] = (row[:self.column] + [" "] * first + row[self.column:])[:self.columns]
        elif what == "b":
            self.put(self.last * first)
        elif what in "LM":
            self.scroll(self.row, first if what == "M" else -first)
        elif what in "ST":
            self.scroll(self.first, first if what == "S" else -first)
        else:
            self.unknown.add(what)

    def __str__(self):
        return "\n".join("".join(row).rstrip() for row in self.text)


class Terminal:
    """A program on a terminal. `all` is what it wrote, `screen` what the terminal shows."""

    def __init__(self, *argv, term="xterm", lines=24, columns=80, no_colour="1", locale="C.UTF-8"):
        self.pid, self.fd = pty.fork()
        if not self.pid:
            os.environ.update(TERM=term, LC_ALL=locale, INPUTRC="/dev/null", NO_COLOR=no_colour)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            os.execvp(eztsh, [eztsh, "-nx", "-q", *argv])
        self.screen, self.all, self.seen = Screen(lines, columns), "", 0
        self.status = None
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def more(self, seconds):
        if not select.select([self.fd], [], [], max(seconds, 0))[0]:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        text = self.decoder.decode(data)
        self.all += text
        self.screen.feed(text)
        return bool(data)

    def wait(self, good):
        """Reads until good() is true. Returns whether it became true."""
        end = time.monotonic() + LIMIT
        while not good():
            if time.monotonic() > end or not self.more(end - time.monotonic()):
                return bool(good())
        return True

    def expect(self, text):
        """Waits for `text` in the output after the last match."""
        found = self.wait(lambda: self.all.find(text, self.seen) >= 0)
        if found:
            self.seen = self.all.find(text, self.seen) + len(text)
        return found

    def shows(self, pattern):
        return self.wait(lambda: re.search(pattern, str(self.screen), re.M))

    def send(self, keys):
        os.write(self.fd, keys.encode())

    def line(self, text):
        self.seen = len(self.all)
        self.send(text + "\r")

    def command(self, text):
        """Runs a command up to the next prompt."""
        self.line(text)
        self.expect("\n")
        return self.expect(PROMPT)

    def resize(self, lines, columns):
        self.screen.resize(lines, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def modes(self):
        return termios.tcgetattr(self.fd)[:4]

    def stopped(self):
        """Waits until the program is stopped."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WUNTRACED | os.WNOHANG)
            if pid:
                return os.WIFSTOPPED(status)
            self.more(0.02)
        return False

    def end(self):
        """Reads to the end. Returns the exit status, or None if the program had to be killed."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and self.status is None:
            self.more(0.02)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        while self.more(0):
            pass
        os.close(self.fd)
        return self.status

    def leave(self):
        self.line("quit")
        return self.end()


def alternate(t):
    return t.screen.other is not None


def begin(term="xterm", threads="2", to=">loop.out", **more):
    """A shell whose program runs in the background, with two functions probed: some thousand calls a second are
    recorded."""
    if os.path.exists("stop"):
        os.unlink("stop")
    t = Terminal("-ex", "set confirm off", "-ex", "set args stop %s %s" % (threads, to), p_loop, term=term, **more)
    ok = t.expect(PROMPT)
    for c in ("start", "probe -max 200M pulse if a % 1000 == 0 collect a", "probe -max 200M beat if a % 1000 == 0", "continue &"):
        ok = t.command(c) and ok
    return t if ok else check("a program runs in the background", False, t.all) or t


def head(t):
    return t.shows(r"^Function +Calls/s\*? +Self")


def rows(t):
    """The names in the table."""
    lines = str(t.screen).split("\n")
    at = [i for i, line in enumerate(lines) if line.startswith("Function")]
    return [line.split()[0] for line in lines[at[0] + 1:-1] if line.strip()] if at else []


def screen_of_top():
    t = begin()
    modes = t.modes()
    t.line("top -every 200ms")
    check("top: fills the screen", head(t) and alternate(t), t.screen)
    check("top: rates are shown", t.wait(lambda: re.search(r"^pulse +[1-9]", str(t.screen), re.M)), t.screen)
    check("top: the history has bars", t.shows("[▁▂▃▄▅▆▇█]"), t.screen)
    check("top: the state of the program", t.shows(r"^loop.*|^p_loop-\d+\.fxt: running, \d+ threads"), t.screen)
    check("top: values of the longest call", t.shows(r"^Longest: (pulse\(a=\d+\)|beat\(\)) "), t.screen)
    check("top: no line is longer than the terminal", max(map(len, t.screen.text)) == 80, t.screen)
    t.send("?")
    check("top: ? lists the keys", t.shows("^Keys of top"), t.screen)
    t.send("x")
    check("top: any key goes back", head(t), t.screen)
    for key, column in (("R", "Calls/s"), ("T", "Total"), ("P", "Self"), ("M", "Max"), ("A", "Mean"), ("N", "Function")):
        t.send(key)
        check("top: %s sorts by %s" % (key, column), t.shows(r"^Function.*|" + re.escape(column)) and
              t.shows(re.escape(column) + r"\*"), t.screen)
    check("top: sorted by name", t.wait(lambda: rows(t)[:2] == ["beat", "pulse"]), t.screen)
    t.send("<")
    check("top: < sorts by the column before", t.shows(r"Max\*"), t.screen)
    t.send(">")
    check("top: > sorts by the column after", t.shows(r"Function\*"), t.screen)
    t.send("s")
    check("top: s cycles", t.shows(r"Calls/s\*"), t.screen)
    t.send("t")
    check("top: t has a row for each thread", t.shows(r"^Function +Thread ") and t.wait(lambda: len(rows(t)) == 4), t.screen)
    t.send("r")
    check("top: r has a row for each process", t.shows(r"^Function +Process ") and t.wait(lambda: len(rows(t)) == 2), t.screen)
    t.send("r")
    check("top: r again: for each function", t.shows(r"^Function\*? +Calls/s"), t.screen)
    t.send("/pulx\177s")
    check("top: a filter is typed", t.shows(r"/puls_$"), t.screen)
    t.send("\r")
    check("top: the filter leaves rows out", t.wait(lambda: rows(t) == ["pulse"]) and t.shows("only /puls/"), t.screen)
    t.send("/(\r")
    check("top: a wrong filter is refused", t.shows(r"^.*[(].*regular|^.*Unmatched|^.*parenthes"), t.screen)
    check("top: the filter before stays", t.shows("only /puls/"), t.screen)
    t.send("/\033")
    check("top: Escape keeps the filter", t.shows(r"^Longest") and t.shows("only /puls/"), t.screen)
    t.send("/\r")
    check("top: an empty filter shows all", t.wait(lambda: len(rows(t)) == 2), t.screen)
    t.resize(12, 60)
    check("top: a smaller terminal", t.wait(lambda: head(t) and len(rows(t)) == 2 and
          str(t.screen).split("\n")[-1].startswith("Longest")), t.screen)
    t.resize(3, 20)
    t.send("z")
    t.resize(50, 132)
    check("top: a larger terminal", t.wait(lambda: re.search(r"^Function.* Calls +History", str(t.screen), re.M) and
          str(t.screen).split("\n")[-1].startswith("Longest")), t.screen)
    check("top: the emulator knows all sequences", not t.screen.unknown, t.screen.unknown)
    t.seen = len(t.all)
    t.send("q")
    check("top: q ends it", t.expect(PROMPT) and not alternate(t), t.all[-500:])
    check("top: the terminal is as it was", t.modes() == modes, t.modes())
    return t


def ctrl_c(t):
    modes = t.modes()
    t.line("top")
    head(t)
    t.send("\003")
    check("top: Ctrl-C ends it", t.expect(PROMPT) and not alternate(t) and t.modes() == modes, t.all[-500:])
    t.line("print 40 + 2")
    check("top: the shell works after Ctrl-C", t.expect(" = 42"), t.all[-500:])
    t.expect(PROMPT)


def ctrl_z(t):
    t.line("top -every 200ms")
    head(t)
    t.send("\032")
    check("top: Ctrl-Z suspends the shell", t.stopped(), t.all[-500:])
    t.more(0)
    check("top: Ctrl-Z shows the normal screen", t.wait(lambda: not alternate(t)), t.screen)
    check("top: Ctrl-Z gives the terminal its modes", t.modes()[3] & (termios.ICANON | termios.ECHO) ==
          termios.ICANON | termios.ECHO, t.modes())
    t.resize(30, 90)
    os.kill(t.pid, signal.SIGCONT)
    check("top: it goes on", t.wait(lambda: alternate(t) and re.search(r"^Function", str(t.screen), re.M) and
          str(t.screen).split("\n")[-1].startswith("Longest")), t.screen)
    stops = 0
    for _ in range(8):  # ncurses must not lose the signal while it draws
        t.send("\032")
        stops += t.stopped()
        t.wait(lambda: not alternate(t))  # what was drawn before the stop is read
        os.kill(t.pid, signal.SIGCONT)
        t.wait(lambda: alternate(t) and re.search(r"^Function", str(t.screen), re.M))
    check("top: each Ctrl-Z suspends the shell", stops == 8, stops)
    t.seen = len(t.all)
    t.send("q")
    check("top: q after Ctrl-Z", t.expect(PROMPT) and not alternate(t), t.all[-500:])


def program_ends(t):
    t.line("top -every 200ms")
    head(t)
    open("stop", "w").close()
    check("top: the program ended", t.shows(r"\.fxt: ended"), t.screen)
    t.seen = 0
    check("top: its end is on the normal screen", t.expect("exited normally") and alternate(t), t.all[-500:])
    t.seen = len(t.all)
    t.send("q")
    check("top: q after the end", t.expect(PROMPT) and "exited normally" in str(t.screen), t.screen)
    check("top: the shell ends", t.leave() == 0, t.all[-300:])


def terminated():
    t = begin()
    t.line("top")
    head(t)
    os.kill(t.pid, signal.SIGTERM)
    open("stop", "w").close()
    status = t.end()
    check("top: SIGTERM ends the shell", status == 143, status)
    check("top: SIGTERM leaves the normal screen", not alternate(t), t.screen)


def shared_terminal():
    """The program writes to the terminal, too."""
    t = begin(to="")
    t.line("top -every 200ms")
    head(t)
    with open("/proc/%d/fd/1" % t.pid, "w") as terminal:
        terminal.write("\r\nNOISE")
    noise = t.wait(lambda: "NOISE" in t.all)
    check("top: the program's output does not stay on the screen", noise and t.wait(lambda: "NOISE" not in str(t.screen)) and head(t),
          t.screen)
    t.seen = len(t.all)
    t.send("q")
    t.expect(PROMPT)
    open("stop", "w").close()
    t.expect("exited normally")
    t.leave()


def other_terminals():
    t = begin(term="dumb")
    t.line("top -every 200ms")
    table = t.expect("Calls/s") and t.expect("pulse ") and t.expect("events lost.\r\n") and t.expect("Calls/s")
    check("top: a dumb terminal gets tables", table and "\033" not in t.all, t.all[-500:])
    t.send("\003")
    check("top: Ctrl-C ends tables", t.expect("Quit\r\n" + PROMPT), t.all[-500:])
    t.line("replay -f")
    check("replay -f: calls as they come", t.expect("[") and t.expect("| pulse(a=") and t.expect(") {") and
          t.expect("} /* pulse */"), t.all[-500:])
    t.send("\003")
    check("replay -f: Ctrl-C ends it", t.expect("Quit\r\n" + PROMPT), t.all[-500:])
    t.line("replay -f")
    check("replay -f: again", t.expect("} /* pulse */"), t.all[-500:])
    open("stop", "w").close()
    check("replay -f: ends with the program", t.expect("exited normally") and t.expect(PROMPT), t.all[-500:])
    check("a dumb terminal: the shell ends", t.leave() == 0, t.all[-300:])
    t = begin(term="nosuch")
    t.line("top -every 200ms")
    check("top: a terminal of an unknown type gets tables", t.expect("events lost.\r\n") and "\033[H" not in t.all, t.all[-500:])
    t.send("\003")
    t.expect("Quit\r\n" + PROMPT)
    open("stop", "w").close()
    t.leave()


def of_a_process():
    if os.path.exists("stop"):
        os.unlink("stop")
    with open("loop.out", "w") as out:
        loop = subprocess.Popen([p_loop, "stop", "2"], stdout=out)
    t = Terminal("-ex", "set confirm off")
    t.expect(PROMPT)
    t.line("top -every 200ms %d" % loop.pid)
    check("top PID: shows all functions", head(t) and t.shows("^beat ") and t.shows("^pulse ") and t.shows("^work|^main|^pulse"), t.screen)
    t.seen = 0
    check("top PID: the budget and probes are said", t.expect("Attaching to process") and t.expect("Planted"), t.all[-500:])
    t.seen = len(t.all)
    t.send("q")
    check("top PID: q detaches", t.expect("detached]") and t.expect(PROMPT), t.all[-500:])
    check("top PID: the process runs", loop.poll() is None)
    t.line("show budget")
    check("top PID: the budget is as it was", t.expect("0"), t.all[-300:])
    t.expect(PROMPT)
    t.line("top 2147483647")
    check("top PID: no such process", t.expect(PROMPT) and "No such process" in t.all, t.all[-300:])
    t.leave()
    open("stop", "w").close()
    check("top PID: the process computes correctly", loop.wait() == 0)


def listing():
    """replay on a terminal: colours, the pager, lines that fit."""
    subprocess.run([eztsh, "-nx", "-batch", "-ex", "set trace-switches off", "-ex", "trace listing.fxt", "-ex",
                    "probe pulse collect a, a, a, a, a, a", "-ex", "set args stop >loop.out",
                    "-ex", "run", p_loop], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=LIMIT)
    t = Terminal(no_colour="", columns=72)
    t.expect(PROMPT)
    t.line("replay -time listing.fxt")
    t.expect("FUNCTION")
    check("replay: a page ends with a question", t.expect("--Type <RET> for more"), t.all[-500:])
    lines = [line for line in str(t.screen).split("\n") if " | " in line]
    check("replay: no line is longer than the terminal", len(lines) == 22 and all("pulse(" in line for line in lines), t.screen)
    check("replay: values are shortened", all(re.search(r"pulse\(a=.*\.\.\..*\)", line) for line in lines), t.screen)
    check("replay: the heads are bold", "\033[1m#      TIME" in t.all, t.all[-500:])
    t.send("q\r")
    check("replay: q ends it", t.expect("Quit") and t.expect(PROMPT), t.all[-500:])
    t.line("replay listing.fxt")
    t.expect("--Type <RET>")
    t.send("\003")
    check("replay: Ctrl-C ends it", t.expect("Quit") and t.expect(PROMPT), t.all[-500:])
    t.line("set pagination off")
    t.expect(PROMPT)
    for ms, colour in ((5, 33), (1100, 31)):
        subprocess.run([eztsh, "-nx", "-batch", "-ex", "trace sleep%d.fxt" % ms, "-ex", "probe main noted", "-ex",
                        "set args poll %d >sleep.out" % ms, "-ex", "run", os.path.dirname(p_loop) + "/p_sleep"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, timeout=LIMIT)
        t.line("replay sleep%d.fxt" % ms)
        check("replay: a call of %d ms has the colour %d" % (ms, colour),
              t.expect("} ") and t.expect("main") and re.search(r"\x1b\[%dm[ .\d]{8} +m?s\x1b\[m \[[ \d]*\] \| } \x1b\[2m/\* main \*/" %
                                                             colour, t.all), t.all[-500:])
        t.expect(PROMPT)
    t.leave()
    t = Terminal(locale="C")
    t.expect(PROMPT)
    t.line("top listing.fxt")
    check("top: bars in ASCII where the locale has no more", t.shows(r"@$") and head(t) and
          not re.search("[^\n -~]", str(t.screen)), t.screen)
    t.send("q")
    t.expect(PROMPT)
    t.leave()


def long_names():
    """Names of 4,000 characters: no line of a reader is longer than the terminal, and names stay distinct."""
    names = ["create_%s_%s_object" % ("x" * 4000, which) for which in ("first", "second")]
    with open("long.c", "w", encoding="ascii") as f:
        f.write("#define F(name, inner) __attribute__((noinline)) int name(int a) { __asm__(\"\"); return inner + 1; }\n"
                "F(%s, a) F(%s, %s(a))\nint main(void) { return %s(1) != 3; }\n" % (*names, names[0], names[1]))
    if subprocess.run([os.environ.get("CC", "cc"), "-O1", "-g", "-o", "long", "long.c"], check=False).returncode:
        return print("skip - long names: no C compiler")
    subprocess.run([eztsh, "-nx", "-batch", "-ex", "trace long.fxt", "-ex", "probe -r .*_object$ collect a return $ret",
                    "-ex", "probe main", "-ex", "run", "./long"], stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                   timeout=LIMIT)
    t = Terminal()
    t.expect(PROMPT)
    t.command("set pagination off")
    for command in ("replay", "replay -flat", "replay -time", "timeline", "stats", "stats -by thread,function", "graph",
                    "calltree", "stats -slowest 3", "events 20", "diff long.fxt"):
        begin_at = len(t.all)
        t.command(command + " long.fxt")
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", t.all[begin_at:])
        lines = [line for line in text.split("\n")[1:] if re.search(r"\bcre(ate_|\w*\.\.\.)", line)]
        check("%s: long names fit the terminal" % command, lines and max(map(len, lines)) <= 80, text[:2000])
        check("%s: ... and stay distinct" % command,
              len(set(re.findall(r"\bcre[^\s(]*\.\.\.[^\s(]*", "\n".join(lines)))) > 1, text[:2000])
    t.leave()


def printed():
    script = "set args stop 1 >loop.out\nstart\nprobe -max 200M pulse if a % 1000 == 0\ncontinue &\ntop -every 100ms -n 2 -by thread -top 1\nkill\n"
    if os.path.exists("stop"):
        os.unlink("stop")
    run = subprocess.run([eztsh, "-nx", "-q", p_loop], input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         timeout=LIMIT)
    check("top: a pipe gets tables, -n says how many", run.stdout.count("Calls/s") == 2 and "\033" not in run.stdout and
          len(re.findall("^pulse .*thread|^pulse .*p_loop", run.stdout, re.M)) == 2, run.stdout)


def record_suspended():
    """No shell could continue this session's job: Ctrl-Z stops the program only until record knows of it."""
    t = Terminal("record", "-o", "cat.fxt", "cat")
    t.send("one\r")
    check("record: the program has the terminal", t.expect("one\r\none\r\n"), t.all)
    t.send("\x1a")
    t.expect("^Z")
    t.send("two\r")
    check("record: the program goes on after Ctrl-Z", t.expect("two\r\ntwo\r\n"), t.all)
    t.send("\x04")
    status = t.end()
    check("record: the status after Ctrl-Z", status == 0, (status, t.all))


open("stop", "w").close()
listing()
long_names()
record_suspended()
printed()
terminal = screen_of_top()
ctrl_c(terminal)
ctrl_z(terminal)
program_ends(terminal)
terminated()
shared_terminal()
other_terminals()
of_a_process()
