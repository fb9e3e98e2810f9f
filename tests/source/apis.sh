#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# apis.sh - the evaluation of paper 003: the specifications of examples/specs/ for the manual interfaces of Scalasca's
# EPIK, VampirTrace, TAU and Score-P, on the same programs. Each tells the same routines and lines in the same order,
# and so it does on the running program that was built without it (`spec load`). TAU's groups are those of its own
# instrumentor.
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc
specs=$(cd "$top_srcdir/examples/specs" && pwd)
# Where the order or the names cannot be those of the source, what can is compared (doc/HOWTO_SPEC.md).
same_calls() { # FILE CALLS CALLS
    case $1 in
    templates.cc) # instances have names of their own
        sed -n 's/^>.* /> /p; s/^<.*/</p' "$2" >one
        sed -n 's/^>.* /> /p; s/^<.*/</p' "$3" >two
        ;;
    constructors.cc) # bases are constructed inside
        sort "$2" >one
        sort "$3" >two
        ;;
    *) cp "$2" one && cp "$3" two ;;
    esac
    diff one two
}
cp -r "$here/apis" stubs # options with blanks in them
gcc -fPIC -I"$here/apis" -c "$here/apis/apis.c" -o apis.o || { fail "the stubs are compiled"; finish; }

for file in nested_loops.c macro_return.c function_pointers.c abort_places.c old_style.c structs.c conversions.c \
    string_with_braces.c statement_expression.c exceptions.cc templates.cc lambdas.cc constructors.cc namespaces.cc operators.cc \
    references.cc move_only.cc local_class.cc signatures.cc \
    modules.f90 no_program_statement.f90 one_line_if.f90 fixed_labels.f; do
    case $file in
    *.c) cc="gcc -std=gnu99" ;;
    *.cc) cc="g++ -std=c++17" ;;
    *) cc=gfortran ;;
    esac
    have ${cc%% *} || { skip "$file: no ${cc%% *}"; continue; }
    case $file in *.c | *.cc) $libclang || { skip "$file: eztsh was built without libclang"; continue; } ;; esac
    cp "$here/snippets/$file" .
    for api in epik vampirtrace tau scorep; do
        check "$api: $file is compiled" "$program" -spec "$specs/$api.spec" -- $cc -w -I"$here/apis" "$file" apis.o -o prog
        ./prog >$api.out 2>log
        check "$api: $file: it ends as it did" same $? 0
        grep '^[<>]' $api.out >$api.calls
    done
    check "$file: it is built plainly" $cc -g -O0 -w "$file" -o plain
    for api in epik vampirtrace tau scorep; do
        timeout -k 5 $limit "$eztsh" -nx -batch -ex "spec load '$specs/$api.spec' -cc '-I$work/stubs $work/apis.o'" \
            -ex "run >$api.out2 2>&1 </dev/null" ./plain >log 2>&1 </dev/null
        grep '^[<>]' $api.out2 >$api.calls2
        check "$file: $api tells the same of the running program" same_calls "$file" $api.calls $api.calls2
    done
    check "$file: routines are told" [ -s epik.calls ]
    for api in vampirtrace tau scorep; do
        check "$file: $api tells what EPIK tells" cmp epik.calls $api.calls
    done
    check "$file: each routine that is entered is left" same "$(grep -c '^>' epik.calls)" \
        "$(($(grep -c '^<' epik.calls) + $(grep -c '^exit' tau.out)))"
    case $file in
    *.c | *.cc) check "$file: TAU is told the program's arguments first" same "$(head -n 1 tau.out | cut -c 1-6)" "init 1" ;;
    *) check "$file: TAU is initialised first" same "$(head -n 1 tau.out)" "init 1 fortran" ;;
    esac
    case $file in
    *.c | *.cc)
        check "$file: main is of the group TAU_DEFAULT, everything else of TAU_USER" awk '
            /^group/ { g = $2 }
            /^>/ { main = $0 ~ / main\(/; if ((g == "TAU_DEFAULT") != main) bad = 1 }
            END { exit bad || !NR }' tau.out
        ;;
    esac
done
finish
