#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# compiled.sh - C's arithmetic in `print` and in probes: what compilers compute for the same expressions.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc

by=$(cd "$top_srcdir" && pwd)/tests/procs/compiled.py
n=600
ask() { python3 "$by" "$@" $n; }

try() { # NAME COMPILER...
    title=$1
    shift
    command -v "$1" >/dev/null || { echo "skip - $title: no $1"; return; }
    "$@" -g -w -O0 -fwrapv -o prog prog.c >cc.out 2>&1 || { fail "$title: it does not compile" cc.out; return; }
    ./prog >want
    ask print >print.ezt
    "$eztsh" -nx -batch -ex "break prog.c:$line" -ex 'run >/dev/null' -x print.ezt ./prog >got 2>&1
    ask printed want got >said 2>&1
    check "$title: print agrees in $(sed -n 's/^.* of \(.*\) agree/\1/p' said) expressions" has said "^$n of $n agree$"
    grep '^differs' said
    rm -f ./*.fxt
    ask collect >collect.ezt
    batch -x collect.ezt -ex 'run >/dev/null' ./prog
    batch -ex "convert $(echo ./*.fxt) -o got.json"
    ask collected want got.json >said 2>&1
    check "$title: probes agree in $(sed -n 's/^.* of \(.*\) agree/\1/p' said) expressions" has said '^([4-9][0-9][0-9]) of \1 agree$'
    grep '^differs' said
}

ask program >prog.c
line=$(sed -n '/HERE/=' prog.c)
try 'gcc' gcc
try 'clang' clang
finish
