# SPDX-License-Identifier: GPL-3.0-or-later
# print.py - are the answers of eztsh those of gdb? print.py OURS THEIRS: what both printed, with a line
# ">> COMMAND" before each answer; what follows ">> -" is not compared. That there is no such name is one answer,
# whichever part of the name gdb tells.
import re
import sys

import gdb_changes


def answers(path):
    """(command, answer) of each, without prompts and without the numbers of the history."""
    found = []
    for line in open(path, encoding="utf-8", errors="replace"):
        line = re.sub(r"^(\(gdb\) )+", "", line.rstrip("\n"))
        if ">> " in line:
            before, _, command = line.partition(">> ")
            if found and before:
                found[-1][1].append(before)
            found.append((command, []))
        elif found:
            found[-1][1].append(line)
    return [(c, plain("\n".join(a).strip())) for c, a in found]


def plain(text):
    text = re.sub(r"^\$\d+ = ", "", text, flags=re.M)
    text = re.sub(r"Thread 0x[0-9a-f]+ \(LWP (\d+)\)", r"LWP \1", text)
    text = re.sub(r"LWP \d+", "LWP", text)
    text = re.sub(r"0x(0000)?7ff[0-9a-f]{9}\b", r"0x\1LIBRARY", text)  # not at the same place in both
    text = re.sub(r" +$", "", text, flags=re.M)
    text = text[:-5] if text.endswith("(gdb)") else text
    return re.sub(r"\s*\(gdb\)$", "", text)


ours, theirs = answers(sys.argv[1]), answers(sys.argv[2])
same = 0
for (command, a), (again, b) in zip(ours, theirs):
    if command != again:
        sys.exit("the answers do not belong together: %s, %s" % (command, again))
    if command == "-":
        continue
    if re.match('No (symbol|type) ".*" (in|within) ', a) and re.match('No (symbol|type) ".*" (in|within) ', b):
        a = b
    if gdb_changes.plain(command, a) == gdb_changes.plain(command, b) or gdb_changes.changed(command, b):
        same += 1
    else:
        print("differs: %s\n    eztsh: %s\n    gdb:   %s" % (command, a, b))
print("%d of %d answers are gdb's" % (same, len(ours)))
if len(ours) != len(theirs):
    print("differs: %d answers, gdb has %d" % (len(ours), len(theirs)))
