# SPDX-License-Identifier: GPL-3.0-or-later
# job_lib.sh - for scripts about jobs, behind tests/lib.sh.
#
#   batch COMMAND...          eztsh -nx -batch with these commands; output in log, status in $rc
#   has PATTERN               log has such a line
#   check NAME CMD...         one line "ok - NAME" or "not ok - NAME"
#   job_header                makes ./job.h, for ranks: stand(RANK, FILE) says so in ready.RANK, and stands until FILE is gone
#   job_launch                makes ./launch -np N PROG ARGS, which does as a launcher does, with ranks in the environment
batch() {
    n=$#
    while [ $n -gt 0 ]; do set -- "$@" -ex "$1"; shift; n=$((n - 1)); done
    # On a busy machine 16 ranks do not answer in 10 s.
    timeout -k 5 $limit "$eztsh" -nx -batch -ex 'set job-timeout 300' "$@" >log 2>&1 </dev/null
    rc=$?
}
has() { grep -qE "$1" log; }
check() { name=$1; shift; if "$@"; then pass "$name"; else fail "$name" log; fi; }
job_header() {
    cat >job.h <<'END_HEADER'
#include <stdio.h>
#include <unistd.h>
int sched_yield(void) { return usleep(100); } /* for Open MPI, which waits so: with more ranks than processors they starve others */
static inline void stand(int rank, const char *file)
{
    char name[32];
    snprintf(name, sizeof name, "ready.%d", rank);
    fclose(fopen(name, "w"));
    while (!access(file, F_OK))
        usleep(5000);
}
END_HEADER
}
job_launch() {
    cat >launch <<'END_LAUNCH'
#!/bin/sh
n=$2; shift 2
i=0
while [ $i -lt "$n" ]; do PMI_RANK=$i PMI_SIZE=$n "$@" & i=$((i + 1)); done
wait
END_LAUNCH
    chmod +x launch
}
