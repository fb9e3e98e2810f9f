# SPDX-License-Identifier: GPL-3.0-or-later
"""kills.py - 49: shells that use each feature are killed at random moments, one after the other, on one target.

kills.py EZTSH P_KILLS THREADS BUSY SHELLS [SEED]

Each round a shell attaches to the target, which has THREADS threads, of which BUSY work all the time, and gets the
commands of one to three features. SIGKILL comes after a random command has been answered and a random time has passed,
in half of the rounds also for the daemons of a shell that follows children. In some rounds somebody stops the target
meanwhile, and lets it go on. After each round the target works on, with all of its threads. Now and then, and at the
end, a shell that nobody kills removes what the others left: the text is that of the files again. At the end the target
checks its own results. Prints what is wrong, and the seed.
"""
import collections, os, random, re, shutil, signal, subprocess, sys, tempfile, threading, time

eztsh, program, threads, busy, rounds = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
seed = int(sys.argv[6]) if len(sys.argv) > 6 else int.from_bytes(os.urandom(4), "little")
random.seed(seed)
LOOK_EVERY, LIMIT = 10, int(os.environ.get("KILLS_LIMIT", 300))

# What the shell does before it attaches (None: nothing), and after it.
FEATURES = {
    "hist": (None, ["hist pulse", "hist $arg1 at beat by $thread", "continue &", "info aggregates"]),
    "count": (None, ["count beat by $arg1", "sum $ret at pulse", "topk pulse by $thread", "continue &"]),
    "collect": (None, ["probe pulse if $arg0 % 3 == 0 collect $arg0, $args return $ret", "continue &", "info trace"]),
    "filters": (None, ["probe -min-time 1us pulse", "probe -caller ^pulse beat", "continue &"]),
    "replace": (None, ["replace beat with p_kills:beat_too", "continue &", "interrupt", "delete"]),
    "pthread": (None, ["module load pthread", "continue &"]),
    "memory": (None, ["module load memory", "continue &", "module unload memory"]),
    "spec": (None, ["spec load kills.spec", "continue &", "interrupt", "delete"]),
    "dprintf": (None, ['dprintf beat,"%lu\\n",$arg0', "continue &"]),
    "snapshot": ("set overflow overwrite", ["probe pulse", "continue &", "snapshot"]),
    "children": ("set follow-fork-mode all", ["probe pulse", "continue &"]),
    "record": (None, ["probe beat pulse", "continue &", "info probes"]),
    "drop": ("set overflow drop", ["probe beat pulse", "continue &", "disable", "enable"]),
    "trap": (None, ["set strategy trap", "probe -count beat pulse libc.so.6:malloc", "continue &"]),
    "again": (None, ["continue &"] + ["probe -count -r ^(beat|pulse|work)", "delete"] * 20),
    "stop": (None, ["break pulse", "continue", "stepi", "delete"]),
    "break": (None, ["break beat if $arg0 == 77", "continue &", "interrupt"]),
    "keep": (None, ["probe -count pulse", "detach -keep"]),
}
SPEC = ('decl code="static volatile long n;"\nentry routine="pulse" code="n++;"\n'
        'exit routine="beat" code="n += ez_ret() != 0;"\n')


class Target:
    """The program, and what its threads have done by the last look at them."""

    def __init__(self):
        # With hundreds of busy threads, a shell of the same priority would hardly get a processor.
        self.process = subprocess.Popen([program, "stop", str(threads), str(busy)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, preexec_fn=lambda: os.nice(19 if threads > 16 else 0))
        self.where, self.own, self.ran = f"/proc/{self.process.pid}", [], {}
        wrong = self.wait(lambda: len(os.listdir(f"{self.where}/task")) == threads, "it does not have its threads")
        if wrong:
            sys.exit(wrong)
        self.own = os.listdir(f"{self.where}/task") # eztsh, too, may begin threads there
        self.ran = self.times() # when the last round ended

    def wait(self, come, otherwise):
        """Waits until come() is true. Returns what is wrong."""
        end, pause = time.time() + LIMIT, 0.005
        while not come():
            pause = min(0.1, 1.2 * pause) # a look takes the time of hundreds of threads
            if self.process.poll() is not None:
                return f"the target ended with {self.process.returncode}"
            if time.time() > end:
                return f"{otherwise}\n{self.state()}"
            time.sleep(pause)
        return ""

    def times(self):
        """The nanoseconds that each of its threads ran."""
        ran = {}
        for tid in self.own:
            try:
                with open(f"{self.where}/task/{tid}/schedstat") as f:
                    ran[tid] = int(f.read().split()[0])
            except (FileNotFoundError, ProcessLookupError, IndexError): # it has just ended
                pass
        return ran

    def goes_on(self, all_threads=False):
        """Does any thread run now, and has each one run since the round before? Returns what is wrong."""
        first = self.times()
        wrong = self.wait(lambda: any(v > first.get(k, v) for k, v in self.times().items()), "no thread runs")
        before = first if all_threads else self.ran
        if not wrong:
            wrong = self.wait(lambda: self.behind(before) == [], "threads do not run")
        self.ran = self.times()
        return wrong

    def behind(self, before):
        now = self.times()
        return [k for k in before if now.get(k, 0) <= before[k]]

    def state(self):
        """What the threads that are behind do, and the children, for who looks for the reason."""
        said, states = [], collections.Counter()
        late = self.behind(self.ran)
        for tid in os.listdir(f"{self.where}/task"):
            try:
                with open(f"{self.where}/task/{tid}/status") as s, open(f"{self.where}/task/{tid}/syscall") as c:
                    states[re.search(r"State:\s*(.*)", s.read())[1] + ", syscall " + c.read().split()[0]] += 1
            except OSError:
                pass
        want = "Pid|PPid|State|SigPnd|ShdPnd|TracerPid|[^A-Z]"
        for tid in late[:8] + [str(self.process.pid)] + self.children():
            for name in ("status", "syscall", "stack"):
                try:
                    with open(f"/proc/{tid}/{name}") as f:
                        said.append(" ".join(l for l in f.read().split("\n") if re.match(want, l)))
                except OSError as e:
                    said.append(str(e))
        stacks = "".join(stack(p) for p in [self.process.pid] + self.children())
        return f"{states}\n{len(late)} threads are behind\n" + "\n".join(said) + stacks

    def children(self):
        with open(f"{self.where}/task/{self.process.pid}/children") as f:
            return f.read().split()

    def differs(self, but):
        """Where executable memory is not what the file has, but for these files. Returns what is wrong."""
        with open(f"{self.where}/maps") as f, open(f"{self.where}/mem", "rb", 0) as memory:
            for line in f:
                field = line.split(None, 5)
                if "x" not in field[1] or len(field) < 6 or not field[5].startswith("/") or "memfd:" in field[5]:
                    continue
                if field[5].strip() in but:
                    continue
                low, high = (int(v, 16) for v in field[0].split("-"))
                memory.seek(low)
                with open(field[5].strip(), "rb") as disk:
                    disk.seek(int(field[2], 16))
                    want = disk.read(high - low)
                have = memory.read(high - low)[:len(want)]
                for i in range(len(want) if want != have else 0):
                    if want[i] != have[i]:
                        return f"{field[5].strip()}+{int(field[2], 16) + i:#x}: {want[i]:02x} became {have[i]:02x}"
        return ""

    def stop(self):
        """Lets it end. Returns what is wrong."""
        open("stop", "w").close()
        self.process.send_signal(signal.SIGCONT)
        try:
            said, _ = self.process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            state = self.state()
            self.process.kill()
            self.process.wait()
            return "the target does not end\n" + state
        print(said.decode(errors="replace").replace("\n", "; "), file=sys.stderr)
        if self.process.returncode or not said.endswith(b"right\n"):
            return f"the target ended with {self.process.returncode}, {said[-80:]!r}"
        return ""


def stack(pid):
    """What a process that does not go on is doing."""
    if not shutil.which("gdb"):
        return ""
    said = subprocess.run(["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "bt"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=LIMIT).stdout
    return "\n".join(l for l in said.split("\n") if not l.startswith("[New "))[:3000]


def is_daemon(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as f:
        return b"--daemon" in f.read()


def daemons_of(pid):
    """The processes that a shell began to follow children."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as f:
            children = [int(p) for p in f.read().split()]
        return sum(([p] * is_daemon(p) + daemons_of(p) for p in children), [])
    except OSError: # it has just ended
        return []


class Shell:
    """An eztsh that has got these commands, and answers one after the other."""

    def __init__(self, target, commands):
        self.target = target
        self.number = len(commands)
        self.out = open("log", "w+")
        self.process = subprocess.Popen([eztsh, "-nx"], stdin=subprocess.PIPE, stdout=self.out, stderr=self.out)
        lines = [f"{c}\necho @{n + 1}@\\n\n" for n, c in enumerate(["set confirm off"] + commands)]
        self.process.stdin.write("".join(lines).encode())
        self.process.stdin.flush()

    def said(self):
        with open("log", errors="replace") as f:
            return f.read()

    def answered(self, n):
        """Waits for so many answers. Returns what is wrong."""
        end = time.time() + LIMIT
        while f"@{n}@\n" not in self.said():
            if self.process.poll() is not None:
                return f"the shell ended with {self.process.returncode}"
            if time.time() > end:
                return "the shell does not answer\n" + self.target.state() + stack(self.process.pid)
            time.sleep(0.002)
        return ""

    def end(self, kill, with_daemons=False):
        """Returns its status."""
        daemons = daemons_of(self.process.pid) if kill and with_daemons else []
        if kill:
            self.process.kill()
        for pid in daemons:
            if os.path.exists(f"/proc/{pid}"):
                os.kill(pid, signal.SIGKILL)
        self.process.stdin.close()
        try:
            return self.process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            print("the shell does not end\n" + stack(self.process.pid))
            self.process.kill()
            self.process.wait()
            return "hung"


def look(target):
    """What shells that nobody kills find wrong. A hook stays while a thread is in a call that was probed; and always if
    the shell cannot find out whether there are such calls, which only root's can."""
    for _ in range(20):
        wrong, said = attach(target)
        wrong = wrong or target.goes_on(True)
        kept = re.findall(r"^(/.*) keeps a hook of eztsh", said, re.M)
        if wrong or not kept or os.geteuid():
            break
    wrong = wrong or target.differs(kept if os.geteuid() else [])
    return f"{wrong}, after an undisturbed shell\n{said[-1500:]}" if wrong else ""


def attach(target):
    """Removes what other shells left. Returns what is wrong, and what the shell said."""
    end, traced = time.time() + LIMIT, True
    while traced: # of a shell that followed children, a process lives on until it has detached
        shell = Shell(target, [f"attach {target.process.pid}", "info textdiff", "delete", "info textdiff", "detach"])
        wrong = shell.answered(shell.number + 1)
        status, said = shell.end(bool(wrong)), shell.said()
        traced = "is already traced by" in said and time.time() < end
    foreign = re.findall(r"(\d+) of them foreign", said)
    if wrong or status or len(foreign) != 2 or foreign != ["0", "0"]:
        wrong += f" the shell's status is {status}, foreign bytes {foreign}"
    return wrong, said


def meddle(target, times):
    """Somebody sends SIGSTOP and SIGCONT, a moment apart, a few times; the last one is SIGCONT."""
    for running, stopped in times:
        time.sleep(running)
        target.process.send_signal(signal.SIGSTOP)
        time.sleep(stopped)
        target.process.send_signal(signal.SIGCONT)


def kill_one(target, names, took):
    """Returns what is wrong, how long the attach took (None: the kill came before its end), and the moment."""
    before = [FEATURES[n][0] for n in names if FEATURES[n][0]]
    commands = before + [f"attach {target.process.pid}"] + [c for n in names for c in FEATURES[n][1]]
    least = len(before) + 1 # answers: before the attach
    answers = random.randint(least, len(commands) + 1)
    with_daemons = random.random() < 0.5
    times = [(random.uniform(0, 0.1), random.uniform(0, 0.02)) for _ in range(random.choice((0, 0, 0, 1, 3)))]
    began = time.time()
    shell, attached = Shell(target, commands), None
    meddler = threading.Thread(target=meddle, args=(target, times))
    meddler.start()
    if answers > least and not shell.answered(least + 1):
        attached = time.time() - began
    wrong = shell.answered(answers)
    time.sleep(random.uniform(0, (attached or took) * 1.2))
    status = shell.end(True, with_daemons)
    meddler.join()
    if not wrong and status != -signal.SIGKILL:
        wrong = f"the shell had ended with {status}"
    after = (["start"] + ["set confirm off"] + commands)[answers]
    return wrong, attached, f"killed after '{after}'"


def main():
    target = Target()
    try:
        return storm(target)
    finally:
        target.process.kill()
        target.process.wait()


def storm(target):
    """Returns true if something is wrong."""
    took, began, before, each, wrong = 0.3, time.time(), "", collections.Counter(), ""
    for n in range(rounds):
        names = random.sample(list(FEATURES), random.choice((1, 1, 2, 3)))
        each.update(names)
        round_began = time.time()
        wrong, attached, moment = kill_one(target, names, took)
        killed = time.time()
        took = 0.7 * took + 0.3 * attached if attached else took
        wrong = wrong or target.goes_on()
        if time.time() > round_began + 3:
            print(f"round {n}, {names} {moment}: killed after {killed - round_began:.1f} s, the target went on after"
                  f" {time.time() - killed:.1f} s", file=sys.stderr)
        if not wrong and n % LOOK_EVERY == LOOK_EVERY - 1:
            wrong = look(target)
            with open(f"{target.where}/maps") as f:
                print(f"{n + 1} rounds in {time.time() - began:.0f} s, an attach takes {took:.1f} s,"
                      f" {len(f.readlines())} mappings", file=sys.stderr)
            for name in os.listdir():
                if name.endswith(".fxt"):
                    os.remove(name)
        if wrong:
            print(f"seed {seed}, round {n}, {names} {moment}, after {before}: {wrong}\n{open('log').read()[-800:]}")
            break
        before = names, moment
    wrong = wrong or look(target)
    ended = target.stop()
    print(wrong or ended)
    print(" ".join(f"{k} {v}" for k, v in sorted(each.items())), file=sys.stderr)
    print(f"{n + 1} shells of {rounds} were killed, {(time.time() - began) / (n + 1):.2f} s each, seed {seed}")
    return bool(wrong or ended)


with tempfile.TemporaryDirectory() as where:
    os.chdir(where)
    os.environ.update(HOME=where, EZTRACE_TRACE_DIR=where, LC_ALL="C")
    with open("kills.spec", "w") as f:
        f.write(SPEC)
    failed = main()
    os.chdir("/")
sys.exit(failed)
