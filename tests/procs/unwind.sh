#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# unwind.sh - exceptions through probed frames: in children that were forked while another
# thread threw, and after the probes are gone.
. "${top_srcdir:-.}/tests/procs/lib.sh"

in_call() { say 'info probes' && [ "$(hits 2)" = 1 ]; }

for mode in auto slots; do
    batch -return-child-result -ex "set exit-mode $mode" -ex 'probe -count sink' \
        -ex 'run forks 300 >t.out' "$targets/p_unwind"
    check "$mode: a child forked while others throw can throw" same "$rc $(cat t.out)" "0 right"

    rm -f go
    target "$targets/p_unwind" late go
    until_ok 10 has t.out ready
    shell_start -p "$pid"
    say "set exit-mode $mode"
    say 'probe -count serve'
    say 'probe -count linger'
    say detach
    shell_end
    touch go
    reap "$pid"
    check "$mode: a call that began before the probes throws" same "$trc $(tail -n 1 t.out)" "0 right"

    rm -f go t.out
    shell_start "$targets/p_unwind"
    say "set exit-mode $mode"
    say 'set args late go >t.out'
    say 'probe -count serve'
    say 'probe -count linger'
    say start
    say 'continue &'
    until_ok 20 has t.out '^ready'
    pid=$(sed -n 's/^ready //p' t.out)
    check "$mode: the calls have begun" until_ok 20 in_call
    say detach
    check "$mode: text is the file's" text_intact "$pid"
    touch go
    check "$mode: the target ends" until_ok 20 gone "$pid"
    shell_end
    check "$mode: a call that is open at detach throws" same "$(tail -n 1 t.out)" right
done
finish
