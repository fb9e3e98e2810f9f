# SPDX-License-Identifier: GPL-3.0-or-later
"""gdb_lines.py - what a gdb user types, gdb's own answer, and ours: gdb_lines.txt.

gdb_lines.py EZTSH PROG FILE WORK        compares; prints "ok - " and "not ok - " lines
gdb_lines.py EZTSH PROG FILE WORK -u     writes FILE anew: both answers, as they are now

FILE has, for each line that is typed, in the order of one session on PROG:
    LINE        or LINE ;; LINE ..., of a block
    = TEXT      both say this
    < TEXT      gdb says this, and we                     (none: it says nothing)
    > TEXT      say that
    | TEXT      or that, on another machine: REASON says which; by hand, kept by -u
    ? REASON    why they differ, by hand; kept by -u
Numbers that are not the same twice are masked: addresses, process ids, times, folders.
A line of ours that differs from the file is a failure. One of gdb's is one only where the file has "=", and only
where that gdb is the version whose answers the file has.
"""
import os, re, subprocess, sys

eztsh, prog, path, work = sys.argv[1:5]
update = sys.argv[5:] == ["-u"]
MARK = "@@%d@@"


def entries():
    """[typed, {tag: [text]}] of the file; its first lines begin with '#'."""
    head, all_ = [], []
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("#") and not all_:
            head.append(line)
        elif line[:2] in ("= ", "< ", "> ", "| ", "? ") or line in ("=", "<", ">"):
            all_[-1][1].setdefault(line[0], []).append(line[2:])
        elif line:
            all_.append((line, {}))
    return head, all_


def mask(text):
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = text.replace(os.path.realpath(work), "WORK").replace(work, "WORK")
    text = re.sub(r"(?<![\w)])\.{0,2}/(?:[^\s\":/]+/)+", "DIR/", text)
    text = re.sub(r"(Compilation directory is DIR/).*", r"\1BUILD", text)
    text = re.sub(r"(Producer is GNU C)\d.*", r"\1VERSION", text)
    text = re.sub(r"0x[0-9a-f]{5,}", "ADDR", text)
    text = re.sub(r"\b(process|Thread|LWP|pid|PID) \d+", r"\1 N", text)
    text = re.sub(r"-?\b\d{4,}\b", "N", text)
    text = re.sub(r"\(gdb\)", "(eztsh)", text)
    return [re.sub(r"[ \t]+", " ", l).strip() for l in text.split("\n") if l.strip()]


def answers(command, lines):
    """What is printed for each line, both streams in order."""
    script = "".join(f"echo {MARK % i}\\n\n{line}\n" for i, line in enumerate(lines)).replace(" ;; ", "\n")
    script += f"echo {MARK % len(lines)}\\n\n"
    env = dict(os.environ, LC_ALL="C.UTF-8", HOME=work, TERM="dumb", COLUMNS="200", SHELL="/bin/sh")
    env.pop("DEBUGINFOD_URLS", None)
    said = subprocess.run(command, input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=120, env=env, cwd=work, errors="replace").stdout
    said = re.sub(r"^\((gdb|eztsh)\) |(?<=\n)\((gdb|eztsh)\) ", "", said)
    out = []
    for i in range(len(lines)):
        begin, end = said.find(MARK % i), said.find(MARK % (i + 1))
        part = said[begin + len(MARK % i):end] if 0 <= begin < end else "(no answer)"
        out.append(mask(re.sub(r"\((gdb|eztsh)\) ", "", part)))
    return out


def version():
    try:
        first = subprocess.run(["gdb", "--version"], capture_output=True, text=True).stdout.split("\n")[0]
        return re.search(r"(\d+\.\d+)\D*$", first).group(1)
    except (OSError, AttributeError):
        return None


head, all_ = entries()
typed = [line for line, _ in all_]
ours = answers([eztsh, "-q", "-nx", prog], typed)
have = version()
theirs = answers(["gdb", "-q", "-nx", prog], typed) if have else None

if update:
    with open(path, "w") as f:
        print(*[h for h in head if not h.startswith("# gdb ")], f"# gdb {have}", sep="\n", file=f)
        for (line, old), o, t in zip(all_, ours, theirs):
            print("", line, sep="\n", file=f)
            if o == t:
                print(*[f"= {x}".rstrip() for x in o] or ["="], sep="\n", file=f)
                continue
            print(*[f"< {x}" for x in t] or ["<"], sep="\n", file=f)
            print(*[f"> {x}" for x in o] or [">"], sep="\n", file=f)
            print(*[f"| {x}" for x in old.get("|", [])], sep="\n", end="\n" if "|" in old else "", file=f)
            print(*[f"? {x}" for x in old.get("?", ["not reviewed"])], sep="\n", file=f)
    sys.exit(0)

same = f"# gdb {have}" in head
for (line, said), o, t in zip(all_, ours, theirs or ours):
    want = [x for x in said.get("=", said.get(">", [])) if x]
    if o not in (want, said.get("|")):
        print(f"not ok - {line}\n  want: {want}\n  got:  {o}")
    elif "=" in said and same and t != want:
        print(f"not ok - {line}: gdb says\n  {t}")
    elif "=" not in said and not said.get("?", ["not reviewed"])[0].strip("? ").replace("not reviewed", ""):
        print(f"not ok - {line}: nobody says why the answers differ")
    else:
        print(f"ok - {line}")
