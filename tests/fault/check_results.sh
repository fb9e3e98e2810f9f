#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_results.sh - an optimized floating-point program, every function probed, gives
# the same bits; and 8 threads' counts are exact. (Callers keep values in caller-saved
# registers across calls of static functions: gcc's IPA-RA.)
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/md
native "$prog"
for kind in both entry slots; do
    exit_mode=auto exits=both
    [ $kind = slots ] && exit_mode=slots
    [ $kind = entry ] && exits=entry
    for mode in -count -record; do
        probed "probe $exits $mode -r .
$([ $kind = entry ] || exits_of pair move seeded kinetic)" "$prog"
        same "bit-identical results, $kind $mode"
        counts "exact counts of 8 threads, $kind $mode"
        ledger "ledger of 8 threads, $kind $mode"
    done
done
exit_mode=auto
probed "probe -count -r *:." "$prog"
same "bit-identical results, every function of every library"
counts "exact counts of 8 threads, every function of every library"
finish
