#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_budget.sh - a hit takes 512 bytes of the target's stack at most, on every path:
# the first of a thread, the end of a sub-buffer, a full ring, entries that are reclaimed,
# the clock of the vDSO. One of a function with a condition or data takes 1,024. Where the kernel does
# not read the time stamp counter (kvm-clock), its vDSO may take 64 bytes more.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/smallstack
source=/sys/devices/system/clocksource/clocksource0/current_clocksource
more=64
[ "$(cat $source 2>/dev/null)" != tsc ] || more=0
native "$prog"
# tried NAME COMMANDS KIND
tried() {
    budget=512
    [ "${1%%,*}" != monotonic ] || budget=$((512 + more)) # no other asks the vDSO
    probed "set ring-size 64
$2
probe $3 proved jumping leaving
$([ "${3%% *}" = entry ] || exits_of proved jumping leaving)" "$prog" $budget
    same "$1"
    counts "$1: counts"
    ledger "$1: ledger"
    echo "# $(grep '^deepest' t.err)"
}
for clock in tsc monotonic; do
    for exit_mode in auto slots; do
        tried "$clock, $exit_mode, recorded" "set trace-clock $clock" "both -record"
        tried "$clock, $exit_mode, entries" "set trace-clock $clock" "entry -record"
    done
done
for exit_mode in auto slots; do
    tried "$exit_mode, counted" "set trace-clock auto" "both -count"
done
native "$prog" 1024
data() { # NAME COMMANDS
    probed "set ring-size 64
$2" "$prog" 1024
    same "$1"
    ledger "$1: ledger"
    echo "# $(grep '^deepest' t.err)"
}
for clock in tsc monotonic; do
    data "$clock, values" "set trace-clock $clock
probe proved if \$arg0 != 99 collect \$arg0, *(char *)\$sp, \$sp:hex(200) return \$ret, \$arg0
probe jumping collect \$arg0:str return \$ret, *(long *)\$arg0
probe leaving collect \$regs, \$farg0"
    data "$clock, conditions and aggregates" "set trace-clock $clock
probe entry proved if *(long *)\$arg0 == 5 || \$farg0 * 2.5 > 3
count proved by \$caller:str
hist jumping
avg \$farg0 at leaving by \$arg0 % 3"
done
finish
