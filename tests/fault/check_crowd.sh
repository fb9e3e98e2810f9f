#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_crowd.sh - 2,000 threads are alive at once, and all are followed: counts are
# exact, nothing is dropped, no exit is lost. Also where addresses are scarce.
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/crowd

complete() {
    if ! grep -q 'could not be followed: 0\.$' log || grep -q 'calls could not be followed' log; then
        fail "$1: all exits are followed" log
    else
        pass "$1: all exits are followed"
    fi
}

native "$prog" 2000
if [ "$(cat n.rc)" != 0 ]; then
    skip "no 2,000 threads can be made here"
    finish
fi
for exit_mode in auto slots; do
    for mode in -count -record; do
        probed "probe $mode proved tailing
$(exits_of proved tailing)" "$prog" 2000
        same "2,000 threads, $exit_mode $mode"
        counts "2,000 threads, $exit_mode $mode: counts"
        ledger "2,000 threads, $exit_mode $mode: ledger"
        complete "2,000 threads, $exit_mode $mode"
        rm -f traces/*
    done
done

# With 2 GiB of addresses there are fewer lanes, but enough for these threads.
exit_mode=auto
native "$prog" 40
ulimit -S -v 2097152
probed "probe -record proved tailing
$(exits_of proved tailing)" "$prog" 40
same "few addresses"
counts "few addresses: counts"
ledger "few addresses: ledger"
finish
