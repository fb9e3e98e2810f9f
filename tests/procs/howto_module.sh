#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# howto_module.sh - doc/HOWTO_MODULE.md as a stranger follows it: each block goes to the file that
# it names, and what it says comes true.
. "${top_srcdir:-.}/tests/procs/lib.sh"
howto=$top_srcdir/doc/HOWTO_MODULE.md
mkdir bin
ln -s "$eztsh" bin/eztsh
ln -s "$(dirname "$eztsh")/eztsh-modc" bin/eztsh-modc
PATH=$PWD/bin:$PATH
EZT_INCLUDE=$top_srcdir/modules; export EZT_INCLUDE

files=$(awk '/^ *```[a-z]+ / { print $2 }' "$howto")
check "a block for each step" same "$(echo $files)" \
    "shop.c build.sh orders.tpl compile.sh run.sh stats.txt paje.sh list.sh"
for file in $files; do
    awk -v file="$file" '
        $1 == "```" { inside = 0 }
        inside { sub(/^   /, ""); print }
        /^ *```[a-z]+ / && $2 == file { inside = 1 }' "$howto" >"$file"
done
step() { sh -e "./$1.sh" >"$1.log" 2>&1 </dev/null; }
check "the program is built" step build
./shop >native
check "the script is compiled" step compile
check "the program runs with the module" step run
check "the program prints what it always prints" \
    same "$(grep ' gets ' run.log)" "$(cat native)"
check "the module is in the table" has run.log '^orders +0x40 '
while read -r line; do
    pattern=$(echo "$line" | sed 's/  */ +/g')
    check "stats: $(echo "$line" | sed 's/  */ /g')" has run.log "^$pattern\\b"
done <stats.txt
check "the variable is in the Paje file" step paje
check "the module is found by its name" step list
check "list: with its description" has list.log '^orders +0x40 +.*Orders of the shop'

finish
