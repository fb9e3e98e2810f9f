#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# forms.sh - the forms of gdb's commands that look at a stop: gdb answers the same (forms_*.asks, a command a line).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc
need_libdw

sources=$(cd "$top_srcdir" && pwd)/tests/targets
asks=$(cd "$top_srcdir" && pwd)/tests/procs
LC_ALL=C.UTF-8
export LC_ALL
cp "$sources/t_forms.c" "$sources/t_forms_lib.c" .
here=$PWD
gcc -w -g3 -O0 -fPIC -shared "$here/t_forms_lib.c" -o libforms.so || fail 'the library does not compile'
compiled forms gcc -g3 -O0 "$here/t_forms.c" "$here/libforms.so" -pthread || finish
stop=$(grep -n STOP1 t_forms.c | cut -d : -f 1)

at_stop() { # TITLE FILE LEAST
    as_gdb "$1" ./prog "$asks/forms_$2.asks" "$3" "break $stop" run
}
at_stop 'frames and variables' frames 11
finish
