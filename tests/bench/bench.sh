#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench.sh - `make bench`: the figures of the README. Prints; asserts nothing.
# Environment: EZTSH, top_builddir (made by make).
here=$top_builddir/tests/bench
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT INT TERM

echo "== cost per call"
EZTRACE_TRACE_DIR=$dir FUT_FILE=$dir/fut.trace \
    "$EZTSH" -q -nx -batch -ex 'set ring-size 1024' -ex 'probe -count c_exe c_lib' \
    -ex 'probe r_exe r_lib' -ex "run" "$here/calls_preloaded" | grep -vE '^(Probe|Starting|Recording)'

echo "== planting"
"$here/plant" "$here/many"

echo "== draining"
start=$(date +%s%N)
EZTRACE_TRACE_DIR=$dir "$EZTSH" -q -nx -batch -ex 'probe f_0' -ex 'run 10000000' "$here/many" |
    grep -E 'hits|events/s'
stop=$(date +%s%N)
size=$(cat "$dir"/many-*.fxt | wc -c)
ms=$(((stop - start) / 1000000))
echo "20,000,000 events in $ms ms, process start and end included: $((20000000 / ms * 1000)) events/s (bound 5,000,000)"
awk -v s="$size" 'BEGIN { printf "%.2f bytes an event in the file (bound 40)\n", s / 20000000 }'
