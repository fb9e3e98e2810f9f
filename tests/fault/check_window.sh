#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# check_window.sh - a thread stands inside the bytes that are overwritten (fault 29).
. "${top_srcdir:-.}/tests/lib.sh"
prog=$targets/window

native "$prog"
for mode in -count -record; do
    for steps in 0 1 2 3 4 5; do
        {
            printf 'set args >t.out 2>t.err </dev/null\nstart\n'
            [ $steps = 0 ] || printf 'si %d\n' $steps
            printf 'probe %s main\nprobe %s victim\ncontinue\ninfo probes\ninfo trace\n' $mode $mode
        } >script.ezt
        shell_run "$prog"
        same "29 thread at byte $steps of the window, $mode"
        echo "count main $((steps == 0))" >>t.err
        counts "29 thread at byte $steps of the window, $mode: counts"
    done
    # At each byte: planted, removed, planted again.
    {
        printf 'set args >t.out 2>t.err </dev/null\nstart\n'
        for n in 1 2 3 4; do
            printf 'si\nprobe %s main\ndelete\nprobe %s -r .\ndelete\n' $mode $mode
        done
        printf 'probe %s victim\ncontinue\ninfo probes\n' $mode
    } >script.ezt
    shell_run "$prog"
    same "29 planted and removed at each byte, $mode"
    counts "29 planted and removed at each byte, $mode: counts"
done

mkfifo go
echo x >go & # waits for the reader
native "$prog" parked go ready
wait
for mode in -count -record; do # a saved program counter, in the frame of a sleeping handler
    for what in victim "-r ."; do
        rm -f ready
        {
            printf 'set args parked go ready >t.out 2>t.err </dev/null\nstart\ncontinue &\n'
            printf '!until test -e ready; do :; done\nprobe %s %s\n' $mode "$what"
            printf 'probe exit -count victim\n!echo x >go\nwait\ninfo probes\ninfo trace\n'
        } >script.ezt
        shell_run "$prog"
        same "29 handlers return into the window, $mode $what"
        counts "29 handlers return into the window, $mode $what: counts"
    done
done
finish
