#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_prologue.sh - first instructions that are hard to move: moved exactly, or
# refused with a reason and untouched. Where a jump is refused (`set strategy jump`), the
# other strategies must be exact.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/prologue

# Functions one at a time: a refusal has a reason, a planted probe is exact.
native "$prog"
sed -n 's/^fault \([0-9]*\) /\1 /p' n.err >faults
for how in jump auto; do
    { echo "set strategy $how"; echo start; awk '{ print "probe -count " $1 }' n.out; } >script.ezt
    shell_feed "$prog"
    sed -n 's/^.*Cannot probe \([a-z0-9_]*\): \(..*\)$/\1 \2/p' log >refused.$how
done
is_refused() { grep -q "^$1 [a-z0-9]" "refused.${2:-auto}"; }
# fault 1, fault 3, fault 4, fault 5, fault 7
for fault in 1 3 4 5 7; do
    wrong=
    for f in $(awk -v n=$fault '$1 == n { print $2 }' faults); do
        case $fault:$f in
        [134]:enters) is_refused "$f" && wrong="$wrong $f" ;;
        [134]:*) is_refused "$f" jump || wrong="$wrong $f" ;;
        *) is_refused "$f" && wrong="$wrong $f" ;;
        esac
    done
    case $fault in 1 | 3 | 4) what="refused with a reason" ;; *) what="planted" ;; esac
    if [ -z "$wrong" ]; then pass "$fault $what"; else fail "$fault not $what:$wrong" log; fi
done

# All functions at once: refusals do not keep other probes from being planted (fault 5, fault 6).
for mode in -count -record; do
    for kind in both entry; do
        probed "probe $kind $mode -r ." "$prog"
        same "1 4 5 6 7 17 table, $kind $mode"
        counts "5 6 7 17 counts of the table, $kind $mode"
        ledger "5 6 7 17 ledger of the table, $kind $mode"
        [ "$(planted)" -ge 65 ] && pass "1 others of the command are planted, $kind $mode" ||
            fail "1 others of the command are planted, $kind $mode" log
    done
done
wrong= # fault 17
while read -r n f; do
    [ -n "$(hits "$f")" ] || is_refused "$f" || wrong="$wrong $f"
done <faults
[ -z "$wrong" ] && pass "17 exact or refused loudly" || fail "17 silent:$wrong" log refused.auto

# Bytes: a refused function keeps its own and the neighbour's (fault 1, fault 4); endbr64 stays
# (fault 7).
bytes='x/8xb back_2\nx/1xb tight_1\nx/3xb tight_3\nx/4xb endbr_first\nx/8xb syscall_first'
printf "set strategy jump\nstart\n$bytes\nprobe -r .\n$bytes\nx/1xb endbr_first+4\ndelete\n$bytes\nx/1xb endbr_first+4\n" >script.ezt
shell_run "$prog"
grep '^0x.*:' log | sed 's/^[^:]*://' | tr -d '\t ' >seen
first=$(sed -n 1,5p seen) second=$(sed -n 6,10p seen) third=$(sed -n 12,16p seen)
[ -n "$first" ] && [ "$first" = "$second" ] && [ "$first" = "$third" ] &&
    pass "1 4 17 bytes of refused functions" || fail "1 4 17 bytes of refused functions" log
[ "$(sed -n 4p seen)" = 0xf30x0f0x1e0xfa ] &&
    [ "$(sed -n 11p seen)" = 0xe9 ] && [ "$(sed -n 17p seen)" != 0xe9 ] &&
    pass "7 endbr64 stays, the jump follows it" || fail "7 endbr64 stays" log
finish
