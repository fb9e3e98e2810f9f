# SPDX-License-Identifier: GPL-3.0-or-later
"""job_faults.py EZTSH MODE...: a job whose daemons, drivers and processes are killed and stopped. The shell is driven by its
standard input; what it prints is read as it comes. Prints "ok - " and "not ok - " lines."""
import os
import re
import signal
import subprocess
import sys
import time

BUSY = 10 if os.environ.get("CK_TIMEOUT_MULTIPLIER") else 1
eztsh = sys.argv[1]


def check(name, good, more=""):
    print(("ok - " if good else "not ok - ") + name, flush=True)
    if not good:
        print("\n".join("  " + line for line in str(more).splitlines()[-40:]), flush=True)


class Shell:
    """eztsh, which reads commands from a pipe."""

    def __init__(self, *args, hold=None):
        env = dict(os.environ, EZT_HOLD_PROGRAM=hold) if hold else None
        self.p = subprocess.Popen([eztsh, "-nx", "-q", *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, env=env)
        os.set_blocking(self.p.stdout.fileno(), False)
        self.text, self.n = "", 0

    def read(self):
        self.text += (self.p.stdout.read() or b"").decode(errors="replace")

    def until(self, pattern, seconds=20):
        end = time.monotonic() + seconds * BUSY
        while time.monotonic() < end:
            self.read()
            if re.search(pattern, self.text, re.M):
                return True
            if self.p.poll() is not None:
                self.read()
                return re.search(pattern, self.text, re.M) is not None
            time.sleep(0.02)
        return False

    def say(self, *commands):
        """What the commands print."""
        self.n += 1
        mark = "=%d=" % self.n
        self.text = ""
        for c in (*commands, "echo %s\\n" % mark):
            self.p.stdin.write((c + "\n").encode())
        self.p.stdin.flush()
        self.until("^" + mark, 60)
        return self.text

    def end(self):
        self.p.stdin.close()
        try:
            self.p.wait(30 * BUSY)
        except subprocess.TimeoutExpired:
            self.p.kill()
        return self.p.returncode


def children(pid, name):
    """Processes below pid whose command line matches."""
    found, look = [], [pid]
    while look:
        at = look.pop()
        for d in os.listdir("/proc"):
            if not d.isdigit():
                continue
            try:
                stat = open("/proc/%s/stat" % d).read()
                args = open("/proc/%s/cmdline" % d, "rb").read().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if int(stat[stat.rindex(")") + 2:].split()[1]) == at:
                look.append(int(d))
                if re.search(name, args):
                    found.append(int(d))
    return sorted(found)


def table(text):
    """{rank: (pid, state)} of `info job`."""
    rows = re.findall(r"^ *(\d+)  \S+ +(\d+)  ([a-z]+)", text, re.M)
    return {int(r): (int(p), s) for r, p, s in rows}


def all_counted(out):
    """Each of four processes has one probe, and its count if that could be taken over (only root can)."""
    return len(calls(out)) == 4 and (os.geteuid() != 0 or all(n > 0 for n in calls(out)))


def calls(text):
    """Of `info probes`: those of this driver and of the one before."""
    return [int(n) + int(m or 0) for n, m in re.findall(r"^\d+ +\w+ +\w+ +\w+ +\S+ +(\d+) +(\d+)? ", text, re.M)]


def alive(pid):
    try:
        return open("/proc/%d/stat" % pid).read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def rounds(pid):
    """How often did it run its loop? It writes a byte for each round, once it has begun."""
    try:
        return os.path.getsize("beat.%d" % pid)
    except FileNotFoundError:
        return 0


def moving(pid):
    """Does it run its loop?"""
    before = rounds(pid)
    return until(lambda: rounds(pid) > before)


def until(condition):
    end = time.monotonic() + 20 * BUSY
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def job(n=4, launcher="./launch"):
    open("run", "w").close()
    s = Shell()
    s.say("set job-timeout 300") # ranks do not answer in 10 s on a busy machine
    out = s.say("job run -launcher %s -np %d ./loop run" % (launcher, n))
    check("%d processes are held" % n, "%d processes on 1 host, held before main" % n in out, out)
    s.say("probe -count tick", "continue &")
    return s, table(s.say("info job"))


def finish(s, pids, what):
    os.remove("run")
    end = time.monotonic() + 20 * BUSY
    while any(map(alive, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    check(what + ": all end right", sorted(os.listdir("right")) == sorted("%d" % p for p in pids), os.listdir("right"))
    for f in os.listdir("right"):
        os.remove("right/" + f)
    s.end()


def daemon_killed():  # fault 88
    s, roster = job()
    pids = [p for p, _ in roster.values()]
    for d in children(s.p.pid, "--daemon"):
        os.kill(d, signal.SIGKILL)
    check("daemon killed: it is said at once", s.until(r"^The daemons have ended: 4 processes run on, unobserved\. "
          r"Their probes go on counting; \"job reattach\" takes the processes over\.$"), s.text)
    check("daemon killed: the processes run on", all(map(moving, pids)))
    out = s.say("info job")
    check("daemon killed: who is blind is told", [v[1] for v in table(out).values()] == ["blind"] * 4, out)
    out = s.say("info probes", "print 1")
    check("daemon killed: commands say what would help", 'None of the selected processes is under the control '
          'of eztsh. "job reattach" takes over processes that have lost their daemon.' in out, out)
    out = s.say("job reattach")
    check("reattach: all are taken over", "[0-3] taken over and stopped." in out, out)
    out = s.say("info probes -each")
    check("reattach: the probes are there, once, with their counts", all_counted(out), out)
    before = calls(out)
    s.say("continue &")
    check("reattach: they go on", all(map(moving, pids)))
    out = s.say("info probes -each")
    check("reattach: they go on counting", all(b > a for a, b in zip(before, calls(out))), out)
    s.say("job detach")
    check("detach after that: they go on", all(map(moving, pids)))
    finish(s, pids, "daemon killed")


def total_falls():
    """What a driver that is killed had added up is lost: the next window says so, as what came since."""
    s, roster = job()
    pids = [p for p, _ in roster.values()]
    s.say("aggregate tick by count -every 100ms", "aggregate tick by count -every 100 hits")
    # so many that on a busy machine too the others do not make up for them in one window
    check("total falls: windows are told", s.until(r"\(\d{5,} hits, \+\d+, 4 processes\)"), s.text)
    os.kill(children(s.p.pid, "--interpreter=json")[1], signal.SIGKILL)
    for n in 1, 2:
        check("total falls: by how much, %d" % n, s.until(r" %d: .*\(\d+ hits, -\d+, 3 processes\)" % n), s.text)
    check("total falls: no number is too large", not re.search(r"\d{16}", s.text), s.text)
    s.say("job reattach", "continue &", "job detach")
    finish(s, pids, "total falls")


def told_anew():  # fault 88: an aggregate cannot be taken over, and takes the probes with it
    s, roster = job()
    s.say("aggregate tick by count", "interrupt", "probe -count main", "continue &")
    pids = [p for p, _ in roster.values()]
    check("told anew: all count", all(map(moving, pids)))
    for d in children(s.p.pid, "--daemon"):
        os.kill(d, signal.SIGKILL)
    check("told anew: it is said what becomes of them", s.until(r"^The daemons have ended: 4 .* \"job reattach\" takes the processes over and sends "
          r"their probes and aggregates again, which then count from 0\.$"), s.text)
    out = s.say("job reattach")
    check("sent again: the restart of the counts is reported", "[0-3] Probes and aggregates were sent again: they count from 0." in out and
          "[0-3] taken over and stopped." in out, out)
    s.say("continue &")
    check("told anew: they go on", all(map(moving, pids)) and all(map(moving, pids)))
    out = s.say("info probes -each")
    check("told anew: the probe is there in each, and counts", len(re.findall(r" [1-9]\d* .*\btick\b", out)) >= 4 and
          len(re.findall(r"\bmain\b", out)) == 4, out)
    out = s.say("info aggregates")
    check("told anew: so does the aggregate", re.search(r"count at tick +4 +[1-9]", out), out)
    s.say("job detach")
    finish(s, pids, "told anew")


def told_again():  # what a driver was told is told its next one: what waits, too; the numbers are those of the others
    s, roster = job()
    pids = [p for p, _ in roster.values()]
    s.say("interrupt", "probe libnever.so:plain", "probe -maxd 1 libnever.so:short", "probe -for 500s libnever.so:timed",
          "probe -c 0 -count libnever.so:one", "begin", "probe libnever.so:held", "commit", "begin",
          "probe libnever.so:dropped", "rollback", "continue &")
    numbers = lambda out: [sorted(set(re.findall(r"^(\d+) .*libnever.so:(\w+)", part, re.M)))
                           for part in re.split(r"^\[\d\]:$", out, flags=re.M)[1:]]
    before = numbers(s.say("info probes -each"))
    os.kill(children(s.p.pid, "--interpreter=json")[0], signal.SIGKILL)
    check("told again: its process is named", s.until(r"^\[\d\] Its driver has ended, and the process runs without it"), s.text)
    s.say("job reattach")
    out = s.say("info probes -each")
    check("told again: each rank has what it had, by the same numbers", len(before) == 4 and numbers(out) == before, out)
    check("told again: a context's own, too", sum("one" in n for part in before for _, n in part) == 1, out)
    check("told again: what was held and planted, and not what was taken back", before[0] and
          [n for _, n in before[0]].count("held") == 1 and "dropped" not in out, out)
    s.say("continue &", "job detach")
    finish(s, pids, "told again")


def driver_killed():  # fault 89
    s, roster = job()
    pids = [p for p, _ in roster.values()]
    drivers = children(s.p.pid, "--interpreter=json")
    os.kill(drivers[1], signal.SIGKILL)
    check("driver killed: its process is named", s.until(r"^\[\d\] Its driver has ended, and the process runs without it"), s.text)
    check("driver killed: all processes run on", all(map(moving, pids)))
    out = s.say("info job")
    states = [v[1] for v in table(out).values()]
    check("driver killed: one is blind, the others are not", sorted(states) == ["blind"] + ["running"] * 3, out)
    out = s.say("interrupt")
    check("driver killed: commands go to the others", out.count("SIGINT") >= 1 and "no answer" not in out, out)
    out = s.say("job reattach", "info job")
    check("driver killed: it is taken over", [v[1] for v in table(out).values()] == ["stopped"] * 4, out)
    s.say("continue &", "job detach")
    finish(s, pids, "driver killed")


def hangs():  # fault 90
    s, roster = job()
    pids = [p for p, _ in roster.values()]
    s.say("aggregate tick by count", "set job-timeout 1")
    drivers = children(s.p.pid, "--interpreter=json")
    os.kill(drivers[2], signal.SIGSTOP)
    begin = time.monotonic()
    out = s.say("info aggregates")
    check("a driver hangs: sums name who is not in them", re.search(r"^\[\d\] no answer within 1 s\.", out, re.M)
          and re.search(r"count at tick +3 +[1-9]", out), out)
    check("a driver hangs: sums wait as long as is set", time.monotonic() - begin < 8 * BUSY)
    out = s.say("info aggregates -by rank")
    check("a driver hangs: so do sums by rank", re.search(r"^\[\d\] no answer within 1 s\.", out, re.M)
          and out.count("count at tick") == 3, out)
    out = s.say("stats -job")
    check("a driver hangs: statistics name it", re.search(r"\[\d\] no answer within 1 s: they are not in the table\.", out), out)
    out = s.say("job gather brought")
    check("a driver hangs: gather names it", re.search(r"\[\d\] no answer within 1 s: what they have not written", out), out)
    begin = time.monotonic()
    out = s.say("info probes")
    check("a driver hangs: the others answer, and who does not is named", re.search(
        r"^\[\d\] no answer within 1 s\. \"set job-timeout\" allows more time; later answers are printed\.$", out, re.M)
          and len(calls(out)) >= 1, out)
    check("a driver hangs: the prompt is back in time", time.monotonic() - begin < 8 * BUSY)
    long = 'print "%s"' % ("a" * 40000)  # two are more than a pipe holds
    out = s.say(long, long, long)
    check("a driver reads nothing: the others answer, and the daemon", out.count("no answer within 1 s.") == 3
          and "daemons do not" not in out, out[-500:])
    os.kill(drivers[2], signal.SIGCONT)
    out = s.say("info probes")
    check("it goes on: all answer again", "no answer" not in out, out)
    daemon = children(s.p.pid, "--daemon")[0]
    os.kill(daemon, signal.SIGSTOP)
    out = s.say("info probes")
    check("the daemon hangs: it is reported", 'The daemons do not answer. "info hosts" lists the daemons. '
          "The processes run on without the daemons." in out, out)
    out = s.say(long, long, long)
    check("the daemon reads nothing: the prompt comes back", out.count("The daemons do not answer.") == 3, out[-500:])
    check("the daemon hangs: the processes run on", all(map(moving, pids)))
    os.kill(daemon, signal.SIGCONT)
    out = s.say("info probes")
    check("it goes on: all answer again", "not answer" not in out and len(calls(out)) >= 1, out)
    s.say("job detach")
    finish(s, pids, "hangs")
    s, roster = job(2)
    s.say("set job-timeout 1")
    daemon = children(s.p.pid, "--daemon")[0]
    os.kill(daemon, signal.SIGSTOP)
    s.end()
    check("the shell ends while the daemon hangs: what it launched is killed", not any(alive(p) for p, _ in roster.values()))
    os.remove("run")


def member_dies():  # fault 91
    s, roster = job()
    s.say("aggregate tick by count")
    pids = [p for p, _ in roster.values()]
    check("all count", all(map(moving, pids)))
    os.kill(roster[2][0], signal.SIGKILL)
    check("a process dies: it is told", s.until(r"^\[2\] \[terminated by signal SIGKILL\]"), s.text)
    out = s.say("info aggregates")
    check("its last values stay, and the number of members is reported", re.search(r"count at tick +4 +[1-9]", out), out)
    out = s.say("info job")
    check("the others run", sorted(v[1] for v in table(out).values()) == ["killed"] + ["running"] * 3, out)
    s.say("job detach")
    finish(s, [p for p in pids if p != roster[2][0]], "a process dies")


def shell_killed():  # fault 92
    s, roster = job()
    pids = [p for p, _ in roster.values()]
    ours = children(s.p.pid, "--daemon|--interpreter=json")
    s.p.kill()
    s.p.wait()
    check("the shell is killed: the processes run on", all(map(moving, pids)))
    end = time.monotonic() + 20 * BUSY
    while any(map(alive, ours)) and time.monotonic() < end:
        time.sleep(0.02)
    check("the shell is killed: no daemon, no driver is left", not any(map(alive, ours)), ours)
    traced = [p for p in pids if "TracerPid:\t0" not in open("/proc/%d/status" % p).read()]
    check("the shell is killed: nobody traces them", not traced, traced)
    check("the shell is killed: they still run on", all(map(moving, pids)))
    finish(s, pids, "the shell is killed")


def held_shell_killed():
    """While all are held before main: they begin, alone."""
    open("run", "w").close()
    s = Shell()
    s.say("job run -launcher ./launch -np 3 ./loop run")
    pids = [p for p, _ in table(s.say("info job")).values()]
    s.p.kill()
    s.p.wait()
    end = time.monotonic() + 20 * BUSY
    while not all(os.path.exists("beat.%d" % p) for p in pids) and time.monotonic() < end:
        time.sleep(0.02)
    check("the shell is killed while all are held: they begin", all(map(moving, pids)))
    finish(s, pids, "killed while held")


def attached(n=3):
    """A job of processes that run already, which count; they are children of ours."""
    open("run", "w").close()
    procs = [subprocess.Popen(["./loop", "run"]) for _ in range(n)]
    check("they run", all(until(lambda p=p: os.path.exists("beat.%d" % p.pid)) for p in procs))
    s = Shell()
    out = s.say("job attach " + " ".join(str(p.pid) for p in procs), "probe -count tick", "continue &")
    check("%d processes are attached to" % n, "%d processes on 1 host, stopped" % n in out, out)
    return s, procs


def blind_one(s):
    """The driver of one process is killed: its rank and pid."""
    os.kill(children(s.p.pid, "--interpreter=json")[1], signal.SIGKILL)
    check("a driver is killed: it is said", s.until(r"^\[\d\] Its driver has ended, and the process runs without it"), s.text)
    return next((r, p) for r, (p, state) in table(s.say("info job")).items() if state == "blind")


def left_behind(pid):
    """What the next shell says of probes that another left in a process."""
    other = Shell()
    out = other.say("attach %d" % pid, "info probes")
    other.end()
    return out


def blind_end():  # fault 89: what ends a job ends those that are not seen, too, or says whom it left out
    s, procs = attached()
    blind_one(s)
    out = s.say("job kill")
    check("job kill: the blind process, too", "[Job of 3 processes killed]" in out, out)
    check("job kill: all are killed", until(lambda: all(p.poll() == -signal.SIGKILL for p in procs)), [p.poll() for p in procs])
    s.end()

    s, procs = attached()
    _, pid = blind_one(s)
    out = s.say("job detach")
    check("job detach: the blind process, too", "[Job of 3 processes detached]" in out, out)
    out = left_behind(pid)
    check("job detach: it has no probe", "No probes." in out and "of an earlier eztsh" not in out, out)
    finish(s, [p.pid for p in procs], "job detach")

    s, procs = attached()
    rank, pid = blind_one(s)
    other = Shell()
    out = other.say("attach %d" % pid)
    said = s.say("job kill")
    check("job kill: one that cannot be taken over is named", "[%d] Not killed." % rank in said and "killed]" not in said, out + said)
    check("job kill: the others are killed", until(lambda: sum(p.poll() == -signal.SIGKILL for p in procs) == 2))
    out = s.say("info job")
    check("job kill: it stays blind", table(out)[rank][1] == "blind", out)
    other.say("detach")
    other.end()
    out = s.say("job kill")
    check("job kill: the job is there still, and ends when it can", "[Job of 3 processes killed]" in out, out)
    check("job kill: the last one is killed", until(lambda: all(p.poll() == -signal.SIGKILL for p in procs)))
    check("job kill: what failed is told", s.end() == 1)


def blind_dies():  # fault 89: it ends while nobody sees it
    for reaped in False, True:
        s, procs = attached()
        rank, pid = blind_one(s)
        os.kill(pid, signal.SIGKILL)
        check("a blind process dies", until(lambda: not alive(pid)))
        if reaped:
            next(p for p in procs if p.pid == pid).wait()
        out = s.say("job reattach", "info job")
        check("a blind process dies: it is gone at the reattach, which is no failure",
              re.search(r"^\[%d\] \[ended\]" % rank, out, re.M) and "ptrace" not in out and table(out)[rank][1] == "gone", out)
        out = s.say("job reattach")
        check("a blind process dies: it is not tried again", "No process has lost its daemon." in out, out)
        s.say("job detach")
        finish(s, [p.pid for p in procs if p.pid != pid], "a blind process dies")


def tracer(pid):
    return int(re.search(r"^TracerPid:\t(\d+)", open("/proc/%d/status" % pid).read(), re.M).group(1))


def taking_killed():  # fault 89: the driver is killed while it brings a process to its program; ./hold/eztsh-hold lets us come between
    open("run", "w").close()
    open("wait", "w").close()
    s = Shell(hold=os.path.abspath("hold/eztsh-hold"))
    s.p.stdin.write(b"job run -launcher ./launch -np 3 ./loop run\n")
    s.p.stdin.flush()
    check("a driver is killed while it takes a process: it waits", until(lambda: os.path.exists("waits.1") and tracer(pid_in("waits.1"))))
    os.kill(tracer(pid_in("waits.1")), signal.SIGKILL)
    os.remove("wait")
    check("a driver is killed while it takes a process: it is said", s.until(r"^\[1\] The driver of the rank has ended\."), s.text)
    out = s.say("job kill")
    check("a driver is killed while it takes a process: nothing else is said", "before its program began" not in s.text + out, s.text + out)
    os.remove("run")
    os.remove("waits.1")
    s.end()


def pid_in(name):
    return int(open(name).read() or 0)


def hung_quit():  # fault 90: at the end of the session
    s, procs = attached()
    s.say("set job-timeout 1")
    os.kill(children(s.p.pid, "--interpreter=json")[1], signal.SIGSTOP)
    rc = s.end()
    s.read()
    check("quit while a driver hangs: whose probes stay is told", re.search(r"^\[\d\] Not let go", s.text, re.M) and rc == 1,
          "%s\n%s" % (rc, s.text))
    finish(s, [p.pid for p in procs], "quit while a driver hangs")


def lost(mpirun, daemon):
    """Daemons that are a job under MPI: their launcher is killed, or one of them, or the shell."""
    for what, who in ("their launcher", lambda p: children(p, "(mp|prte)[a-z.]* .*--daemon=mpi")[:1]), ("one of three", lambda p: children(p, daemon)[1:2]):
        s, roster = job(4, mpirun + " -daemons 3")
        pids = [p for p, _ in roster.values()]
        check("daemons under MPI: all count", all(map(moving, pids)))
        victims, drivers = who(s.p.pid), children(s.p.pid, "--interpreter=json")
        check("daemons under MPI: %s is found" % what, len(victims) == 1 and len(drivers) == 4, (victims, drivers))
        for d in victims:
            os.kill(d, signal.SIGKILL)
        check("%s is killed: it is said" % what, s.until(r"^The daemons have ended: 4 processes run on, unobserved"), s.text)
        check("%s is killed: the processes run on" % what, all(map(moving, pids)))
        check("%s is killed: no driver is left" % what, until(lambda: not any(map(alive, drivers))))
        out = s.say("job reattach", "info probes -each")
        check("%s is killed: probes are taken over with their counts" % what,
              "[0-3] taken over and stopped." in out and all_counted(out), out)
        s.say("continue &", "job detach")
        finish(s, pids, "%s is killed" % what)
    s, roster = job(4, mpirun + " -daemons 3")
    pids = [p for p, _ in roster.values()]
    ours = children(s.p.pid, daemon + "|--interpreter=json")
    s.p.kill()
    s.p.wait()
    check("the shell is killed, daemons under MPI: the processes run on", all(map(moving, pids)))
    check("the shell is killed, daemons under MPI: nobody is left", len(ours) == 7 and until(lambda: not any(map(alive, ours))), ours)
    finish(s, pids, "the shell is killed, daemons under MPI")


def lost_openmpi():
    lost("mpirun.openmpi", "^[^ ]*eztsh-daemon-openmpi")


def lost_mpich():
    lost("mpiexec.mpich", "^[^ ]*eztsh-daemon-mpich")


def two_tools():  # fault 93
    s, roster = job(2)
    other, theirs = job(2)
    out = other.say("info job")
    check("two tools: each has its own", len(table(out)) == 2 and not set(p for p, _ in roster.values()) &
          set(p for p, _ in theirs.values()), out)
    other.say("job kill")
    with open("pids", "w") as f:
        f.write("%d" % roster[0][0])
    out = other.say("job attach -pids pids")
    check("two tools: what one traces the other is refused", "already traced" in out, out)
    other.end()
    check("two shells: the end of one does not affect the other", all(moving(p) for p, _ in roster.values()))
    ports = {"socket:[%s]" % line.split()[9] for f in ("tcp", "tcp6", "udp", "udp6") for line in
             open("/proc/net/" + f).read().splitlines()[1:]}
    listening = []
    for pid in children(s.p.pid, "--daemon|--interpreter=json") + [s.p.pid]:
        for f in os.listdir("/proc/%d/fd" % pid):
            try:
                listening += {os.readlink("/proc/%d/fd/%s" % (pid, f))} & ports
            except OSError:
                pass
    check("nothing listens on a port", not listening, listening)
    s.say("job detach")
    for f in os.listdir("right"):
        os.remove("right/" + f)
    finish(s, [p for p, _ in roster.values()], "two tools")


for mode in sys.argv[2:]:
    globals()[mode]()
