#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# forms.sh - the forms of gdb's commands that look at a stop: gdb answers the same (forms_*.asks, a command a line).
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3 gcc

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
at_stop 'frames, variables, threads' frames 70
at_stop 'registers' regs 50
at_stop 'lines and addresses' list 90
at_stop 'disassemble' disassemble 35
# Each letter of print for values of all kinds.
for value in gch gsch guch gsh gush gint guint glong gul gi128 gu128 gfl gdb gld gnan ginf gsmall gfbig gbool gb0 gcol gbad gflags garr gdarr \
    gfarr gtext gstr gbytes gsarr gbarr gs gu gip gvp gfp gsp gpp gnull g2d gcx gwc gws gcs gia gca gpa gu8 gi8 gu8a main '*gsp' '&gs' \
    '&garr' gs.bf gs.sbf gs.in '(char)65' 5 1.5 1.5f "'c'" '"str"' 3000000000 'garr[1]@3' '(short)-1' '$rip' '$eflags' '1==1'; do
    for letter in x d u o t a c f s z; do
        printf 'print/%s %s\n' "$letter" "$value"
    done
done >letters.asks
as_gdb 'letters of print' ./prog letters.asks 680 "break $stop" run
at_stop 'x' x 110

if command -v g++ >/dev/null && compiled 'wide characters' g++ -g -O0 "$sources/t_wide.cc"; then
    as_gdb 'wide characters' ./prog "$asks/forms_wide.asks" 130 'break f' run
fi
printf 'display/i $pc\ndisplay/2i $pc\nstepi\n' >walk.asks
echo 'int lib_step(int); int main(void) { return lib_step(1) == 0; }' >walk.c
if compiled 'display of instructions' gcc -g -O0 "$here/t_forms_lib.c" "$here/walk.c"; then
    as_gdb 'display of instructions' ./prog walk.asks 3 'break main' run
fi
finish
