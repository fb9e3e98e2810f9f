# SPDX-License-Identifier: GPL-3.0-or-later
"""mutate.py [-n N] [-s SEED] [-f PART] [-x COMMAND] BUILD: would the tests notice?

N random one-line faults in engine/, cmds/, shell/ and arch/x86_64/ (in files whose path has PART),
one after the other, in a copy of the tree that BUILD is a build of. After each, the unit programs of
check-quick that link the file are built and run, the likeliest and quickest first. If none of them
fails COMMAND is run in the copy's build folder, where $FILE is the file that has the fault, e.g.
-x 'make check TESTS="tests/e2e/run.sh tests/procs/attach.sh"'. A fault that nothing notices is
printed as a survivor."""
import argparse, collections, concurrent.futures, os, pathlib, random, re, shutil, signal, subprocess
import sys, tempfile, time

LEFT_OUT = {"engine/base/jail.c"}  # a broken one may fork without end
SECONDS = 120  # for one program; one that takes longer has noticed the fault
AT_ONCE = 4  # they mostly wait
LONG = 1200  # and COMMAND
FOLDERS = ("engine", "cmds", "shell", "arch/x86_64")

KINDS = [  # a pattern of the line, and what it becomes
    ("negated", re.compile(r"^(\s*(?:\} else )?(?:if|while) )\((.+)\)( \{)?$"), r"\1(!(\2))\3"),
    ("bound by one", re.compile(r"([^<>=-] )(<=|>=|<|>)( )(?![<>=])"), None),
    ("dropped", re.compile(r"^(\s+)(?!return|goto|break|continue|case)[\w.>*\[\]-]+(?:\(.*\)| [+|-]?= .+);$"), r"\1;"),
    ("operand", re.compile(r" (\+|-|&&|\|\|) "), None),
    ("returned", re.compile(r"^(\s+return )(true|false|NULL|0);$"), None),
]
SWAP = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "+": "-", "-": "+", "&&": "||", "||": "&&",
        "true": "false", "false": "true", "NULL": "(void *)1", "0": "1"}


def faults(text):
    """(line, what, new line) of each fault that can be made."""
    for at, line in enumerate(text.split("\n")):
        if line.lstrip().startswith(("*", "/", "#")) or not line.startswith(" "):
            continue
        for what, pattern, to in KINDS:
            for m in pattern.finditer(line):
                if to:
                    new = pattern.sub(to, line, count=1)
                else:
                    group = 1 if what == "operand" else 2
                    new = line[:m.start(group)] + SWAP[m[group]] + line[m.end(group):]
                if new != line:
                    yield at, what, new


def run(argv, cwd, seconds, **more):
    """Run a program. Returns its status; None: it took too long. All that it started is ended."""
    p = subprocess.Popen(argv, cwd=cwd, start_new_session=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        return p.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        p.wait()


def strays(top):
    """What a mutant left behind runs a program of the copy, or in it."""
    for d in pathlib.Path("/proc").iterdir():
        try:
            if d.name.isdigit() and int(d.name) != os.getpid() and (
                    os.readlink(d / "exe").startswith(top) or os.readlink(d / "cwd").startswith(top)):
                os.kill(int(d.name), signal.SIGKILL)
        except OSError:
            pass


def build_copy(source, old_build, top):
    """The tree in `top`, configured as the old build is, and its unit programs built."""
    config = subprocess.run([str((old_build / "config.status").resolve()), "--config"], text=True,
                            capture_output=True, check=True).stdout.strip()
    skip = {old_build.resolve().name, ".git", "autom4te.cache"}
    shutil.copytree(source, top, ignore=lambda d, names: skip & set(names), symlinks=True)
    build = top / "build"
    build.mkdir()
    if subprocess.run(f"{top}/configure {config} && make -j2 && make -j2 check TESTS=", cwd=build,
                      shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        sys.exit("the copy does not build")
    return build


class Programs:
    """The unit programs that pass without a fault: what each holds of every object, or starts, how
    long it takes, and what it noticed so far."""

    def __init__(self, build, env):
        self.build, self.env = build, env
        self.holds, self.seconds, self.noticed = {}, {}, collections.Counter()
        started = {b"\0EZTSH\0": "eztsh", b"\0EZT_GTG\0": "ezt-gtg"}  # by the environment
        programs = [str(p.relative_to(build)) for p in build.glob("tests/unit/*/check_*")
                    if p.is_file() and os.access(p, os.X_OK) and p.suffix == ""]
        for p in sorted(p for p, bad in self.ask(programs) if not bad):
            holds = (build / p).read_bytes() + b"".join(  # and the files that its source includes
                d.read_bytes() for d in build.rglob(f".deps/*{pathlib.Path(p).name}.Po"))
            self.holds[p] = holds + b"".join((build / it).read_bytes() for word, it in started.items()
                                             if word in holds)

    def order(self, f):
        """Those that hold the file, as the debug information says: first one named after it, then
        what noticed faults near by."""
        file = pathlib.PurePath(f)
        return sorted((p for p, b in self.holds.items() if f.encode() in b), key=lambda p: (
            p.rpartition("check_")[2] not in file.stem, -self.noticed[file.parent, p], self.seconds[p]))

    def fails(self, p):
        begin = time.monotonic()
        status = run([f"./{p}"], self.build, SECONDS, env=self.env)
        self.seconds.setdefault(p, time.monotonic() - begin)
        return status != 0

    def ask(self, programs):
        """(program, does it fail?) of each, as they end."""
        pool = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
        try:
            asked = {pool.submit(self.fails, p): p for p in programs}
            for one in concurrent.futures.as_completed(asked):
                yield asked[one], one.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            strays(str(self.build))  # ends those that still run

    def notice(self, f):
        """None: it is no program; else: does any of them fail?"""
        ordered = self.order(f)
        for some in ordered[:1], ordered[1:]:  # each link costs a while
            if run(["make", "CFLAGS=-g -O1 -w", "eztsh", "ezt-gtg", *some], self.build, 300) != 0:
                return None
            for p, bad in self.ask(some):
                if bad:
                    self.noticed[pathlib.PurePath(f).parent, p] += 1
                    return True
        return False


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("-n", type=int, default=20)
    a.add_argument("-s", type=int, default=1)
    a.add_argument("-f", default="")
    a.add_argument("-x", default="")
    a.add_argument("build", type=pathlib.Path)
    a = a.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy is deleted, too
    with tempfile.TemporaryDirectory(prefix="eztsh-mutate-") as tmp:
        top = pathlib.Path(tmp, "tree")
        build = build_copy(pathlib.Path(__file__).resolve().parent.parent, a.build, top)
        env = dict(os.environ, top_srcdir=str(top), top_builddir=str(build), TMPDIR=tmp,
                   EZTSH=f"{build}/eztsh", EZT_GTG=f"{build}/ezt-gtg", CK_TIMEOUT_MULTIPLIER="4")
        programs = Programs(build, env)
        files = [str(f.relative_to(top)) for d in FOLDERS
                 for f in sorted((top / d).rglob("*.c")) if a.f in str(f.relative_to(top))]
        all_faults = [(f, *x) for f in files if f not in LEFT_OUT and "/rt/" not in f
                      for x in faults((top / f).read_text())]
        noticed = later = survived = 0
        for f, at, what, new in random.Random(a.s).sample(all_faults, min(a.n, len(all_faults))):
            path, text = top / f, (top / f).read_text()
            lines = text.split("\n")
            old, lines[at] = lines[at], new
            try:
                path.write_text("\n".join(lines))
                found = programs.notice(f)
                if found is None:
                    continue
                if found:
                    noticed += 1
                elif a.x and run(["sh", "-c", a.x], build, LONG, env=dict(env, FILE=f)) != 0:
                    later += 1
                else:
                    survived += 1
                    print(f"{f}:{at + 1}: {what}\n-{old}\n+{new}", flush=True)
            finally:
                path.write_text(text)
                strays(tmp)  # scripts work in folders beside the tree
            print(f"{noticed} + {later} noticed, {survived} not", file=sys.stderr, flush=True)
        print(f"{noticed + later} of {noticed + later + survived} faults were noticed"
              f"{f', {later} of them by the command alone' if a.x else ''}")


main()
