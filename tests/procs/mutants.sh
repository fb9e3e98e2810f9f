#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mutants.sh - debug information of which references and numbers were changed: whatever it says of types, eztsh answers
# and does not die. EZT_MUTANTS=2000 for many; in a build with --enable-sanitizers they look, too.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 readelf "${CC:-cc}"
cat >m.c <<'END'
struct inner { int x; unsigned bits : 5, more : 3; };
struct outer { struct inner in; int list[4]; struct outer *next; union { long l; double d; } u; };
struct outer g = { { 1, 2, 3 }, { 1, 2, 3, 4 }, &g, { 5 } };
__attribute__((noinline)) int leaf(struct outer *n) { __asm__ volatile(""); return n->in.x; }
int main(void) { return leaf(&g) - 1; }
END
"${CC:-cc}" -g -O1 -gdwarf-4 -o m m.c || { fail 'm.c does not compile'; finish; }
readelf --debug-dump=info m >info.out 2>/dev/null
readelf -SW m >sections.out
cat >mutate.py <<'END'
import random, re, sys
seed, sections, info = int(sys.argv[1]), open("sections.out").read(), open("info.out").read()
base = int(re.search(r"\.debug_info\s+PROGBITS\s+\w+\s+(\w+)", sections).group(1), 16)
dies = [int(d, 16) for d in re.findall(r"^ <\d+><(\w+)>: Abbrev", info, re.M)]
refs = [int(a, 16) for a in re.findall(r"^\s+<(\w+)>\s+DW_AT_type", info, re.M)]
nums = [int(a, 16) for a in re.findall(r"^\s+<(\w+)>\s+DW_AT_(?:byte_size|upper_bound|bit_size|bit_offset|data_member_location|encoding)", info, re.M)]
data, r = bytearray(open("m", "rb").read()), random.Random(seed)
if seed == 0: # the first member of the outer struct is the outer struct
    outer = int(re.search(r"<1><(\w+)>: Abbrev[^\n]*structure_type\)\n[^\n]*DW_AT_name[^\n]*: outer\n", info).group(1), 16)
    at = int(re.search(r"DW_AT_name\s+: in\n(?:(?!DW_AT_type|Abbrev)[^\n]*\n)*\s+<(\w+)>\s+DW_AT_type", info).group(1), 16)
    data[base + at:base + at + 4] = outer.to_bytes(4, "little")
else:
    for _ in range(r.randint(1, 3)):
        if r.random() < 0.7:
            at = r.choice(refs)
            data[base + at:base + at + 4] = r.choice(dies).to_bytes(4, "little")
        else:
            data[base + r.choice(nums)] = r.choice((0, 1, 3, 7, 8, 16, 64, 127, 128, 255, r.randrange(256)))
open("mutant", "wb").write(data)
END
bad=
i=0
while [ $i -lt "${EZT_MUTANTS:-30}" ]; do
    python3 mutate.py $i && chmod +x mutant || { fail "mutant $i cannot be made"; break; }
    timeout -k 5 100 "$eztsh" -nx -batch -ex 'ptype struct outer' -ex 'whatis g' -ex 'print sizeof(g)' -ex 'print g' -ex 'print g.in.bits' \
        -ex 'ptype leaf' -ex 'probe leaf collect *n, $args' -ex 'probe main collect g' -ex 'run' ./mutant >log 2>&1 </dev/null
    rc=$?
    [ $rc -lt 2 ] || bad="$bad $i:$rc"
    i=$((i + 1))
done
check 'mutants: none ends the shell, and none takes its time' same "$bad" ''
finish
