/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_daemon.c - `eztsh --daemon`: the daemon of a host, which starts and controls drivers.
 * Tests: tests/procs/jobs.sh */
#include <errno.h>
#include <string.h>

#include "cmds/job/jobs.h"
#include "engine/base/installed.h"
#include "engine/jobs/node.h"

static void job_complain(const char *what, const char *why)
{
    EZ_FREE char *text = ez_sprintf("eztsh --daemon: %s: %s\n", what, why);
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        errno = 0;
}

static void job_complain_none(const char *mpi, const char *cc)
{
    EZ_FREE char *why = ez_sprintf(
        "eztsh was built without it. configure finds its compiler by %s (\"checking for MPI\"); "
        "without -daemons and options about hosts a job has one daemon, on this host",
        cc);
    EZ_FREE char *what = ez_sprintf("no daemon for %s", mpi);
    job_complain(what, why);
}

/* Executes the daemon that was built for the MPI in use. Open MPI's launchers are known by
 * variables of the environment; all other known launchers speak PMI, as MPICH does. */
static int job_become_mpi(char *self)
{
    bool open_mpi = getenv("OMPI_COMM_WORLD_RANK") || getenv("PMIX_RANK");
    const char *name = open_mpi ? "eztsh-daemon-openmpi" : "eztsh-daemon-mpich";
    const char *mpi = open_mpi ? "Open MPI" : "MPICH",
               *cc = open_mpi ? "MPICC_OPENMPI" : "MPICC_MPICH";
    EZ_FREE char *program = ez_helper(name, "EZT_DAEMON");
    char *argv[] = { program, self, NULL };
    execv(program, argv);
    if (errno == ENOENT)
        job_complain_none(mpi, cc);
    else
        job_complain(program, strerror(errno));
    return 127;
}

int jobs_daemon(int argc, char **argv)
{
    EZ_FREE char *self = ez_own_program();
    if (!strcmp(argv[1], "--daemon=mpi"))
        return job_become_mpi(self);
    ez_err *e = ez_node_run(argc, argv, self);
    if (e)
        job_complain("it ends", e->msg);
    return !ez_err_drop(e);
}
