#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_cycles.sh - probes on every function of a busy program of 32 threads, planted and
# removed again and again: its results stay the same bits. EZT_CYCLES says how often
# (`make stress`: 200). Every cycle has probes of another kind.
. "${top_srcdir:-.}/tests/lib.sh"
cycles=${EZT_CYCLES:-24}
rm -f stop ready
"$targets/md" 32 stop ready >t.out 2>t.err </dev/null &
pid=$!
children=$pid
until [ -e ready ]; do kill -0 $pid || break; done
{
    printf 'set pagination off\nset trace-auto off\nattach %s\ncontinue &\n' $pid
    i=0
    while [ $i -lt "$cycles" ]; do
        case $((i % 4)) in
        0) echo 'probe -count -r *:.' ;;
        1) echo 'probe -record -r .' ;;
        2) echo 'probe entry -count -r .' ;;
        3) printf 'set exit-mode slots\nprobe -count -r *:.\nset exit-mode auto\n' ;;
        esac
        echo delete
        i=$((i + 1))
    done
    printf 'info textdiff\ndetach\n'
} >script.ezt
limit=$((limit + 40 * cycles))
shell_run
n=$(grep -c '^Planted [1-9]' log)
[ "$n" = "$cycles" ] && pass "planted and removed $n times" || fail "planted and removed $n times of $cycles" log
grep -q ' differ, 0 of them foreign' log && pass "text is given back" || fail "text is given back" log
touch stop
wait $pid
[ $? = 12 ] && grep -qx 'wrong 0' t.out && pass "$(cat t.err), all results the same bits" ||
    fail "results of 32 threads: $(cat t.out t.err)" log
children=
finish
