# SPDX-License-Identifier: GPL-3.0-or-later
# agree.py - are the answers of eztsh those of gdb, on the same stops of the same program?
#
#   agree.py EZTSH PROGRAM SOURCE
#
# The stops are the lines of SOURCE that say STOP. At each, this file, run by gdb's own Python, makes commands from the
# names and types that gdb finds there, and keeps gdb's answers. eztsh gets the same commands. Both run the program at
# the same addresses, so addresses are compared as they are. Where both refuse, the words may differ.
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

# Answers that are known to differ: languages, the command, gdb's answer, and why. The rest must agree.
KNOWN = (
    ("c cc", r"^print(/\w)? .* [&^|] ", r"^(true|false|[01])$", "gdb computes with bool, C with int"),
    ("c", r"^print &bits\.\w+$", r"^\(", "a bit-field has no address in C"),
    ("c", r"^print \((char|short|unsigned|long|unsigned char)\)(nan|matrix\[1\]\[0\])$", "",
     "C leaves it open what integer a NaN or 1e100 is"),
    ("c", r"^print .*bits\.[ab] [-<=/*]+ ", "", "unsigned bit-fields are int in C where int holds them, and unsigned to gdb"),
    ("c cc rs", r"^(whatis|ptype|print sizeof)", r"optimized out", "a type needs no value"),
    ("c cc rs", r"^print [-!&*(]", r"optimized out|not located in memory", "gdb refuses the whole of what is optimized out"),
    ("c", r"op \+ 1$", r"^\(int \(\*\)", "gdb drops the typedef"),
    ("c cc", "", r"<incomplete sequence", "gdb names bytes that are no characters"),
    ("c", r"^print(/\w)? .*&per_thread", r"^\(int \*\)", "thread-local storage is wherever the C library maps it"),
    ("c", r"^print [-~]", r"unknown: |^\w+$|^\(\w+ \|", "gdb keeps the enum, C promotes it to int"),
    ("cc", r"^ptype", r"\[with \w+ = ", "gdb writes parameters of templates by their names"),
    ("cc", "", r"@CXXABI|@GLIBC", "gdb adds the version to a symbol"),
    ("cc", r"\(\*rp\)|^whatis \*rp$", r"^8$|int \* const", "gdb 13 takes what a reference leads to for the reference"),
    ("c", r"^print (p\.y|s)$", r"<synthetic pointer>", "gdb calls a lost float so"),
    ("c", r"^(bt|info args)$", r"<synthetic pointer>", "at a clone's first instruction only registers are asked"),
    ("rs", r"^(print (nobody|res|s|sizeof\(\*s\))|whatis \*s|info args|bt)$", r"Cannot access memory at address 0x0",
     "gdb does not find an argument of optimised code of rustc; the program prints what eztsh shows"),
    ("rs", r"\b(s|text)\.(data_ptr|length)\b", "component of a value that is not a structure",
     "gdb 16 hides the members of slices, which gdb 13 shows"),
    ("rs", r"\.(data_ptr|length)$", "value has been optimized out", "gdb 16 refuses the members of a slice that is optimized out"),
    ("f90", r"sizeof\(every\)", r"^24$", "gdb 13 counts what a section leaves out"),
    ("f90", r"^print &every", "", "the elements of a section do not lie side by side, so a pointer does not lead to them"),
    ("f90", r"\(?\bauto\b", "", "gdb 13 reads an array that is optimized out"),
    ("f90", r"\bsized\b", "", "gdb 13 takes bounds that are optimized out for 1"),
    ("f90", r"^(bt|info args)$", r"range bounds|sized=\.\.\.", "bounds that are optimized out"),
    ("f90", r"^print text [=<] ", "Invalid type combination", "gdb 13 does not compare a text whose length is computed"),
    ("f90", r"rank\(text\)", r"^1$", "gdb 13 takes such a text for an array of characters"),
)
PER_FRAME = int(os.environ.get("AGREE_PER_FRAME", "90"))
UNARY = ("-%s", "~%s", "!%s", "%s + 1", "%s * 3", "%s / 7", "%s %% 7", "%s << 2", "%s >> 1", "%s & 6", "%s == 5",
         "%s < 100", "(char)%s", "(unsigned char)%s", "(short)%s", "(unsigned)%s", "(long)%s", "(float)%s", "(double)%s")
BINARY = ("%s + %s", "%s - %s", "%s * %s", "%s < %s", "%s == %s", "%s & %s", "%s ^ %s", "%s && %s", "%s / (%s | 1)")
FORMATS = "xduotacz"
FORTRAN_NUMBER = ("-%s", "%s + 1", "%s * 3", "%s / 7", "%s ** 2", "%s == 5", "%s /= 5", "%s .lt. 100", "%s >= 3",
                  "abs(%s)", "kind(%s)", "(real*8)%s", "(real) %s", "(integer*8)%s", "cmplx(%s)", "%s .and. .true.")
FORTRAN_WHOLE = ("mod(%s, 7)", "modulo(%s, 7)", "modulo(%s, -7)", "%s & 6", "%s | 6", "%s ^ 6", "cmplx(%s, 2)", "(integer*2)%s", "(logical)%s", "2 ** mod(%s, 5)")
FORTRAN_REAL = ("floor(%s)", "ceiling(%s)", "mod(%s, 1.5)", "modulo(%s, 1.5)", "%s ** 0.5", "%s < 1.5d0", "cmplx(1.5, %s)")
FORTRAN_TRUTH = (".not. %s", "%s .and. .false.", "%s .or. .true.", "%s .eqv. .true.", "%s .neqv. .false.", "%s .xor. .true.", "kind(%s)")
FORTRAN_COMPLEX = ("-%s", "%s + %s", "%s * 2", "%s == %s", "kind(%s)")
FORTRAN_ANY = ("rank(%s)", "shape(%s)")
FORTRAN_ARRAY = ("size(%s)", "size(%s, 1)", "lbound(%s)", "ubound(%s)", "lbound(%s, 1)", "ubound(%s, 1)", "allocated(%s)")
FORTRAN_BINARY = ("%s + %s", "%s - %s", "%s * %s", "%s < %s", "%s == %s", "%s .and. %s", "%s .le. %s .or. .false.", "%s ** abs(mod(%s, 4))")
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8"}  # as little as both may have: the stack begins at one place


def stops(source):
    return [n for n, line in enumerate(open(source, encoding="utf-8"), 1) if re.search(r"[/!]\*? STOP", line)]


# ---- the witness -----------------------------------------------------------------------------------------------


def witness():
    import gdb

    source, language = os.environ["AGREE_SOURCE"], os.path.splitext(os.environ["AGREE_SOURCE"])[1]
    base = os.path.basename(source)
    kinds = {getattr(gdb, name): name[10:].lower() for name in dir(gdb) if name.startswith("TYPE_CODE_")}

    def kind(t):
        return kinds.get(t.strip_typedefs().code, "?")

    def parts(expr, t, depth):
        """(expression, its type) of what a value consists of."""
        yield expr, t
        if depth == 0:
            return
        plain, k = t.strip_typedefs(), kind(t)
        if k in ("ref", "rvalue_ref"):
            yield from list(parts(expr, plain.target(), depth))[1:]
        elif k == "ptr" and kind(plain.target()) in ("struct", "union"):
            yield "*" + expr, plain.target()
            yield from members("(*%s)." % expr if language == ".rs" else expr + "->", plain.target(), depth)
        elif k == "ptr" and kind(plain.target()) not in ("void", "func", "?"):
            yield "*" + expr, plain.target()
        elif k == "array":
            lo, hi = plain.range()
            of, ends = plain, []
            while language == ".f90" and kind(of) == "array":  # all subscripts stand in one pair of parentheses
                ends.insert(0, of.range())
                of = of.target().strip_typedefs()
            for i in (0, 1) if ends else ():
                yield from parts("%s(%s)" % (expr, ",".join(str(at[i]) for at in ends)), of, depth - 1)
            for i in () if ends else sorted({lo, hi}):
                yield from parts("%s[%d]" % (expr, i), plain.target(), depth - 1)
        elif k in ("struct", "union"):
            yield from members(expr + ("%" if language == ".f90" else "."), plain, depth)

    def members(prefix, t, depth):
        for f in t.strip_typedefs().fields():
            name = re.sub("^__(?=[0-9])", "", f.name or "")
            if name and not f.is_base_class and not f.artificial and re.fullmatch(r"\w+", name):
                yield from parts(prefix + name, f.type, depth - 1)

    def names(frame):
        """The names at a frame, each once, the innermost first."""
        block, seen = frame.block(), {}
        while block:
            for s in block:
                if (s.is_variable or s.is_argument) and s.name and re.fullmatch(r"[\w:]+", s.name) and "__" not in s.name:
                    if not s.symtab or os.path.basename(s.symtab.filename) == base:
                        seen.setdefault(s.name, s.type)
            block = block.superblock
        return seen

    def section(e, t, rng):
        """A section of an array or a text of Fortran."""
        of, subscripts = t.strip_typedefs(), []
        while kind(of) in ("array", "string"):
            lo, hi = of.range()
            if hi < lo:
                return []
            i, k = sorted((rng.randint(lo, hi), rng.randint(lo, hi)))
            forms = ["%d:%d" % (i, k), ":", "%d:" % i, ":%d" % k, "%d" % i]
            if kind(of) == "array":
                forms += ["%d:%d:2" % (i, k), "::2"] + ["%d:%d:-1" % (k, i)] * (i < k)
            subscripts.insert(0, rng.choice(forms))
            if kind(of) == "string":
                break
            of = of.target().strip_typedefs()
        return ["%s(%s)" % (e, ",".join(subscripts))] if any(":" in s for s in subscripts) else []

    def fortran(e, t, rng):
        """Commands about a value of Fortran."""
        k, x = kind(t), "(%s)" % e if "%" in e else e  # gdb 13 takes an operator before a%b as that of a
        forms = {"int": FORTRAN_NUMBER + FORTRAN_WHOLE, "flt": FORTRAN_NUMBER + FORTRAN_REAL, "bool": FORTRAN_TRUTH,
                 "complex": FORTRAN_COMPLEX, "array": FORTRAN_ARRAY}.get(k, ()) + FORTRAN_ANY
        some = ["print " + form.replace("%s", x) for form in rng.sample(forms, min(len(forms), 4))]
        for e1 in section(e, t, rng) + section(e, t, rng) if k in ("array", "string") else ():
            some += ["print " + e1, "whatis " + e1]
            some += ["print size(%s)" % e1] if k == "array" else []
        if k in ("int", "flt", "bool", "array"):
            some += ["print/%s %s" % (rng.choice("xduotz"), e)]
        if k == "ptr":
            some += ["print associated(%s)" % e, "print *" + x]
        if k == "string":
            some += ["print %s == '%s'" % (x, "hello"), "print %s < 'm'" % x]
        return some

    def asked(frame, rng):
        """Commands for one frame."""
        found = [x for n, t in sorted(names(frame).items()) for x in parts(n, t, 3)]
        rng.shuffle(found)
        numbers = [e for e, t in found if kind(t) in (("int", "flt") if language == ".f90" else ("int", "bool", "char", "flt", "enum"))]
        whole = [e for e, t in found if kind(t) in ("int", "bool", "char", "enum")]
        some = []
        for e, t in found:
            k = kind(t)
            some += ["print " + e, "print sizeof(%s)" % e]
            some += ["whatis " + e]
            some += ["print &(%s)" % e if "%" in e else "print &" + e] if rng.random() < 0.5 else []
            some += ["ptype " + e] if rng.random() < 0.3 else []
            if language == ".f90":
                some += fortran(e, t, rng)
            if language in (".c", ".cc"):
                if k in ("int", "bool", "char", "enum", "flt", "ptr"):
                    some += ["print " + rng.choice(UNARY[:-2] if k == "ptr" else UNARY) % e]  # no pointer is a float
                if k in ("int", "bool", "char", "enum", "flt", "ptr", "array"):
                    some += ["print/%s %s" % (rng.choice(FORMATS), e)]
                if k in ("array", "struct", "union") and rng.random() < 0.3:
                    some += ["x/%d%s%s &%s" % (rng.randint(1, 5), rng.choice("xduto"), rng.choice("bhwg"), e)]
                if k == "ptr" and kind(t.strip_typedefs().target()) in ("int", "char"):
                    some += ["print *%s@2" % e, "x/2dw " + e]
        for _ in range(len(numbers)):
            form = rng.choice(FORTRAN_BINARY if language == ".f90" else BINARY)
            pool = whole if re.search("[&^|]", form.replace("&&", "")) else numbers
            if language in (".c", ".cc", ".f90") and len(pool) > 1:
                some.append("print " + form % tuple(rng.sample(pool, 2)))
        rng.shuffle(some)
        return list(dict.fromkeys(some))[:PER_FRAME * (3 if language == ".f90" else 1)]

    deadly = os.environ["AGREE_DEADLY"].split("\n")

    def answer(command):
        if command in deadly:
            return {"command": "echo"}
        print(">>", command, file=sys.stderr, flush=True)
        try:
            return {"command": command, "answer": gdb.execute(command, to_string=True).rstrip("\n")}
        except gdb.error as e:
            return {"command": command, "error": str(e)}

    def at_stop():
        gdb.execute("disable pretty-printer", to_string=True)  # eztsh has none
        line = gdb.selected_frame().find_sal().line
        out = [answer(c) for c in ("print $pc", "info args", "info locals", "bt")]
        frame = gdb.selected_frame()
        for level in range(2):
            if level:
                frame = frame.older()
                if not frame or not frame.is_valid() or os.path.basename(frame.find_sal().symtab.filename) != base:
                    break
                gdb.execute("frame 1", to_string=True)
                out.append({"command": "frame 1"})
                out += [answer(c) for c in ("print $pc", "info args", "info locals")]
            rng = random.Random("%s %d %d" % (base, line, level))
            out += [answer(c) for c in asked(frame, rng)]
        return {"line": line, "asked": out}

    for setting in ("width 0", "pagination off", "confirm off", "debuginfod enabled off"):
        gdb.execute("set " + setting, to_string=True)
    gdb.execute("unset env")
    for name, value in ENVIRONMENT.items():
        gdb.execute("set env %s %s" % (name, value))
    lines = []
    for line in stops(source):
        stop = gdb.Breakpoint("%s:%d" % (base, line), temporary=True)
        if all(at.source[1] == line for at in stop.locations):
            lines.append(line)
        else:  # the compiler left nothing of it
            stop.delete()
    told = []
    gdb.execute("run", to_string=True)
    while gdb.selected_inferior().pid:
        told.append(at_stop())
        gdb.execute("continue", to_string=True)
    with open(os.environ["AGREE_OUT"], "w", encoding="utf-8") as f:
        json.dump({"lines": lines, "stops": told}, f)


def testify(program, source):
    """What gdb says. A command of which gdb itself dies is left out."""
    deadly = []
    with tempfile.NamedTemporaryFile() as out:
        while len(deadly) < 99: # gdb 16 dies of each member of some slices of Rust
            env = dict(ENVIRONMENT, AGREE_SOURCE=source, AGREE_OUT=out.name, AGREE_DEADLY="\n".join(deadly))
            done = subprocess.run(["gdb", "-nx", "-q", "-batch", "-x", __file__, program], env=env, timeout=300,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace", check=False)
            told = out.read()
            if told:
                return json.loads(told)
            asked = re.findall("^>> (.*)", done.stderr, re.M)
            if not asked or "Traceback" in done.stderr:
                break
            deadly.append(asked[-1])
    sys.exit("gdb tells nothing of %s: %s" % (program, done.stderr[-2000:]))


# ---- eztsh -----------------------------------------------------------------------------------------------------


def ask(eztsh, program, source, lines, told):
    """What eztsh answers to the same commands, in their order."""
    base = os.path.basename(source)
    commands = ["set disable-randomization on"]
    commands += ["tbreak %s:%d" % (base, n) for n in lines] + ["run"]
    begin = len(commands)
    for stop in told:
        commands += [q["command"] for q in stop["asked"]] + ["continue"]
    text = "".join(json.dumps({"id": i, "command": c}) + "\n" for i, c in enumerate(commands))
    done = subprocess.run([eztsh, "-nx", "--interpreter=json", program], input=text, capture_output=True, text=True,
                          timeout=300, errors="replace", check=False, env=dict(ENVIRONMENT))
    got = {}
    for line in done.stdout.splitlines():
        reply = json.loads(line)
        if reply.get("id") is not None:
            got[reply["id"]] = reply
    at = begin
    for stop in told:
        for q in stop["asked"]:
            yield stop["line"], q, got.get(at, {"ok": False, "error": {"message": "no answer"}})
            at += 1
        at += 1


def plain(q, text, suffix):
    """What is compared: without the number of the history, and without what differs by intent."""
    text = re.sub(r"^\$\d+ = ", "", text.strip())
    if q["command"] == "print $pc":  # functions have other names: those of symbols
        return re.sub(r"^.*(0x[0-9a-f]+).*$", r"\1", text)
    if q["command"].startswith("x/"):
        return re.sub(r" <[^>]*>", "", text)
    if suffix == "rs":  # the legacy mangling ends names with a hash
        text = re.sub(r"::h[0-9a-f]{16}\b", "", text)
    if suffix == "f90":  # eztsh writes gfortran's symbols as the program has them
        text = re.sub(r"<__(\w+?)_MOD_(\w+)", r"<\1::\2", text)
        text = re.sub(r"<(\w+)\.\d+([+>])", r"<\1\2", text)  # gdb leaves out the number of a saved variable
    return text


def same(q, reply, suffix):
    if "error" in q or not reply["ok"]:
        return "error" in q and not reply["ok"]
    theirs, ours = plain(q, q["answer"], suffix), plain(q, "\n".join(reply["output"]), suffix)
    if q["command"] == "bt" and suffix in ("rs", "f90"):  # gdb ends at the language's main
        return ours.startswith(theirs)
    return theirs == ours


def known(q, suffix):
    """Why the answers differ; None = nobody knows."""
    theirs = q.get("answer", q.get("error", ""))
    theirs = re.sub(r"^\$\d+ = ", "", theirs.strip())
    newer = gdb_changes.changed(q["command"], theirs)
    if newer:
        return newer
    for suffixes, command, answer, why in KNOWN:
        if suffix in suffixes.split() and re.search(command, q["command"]) and re.search(answer, theirs):
            return why
    return None


def main():
    eztsh, program, source = sys.argv[1:4]
    suffix = os.path.splitext(source)[1][1:]
    told = testify(program, source)
    n = collections.Counter()
    for line, q, reply in ask(eztsh, program, source, told["lines"], told["stops"]):
        if len(q) == 1:  # it only leads to the next
            continue
        n["asked"] += 1
        if same(q, reply, suffix):
            n["same"] += 1
            continue
        if known(q, suffix):
            n["known"] += 1
            continue
        ours = "\n".join(reply["output"]) if reply["ok"] else "error: " + reply["error"]["message"]
        print("differs: %s:%d: %s\n    eztsh: %s\n    gdb:   %s" % (
            os.path.basename(program), line, q["command"], ours.replace("\n", "\n           "),
            q.get("answer", "error: %s" % q.get("error")).replace("\n", "\n           ")))
    print("%d of %d answers are gdb's, %d are known to differ" % (n["same"], n["asked"], n["known"]))


if "gdb" in sys.modules:
    witness()
else:
    import gdb_changes

    main()
