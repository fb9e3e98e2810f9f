#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# place.sh - text that lies in huge pages, and text with no free memory within a jump's reach.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3

place() { # HOW COMMAND...
    how=$1
    shift
    rm -f stop ready
    target "$targets/p_place" "$how" stop ready
    until_ok 20 [ -s ready ]
    batch -p "$pid" "$@"
}
ends_right() {
    check "$1: text is the file's" text_intact "$pid"
    touch stop
    reap "$pid"
    check "$1: the target ends right" same "$trc $(tail -n 1 t.out)" "0 right"
}

place huge -ex 'probe -count beat' -ex 'info probes' -ex detach
if [ "$(cat ready)" = 2048 ]; then
    check "huge pages: planted" has log '^Probe 1 at '
    check "huge pages: no command fails" same $rc 0
    shell_start -p "$pid"
    say 'probe -count beat'
    say 'continue &'
    counted() { say 'info probes' && [ "$(hits 1)" -gt 1000 ]; }
    check "huge pages: calls are counted" until_ok 10 counted
    shell_kill
    check "huge pages: the shell is killed, it goes on" moved "$pid" 5
    batch -p "$pid" -ex detach
else
    skip "huge pages: there are none here"
fi
ends_right "huge pages"

place full -ex 'probe -count beat' -ex 'probe -count -r .' -ex 'why beat' -ex 'check beat' \
    -ex 'probe -count --trap beat' -ex 'probe -count libc:access' -ex 'info probes' -ex detach
check "no room near by: the reason" has log '^Cannot probe beat: no free memory within reach of a jump at 0x'
check "no room near by: of many, one reason" \
    has log '^Planted 0 of [0-9]+ matched; refused: [0-9]+ no free memory within reach of a jump,'
check "no room near by: what would help" has log '^What would help: .*free addresses within 2 GiB'
check "no room near by: libraries have some" has log '^[0-9]+ +both +count +armed .* access '
check "no room near by: status 1" same $rc 1
ends_right "no room near by"
finish
