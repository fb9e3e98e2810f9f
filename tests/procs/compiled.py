# SPDX-License-Identifier: GPL-3.0-or-later
# compiled.py - expressions as a C compiler computes them (compiled.sh).
#   compiled.py program N            a program that prints type and value of N expressions, and stops in f()
#   compiled.py print N              commands: the same expressions at that stop
#   compiled.py collect N            commands: as many as items of probes can have, as items of probes
#   compiled.py printed WANT GOT N   compares what the program printed with what the commands print said
#   compiled.py collected WANT GOT N the same of a trace in the format chrome
# The expressions are the same for the same N; every value is one that C defines, with -fwrapv.
import json
import random
import re
import struct
import sys

VARS = [  # declaration, name, value
    ("signed char", "c", "-7"), ("unsigned char", "uc", "250"), ("short", "s", "-30000"),
    ("unsigned short", "us", "65000"), ("int", "i", "-1"), ("unsigned", "u", "4000000000u"),
    ("long", "l", "-5000000000l"), ("unsigned long", "ul", "18446744073709551000ul"),
    ("float", "x", "16777216.0f"), ("float", "y", "0.1f"), ("double", "d", "2.75"),
]
FIELDS = ["b.u3", "b.s5", "b.u31", "b.u32"]
TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long",
         "float", "double"]
LITERALS = ["0", "1", "7", "2147483647", "2147483648", "4294967295", "4294967296", "0x7fffffff", "0x80000000",
            "0xffffffff", "0x100000000", "0x8000000000000000", "037777777777", "017777777777", "1u", "1l", "1ul",
            "0xffffffffu", "0xffffffffl", "3000000000u", "0.5", "0.1f", "1e3", "16777217.0f"]
INTEGERS = [v[1] for v in VARS if v[0] not in ("float", "double")] + FIELDS
REALS = [v[1] for v in VARS if v[0] in ("float", "double")]


def integer(r, depth):
    if depth == 0:
        return r.choice(INTEGERS + [t for t in LITERALS if "." not in t and "e" not in t])
    kind = r.randrange(9)
    if kind < 3:
        return "(%s %s %s)" % (integer(r, depth - 1), r.choice("+-*&|^"), integer(r, depth - 1))
    if kind == 3:
        return "(%s %s %s)" % (integer(r, depth - 1), r.choice("/%"), r.choice(["3", "7u", "10l", "0xfffffff0"]))
    if kind == 4:
        return "(%s %s %d)" % (integer(r, depth - 1), r.choice(["<<", ">>"]), r.randrange(8))
    if kind == 5:
        return "%s%s" % (r.choice("-~!"), wrapped(integer(r, depth - 1)))
    if kind == 6:
        return "(%s %s %s)" % (any_of(r, depth - 1), r.choice(["<", "<=", "==", "!=", ">", ">=", "&&", "||"]),
                               any_of(r, depth - 1))
    if kind == 7:
        return "((%s)%s)" % (r.choice(TYPES[:8]), wrapped(integer(r, depth - 1)))
    return "(%s ? %s : %s)" % (any_of(r, depth - 1), integer(r, depth - 1), integer(r, depth - 1))


def real(r, depth):
    if depth == 0:
        return r.choice(REALS + ["0.5", "0.1f", "1e3", "16777217.0f"])
    kind = r.randrange(5)
    if kind < 2:
        return "(%s %s %s)" % (real(r, depth - 1), r.choice("+-*"), any_of(r, depth - 1))
    if kind == 2:
        return "(%s / %s)" % (real(r, depth - 1), r.choice(["3", "3.0f", "0.7", "10l"]))
    if kind == 3:
        return "((%s)%s)" % (r.choice(TYPES[8:]), wrapped(any_of(r, depth - 1)))
    return "(%s ? %s : %s)" % (integer(r, depth - 1), real(r, depth - 1), any_of(r, depth - 1))


def wrapped(text):
    return text if text[0] == "(" or text.isalnum() else "(%s)" % text


def any_of(r, depth):
    return r.choice([integer, integer, real])(r, depth)


def expressions(n):
    r = random.Random(20261127)
    found = LITERALS + ["(%s)" % t for t in LITERALS] + FIELDS
    while len(found) < n:
        found.append(any_of(r, r.randrange(1, 4)))
    return found[:n]


def probed(n):
    """Those without bit-fields, which only the program's f() can name: 8 for each probe."""
    found = [e for e in expressions(n) if "b." not in e]
    return [found[k:k + 8] for k in range(0, len(found), 8)]


def program(n):
    print("#include <stdio.h>\nstatic struct { unsigned u3 : 3; int s5 : 5; unsigned u31 : 31, u32 : 32; } b = { 5, -9, "
          "2000000000, 4000000000u };")
    params = ", ".join("%s %s" % v[:2] for v in VARS)
    print("#define SHOW(e) _Generic((e), int: say_int, unsigned: say_unsigned, long: say_long, unsigned long: "
          "say_ulong, float: say_float, double: say_double, default: say_int)(e)")
    for name, type, text, format in [("int", "int", "int", "%d"), ("unsigned", "unsigned", "unsigned int", "%u"),
                                     ("long", "long", "long", "%ld"), ("ulong", "unsigned long", "unsigned long", "%lu"),
                                     ("float", "float", "float", "%.9g"), ("double", "double", "double", "%.17g")]:
        print('static void say_%s(%s v) { printf("%s %s\\n", v); }' % (name, type, text, format))
    for k in range(len(probed(n))):
        print("__attribute__((noinline, noclone)) void g%d(%s) { __asm__ volatile(\"\" ::: \"memory\"); }" % (k, params))
    print("__attribute__((noinline, noclone)) int f(%s)\n{" % params)
    for e in expressions(n):
        print("    SHOW(+(%s));" % e)
    names = ", ".join(v[1] for v in VARS)
    for k in range(len(probed(n))):
        print("    g%d(%s);" % (k, names))
    print("    fflush(stdout);\n    __asm__ volatile(\"nop\"); /* HERE */\n    return 0;\n}")
    print("int main(void)\n{\n    return f(%s);\n}" % ", ".join(v[2] for v in VARS))


def number(type, text):
    return float(text) if type in ("float", "double") else int(text)


def agree(type, want, got):
    """A float is told with so many digits that it is the same float."""
    try:
        want, got = number(type, want), number(type, str(got))
    except ValueError:
        return False
    return want == got or (type == "float" and struct.pack("f", want) == struct.pack("f", got))


def wanted(path, n):
    with open(path, encoding="utf-8") as f:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in f]
    return dict(zip(expressions(n), lines))


def tell(checked, bad):
    for line in bad[:20]:
        print("differs: %s: want %s %s, got %s" % line)
    print("%d of %d agree" % (checked - len(bad), checked))


def printed(want, got, n):
    want = wanted(want, n)
    with open(got, encoding="utf-8") as f:
        parts = re.split(r"^>>(\d+)$", f.read(), flags=re.M)
    bad, asked = [], expressions(n)
    for k, text in zip(parts[1::2], parts[2::2]):
        e = asked[int(k)]
        type, value = want[e]
        lines = text.strip().split("\n")
        if len(lines) != 2 or lines[0] != "type = " + type or not agree(type, value, lines[1]):
            bad.append((e, type, value, lines))
    tell(len(parts) // 2, bad)


def collected(want, got, n):
    want = wanted(want, n)
    with open(got, encoding="utf-8") as f:
        events = {e["name"]: e for e in json.load(f)["traceEvents"] if e["ph"] == "B"}
    bad, checked = [], 0
    for k, chunk in enumerate(probed(n)):
        values = list(events["g%d" % k]["args"].values()) if "g%d" % k in events else []
        values += [None] * (len(chunk) - len(values))
        for e, value in zip(chunk, values):
            checked += 1
            if not agree(*want[e], value):
                bad.append((e, *want[e], value))
    tell(checked, bad)


def main():
    what, n = sys.argv[1], int(sys.argv[-1])
    if what == "program":
        program(n)
    elif what == "print":
        for k, e in enumerate(expressions(n)):
            print("echo >>%d\\n\nwhatis +(%s)\noutput +(%s)\necho \\n" % (k, e, e))
    elif what == "collect":
        for k, chunk in enumerate(probed(n)):
            print("probe g%d collect %s" % (k, ", ".join("+(%s)" % e for e in chunk)))
    else:
        (printed if what == "printed" else collected)(sys.argv[2], sys.argv[3], n)


main()
