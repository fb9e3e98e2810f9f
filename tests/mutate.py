# SPDX-License-Identifier: GPL-3.0-or-later
"""mutate.py [-n N] [-s SEED] [-f PART] BUILD: would the unit programs notice?

N random one-line faults in engine/, cmds/ and shell/ (in files whose path has PART), one after the
other, in a copy of the tree that BUILD is a build of. After each, the unit programs of check-quick
that link the file are built and run; a fault that none of them notices is printed as a survivor."""
import argparse, os, pathlib, random, re, shutil, signal, subprocess, sys, tempfile

LEFT_OUT = {"engine/sym/sym_bfd.c"}  # a broken one may fork without end
SECONDS = 60  # for one program; one that takes longer has noticed the fault

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


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("-n", type=int, default=20)
    a.add_argument("-s", type=int, default=1)
    a.add_argument("-f", default="")
    a.add_argument("build", type=pathlib.Path)
    a = a.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the copy is deleted, too
    source = pathlib.Path(__file__).resolve().parent.parent
    config = subprocess.run([str((a.build / "config.status").resolve()), "--config"], text=True,
                            capture_output=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="eztsh-mutate-") as tmp:
        top, build = pathlib.Path(tmp, "tree"), pathlib.Path(tmp, "tree", "build")
        skip = {a.build.resolve().name, ".git", "autom4te.cache"}
        shutil.copytree(source, top, ignore=lambda d, names: skip & set(names), symlinks=True)
        build.mkdir()
        if subprocess.run(f"{top}/configure {config} && make -j2 && make -j2 check TESTS=", cwd=build,
                          shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            sys.exit("the copy does not build")
        env = dict(os.environ, top_srcdir=str(top), top_builddir=str(build), TMPDIR=tmp,
                   EZTSH=f"{build}/eztsh", EZT_GTG=f"{build}/ezt-gtg")
        links = {}  # program: what it holds of each object
        for p in sorted([*build.glob("check_*"), *build.glob("tests/check_*")]):
            if p.is_file() and os.access(p, os.X_OK) and p.suffix == "":
                links[p.relative_to(build)] = p.read_bytes()
        links = {p: b for p, b in links.items() if run([f"./{p}"], build, SECONDS, env=env) == 0}
        files = [str(f.relative_to(top)) for d in ("engine", "cmds", "shell")
                 for f in sorted((top / d).rglob("*.c")) if a.f in str(f.relative_to(top))]
        all_faults = [(f, *x) for f in files if f not in LEFT_OUT and "/rt/" not in f
                      for x in faults((top / f).read_text())]
        noticed = survived = 0
        for f, at, what, new in random.Random(a.s).sample(all_faults, min(a.n, len(all_faults))):
            path, text = top / f, (top / f).read_text()
            lines = text.split("\n")
            old, lines[at] = lines[at], new
            name = ("../" + f).encode()  # debug information tells which programs have the file
            programs = [str(p) for p, b in links.items() if name in b or f.encode() in b]
            try:
                path.write_text("\n".join(lines))
                if run(["make", "CFLAGS=-g -O1 -w", *programs, "eztsh"], build, 300) != 0:
                    continue  # is no program
                if any(run([f"./{p}"], build, SECONDS, env=env) != 0 for p in programs):
                    noticed += 1
                    continue
                survived += 1
                print(f"{f}:{at + 1}: {what}\n-{old}\n+{new}", flush=True)
            finally:
                path.write_text(text)
                strays(str(top))
        print(f"{noticed} of {noticed + survived} faults were noticed")


main()
