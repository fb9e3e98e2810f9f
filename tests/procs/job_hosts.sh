#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# job_hosts.sh - a job over several hosts (tests/cluster.sh), under Open MPI and MPICH, over TCP: a daemon a host, each with
# the ranks of its own host only; contexts of hosts; equal answers of all are one; sums over all ranks are the program's own.
. "${top_srcdir:-.}/tests/cluster.sh"
cluster_enter "$0" "$@"
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
[ -z "$why_not" ] || { skip "hosts: $why_not"; finish; }
trap 'cluster_down; clean_up' EXIT
job_header
cat >app.c <<'END'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "job.h"
__attribute__((noinline)) void step(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]), all[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int own[2] = { 0, 0 };
    for (int i = 0; i < n * (rank + 1); i++, own[0]++) {
        own[1] += i % 7 + rank;
        step(i % 7 + rank);
    }
    MPI_Reduce(own, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("calls %d sum %d\n", all[0], all[1]);
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
    usleep(200000 * rank); /* its MPI_Finalize hangs over TCP where several come at once: MPICH 6596 */
#endif
    MPI_Finalize();
    return 0;
}
END

# With 4 ranks a host, daemon N has ranks 4N to 4N+3 of host N+1. A name may be cut in the table.
each_its_own() { # HOSTS
    for h in $(seq "$1"); do
        has "^ +[0-9]+ +node$h +4 +$((4 * h - 4))-$((4 * h - 1))\$" || return 1
    done
    [ "$(grep -cE '^ +[0-9]+ +node[0-9]+ +4 +[0-9-]+$' log)" = "$1" ]
}
nobody() { # but the hosts' own sleep
    for f in "$cluster"/node*; do
        uts=$(readlink "/proc/$(cat "$f")/ns/uts")
        for p in /proc/[0-9]*; do
            [ "$(readlink "$p/ns/uts")" != "$uts" ] || [ "$p" = "/proc/$(cat "$f")" ] || return 1
        done
    done 2>/dev/null
}

try() { # NAME MPICC HOSTS DAEMON LAUNCHER OPTIONS...
    label="$1, $3 hosts" hosts=$3 ranks=$((4 * $3)) last=$((4 * $3 - 1))
    command -v "$2" >/dev/null && command -v "$5" >/dev/null || { skip "$label: not here"; return; }
    [ -x "$top_builddir/$4" ] || { skip "$label: no daemon was built for it"; return; }
    "$2" -g -O1 -rdynamic -o "app-$1" app.c 2>err || { fail "$label: $2" err; return; }
    shift 4
    rm -f traces/*.fxt
    batch "job run -launcher $* -np $ranks ./app-${label%%,*} 10" 'info hosts' 'info job' 'context second = hosts node2' \
        "context rest = not hosts node[12]" 'print -c second 6 * 7' 'probe step' \
        'aggregate step by sum of n -at-end' 'aggregate step by count -at-end' continue
    check "$label: held before main" has "$ranks processes on $hosts hosts, held before main"
    check "$label: a daemon a host, each with its own ranks" each_its_own "$hosts"
    check "$label: the job's ranks and hosts" has '^ +4 +node2 +[0-9]+ '
    check "$label: a context of a host" has '^Context second: 4 processes: 4-7\.$'
    check "$label: a context of several" has "^Context rest: $((ranks - 8)) processes: 8-$last\\.\$"
    check "$label: they alone are told" has '^\[4-7\] \$1 = 42$'
    check "$label: equal answers of all hosts are one" has "^\\[0-$last\\] Probe [0-9]+ at "
    calls=$(sed -n 's/^calls \([0-9]*\) sum .*/\1/p' log) sum=$(sed -n 's/^calls .* sum \([0-9]*\)$/\1/p' log)
    check "$label: the program's own counts" test "${calls:-0}" = $((10 * ranks * (ranks + 1) / 2))
    check "$label: the sum over all ranks is the program's" has "sum.*[^0-9]${sum:-none}([^0-9]|\$)"
    check "$label: the count over all ranks is the program's" has "count.*[^0-9]${calls:-none}([^0-9]|\$)"
    check "$label: as many are recorded, entries and exits" has "^\\[0-$last\\] [0-9]+ hits = $((2 * calls)) recorded"
    check "$label: the end is told" has '^\[Job \(.*\) ended normally\]$'
    check "$label: nobody is left on a host" until_ok 20 nobody
}
limit=60 # seconds: of a session that takes two
cluster_up 4 || { fail "the cluster is there"; finish; }
try openmpi mpicc.openmpi 4 eztsh-daemon-openmpi mpirun.openmpi -H "$(cluster_list 4 4)"
try mpich mpicc.mpich 3 eztsh-daemon-mpich mpiexec.mpich -hosts "$(cluster_list 3 4)"
cluster_down
check "the cluster is gone" test ! -e /sys/class/net/ezbr
finish
