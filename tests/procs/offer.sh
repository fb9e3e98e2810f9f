#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# offer.sh - a tree of processes, an eztsh for each: children are held until another shell takes them
# (offer.py), and go on by themselves if nobody does; a program traced in the background.
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "offer: needs python3"; finish; }
EZTRACE_TRACE_DIR=$work/traces timeout -k 5 900 \
    python3 -B "$top_srcdir/tests/procs/offer.py" "$eztsh" "$targets" >py 2>&1 || echo "not ok - offer.py" >>py
grep -q '^ok' py && ! grep -q '^not ok' py || failed=1
cat py
finish
