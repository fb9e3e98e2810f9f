#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_state.sh - a hit leaves every register, flag, errno and the floating-point
# environment alone.
. "${top_srcdir:-.}/tests/lib.sh"
# General registers (fault 30), flags (fault 31), vector registers (fault 32).
prog=$targets/regs
native "$prog"
if [ "$(cat n.rc)" = 77 ]; then
    skip "30 31 32 the processor has no XSAVE"
else
    for kind in both entry slots; do
        exit_mode=auto exits=both
        [ $kind = slots ] && exit_mode=slots
        [ $kind = entry ] && exits=entry
        for mode in -count -record; do
            probed "probe $exits $mode -r .
$([ $kind = entry ] || exits_of regs_leaf regs_hop regs_through)" "$prog"
            for n in "30 general" "31 flags" "32 vectors"; do
                grep -q "${n#* } 0" t.out && pass "$n, $kind $mode" || fail "$n, $kind $mode" t.out log
            done
            same "30 31 32 status, $kind $mode"
            counts "30 31 32 counts, $kind $mode"
        done
    done
    exit_mode=auto
    printf 'start\nwhy regs_through\nwhy regs_leaf\n' >script.ezt
    shell_run "$prog"
    grep -A8 '^regs_through ' log | grep -q '^Exit: call-through' &&
        grep -A8 '^regs_leaf ' log | grep -q '^Exit: return trampoline, because it takes' &&
        pass "30 31 32 both ways of following exits were tried" ||
        fail "30 31 32 both ways of following exits were tried" log
fi
# fault 33
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
