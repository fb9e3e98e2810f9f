#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# agree.sh - what eztsh says of programs of C, C++, Fortran and Rust, by several compilers and at several levels, is what
# gdb says: some 20,000 answers, to commands that are made from what gdb finds in the programs (agree.py).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need gdb python3 gcc
find_rust
rustc --version >made 2>&1 || echo "skip - agree: rustc does not run"
sources=$(cd "$top_srcdir" && pwd)/tests/targets
gdb -nx -q -batch -ex 'python print("has " + "python")' 2>/dev/null | grep -q 'has python' || {
    echo "skip - agree: this gdb has no Python"
    exit 0
}

agree() { # SOURCE COMPILER [FLAG...]: each answer but those that are known to differ
    source=$1
    shift
    title="$*"
    "$1" --version >made 2>&1 || { echo "skip - agree: $title: no $1"; return; }
    "$@" -o prog "$sources/$source" >made 2>&1 || { fail "$title: it does not compile" made; return; }
    timeout -k 5 600 python3 "$top_srcdir/tests/procs/agree.py" "$eztsh" "$PWD/prog" "$sources/$source" >said 2>&1
    grep -A 6 '^differs' said | head -n 60
    tail -n 1 said
    check "$title: answers are gdb's" lacks said '^differs|^Traceback|^gdb tells'
    check "$title: there are answers" has said '^[0-9]+ of [1-9][0-9][0-9]+ answers are gdb'
}

for level in 0 2 ${EZT_LONG:+1}; do
    agree agree.c gcc -g -O$level
    agree agree.c clang -g -O$level
    agree agree.cc g++ -std=c++17 -g -O$level
    agree agree.cc clang++ -std=c++17 -g -O$level
    agree agree.f90 gfortran -g -O$level
    agree agree.rs rustc -g -C opt-level=$level
done
agree agree.c gcc -gdwarf-4 -O1
agree agree.c clang -gdwarf-4 -Og
agree agree.f90 gfortran -gdwarf-4 -O1
agree agree.cc g++ -gdwarf-4 -std=c++17 -O1
finish
