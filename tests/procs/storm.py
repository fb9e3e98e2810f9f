# SPDX-License-Identifier: GPL-3.0-or-later
"""storm.py - 49, 67, 68: the shell is killed at random instants, again and again.

storm.py EZTSH KIND ROUNDS [SEED]

KIND    python, sqlite, redis: a real program at work, whose answers are compared
        /PATH: a program that works until the file STOP exists, and says "right" then; its
        arguments are STOP and a file that it may make when it is ready
        /PATH:N: p_loop with N threads, for commands that do more than plain probes

Each round some commands of a list run against it, and SIGKILL comes within the time that they
take. The target must go on answering right; at the end, and now and then, an undisturbed
shell finds no byte of text that is not the file's or its own, and leaves none. In some rounds somebody else stops the
target meanwhile, and lets it go on.
Prints what is wrong, with the seed.
"""
import os, random, re, shutil, signal, socket, subprocess, sys, tempfile, threading, time

eztsh, kind, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else int.from_bytes(os.urandom(4), "little")
random.seed(seed)
LOOK_EVERY, LIMIT = 25, int(os.environ.get("STORM_LIMIT", 120))
COMMANDS = [
    ["probe -count -r libc.so.6:^str", "delete"], ["probe -r ^[a-f]", "continue &", "interrupt"],
    ["probe -count -r *:^[m-p]", "continue &"], ["why libc.so.6:strstr"],
    ["probe -count libc.so.6:strstr"], ["probe exit libc.so.6:strlen", "continue &"],
    ["check -r libc.so.6:^mem"], ["measure libc.so.6:malloc"], ["call getppid()"],
    ["stepi 3"], ["mmap 8192", "munmap $_ 8192"], ["syscall getpid"], ["info textdiff"],
    ["disable", "enable"], ["delete"], ["detach -keep"],
    ["set strategy trap", "probe -count -r libc.so.6:^(mem|str)", "continue &"],
] + [[f"set strategy {s}", "probe -count -r .", "continue &"] for s in ("jump", "island", "pun")]

# for p_loop; SPEC is the file storm.spec
CLAUSES = [
    ["hist pulse", "continue &"], ["set overflow drop", "hist beat", "continue &", "interrupt", "delete"],
    ["probe pulse if $arg0 % 3 == 0 collect $arg0, $ret", "continue &"],
    ["count beat by $arg1", "sum $ret at pulse", "continue &"], ["topk pulse by $thread", "continue &", "info aggregates"],
    ['dprintf beat,"%lu\\n",$arg0', "continue &"], ["replace beat with beat_too", "continue &"],
    ["replace beat with beat_too", "continue &", "interrupt", "delete"],
    ["module load pthread", "continue &"], ["module load io", "continue &", "module unload io"],
    ["spec load storm.spec", "continue &"], ["spec load storm.spec", "continue &", "interrupt", "delete"],
    ["set overflow overwrite", "probe pulse", "continue &", "snapshot"],
    ["set follow-fork-mode all", "probe -min-time 1us pulse", "continue &"], ["probe -caller ^pulse beat", "continue &"],
    ["break beat if $arg0 == 77", "continue &", "interrupt"], ["delete"], ["detach -keep"], ["disable", "enable"],
    ["probe -count -r ^[bp]", "continue &"], ["info textdiff"],
]
SPEC = 'decl code="static volatile long n;"\nentry routine="pulse" code="n++;"\nexit routine="beat" code="n += ez_ret() != 0;"\n'
threads = re.fullmatch(r"(/.*):(\d+)", kind)


class Worker:
    """A target that is asked for something all the time, and its answers."""

    def __init__(self, where):
        self.where, self.wrong, self.answers, self.ended = where, "", 0, False
        self.start()
        self.thread = threading.Thread(target=self.ask, daemon=True)
        self.thread.start()

    def ask(self):
        try:
            while not self.ended:
                self.once()
                self.answers += 1
        except Exception as e:
            if not self.ended:
                self.wrong = f"{type(e).__name__}: {e}"

    def goes_on(self):
        """It answers twice more: one answer may have been on its way."""
        want, end = self.answers + 2, time.time() + LIMIT
        while self.answers < want and not self.wrong and time.time() < end:
            time.sleep(0.005)
        return self.answers >= want

    def state(self):
        """What each of its threads does, for who looks for the reason."""
        where, said = f"/proc/{self.process.pid}/task", []
        for tid in os.listdir(where) if os.path.isdir(where) else []:
            with open(f"{where}/{tid}/status") as s, open(f"{where}/{tid}/syscall") as c:
                wanted = [l for l in s.read().split("\n") if re.match("State|SigPnd|ShdPnd|SigBlk", l)]
                said.append(" ".join(wanted + [c.read()]))
        return "\n".join(said)

    def fate(self):
        """How it ended, if it did."""
        try:
            return f"ended with status {self.process.wait(10)}"
        except subprocess.TimeoutExpired:
            return "lives"

    def stop(self):
        self.ended = True
        self.process.kill()
        self.process.wait()


class Lines(Worker):
    """One line in, one line out."""

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, text=True,
                                        stdout=subprocess.PIPE, cwd=self.where, bufsize=1)

    def once(self):
        n = random.randrange(2000, 4000)
        self.process.stdin.write(self.line.format(n=n))
        said = self.process.stdout.readline().strip()
        if said != str(n * (n + 1) // 2):
            raise ValueError(f"the sum to {n} is {said!r}; it {self.fate()}")


class Python(Lines):
    command = [shutil.which("python3", path="/usr/bin") or sys.executable, "-uc",
               "import sys\nfor l in sys.stdin: print(eval(l))"]
    line = "sum(int(str(i)) for i in range({n} + 1))\n"


class Sqlite(Lines):
    command = [shutil.which("sqlite3") or "", "-batch"]
    line = ("with recursive c(i) as (values(1) union all select i+1 from c where i<{n}) "
            "select sum(cast(cast(i as text) as int)) from c;\n")


class Redis(Worker):
    def start(self):
        self.path, self.n = self.where + "/socket", 0
        self.process = subprocess.Popen(
            [shutil.which("redis-server"), "--port", "0", "--unixsocket", self.path, "--save", "",
             "--appendonly", "no", "--dir", self.where], stdout=subprocess.DEVNULL)
        end = time.time() + LIMIT
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(self.path) and time.time() < end: # it listens a while after it has made the file
            time.sleep(0.02)
        self.file = self.socket.makefile("rb")

    def once(self):
        self.socket.sendall(b"INCR n\r\n" * 50)
        for _ in range(50):
            self.n += 1
            said = self.file.readline()
            if said != b":%d\r\n" % self.n:
                raise ValueError(f"the count {self.n} is {said!r}")


class Program(Worker):
    """One that works by itself: it goes on as long as it uses its processor."""

    def start(self):
        path, n = threads.groups() if threads else (kind, self.where + "/ready")
        self.process = subprocess.Popen([path, self.where + "/stop", n], cwd=self.where, stdout=subprocess.PIPE)
        self.ticks = 0

    def once(self):
        while not self.ended:
            with open(f"/proc/{self.process.pid}/stat") as f:
                field = f.read().rsplit(")", 1)[1].split()
            if field[0] in "ZX":
                raise ValueError(f"it is dead: {self.process.wait()}")
            now = int(field[11]) + int(field[12])
            if now > self.ticks:
                self.ticks = now
                return
            time.sleep(0.005)

    def stop(self):
        self.ended = True
        open(self.where + "/stop", "w").close()
        self.process.send_signal(signal.SIGCONT)
        said, _ = self.process.communicate(timeout=LIMIT)
        if self.process.returncode or not said.endswith(b"right\n"):
            self.wrong = self.wrong or f"it ended with {self.process.returncode}, {said[-80:]!r}"


def stack(pid):
    """What a shell that does not end is doing, twice: it may be slow only."""
    said = ""
    for _ in range(2 if shutil.which("gdb") else 0):
        said += subprocess.run(["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "bt"], stdin=subprocess.DEVNULL,
                               capture_output=True, text=True, timeout=LIMIT).stdout[-3000:]
    return said


def shell(worker, commands, kill_after=None):
    """*Its status and what it said; None = killed. The status of one that does not end says what it did last."""
    args = [eztsh, "-nx", "-batch", "-p", str(worker.process.pid)]
    args += [w for c in commands for w in ("-ex", c)]
    with tempfile.TemporaryFile("w+") as out:
        p = subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                             cwd=worker.where)
        try:
            status = p.wait(timeout=LIMIT if kill_after is None else kill_after)
        except subprocess.TimeoutExpired:
            status = None
            if kill_after is None:
                status = "hung\n" + stack(p.pid)
            p.send_signal(signal.SIGKILL)
            p.wait()
        out.seek(0)
        return status, out.read()


def look(worker):
    """What an undisturbed shell finds wrong."""
    status, said = shell(worker, ["info textdiff", "delete", "info textdiff", "detach"])
    foreign = re.findall(r"(\d+) of them foreign", said)
    if status not in (0, 1) or len(foreign) != 2 or foreign != ["0", "0"]:
        return f"an undisturbed shell: status {status}\n{said[-1500:]}"
    return ""


def meddle(worker):
    """Somebody sends SIGSTOP and SIGCONT, a moment apart, a few times; the last one is SIGCONT."""
    for _ in range(random.choice((0, 0, 1, 3))):
        time.sleep(random.uniform(0, 0.1))
        worker.process.send_signal(signal.SIGSTOP)
        time.sleep(random.uniform(0, 0.02))
        worker.process.send_signal(signal.SIGCONT)


def storm(worker):
    killed, took = 0, 2.0 if threads else 0.5
    before = []
    for n in range(rounds):
        commands = sum(random.sample(CLAUSES if threads else COMMANDS, random.randint(1, 3)), [])
        if threads: # the shell may be killed while it has nothing to do, too
            commands += ["shell sleep 0.5"]
        began = time.time()
        meddler = threading.Thread(target=meddle, args=(worker,))
        meddler.start()
        status, said = shell(worker, commands, random.uniform(0.01, took))
        meddler.join()
        killed += status is None
        if status is not None: # the program ended first
            took = max(1.0 if threads else 0.1, 0.7 * took + 0.3 * (time.time() - began))
        else:
            took = min(4.0, took * 1.05)
        wrong = "" if worker.goes_on() else worker.wrong or "it does not go on\n" + worker.state()
        if not wrong and n % LOOK_EVERY == LOOK_EVERY - 1:
            began = time.time()
            wrong = look(worker)
            print(f"{n + 1} rounds; the undisturbed shell took {time.time() - began:.1f} s", file=sys.stderr)
        if wrong:
            print(f"seed {seed}, round {n}, {commands}, after {before}: {wrong}\n{said[-600:]}")
            return killed, False
        before = commands, "killed" if status is None else status
    return killed, True


with tempfile.TemporaryDirectory() as where:
    os.environ.update(HOME=where, EZTRACE_TRACE_DIR=where, LC_ALL="C")
    which = {"python": Python, "sqlite": Sqlite, "redis": Redis}.get(kind, Program)
    with open(where + "/storm.spec", "w") as f:
        f.write(SPEC)
    worker = which(where)
    try:
        killed, good = storm(worker) if worker.goes_on() else (0, False)
        wrong = look(worker) if good else worker.wrong
    finally:
        worker.stop()
    wrong = wrong or worker.wrong
    print(f"{wrong}\n{killed} of {rounds} shells were killed, seed {seed}")
    sys.exit(not good or bool(wrong))
