#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# job_faults.sh - jobs whose daemons, drivers, processes or shells are killed or hang (job_faults.py): the processes go on as if
# alone, it is said who is not seen any more, and what is left can be taken over again.
. "${top_srcdir:-.}/tests/lib.sh"
. "$top_srcdir/tests/procs/job_lib.sh"
command -v "${CC:-cc}" >/dev/null && command -v python3 >/dev/null || { skip "job_faults: no compiler, or no python3"; finish; }
cat >loop.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) int tick(int n) { __asm__ volatile(""); return n + 1; }
int main(int argc, char **argv)
{
    char name[64];
    int sum = 0, rounds = 0;
    snprintf(name, sizeof name, "beat.%d", (int)getpid());
    int beat = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0666);
    while (!access(argv[1], F_OK) && rounds < 1000000) { /* it ends by itself, whatever becomes of the test */
        rounds++;
        sum += tick(0);
        if (write(beat, "x", 1) != 1)
            return 2;
        usleep(2000);
    }
    snprintf(name, sizeof name, "right/%d", (int)getpid());
    return sum == rounds && creat(name, 0666) >= 0 ? 0 : 1;
}
END
${CC:-cc} -g -O1 -o loop loop.c || { fail "loop.c does not compile"; finish; }
# Does as eztsh-hold does; rank 1 tells its process id and waits before it begins the program.
mkdir hold
cat >hold.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    sigset_t go;
    int sig;
    sigemptyset(&go);
    sigaddset(&go, SIGURG);
    sigprocmask(SIG_BLOCK, &go, NULL);
    prctl(PR_SET_NAME, "eztsh-held");
    sigwait(&go, &sig);
    sigprocmask(SIG_UNBLOCK, &go, NULL);
    if (!strcmp(getenv("PMI_RANK"), "1")) {
        FILE *f = fopen("waits.part", "w");
        fprintf(f, "%d", (int)getpid());
        fclose(f);
        rename("waits.part", "waits.1");
        for (int i = 0; i < 6000 && !access("wait", F_OK); i++)
            usleep(10000);
    }
    setenv("EZTSH_JOB", argv[2], 1);
    return execv(argv[3], argv + 3);
}
END
${CC:-cc} -O1 -o hold/eztsh-hold hold.c || { fail "hold.c does not compile"; finish; }
job_launch
mkdir right
mpi_here
mpi=
for m in mpirun.openmpi mpiexec.mpich; do
    if command -v $m >/dev/null && [ -x "$top_builddir/eztsh-daemon-${m#*.}" ]; then mpi="$mpi lost_${m#*.}"; else skip "daemons under ${m#*.}: not here"; fi
done
timeout -k 5 900 python3 -B "$top_srcdir/tests/procs/job_faults.py" "$eztsh" ${EZT_JOB_FAULTS-daemon_killed told_anew told_again driver_killed total_falls hangs member_dies \
    shell_killed held_shell_killed two_tools blind_end blind_dies taking_killed hung_quit $mpi} >py 2>&1 || echo "not ok - job_faults.py" >>py
rm -f run
grep -q '^ok' py && ! grep -q '^not ok' py || failed=1
cat py
finish
