#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# job_mpi.sh - jobs under Open MPI and MPICH, with one daemon and with trees of them: each rank is found, held before main, told the same,
# and counted exactly.
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
mpi_here
wide=${EZT_WIDE:-16} # ranks of the widest job; `make stress`: 64
job_header
cat >ring.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "job.h"
__attribute__((noinline)) double step(double x) { __asm__ volatile(""); return x * 0.5 + 1; }
int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    double x = 0, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2)
        stand(rank, argv[2]);
    for (int i = 0; i < n + rank; i++)
        x = step(x);
    MPI_Reduce(&x, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("sum %.6f\n", all);
    MPI_Finalize();
    return 0;
}
END

try() { # NAME MPICC LAUNCHER DAEMON
    command -v "$2" >/dev/null && command -v "$3" >/dev/null || { skip "$1: not here"; return; }
    [ -x "$top_builddir/$4" ] || { skip "$1: no daemon was built for it"; return; }
    "$2" -g -O1 -rdynamic -o "ring-$1" ring.c 2>err || { fail "$1: $2" err; return; }
    native=$("$3" -np 4 "./ring-$1" 100 2>/dev/null)
    for daemons in "" 1 3 8; do
        case $daemons in
        1) np=1 odd='' all='' ;; # one needs no number
        8) np=$wide odd='\[1,3,5.*\] ' all="\[0-$((wide - 1))\] " ;;
        *) np=4 odd='\[1,3\] ' all='\[0-3\] ' ;;
        esac
        rm -f traces/*.fxt
        batch "job run -launcher $3 ${daemons:+-daemons $daemons} -np $np ./ring-$1 100" 'info hosts' 'probe step' \
            'probe -c 0 main' "context odd = where rank % 2 == $((np > 1))" 'print -c odd 6 * 7' continue 'stats -by process'
        label="$1, $np ranks, daemons: ${daemons:-one on this host}"
        check "$label: held before main" has "$np process(es)? on 1 host, held before main"
        check "$label: as many daemons" test "$(grep -cE '^ +[0-9]+ .* +[0-9]+ +[0-9,-]+$' log)" = "${daemons:-1}"
        check "$label: equal answers are one" has "^${all}Probe 1 at "
        check "$label: a context" has "^$odd\\\$1 = 42\$"
        [ $np != 4 ] || check "$label: the result is the native one" has "^${native%.*}"
        hits=$((2 * (np * 100 + np * (np - 1) / 2) + 2))
        check "$label: exact" has "^$all$hits hits = $hits recorded"
        check "$label: one trace of all ranks" has "^$hits events in "
        check "$label: the end is told" has '^\[Job \(.*\) ended normally\]$'
    done
}
# Attached to while it runs: the ranks are in the launcher's table (Open MPI), or below it (MPICH).
attach() { # NAME LAUNCHER
    [ -x "ring-$1" ] || return
    : >wait-here
    "$2" -np 4 "./ring-$1" 100 wait-here >out 2>&1 &
    launcher=$!
    children="$children $launcher"
    until_ok 20 sh -c '[ "$(ls ready.* 2>/dev/null | wc -l)" = 4 ]'
    batch "job attach $launcher" 'info job' 'probe -count step' 'shell rm wait-here' continue 'info probes -each'
    check "$1, attached: all ranks" has '4 processes on 1 host, stopped'
    check "$1, attached: each by its rank" test "$(grep -cE '^ +[0-3]  ' log)" = 4
    check "$1, attached: exact from there on" same "$(awk '$1 == 1 && $3 == "count" { print $6 }' log | tr '\n' ' ')" "100 101 102 103 "
    wait "$launcher"
    check "$1, attached: it ends right" grep -q '^sum ' out
    rm -f ready.*
}
# A launcher that ends because its ranks do gets no signal from us: Open MPI's crashed then.
absent() { # NAME LAUNCHER
    [ -x "ring-$1" ] || return
    batch "job run -launcher $2 -np 4 ./nosuch"
    check "$1, no such program: said by each rank" has '^\[0.*\] The process ended before its program began\.$'
    check "$1, no such program: said once, and nothing else" test 0 = "$(grep -cE '^Signal +Stop|Segmentation fault|abort is already' log)"
}
printf 'int MPI_Init(int *n, char ***v) { return 1; }\n' >fails.c
${CC:-cc} -shared -fPIC -w -o fails.so fails.c
fails() { # NAME DAEMON: without MPI a daemon ends at once
    [ -x "$top_builddir/$2" ] || return
    LD_PRELOAD=$work/fails.so timeout -k 5 60 "$top_builddir/$2" >log 2>&1 </dev/null
    check "$1, MPI cannot begin: a daemon says so, status 1" same "$? $(cat log)" '1 eztsh-daemon: MPI_Init failed.'
}
# Several programs in one job, and those that cannot be held.
blocks() { # NAME LAUNCHER
    [ -x "ring-$1" ] || return
    if ! timeout -k 5 60 $2 -np 1 true : -np 2 true >native 2>&1 </dev/null; then
        skip "$1, two blocks: $2 alone cannot do that ($(tail -n 1 native))" # Open MPI 5.0.7: a segmentation fault
        return
    fi
    rm -f traces/*.fxt
    batch "job run -launcher $2 -np 1 ./ring-$1 3 : -np 2 -- ./ring-$1 4" 'info job' 'probe step' continue
    check "$1, two blocks: all are held" has '3 processes on 1 host, held before main'
    check "$1, two blocks: as they were named" has "^Job \\(.*-np 1 \\./ring-$1 3 : -np 2 \\./ring-$1 4\\)"
    check "$1, two blocks: exact" has '^\[0-2\] 28 hits = 28 recorded' # 3 + 4 + 1 + 4 + 2 calls
    batch "job run -launcher $2 -np 1 ./ring-$1 3 : -np 2"
    check "$1, a block without a program" has '^The name of a program must follow ":"'
    batch "job run -launcher $2 --app file" "job run -launcher $2 -configfile file"
    check "$1, programs in a file: refused, with what helps" test 2 = "$(grep -c '^-.*: eztsh cannot tell which programs to hold before main\..*job attach' log)"
}
# A real code: the ADI solver over 4 ranks, modules loaded while all are held; one report with messages between ranks.
adi() { # NAME LAUNCHER
    command -v "mpif90.$1" >/dev/null && [ -x "ring-$1" ] || { skip "$1: adi needs Fortran"; return; }
    "mpif90.$1" -O2 -fno-inline "$top_srcdir/examples/adi/adi.f90" -o "adi-$1" 2>err || { fail "$1: adi" err; return; }
    "$top_builddir/eztsh-modc" "$top_srcdir/examples/adi/plugin.tpl" -o . >/dev/null 2>&1
    rm -rf traces/*.fxt "out-$1"
    "$2" -np 4 "./adi-$1" 5 >native 2>/dev/null
    batch "job run -launcher $2 -np 4 ./adi-$1 5" 'module load mpi' 'module load ./plugin_nas_sp.so' continue \
        "job gather out-$1" 'stats -messages' "report -o adi-$1.html"
    check "$1: adi: the result is the native one" grep -qxF "$(cat native)" log
    check "$1: adi: the modules come before MPI_Init" has '^\[0-3\] Module plugin_nas_sp .*: 7 of 7 functions replaced'
    check "$1: adi: 4 traces are gathered" same "$(ls "out-$1"/*.fxt | wc -l | tr -d ' ')" 4
    check "$1: adi: messages between ranks are matched" has '^all +60 +1429440 '
    check "$1: adi: nothing is lost" has '^\[0-3\] .* 0 untraced \+ 0 dropped\.$'
    if has 'node-d3'; then skip "$1: adi: the report needs d3"; else check "$1: adi: one report" test -s "adi-$1.html"; fi
}
same() { [ "$1" = "$2" ]; }

try openmpi mpicc.openmpi mpirun.openmpi eztsh-daemon-openmpi
attach openmpi mpirun.openmpi
absent openmpi mpirun.openmpi
fails openmpi eztsh-daemon-openmpi
blocks openmpi mpirun.openmpi
adi openmpi mpirun.openmpi
try mpich mpicc.mpich mpiexec.mpich eztsh-daemon-mpich
attach mpich mpiexec.mpich
absent mpich mpiexec.mpich
fails mpich eztsh-daemon-mpich
blocks mpich mpiexec.mpich
adi mpich mpiexec.mpich
nobody() {
    for p in /proc/[0-9]*/cwd; do
        [ "$(readlink "$p")" = "$work" ] && grep -qa eztsh "${p%cwd}cmdline" && return 1
    done
    return 0
}
check "no daemon is left" until_ok 20 nobody
finish
