#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb.sh - examples/eztsh-gdb.py: gdb, attached to a process that eztsh probes, tells the probes, and finds the
# callers of functions whose exits are followed, by slots and by call-through.
. "${top_srcdir:-.}/tests/lib.sh"
[ "$(uname -m)" = x86_64 ] || { skip "gdb: x86-64 only"; finish; }
command -v gdb >/dev/null || { skip "gdb: needs gdb"; finish; }
gdb -batch -ex 'python print("yes")' 2>/dev/null | grep -q yes || { skip "gdb: it has no Python"; finish; }

# gdb attaches wherever the program is: mostly in usleep, else once more.
look() { # MODE PID
    gdb -nx -batch -p "$2" -ex "source $top_srcdir/examples/eztsh-gdb.py" -ex 'info eztsh' -ex bt \
        -ex 'frame function usleep' -ex up -ex 'info eztsh $pc' >gdb.$1 2>gdb.err </dev/null
    grep -q '^#[1-9] .* usleep ' gdb.$1
}

# Before the exec, the process is a copy of this script, which has libc, too.
started() { grep -q p_loop "/proc/$1/maps" && grep -q 'libc\.so' "/proc/$1/maps" && ! grep -q ld.so.cache "/proc/$1/maps"; }
for mode in slots through; do
    rm -f stop
    "$targets/p_loop" "$work/stop" >out 2>&1 </dev/null &
    pid=$!
    children="$children $pid"
    printf 'set exit-mode %s\nattach %d\nprobe -count pulse\nprobe -count work\nprobe -count usleep\ndetach -keep\n' \
        $mode $pid >script.ezt
    until_ok 60 started $pid
    shell_feed -q
    until_ok 60 look $mode $pid
    case $mode in slots) frame="a return trampoline" ;; *) frame="a return thunk" ;; esac
    if grep -q "is in $frame\." gdb.$mode; then pass "$mode: info eztsh PC"; else fail "$mode: info eztsh PC" log gdb.$mode gdb.err; fi
    if grep -qE 'entry.*pulse' gdb.$mode; then pass "$mode: info eztsh"; else fail "$mode: info eztsh" log gdb.$mode gdb.err; fi
    if grep -qE '^#[0-9]+ .* in main ' gdb.$mode && ! grep -q 'Backtrace stopped' gdb.$mode; then
        pass "$mode: backtrace reaches main"
    else
        fail "$mode: backtrace reaches main" log gdb.$mode gdb.err
    fi
    : >stop
    wait $pid
    rc=$?
    if [ $rc = 0 ]; then pass "$mode: the program ends well"; else fail "$mode: status $rc" out; fi
done
finish
