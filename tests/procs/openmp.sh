#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# openmp.sh - the module openmp, on a program that knows its own numbers, by gcc and by clang, in C
# and in C++; and on a program of gcc with LLVM's library.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
[ -e "$top_builddir/modules/openmp.so" ] || {
    skip "openmp: the module was not built"
    exit 77
}
OMP_CANCELLATION=true OMP_SCHEDULE=dynamic,2
export OMP_CANCELLATION OMP_SCHEDULE
source=$top_srcdir/tests/targets/p_omp.c

told() { awk -v w="$1" '{ n = $NF; sub(/ [^ ]*$/, "") } $0 == w { print n; f = 1 } END { if (!f) print 0 }' told; }
own() { awk -v w="$1" '$1 == w { print $2 }' t.out; }
whole_ledger() { ledger_ok && has log ' 0 untraced \+ 0 dropped'; }
traced() { # THREADS PROGRAM ARGUMENTS (as typed)
    rm -f ./*.fxt
    OMP_NUM_THREADS=$1 timeout -k 5 $limit "$eztsh" -nx -batch -m openmp -ex "run $3 >t.out 2>t.err" \
        -ex 'info modules' -ex 'info replacements' "$2" >log 2>&1 </dev/null
    "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt) -t chrome -o t.json" >convert.out 2>&1
    python3 "$top_srcdir/tests/procs/modules.py" t.json openmp >told
    check "$2 ($1 threads, $3): the ledger adds up, and nothing was lost" whole_ledger
    check "$2 ($1 threads, $3): no word of refused functions" lacks log 'refused: cannot|never resolved'
}
# Both numbers of each line: what the module saw, and what the program did.
both() { # NAME-OF-THE-PROGRAM'S KIND NAME...
    echo "$1 $(told "$2") $(own "$1")"
}
numbers() {
    both regions 'state Parallel region'
    both bodies 'state Working'
    both measured 'set Imbalance'
    both held 'state Critical Section'
    both busy 'event lock busy'
    both ordered 'state Ordered'
    both ordered 'state Waiting for the turn'
    both singles 'event single'
    both single_states 'state Single'
    both barriers 'state Waiting at a barrier'
    both sections 'event section'
    both created 'event task created'
}
more_numbers() {
    both tasks 'state Task'
    both task_waits 'state Waiting for tasks'
    both chunks 'event loop chunk'
}
agree() { # FUNCTION...
    for f; do $f; done | awk '$2 != $3 || $3 == "" { print; bad = 1 } END { exit bad || NR < 12 }'
}
# The slowest thread against the mean is between 1 and the number of threads (8, for all regions).
imbalanced() { # MOST
    awk -v most="$1" '$1 == "var" && $2 == "Imbalance" { n++; if ($(NF - 1) < 1 || $(NF - 1) > most) bad = 1 }
        END { exit bad || !n }' told
}

all_of() { # PROGRAM FUNCTIONS...
    p=$1
    shift
    for n in 1 4; do
        traced $n "./$p" 5
        check "$p ($n threads): the program ends right" same "$(tail -n 1 t.out)" right
        check "$p ($n threads): regions, threads, waits, tasks" agree numbers "$@"
        check "$p ($n threads): every state ends" lacks told '^open '
        check "$p ($n threads): imbalance" imbalanced 4
    done
    traced 2 "./$p" '1 wait'
    check "$p: who waits for sure is blocked" same \
        "$(told 'state Blocked on a critical section') $(told 'state Blocked on a lock')" "2 1"
    check "$p: what they did" same "$(told 'state Critical Section') $(told 'state Waiting at a barrier') $(tail -n 1 t.out)" \
        "$(own held) $(own barriers) right"
    traced 4 "./$p" '1 exit'
    check "$p: ends inside a region" has log 'exited with code 0?3'
}

# ---- on and off, while four threads are at it --------------------------------------------------------
live() { # PROGRAM
    rm -f stop ./*.fxt
    OMP_NUM_THREADS=4
    export OMP_NUM_THREADS
    target "./$1" 1 keep
    until_ok 10 has t.out '^ready'
    shell_start -p "$pid"
    say 'continue &'
    for round in 1 2 3; do
        say 'module load openmp'
        moved "$pid" 20
        say 'module unload openmp'
    done
    say 'module load openmp'
    moved "$pid" 20
    shell_end
    touch stop
    reap "$pid"
    check "$1, live: the program ends right" same "$trc $(tail -n 1 t.out)" "0 right"
    check "$1, live: loaded each time" same "$(grep -c ' functions* replaced' log)" 4
    check "$1, live: the ledger adds up" ledger_ok
    unset OMP_NUM_THREADS
}

built() { # PROGRAM COMPILER OPTION...: 0 = it was, and runs
    to=$1
    shift
    command -v "$1" >/dev/null && "$@" -O2 -g "$source" -o "$to" >cc.out 2>&1 && ./"$to" 0 >/dev/null 2>&1 && return
    skip "openmp: $*: no such compiler here, or no OpenMP library"
    return 1
}
tried=0
if built gnu gcc -std=gnu11 -fopenmp; then
    tried=1
    all_of gnu more_numbers
    live gnu
fi
if built llvm clang -std=gnu11 -fopenmp; then
    tried=1
    all_of llvm more_numbers
    live llvm
fi
if built gnu++ g++ -x c++ -fopenmp; then all_of gnu++ more_numbers; fi
if built llvm++ clang++ -x c++ -fopenmp; then all_of llvm++ more_numbers; fi

# What is compiled by gcc, and runs with LLVM's library. Its loops come in other chunks, and tasks of
# taskloops are not seen.
omp=$(ldd ./llvm 2>/dev/null | awk '$1 ~ /^libomp/ { print $3 }')
if [ $tried = 1 ] && [ -n "$omp" ] && gcc -std=gnu11 -O2 -g -fopenmp -c "$source" -o mixed.o &&
    gcc mixed.o -o mixed "$omp" 2>/dev/null; then
    all_of mixed
    live mixed
else
    skip "openmp: no program of gcc with LLVM's library here"
fi
[ $tried = 1 ] || exit 77
finish
