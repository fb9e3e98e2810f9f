# SPDX-License-Identifier: GPL-3.0-or-later
"""sweep.py - 51: let the Nth call of the ptrace door fail, or the target die there.

sweep.py EZTSH TARGETS attach|run KILL|ESRCH|EIO SECONDS

N goes over all the calls; when that takes longer than SECONDS, over evenly spread ones
(SECONDS 0: all). After each: the shell ended by itself, in time, with status 0 or 1,
each of its errors is one line, and the target is dead (KILL), or runs to its right end
(EIO). With ESRCH it dies too, and the call says so. Prints what is wrong.
"""
import os, re, signal, subprocess, sys, tempfile, time

eztsh, targets, mode, kind, budget = sys.argv[1:6]
budget = float(budget)
LIMIT = 20
ATTACH = ["probe beat", "probe -count pulse", "continue &", "interrupt", "mmap 4096",
          "syscall getpid", "delete 2", "probe exit pulse", "info probes", "detach"]
RUN = ["probe twice", "probe -count area", "probe libp:lib_mix", "run 50", "info probes", "kill"]
NATIVE = subprocess.run([targets + "/p_app", "50"], capture_output=True).stdout
bad = []


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def shell(args, env, where):
    """Run eztsh in a session of its own; its processes die with it if it hangs."""
    p = subprocess.Popen([eztsh, "-nx", "-batch"] + args, env=env, cwd=where, text=False,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = p.communicate(timeout=LIMIT)
        return p.returncode, out, err
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        out, err = p.communicate()
        return "hung", out, err


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


def one(n, count=None):
    with tempfile.TemporaryDirectory() as where:
        where = os.path.realpath(where)
        env = dict(os.environ, HOME=where, EZTRACE_TRACE_DIR=where, LC_ALL="C")
        env.pop("EZ_FAULT", None)
        if count:
            env["EZ_FAULT_COUNT"] = count
        if n:
            env["EZ_FAULT"] = f"any:{n}:{kind}"
        target = None
        if mode == "attach":
            target = subprocess.Popen([targets + "/p_loop", where + "/stop", "2"], cwd=where,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
            end = time.time() + 10
            while time.time() < end and len(os.listdir(f"/proc/{target.pid}/task")) < 2:
                time.sleep(0.001)
            args = ["-p", str(target.pid)] + commands(ATTACH)
        else:
            args = commands(RUN) + [targets + "/p_app"]
        started = time.time()
        rc, out, err = shell(args, env, where)
        took = time.time() - started
        wrong = []
        if rc not in (0, 1):
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
            open(where + "/stop", "w").close()
            try:
                said, _ = target.communicate(timeout=15)
            except subprocess.TimeoutExpired:
                tracer = open(f"/proc/{target.pid}/status").read()
                target.kill()
                said, _ = target.communicate()
                target.returncode = "hung, " + re.search(r"State:\s*(.*)", tracer).group(1)
            right = target.returncode == 0 and said.endswith(b"right\n")
            if kind != "EIO" and n:
                right = right or target.returncode == -signal.SIGKILL
            if not right:
                wrong.append(f"target's status {target.returncode}: {said[-80:]!r}")
        else:
            end = time.time() + 5
            while left_running(where) and time.time() < end:
                time.sleep(0.01)
            for p in left_running(where):
                wrong.append(f"process {p} is left")
                os.kill(p, signal.SIGKILL)
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
while n <= last and len(bad) < 8:
    one(n)
    done += 1
    if budget and time.time() - begin > budget * done / ((last + step - 1) // step) * 1.5:
        step += 1
    n += step
print(f"{done} of {total} calls, step {step}, {time.time() - begin:.0f} s")
sys.exit(bool(bad))
