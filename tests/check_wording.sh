#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_wording.sh - the messages of errors have the form that engine/base/err.h describes, those that are gdb's are
# in gdb, and the tests contain all of them (wording.py).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
python3 -B "$top_srcdir/tests/wording.py" "$top_srcdir" >said 2>&1
cat said
check "messages are sentences" has said '^0 of [1-9][0-9]+ messages have another form$'
# A test can inject a fault (engine/base/fault.h), preload a library that fails, or call a function with another processor
# (tests/unit/eval/check_eval.c).
check "each message is in a test (wording.py TOP -v)" has said '^0 of [1-9][0-9]+ messages are in no test$'
if command -v gdb >/dev/null; then
    check "gdb's messages are gdb's" has said '^0 of [1-9][0-9]+ messages are not in gdb$'
else
    echo "skip - gdb's messages are gdb's: no gdb"
fi
finish
