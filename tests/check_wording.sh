#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_wording.sh - the messages of errors have the form that engine/base/err.h describes, those that are gdb's are
# in gdb, and the tests contain all but a few (wording.py).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
python3 -B "$top_srcdir/tests/wording.py" "$top_srcdir" >said 2>&1
cat said
check "messages are sentences" has said '^0 of [1-9][0-9]+ messages have another form$'
# Of those, some need a fault, a race, another kernel or another processor; others wait for a test. Lower the number with
# each that gets one.
untold=$(sed -n 's/ of [0-9]* messages are in no test$//p' said)
check "a new message is in a test: at most 28 of all are in none (wording.py TOP -v)" [ "${untold:-999}" -le 28 ]
if command -v gdb >/dev/null; then
    check "gdb's messages are gdb's" has said '^0 of [1-9][0-9]+ messages are not in gdb$'
else
    echo "skip - gdb's messages are gdb's: no gdb"
fi
finish
