# SPDX-License-Identifier: GPL-3.0-or-later
"""machine.py EZTSH FOLDER: a client of `eztsh --interpreter=json` that asks what can go wrong, too."""
import json
import os
import signal
import subprocess
import sys
import threading


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
check("an aggregate's list", c.ask("info aggregates -json")["result"]["aggregates"] == [])

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
check("an id that is a text", c.raw(b'{"id":"a\\n\\u00e4","command":"pwd"}')["id"] == "a\nä")
check("blank lines are nothing", c.raw(b"  \n" + b'{"id":9,"command":"pwd"}')["id"] == 9)
got = c.ask("convert -t csv -o -")
check("a file does not come between", not got["ok"] and "name a file" in got["error"]["hint"], got)
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
got = c.ask("interrupt")
check("interrupt", got["state"] == "stopped" and "SIGINT" in got["output"][1], got)
check("a backtrace", c.ask("backtrace -json")["result"]["rows"][-1]["function"] == "main")
c.events.clear()
stopped = threading.Event()


def interrupt():  # a signal that comes before the program runs is nothing
    while not stopped.wait(0.05):
        os.kill(c.p.pid, signal.SIGINT)


t = threading.Thread(target=interrupt, daemon=True)
c.send("continue")
t.start()
got = c.answer()  # a stop is an event, or told by the answer where it comes before the program runs
stopped.set()
t.join()
text = str(got["output"]) + str(c.events)
check("SIGINT to eztsh while it waits", got["ok"] and got["state"] == "stopped" and "SIGINT" in text, got)
check("SIGINT between requests is nothing", c.ask("pwd")["ok"])
got = c.ask("quit 7")
rest, status = c.end()
check("quit N", got["ok"] and status == 7 and rest[-1] == {**rest[-1], "event": "bye", "status": 7}, rest, status)
