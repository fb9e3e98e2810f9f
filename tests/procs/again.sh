#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# again.sh - (fault 97) a process that is attached to, probed and let go of many times: what each time leaves in it
# (engine/patch/rt_trim.c, rt_refer.c). EZT_AGAIN=1000: so many times.
. "${top_srcdir:-.}/tests/procs/lib.sh"
times=${EZT_AGAIN:-12}

kib() { sed -n "s/^$1:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$pid/status" "/proc/$pid/smaps_rollup"; }
mappings() { wc -l <"/proc/$pid/maps"; }
began() {
    rm -f stop call
    target "$@"
    until_ok 20 waits # in main: while the loader works, probes are pending
}
waits() { grep -qE '^(35|202|230) ' "/proc/$pid/syscall"; } # nanosleep, futex, clock_nanosleep
over() { # NAME PROG: the target's end
    check "$1: the code is as before" text_intact "$pid" "$2"
    touch stop
    reap "$pid"
    check "$1: the program ends well" same "$trc" 0
    rm -f ./*.fxt
}

# ---- nothing refers to our code: all is as before -------------------------------------------------

before=
called() { # by the target, which stands in a deeper frame then
    touch call
    until_ok 20 eval '[ ! -e call ]'
}
visit() { # PROBE...: attach, plant, a hit, detach
    shell_start
    say "attach $pid"
    [ -z "$before" ] || say "$before"
    say "probe $*"
    say 'continue &'
    called
    say 'info probes'
    amid=$(mappings)
    say detach
    shell_end
}

as_before() { # NAME PROBE...
    what=$1
    shift
    began "$targets/p_refer" stop none
    visit "$@" # the first reads pages of the program, which then count as its memory
    vm=$(kib VmSize) maps=$(mappings) rss=$(kib Rss) i=0
    while [ $i -lt "$times" ]; do
        visit "$@"
        i=$((i + 1))
    done
    check "$what: a probe was hit" has log '^1 .* armed .* [1-9][0-9]* '
    check "$what: there was something to give back" [ "$amid" -gt "$maps" ]
    check "$what: addresses are as before" same "$(kib VmSize)" "$vm"
    check "$what: mappings are as before" same "$(mappings)" "$maps"
    check "$what: less than 4 KiB of memory each" [ $(($(kib Rss) - rss)) -lt $((4 * times)) ]
    over "$what" "$targets/p_refer"
    check "$what: all calls were made" has t.out "calls $((times + 1))"
}
as_before 'a counted entry' entry -count work
as_before 'counted' -count work
as_before 'recorded' work
before='set exit-mode slots'
as_before 'slots' -count work
before=
as_before 'collected' work collect '$arg0'

# ---- something does: that code stays, and none else --------------------------------------------------

for where in data heap shared stack; do
    began "$targets/p_refer" stop "$where"
    maps=$(mappings)
    visit -count work
    check "an address in $where: our code stays" [ "$(mappings)" -gt "$maps" ]
    maps=$(mappings)
    visit entry -count deep
    check "an address in $where: that of the next shell goes" same "$(mappings)" "$maps"
    over "an address in $where" "$targets/p_refer"
done

# ---- threads that run into probes until the shell stops them, and are in our code then ----------------

once() { batch -p "$pid" -ex "probe $*" -ex 'continue &' -ex 'info probes' -ex detach; }
again() { # NAME PROBE...
    what=$1
    shift
    began "$targets/p_loop" stop 4
    once "$@"
    vm=$(kib VmSize) rss=$(kib Rss) maps=$(mappings) i=0
    while [ $i -lt "$times" ] && [ "$rc" = 0 ]; do
        once "$@"
        i=$((i + 1))
    done
    check "$what: all attach" same "$rc" 0
    check "$what: each leaves less than 512 MiB of addresses" [ $((($(kib VmSize) - vm) / times)) -lt 524288 ]
    check "$what: less than 256 KiB of memory" [ $((($(kib Rss) - rss) / times)) -lt 256 ]
    check "$what: less than 32 mappings" [ $((($(mappings) - maps) / times)) -lt 32 ]
    over "$what" "$targets/p_loop"
}
again 'hot, counted' -count pulse
again 'hot, recorded' pulse
again 'hot, all functions' -count -r .
again 'hot, collected' pulse collect '$arg0'
finish
