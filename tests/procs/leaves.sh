#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# leaves.sh - next, finish, until and advance over calls that an exception or a longjmp leaves: they stop where that
# leads (where gdb does if libgcc and libc have its markers, which not all have), with and without probes. A
# shell that is killed meanwhile leaves a program that ends right.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gcc g++

sources=$(cd "$top_srcdir" && pwd)/tests/targets
LC_ALL=C.UTF-8
export LC_ALL
cp "$sources/t_leaves.cc" "$sources/t_moving.c" .
gcc -std=gnu11 -g -O0 -pthread t_moving.c -o moving0 || exit 1
. "$sources/../procs/stops.sh"
g++ -g -O0 t_leaves.cc -o leaves || exit 1

line() { grep -n "$1" t_leaves.cc | sed -n "${2:-1}s/:.*//p"; }
cat >script <<EOF
tbreak catches
run
next 5
finish
next 2
next
next 3
next
next
tbreak throws
continue
finish
finish
next 5
EOF
{
    line 'guard g = { k };' 2
    line 'n++;' 2
    line ' catches(2)'
    line 'catch (int e) {' 2
    line 'n -= e'
    line ' jumps(2)'
    line 'setjmp(out)'
    line 'n++;' 6
    line 'guard g = { k };' 1
    line '^}' 3
    line 'catch (int e) {' 3
    line '^}' 5
} >wanted
leaves() { # TITLE PROBES...
    title=$1
    shift
    { printf '%s\n' "$@"; cat script; echo continue; } >ours.ezt
    timeout -k 5 $limit "$eztsh" -nx -batch -x ours.ezt ./leaves >log 2>&1 </dev/null
    sed -nE 's/^(0x[0-9a-f]+	)?([0-9]+)	.*/\2/p' log >lines
    check "$title: it stops where calls lead" diff wanted lines
    check "$title: a value only of what returned" same "$(grep -c '^Value returned' log)" 1
    check "$title: the program ends right" has log 'exited normally'
}
leaves 'without probes' echo
leaves 'probes' 'probe throws' 'probe passes' 'probe jumps' 'probe catches'
EZ_FAULT=hwbreak:0:ENODEV
export EZ_FAULT
leaves 'without the processor'\''s breakpoints' 'probe throws'
unset EZ_FAULT
leaves 'probes by slots' 'set exit-mode slots' 'probe throws' 'probe passes' 'probe jumps' 'probe catches'
batch -ex 'tbreak passes' -ex run -ex "advance $(line 'return n;' 2)" -ex 'until' -ex 'next' -ex continue ./leaves
check 'advance: out of the function' has log "^$(line '^}' 5)	|^$(line 'catch (int e) {' 2)	"

# ---- fault 83: the shell dies --------------------------------------------------------------------------------
cat >throwing.cc <<'EOF'
#include <cstdio>
static volatile unsigned long n, spun;
__attribute__((noinline)) static void thrower(int k)
{
    for (n = 0; n < 2000000000ul; n++)
        spun++;
    throw k;
}
int main()
{
    try {
        thrower(2);
    } catch (int k) {
        spun += k;
    }
    printf("x %lu spun 1\n", spun);
    fflush(stdout);
    return 7;
}
EOF
g++ -g -O2 throwing.cc -o moving0 || exit 1
killed 'next over a throw' main next
finish
