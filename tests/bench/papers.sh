#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# papers.sh - `make papers`: tables 1, 2 and 3 of paper 000 (PROPER'12), and table I and the overheads
# of table II of paper 002 (CCGrid'11), on programs of ours: the paper's figure, EZTrace 2.0's here,
# and eztsh's here. Prints; asserts nothing.
#
# All columns of a table are measured in turns, ROUNDS times, and are medians. "-" is what cannot
# be had; a line below the table says why. Another machine, and other programs: compare columns
# "here" with each other, and overheads with the paper's, not times.
# Environment: CC, EZTSH, top_srcdir (made by make); ROUNDS (7); PAPERS_QUICK=1: small programs, once.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 99' HUP INT PIPE TERM
here=${top_srcdir:?}/tests/bench
rounds=${ROUNDS:-7} calls=9000000 traced=900000 steps=8 pings=20000 halos=1500 alones=1500
[ -z "${PAPERS_QUICK-}" ] || { rounds=1 calls=90000 traced=9000 steps=1 pings=500 halos=20 alones=20; }
EZTRACE_TRACE_DIR=$dir OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export EZTRACE_TRACE_DIR OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
compile() { ${CC:-cc} -O2 -D_GNU_SOURCE "-I$top_srcdir" "$@"; }
cd "$dir" || exit 1

# ---- programs ----------------------------------------------------------------------------------
has() { command -v "$1" >/dev/null 2>&1; }
# shellcheck disable=SC2086
{
    compile "$here/peer.c" -o own &&
        compile -DPEER_LIBRARY -shared -fPIC "$here/peer.c" -o libpeer.so &&
        compile -DPEER_PROGRAM "$here/peer.c" -o shared "$dir/libpeer.so" -Wl,-rpath,"$dir"
} || exit 1
# shellcheck disable=SC2086
compile -fopenmp "$here/papers_md.c" -o md 2>/dev/null || rm -f md
if has mpicc.openmpi && has mpirun.openmpi; then
    mpicc.openmpi -O2 "$here/papers_mpi.c" -o mpi 2>/dev/null || rm -f mpi
fi
if has eztrace_create_plugin; then
    printf 'BEGIN_MODULE\nNAME peer\nDESC "compute"\nint compute(int x)\nEND_MODULE\n' >peer.tpl
    { eztrace_create_plugin peer.tpl && make -C output; } >plugin.log 2>&1 || rm -rf output
fi

# ---- measuring ---------------------------------------------------------------------------------
limited() { timeout -k 5 120 "$@" >log 2>&1 </dev/null; }
said() { sed -n 's/.*\(papers\|peer\): \([0-9.]*\).*/\2/p' log | tail -n 1; }
shell() { # PROGRAM WORDS COMMAND...: under eztsh, after these commands
    program=$1 words=$2
    shift 2
    for c; do
        set -- "$@" -ex "$c"
        shift
    done
    limited "$EZTSH" -q -nx -batch "$@" -ex "run $words" "./$program"
    said
}
ranks() { # N COMMAND...
    n=$1
    shift
    limited mpirun.openmpi --oversubscribe -np "$n" "$@" && said
}
shell_ranks() { # N WORDS COMMAND...: each rank under eztsh
    n=$1 words=$2
    shift 2
    for c; do
        set -- "$@" -ex "$c"
        shift
    done
    ranks "$n" "$EZTSH" -q -nx -batch "$@" -ex "run $words" ./mpi
}
hits() { # of the traces that a run told of
    sed -n 's/^Trace .*: \([0-9]*\) hits.*/\1/p' log | awk '{ n += $1 } END { print n + 0 }'
}
turns() { # FUNCTION...: each prints a number, or nothing; its samples go to s.FUNCTION
    for _ in $(seq "$rounds"); do
        for f; do
            $f >got
            grep . got >>"s.$f"
            rm -rf ./*.fxt ./*_trace
        done
    done
}
median() { sort -g "s.$1" 2>/dev/null | awk '{ v[NR] = $1 } END { print NR ? v[int((NR + 1) / 2)] : "-" }'; }
unit() { [ "$1" = - ] && echo - || LC_ALL=C printf "%.${3:-1f} %s" "$1" "$2"; }
over() { # A B: by how many percent A is more than B
    case $1$2 in *-*) echo - ;; *) awk -v a="$1" -v b="$2" 'BEGIN { printf "%+.1f %%", (a / b - 1) * 100 }' ;; esac
}
row() { printf '%-34s %16s %16s %16s\n' "$@"; }
table() { printf '\n== %s\n' "$1"; row "" "the paper" "EZTrace 2.0 here" "eztsh here"; }
note() { printf '   %s\n' "$*"; }
if ! has eztrace; then
    no_peer="EZTrace 2.0: not installed"
elif [ ! -d output ]; then
    no_peer="EZTrace 2.0: its plugin compiler is not installed (libeztrace-dev), or failed"
else
    no_peer=''
fi

echo "papers 000 and 002: $(uname -srm), $(nproc) processors, medians of $rounds"
[ "$(nproc)" -ge 4 ] || echo "fewer processors than the papers' threads: theirs ran beside each other, ours take turns"

# ---- paper 000, tables 1 and 2: a call of an empty function ---------------------------------------
own_bare() { limited ./own $calls && said; }
lib_bare() { limited ./shared $calls && said; }
own_count() { shell own $traced 'probe -count compute'; }
lib_count() { shell shared $traced 'probe -count compute'; }
own_record() { shell own $traced 'set ring-size 16384' 'probe compute'; }
lib_record() { shell shared $traced 'set ring-size 16384' 'probe compute'; }
lib_eztrace() { [ -d output ] && limited eztrace -l output -t peer ./shared $traced && said; }
turns own_bare lib_bare own_count lib_count own_record lib_record lib_eztrace
ns() { unit "$(median "$1")" ns; }

table "paper 000, table 1: a call that is counted, entry and exit"
row "program's own function: nothing" "4.7 ns" "$(ns own_bare)" "$(ns own_bare)"
row "  counted" "12.3 ns" - "$(ns own_count)"
row "function of a library: nothing" "5.2 ns" "$(ns lib_bare)" "$(ns lib_bare)"
row "  counted" "11.3 ns" - "$(ns lib_count)"
note "EZTrace 2.0 does not count without recording."

table "paper 000, table 2: a call that is recorded, two events"
row "program's own function: nothing" "4.7 ns" "$(ns own_bare)" "$(ns own_bare)"
row "  recorded" "245.2 ns" - "$(ns own_record)"
row "function of a library: nothing" "5.3 ns" "$(ns lib_bare)" "$(ns lib_bare)"
row "  recorded" "227.4 ns" "$(ns lib_eztrace)" "$(ns lib_record)"
note "EZTrace 2.0 traces functions of libraries only.${no_peer:+ $no_peer.}"
note "eztsh: rings of 16 MiB; with the default of 1 MiB a thread that only hits also waits."

# ---- paper 000, table 3: molecular dynamics --------------------------------------------------------
md_bare() { [ -x md ] && limited ./md $steps && said; }
md_record() { [ -x md ] && shell md $steps 'set ring-size 16384' 'probe pair' && hits >md_hits; }
turns md_bare md_record
table "paper 000, table 3: molecular dynamics, 4 OpenMP threads"
bare=$(median md_bare) record=$(median md_record) events=$(cat md_hits 2>/dev/null || echo 0)
row "seconds: nothing" "0.45 s" "$(unit "$bare" s 3f)" "$(unit "$bare" s 3f)"
row "  each function recorded" "2.26 s" - "$(unit "$record" s 3f)"
row "events" "7941671" - "$events"
each=$(case $bare$record in *-*) echo - ;; *) awk -v a="$record" -v b="$bare" -v n="$events" 'BEGIN { if (n) print (a - b) / n * 1e9; else print "-" }' ;; esac)
row "overhead an event" "227 ns" - "$(unit "$each" ns)"
note "A program of ours (papers_md.c), 500 atoms. EZTrace 2.0 traces functions of libraries only."
[ -x md ] || note "It cannot be built: no OpenMP."

# ---- paper 002, table I: latency of 16 bytes ---------------------------------------------------------
# The peer's module for Open MPI has one of two names.
peer_mpi=''
if has eztrace && [ -x mpi ]; then
    for m in openmpi mpich; do
        [ -n "$peer_mpi" ] || [ -z "$(ranks 2 eztrace -t $m ./mpi ping 100)" ] || peer_mpi=$m
    done
fi
module=''
"$EZTSH" -q -nx -batch -ex 'module list' 2>/dev/null | grep -q '^mpi ' && module=mpi
ping_bare() { [ -x mpi ] && ranks 2 ./mpi ping $pings; }
ping_eztrace() { [ -n "$peer_mpi" ] && ranks 2 eztrace -t "$peer_mpi" ./mpi ping $pings; }
ping_probe() { [ -x mpi ] && shell_ranks 2 "ping $pings" 'probe MPI_Send MPI_Recv' && hits >ping_hits; }
ping_module() { [ -x mpi ] && [ -n "$module" ] && shell_ranks 2 "ping $pings" "module load $module"; }
turns ping_bare ping_eztrace ping_probe ping_module
us() { unit "$(median "$1")" us 2f; }
table "paper 002, table I: latency of 16 bytes between two ranks"
row "Open MPI alone" "4.99 us" "$(us ping_bare)" "$(us ping_bare)"
row "automatic (a module for MPI)" "5.68 us" "$(us ping_eztrace)" "$(us ping_module)"
row "manual (the two functions)" "5.67 us" - "$(us ping_probe)"
row "events, manual" "80800" - "$(cat ping_hits 2>/dev/null || echo -)"
[ -x mpi ] || note "No MPI: mpicc.openmpi or mpirun.openmpi is not installed."
[ -n "$peer_mpi" ] || note "EZTrace 2.0: ${no_peer:-its MPI modules do not run this program}."
[ -n "$module" ] || note "automatic: this eztsh has no module mpi."
note "The paper's ranks are on two machines (Myri-10G), ours on this one, through shared memory."

# ---- paper 002, table II: overhead on kernels ---------------------------------------------------------
mpi_calls='probe MPI_Send MPI_Recv MPI_Sendrecv MPI_Allreduce MPI_Barrier'
halo_bare() { [ -x mpi ] && ranks 2 ./mpi halo $halos; }
halo_eztrace() { [ -n "$peer_mpi" ] && ranks 2 eztrace -t "$peer_mpi" ./mpi halo $halos; }
alone_bare() { [ -x mpi ] && ranks 2 ./mpi alone $alones; }
alone_eztrace() { [ -n "$peer_mpi" ] && ranks 2 eztrace -t "$peer_mpi" ./mpi alone $alones; }
alone_probe() { [ -x mpi ] && shell_ranks 2 "alone $alones" "$mpi_calls"; }
halo_probe() { [ -x mpi ] && shell_ranks 2 "halo $halos" "$mpi_calls" && hits >halo_hits; }
turns halo_bare halo_eztrace halo_probe alone_bare alone_eztrace alone_probe
table "paper 002, table II: overhead on a program (class A, 4 processes)"
row "EP: alone, one sum at the end" "1.14 %" "$(over "$(median alone_eztrace)" "$(median alone_bare)")" "$(over "$(median alone_probe)" "$(median alone_bare)")"
row "LU: neighbours' cells, often" "-1.64 %" "$(over "$(median halo_eztrace)" "$(median halo_bare)")" "$(over "$(median halo_probe)" "$(median halo_bare)")"
row "events a second, the second" "12282" - "$(awk -v n="$(cat halo_hits 2>/dev/null || echo 0)" -v s="$(median halo_probe)" 'BEGIN { if (s + 0) printf "%d", n / s; else print "-" }')"
note "The NAS kernels are not here: papers_mpi.c, a program of ours, stands in, with 2 processes."
[ "$(nproc)" -ge 4 ] || note "The ranks wait by spinning, on all processors: what writes their events down takes time from them."
note "BT, CG, FT, IS, MG and SP (-1.1 to 1.9 % in the paper), and class B: nothing of ours is like them."
