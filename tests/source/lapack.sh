#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# lapack.sh - LAPACK's library in double precision and its own test programs, built by their makefiles with eztsh-instrument as
# the compiler: they print what those of the plain build do, and every routine that was entered was left. Those about linear
# equations; those about eigenvalues, too, with EZT_LAPACK=all (`make stress`). The source is where EZT_SOURCES says (tests/source/sources.sh).
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"

[ -n "${EZT_SOURCES-}" ] && [ -d "$EZT_SOURCES" ] || { skip "lapack: no sources (EZT_SOURCES)"; finish; }
dir=$(ls -d "$EZT_SOURCES"/lapack-[0-9]* 2>/dev/null | head -n 1)
[ -n "$dir" ] && have gfortran && have gcc && have make || { skip "lapack: no source, or no compiler"; finish; }
gcc -O1 -c "$here/counts.c" -o counts.o
CALLS=$work/calls
export CALLS

parts="BLAS/SRC SRC TESTING/MATGEN TESTING/LIN" inputs=dtest
[ "${EZT_LAPACK-}" = all ] && parts="$parts TESTING/EIG" inputs="dtest nep sep svd dec"

built() { # FOLDER COMPILER [OBJECT]: the library, and the tests
    cp -r "$dir" "$1" && cp "$1/make.inc.example" "$1/make.inc" || return 1
    for part in $parts; do
        make -s -j2 -C "$1/$part" double FC="$2" FFLAGS="-O0 -w -frecursive" \
            FFLAGS_NOOPT="-O0 -w -frecursive" LDFLAGS="${3-}" || return 1
    done
}
# Times, and the date where one is told, are no results.
ran() { # FOLDER
    for input in $inputs; do
        tester=EIG/xeigtstd
        [ $input = dtest ] && tester=LIN/xlintstd
        "$1/TESTING/$tester" <"$1/TESTING/$input.in" 2>&1 | grep -v 'Total time used' >"$1.$input" || return 1
    done
}
check "it is built" built plain gfortran
check "it is built with eztsh-instrument" built probed "$program -spec $here/counts.spec -- gfortran" "$work/counts.o"
check "the tests run" ran plain
rm -f calls
check "the tests run with code at entries and exits" ran probed
for input in $inputs; do
    check "$input: the same results" cmp plain.$input probed.$input
done
check "linear equations: all tests pass" [ "$(grep -c 'passed the threshold' probed.dtest)" -ge 25 ]
check "linear equations: none fails" lacks probed.dtest 'failed to pass|illegal'
if [ -e probed.sep ]; then
    check "eigenvalues: all tests pass" same "$(cat probed.nep probed.sep probed.svd | grep -c 'failed to pass')" 0
fi
check "routines were entered a million times at least" [ "$(awk '{ n += $2 } END { print n + 0 }' calls)" -ge 1000000 ]
check "each was left, and each loop" awk '$4 != 0 || $6 != 0 { bad = 1; print } END { exit bad || !NR }' calls
finish
