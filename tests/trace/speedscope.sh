#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# speedscope.sh - speedscope opens our Chrome JSON and its own format: a program with threads, and
# made calls that exceptions and gaps ended. Skipped where it is not installed (npm install -g speedscope, or
# its index.html in $SPEEDSCOPE); what it asks for is in check_formats.c, too.
. "${top_srcdir:-.}/tests/lib.sh"
for tool in python3 chromium chromedriver; do
    command -v $tool >/dev/null || { skip "speedscope: no $tool here"; exit 77; }
done
program=$(command -v speedscope) && program=$(readlink -f "$program")
page=${SPEEDSCOPE:-${program%/bin/*}/dist/release/index.html}
[ -f "$page" ] || { skip "speedscope is not here"; exit 77; }

opens() { # NAME TRACE THREAD FUNCTION...
    what=$1 trace=$2
    shift 2
    for end in json speedscope.json; do
        nofail "$what as $end" "$eztsh" -nx -batch -ex "convert $trace -o $trace.$end"
        nofail "$what as $end in speedscope" timeout -k 5 $limit \
            python3 -B "$top_srcdir/tests/trace/speedscope.py" "$page" $trace.$end "$@"
    done
}

probed 'probe step
probe libkernel.so:kernel_row' "$top_builddir/examples/demo"
mv traces/*.fxt demo.fxt
opens "the example" demo.fxt 'demo ' step kernel_row
nofail "a trace of exceptions and gaps" "${targets%/targets}/trace/pauses" pauses.fxt
opens "exceptions and gaps" pauses.fxt 'app 4242' load compute
finish
