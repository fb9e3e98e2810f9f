#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_gdb.sh - gdb's backtrace passes through probed frames (arch/x86_64/eztsh-gdb.py).
. "${top_srcdir:-.}/tests/lib.sh"
script=$top_srcdir/arch/x86_64/eztsh-gdb.py
if [ "$(gdb -nx -q -batch -ex 'python print(6 * 7)' 2>/dev/null)" != 42 ]; then
    skip "no gdb with python"
    finish
fi

names() { # the functions of the program on the stack of process $1
    gdb -nx -q -batch -x "$script" -ex bt -p "$1" 2>gdb.err | tee bt |
        sed -n 's/^#[0-9]* .* in \([a-z_]*\) (.*/\1/p' | grep -xE 'leaf|inner|outer|main' | tr '\n' ' '
}
for prog in deep deep_static; do
    for mode in slots auto; do
        rm -f ready
        printf 'set trace-auto off\nset exit-mode %s\nset args ready\nstart\ninfo proc\nprobe -count -r ^(leaf|inner|outer|main)$\ncontinue &\nshell until [ -e ready ]; do kill -0 $PPID || break; done; touch armed; until [ -e seen ]; do kill -0 $PPID || break; done\nkill\n' $mode >script.ezt
        rm -f armed seen
        timeout -k 5 $limit "$eztsh" -nx -x script.ezt -batch "$targets/$prog" >log 2>&1 </dev/null &
        shell=$!
        until [ -e armed ]; do kill -0 $shell 2>/dev/null || break; done
        pid=$(sed -n 's/^process \([0-9]*\)$/\1/p' log)
        got=$(names "$pid")
        touch seen
        wait $shell
        [ "$got" = "leaf inner outer main " ] && pass "gdb's bt through $mode, $prog" ||
            fail "gdb's bt through $mode, $prog: $got" bt gdb.err log
    done
done
finish
