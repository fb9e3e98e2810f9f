#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# macros.sh - preprocessor macros in expressions, as the compiler told of them (-g3): the ones that hold at the line
# where the program stands, of files that are included, too. gdb is the witness.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc

cat >limits.h <<'END'
#define FROM_HEADER 77
#define DEEP (FROM_HEADER + LIMIT)
END
cat >app.c <<'END'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#define LIMIT 42
#include "limits.h"
#define FLAG_A 0x1
#define FLAG_B (1u << 3)
#define NAME "hello, macro"
#define EMPTY
#define ADD(a, b) ((a) + (b))
#define TWICE(x) ADD(x, x)
#define NONE() 9
#define ITEM(o) (o.a)
#define ALIAS gint
#define STR(x) #x
#define CAT(a, b) a##b
#define LAST(fmt, ...) ADD(__VA_ARGS__)
#define GNU(args...) ADD(args)
#define SELF (SELF + 1)
#define LOOP_A LOOP_B
#define LOOP_B LOOP_A
#define st_time at.sec
struct when { struct { long sec; } at; };
struct pair { int a, b; };
int gint = -12345, garr[4] = { 1, 2, 3, 4 }, SELF_ = 4;
struct pair gs = { 7, 8 };
struct when then = { { 99 } };
int calls(int n) { return n + 1; }
int stop(int n)
{
    int x = n;
#define LATE 1
#define CHANGED 10
    x += CHANGED;
#undef CHANGED
#define CHANGED 20
    x += LIMIT; /* STOP */
#define AFTER 5
#undef LIMIT
    return x + AFTER;
}
int main(void) { return stop(3) == 0; }
END
cat >main.ask <<'END'
print NULL
print LIMIT
print FLAG_A | FLAG_B
print/x FLAG_B
print NAME
print sizeof(NAME)
print ADD(1, 2)
print TWICE(LIMIT)
print ADD(ADD(1, 2), TWICE(ADD(3, (4))))
print NONE() + 1
print ITEM(gs)
print ALIAS
print ALIAS + LIMIT * 2
print -LIMIT
print STR(abc)
print CAT(gi, nt)
print LAST("x", 1, 2)
print GNU(4, 5)
print ADD(1)
print ADD(1, 2, 3)
print ADD
print SELF
print LOOP_A
print FROM_HEADER
print DEEP
print LATE
print CHANGED
print AFTER
print x + LIMIT
print garr[FLAG_A]
print garr[0]@FLAG_B / 4
print then.st_time
print "LIMIT"
print gip == NULL
print *(int *)NULL
print EMPTY 5
print calls(LIMIT)
print UINT64_MAX
print INT8_MAX
print EOF
print NOSUCH
ptype LIMIT
whatis LIMIT
whatis NULL
whatis ADD(1, 2)
output LIMIT
printf "%d %d %s\n", LIMIT, ADD(1,2), NAME
x/dw &garr[FLAG_A]
call ADD(3, 4)
set var gint = LIMIT
print gint
print $v = LIMIT
print $v
info macro LIMIT
info macro ADD
info macro FROM_HEADER
info macro DEEP
info macro CHANGED
macro expand ADD(1, LIMIT)
macro exp TWICE(2)
macro expand CAT(a, CAT(b, c))
macro expand STR(a + "b\n")
macro expand LAST(1, 2, 3)
macro expand ADD
macro expand ADD(1)
macro expand stdin
macro expand LIMIT2 x LIMIT
up
print LIMIT
print AFTER
END
stop=$(grep -n STOP app.c | cut -d : -f 1)
here=$PWD
try() { # TITLE LEAST COMPILER...
    local title=$1 least=$2
    shift 2
    compiled "$title" "$@" -O0 "$here/app.c" || return
    case $title in no*) grep -v '^info\|EMPTY' main.ask >asks ;; *) cp main.ask asks ;; esac
    as_gdb "$title" ./prog asks "$least" "break $stop" run
}
try 'DWARF 5' 68 gcc -g3
try 'DWARF 4' 68 gcc -g3 -gdwarf-4
try 'DWARF 4 alone' 68 gcc -g3 -gdwarf-4 -gstrict-dwarf
try 'no macros' 20 gcc -g

compiled 'conditions' gcc -g3 -O0 "$here/app.c" || finish
printf '%s\n' "break $stop if x == LIMIT - 29" run 'print x' 'info macro __GNUC__' 'display ADD(x, 1)' >own.ezt
"$eztsh" -nx ./prog <own.ezt >log 2>&1
check 'in conditions' has log '^\$1 = 13$'
check 'in displays' has log '^1: ADD\(x, 1\) = 14$'
check "the compiler's own" has log '^-D__GNUC__=[0-9]+$'
"$eztsh" -nx -batch -ex 'print CHANGED' -ex 'print ADD(LATE, 2)' ./prog >log 2>&1
check 'without a process: those at the end' has log '^\$1 = 20$'
check 'without a process: functions' has log '^\$2 = 3$'

# Macros that would never end being expanded.
{
    echo '#define A0 1 + 1'
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo "#define A$i A$((i - 1)) + A$((i - 1))"; done
    for i in $(seq 1 100); do echo "#define D$i D$((i - 1))"; done
    echo 'int main(void) { return 0; }'
} >many.c
if compiled 'long' gcc -g3 -O0 many.c; then
    printf '%s\n' 'break main' run 'print A3' 'print A20' 'print D100' 'print 1' >own.ezt
    "$eztsh" -nx ./prog <own.ezt >log 2>&1
    check 'a few' has log '^\$1 = 16$'
    check 'too many' has log '^The expansion of macros is too long\.$'
    check 'too deep' has log '^The macros are nested too deeply\.$'
    check 'and goes on' has log '^\$2 = 1$'
fi
finish
