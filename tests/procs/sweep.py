# SPDX-License-Identifier: GPL-3.0-or-later
"""sweep.py - 49, 51: let the Nth call of the ptrace door fail, or one side die there.

sweep.py EZTSH TARGETS MODE KIND SECONDS

MODE    attach  attach, probe, inject, delete, detach
        run     launch, with probes that wait, to the end
        keep    attach, probe, detach -keep
        adopt   take over what an undisturbed shell kept, delete, probe, keep again
        start   launch to main, probe, go on
        follow  launch, and go on with the children of forks
        offer   launch, and hold the children of forks, which nobody takes
        ask     everything that runs something in the target: functions, copies, steps
        signal  attach, stop it by a signal, and do some of all that with the signal in hand
        halt    attach, stop at breakpoints for more than which the processor has places
        details the same; N goes over the requests for the details of signals only
        clauses attach, and probe with conditions, data, histograms, replacements
        module  attach, a module is loaded into the process, and unloaded
        spec    attach, and a specification's code is loaded
        job     attach by a daemon, as to a job's process, and do some of all that: the daemon is who dies
        stopped somebody stopped it by SIGSTOP, and lets it go on when all shells are gone
        jump, island, pun, trap  plant in all functions in that one way, remove, plant again
        pages   attach, plant over page ends by each strategy, count what was recorded, let go;
                N goes over the writes only: what is to be written over a page's end takes two
KIND    KILL    the target dies at the call         ESRCH  it dies, and the call says so
        EIO     the call fails                      DIE    the shell is killed at the call

N goes over all the calls; when that takes longer than SECONDS, over evenly spread ones
(SECONDS 0: all). After each: the shell ended by itself, in time, with status 0 or 1, each
of its errors is one line; the target is dead (KILL, ESRCH) or runs to its right end. A
target that is alive is then attached to and let go of by an undisturbed shell (not after
attach with EIO: there the disturbed one must have managed), and its text is its file's
again. Prints what is wrong.
"""
import ctypes, os, re, signal, subprocess, sys, tempfile, time

eztsh, targets, mode, kind, budget = sys.argv[1:6]
budget = float(budget)
LIMIT = 200 # a shell on a busy machine
ATTACH = ["probe beat", "probe -count pulse", "continue &", "interrupt", "mmap 4096",
          "syscall getpid", "delete 2", "probe exit pulse", "info probes", "detach"]
KEEP = ["probe beat", "probe -count pulse", "continue &", "detach -keep"]
ADOPT = ["info probes", "delete 2", "continue &", "probe -count work", "disable 1", "enable 1",
         "detach -keep"]
ASK = ["why libc.so.6:strstr", "probe -count libc.so.6:strstr", "call getppid()", "check beat",
       "measure pulse", "stepi 3", "info textdiff", "info proc"]
SIGNAL = ["shell kill -USR1 $EZT_TARGET && touch sent", "continue", "probe -count pulse", "stepi", "call getppid()",
          "syscall getpid", "delete", "continue &", "interrupt", "detach"]
HALT = ["break beat", "break pulse", "break work if 0", "break main", "break libc.so.6:puts", "break libc.so.6:getenv", "continue", "next",
        "continue", "probe -count beat", "continue", "ignore 1 2", "continue", "detach"]
CLAUSES = ["hist pulse", "probe beat if $arg0 != 1 collect $arg0, $ret", "count beat by $arg1", 'dprintf pulse,"%lu\\n",$arg0',
           "continue &", "interrupt", "delete", "replace beat with beat_too", "continue &", "hist work", "detach"]
MODULE = ["module load pthread", "continue &", "interrupt", "module unload pthread", "detach"]
SPEC = ["shell echo 'entry routine=\"pulse\" code=\"1;\"' >x.spec", "spec load x.spec", "continue &", "interrupt", "detach"]
JOB = ["shell echo $EZT_TARGET >pids", "job attach -pids pids", "probe beat", "hist pulse", "continue &", "interrupt", "disable 1", "call getppid()", "delete",
       "probe -count work", "continue &", "job detach"]
STOPPED = ["stepi 3", "call getppid()", "syscall getpid", "detach"]
WAY = ["probe -count -r .", "continue &", "interrupt", "delete", "probe exit -count -r .",
       "continue &", "disable", "enable", "detach"]
PAGES = ["probe -r ^cross_.$", "probe -count -r ^cross_.$", "delete 1-10", "disable", "enable",
         "delete", "set strategy pun", "probe -count -r ^cross_.$", "delete", "detach"]
ATTACHED = {"attach": ATTACH, "keep": KEEP, "adopt": ADOPT, "ask": ASK, "signal": SIGNAL,
            "clauses": CLAUSES, "module": MODULE, "spec": SPEC, "job": JOB, "stopped": STOPPED, "halt": HALT, "details": HALT,
            "pages": PAGES}
SITES = {"pages": "write", "details": "getsiginfo"}
WAYS = ("jump", "island", "pun", "trap")
ATTACHED.update((way, ["set strategy " + way] + WAY) for way in WAYS)
START = ["start", "probe area", "continue"]
LAUNCHED = {"run": "/p_app", "start": "/p_app", "follow": "/p_follow", "offer": "/p_tree"}
RUN = ["probe twice", "probe -count area", "probe libp:lib_mix", "run 50", "info probes", "kill"]
FOLLOW = ["set follow-fork-mode child", "probe tick", "run fork 2", "run vfork 2", "info probes"]
OFFER = ["set follow-fork-mode offer", "set offer-timeout 1", "probe -count leaf", "run fork 2 10", "run vfork 2 10",
         "info probes"]
bad = []


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def shell(args, env, where):
    """Run eztsh in a session of its own; its processes die with it if it hangs."""
    with open(where + "/out", "w+b") as out, open(where + "/err", "w+b") as err:
        # files, not pipes: the program that a killed shell launched holds them open
        # in a batch the shell passes signals on, instead of stopping
        batch = ["-nx", "-q"] if mode == "signal" else ["-nx", "-batch"]
        p = subprocess.Popen([eztsh] + batch + args, env=env, cwd=where,
                             stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                             start_new_session=True)
        try:
            rc = p.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, signal.SIGKILL)
            p.wait()
            rc = "hung"
        out.seek(0)
        err.seek(0)
        return rc, out.read(), err.read()


def commands(list_):
    return [w for c in list_ for w in ("-ex", c)]


def left_running(where):
    """Processes of the launched program that outlived their shell."""
    found = []
    for d in os.listdir("/proc"):
        if not d.isdigit():
            continue
        try:
            if os.readlink(f"/proc/{d}/cwd") == where:
                found.append(int(d))
        except OSError:
            pass
    return [p for p in found if alive(p)]


def text_differs(pid):
    """Where executable pages of files are not what the files say; '' = nowhere."""
    try:
        with open(f"/proc/{pid}/mem", "rb", 0) as mem, open(f"/proc/{pid}/maps") as maps:
            for line in maps:
                f = line.split(None, 5)
                if "x" not in f[1] or len(f) < 6 or f[5][0] != "/" or "memfd:" in f[5]:
                    continue
                lo, hi = (int(v, 16) for v in f[0].split("-"))
                mem.seek(lo)
                live = mem.read(hi - lo)
                with open(f[5].strip(), "rb") as disk:
                    disk.seek(int(f[2], 16))
                    want = disk.read(hi - lo)
                for i, byte in enumerate(want):
                    if byte != live[i]:
                        return f"{os.path.basename(f[5].strip())}+{int(f[2], 16) + i:#x}"
    except OSError:
        pass
    return ""


def start_target(where):
    args = ["/p_loop", where + "/stop", "2"]
    if mode in WAYS:
        open(where + "/go", "w").close()
        args = ["/p_reach", where + "/stop", where + "/go", "2"]
    if mode == "pages":
        args = ["/p_pages", where + "/stop", where + "/ready"]
    target = subprocess.Popen([targets + args[0]] + args[1:], cwd=where,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    end = time.time() + 100
    while time.time() < end and len(os.listdir(f"/proc/{target.pid}/task")) < 2:
        time.sleep(0.001)
    return target


def end_target(target, where):
    """What is wrong with its end."""
    open(where + "/stop", "w").close()
    try:
        said, _ = target.communicate(timeout=15)
    except subprocess.TimeoutExpired:
        status = open(f"/proc/{target.pid}/status").read()
        target.kill()
        said, _ = target.communicate()
        target.returncode = "hung, " + re.search(r"State:\s*(.*)", status).group(1)
    if target.returncode == 0 and said.endswith(b"right\n"):
        got, sent = re.findall(rb"^signals (\d+)", said, re.M), os.path.exists(where + "/sent")
        if got and (int(got[0]) > sent or kind == "NONE" and int(got[0]) != sent):
            return [f"it received {int(got[0])} signals"]
        return []
    if kind in ("KILL", "ESRCH") and target.returncode == -signal.SIGKILL:
        return []
    return [f"target's status {target.returncode}: {said[-80:]!r}"]


def tidy(target, env, where, faulty):
    """The undisturbed shell that comes after, and what it leaves."""
    wrong = []
    if not alive(target.pid):
        return wrong
    if not (faulty and mode == "attach" and kind == "EIO"):
        rc, out, err = shell(["-p", str(target.pid), "-ex", "detach"], env, where)
        if rc != 0 and alive(target.pid):
            wrong.append(f"the shell that comes after: {rc} {err[-200:]!r}")
    at = text_differs(target.pid) if alive(target.pid) else ""
    return wrong + ([f"text differs at {at}"] if at else [])


def launched_ends(where):
    """What is wrong with programs that a shell launched: all end, none is wrong."""
    wrong = []
    end = time.time() + 10
    while left_running(where) and time.time() < end:
        time.sleep(0.01)
    for p in left_running(where):
        wrong.append(f"process {p} is left")
        os.kill(p, signal.SIGKILL)
    while True: # a dead shell's children become ours
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return wrong
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGKILL:
            wrong.append(f"a launched program ended by signal {os.WTERMSIG(status)}")


def one(n, count=None):
    with tempfile.TemporaryDirectory() as where:
        where = os.path.realpath(where)
        plain = dict(os.environ, HOME=where, EZTRACE_TRACE_DIR=where, LC_ALL="C")
        plain.pop("EZ_FAULT", None)
        env = dict(plain)
        if count:
            env["EZ_FAULT_COUNT"] = count
        env["EZ_FAULT"] = f"{SITES.get(mode, 'any')}:{n or 1000000000}:{kind}"
        target = start_target(where) if mode in ATTACHED else None
        if mode == "adopt":
            shell(["-p", str(target.pid)] + commands(KEEP), plain, where)
        if mode == "stopped":
            target.send_signal(signal.SIGSTOP)
        if target:
            env["EZT_TARGET"] = str(target.pid)
            args = (["-p", str(target.pid)] if mode != "job" else []) + commands(ATTACHED[mode])
        else:
            list_ = {"run": RUN, "start": START, "follow": FOLLOW, "offer": OFFER}[mode]
            args = commands(list_) + [targets + LAUNCHED[mode]]
        started = time.time()
        rc, out, err = shell(args, env, where)
        took = time.time() - started
        wrong = []
        if rc not in (0, 1) and not (kind == "DIE" and rc == -signal.SIGKILL):
            wrong.append(f"shell's status {rc}")
        elif took > LIMIT / 2:
            wrong.append(f"took {took:.0f} s")
        text = err.decode(errors="replace")
        ncommands = len(args) // 2
        # Behind an error of ptrace stand the calls that led there, eight at most, each a line.
        text = re.sub(r"What led there, of what `info ptrace -last` tells:\n(?:  \d+ \S.*\n){1,8}", "", text)
        if re.search(r"Sanitizer|runtime error", text):
            wrong.append("sanitizer")
        if len(text.splitlines()) > 2 * ncommands or any(not l.strip() for l in text.splitlines()):
            wrong.append("errors that are not one line each")
        if target:
            wrong += tidy(target, plain, where, n > 0)
            if mode == "stopped": # also the block in which the thread stood is wiped
                target.send_signal(signal.SIGCONT)
            wrong += end_target(target, where)
        else:
            wrong += launched_ends(where)
            # a parent whose child was killed says so
            if mode in ("follow", "offer") and kind in ("EIO", "DIE") and b"WRONG" in open(where + "/out", "rb").read():
                wrong.append("a process was WRONG")
        if wrong:
            bad.append(n)
            print(f"N={n}: " + "; ".join(wrong))
            print("  " + (out.decode(errors="replace")[-600:] + text[-600:]).replace("\n", "\n  "))
        return took


ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER

with tempfile.TemporaryDirectory() as d:
    count = d + "/count"
    took = one(0, count) + 0.05
    total = int(open(count).read())
step = 1
if budget:
    step = max(1, int(total * took / budget + 1))
begin, n, done = time.time(), 1, 0
last = total + 3
planned = (last + step - 1) // step
most = 8 if budget else 1000
while n <= last and len(bad) < most:
    one(n)
    done += 1
    if budget and time.time() - begin > budget * done / ((last + step - 1) // step) * 1.5:
        step += 1
    n += step
fewer = f", fewer than the {planned} planned: a slow machine" if done < planned and not bad else ""
print(f"{done} of {total} calls{fewer}, step {step}, {time.time() - begin:.0f} s, {len(bad)} bad")
sys.exit(bool(bad))
