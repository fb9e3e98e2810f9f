#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# json.sh - -json: what each command that prints a table prints for programs is what doc/JSON.md says,
# is JSON to the last byte, and says what the text says (tables.py).
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "json: needs python3"; finish; }
prog=$top_builddir/examples/demo

cat >script.ezt <<'END'
probe kernel_row if $arg0 >= 0
probe -count main
probe nosuch\name
start
info threads
info threads -json
info mappings -json
info registers -json
info auxv -json
info functions -json ^main
info functions -v -json ^main$
info functions ^main
info signals SIGUSR1
info signals -json SIGUSR1
info modules -json
module list -json
backtrace
backtrace -json
info textdiff -json
info window -json
measure -json main
continue
info probes
info probes -json
info trace
info trace -json
events 4
events -json 4
info coverage
info coverage -json
info ptrace -json
info replacements -json
info sharedlibrary -json
info aggregates -json
stats -json
info cost -json
events -f -json
END
EZTRACE_TRACE_DIR=$work/traces shell_feed -q "$prog"
mv log first
for trace in traces/*.fxt; do
    printf 'events -json 3 %s\nscore -json -for 1s\n' "$trace" >script.ezt
done
shell_feed -q "$prog"
cat first log >both
python3 -B "$top_srcdir/tests/procs/tables.py" "$top_srcdir/doc/JSON.md" both >py 2>&1 || echo "not ok - tables.py" >>py
if grep -q '^not ok' py || ! grep -q '^ok' py; then failed=1; fi
cat py
[ $failed = 0 ] || tail -n 200 both
finish
