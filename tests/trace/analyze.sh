#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# analyze.sh - `analyze` on real programs with known wait states: MPI in C and Fortran, OpenMP, pthread. The programs
# note when they call what (stamps.h), and waits.py compares the waits that follow from these notes with those that
# `analyze -json` finds, their causes and the critical path. A phase that the machine disturbed is repeated.
. "${top_srcdir:-.}/tests/env.sh"
here=$top_srcdir/tests/trace
command -v python3 >/dev/null || { skip "analyze: no python3 here"; exit 77; }
mpi_here
OMPI_MCA_pml=ob1; export OMPI_MCA_pml # nobody looks for networks
# Threads that wait for their team sleep.
OMP_WAIT_POLICY=passive GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0 OMP_DYNAMIC=false
export OMP_WAIT_POLICY GOMP_SPINCOUNT KMP_BLOCKTIME OMP_DYNAMIC
mkdir traces
EZTRACE_TRACE_DIR=$work/traces; export EZTRACE_TRACE_DIR
printf '%s\n' 'set trace-clock monotonic' 'probe -r ^work_' 'probe -r ^phase_' run >s.ezt
cc=${CC:-cc}
options="-O0 -g -I$top_srcdir" # without optimization no function is inlined

have() { # MODULE NAME: was the module built?
    [ -e "$top_builddir/modules/$1.so" ] && return
    skip "$2: module $1 was not built"
    return 1
}
# shellcheck disable=SC2086
built() { # NAME COMPILER OPTION...
    name=$1
    shift
    command -v "$1" >/dev/null || { skip "$name: no $1 here"; return 1; }
    rm -f prog
    "$@" -o prog >log 2>&1 || { skip "$name: $1 does not compile this"; return 1; }
}

asked() { # ASK OUT FILE...: a command's answer as JSON
    out=$2
    command=$1
    shift 2
    timeout -k 5 $limit "$eztsh" -nx -batch -ex "$command $*" >"$out" 2>err </dev/null
}
recorded() { # COMMAND...
    rm -f traces/* stamps.*
    timeout -k 5 $limit "$@" >log 2>&1 </dev/null && asked 'analyze -json' analysis.json traces/*.fxt &&
        asked 'events -json 1000000' events.json traces/*.fxt
}
# Each phase has one result: it is wrong if it once was, and right if it once was without a disturbance.
results() {
    awk '{
        word = /^not ok/ ? "not ok" : $1
        subject = $0
        sub(/^(ok|not ok|again) - /, "", subject)
        split(subject, part, ": ")
        key = part[1] ": " part[2]
        if (!(key in is)) order[++n] = key
        if (!(key in is) || is[key] == "again" || word == "not ok") {
            is[key] = word
            text[key] = subject
        }
    }
    END {
        for (i = 1; i <= n; i++) print (is[order[i]] == "again" ? "skip" : is[order[i]]) " - " text[order[i]]
    }' "$@"
}
judged() { # NAME COMMAND...: at most three times
    name=$1
    shift
    rm -f lines.*
    for try in 1 2 3; do
        recorded "$@" || { fail "$name: the program is recorded and analyzed" log err; return; }
        python3 -B "$here/waits.py" "$name" analysis.json events.json stamps.* >lines.$try 2>err ||
            { fail "$name: the answers are judged" err log; return; }
        results lines.* >said
        grep -q '^skip' said || break
    done
    cat said
    ! grep -q '^not ok' said || failed=1
}

# ---- MPI -------------------------------------------------------------------------------------------------------------
job() { judged "$name" "mpirun.$mpi" -np 4 "$eztsh" -nx -batch -m mpi -x s.ezt --args ./prog; }
# What a period, and a part of the ranks, say about the last job.
parts() {
    python3 -B "$here/waits.py" -between events.json ring >begin 2>err &&
        asked "analyze -json -from $(cat begin)ns" period.json traces/*.fxt &&
        python3 -B "$here/waits.py" -later "$name" events.json analysis.json period.json "$(cat begin)" >said 2>>err &&
        asked 'analyze -json' three.json traces/*-rank[013]-*.fxt &&
        python3 -B "$here/waits.py" -missing "$name" three.json 1 >>said 2>>err || { fail "$name: parts" err; return; }
    cat said
    ! grep -q '^not ok' said || failed=1
    says 'analyze' '^[0-9.]* % of the processor time is useful (load balance .*); 4 ranks' traces/*.fxt
    says 'analyze' '^Critical path: .* % of the run is rank [0-3] in ' traces/*.fxt
    says 'analyze' '^1 rank of the job is missing: ' traces/*-rank[013]-*.fxt
    says 'analyze -caller phase_chain' '^Rank 0 spends .* in work_late' traces/*.fxt
}
says() { # COMMAND PATTERN FILE...
    pattern=$2
    asked "$1" text $(shift 2 && echo "$@")
    if grep -q "$pattern" text; then pass "$name: $pattern"; else fail "$name: $pattern" text err; fi
}
$cc $options -fPIC -c "$here/stamps_f.c" -o stamps_f.o && $cc $options -fPIC -c "$here/stamps_idle.c" -o idle.o ||
    { fail "stamps are compiled"; finish; }
for mpi in openmpi mpich; do
    have mpi "$mpi" || continue
    command -v mpirun.$mpi >/dev/null || { skip "$mpi: no mpirun.$mpi here"; continue; }
    built $mpi mpicc.$mpi $options -w "$here/waits_mpi.c" idle.o -ldl && job && parts
    built "$mpi, Fortran" mpif90.$mpi -O0 -g -w "$here/waits_mpi.f90" stamps_f.o idle.o -ldl && job
done

# ---- threads ---------------------------------------------------------------------------------------------------------
alone() { judged "$name" "$eztsh" -nx -batch -m "$1" -x s.ezt --args ./prog; }
if have openmp OpenMP; then
    built "gcc, OpenMP" gcc $options -fopenmp "$here/waits_omp.c" && alone openmp
    built "clang, OpenMP" clang $options -fopenmp "$here/waits_omp.c" && alone openmp
fi
if have pthread pthread; then
    built pthread $cc $options -pthread "$here/waits_thread.c" && alone pthread
fi

# ---- what cannot be analyzed, and several runs ------------------------------------------------------------------------
expect() { # NAME REGEX: a line of the log
    if grep -qE "$2" log; then pass "$1"; else fail "$1" log; fi
}
"$eztsh" -nx -batch -ex 'trace empty.fxt' -ex 'probe -count twice' -ex 'run 20' "$targets/p_app" >log 2>&1 </dev/null
"$eztsh" -nx -batch -ex 'analyze empty.fxt' >log 2>&1
expect 'a trace without calls: why, and what helps' \
    '^No thread has a call in the trace\. Load a module before the run, as eztsh -m mpi, and probe functions\.$'
"$eztsh" -nx -batch -ex 'trace work.fxt' -ex 'probe -r .' -ex 'run 2000' "$targets/p_app" >log 2>&1 </dev/null
"$eztsh" -nx -batch -ex 'analyze work.fxt' >log 2>&1
expect 'one thread: nobody waits' '^No thread waited for another\.$'
expect 'one thread: what is useful' '^[0-9.]+ % of the processor time is useful .*; 1 thread, '
"$eztsh" -nx -batch -ex 'analyze work.fxt vs work.fxt vs work.fxt' >log 2>&1
expect 'several runs: each is as fast as the first' '^work\.fxt +1 .* 1\.00 .* 100\.0 '
finish
