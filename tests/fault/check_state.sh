#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_state.sh - a hit leaves every register, flag, errno and the floating-point
# environment alone. Faults 30, 31, 32, 33.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/regs
native "$prog"
if [ "$(cat n.rc)" = 77 ]; then
    skip "30 31 32 the processor has no XSAVE"
else
    for kind in both entry; do
        for mode in -count -record; do
            probed "probe $kind $mode -r .
$([ $kind = entry ] || exits_of regs_leaf regs_hop)" "$prog"
            for n in "30 general" "31 flags" "32 vectors"; do
                grep -q "${n#* } 0" t.out && pass "$n, $kind $mode" || fail "$n, $kind $mode" t.out log
            done
            same "30 31 32 status, $kind $mode"
            counts "30 31 32 counts, $kind $mode"
        done
    done
fi
native "$targets/errn"
for mode in -count -record; do
    probed "probe $mode -r .
$(exits_of thirds)" "$targets/errn"
    same "33 errno and fenv, $mode"
    counts "33 errno and fenv, $mode: counts"
    probed "probe $mode -r *:." "$targets/errn"
    same "33 errno and fenv, every function, $mode"
    counts "33 errno and fenv, every function, $mode: counts"
done
finish
