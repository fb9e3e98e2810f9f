/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpir.h - the processes of an MPI job, as its launcher tells debuggers (the MPIR interface).
 *
 * mpirun and srun keep a table, MPIR_proctable, of host, program and pid of each rank. It is read out of the launcher's
 * memory, which is not stopped: names of symbols from the dynamic symbol tables of what is mapped there. What comes from there is
 * not trusted: each number is bounded, each text is cut. Open MPI fills the table once all ranks have called MPI_Init, srun
 * when all are started; srun tells the number of its job beside it, as totalview_jobid.
 * Source: "The MPIR Process Acquisition Interface", MPI Forum, version 1.1. Tests: tests/procs/job_mpi.sh, job_srun.sh */
#ifndef EZ_MPIR_H
#define EZ_MPIR_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_mpir_rank {
    pid_t pid;
    char host[256];
};

struct ez_mpir {
    EZ_VEC(struct ez_mpir_rank) rank; /* in the order of ranks              */
    char job[32];                     /* Slurm's number of the job; "" = other launchers' */
};

/* EZ_E_NOTFOUND: that process has no such table, or one that is not filled. */
ez_err *ez_mpir_read(pid_t launcher, struct ez_mpir *out) EZ_WUR;
void ez_mpir_free(struct ez_mpir *m);

#endif
