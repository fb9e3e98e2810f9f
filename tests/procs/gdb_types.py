# SPDX-License-Identifier: GPL-3.0-or-later
# gdb_types.py - runs in gdb: are the values of a trace those that gdb prints at the same calls?
#
#   EVENTS=FILE gdb -batch -nx -x gdb_types.py PROGRAM    FILE: what `events` printed
#
# Prints a line for each value that differs, and after each call "compared N of M". What gdb has optimised out
# behind the prologue, or cannot print by that name, is not compared. gdb 16 ends ("internal problem") at a
# std::vector; what is compared before that counts. The last line is "done".
import os
import re

import gdb

POINTER = re.compile(r"0x[0-9a-f]+( <[^>]*>)?")


def plain(text):
    """A value without what only gdb, or only eztsh, adds to it."""
    text = text.strip().replace("\\\\", "\\")  # `events` shows a backslash as two
    text = re.sub(r"^(\(.*&\) )?@0x[0-9a-f]+: ", "", text)  # a reference
    if "Cannot access memory" in text or text == "<fault>" or text == "0x0":
        return "nothing"
    quoted = re.match(r'^(?:\([^)]*\) )?(?:0x[0-9a-f]+ )?(".*"(?:\.\.\.)?)$', text)
    if quoted:
        return quoted.group(1)
    text = re.sub(r"^\(([^()]*[ *])?[^()]*\*\)+ (?=0x)", "", text)
    text = re.sub(r"^\([^()]*(\([^()]*\))*[^()]*\) (?=0x)", "", text)
    if text.startswith("(") and text.endswith(")") and "|" in text:
        text = text[1:-1]
    text = re.sub(r"^(\w+::)+(?=\w+$)", "", text)
    return POINTER.sub("0x", text)


def asked(text):
    """NAME=VALUE pairs of an event."""
    parts = re.split(r"(?:^| )([\w$][\w$.\[\]]*)=", text)
    return list(zip(parts[1::2], parts[2::2]))


def calls():
    """(function, items at the entry, items at the exit) of each call, in the order of the entries."""
    found, open_ = [], []
    for line in open(os.environ["EVENTS"], encoding="utf-8"):
        m = re.match(r"^ *[0-9.]+ ms +\d+ +(entry|exit) +(.*?)(?:  (.*))?$", line.rstrip("\n"))
        if not m:
            continue
        if m.group(1) == "entry":
            open_.append([m.group(2).strip(), asked(m.group(3) or ""), []])
            found.append(open_[-1])
        else:
            rest = re.sub(r"(^| +)[0-9.]+ [num]?s$", "", m.group(3) or "")
            open_.pop()[2] = asked(rest)
    return found


def value(expression):
    try:
        return gdb.execute("output " + expression, to_string=True)
    except gdb.error as e:
        return "<error: %s>" % e if "Cannot access memory" in str(e) else None


def is_array(expression):
    try:
        return gdb.parse_and_eval(expression).type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY
    except gdb.error:
        return False


# What gdb 13 gets wrong: integers of 16 bytes as results, results that the caller has a place for, and
# registers that gcc's prologue has changed. The sources say what the values are.
WRONG_IN_GDB = {("wide", "$ret"), ("wide", "a"), ("three", "f.x"), ("ns::make_owner", "$ret.id")}
NOT_IN_GDB = ("optimized out", "<synthetic", "<incomplete type>", "Python Exception")

compared = total = 0


def compare(function, name, ours, expression):
    global compared, total
    total += 1
    if (re.sub(r"\(.*", "", function), name) in WRONG_IN_GDB:
        return
    theirs = value(expression)
    if theirs is None or any(words in theirs for words in NOT_IN_GDB):
        return
    if ours.startswith("0x") and ("{" in theirs or theirs.startswith("(")) and "*)" not in theirs:
        return  # an address, where gdb shows what is there
    if theirs.startswith("<error") and is_array(expression):
        return  # an array without bounds
    compared += 1
    if plain(ours) != plain(theirs):
        print("differs: %s: %s is %s, gdb has %s" % (function, name, ours, theirs))


for setting in ("confirm off", "width 0", "print elements 200", "language c",
                "breakpoint pending off", "startup-with-shell off"):
    gdb.execute("set " + setting)
started = False
for function, at_entry, at_exit in calls():
    symbol = re.sub(r"\(.*", "", re.sub(r"^\w+ (?=ns::)", "", function))
    try:
        gdb.Breakpoint(symbol, temporary=True)
    except gdb.error:
        print("differs: gdb knows no %s" % symbol)
        continue
    gdb.execute("continue" if started else "run", to_string=True)
    started = True
    for name, ours in at_entry:
        compare(function, name, ours, name)
    if at_exit and not at_exit[0][1].startswith("<tail"):
        gdb.execute("finish", to_string=True)
        for name, ours in at_exit:
            compare(function, name, ours, "$" + name[4:] if name.startswith("$ret") else name)
    print("compared %d of %d" % (compared, total), flush=True)
print("done")
gdb.execute("kill")
