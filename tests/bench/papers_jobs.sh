#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# papers_jobs.sh - `make papers`: section 5 of paper 004 (DPCL on Blue Gene/L): latency, and figures 5 (messages and tasks), 6
# (topologies) and 7 (aggregation), on our tree of daemons (jobs_tree.c). Of the figures the paper has curves, no numbers: what is
# compared is their shape, and a shape that differs is a failure.
#
# Environment: top_srcdir, top_builddir (made by make); PAPERS_FULL=1: up to 100 messages, four runs each.
here=${top_srcdir:?}/tests/bench
few=10 many=50 runs=5 work=3000
[ -z "${PAPERS_FULL-}" ] || { few=10 many=100 runs=4; }
failed=0 seen=''
out=$(mktemp) || exit 1
own=$(mktemp) || exit 1 # figures of daemons with processors of their own
trap 'rm -f "$out" "$own"' EXIT
measure() { # MPI DAEMONS TASKS MODE:M...: lines of jobs_front.py
    mpi=$1 daemons=$2 tasks=$3
    shift 3
    timeout -k 5 60 python3 "$here/jobs_front.py" "$top_builddir/tests/bench/jobs_tree-$mpi" "$mpi" "$daemons" "$tasks" 8 \
        "$runs" "$@" >>"$out" </dev/null || shape 1 "$mpi, $daemons daemons of $tasks tasks: no figures"
}
figure() { # MPI DAEMONS TASKS MODE M COLUMN: 7 = latency, 8 = receive time, ms; 9 = messages
    awk -v k="$1 $2 $3 8 $4 $5" -v c="$6" '$1 " " $2 " " $3 " " $4 " " $5 " " $6 == k { print $c; exit }' "$out"
}
shape() { # STATUS WHAT
    if [ "$1" = 0 ]; then echo "   agrees: $2"; else failed=1; echo "   DIFFERS: $2"; fi
}
holds() { awk "BEGIN { exit !($1) }" 2>/dev/null; echo $?; }

for mpi in openmpi mpich; do
    [ -x "$top_builddir/tests/bench/jobs_tree-$mpi" ] && command -v "mpicc.$mpi" >/dev/null || continue
    seen=$mpi
    : >"$out" >"$own"
    measure $mpi 1 1 raw:1 ping:1
    for tasks in 1 8 32; do measure $mpi 8 $tasks raw:$few raw:$many; done
    for t in '4 2' '2 4' '1 8' '4 16' '2 32' '1 64'; do measure $mpi ${t% *} ${t#* } raw:$many; done
    export EZ_WORK_US=$work
    for t in '8 1' '4 2' '2 4' '1 8' '8 8' '4 16' '2 32' '1 64'; do out=$own measure $mpi ${t% *} ${t#* } raw:$few; done
    unset EZ_WORK_US
    measure $mpi 8 32 vector:$many wave:$many
    printf '\n== paper 004, latency of one task: %s\n   the paper 53.7 ms (107.4 ms there and back); here, there and back: %s ms\n' \
        $mpi "$(figure $mpi 1 1 raw 1 7)"
    shape "$(holds "$(figure $mpi 1 1 raw 1 7) < 107.4")" "faster than the paper's"

    printf '\n== paper 004, figure 5: receive time, ms: %s\n%10s %12s %12s %16s\n' $mpi tasks "$few messages" "$many messages" "the second/task"
    for tasks in 1 8 32; do
        b=$(figure $mpi 8 $tasks raw $many 8)
        printf '%10s %12s %12s %16s\n' $((8 * tasks)) "$(figure $mpi 8 $tasks raw $few 8)" "$b" \
            "$(awk -v b="${b:-0}" -v n=$((8 * tasks)) 'BEGIN { printf "%.3f", b / n }')"
    done
    a=$(figure $mpi 8 32 raw $few 8) b=$(figure $mpi 8 32 raw $many 8)
    shape "$(holds "$b / $a > $many / $few / 3 && $b / $a < $many / $few * 3")" "nearly linear in the number of messages (256 tasks: x $(awk "BEGIN { printf \"%.1f\", $b / $a }") for x $((many / few)))"
    shape "$(holds "$b > $(figure $mpi 8 1 raw $many 8)")" "more tasks take longer"

    printf '\n== paper 004, figure 6: receive time of %s messages over topologies, daemons x tasks each: %s\n' $few $mpi
    echo "   each value is $work us of work for its daemon, on a processor of its own (a pause stands for it)"
    for all in '8 1,4 2,2 4,1 8' '8 8,4 16,2 32,1 64'; do
        few_tasks='' many_tasks='' # of a daemon: terms of sums
        for t in $(echo "$all" | tr ' ,' 'x '); do
            a=$(out=$own figure $mpi ${t%x*} ${t#*x} raw $few 8)
            printf '%10s %12s ms\n' "${t%x*} x ${t#*x}" "$a"
            if [ "${t%x*}" -ge 4 ]; then few_tasks="$few_tasks + $a"; else many_tasks="$many_tasks + $a"; fi
        done
        shape "$(holds "$few_tasks < $many_tasks")" "fewer tasks a daemon are faster: 8 and 4 daemons before 2 and 1"
    done
    printf '   %s messages, daemons without work that share the %s processors here, where fewer daemons are faster:\n' $many "$(nproc)"
    for t in '8 1' '4 2' '2 4' '1 8' '8 8' '4 16' '2 32' '1 64'; do
        printf '%10s %12s ms\n' "${t% *} x ${t#* }" "$(figure $mpi ${t% *} ${t#* } raw $many 8)"
    done

    raw=$(figure $mpi 8 32 raw $many 7) rest=$(figure $mpi 8 32 raw $many 8)
    raw=$(awk "BEGIN { print $raw + $rest }")
    printf '\n== paper 004, figure 7: 256 tasks, %s messages each, from the command to the last one: %s\n' $many $mpi
    printf '   %-34s %10s ms, %s messages\n' "without aggregation" "$raw" "$(figure $mpi 8 32 raw $many 9)"
    for how in 'wave sums of each message' 'vector one vector of all sums'; do
        mode=${how%% *}
        t=$(awk "BEGIN { print $(figure $mpi 8 32 "$mode" $many 7) + $(figure $mpi 8 32 "$mode" $many 8) }")
        printf '   %-34s %10s ms, %s messages\n' "${how#* }" "$t" "$(figure $mpi 8 32 "$mode" $many 9)"
        shape "$(holds "$t < $raw")" "aggregation wins: ${how#* }"
    done
done
[ -n "$seen" ] || echo "paper 004: no MPI, or no daemons were built for it"
exit $failed
