#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# job_srun.sh - jobs under Slurm, of two nodes (tests/cluster.sh): held before main, daemons beside the ranks by `srun --overlap`,
# in an allocation and without one; Open MPI, MPICH, and programs without MPI; attached to by srun's process id, by token, by
# processes; what is killed or cancelled. Sums over all ranks are the program's own.
. "${top_srcdir:-.}/tests/cluster.sh"
cluster_enter "$0" "$@"
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
[ -z "$why_not" ] || { skip "srun: $why_not"; finish; }
for c in slurmctld slurmd srun salloc munged; do
    command -v $c >/dev/null || { skip "srun: no $c"; finish; }
done
for v in $(env | sed -n 's/^\(SLURM_[A-Z0-9_]*\)=.*/\1/p'); do unset "$v"; done

# ---- a Slurm of our own: nothing of it is outside $slurm
slurm=$work/slurm
ours=
slurm_conf() {
    cat <<END_CONF
ClusterName=ezt
SlurmctldHost=front(10.77.0.254)
SlurmUser=root
AuthInfo=socket=$slurm/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool.%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.%n.pid
TmpFS=$slurm/tmp.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
ReturnToService=2
MailProg=/bin/true
NodeName=node[1-2] CPUs=32
PartitionName=main Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:8
END_CONF
}
slurm_up() {
    mkdir -p "$slurm/state" "$slurm/tmp.node1" "$slurm/tmp.node2"
    chmod 755 "$work" "$slurm" # munge's socket wants it so
    head -c 64 /dev/urandom >"$slurm/key" && chmod 600 "$slurm/key"
    slurm_conf >"$slurm/slurm.conf"
    SLURM_CONF=$slurm/slurm.conf
    export SLURM_CONF
    munged -F --socket="$slurm/munge" --key-file="$slurm/key" --pid-file="$slurm/munged.pid" --seed-file="$slurm/seed" \
        --log-file="$slurm/munged.log" >"$slurm/munged.out" 2>&1 &
    ours=$!
    until_ok 1 test -S "$slurm/munge" || return 1
    slurmctld -D >"$slurm/slurmctld.out" 2>&1 &
    ours="$ours $!"
    for node in node1 node2; do # nsenter is the process that becomes slurmd
        cluster_on $node "exec slurmd -D -N $node" >"$slurm/slurmd.$node.out" 2>&1 &
        ours="$ours $!"
    done
    until_ok 3 idle && timeout -k 5 60 srun -N 2 -n 2 true >"$slurm/srun.out" 2>&1
}
idle() { [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" = 2 ]; }
slurm_down() {
    # shellcheck disable=SC2086
    kill_ours $ours
    cluster_down
    clean_up
}
trap slurm_down EXIT
limit=120 # seconds: of a session that takes two
cluster_up 2 || { fail "the cluster is there"; finish; }
unset OMPI_MCA_plm_rsh_agent HYDRA_LAUNCHER HYDRA_LAUNCHER_EXEC # of hosts without Slurm
slurm_up || { skip "srun: Slurm does not run here: $(tail -qn 1 "$slurm"/*.out | grep -i error | head -n 1)"; finish; }

# ---- what runs under it
job_header
cat >app.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "job.h"
#ifdef WITH_MPI
#include <mpi.h>
#endif
__attribute__((noinline)) void step(int n) { __asm__ volatile("" : : "r"(n) : "memory"); }
int main(int argc, char **argv)
{
    int rank = atoi(getenv("SLURM_PROCID") ? getenv("SLURM_PROCID") : "0"), calls = 0, sum = 0;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    if (argc > 2)
        stand(rank, argv[2]);
    for (int i = 0; i < atoi(argv[1]) * (rank + 1); i++, calls++) {
        sum += i % 7 + rank;
        step(i % 7 + rank);
    }
    printf("calls %d sum %d\n", calls, sum);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return 0;
}
END
cat >allocated <<END
#!/bin/sh
exec salloc -Q -N 2 -n 4 "$eztsh" "\$@"
END
# gone NAME: waits until no process of that name lives.
cat >gone <<'END'
#!/bin/sh
lives() {
    for p in /proc/[0-9]*/stat; do
        read -r _ name state _ <"$p" && [ "$name" = "($1)" ] && [ "$state" != Z ] && return 0
    done 2>/dev/null
    return 1
}
for i in $(seq 3000); do lives "$1" || exit 0; sleep 0.02; done
END
# Kills one daemon, and waits for the end of all.
cat >kill_daemon <<'END'
#!/bin/sh
set -- $(pgrep eztsh-daemon)
name=$(cat "/proc/$1/comm")
kill -9 "$1"
exec ./gone "$name"
END
chmod +x allocated gone kill_daemon
"${CC:-cc}" -g -O1 -o app app.c || { fail "app.c"; finish; }
real=$eztsh

mine() { awk -v k="$1" '$1 == "calls" && $3 == "sum" { n += k == "calls" ? $2 : $4 } END { print n + 0 }' log; } # of all ranks
beside() { has '^ +[01] +node1 +[123] +[0-9,-]+$' && has '^ +[01] +node2 +[123] +[0-9,-]+$'; }
run() { # NAME HOSTS RUN-ARGUMENTS
    label=$1 hosts=$2
    rm -f traces/*.fxt
    batch "job run $3" 'info hosts' 'info job' 'context odd = where rank % 2' 'print -c odd 6 * 7' 'probe step' \
        'aggregate step by sum of n -at-end' 'aggregate step by count -at-end' continue
    check "$label: held before main" has "4 processes on $hosts hosts?, held before main"
    [ "$hosts" = 1 ] || check "$label: a daemon a node, beside its ranks" beside
    check "$label: a context" has '^\[1,3\] \$1 = 42$'
    check "$label: equal answers are one" has '^\[0-3\] Probe [0-9]+ at '
    check "$label: the program's own calls" test "$(mine calls)" = 100
    check "$label: the sum over all ranks is the program's" has "sum of n.*= $(mine sum) "
    check "$label: the count is, too" has "count.*= $(mine calls) "
    check "$label: as many are recorded, entries and exits" has '^\[0-3\] [0-9]+ hits = 200 recorded'
    check "$label: the end is told" has '^\[Job \(.*\) ended normally\]$'
    check "$label: no error" test $rc = 0
}
counted() { [ "$(awk '$1 == 1 && $3 == "count" { print $6 }' log | tr '\n' ' ')" = "10 20 30 40 " ]; }

run "without an allocation" 2 '-launcher srun -N 2 -np 4 ./app 10'
run "one node" 1 '-launcher srun -N 1 -n 4 ./app 10'
eztsh=$work/allocated
run "in an allocation" 2 '-launcher srun ./app 10'
SLURM_LABELIO=1 SLURM_KILL_BAD_EXIT=0
export SLURM_LABELIO SLURM_KILL_BAD_EXIT
batch 'job run -launcher srun -daemons 4 ./app 10' 'info hosts' 'probe step' continue 'stats -job' 'job gather gathered'
unset SLURM_LABELIO SLURM_KILL_BAD_EXIT
eztsh=$real
check "options by the environment: the program's alone" has '^3: calls 40 sum '
check "four daemons, as asked for" test "$(grep -cE '^ +[0-3] +node[12] +1 +[0-3]$' log)" = 4
check "statistics of all ranks" has '^step .* 4 +100 '
check "gathered: a trace a rank" test "$(ls gathered/*.fxt | wc -l)" = 4

with() { # MPI NODES PLUGIN DAEMON
    command -v "mpicc.$1" >/dev/null && [ -x "$top_builddir/$4" ] && srun --mpi=list 2>&1 | grep -q "$3" ||
        { skip "$1: not here, or Slurm has no $3"; return; }
    "mpicc.$1" -DWITH_MPI -g -O1 -rdynamic -o "app-$1" app.c 2>err || { fail "$1: mpicc.$1" err; return; }
    run "$1 by $3" "$2" "-launcher srun -N $2 -np 4 --mpi=$3 ./app-$1 10"
}
with openmpi 2 pmix eztsh-daemon-openmpi
with mpich 1 pmi2 eztsh-daemon-mpich # on two nodes its MPI_Finalize hangs over TCP, with and without eztsh: MPICH 6596
eztsh=$work/allocated
[ ! -x app-openmpi ] || run "mpirun in an allocation" 2 '-launcher mpirun.openmpi -np 4 ./app-openmpi 10'
eztsh=$real

# ---- a job that runs
ready() { [ "$(ls ready.* 2>/dev/null | wc -l)" = 4 ]; }
again() { rm -f ready.*; : >wait-here; }
again
srun -N 2 -n 4 ./app 10 wait-here >out 2>&1 &
launcher=$!
children="$children $launcher"
check "a job of srun's" until_ok 20 ready
pgrep -x app >pids
batch "job attach -pids pids" 'job detach'
check "attached by processes: all" has '4 processes on 1 host, stopped'
batch "job attach $launcher" 'info hosts' 'info job' 'probe -count step' 'shell rm wait-here' continue 'info probes -each'
check "attached by srun: all ranks" has '4 processes on 2 hosts, stopped'
check "attached by srun: a daemon a node" beside
check "attached by srun: exact from there on" counted
wait $launcher
check "attached by srun: it ends right" test $? = 0
again # its output is not for the next log
batch 'job run -launcher srun -o job.out -N 2 -np 4 ./app 10 wait-here' 'info job' 'probe -count step' 'job detach -keep'
token=$(sed -n 's/^Token: //p' log) id=$(squeue -h -o %i)
check "detached: it runs on" until_ok 20 ready
[ -x "$top_builddir/eztsh-daemon-mpich" ] && plugin=pmi2 || plugin=pmix
batch "job attach -token ${token:-none} -daemons 'srun --jobid=${id:-0} --overlap -N 2 -n 2 --mpi=$plugin'" 'shell rm wait-here' \
    continue 'info probes -each'
check "attached by token: all ranks" has '4 processes on 2 hosts, stopped'
check "attached by token: probes were at work" counted

# ---- what goes wrong
again
batch 'job run -launcher srun -N 2 -np 4 ./app 10 wait-here' 'probe -count step' 'shell ./kill_daemon' 'info probes' 'info job' \
    'job reattach' 'shell rm wait-here' continue 'info probes -each'
check "a daemon is killed: nobody sees the ranks" test "$(grep -cE '^ +[0-3] +node[12] +[0-9]+ +blind ' log)" = 4
check "a daemon is killed: ranks are taken over" has '^\[0-3\] taken over and stopped\.$'
check "a daemon is killed: nothing is lost" counted
# shellcheck disable=SC2016
batch 'job run -launcher srun -N 2 -np 4 ./app 10' 'probe -count step' 'shell scancel $(squeue -h -o %i); ./gone app; ./gone srun' \
    'info probes' 'info job' 'job reattach'
check "scancel: all ranks are gone" test "$(grep -cE '^ +[0-3] +node[12] +[0-9]+ +(gone|killed) ' log)" = 4
check "scancel: nothing is taken over" has '^The job has ended, so no process can be taken over'
batch 'job run -launcher srun -N 2 -np 4 ./app 10' 'job kill'
check "job kill" has '^\[Job of 4 processes killed\]$'
empty() { [ -z "$(squeue -h)" ]; }
check "job kill: Slurm has no job left" until_ok 20 empty
batch 'job run -launcher srun -p nix -np 4 ./app 10'
check "a wrong partition: srun says so" has '^srun: error: .*[Ii]nvalid partition'
check "a wrong partition: nothing began" has '^srun -p nix -n 4 \./app 10 ended with status 1 before the processes of the job started\.$'
batch 'job run -launcher srun -N 2 -np 4 ./nope 10'
check "no such program" has '^eztsh-hold: \./nope: No such file or directory\.$'
check "no such program: nothing began" has '^\[0-3\] The process ended before its program began\.$'
batch 'job run -launcher srun -N 2 -np 4 --mpi nix ./app 10'
check "no such plugin: srun says so" has "^srun: error: Invalid MPI type 'nix'"

nobody() {
    for p in /proc/[0-9]*/cwd; do
        [ "$(readlink "$p")" = "$work" ] && grep -qa "$real" "${p%cwd}cmdline" && return 1
    done
    return 0
}
check "no daemon is left" until_ok 20 nobody
finish
