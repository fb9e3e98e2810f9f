#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# snippets.sh - eztsh-instrument on small programs that are hard to rewrite: it changes what was reviewed
# (snippets/expected/NAME.diff; `snippets.sh -u` writes it anew), it compiles with gcc and with clang without a warning that
# the original has not, it does what it did, and each routine and loop that is entered is left.
. "${top_srcdir:-.}/tests/procs/lib.sh"

here=$(cd "$top_srcdir/tests/source" && pwd)
program=$(cd "$top_builddir" && pwd)/eztsh-instrument
update=false
[ "${1-}" = -u ] && update=true
libclang=false
grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h" && libclang=true
have() { command -v "$1" >/dev/null 2>&1; }

cp "$here"/snippets/*.* "$here"/calls.[ch] "$here"/snippets.spec .
if ! have gcc || ! gcc -c calls.c -o calls.o; then
    skip "snippets: no gcc"
    finish
fi

# The file with the changes of a diff without context. Versions of diff align changes in different ways, so
# diffs are not compared.
patched() { # FILE DIFF
    awk '
        FNR == NR && /^@@/ {
            split(substr($2, 2), old, ",")
            count = old[2] == "" ? 1 : old[2]
            at = old[1] + (count == 0) # lines before it stay
            drop[at] = count
        }
        FNR == NR && /^\+/ { add[at] = add[at] substr($0, 2) "\n" }
        FNR == NR { next }
        {
            if (FNR in add) printf "%s", add[FNR]
            if (FNR in drop) left = drop[FNR]
            if (left) left--; else print
        }
        END { if (FNR + 1 in add) printf "%s", add[FNR + 1] }' "$2" "$1"
}
warnings() { grep -c 'Warning:\|warning:' "$1"; }
compiler() { # FILE WHICH: its words in $cc
    case $1:$2 in
    old_*.cc:gcc) cc="g++ -std=c++98 -Wall -Wextra" ;;
    old_*.cc:clang) cc="clang++ -std=c++98 -Wall -Wextra" ;;
    *.cc:gcc) cc="g++ -std=c++17 -Wall -Wextra" ;;
    *.cc:clang) cc="clang++ -std=c++17 -Wall -Wextra" ;;
    openmp.c:*) cc="$2 -fopenmp -std=gnu99 -Wall -Wextra" ;;
    *.c:gcc) cc="gcc -std=gnu99 -Wall -Wextra" ;;
    *.c:clang) cc="clang -std=gnu99 -Wall -Wextra -Wno-deprecated-non-prototype" ;;
    *.[fF]*) cc="gfortran -fopenmp" ;;
    esac
    cc="$cc -I."
}

for file in *.c *.cc *.f *.f90 *.F90; do
    [ "$file" != calls.c ] || continue
    both="gcc clang" flags=
    case $file in
    old_*.cc) flags=-std=c++98 ;;
    *.cc) flags=-std=c++17 ;;
    openmp.c) flags="-std=gnu99 -fopenmp" ;;
    *.c) flags=-std=gnu99 ;;
    *) both=gfortran ;;
    esac
    if [ "$both" != gfortran ] && ! $libclang; then
        skip "$file: eztsh was built without libclang"
        continue
    fi
    if [ "$both" = gfortran ] && ! have gfortran; then
        skip "$file: no gfortran"
        continue
    fi
    "$program" -spec snippets.spec -o text "$file" -- $flags >log 2>&1
    reviewed=$here/snippets/expected/$file.diff
    ! $update || diff -U0 "$file" text | sed 1,2d >"$reviewed"
    patched "$file" "$reviewed" >want
    check "$file: the text is the reviewed one" cmp text want
    for which in $both; do
        compiler "$file" $which
        have "${cc%% *}" || { skip "$file: no ${cc%% *}"; continue; }
        $cc "$file" -o plain >log 2>&1 || { skip "$file: $which does not compile the original"; continue; }
        before=$(warnings log)
        check "$file, $which: it compiles" "$program" -spec snippets.spec -- $cc "$file" calls.o -o probed
        check "$file, $which: no new warnings" [ "$(warnings check.out)" -le "$before" ]
        ./plain >plain.out 2>&1
        same=$?
        timeout $limit ./probed >probed.out 2>log
        check "$file, $which: it does what it did" same "$?" "$same"
        check "$file, $which: the same output" cmp plain.out probed.out
        check "$file, $which: what is entered is left" has log '^balanced: depth [0-9]+ loops 0$'
    done
done
finish
