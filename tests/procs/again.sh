#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# again.sh - (fault 97) a process that is attached to, probed and let go of many times: what each time leaves in it (engine/patch/rt_trim.c).
# EZT_AGAIN=1000: so many times.
. "${top_srcdir:-.}/tests/procs/lib.sh"
times=${EZT_AGAIN:-12}

kib() { sed -n "s/^$1:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$pid/status"; }
mappings() { wc -l <"/proc/$pid/maps"; }
# In the background threads run into probes until the shell stops them: some are in eztsh's code then.
once() { batch -p "$pid" -ex "probe $*" -ex 'continue &' -ex 'info probes' -ex detach; }

again() { # NAME PROBE...: of a program with threads
    what=$1
    shift
    rm -f stop
    target "$targets/p_loop" stop 4
    once "$@"
    vm=$(kib VmSize) rss=$(kib VmRSS) maps=$(mappings)
    i=0
    while [ $i -lt "$times" ] && [ "$rc" = 0 ]; do
        once "$@"
        i=$((i + 1))
    done
    check "$what: all attach" same "$rc" 0
    check "$what: each leaves less than 512 MiB of addresses" [ $((($(kib VmSize) - vm) / times)) -lt 524288 ]
    check "$what: less than 256 KiB of memory" [ $((($(kib VmRSS) - rss) / times)) -lt 256 ]
    check "$what: less than 32 mappings" [ $((($(mappings) - maps) / times)) -lt 32 ]
    check "$what: the code is as before" text_intact "$pid" "$targets/p_loop"
    touch stop
    reap "$pid"
    check "$what: the program ends well" same "$trc" 0
    rm -f ./*.fxt
}
again 'counted' -count pulse
again 'recorded' pulse
again 'all functions' -count -r .
again 'collected' pulse collect '$arg0'
finish
