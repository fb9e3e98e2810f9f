#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# values.sh - what probes collected, as every reader shows it: events while they come, formats, stats.
. "${top_srcdir:-.}/tests/procs/lib.sh"

prog=$targets/p_data
has() { grep -qF -e "$2" "$1"; } # no pattern: $ and * are part of the names
lacks() { ! has "$1" "$2"; }

# ---- while they are recorded -------------------------------------------------------------------------
cat >script.ezt <<'END'
probe work collect $arg0:d, $farg0, $arg1:str, *(int *)$arg2 return $ret:d, $arg0:d
probe entry pthread_create collect $arg2:hex(3), $arg2:a, (void *)$arg2, (void *)$arg3
run 1 12 >t.out 2>claims
events 100
END
batch -return-child-result -x script.ezt "$prog"
cp log live
trace=$(echo ./*.fxt)
check 'live: of an entry' has live 'entry work  $arg0=6 $farg0=1.5 $arg1="two" *(int*)$arg2=6'
check 'live: what could not be read' has live '$arg0=5 $farg0=1.25 $arg1="one" *(int*)$arg2=<fault>'
check 'live: of an exit' has live 'exit  work  $ret=16 $arg0=6  '
check 'live: a function by its name' grep -q 'entry pthread_create  $arg2=[0-9a-f ]* $arg2=0x[0-9a-f]* <thread> ' live
check 'live: a pointer that is one' \
    grep -q '(void\*)$arg2=0x[0-9a-f]* <thread> (void\*)$arg3=0x[0-9a-f]*$' live
batch -ex "events $trace 100"
values_of() { # FILE: functions and values of its lines
    sed -n '/ ms .*=/{s/^ *[0-9.]* ms *[0-9]* *[a-z]* *//; s/  [0-9.]* [num]*s$//; p}' "$1" | sort
}
check 'a file: the same as live' same "$(values_of log)" "$(values_of live)"

# A call that an exception leaves has no values, and says so.
batch -ex 'probe sink collect $arg0:d return $ret:d' -ex 'run forks 1 >t.out' -ex 'events 40' \
    "$targets/p_unwind"
check 'live: an exit that is no return' grep -q 'exit  sink  [0-9.]* [num]*s  unwound$' log

finish
