#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# mpi.sh - eztsh-instrument before the compilers of Open MPI and MPICH: the ADI solver of examples/ (Fortran) and the pingpong
# (C, whose mpi.h only the wrapper finds) have the result of the original; routines and calls of MPI are told as often as
# the algorithm has them, each end with its beginning.
. "${top_srcdir:-.}/tests/procs/lib.sh"
. "$top_srcdir/tests/source/lib.sh"
need gcc
examples=$(cd "$top_srcdir/examples" && pwd)
gcc -c "$here/entered.c" -o entered.o || { fail "the trace is compiled"; finish; }
cat >calls.spec <<'EOT'
entry lang="fortran" call="mpi_#" code="call ez_entered_f('@CALLEE@')"
exit lang="fortran" call="mpi_#" code="call ez_left_f('@CALLEE@')"
entry lang="c" call="MPI_#" code="ez_entered(\"@CALLEE@\");"
exit lang="c" call="MPI_#" code="ez_left(\"@CALLEE@\");"
EOT
CALLS=$work/calls
export CALLS
ranks() { # IMPLEMENTATION RANKS COMMAND...
    np=$2 mpi=$1
    shift 2
    if [ "$mpi" = openmpi ]; then timeout -k 5 $limit mpirun.openmpi --allow-run-as-root --oversubscribe -np "$np" "$@"
    else timeout -k 5 $limit mpirun.mpich -np "$np" "$@"; fi
}
instrument() { "$program" -spec "$here/dwarf.spec" -spec calls.spec -- "$@"; }
told() { # NAME COUNT: it was entered and left so often
    same "$(grep -cx -e "> $1" calls) $(grep -cx -e "< $1" calls)" "$2 $2"
}

steps=4 n=12 ranks=3
for impl in openmpi mpich; do
    if ! command -v mpirun.$impl >/dev/null; then
        skip "no $impl here"
        continue
    fi
    if command -v mpif90.$impl >/dev/null; then
        check "$impl: adi: the original" mpif90.$impl -O2 "$examples/adi/adi.f90" -o plain
        check "$impl: adi: it is instrumented" instrument mpif90.$impl -O2 "$examples/adi/adi.f90" entered.o -o probed
        rm -f calls
        ranks $impl $ranks ./plain $steps $n >plain.out 2>log
        ranks $impl $ranks ./probed $steps $n >probed.out 2>log
        check "$impl: adi: a result" has plain.out '^heat +[0-9]'
        check "$impl: adi: the same" cmp plain.out probed.out
        check "$impl: adi: main, once a rank" told main $ranks
        for f in adi copy_faces txinvr x_solve y_solve z_solve add; do
            check "$impl: adi: $f, once a step" told $f $((ranks * steps))
        done
        check "$impl: adi: line, for each line in two directions" told line $((2 * n * n * steps))
        for f in mpi_sendrecv mpi_recv mpi_send; do
            check "$impl: adi: $f, twice a step" told $f $((2 * ranks * steps))
        done
        check "$impl: adi: mpi_finalize" told mpi_finalize $ranks
    else
        skip "$impl: no Fortran"
    fi
    if ! $libclang; then
        skip "$impl: pingpong: eztsh was built without libclang"
    elif command -v mpicc.$impl >/dev/null; then
        check "$impl: pingpong: it is instrumented" instrument mpicc.$impl -O1 "$examples/pingpong.c" entered.o -o probed
        rm -f calls
        check "$impl: pingpong: it runs" ranks $impl 2 ./probed
        check "$impl: pingpong: main, once a rank" told 'int main(int, char \*\*)' 2
        check "$impl: pingpong: MPI_Send" told MPI_Send 2020
        check "$impl: pingpong: MPI_Recv" told MPI_Recv 2020
    else
        skip "$impl: no C"
    fi
done
finish
