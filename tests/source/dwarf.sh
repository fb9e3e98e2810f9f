#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# dwarf.sh - what eztsh-instrument says of routines is what the debug information of the original program says: names,
# lines, signatures (of C and C++ without templates), and what is entered and left in which order, as the compiler's own
# -finstrument-functions tells it. Where the two differ by intent, doc/HOWTO_SPEC.md says so, and dwarf.py knows it.
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc readelf python3
cp "$here"/snippets/*.* "$here/calls.h" .
check "the trace is compiled" gcc -c "$here/entered.c" -o entered.o
compare() { python3 "$here/dwarf.py" "$@"; }

for file in nested_loops.c macro_return.c macro_body.c function_pointers.c old_style.c structs.c abort_places.c \
    statement_expression.c conversions.c namespaces.cc operators.cc templates.cc lambdas.cc local_class.cc exceptions.cc \
    move_only.cc references.cc signatures.cc constructors.cc function_try.cc modules.f90 submodules.f90 blocks.f90 one_line_if.f90 \
    no_program_statement.f90 preprocessed.F90 fixed_labels.f; do
    order=
    case $file in
    *.c) cc="gcc -std=gnu99" ;;
    constructors.cc) cc="g++ -std=c++17" order=unordered ;; # a body begins behind the initialisers
    *.cc) cc="g++ -std=c++17" ;;
    *) cc=gfortran ;;
    esac
    have ${cc%% *} || { skip "$file: no ${cc%% *}"; continue; }
    case $file in *.c | *.cc) $libclang || { skip "$file: eztsh was built without libclang"; continue; } ;; esac
    cc="$cc -w -g -O0 -no-pie -I."
    check "$file: the original is compiled" $cc -finstrument-functions "$file" entered.o -o plain
    check "$file: it is instrumented" "$program" -spec "$here/dwarf.spec" -report=json -- $cc "$file" entered.o -o probed
    cp check.out report
    rm -f ./*.calls
    CALLS=plain.calls ./plain >plain.out 2>&1
    CALLS=probed.calls ./probed >probed.out 2>&1
    check "$file: names, lines and signatures are those of the debug information" compare routines plain "$file" report
    check "$file: what is entered and left, in order" compare calls plain "$file" report plain.calls probed.calls $order
done

# Files of real programs (tests/source/sources.sh), not linked.
[ -n "${EZT_SOURCES-}" ] && [ -d "$EZT_SOURCES" ] || { skip "real sources: none (EZT_SOURCES)"; finish; }
for file in bzip2-*/blocksort.c bzip2-*/bzip2.c lua-*/src/lapi.c lua-*/src/lvm.c lua-*/src/ldebug.c zlib-*/deflate.c \
    sqlite3-*/sqlite3.c \
    tinyxml2-*/tinyxml2.cpp fmtlib-*/src/os.cc jsoncpp-*/src/lib_json/json_value.cpp \
    lapack-*/BLAS/SRC/dgemm.f lapack-*/BLAS/SRC/dnrm2.f90 lapack-*/SRC/dgetrf.f lapack-*/BLAS/TESTING/dblat1.f; do
    for path in "$EZT_SOURCES"/$file; do
        [ -e "$path" ] || continue
        case $file in
        *.c) cc="gcc -std=gnu99" ;;
        */src/*.cpp | */src/*.cc) cc="g++ -std=c++17 -I${path%/src/*}/include" ;;
        *.cpp) cc="g++ -std=c++17" ;;
        *) cc=gfortran ;;
        esac
        have ${cc%% *} || { skip "$file: no ${cc%% *}"; continue; }
        case $file in *.c | *.cc | *.cpp) $libclang || { skip "$file: eztsh was built without libclang"; continue; } ;; esac
        check "$file: it is compiled" $cc -w -g -O0 -c "$path" -o plain.o
        check "$file: it is instrumented" "$program" -spec "$here/dwarf.spec" -report=json -- $cc -w -c "$path" -o probed.o
        cp check.out report
        only=
        [ "${file##*/}" != sqlite3.c ] || only=names # GCC has the types of the first declaration, the source those of the body
        check "$file: names, lines and signatures" compare routines plain.o "$path" report $only
    done
done
finish
