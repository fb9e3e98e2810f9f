#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# why.sh - `why` says what `probe` does, for every function of libc; `info coverage` adds up;
# `info textdiff` tells which patch each changed byte belongs to.
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
# commands come on standard input, where a refusal does not end the session
timeout -k 5 $limit "$eztsh" -nx "$targets/p_app" <why.ezt >why.out 2>&1
for kind in entry both; do
    batch -ex "$fixed" -ex start -ex "probe $kind -count -r 'libc:.'" -ex 'info probes -all' \
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

printf '%s\n' start 'probe -count twice area *main+1' 'delete 1' kill 'info coverage' start \
    'info coverage' kill | timeout -k 5 $limit "$eztsh" -nx "$targets/p_app" >log 2>&1
check "coverage: of a process that ended, and of the next" same \
    "$(sed -n 's/^ *\([0-9]*\)  \([a-z]*\).*/\1 \2/p' log | tr '\n' ' ')" \
    '3 requested 1 planted 1 removed 1 refused 1 requested 1 planted '

# ---- each strategy by itself, and traps ----------------------------------------------------
# For every 12th function: each strategy does what `why` says of it.
awk 'NR % 12 == 1' addresses >some
{ echo "$fixed"; echo start; sed 's/.*/echo @&\\n\nwhy *&/' some; echo kill; } >why.ezt
timeout -k 5 $limit "$eztsh" -nx "$targets/p_app" <why.ezt >some.why 2>&1
for how in jump island pun trap; do
    { echo "$fixed"; echo start; echo "set strategy $how"; echo 'set confirm off'
      sed 's/.*/echo @&\\n\nprobe entry -count *&\ndelete/' some; echo kill; } >try.ezt
    timeout -k 5 $limit "$eztsh" -nx "$targets/p_app" <try.ezt >some.$how 2>&1
    check "$how: why says of it what it does" python3 - $how <<'PY'
import re, sys
def split(name):
    parts = re.split(r"^@(0x\w+)$", open(name).read(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))
how, why, done = sys.argv[1], split("some.why"), split("some." + sys.argv[1])
names = {"jump": "jump|padding"}.get(how, how)
wrong = planted = 0
for at, said in why.items():
    yes = bool(re.search(rf"^  (?:{names}) +(?:possible|chosen)", said, re.M))
    does = "Probe " in done[at]
    planted += does
    if yes != does:
        wrong += 1
        print(at, "why:", yes, done[at].strip())
print(planted, "of", len(why), "planted,", wrong, "otherwise than said")
sys.exit(bool(wrong) or planted < 50)
PY
done
cat >trap.ezt <<'END'
set trace-auto off
start
why trap_only
set dry-run on
probe trap_only
probe -trap trap_only
set dry-run json
probe -trap trap_only
set dry-run off
probe -trap trap_only
why trap_only
set strategy trap
set dry-run on
probe -count -r ^many_
set dry-run off
probe -count -r ^many_
info coverage
probe -count -r ^bad_
info coverage
why *main+2
kill
END
timeout -k 5 $limit "$eztsh" -nx "$targets/p_why" <trap.ezt >log 2>&1
check "why: a pun needs memory where it leads" has log '^  pun +no free memory'
check "dry-run: no trap unless asked for" has log '^Cannot probe trap_only: branch into'
check "dry-run: a trap that is asked for" has log '^Would plant trap_only .*\(S5\).* exits by'
check "dry-run: the same as JSON" has log '^\{.*"trap_only".*\(S5\).*"exits": "[a-z].*"refused": null\}'
check "why: of the trap that stands there" has log '^  trap +chosen'
check "why: its entry is not refused" [ "$(sed '/^main/q' log | grep -c '^Entry: refused')" = 1 ]
check "why: where in a function" has log '^main\+2 \(p_why\) at 0x'
check "one reason at two addresses is one" has log '^ +2  refused: no instruction$'
check "more traps than there are: planned as done" python3 - <<'PY'
import re
log = open("log").read()
plan, done = (re.search(w + r" (\d+) of (\d+) matched; refused: (\d+) no more than", log).groups()
              for w in ("Would plant", "Planted"))
asked = int(re.search(r"^ +(\d+)  requested", log, re.M)[1])
print(plan, done, asked)
assert plan == done and int(done[0]) + int(done[2]) == 800 and asked == 801
PY

# The target has meanwhile mapped the memory to which a pun would lead.
island() { sed -n 's/^Entry: .* by way of 0x\([0-9a-f]*\)\.$/\1/p' log; }
ask() { printf '%s\n' "$fixed" start 'set strategy pun' 'set trace-auto off' 'why pun_me' "$@" kill |
    timeout -k 5 $limit "$eztsh" -nx "$targets/p_why" >log 2>&1; }
ask
first=$(island)
ask "syscall mmap 0x${first%???}000 4096 3 0x32 -1 0" 'why pun_me' 'probe -count pun_me'
check "why: memory that was free is not" [ "$(island | sed -n '$p')" != "$first" ]
check "and another is found" has log '^Probe 1 at 0x'

# ---- whose bytes -------------------------------------------------------------------------
foreign() { sed -n 's/.* bytes differ, \([0-9]*\) of them foreign\./\1/p' log; }
batch -ex start -ex 'info textdiff' "$targets/p_app"
check "nothing is changed at main" has log '^[0-9.]+ .* compared with the files: 0 bytes differ'
batch -ex start -ex "probe -count -r '*:.'" -ex 'info textdiff' "$targets/p_app"
check "every byte has an owner" same "$(foreign)" 0
check "they are those of the probes" [ "$(grep -c ' probe [0-9]*$' log)" -gt 2000 ]
batch -ex start -ex 'probe twice' -ex 'delete' -ex 'info textdiff' "$targets/p_app"
check "nothing stays of a deleted probe" lacks log 'twice.*probe'
# bytes that somebody else changes: a nop behind the function's end, the first of our jump
change() { # ADDRESS-IN-PYTHON EXPRESSION-OF-THE-OLD-BYTE
    cat >change.py <<END
import sys
pid = int(open("pid").read())
base = next(int(l.split("-")[0], 16) for l in open(f"/proc/{pid}/maps") if "p_app" in l)
twice = int(open("twice").read(), 16)
m = open(f"/proc/{pid}/mem", "r+b", 0)
m.seek($1)
b = m.read(1)[0]
m.seek($1)
m.write(bytes([$2]))
END
    batch -ex 'set args $(echo $$ >pid)' -ex start -ex 'probe -count twice' \
        -ex 'shell python3 change.py' -ex 'info textdiff' -ex 'delete' -ex 'info textdiff' \
        -ex kill "$targets/p_app"
}
nm "$targets/p_app" | sed -n 's/ [tT] twice$//p' >twice
first_text='next(int(l.split("-")[0], 16) for l in open(f"/proc/{pid}/maps") if " r-xp " in l and "p_app" in l) + 0x20'
change "$first_text" 'b ^ 1'
check "a foreign byte is named" same "$(foreign | head -n 1)" 1
change 'base + twice' 0xcc
check "a foreign byte in a probe's jump is named" same "$(foreign | head -n 1)" 1
check "the rest of the jump is the probe's" has log ' twice\+1 .* probe 1$'
check "what cannot be given back is said" has log '^The bytes at 0x.* were changed by somebody else'
check "and is a removed probe's" has log ' twice\+1 .* a probe that was removed$'

# ---- both sides, and inside ---------------------------------------------------------------
ours='^0x.*(\[eztsh: |memfd:eztsh)' # our mappings; the source tree's path may have "eztsh" in it, too
batch -ex start -ex 'probe twice' -ex 'disassemble /p twice' -ex 'why twice' \
    -ex 'disassemble /p answer' -ex 'info mappings' "$targets/p_app"
check "a probe: what was mapped is told" has log "$ours"
check "disassemble /p: the jump beside what it replaced" has log '<\+0> .* jmp +0x'
check "disassemble /p: moved instructions beside their origin" has log 'from twice\+[0-9]+$'
check "disassemble /p: without a probe it says so" has log '^No probe is planted on answer'
check "why: planted" has log '^Planted: probe 1, trampoline at 0x'

# main's own window: the thread that stands in it goes on in the relocated code
batch -ex start -ex 'stepi' -ex 'info window' -ex 'probe entry main' -ex 'info window' \
    -ex 'continue' "$targets/p_app"
check "info window: before any change" has log '^No text was changed yet'
check "info window: each thread is named" has log '^Thread +Stood at'
check "info window: the program ends right" has log 'exited normally'

# ---- plans ---------------------------------------------------------------------------------
batch -ex start -ex 'set dry-run on' -ex 'probe twice' -ex 'probe nowhere' -ex "probe -r '*:.'" -ex 'info probes -all' \
    -ex 'info textdiff' -ex 'set dry-run json' -ex 'probe twice' -ex "probe entry -r 'libc:.'" \
    -ex 'info mappings' -ex 'set dry-run off' -ex "probe -count -r '*:.'" "$targets/p_app"
check "dry-run: a plan" has log '^Would plant twice \(p_app\) at 0x.*\(S[12]\) over'
check "dry-run: what would be pending" has log '^Would wait for nowhere: Function "nowhere" not defined'
check "dry-run: no probe came to be" has log '^No probes\.'
check "dry-run: nothing was written" has log ': 0 bytes differ'
check "dry-run: nothing was mapped" lacks log "$ours"
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
# 60,000 probes and 300,000 changed bytes would take minutes if each were searched for in a list.
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
finish
