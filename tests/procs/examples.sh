#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# examples.sh - the programs and scripts in examples/ that load modules: results, and the numbers that
# examples/README.md tells.
. "${top_srcdir:-.}/tests/procs/lib.sh"
need python3
examples=$top_builddir/examples
for m in openmp pthread; do
    [ -e "$top_builddir/modules/$m.so" ] && continue
    skip "examples: the modules were not built"
    exit 77
done
told() { awk -v w="$1" '{ n = $NF; sub(/ [^ ]*$/, "") } $0 == w { print n; f = 1 } END { if (!f) print 0 }' told; }
whole_ledger() { ledger_ok && has log ' 0 untraced \+ 0 dropped'; }
example() { # NAME MODULE
    rm -f ./*.fxt
    batch -x "$top_srcdir/examples/$1.ezt" "$examples/$1"
    "$eztsh" -nx -batch -ex "convert $(ls ./*.fxt) -t chrome -o t.json" >convert.out 2>&1
    python3 "$top_srcdir/tests/procs/modules.py" t.json "$2" >told
    check "$1: the ledger adds up, and nothing was lost" whole_ledger
    check "$1: every state ends" lacks told '^open '
}

example queue pthread
check "queue: its sum" has log '^sum 50005000$'
check "queue: signals" same "$(told 'event condition signalled')" 20004
check "queue: critical sections" same "$(told 'state Critical Section')" \
    "$((20004 + $(told 'state Waiting for a condition')))"
check "queue: threads" same "$(told 'event thread created') $(told 'event thread ended') $(told 'link creation') $(told 'state Waiting for a thread')" "4 4 4 4"
check "queue: time by lock, by condition" has log '^Condition +Function'

energies() { sed -n 's/^\(step.*\)\r*$/\1/p' "$1"; }
for n in 1 2; do
    OMP_NUM_THREADS=$n
    export OMP_NUM_THREADS
    "$examples/md" >plain 2>&1
    example md openmp
    check "md ($n): its energies" same "$(energies log)" "$(energies plain)"
    check "md ($n): they stay" same "$(energies log | grep -c ' -3\.841[0-9]*$')" 5
    if [ "$(told 'state Parallel region')" = 0 ] && ! grep -qE 'GOMP_parallel|__kmpc_fork_call' "$examples/md"; then
        skip "md: compiled without OpenMP"
        continue
    fi
    check "md ($n): regions, and the threads in them" \
        same "$(told 'state Parallel region') $(told 'state Working') $(told 'set Imbalance')" "401 $((401 * n)) 401"
    check "md ($n): critical sections" same "$(told 'state Critical Section')" $((100 * n))
    check "md ($n): by region" same "$(awk '$2 == "Parallel" && $3 == "region" { print $4 }' log | sort -n | xargs)" "100 101 200"
done

# ---- MPI: both implementations ---------------------------------------------------------------------
ranks() { # IMPLEMENTATION RANKS COMMAND...
    n=$2
    impl=$1
    shift 2
    if [ "$impl" = openmpi ]; then timeout -k 5 $limit mpirun.openmpi --allow-run-as-root --oversubscribe -np "$n" "$@"
    else timeout -k 5 $limit mpirun.mpich -np "$n" "$@"; fi
}
analyzed() { # DIVISION: of examples/solver.c
    rm -f ./*.fxt
    ranks $impl 2 "$eztsh" -nx -batch -m mpi -ex 'probe -r .' -ex run --args ./solver "$1" >log 2>&1 </dev/null
    has log '^heat 51\.412' || return
    "$eztsh" -nx -batch -ex "analyze -json $(echo ./*.fxt)" >"$1.json" 2>log &&
        "$eztsh" -nx -batch -ex "convert $(echo ./*.fxt) -o $1.csv" >log 2>&1 &&
        python3 "$top_srcdir/tests/procs/factors.py" "$1.csv" "$1.json"
}
late_rank() {
    python3 - uneven.json even.json <<'END' || { analyzed uneven && analyzed even && false; }
import json, sys
def relax(file):
    paths = json.load(open(file))["paths"]
    time = {p["rank"]: p for p in paths if p["path"] == "main/relax"}
    return time[1]["own_ns"] / time[0]["own_ns"], time[1]
(uneven, late), (even, _) = relax(sys.argv[1]), relax(sys.argv[2])
assert uneven > 1.3 * even, (uneven, even) # 2 and 1 on a quiet machine
assert late["delay_short_ns"] > 0 and late["critical_ns"] > late["own_ns"] / 2, late
assert {w["call"] for w in late["waiting"]} & {"MPI_Allreduce", "MPI_Sendrecv"}, late
END
}
calls() { awk -v f="$1" -v m="$2" '$0 ~ "^" f " +" m " " { sub("^" f " +" m " +", ""); print $1 }' log; }
[ -e "$top_builddir/modules/mpi.so" ] || skip "mpi: the module was not built"
for impl in openmpi mpich; do
    if ! command -v mpirun.$impl >/dev/null || ! command -v mpicc.$impl >/dev/null || [ ! -e "$top_builddir/modules/mpi.so" ]; then
        skip "mpi: no $impl here"
        continue
    fi
    check "$impl: pingpong is built" mpicc.$impl -O2 "$top_srcdir/examples/pingpong.c" -o pingpong
    rm -f ./*.fxt
    ranks $impl 2 "$eztsh" -nx -batch -x "$top_srcdir/examples/pingpong.ezt" --args ./pingpong 1000 16 >log 2>&1 </dev/null
    "$eztsh" -nx -batch -ex "stats $(echo ./*.fxt)" -ex "stats $(echo ./*.fxt) -messages" >log 2>&1
    check "$impl: pingpong: calls" same "$(calls MPI_Send mpi) $(calls MPI_Recv mpi)" "2020 2020"
    check "$impl: pingpong: messages and bytes" has log '^all +2020 +32320 '
    # what `analyze` says of an uneven division and of an even one: who is late, in which function
    check "$impl: solver is built" mpicc.$impl -O2 -g "$top_srcdir/examples/solver.c" -o solver
    for division in uneven even; do
        check "$impl: solver $division: its result, and POP's factors are those of the calls in a table" analyzed $division
    done
    # On a busy machine rank 0 may be the later one for many steps, because it was preempted: that run is not judged.
    check "$impl: solver: rank 1 has twice the work" until_ok 240 late_rank
    command -v mpif90.$impl >/dev/null || { skip "adi: no Fortran for $impl here"; continue; }
    check "$impl: adi is built" mpif90.$impl -O2 -fno-inline "$top_srcdir/examples/adi/adi.f90" -o adi
    check "$impl: its plugin" "$top_builddir/eztsh-modc" "$top_srcdir/examples/adi/plugin.tpl" -o .
    rm -f ./*.fxt
    ranks $impl 4 "$eztsh" -nx -batch -x "$top_srcdir/examples/adi/adi.ezt" --args ./adi >log 2>&1 </dev/null
    check "$impl: adi: its result" has log '^heat +422730\.127363'
    "$eztsh" -nx -batch -ex "stats $(echo ./*.fxt)" -ex "stats $(echo ./*.fxt) -messages" >log 2>&1
    check "$impl: adi: steps and functions" \
        same "$(calls 'New loop' plugin_nas_sp) $(calls 'Doing function x_solve' plugin_nas_sp) $(calls 'Doing function z_solve' plugin_nas_sp)" "80 80 80"
    check "$impl: adi: messages and bytes" has log '^all +240 +5717760 '
done
finish
