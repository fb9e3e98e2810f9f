#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pages.sh - functions whose first bytes lie on two pages, and a shell that is killed while it
# plants and removes: the target runs on, and the next shell leaves the file's text (fault 67).
# EZT_KILLS says how often (`make stress`: 500).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need_faults
need python3
kills=${EZT_KILLS:-24}

# Strategies by themselves, and the automatic choice.
for row in auto:1000 island:750 pun:1000; do # functions without padding near by, or of one byte, get no island
    how=${row%:*}
    rm -f stop ready
    batch -ex "set strategy $how" -ex 'set args stop ready >t.out' -ex start \
        -ex 'probe -count -r ^cross_' -ex 'continue &' -ex 'shell until [ -e ready ]; do sleep 0.02; done' \
        -ex 'info textdiff' -ex 'shell touch stop' -ex wait -ex 'info probes' -ex 'info coverage' \
        "$targets/p_pages"
    n=$(sed -n 's/^Planted \([0-9]*\) of 1000 matched.*/\1/p' log)
    check "$how: planted over page ends" same "$n" "${row#*:}"
    check "$how: no byte is foreign" has log 'differ, 0 of them foreign\.'
    check "$how: the target ends right" same "$(tail -n 1 t.out)" right
    rounds=$(sed -n 's/^rounds //p' t.out)
    check "$how: each counts each call" same \
        "$(awk -v n="$rounds" '$7 ~ /^cross_/ && $6 == n' log | wc -l)" "$n"
done

# ---- a kernel that does not let /proc/PID/mem write text ------------------------------------------
rm -f stop ready
target "$targets/p_pages" stop ready
until_ok 10 [ -e ready ]
EZ_FAULT=write:0:EPERM; export EZ_FAULT
batch -p "$pid" -ex 'probe -count -r ^cross_' -ex 'info textdiff' -ex detach
unset EZ_FAULT
check "word by word: planted" has log '^Planted 1000 of 1000 matched'
check "word by word: no byte is foreign" has log 'differ, 0 of them foreign\.'
check "word by word: text is the file's again" text_intact "$pid"
touch stop
reap "$pid"
check "word by word: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"

# ---- killed at any instant --------------------------------------------------------------------
rm -f stop ready
target "$targets/p_pages" stop ready
until_ok 10 [ -e ready ]
{
    printf 'set confirm off\nattach %s\ncontinue &\n' "$pid"
    for _ in $(seq 100); do printf 'probe -count -r ^cross_\ndelete\n'; done
} >cycles.ezt
lost='' i=0 planting=0
while [ $i -lt "$kills" ] && [ -z "$lost" ]; do
    i=$((i + 1))
    : >log
    "$eztsh" -nx -batch -x cycles.ezt >log 2>&1 </dev/null &
    shell=$!
    until_ok 30 has log '^Planted'
    python3 -c 'import random, sys, time
random.seed(int(sys.argv[1]))
time.sleep(random.random() * 0.2)' $i
    kill -KILL "$shell" 2>/dev/null || lost="kill $i came too late"
    wait "$shell" 2>/dev/null
    alive "$pid" && moved "$pid" 5 || lost="kill $i: the target died"
    batch -p "$pid" -ex detach
    text_intact "$pid" >intact 2>&1 || lost="kill $i: $(tail -n 1 intact)"
done
check "killed $i times while it plants and removes: $lost" [ -z "$lost" ]
touch stop
reap "$pid"
check "the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
finish
