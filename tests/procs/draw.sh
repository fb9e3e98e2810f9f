#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# draw.sh - the picture of a trampoline in `why` and `disassemble /p`: its addresses, its width, its characters;
# and the width of the tables beside it.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
cat >picture.py <<'END'
import re, sys
log = open(sys.argv[1], encoding="utf-8").read()
at = log.index("     step:\n") if "     step:\n" in log else log.index("     answer:\n")
stub = int(re.search(r"trampoline at (0x[0-9a-f]+)", log, re.I)[1], 16)
pic = log[at:].split("\n")
end = [i for i, l in enumerate(pic) if re.match(r"     [+\u2514]", l) and i > 5][0]
pic = pic[:end + 1]
assert all(len(l) <= 80 for l in pic), max(map(len, pic))
jump = [re.search(r"(0x[0-9a-f]+)  (?:jump|padding|island|pun|trap) to (0x[0-9a-f]+)", l) for l in pic]
jump = [m for m in jump if m][0]
assert int(jump[2], 16) == stub, (jump[0], hex(stub))
rest = int(re.search(r"(0x[0-9a-f]+)  the rest of", "\n".join(pic))[1], 16)
back = re.search(r"jmp +(0x[0-9a-f]+)", pic[-2])
assert int(back[1], 16) == rest, (pic[-2], hex(rest))
assert rest - int(jump[1], 16) >= 5
lines = set("".join(pic)) & set("\u2500\u2502\u250c\u2510\u2514\u2518\u25ba\u25c4")
assert bool(lines) == (sys.argv[2] == "lines"), lines
if sys.argv[2] == "plain":
    assert all(ord(c) < 128 for c in "".join(pic))
END
batch -ex start -ex 'why answer' -ex 'probe -count answer' -ex 'why answer' "$targets/p_app" 2
check 'why, plain' python3 picture.py log plain
check 'before it is planted: none' same "$(grep -c 'trampoline and replay:' log)" 1
LC_ALL=C.UTF-8
batch -ex start -ex 'probe -count answer' -ex 'disassemble /p answer' "$targets/p_app" 2
check 'disassemble /p, lines' python3 picture.py log lines
LC_ALL= LANG=C.utf8
export LANG
batch -ex start -ex 'probe -count answer' -ex 'why answer' "$targets/p_app" 2
check 'the locale by LANG' python3 picture.py log lines
LC_ALL=C

# On a terminal the tables are no wider than it is.
cat >wide.py <<'END'
import fcntl, os, pty, struct, sys, termios
columns, args = int(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if not pid:
    os.environ["TERM"] = "dumb"
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    os.execv(args[0], args)
out = b""
try:
    while some := os.read(fd, 65536):
        out += some
except OSError:
    pass
os.waitpid(pid, 0)
rows = [l for l in out.decode().splitlines() if l.startswith("0x") and "  " in l]
print("\n".join(rows))
assert len(rows) > 5 and max(map(len, rows)) <= columns, (len(rows), max(map(len, rows)))
END
for columns in 80 100; do
    check "tables fit $columns columns" python3 wide.py $columns "$eztsh" -nx -batch -ex start -ex 'why answer' -ex 'why libc.so.6:printf' \
        -ex 'probe libc.so.6:printf' -ex 'probe answer' -ex 'disassemble /p answer' -ex 'disassemble /p libc.so.6:printf' "$targets/p_app" 2
done
finish
