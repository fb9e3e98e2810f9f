#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_threads.sh - thousands of threads are born while probes come and go (fault 40).
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/births
rounds=20

# cycles: commands that plant and delete one probe again and again; others stay
cycles() {
    for i in $(seq $rounds); do
        printf 'probe -count flipped\ndelete %d\n' $((i + 4))
    done
    printf '!touch stop\n'
}

# verdict NAME: births went on all the while, and the counts are exact
verdict() {
    if grep -q '^enough 1' t.err && [ "$(grep -c '^Probe [0-9]* at ' log)" = $((rounds + 4)) ]; then
        pass "$1: probes came and went $rounds times"
    else
        fail "$1: probes came and went" log
    fi
    same "$1"
    counts "$1: counts of what stayed"
    ledger "$1: ledger"
}
native "$prog"
for mode in -count -record; do
    rm -f stop ready
    {
        printf 'set args stop ready >t.out 2>t.err </dev/null\nstart\nprobe %s body\n' $mode
        printf 'probe %s steady\nprobe exit -count body\nprobe exit -count steady\n' $mode
        printf 'continue &\n!until test -e ready; do :; done\n'
        cycles | grep -v stop
        printf '!touch stop\nwait\ninfo probes\ninfo trace\n'
    } >script.ezt
    shell_run "$prog"
    verdict "40 births while probes come and go, $mode"

    # Attach while threads are born; plant and remove every function.
    rm -f stop ready
    "$prog" stop ready >t.out 2>t.err </dev/null &
    pid=$!
    children=$pid
    until [ -e ready ]; do kill -0 $pid || break; done
    {
        printf 'attach %d\ncontinue &\n' $pid
        for i in $(seq 5); do printf 'probe %s -r .\ndelete\n' $mode; done
        for i in $(seq 3); do printf 'probe %s -r *:.\ndelete\n' $mode; done
        printf 'probe %s -r .\ninterrupt\ndetach\n' $mode
    } >script.ezt
    timeout -k 5 $limit "$eztsh" -nx -batch -x script.ezt >log 2>&1 </dev/null
    echo $? >eztsh.rc
    nofail "40 text is the file's again, $mode" "$targets/textdiff" $pid
    touch stop
    wait $pid
    echo $? >t.rc
    children=
    same "40 attached to amid births, $mode"
    [ "$(cat eztsh.rc)" = 0 ] && [ "$(grep -c '^Planted' log)" = 9 ] &&
        pass "40 every function nine times, $mode" || fail "40 every function nine times, $mode" log
done
finish
