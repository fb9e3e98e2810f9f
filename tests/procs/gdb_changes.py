# SPDX-License-Identifier: GPL-3.0-or-later
# gdb_changes.py - what gdb after version 13 answers otherwise than gdb 13, which eztsh follows (tried: 16.3). One list
# for print.py and agree.py.
import re
import subprocess

# (command, gdb's answer, why eztsh's stays), regular expressions
CHANGES = [
    (r"^(print|x)/\w*f", r"(-nan\(0x|\de-0|\d\.\d)", "integers of two bytes are shown as floats of two bytes"),
    (r"^print/[ac] (gi128|gu128|arr128)$", "", "integers of 16 bytes have these letters"),
    (r"^list$", "End of the file was already reached", "the end of a file has another message"),
    (r"base::(cap|grade)$", "No symbol .base", "a class is no longer found outside of its namespace"),
    (r"^(whatis |ptype |print &)", r"character\*\d", "texts of Fortran have another name"),
    (r"^whatis \w+ \+ 1$", r"^type = int$", "Fortran's sums stay of 4 bytes"),
    (r"^print low\(1\) \* 3$", r"^-", "Fortran's products stay of 4 bytes, and overflow"),
    (r"sizeof\(store::to\)$", r"^4$", "the size of a pointer of Fortran is that of what it leads to"),
    (r"auto\(1\)", "outside bounds of object", "an array that is optimized out has no elements"),
    (r"^(bt|info args)$", r"nan ?= ?<error reading variable.*Value cannot be represented as integer of 8 bytes", "gdb 16 cannot show an optimized out __float128"),
]


def version():
    try:
        first = subprocess.run(["gdb", "--version"], capture_output=True, text=True, check=False).stdout.split("\n")[0]
    except OSError:
        return 0
    number = re.search(r" (\d+)\.\d+", first)
    return int(number.group(1)) if number else 0


NEWER = version() > 13


def changed(command, theirs):
    """Why this gdb's answer is another one than gdb 13's; None = it is not, as far as known."""
    for asked, answer, why in CHANGES if NEWER else []:
        if re.search(asked, command) and re.search(answer, theirs):
            return why
    return None


def plain(command, text):
    """Without what newer versions lay out otherwise: the labels of access in classes."""
    if NEWER and re.search(r"^(.*: )?ptype", command):
        text = re.sub(r"^ *((public|protected|private):)?\n", "", text, flags=re.M)
    return text.replace("No breakpoints, watchpoints, tracepoints, or catchpoints.", "No breakpoints or watchpoints.")
