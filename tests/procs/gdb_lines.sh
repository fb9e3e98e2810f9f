#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb_lines.sh - what a gdb user types: gdb's answer beside ours (gdb_lines.txt), and why they differ where they do.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

python3 "$top_srcdir/tests/procs/gdb_lines.py" "$eztsh" "$targets/p_app" "$top_srcdir/tests/procs/gdb_lines.txt" "$work" >said 2>&1
check 'they could be compared' [ $? = 0 ]
cat said
case $(grep -c '^not ok' said) in 0) ;; *) failed=1 ;; esac
finish
