#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_wording.sh - the messages of errors have the form that engine/base/err.h describes, and those that are gdb's are
# in gdb (wording.py).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
python3 -B "$top_srcdir/tests/wording.py" "$top_srcdir" >said 2>&1
cat said
check "messages are sentences" has said '^0 of [1-9][0-9]+ messages have another form$'
if command -v gdb >/dev/null; then
    check "gdb's messages are gdb's" has said '^0 of [1-9][0-9]+ messages are not in gdb$'
else
    echo "skip - gdb's messages are gdb's: no gdb"
fi
finish
