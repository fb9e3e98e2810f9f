#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# programs.sh - eztsh-instrument as the compiler of real programs: they build, their own tests pass, and every
# routine that was entered was left. Their sources are where EZT_SOURCES says (tests/source/sources.sh).
. "${top_srcdir:-.}/tests/procs/lib.sh"

here=$(cd "$top_srcdir/tests/source" && pwd)
program=$(cd "$top_builddir" && pwd)/eztsh-instrument
[ -n "${EZT_SOURCES-}" ] && [ -d "$EZT_SOURCES" ] || { skip "programs: no sources (EZT_SOURCES)"; finish; }
sources=$(cd "$EZT_SOURCES" && pwd)
have() { command -v "$1" >/dev/null 2>&1; }
have gcc && have make || { skip "programs: no gcc"; finish; }
gcc -O1 -c "$here/counts.c" -o counts.o
CALLS=$work/calls
export CALLS

# unpack NAME: its folder is copied to ./NAME, the new place in $dir
unpack() {
    dir=$(ls -d "$sources/$1"-[0-9]* 2>/dev/null | head -n 1)
    [ -n "$dir" ] || { skip "$1: its source is not there"; return 1; }
    rm -rf "$1" calls
    cp -r "$dir" "$1"
}
cc() { echo "$program -spec $here/counts.spec -- $1"; }
# counted NAME LEAST [jumps]: of all processes, entries are exits, but for routines that never returned, and those that jumps of
# the program's own leave; $1 has so many
counted() {
    check "$1: routines were entered $2 times at least" \
        [ "$(awk '{ n += $2 } END { print n + 0 }' calls)" -ge "$2" ]
    check "$1: each was left, or stopped the program" \
        awk -v jumps="${3-}" '$4 != 0 || ($6 != 0 && !jumps) { bad = 1; print } END { exit bad || !NR }' calls
}

if ! grep -qs '^#define HAVE_LIBCLANG 1' "$top_builddir/config.h"; then
    skip "programs of C and C++: eztsh was built without libclang"
else
    if unpack bzip2; then
        check "bzip2: it is built" make -s -C bzip2 bzip2 CC="$(cc gcc)" CFLAGS="-O0 -w -D_FILE_OFFSET_BITS=64" \
            LDFLAGS="$work/counts.o"
        for n in 1 2 3; do
            check "bzip2: its sample $n" sh -c "bzip2/bzip2 -$n <bzip2/sample$n.ref | cmp - bzip2/sample$n.bz2"
            check "bzip2: its sample $n, back" sh -c "bzip2/bzip2 -d <bzip2/sample$n.bz2 | cmp - bzip2/sample$n.ref"
        done
        counted bzip2 500000
    fi
    if unpack lua; then
        check "lua: it is built" make -s -C lua/src lua CC="$(cc 'gcc -std=gnu99 -w')" SYSCFLAGS=-DLUA_USE_LINUX MYCFLAGS=-O0 \
            SYSLIBS="-Wl,-E -ldl" MYLIBS="$work/counts.o"
        cat >t.lua <<'EOT'
local t, s = {}, 0
for i = 1, 2000 do t[i] = (i * 7919) % 2003 end
table.sort(t)
for i = 2, #t do assert(t[i - 1] <= t[i]) end
for w in ("one two three"):gmatch("%a+") do s = s + #w end
assert(s == 11 and string.format("%5.2f", 1 / 3) == " 0.33")
assert(load("return 1 + 1")() == 2)
print("passed")
EOT
        check "lua: a script" sh -c 'lua/src/lua t.lua | grep -qx passed'
        counted lua 100000 jumps
    fi
    if unpack zlib; then
        (cd zlib && CC="$(cc "gcc -Wl,$work/counts.o")" CFLAGS="-O0 -w" ./configure --static) >log 2>&1
        check "zlib: it is configured" same $? 0
        check "zlib: configure finds what it finds without us" lacks log "strerror... No"
        check "zlib: its own tests pass" make -s -C zlib test
        counted zlib 1000
    fi
    if unpack jsoncpp && have g++; then
        parts='lib_json/json_reader lib_json/json_value lib_json/json_writer test_lib_json/jsontest test_lib_json/main
            test_lib_json/fuzz'
        for part in $parts; do
            check "jsoncpp: $part is compiled" $(cc "g++ -std=c++17") -w -Ijsoncpp/include -Ijsoncpp/src/lib_json \
                -c jsoncpp/src/$part.cpp -o "json_${part##*/}.o"
        done
        check "jsoncpp: it is linked" g++ json_*.o counts.o -o jsontests
        check "jsoncpp: its own tests pass" sh -c './jsontests 2>&1 | grep -q "^All 119 tests passed"'
        counted jsoncpp 100000
    fi
    if unpack tinyxml2 && have g++; then
        for std in c++98 c++17; do
            rm -f calls
            for f in tinyxml2 xmltest; do
                check "tinyxml2: $f is compiled as $std" $(cc "g++ -std=$std") -O0 -w -c tinyxml2/$f.cpp -o $f.o
            done
            check "tinyxml2: it is linked" g++ tinyxml2.o xmltest.o counts.o -o tinyxml2/xmltest
            check "tinyxml2: its own tests pass" sh -c 'cd tinyxml2 && ./xmltest | grep -q "^Pass 463, Fail 0"'
            counted tinyxml2 100000
            cp calls $std.calls
        done
        check "tinyxml2: what is entered is the same in both" cmp c++98.calls c++17.calls
    fi
    if unpack sqlite3; then
        if [ ! -e sqlite3/sqlite3.c ]; then
            skip "sqlite3: its amalgamation could not be made (tclsh is needed)"
        else
            for f in sqlite3 speedtest1; do
                check "sqlite3: $f is compiled" $(cc gcc) -O1 -w -c sqlite3/$f.c -o $f.o
                gcc -w -c sqlite3/$f.c -o plain_$f.o
            done
            check "sqlite3: it is linked" gcc speedtest1.o sqlite3.o counts.o -lpthread -ldl -lm -o probed
            gcc plain_speedtest1.o plain_sqlite3.o -lpthread -ldl -lm -o plain
            for set in main cte orm; do
                ./plain --size 5 --verify --testset $set :memory: | grep Hash >plain.out
                ./probed --size 5 --verify --testset $set :memory: | grep Hash >probed.out
                check "sqlite3: its own workload $set has the result of the original" cmp plain.out probed.out
                check "sqlite3: $set: there is one" has probed.out 'Hash: [1-9]'
            done
            counted sqlite3 10000000
        fi
    fi
    if unpack fmtlib && have g++; then
        if ! echo '#include <gmock/gmock.h>' | g++ -x c++ -fsyntax-only - 2>log; then
            skip "fmt: no gtest and gmock, which its tests need"
        else
            for part in 17/src/format 20/src/os 17/test/test-main 17/test/util 17/test/gtest-extra 20/test/core-test \
                17/test/args-test; do
                name=${part##*/}
                check "fmt: $name is compiled" $(cc "g++ -std=c++${part%%/*}") -w -Ifmtlib/include -Ifmtlib/test \
                    -c fmtlib/${part#*/}.cc -o fmt_$name.o
            done
            for test in core-test args-test; do
                check "fmt: $test is linked" g++ fmt_$test.o fmt_test-main.o fmt_util.o fmt_gtest-extra.o fmt_format.o fmt_os.o \
                    counts.o -lgmock -lgtest -lpthread -o $test
                check "fmt: $test passes" sh -c "./$test | grep -q '^\[  PASSED  \] [1-9]'"
            done
            counted fmt 200
        fi
    fi
fi
if unpack lapack && have gfortran; then
    mkdir blas
    check "blas: it is compiled" sh -c "cd blas && for f in ../lapack/BLAS/SRC/[di]*.f ../lapack/BLAS/SRC/[ls]*1.f ../lapack/BLAS/SRC/lsame.f \
        ../lapack/BLAS/SRC/xerbla_array.f ../lapack/BLAS/SRC/d*.f90; do
        $(cc gfortran) -O0 -w -c \$f || exit 1; done"
    tests=lapack/BLAS/TESTING
    check "blas: its test of level 1" $(cc gfortran) -O0 -w $tests/dblat1.f blas/*.o lapack/BLAS/SRC/xerbla.f counts.o \
        -o dblat1
    ./dblat1 >dblat1.out 2>log
    for level in 2 3; do
        check "blas: its test of level $level" $(cc gfortran) -O0 -w $tests/dblat$level.f blas/*.o counts.o -o dblat$level
        ./dblat$level <$tests/dblat$level.in >log 2>&1 # writes dblat$level.out
    done
    for level in 1 2 3; do
        check "blas: level $level passes" has dblat$level.out 'PASS'
        check "blas: nothing of level $level fails" lacks dblat$level.out 'FAIL'
    done
    counted blas 100000
fi
finish
