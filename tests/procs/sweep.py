# SPDX-License-Identifier: GPL-3.0-or-later
"""sweep.py - 49, 51: let the Nth call of the ptrace door fail, or one side die there.

sweep.py EZTSH TARGETS MODE KIND SECONDS

MODE    attach  attach, probe, inject, delete, detach
        run     launch, with probes that wait, to the end
        keep    attach, probe, detach -keep
        adopt   take over what an undisturbed shell kept, delete, probe, keep again
        follow  launch, and go on with the children of forks
KIND    KILL    the target dies at the call         ESRCH  it dies, and the call says so
        EIO     the call fails                      DIE    the shell is killed at the call

N goes over all the calls; when that takes longer than SECONDS, over evenly spread ones
(SECONDS 0: all). After each: the shell ended by itself, in time, with status 0 or 1, each
of its errors is one line; the target is dead (KILL, ESRCH) or runs to its right end. A
target that is alive is then attached to and let go of by an undisturbed shell (not after
attach with EIO: there the disturbed one must have managed), and its text is its file's
again. Prints what is wrong.
"""
import os, re, signal, subprocess, sys, tempfile, time

eztsh, targets, mode, kind, budget = sys.argv[1:6]
budget = float(budget)
LIMIT = 20
ATTACH = ["probe beat", "probe -count pulse", "continue &", "interrupt", "mmap 4096",
          "syscall getpid", "delete 2", "probe exit pulse", "info probes", "detach"]
KEEP = ["probe beat", "probe -count pulse", "continue &", "detach -keep"]
ADOPT = ["info probes", "delete 2", "continue &", "probe -count work", "disable 1", "enable 1",
         "detach -keep"]
RUN = ["probe twice", "probe -count area", "probe libp:lib_mix", "run 50", "info probes", "kill"]
FOLLOW = ["set follow-fork-mode child", "probe tick", "run fork 2", "run vfork 2", "info probes"]
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
        p = subprocess.Popen([eztsh, "-nx", "-batch"] + args, env=env, cwd=where,
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
    target = subprocess.Popen([targets + "/p_loop", where + "/stop", "2"], cwd=where,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    end = time.time() + 10
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
    return wrong


def one(n, count=None):
    with tempfile.TemporaryDirectory() as where:
        where = os.path.realpath(where)
        plain = dict(os.environ, HOME=where, EZTRACE_TRACE_DIR=where, LC_ALL="C")
        plain.pop("EZ_FAULT", None)
        env = dict(plain)
        if count:
            env["EZ_FAULT_COUNT"] = count
        if n:
            env["EZ_FAULT"] = f"any:{n}:{kind}"
        target = start_target(where) if mode in ("attach", "keep", "adopt") else None
        if mode == "adopt":
            shell(["-p", str(target.pid)] + commands(KEEP), plain, where)
        if target:
            list_ = {"attach": ATTACH, "keep": KEEP, "adopt": ADOPT}[mode]
            args = ["-p", str(target.pid)] + commands(list_)
        else:
            program = "/p_app" if mode == "run" else "/p_follow"
            args = commands(RUN if mode == "run" else FOLLOW) + [targets + program]
        started = time.time()
        rc, out, err = shell(args, env, where)
        took = time.time() - started
        wrong = []
        if rc not in (0, 1) and not (kind == "DIE" and rc == -signal.SIGKILL):
            wrong.append(f"shell's status {rc}")
        elif took > 8:
            wrong.append(f"took {took:.0f} s")
        text = err.decode(errors="replace")
        ncommands = len(args) // 2
        if re.search(r"Sanitizer|runtime error", text):
            wrong.append("sanitizer")
        if len(text.splitlines()) > 2 * ncommands or any(not l.strip() for l in text.splitlines()):
            wrong.append("errors that are not one line each")
        if target:
            wrong += tidy(target, plain, where, n > 0)
            wrong += end_target(target, where)
        else:
            wrong += launched_ends(where)
            # a parent whose child was killed says so
            if mode == "follow" and kind in ("EIO", "DIE") and b"WRONG" in open(where + "/out", "rb").read():
                wrong.append("a process was WRONG")
        if wrong:
            bad.append(n)
            print(f"N={n}: " + "; ".join(wrong))
            print("  " + (out.decode(errors="replace")[-600:] + text[-600:]).replace("\n", "\n  "))
        return took


with tempfile.TemporaryDirectory() as d:
    count = d + "/count"
    took = one(0, count) + 0.05
    total = int(open(count).read())
step = 1
if budget:
    step = max(1, int(total * took / budget + 1))
begin, n, done = time.time(), 1, 0
last = total + 3
most = 8 if budget else 1000
while n <= last and len(bad) < most:
    one(n)
    done += 1
    if budget and time.time() - begin > budget * done / ((last + step - 1) // step) * 1.5:
        step += 1
    n += step
print(f"{done} of {total} calls, step {step}, {time.time() - begin:.0f} s, {len(bad)} bad")
sys.exit(bool(bad))
