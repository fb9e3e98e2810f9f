#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# job_codes.sh - codes of the distribution as they are, over 4 ranks (EZT_RANKS; `make stress`: 16): LAMMPS (stripped; its functions are C++, in a library) and HPL (in
# HPCC), as a job, and with an eztsh a rank. Their results are the native ones; messages and bytes from each rank to each other are those
# that a library between program and MPI counts (tests/targets/pmpi_count.c); calls are as many as the algorithm has.
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
mpi_here
size=${EZT_RANKS:-4}
last=$((size - 1))
OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1; export OMP_NUM_THREADS OPENBLAS_NUM_THREADS
PMPI_COUNT=$work/counts; export PMPI_COUNT
mpi_sleeps
preload="LD_PRELOAD=$work/pmpi_count.so:$work/yield.so"

same() { [ "$1" = "$2" ]; }
begin() { rm -rf counts traces gathered out.*; mkdir counts traces; }
ranks() { timeout -k 5 $limit mpirun.openmpi -np $size "$@" >log 2>&1 </dev/null; } # OPTION... PROG ARG...
# One eztsh a rank, with the commands of script.ezt.
each() { # VARIABLE[=VALUE], which the ranks get; PROG ARG...: a rank's output is in out.RANK
    variable=$1
    shift
    # Open MPI 5.0.7 writes no files for -output-filename.
    ranks -x "$variable" sh -c 'exec "$@" >"out.$OMPI_COMM_WORLD_RANK"' each "$eztsh" -nx -batch -return-child-result -x script.ezt --args "$@"
}
open_mpi() { # PROG: is it there, and Open MPI's?
    command -v "$1" >/dev/null && ldd "$(command -v "$1")" | grep -q 'libmpi\.so'
}
counted() { cat counts/* | sed -n "s/^$1 //p" | sort; } # sent|received: "FROM TO MESSAGES BYTES", a line each pair
total() { awk -v i="$1" '{ n += $i } END { printf "%.0f", n }' "$2"; } # 3: messages; 4: bytes

# `analyze` says of the traces what follows from their calls.
factors() { # NAME
    # shellcheck disable=SC2046
    "$eztsh" -nx -batch -ex "analyze -json $(echo traces/*rank*.fxt)" >a.json 2>log
    "$eztsh" -nx -batch -ex "convert -o a.csv $(echo traces/*rank*.fxt)" >log 2>&1
    check "$1: analyze: the factors, and sums of all times" python3 "$top_srcdir/tests/procs/factors.py" a.csv a.json
}

# Messages of these traces are those in COUNTS, pair by pair.
messages() { # NAME COUNTS TRACE...
    label=$1 counts=$2
    shift 2
    batch "stats -messages -json $*"
    sed -n 's/.*"from_rank": \([0-9]*\), "to_rank": \([0-9]*\), "messages": \([0-9]*\), "bytes": \([0-9]*\),.*/\1 \2 \3 \4/p' log |
        sort | diff "$counts" - >messages.diff
    if [ -s "$counts" ] && [ ! -s messages.diff ]; then
        pass "$label: $(total 3 "$counts") messages, $(total 4 "$counts") bytes, right for each of $(wc -l <"$counts") pairs"
    else
        fail "$label: messages and bytes by pair" messages.diff log
    fi
    check "$label: each message is paired, and surely" \
        has '"unpaired_links": 0, "unsure_links": 0, "late_processes": 0, "twin_processes": 0'
}
one_report() { # NAME PAGE: and arrows are in it
    if has 'node-d3'; then skip "$1: the report needs d3"; else check "$1: one report" grep -q '"links":\[[0-9]' "$2"; fi
}
# One file of each format has all messages as arrows.
arrows() { # NAME COUNTS TRACE...
    label=$1 all=$(total 3 "$2") bytes=$(total 4 "$2")
    shift 2
    batch "report $* -o a.html" "convert $* -o a.json" "convert $* -o a.trace" "convert $* -o a.otf" "convert $* -o a.otf2"
    one_report "$label" a.html
    check "$label: chrome: arrows" same "$(grep -o '"ph": *"[sf]"' a.json | sort | uniq -c | awk '{ print $1 }' | xargs)" "$all $all"
    check "$label: Paje: arrows" same "$(awk '$1 == "%EventDef" { event[$3] = $2 } { n[event[$1]]++ }
        END { print n["PajeStartLink"], n["PajeEndLink"] }' a.trace)" "$all $all"
    if command -v otfprint >/dev/null; then
        otfprint a.otf >log 2>&1
        for event in SendMessage ReceiveMessage; do
            check "$label: OTF: $event" same "$(awk -v e=$event: '$0 ~ e { match($0, /length [0-9]+/)
                n++; bytes += substr($0, RSTART + 7, RLENGTH - 7) } END { printf "%d %.0f", n, bytes }' log)" "$all $bytes"
        done
    else
        skip "$label: OTF: no otfprint here"
    fi
    if [ -d a.otf2 ] && command -v otf2-print >/dev/null; then
        otf2-print a.otf2/*.otf2 >log 2>&1
        for event in SEND RECV; do # blocking, and of requests
            check "$label: OTF2: MPI_$event" same "$(awk -v e="^MPI_I?$event\$" '$1 ~ e { match($0, /Length: [0-9]+/)
                n++; bytes += substr($0, RSTART + 8, RLENGTH - 8) } END { printf "%d %.0f", n, bytes }' log)" "$all $bytes"
        done
    else
        skip "$label: OTF2: no otf2-print, or eztsh was built without OTF2"
    fi
}

# ---- LAMMPS: 2048 atoms for 40 steps; neighbours are found at the start, and after 20 and 40 ----
cat >melt <<'END'
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 10
run 40
END
# What rank 0 logged, but for lines with times.
results() { grep -vE 'CPU|Loop time|Performance|wall time|^(Pair|Neigh|Comm|Output|Modify|Other) +\|' "$1"; }
lammps_results() { # NAME LOG
    results "$2" >got
    check "LAMMPS, $1: the results, to the last letter" cmp want got
}
lammps() {
    begin
    ranks -x "$preload" lmp -in melt -log lmp.native
    check "LAMMPS, natively: it runs" grep -q '^Total wall time' lmp.native
    results lmp.native >want
    counted sent >lmp.sent
    counted received >lmp.received
    check "LAMMPS, natively: what is sent is received" cmp lmp.sent lmp.received

    begin
    batch "job run -launcher mpirun.openmpi -x LD_PRELOAD=$work/yield.so -np $size lmp -in melt -log lmp.job" 'module load mpi' \
        'probe -r liblammps.so.0:^LAMMPS_NS::(CommBrick|Verlet)::' 'probe liblammps.so.0:LAMMPS_NS::PairLJCut::compute' \
        'aggregate liblammps.so.0:LAMMPS_NS::Neighbor::build by count' continue 'info aggregates' 'stats -job' 'job gather gathered'
    check "LAMMPS, job: it ends well" has '^\[Job .* ended normally\]$'
    lammps_results job lmp.job
    check "LAMMPS, job: the library's functions are found" has "^\[0-$last\] Planted ([0-9]+) of \\1 matched; refused: 0; pending 0\.\$"
    check "LAMMPS, job: forces: each step, and before the first" has "^LAMMPS_NS::PairLJCut::compute\(int, int\) +liblammps.so.0 +$size +$((41 * size)) "
    check "LAMMPS, job: ghosts: each step but two" has "^LAMMPS_NS::CommBrick::forward_comm\(int\) +liblammps.so.0 +$size +$((38 * size)) "
    check "LAMMPS, job: what is counted alone has no times" has "^PMPI_Irecv +libmpi[^ ]* +$size +[0-9]+( +-)+\$"
    check "LAMMPS, job: neighbours, by an aggregate over all" has "^ +1  count at .*Neighbor::build +$size +$((3 * size)) "
    check "LAMMPS, job: nothing is lost" has "^\[0-$last\] .* 0 untraced \+ 0 dropped\.\$"
    check "LAMMPS, job: a trace of each rank is gathered" same "$(ls gathered/*rank*.fxt | wc -l | tr -d ' ')" $size
    messages "LAMMPS, job" lmp.sent gathered/*rank*.fxt
    arrows "LAMMPS, job" lmp.sent gathered/*rank*.fxt

    begin
    printf '%s\n' 'module load mpi' 'probe -count -r liblammps.so.0:^LAMMPS_NS::CommBrick::' run 'info probes' >script.ezt
    each "LD_PRELOAD=$work/yield.so" lmp -in melt -log lmp.each
    check "LAMMPS, an eztsh a rank: status" same $? 0
    lammps_results "an eztsh a rank" lmp.each
    cat out.* >log
    check "LAMMPS, an eztsh a rank: each has counted" \
        same "$(grep -cE ' 38  LAMMPS_NS::CommBrick::forward_comm\(int\) +liblammps.so.0' log)" $size
    messages "LAMMPS, an eztsh a rank" lmp.sent traces/*rank*.fxt
    factors "LAMMPS, an eztsh a rank"
}

# ---- HPL, and all else that HPCC has; to whom some of it sends is drawn by lot, so each run is counted ----
side=2
[ $size != 16 ] || side=4
cat >hpccinf.txt <<END
HPLinpack benchmark input file
a square of processes
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
128          Ns
1            # of NBs
16           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
$side            Ps
$side            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
of PTRANS:
0            Number of additional problem sizes
0            values of N
0            number of additional blocking sizes
0            values of NB
END
hpl_results() { # NAME
    grep -F '||Ax-b||' hpccoutf.txt | tail -n 1 >got
    check "HPL, $1: the residual is the native one, and passes" cmp want got
    check "HPL, $1: all of HPCC ran" grep -q '^Success=1$' hpccoutf.txt
    rm -f hpccoutf.txt
}
hpl_messages() { # NAME
    counted sent >hpl.sent
    counted received >hpl.received
    check "HPL, $1: what is sent is received" cmp hpl.sent hpl.received
    messages "HPL, $1" hpl.sent traces/*rank*.fxt
}
hpl() {
    begin
    ranks -x "LD_PRELOAD=$work/yield.so" hpcc
    grep -F '||Ax-b||' hpccoutf.txt | grep 'PASSED$' >want
    check "HPL, natively: it passes" test -s want
    rm -f hpccoutf.txt

    batch "job run -launcher mpirun.openmpi -x $preload -np $size hpcc" 'module load mpi' continue 'report -o a.html'
    check "HPL, job: it ends well" has '^\[Job .* ended normally\]$'
    check "HPL, job: nothing is lost" has "^\[0-$last\] .* 0 untraced \+ 0 dropped\.\$"
    one_report "HPL, job" a.html
    hpl_results job
    hpl_messages job

    begin
    printf '%s\n' 'module load mpi' run >script.ezt
    each "$preload" hpcc
    check "HPL, an eztsh a rank: status" same $? 0
    hpl_results "an eztsh a rank"
    hpl_messages "an eztsh a rank"
    factors "HPL, an eztsh a rank"
}

if ! command -v mpicc.openmpi >/dev/null || ! command -v mpirun.openmpi >/dev/null; then
    skip "codes: no Open MPI here"
elif ! mpicc.openmpi -O1 -shared -fPIC "$top_srcdir/tests/targets/pmpi_count.c" -o pmpi_count.so 2>err ||
    ! mpicc.openmpi -O1 -shared -fPIC yield.c -o yield.so 2>err; then
    fail "the library that counts is compiled" err
else
    if open_mpi lmp; then lammps; else skip "LAMMPS: no lmp of Open MPI here"; fi
    if open_mpi hpcc; then hpl; else skip "HPL: no hpcc of Open MPI here"; fi
fi
finish
