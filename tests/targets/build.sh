#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh NAME - makes the program or library NAME of programs.txt in tests/targets of the build folder, which
# is the current one. Sources and flags are those of its line; a word LIB.so is a library that was made before.
# Targets are plain: nothing is instrumented for sanitizers.
set -eu
table=$top_srcdir/tests/targets/programs.txt
here=tests/targets
line=$(awk -v name="$1" '
    $1 == "common" { $1 = ""; common = $0 }
    $1 == name { $1 = ""; print $0 common; exit }' "$table")
[ -n "$line" ] || { echo "build.sh: $table has no line for $1." >&2; exit 1; }
sources='' flags='' compiler="$CC -std=gnu11" own=${CFLAGS-}
for word in $line; do
    case $word in
    *.c | *.S) sources="$sources $top_srcdir/$here/$word" ;;
    *.cc) sources="$sources $top_srcdir/$here/$word" compiler="$CXX -std=c++17" own=${CXXFLAGS-} ;;
    *.so) case $word in -*) flags="$flags $word" ;; *) flags="$flags $here/$word" ;; esac ;;
    -I*) flags="$flags -I$top_srcdir/${word#-I}" ;;
    *) flags="$flags $word" ;;
    esac
done
mkdir -p "$here"
# shellcheck disable=SC2086
exec $compiler -O2 -g -D_GNU_SOURCE -I. -I"$top_srcdir" ${CPPFLAGS-} $sources $flags $own ${LDFLAGS-} -o "$here/$1"
