# SPDX-License-Identifier: GPL-3.0-or-later
"""machine.py EZTSH FOLDER: a client of `eztsh --interpreter=json` that asks what can go wrong, too."""
import json
import os
import signal
import subprocess
import sys
import threading
import time


class Client:
    def __init__(self, *options):
        self.p = subprocess.Popen([sys.argv[1], "-nx", "--interpreter=json", *options], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=open("stderr", "wb"))
        self.events = []
        self.n = 0

    def read(self):
        line = self.p.stdout.readline()
        if not line:
            return None
        assert line.endswith(b"\n") and line.isascii(), line
        return json.loads(line)

    def raw(self, line):
        self.p.stdin.write(line + b"\n")
        self.p.stdin.flush()
        return self.answer()

    def answer(self):
        while True:
            got = self.read()
            if got is None or "event" not in got:
                return got
            self.events.append(got)

    def send(self, command):
        self.n += 1
        self.p.stdin.write(json.dumps({"id": self.n, "command": command}).encode() + b"\n")
        self.p.stdin.flush()

    def ask(self, command):
        self.send(command)
        got = self.answer()
        assert got["id"] == self.n, got
        return got

    def until(self, name):
        """The next event of that name."""
        while True:
            for i, e in enumerate(self.events):
                if e["event"] == name:
                    return self.events.pop(i)
            got = self.read()
            if got is None:
                return {}
            self.events.append(got)

    def end(self):
        self.p.stdin.close()
        rest = []
        while True:
            got = self.read()
            if got is None:
                break
            rest.append(got)
        return rest, self.p.wait()


def check(name, good, *why):
    print(("ok - " if good else "not ok - ") + name, *(why if not good else ()))


# ---- a run -------------------------------------------------------------------------------------
c = Client("-ex", "probe kernel_row", "./demo")
hello, ready = c.until("hello"), c.until("ready")
check("hello: schema and version", hello["schema"] == "eztsh-machine-1" and hello["version"])
check("ready: what -ex printed", ready["output"][0].startswith("Probe 1 "), ready)
got = c.ask("run")
check("run: the answer comes after the end", got["ok"] and got["state"] == "none")
names = [e["event"] for e in c.events]
check("run: events", "library-loaded" in names and "trace" in names and names[-1] == "exited", names)
check("exited: status", c.events[-1]["status"] == 0 and c.events[-1]["thread"] > 0)
check("the program writes elsewhere", b"400 steps" in open("stderr", "rb").read())
got = c.ask("info probes -json")
check("a result", got["result"]["rows"][0]["calls"] == 51200 and got["output"] == [])
text = c.ask("info probes")["output"]
check("the same as text", any("51200" in line for line in text))
got = c.ask("stats -json -top 1")
check("stats -json", got["result"]["rows"][0]["calls"] == 51200, got)
got = c.ask("info threads -json\necho one\\ntwo\\n\ninfo modules -json")
check("several lines", [r["schema"] for r in got["results"]] == ["eztsh-threads-1", "eztsh-modules-1"] and
      got["output"] == ["one", "two"], got)
got = c.ask("define twice\necho $arg0\\n\nend\ntwice a")
check("a command of the user's", got["ok"] and got["output"][-1] == "a", got)
got = c.ask("define half\necho never\\n")
check("a block without its end", not got["ok"] and "lines up to" in got["error"]["message"], got)
got = c.ask("if 0")
check("an `if` without its end", not got["ok"] and got["error"]["hint"], got)
got = c.ask("pwd")
check("takes no other request", got["ok"] and got["output"][0].startswith("Working directory"), got)
check("nor is it run or defined", not c.ask("half")["ok"])
got = c.ask("if 1\nif 1\necho in\\n\nend\nelse\necho out\\n\nend")
check("a block in one request", got["ok"] and got["output"] == ["in"], got)
got = c.ask("while 1\nnosuch\nend")
check("an error in a block", not got["ok"] and c.ask("pwd")["ok"], got)
check("an aggregate's list", c.ask("info aggregates -json")["result"]["aggregates"] == [])

# ---- numbers -----------------------------------------------------------------------------------
got = c.ask("probe kernel_row\ncount kernel_row")
check("created: the first and the last number", got["created"] == [2, 3], got)
check("created: not there", "created" not in c.ask("info probes"))
check("created: not after an error", "created" not in c.ask("probe kernel_row\nnosuch"), got)
check("created: the next", c.ask("probe kernel_row")["created"] == [5, 5])
c.ask("delete 2-5")

# ---- errors ------------------------------------------------------------------------------------
got = c.ask("nosuch")
check("an error", not got["ok"] and got["error"]["code"] == "arg" and "Undefined" in got["error"]["message"])
got = c.ask("interrup")
check("the session goes on", "ok" in got)
got = c.ask("info threads -jso -bad")
check("an error of a command with -json", not got["ok"] and "result" not in got)
for line, what in ((b"junk", "no JSON"), (b"[1]", "no object"), (b"{}", "no command"), (b'{"id":[1],"command":"x"}', "an id"),
                   (b'{"id":1,"command":5}', "a number as a command"), (b'{"id":1,"command":"a\\u0000b"}', "a zero byte"),
                   (b'{"id":1,"command":"pwd"} x', "something behind"), (b"{'id':1}", "single quotes"),
                   (b'{"id":1,"command":"\xff"}', "no UTF-8"), (b"{" * 100, "depth"), (b'"' + b"x" * 70000, "a long line")):
    got = c.raw(line)
    check("refused: " + what, got["ok"] is False and got["error"]["message"], got)
for n in (b"18446744073709551615", b"123456789012345678901234567890", b"-9223372036854775809", b"0"):
    c.p.stdin.write(b'{"command": "echo \\"id\\": 5", "x": {"id": 3}, "id" : ' + n + b"}\n")
    c.p.stdin.flush()
    got = c.p.stdout.readline()
    check("an id is echoed as it came: %s" % n.decode(), got.startswith(b'{"id": ' + n + b', "ok"'), got)
got = c.raw(b'{"i\\u0064": 7, "command": "pwd"}')
check("an id whose name has escapes", got["id"] == 7, got)
for n in (b"007", b"1.5", b"1e3", b"0x10", b"-", b"+1", b"/*\"*/ 5"):
    got = c.raw(b'{"id": ' + n + b', "command": "pwd"}')
    check("an id is an integer as JSON has it: " + n.decode(), not got["ok"] and got["id"] is None or got["id"] in (7, 5), got)
for n in (b'"a\\u0000b"', b'"\\u00e4\xc3\xa4\\/"', b'"\\ud83d\\ude00"', b'""'):
    c.p.stdin.write(b'{"id": ' + n + b', "command": "pwd"}\n')
    c.p.stdin.flush()
    got = c.p.stdout.readline()
    check("a text as an id is echoed byte for byte: %r" % n, got.startswith(b'{"id": ' + n + b', "ok": true'), got)
got = c.raw(b'{"\\u0069d": "a\\u0000b", "command": "pwd"}')
check("... also where its name has escapes", got["id"] == "a\0b", got)
got = c.raw(b'{"id": 5, "command": "pwd" /* "id": 6 */}')
check("... and beside a comment", got["id"] in (5, None), got)
begun = time.monotonic()
got = c.raw(b"x" * 100000000)
check("100 MB in a line are passed over quickly", not got["ok"] and time.monotonic() - begun < 60, time.monotonic() - begun)
check("an id that is a text", c.raw(b'{"id":"a\\n\\u00e4","command":"pwd"}')["id"] == "a\nä")
check("blank lines are nothing", c.raw(b"  \n" + b'{"id":9,"command":"pwd"}')["id"] == 9)
got = c.ask("convert -t csv -o -")
check("a file does not come between", not got["ok"] and "Name a file" in got["error"]["hint"], got)
got = c.ask("pipe info probes | cat >piped")
check("pipe", got["ok"] and got["output"] == [] and b"51200" in open("piped", "rb").read(), got)
check("shell", c.ask("shell echo hello")["ok"] and b"hello" in open("stderr", "rb").read())
got = c.ask("echo caf\u00e9 \\033[2J\\n")
check("what is no ASCII", got["output"][0].startswith("caf\u00e9"), got)
rest, status = c.end()
check("the end of the input ends it", rest[-1]["event"] == "bye" and rest[-1]["status"] == status == 1, rest, status)

# ---- events while nothing is asked ---------------------------------------------------------------
stop = os.path.join(sys.argv[2], "stop")
c = Client("--args", "./p_loop", stop)
c.until("ready")
c.ask("start")
got = c.ask('dprintf pulse,"at %lu\\n",$arg0\ncondition 1 $arg0 == 100000')
check("dprintf", got["ok"], got)
got = c.ask("continue &")
check("run in the background", got["state"] == "running", got)
check("line: what a probe prints", c.until("line")["text"].startswith("at 100000"))
got = c.ask("info threads -json")
check("asked while it runs", got["result"]["rows"][0]["state"] == "running" and got["state"] == "running")
c.events.clear()
got = c.ask("interrupt")
told = c.until("stopped")
check("interrupt", got["state"] == "stopped" and told["reason"] == "signal" and told["signal"] == "SIGINT" and
      told["thread"] > 0 and told["address"], got, told)
check("a backtrace", c.ask("backtrace -json")["result"]["rows"][-1]["function"] == "main")
c.events.clear()
stopped = threading.Event()


def interrupt():  # a signal that comes before the program runs is nothing
    while not stopped.wait(0.05):
        os.kill(c.p.pid, signal.SIGINT)


t = threading.Thread(target=interrupt, daemon=True)
c.send("continue")
t.start()
got = c.answer()
stopped.set()
t.join()
told = [e for e in c.events if e["event"] == "stopped"]
check("SIGINT to eztsh while it waits", got["ok"] and got["state"] == "stopped" and
      [e["signal"] for e in told] == ["SIGINT"], got, told)
check("SIGINT between requests is nothing", c.ask("pwd")["ok"])
got = c.ask("quit 7")
rest, status = c.end()
check("quit N", got["ok"] and status == 7 and rest[-1] == {**rest[-1], "event": "bye", "status": 7}, rest, status)

# ---- moves and breakpoints: each stop is one event -------------------------------------------------
if not os.path.exists("t_moving"):
    sys.exit()
c = Client("./t_moving")
c.until("ready")


def stop(command):
    """Its answer, and the events of stops before that."""
    c.events.clear()
    got = c.ask(command)
    return got, [e for e in c.events if e["event"] == "stopped"]


c.ask("break loops")
got, told = stop("run")
if not got["ok"] and "breakpoint" in got["error"]["message"]:
    print("skip - stops: there are no hardware breakpoints")
else:
    check("a breakpoint: one stop, and not that at main", len(told) == 1 and told[0]["reason"] == "breakpoint" and
          told[0]["number"] == 1 and told[0]["thread"] > 0 and "loops" in str(told[0]["output"]) and got["ok"], got, told)
    check("the stop is told by its event", not any("Breakpoint" in line for line in got["output"]), got)
    where = c.ask("backtrace -json 1")["result"]["rows"][0]
    check("its address", int(told[0]["address"], 16) == int(where["pc"], 16), told, where)
    check("its line", (told[0]["file"], told[0]["line"]) == (where["file"], where["line"]), told, where)
    for command, reason in (("next", "moved"), ("step", "moved"), ("step", "moved"), ("stepi", "moved"), ("nexti", "moved"),
                            ("finish", "finished"), ("until", "moved"), ("advance nothing", "moved"), ("advance add", "moved")):
        got, told = stop(command)
        check(command, got["ok"] and [e["reason"] for e in told] == [reason] and told[0]["state"] == "stopped" and
              told[0]["output"], got, told)
    got, told = stop("finish")
    check("what a function returned", any("Value returned" in line for line in told[0]["output"]), got, told)
    c.ask("delete 1")
    got = c.ask("watch total")
    number = int(got["output"][0].split()[2].rstrip(":"))
    got, told = stop("continue")
    fires = got["ok"] or "they never fire" not in got["error"]["message"]  # on some virtual machines they do not
    check("a watchpoint", not fires or [(e["reason"], e["number"]) for e in told] == [("watchpoint", number)] and
          any("New value" in line for line in told[0]["output"]), got, told)
    c.ask("delete %d" % number)
    c.ask("display 7 * 6\ntbreak nothing\ncommands\nsilent\necho quietly\\n\nend")
    got, told = stop("continue")
    check("commands of a breakpoint", [e["reason"] for e in told] == ["breakpoint"] and "quietly" in got["output"], got, told)
    got, told = stop("next")
    check("a display", "42" in str(told[0]["output"]), got, told)
    check("a display is the event's, no line of the answer's", "42" not in str(got["output"]), got, told)
    got, told = stop("continue")
    check("no stop: it ends", told == [] and got["state"] == "none", got, told)
    c.ask("tbreak nothing\ncommands\nsilent\necho later\\n\nend\nbreak loops")
    stop("start")
    c.events.clear()
    answer = c.ask("continue &")
    told = c.until("stopped")
    check("in the background: a stop is one event", told["reason"] == "breakpoint" and told["line"] > 0 and
          told["thread"] > 0 and told["state"] == "stopped" and told["output"] == [], told)
    # A stop that comes before the request is answered: its commands print into the answer.
    got = {"output": answer["output"][1:]} if answer["output"][1:] else c.until("note")
    while "CLOCK_MONOTONIC" in got.get("text", ""):  # the clock depends on the machine
        got = c.until("note")
    check("in the background: what its commands print", got["output"] == ["later"], got)
    got = c.ask("pwd")
    check("nor is it in the next answer", len(got["output"]) == 1 and got["state"] == "stopped", got)
    c.ask("continue &")
    told = c.until("stopped")
    check("in the background: the frame", "loops" in str(told["output"]) and "= 42" in told["output"][-1] and
          c.ask("backtrace -json 1")["result"]["rows"][0]["line"] == told["line"], told)
    check("in the background: one event", [e for e in c.events if e["event"] == "stopped"] == [])
    c.ask("delete")
    c.ask("continue &")
    check("in the background: it ends", c.until("exited")["state"] == "none")
c.end()
