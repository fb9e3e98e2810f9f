# SPDX-License-Identifier: GPL-3.0-or-later
"""wording.py TOP [-v]: holds the messages of errors to their form (engine/base/err.h).

A message of ez_err_new() and a hint of ez_err_hint() are sentences: they begin with a capital, and have no
full stop, which ez_err_text() adds. Instead of a capital, a quotation, an option, a path, a value or one of NAMES may
begin them. A message with a code of REASON completes "Cannot probe FUNC: " and begins with a small letter.
A message of ez_err_gdb() is gdb's: the gdb of this machine contains it, unless DROPPED says that it no longer does.
Prints a line for each that is not so, and how many messages no test contains; with -v, these, too.
check_wording.sh bounds their number: a new message needs a test, for instance in a session of tests/e2e."""
import os, pathlib, re, shutil, subprocess, sys

ROOMS = ("arch", "engine", "modules", "cmds", "shell")
NAMES = ("eztsh", "ezt-gtg", "ptrace")
LISTS = ("wording.py", "messages.py") # no tests: they list messages
DROPPED = {"Attempt to raise 0 to negative power.": 14} # the first version of gdb without it
REASON = ("EZ_E_REFUSED", "EZ_E_DECODE", "EZ_E_UNRELOC", "EZ_E_RANGE")

CALL = re.compile(r"\bez_err_(new|gdb|hint|place|wrap)\s*\(")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|[^"\']')
VALUE = re.compile(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]")


def arguments(source, at):
    """The arguments of the call whose parenthesis ends before `at`."""
    found, depth, begin = [], 0, at
    for token in TOKEN.finditer(source, at):
        c = token.group()
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if depth < 0 or (c == "," and not depth):
            found.append(source[begin:token.start()])
            begin = token.end()
        if depth < 0:
            break
    return found


def literals(argument):
    """The texts in the argument; neighbours are one."""
    found, open_ = [], False
    for token in TOKEN.findall(argument):
        if token[0] == '"':
            text = token[1:-1].replace('\\"', '"').replace("\\\\", "\\")
            found[-1:] = [found[-1] + text] if open_ else found[-1:] + [text]
        open_ = token[0] == '"' or (open_ and token.isspace())
    return found


def messages(top, rooms):
    """(where, call, code, text) of each message."""
    for path in sorted(p for room in rooms for p in (top / room).rglob("*.[ch]")):
        if path.name in ("err.c", "err.h"):
            continue
        source = re.sub(r"\bPRI([a-z])\w+", r'"\1"', path.read_text()) # %" PRIu64 "
        for call in CALL.finditer(source):
            argument = arguments(source, call.end())
            place = 2 if call.group(1) == "new" else 1
            where = f"{path.relative_to(top)}:{source.count(chr(10), 0, call.start()) + 1}"
            for text in literals(argument[place] if len(argument) > place else ""):
                yield where, call.group(1), argument[0], text


def fault(call, code, text):
    """What is wrong with the form, or None."""
    if call not in ("new", "hint", "place"):
        return None
    if text.endswith(".") and not text.endswith("..."):
        return "has a full stop"
    if call == "place" or not text[0].isalpha() or text[0].isupper() or text.startswith(NAMES):
        return None
    if call == "new" and any(word in code for word in REASON):
        return None
    return "begins with a small letter"


def pattern(text):
    return ".*".join(re.escape(part) for part in VALUE.split(text))


def constant(text):
    return sum(len(part) for part in VALUE.split(text))


def gdb_lines(path):
    strings = re.findall(rb"[\t\n\x20-\x7e]{4,}", pathlib.Path(path).read_bytes())
    return sorted({line for s in strings for line in s.decode().split("\n")})


def in_gdb(text, lines, whole):
    """Also where gdb has a value and eztsh the words, or the other way round."""
    if re.search("^" + pattern(text) + "$", whole, re.M):
        return True
    plain = VALUE.sub("0", text)
    return any("%" in line and 2 * constant(line) >= constant(text) and re.fullmatch(pattern(line), plain)
               for line in lines)


def tests_text(top):
    """All that the tests say, without what regular expressions and strings escape."""
    files = sorted(f for f in (top / "tests").rglob("*") if f.is_file() and f.suffix not in (".log", ".trs") and f.name not in LISTS)
    texts = [t for t in (f.read_bytes() for f in files) if b"\0" not in t] # no programs, which have eztsh's own texts
    return re.sub(r"\\(.)", r"\1", "\n".join(t.decode(errors="replace") for t in texts))


def is_told(text, told):
    """Whether the longest part between values is there, or four words of it: a test may match a part. A message without
    a part of 8 characters cannot be sought."""
    part = max((part.strip() for part in VALUE.split(text)), key=len)
    words = part.split()
    return len(part) < 8 or part in told or (
        len(part) > 24 and any(" ".join(words[i:i + 4]) in told for i in range(len(words) - 3)))


top = pathlib.Path(sys.argv[1])
found = list(messages(top, ROOMS))
wrong = 0
for where, call, code, text in found:
    why = fault(call, code, text)
    if why:
        wrong += 1
        print(f'{where}: "{text}" {why}')
print(f"{wrong} of {len(found)} messages have another form")

told = tests_text(top)
asked = [m for m in found if m[1] in ("new", "gdb", "hint")]
untold = [m for m in asked if not is_told(m[3], told)]
for where, call, code, text in untold if "-v" in sys.argv else ():
    print(f'{where}: no test has "{text}"')
print(f"{len(untold)} of {len(asked)} messages are in no test")

gdb = os.environ.get("EZT_GDB") or shutil.which("gdb") # env.sh may have put a script before it
if gdb:
    title = subprocess.run([gdb, "--version"], capture_output=True, text=True, check=True).stdout
    version = int(re.search(r"(\d+)\.\d", title.split("\n")[0]).group(1))
    lines = gdb_lines(gdb)
    whole = "\n".join(lines)
    theirs = sorted({m[3]: m[0] for m in found if m[1] == "gdb" and constant(m[3]) > 3}.items())
    theirs = [(text, where) for text, where in theirs if DROPPED.get(text, version + 1) > version]
    other = [(text, where) for text, where in theirs if not in_gdb(text, lines, whole)]
    for text, where in other:
        print(f'{where}: gdb has no "{text}"')
    print(f"{len(other)} of {len(theirs)} messages are not in gdb")
