#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# howto.sh - doc/HOWTO_COMMAND.md and HOWTO_FORMAT.md as a stranger follows them: in a copy of the
# sources each of their blocks goes to the file that it names, the copy is built, and the command is
# there, with its option, help, completion and manual, and the format. Half a minute.
. "${top_srcdir:-.}/tests/env.sh"
command -v automake >/dev/null || { skip "automake is not there"; exit 77; }
unset MAKEFLAGS MFLAGS MAKELEVEL EZTSH CFLAGS
src=$work/src build=$work/src/build

# ---- the copy ---------------------------------------------------------------------------------
mkdir "$src" "$build"
cd "$top_srcdir" || exit 99
cp -pr .clang-format COPYING CONTRIBUTING.md NEWS README.md Makefile.am Makefile.in aclocal.m4 build-aux config.h.in \
    configure configure.ac arch cmds doc engine examples modules packaging shell tests "$src" || exit 99
chmod -R u+w "$src"
find "$src" \( -name '*.[oa]' -o -name .dirstamp \) -delete # the tree may be built where it lies
cd "$src" || exit 99

# block HOWTO FILE: prints the document's block for FILE
block() {
    awk -v file="$2" '
        $1 == "```" { inside = 0 }
        inside { sub(/^   /, ""); print }
        /^ *```[a-z]+ / && $2 == file { inside = 1 }' "doc/HOWTO_$1.md"
}
# blocks HOWTO FILES: writes each block to a file of its base name; fails if there are others
blocks() {
    local file files
    files=$(awk '/^ *```[a-z]+ / { print $2 }' "doc/HOWTO_$1.md")
    mkdir -p "$work/$1"
    for file in $files; do block "$1" "$file" >"$work/$1/${file##*/}"; done
    # shellcheck disable=SC2086
    if [ "$(echo $files)" = "$2" ]; then pass "$1: a block for each file"; else fail "$1: blocks for $files"; fi
}
blocks COMMAND "cmds/poke.c cmds/local.mk tests/e2e/poke.ezt"
blocks FORMAT "engine/format/conv_first.c engine/format/formats.h engine/format/local.mk"

# ---- what the document says --------------------------------------------------------------------
doc=$work/COMMAND
cp "$doc/poke.c" cmds/
cp "$doc/poke.ezt" tests/e2e/
cat "$doc/local.mk" >>cmds/local.mk

doc=$work/FORMAT
cp "$doc/conv_first.c" engine/format/
cat "$doc/local.mk" >>engine/format/local.mk
grep extern "$doc/formats.h" >"$doc/declared" && grep '&ez_conv' "$doc/formats.h" >"$doc/listed"
sed -i -e "/ez_conv_callgrind;$/r $doc/declared" -e "/&ez_conv_callgrind,/r $doc/listed" engine/format/formats.h

# A build one folder below its sources is copied, too: make compiles what the blocks change. Any other is made anew.
cd "$build" || exit 99
configured() {
    [ "$(sed -n 's/^srcdir = //p' "$built/Makefile")" = .. ] || { "$src/configure"; return; }
    tar -C "$built" -c --exclude='./tests/[!u]*' --exclude='./check_*' . | tar -x &&
        ./config.status --recheck && ./config.status # which knows its folder by its full name
}
built=$(cd "$top_builddir" && pwd)
made() { # NAME COMMAND...
    local name=$1
    shift
    if "$@" >made.out 2>&1; then pass "$name"; else fail "$name" made.out; finish; fi
}
made "it is configured" configured
made "it compiles without a warning" make -j2 CFLAGS='-O0 -Werror' eztsh tests/unit/shell/check_shell tests/targets/libp.so tests/targets/p_app

# ---- it is there -------------------------------------------------------------------------------
says() { # NAME LINE COMMAND...
    local name=$1 line=$2
    shift 2
    ./eztsh -nx -batch -ex "$*" >said 2>&1
    if grep -qxF -e "$line" said; then pass "$name"; else fail "$name: no line <$line>" said; fi
}
says "it is found and completed" 'poke' complete po
says "its option is completed" 'poke -times' complete poke -
says "help has its usage" 'Usage: poke [-times N] ADDR BYTE' help poke
says "help has its option" '  -times N  write it N times, one behind the other' help poke
says "apropos finds its option" 'poke -- Write a byte to the memory of the stopped target.' apropos one behind
says "misuse is told by its usage" 'Usage: poke [-times N] ADDR BYTE' poke 1
says "an option that it does not have" 'poke has no option "-x". The option is -times. Write -- -x to use this word as an operand.' poke -x 1 2
says "a value that is no number" 'Invalid number "many" for -times.' poke -tim many 1 2
says "its precondition" 'The program is not being run.' poke 1 2

run() { env top_srcdir="$src" top_builddir="$build" srcdir="$src" EZTSH="$build/eztsh" "$@"; }
made "its session runs" run "$BASH" "$src/tests/e2e/run.sh" -u poke
out=$src/tests/e2e/poke.out
shows() { # NAME REGEX
    if grep -qE "$2" "$out"; then pass "$1"; else fail "$1" "$out"; fi
}
shows "it writes so often" '^Wrote 3 bytes at ADDR[0-9]*\.$'
shows "what it should" '	0x00	0x41	0x41	0x41	0x00$'
shows "no more than a byte" '^"256" is more than a byte\.$'
made "the session repeats" run "$BASH" "$src/tests/e2e/run.sh" poke
made "the manual is made" make doc/eztsh.1 doc/commands.texi
if grep -qF 'poke \fR[\-times N] ADDR BYTE' doc/eztsh.1; then pass "and has it"; else fail "the manual lacks it"; fi
# Only the programs that these tests need: all of them take a minute.
few="check_PROGRAMS= check_DATA="
# shellcheck disable=SC2086
made "the lists of formats are renewed" make check $few VERBOSE=1 TESTS=tests/unit/shell/check_shell EZT_UPDATE=1
if grep -q poke "$src"/tests/unit/shell/*.out; then fail "a list has the command"; else pass "no list has the command"; fi
# shellcheck disable=SC2086
made "the tests pass" make check $few VERBOSE=1 \
    TESTS="tests/unit/shell/check_shell tests/unit/shell/check_man.sh tests/unit/shell/check_batch.sh tests/check_tree.sh"
if clang-format --version 2>/dev/null | grep -q ' 14\.'; then
    made "it is formatted" clang-format --dry-run --Werror "$src/cmds/poke.c" \
        "$src"/engine/format/{conv_first.c,formats.h}
fi

# ---- the format --------------------------------------------------------------------------------
run_first() {
    ./eztsh -nx -batch -ex 'set trace-auto off' -ex 'probe -r ^(area|twice)$' -ex 'trace first.fxt' -ex 'run >t.out' \
        -ex 'convert -t first' -ex 'convert -o other.first.gz' tests/targets/p_app
}
made "a trace is converted to it" run_first
cp made.out said
says_calls() { # each function of the trace once, in the order of time
    sort -nc first.first && [ -s first.first ] && ! grep -vqE '^[0-9]+ (area|twice)$' first.first &&
        [ "$(cut -d ' ' -f 2 first.first | sort | uniq -d)" = "" ]
}
made "what it writes" says_calls
made "what it writes, compressed, by its suffix" eval 'gzip -dc other.first.gz | cmp - first.first'
says "its name is completed" 'convert -t first' complete convert -t fi
finish
