#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# eztrace.sh - the same counts as EZTrace's own, of the same programs, where it is installed: threads,
# memory, messages.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
for tool in eztrace otf2-print; do
    command -v $tool >/dev/null && continue
    skip "eztrace: no $tool here"
    exit 77
done
for m in memory pthread mpi; do
    [ -e "$top_builddir/modules/$m.so" ] && continue
    skip "modules: they were not built"
    exit 77
done
cc=${CC:-cc}
unset EZTRACE_TRACE_DIR # EZTrace 2.1 empties that folder before it writes

theirs() { # ARCHIVE-FOLDER WORD...: how often each region was entered
    otf2-print "$1/eztrace_log.otf2" >theirs.txt 2>&1
    shift
    for w; do printf '%s %s\n' "$w" "$(grep -c "^ENTER .*Region: \"$w\"" theirs.txt)"; done
}
ours() { # MODULE PROGRAM ARGUMENTS
    rm -f ./*.fxt
    timeout -k 5 $limit "$eztsh" -nx -batch -m "$1" -ex "run $3 >t.out" "$2" >log 2>&1 </dev/null
    check "$1: the ledger adds up" ledger_ok
    "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt) -t chrome -o t.json" >convert.out 2>&1
    python3 "$top_srcdir/tests/procs/modules.py" t.json "$1" >told
}
told() { awk -v w="$1" '{ n = $NF; sub(/ [^ ]*$/, "") } $0 == w { print n; f = 1 } END { if (!f) print 0 }' told; }

# ---- pthread: examples/queue -------------------------------------------------------------------
queue=$top_builddir/examples/queue
timeout -k 5 60 eztrace -t pthread "$queue" >e.out 2>&1 </dev/null
theirs queue_trace pthread_cond_signal pthread_create pthread_join >want
ours pthread "$queue" ''
{
    echo "pthread_cond_signal $(told 'event condition signalled')"
    echo "pthread_create $(told 'event thread created')"
    echo "pthread_join $(told 'state Waiting for a thread')"
} >got
check "pthread: the same conditions and threads" cmp got want
check "pthread: there are some" has got '^pthread_cond_signal 20004$'

# ---- memory ----------------------------------------------------------------------------------------
cat >heap.c <<'END'
#include <stdlib.h>
int main(void)
{
    void *p[100];
    for (int i = 0; i < 100; i++)
        p[i] = malloc(100 + i);
    for (int i = 0; i < 80; i++)
        p[i] = realloc(p[i], 300);
    for (int i = 0; i < 90; i++)
        free(p[i]);
    for (int i = 0; i < 7; i++)
        free(calloc(3, 5));
    return 0;
}
END
check "memory: a program" $cc -O0 -fno-builtin heap.c -o heap
timeout -k 5 60 eztrace -t memory ./heap >e.out 2>&1 </dev/null
theirs heap_trace malloc calloc realloc free >want
ours memory ./heap ''
for w in malloc calloc realloc free; do echo "$w $(told "event $w")"; done >got
check "memory: the same calls" cmp got want
check "memory: there are some" has got '^free 97$'

# ---- mpi: both implementations ------------------------------------------------------------------------
cat >ping.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int me, other;
    char b[1000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    other = !me;
    for (int i = 0; i < 100; i++) {
        if (!me)
            MPI_Send(b, i, MPI_CHAR, other, 7, MPI_COMM_WORLD);
        MPI_Recv(b, 1000, MPI_CHAR, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (me)
            MPI_Send(b, 2 * i, MPI_CHAR, other, 7, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 5; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
for mpi in openmpi mpich; do
    if ! command -v mpicc.$mpi >/dev/null || ! command -v mpirun.$mpi >/dev/null; then
        skip "mpi: no $mpi here"
        continue
    fi
    run="mpirun.$mpi -np 2"
    [ $mpi = mpich ] || run="mpirun.openmpi --allow-run-as-root --oversubscribe -np 2"
    rm -rf ping_trace ./*.fxt
    check "$mpi: a program" mpicc.$mpi -O1 ping.c -o ping
    timeout -k 5 60 $run eztrace -t $mpi ./ping >e.out 2>&1 </dev/null
    theirs ping_trace MPI_Send MPI_Recv MPI_Barrier >want
    timeout -k 5 $limit $run "$eztsh" -nx -batch -m mpi -ex run ./ping >log 2>&1 </dev/null
    "$eztsh" -nx -batch -ex "stats $(echo ./*.fxt) -json" >stats.json 2>&1
    python3 - >got <<'END'
import json
calls = {r["function"]: r["calls"] for r in json.load(open("stats.json"))["rows"] if r["library"] == "mpi"}
for w in "MPI_Send", "MPI_Recv", "MPI_Barrier":
    print(w, calls.get(w, 0))
END
    check "$mpi: the same calls" cmp got want
    check "$mpi: there are some" has got '^MPI_Send 200$'
    "$eztsh" -nx -batch -ex "stats $(echo ./*.fxt) -messages" >log 2>&1
    check "$mpi: as many messages as EZTrace sent" \
        same "$(awk '$1 == "all" { print $2 }' log)" "$(grep -c '^MPI_SEND' theirs.txt)"
done
finish
