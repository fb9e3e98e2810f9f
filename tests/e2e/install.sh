#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh - what `make install` brings works after its folder was moved, and `make uninstall` leaves nothing.
. "${top_srcdir:-.}/tests/lib.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL EZT_INCLUDE EZT_GTG EZT_COST EZTRACE_LIBRARY_PATH
prefix=$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
root=$work/root moved="$work/moved to"
nofail 'make install' make -s -C "$top_builddir" install DESTDIR="$root"
cp -a "$root$prefix" "$moved"
bin="$moved/bin"

# The moved program must use no file of the first installation, nor of the build.
nofail 'make uninstall' make -s -C "$top_builddir" uninstall DESTDIR="$root"
find "$root" ! -type d >left 2>&1
find "$root" -name '*eztsh*' >>left
check_empty() { # NAME FILE
    if [ -s "$2" ]; then fail "$1" "$2"; else pass "$1"; fi
}
check_empty 'make uninstall leaves no file, and no folder of its own' left

run() { # NAME REGEX ARGUMENT...: the moved eztsh prints a line like REGEX
    name=$1 regex=$2
    shift 2
    timeout -k 5 $limit "$bin/eztsh" -nx -batch "$@" >log 2>&1 </dev/null
    if grep -qE -- "$regex" log; then pass "$name"; else fail "$name" log; fi
}
demo="$moved/lib/eztsh/examples/demo"
run 'the lessons name their program' "All lessons use the program $demo\.$" -ex lesson
run 'the program of the lessons runs, with its library' '^10 steps: heat 1000\.' -ex 'run 10' "$demo"
run 'a probe in it' '^ *[0-9]+ .* kernel_row' -ex 'probe kernel_row' -ex 'run 10' -ex 'info probes' "$demo"
run 'modules are found' '^Thread|pthread' -ex 'module load pthread' -ex 'run 10' -ex 'info modules' "$demo"
run 'ezt-cost is found' 'ns' -ex 'info cost'
run 'an event is recorded' 'demo.*\.fxt' -ex 'trace start demo.fxt' -ex 'probe kernel_row' -ex 'run 10' -ex 'info trace' "$demo"
run 'ezt-gtg is found' 'demo\.otf' -ex 'convert -t otf -o demo.otf demo.fxt'
nofail 'eztsh-modc finds its headers' "$bin/eztsh-modc" "$moved/share/doc/eztsh/examples/rows.tpl"

# Each file that an installed document refers to is there.
for page in "$moved"/share/doc/eztsh/*.md "$moved"/share/doc/eztsh/*/*.md; do
    folder=$(dirname "$page")
    grep -oE '\]\([A-Za-z0-9_./-]+' "$page" | sed 's/^](//' | grep -v '^https*$' | sort -u | while read -r to; do
        [ -e "$folder/$to" ] || echo "${page#"$moved/"}: $to"
    done
done >missing
check_empty 'documents refer to installed files only' missing
finish
