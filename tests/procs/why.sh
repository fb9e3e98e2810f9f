#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# why.sh - the patcher explains itself: `why` says what `probe` does, for every function
# of libc; `info coverage` adds up; `info textdiff` knows whose each changed byte is.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

# Without randomization addresses of one session are those of the next.
fixed='set disable-randomization on'

# ---- the verdict ------------------------------------------------------------------------
batch -ex "$fixed" -ex start -ex 'info functions' "$targets/p_app"
python3 - >addresses <<'PY'
import re
inside, seen = False, set()
for line in open("log"):
    if line.startswith("File "):
        inside = "/libc.so" in line
    m = re.match(r"(0x[0-9a-f]{16}) +\S+ +(.*)", line)
    if inside and m and "[plt]" not in line and "[ifunc]" not in line and m[1] not in seen:
        seen.add(m[1])
        print(m[1])
PY
check "libc has functions" [ "$(wc -l <addresses)" -gt 2000 ]
{ echo "$fixed"; echo start; sed 's/^/why */' addresses; echo kill; } >why.ezt
# on standard input, where a refusal does not end the session
timeout -k 5 120 "$eztsh" -nx "$targets/p_app" <why.ezt >why.out 2>&1
for kind in entry both; do
    batch -ex "$fixed" -ex start -ex "probe $kind -count -r 'libc:.'" -ex 'info probes' \
        -ex 'info coverage' "$targets/p_app"
    mv log "$kind.out"
    check "$kind: why says what probe does, function by function" python3 - $kind <<'PY'
import re, sys
kind = sys.argv[1]
planted = {int(m[1], 16) for m in re.finditer(r"^\d+ +\S+ +count +\S+ +(0x[0-9a-f]+)", open(kind + ".out").read(), re.M)}
said, at = {}, None
for line in open("why.out"):
    m = re.match(r".* at (0x[0-9a-f]+), \d+ bytes", line)
    if m:
        at = int(m[1], 16)
    m = re.match(r"(Entry|Exit): (refused)?", line)
    if m and (m[1] == "Entry" or kind == "both"):
        said[at] = said.get(at, True) and not m[2]
yes = {a for a, ok in said.items() if ok}
wrong = (yes ^ planted) & said.keys()
for a in sorted(wrong)[:10]:
    print(hex(a), "why:", a in yes, "probe:", a in planted)
print(len(said), "asked,", len(yes & planted), "planted and said so")
sys.exit(bool(wrong) or len(yes & planted) < 2000)
PY
    check "$kind: the coverage adds up" python3 - $kind <<'PY'
import re, sys
text = open(sys.argv[1] + ".out").read()
n = {m[2]: int(m[1]) for m in re.finditer(r"^ +(\d+)  (\S.*)$", text, re.M)}
total = n.pop("requested")
matched = int(re.search(r"Planted \d+ of (\d+) matched", text)[1])
print(total, sum(n.values()), matched)
sys.exit(not total == sum(n.values()) == matched)
PY
done

# ---- whose bytes -------------------------------------------------------------------------
foreign() { sed -n 's/.* bytes differ, \([0-9]*\) of them foreign\./\1/p' log; }
batch -ex start -ex 'info textdiff' "$targets/p_app"
check "nothing is changed at main" has log '^[0-9.]+ .* compared with the files: 0 bytes differ'
batch -ex start -ex "probe -count -r '*:.'" -ex 'info textdiff' "$targets/p_app"
check "every byte has an owner" same "$(foreign)" 0
check "they are those of the probes" [ "$(grep -c ' probe [0-9]*$' log)" -gt 2000 ]
batch -ex start -ex 'probe twice' -ex 'delete' -ex 'info textdiff' "$targets/p_app"
check "nothing stays of a deleted probe" lacks log 'twice.*probe'
# a byte that somebody else changes: a nop behind the function's end
patch() {
    batch -ex 'set args $(echo $$ >pid)' -ex start -ex 'probe twice' -ex 'shell python3 -c "
pid = int(open(\"pid\").read())
base = next(int(l.split(\"-\")[0], 16) for l in open(f\"/proc/{pid}/maps\") if \" r-xp \" in l and \"p_app\" in l)
m = open(f\"/proc/{pid}/mem\", \"r+b\", 0)
m.seek(base + 0x20)
b = m.read(1)
m.seek(base + 0x20)
m.write(bytes([b[0] ^ 1]))"' -ex 'info textdiff' -ex kill "$targets/p_app"
}
patch
check "a foreign byte is named" same "$(foreign)" 1

# ---- both sides, and inside ---------------------------------------------------------------
batch -ex start -ex 'probe twice' -ex 'disassemble /p twice' -ex 'why twice' \
    -ex 'disassemble /p answer' "$targets/p_app"
check "disassemble /p: the jump beside what it replaced" has log '<\+0> .* jmp +0x'
check "disassemble /p: moved instructions beside their origin" has log 'from twice\+[0-9]+$'
check "disassemble /p: without a probe it says so" has log '^No probe stands on answer'
check "why: planted" has log '^Planted: probe 1, stub at 0x'

# main's own window: the thread that stands in it goes on in the copy
batch -ex start -ex 'stepi' -ex 'info window' -ex 'probe entry main' -ex 'info window' \
    -ex 'continue' "$targets/p_app"
check "info window: before any change" has log '^No text was changed yet'
check "info window: each thread is named" has log '^Thread +Stood at'
check "info window: the program ends right" has log 'exited normally'

# ---- plans ---------------------------------------------------------------------------------
batch -ex start -ex 'set dry-run on' -ex 'probe twice' -ex "probe -r '*:.'" -ex 'info probes' \
    -ex 'info textdiff' -ex 'set dry-run json' -ex 'probe twice' -ex "probe entry -r 'libc:.'" \
    -ex 'info mappings' -ex 'set dry-run off' -ex "probe -count -r '*:.'" "$targets/p_app"
check "dry-run: a plan" has log '^Would plant twice \(p_app\) at 0x.*\(S[12]\) over'
check "dry-run: no probe came to be" has log '^No probes\.'
check "dry-run: nothing was written" has log ': 0 bytes differ'
check "dry-run: nothing was mapped" lacks log '0x.*eztsh'
check "dry-run: the plan is what is done" python3 - <<'PY'
import json, re
log = open("log").read()
plan = re.search(r"^Would plant (\d+) of (\d+) matched", log, re.M)
done = re.search(r"^Planted (\d+) of (\d+) matched", log, re.M)
objects = [json.loads(l) for l in log.splitlines() if l.startswith("{")]
print(plan[0], done[0], objects)
assert plan[2] == done[2] and abs(int(plan[1]) - int(done[1])) <= 10, "IFUNCs apart, and what is hooked itself"
assert objects[0]["function"] == "twice" and objects[0]["refused"] is None
assert objects[1]["matched"] > 2000 and sum(r["n"] for r in objects[1]["refused"]) + objects[1]["planted"] == objects[1]["matched"]
PY

# ---- textdiff of many --------------------------------------------------------------------------
# 60,000 probes and 300,000 changed bytes: minutes, if each were looked for among all.
cat >many.S <<'END'
.altmacro
.macro fn n
.type f\n,@function
.p2align 4
f\n: mov $\n,%eax
add $1,%eax
ret
.size f\n,.-f\n
.endm
.text
.globl main
.type main,@function
main: xor %eax,%eax
ret
.size main,.-main
.set i,0
.rept 60000
fn %i
.set i,i+1
.endr
.section .note.GNU-stack,"",@progbits
END
if gcc many.S -o many >/dev/null 2>&1; then
    batch -ex 'set trace-auto off' -ex 'probe -count -r .' -ex start -ex 'info textdiff' ./many
    check "info textdiff: 60,000 probes in a moment" has log '[0-9]{6} bytes differ, 0 of them foreign'
fi
