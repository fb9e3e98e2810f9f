#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# machine.sh - --interpreter=json: answers, errors and events are those that doc/JSON.md describes, whatever
# is asked and whatever the program writes (machine.py); and examples/notebook.py.
. "${top_srcdir:-.}/tests/lib.sh"
command -v python3 >/dev/null || { skip "machine: needs python3"; finish; }
ln -s "$top_builddir"/examples/demo "$top_builddir"/examples/libkernel.so "$targets"/p_loop "$targets"/p_app .
cp "$top_srcdir/tests/targets/t_moving.c" .
gcc -std=gnu11 -g -pthread t_moving.c -o t_moving 2>/dev/null || skip "machine: stops, without gcc"
EZTRACE_TRACE_DIR=$work/traces timeout -k 5 120 \
    python3 -B "$top_srcdir/tests/procs/machine.py" "$eztsh" "$work" >py 2>&1 || echo "not ok - machine.py" >>py
grep -q '^ok' py && ! grep -q '^not ok' py || failed=1
cat py

mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$eztsh" >bin/eztsh
chmod +x bin/eztsh
PATH=$work/bin:$PATH python3 -B "$top_srcdir/examples/notebook.py" ./demo kernel_row >bars 2>err
if [ -s notebook.png ] ||
    [ "$(awk '/ ns / && /#|[0-9]/ { n += $3 } END { print n + 0 }' bars)" = 51200 ]; then
    pass "examples/notebook.py"
else
    fail "examples/notebook.py" bars err
fi
finish
