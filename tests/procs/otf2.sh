#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# otf2.sh - archives of OTF2, of real traces, read by libotf2 (tests/trace/otf2_check.c): they are what
# the manual of OTF2 demands, and have the calls, locks, teams and collective calls of the programs,
# which count their own.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
reader=$top_builddir/tests/trace/otf2_check
"$reader" nothing >/dev/null 2>&1
[ $? != 77 ] || { skip "otf2: eztsh was built without OTF2"; exit 77; }

# Of all traces here: x.otf2, read into `read`; its calls and states are those of stats.
archive() { # NAME
    what=$1
    rm -rf x.otf2
    check "$what: converted" "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt | tr '\n' ' ') -o x.otf2"
    check "$what: no faults" "$reader" x.otf2
    "$reader" x.otf2 >read 2>&1
    "$eztsh" -nx -batch -ex "stats -json $(ls ./*.fxt | tr '\n' ' ')" >stats.json 2>&1
    check "$what: the calls of stats" python3 - <<'END'
import collections, json
wanted, got = collections.Counter(), collections.Counter()
for f in json.load(open("stats.json"))["rows"]:
    wanted[f["function"]] += f["timed"]
for line in open("read"):
    if line.startswith("calls "):
        name, n = line[6:].rsplit(" ", 1)
        got[name] += int(n)
wanted = +wanted # without what is counted only
assert wanted and wanted == got, (wanted - got, got - wanted)
END
}
sum() { awk -v w="$1" 'NF == 2 && $1 == w { print $2 }' read; }
own() { awk -v w="$1" '$1 == w { print $2 }' t.out; }
calls() { awk -v w="calls $1 " 'index($0, w) == 1 { n += $NF } END { print n + 0 }' read; }

# ---- locks, of more threads than are written at once ----------------------------------------------
if [ -e "$top_builddir/modules/pthread.so" ]; then
    batch -m pthread -ex 'run 12 30 >t.out 2>t.err' "$targets/p_lock"
    archive locks
    check "locks: each critical section is an acquisition" same "$(sum locks)" "$(calls 'Critical Section')"
    check "locks: there are some" [ "$(sum locks)" -gt 100 ]
    check "locks: threads are created, begin and end" same "$(sum creations) $(sum begins) $(sum ends)" \
        "$(own links) $(own created) $(own ended)"
    if command -v otf2-print >/dev/null; then
        otf2-print -A x.otf2/traces.otf2 >printed 2>&1
        check "locks: words are attributes" has printed '\("lock" <[0-9]+>; UINT64; [0-9]+\)'
        check "locks: so are texts" has printed '\("name" <[0-9]+>; STRING; "the first" <[0-9]+>\)'
    else skip "locks: no otf2-print here"; fi
    cp x.otf2/traces/0.evt x.otf2/traces/1.evt
    check "locks: a wrong archive has faults" sh -c '! "$1" x.otf2 >log' sh "$reader"
else skip "locks: the module was not built"; fi

# ---- teams ------------------------------------------------------------------------------------------
rm -f ./*.fxt
if [ ! -e "$top_builddir/modules/openmp.so" ]; then
    skip "teams: the module was not built"
elif ! gcc -std=gnu11 -O2 -g -fopenmp "$top_srcdir/tests/targets/p_omp.c" -o p_omp >log 2>&1; then
    skip "teams: no gcc with OpenMP here"
else
    OMP_CANCELLATION=true OMP_SCHEDULE=dynamic,2 OMP_NUM_THREADS=4
    export OMP_CANCELLATION OMP_SCHEDULE OMP_NUM_THREADS
    batch -m openmp -ex 'run 5 >t.out 2>t.err' ./p_omp
    archive teams
    check "teams: regions, parts and locks" \
        same "$(sum forks) $(sum teams) $(sum locks)" "$(own regions) $(own bodies) $(own held)"
fi

# ---- files: two processes with threads that are more than are written at once ---------------------
rm -f ./*.fxt
if [ -e "$top_builddir/modules/io.so" ]; then
    for i in 1 2; do batch -m io -ex 'run 6 20 >t.out 2>t.err' "$targets/p_io"; done
    archive files
    variable() { # NAME: sum of its last values
        python3 -c 'import json, sys; print(sum(v["last"] for v in json.load(open("stats.json"))["variables"] if v["variable"] == sys.argv[1]))' "$1"
    }
    check "files: bytes" same "$(sum read) $(sum written)" "$(variable 'Bytes read') $(variable 'Bytes written')"
    check "files: there are some" [ "$(sum read)" -gt 1000000 ]
    "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt | tr '\n' ' ') -t csv -o x.csv" >log 2>&1
    happened() { awk -F, -v w="$1" '{ n += $0 ~ "(^|,)\"?" w "\"?(,|$)" } END { print n + 0 }' x.csv; }
    check "files: handles are created and closed" same "$(sum opens) $(sum closes)" \
        "$(($(happened opened) + $(happened 'descriptor made'))) $(happened closed)"

    # descriptors that are not open, a file whose descriptor dup2() takes, and a stream in memory
    rm -f ./*.fxt
    cat >odd.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char text[8], memory[] = "memory";
    FILE *stream = fmemopen(memory, sizeof memory, "r");
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR);
    for (int fd = 500; fd < 510; fd++)
        close(fd);
    dup2(zero, null);
    int right = write(1, "right\n", 6) == 6 && read(null, text, 8) == 8 && fread(text, 1, 3, stream) == 3;
    close(null);
    close(null);
    close(zero);
    return !right;
}
C
    if ${CC:-cc} -O1 -o odd odd.c >log 2>&1; then
        batch -m io -ex 'run >t.out 2>t.err' ./odd
        check "descriptors: the program ends" has log 'exited normally'
        archive descriptors
        check "descriptors: handles" same "$(sum handles)" 4 # two files, a copy, and standard output
        check "descriptors: each is created and closed" same "$(sum opens) $(sum closes)" '3 3'
    else skip "descriptors: no compiler"; fi
else skip "files: the module was not built"; fi

# ---- collective calls, and communicators ------------------------------------------------------------
[ -e "$top_builddir/modules/mpi.so" ] || { skip "collectives: the module was not built"; finish; }
mpi_here
OMPI_MCA_pml=ob1; export OMPI_MCA_pml
mpi_sleeps
${CC:-cc} -O2 -fPIC -c yield.c
echo run >s.ezt
job() { # PARTS of mpi_calls
    rm -f ./*.fxt told.*
    timeout -k 5 $limit mpirun.$mpi -np 4 "$eztsh" -nx -batch -m mpi -x s.ezt --args ./mpi_calls "$1" told \
        </dev/null >log 2>&1
    check "$mpi: $1: the ranks end right" same "$(cat told.* | grep -c '^right$')" 4
    archive "$mpi: $1"
    check "$what: all messages" same "$(sum sends)" "$(awk '$1 == "message" { n += $4 } END { print n }' told.*)"
    check "$what: their bytes" same "$(sum bytes)" "$(awk '$1 == "message" { n += $5 } END { print n }' told.*)"
}
for mpi in openmpi mpich; do
    if ! command -v mpicc.$mpi >/dev/null || ! command -v mpirun.$mpi >/dev/null; then
        skip "collectives: no mpicc.$mpi or mpirun.$mpi here"
        continue
    fi
    mpicc.$mpi -O2 -g -pthread -o mpi_calls "$top_srcdir/tests/targets/mpi_calls.c" yield.o >log 2>&1
    job collectives
    wanted=$(awk '$1 == "call" && $2 ~ /^MPI_(Barrier|Bcast|Gather|Reduce|Allreduce|Alltoall)$/ { n += $3 } END { print n }' told.*)
    check "$what: all collective calls" same "$(sum collectives)" "$wanted"
    check "$what: nonblocking ones" same "$(sum started) $(sum done)" "$(awk '$1 == "call" && $2 == "MPI_Ibcast" { n += $3 } END { print n, n }' told.*)"
    check "$what: some have roots" [ "$(sum roots)" -gt 0 ]
    job threads,ring,persistent,probes,cancelled # of 16 threads, more than are written at once
    # a send is in a blocking call, in a call of MPI_Isend, or in a persistent request that starts
    blocking=$(awk '$1 == "call" && $2 == "MPI_Send" { n += $3 } END { print n }' told.*)
    check "$what: requests that send" same "$(sum isends)" "$(($(sum sends) - blocking))"
    check "$what: there are some" [ "$(sum isends)" -gt 100 ]
    check "$what: each is completed" same "$(sum completes)" "$(sum isends)"
    check "$what: requests that receive" [ "$(sum irecvs)" -gt "$(sum cancelled)" ]
    check "$what: cancelled ones" same "$(sum cancelled)" "$(awk '$1 == "call" && $2 == "MPI_Cancel" { n += $3 } END { print n }' told.*)"
    job kept
    check "$what: a send that is cancelled too late is completed" same "$(sum completes) $(sum cancelled)" "$(sum sends) 0"
done
finish
