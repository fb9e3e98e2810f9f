/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpir.h - the processes of an MPI job, from its launcher's table for debuggers (the MPIR
 * interface).
 *
 * mpirun and srun have a table, MPIR_proctable, with host, program and pid of each rank. eztsh
 * reads the table from the memory of the launcher, which is not stopped. The addresses of the table
 * and of its size are in the dynamic symbol tables of the mapped files. The data is not trusted:
 * the number of ranks is limited, and long strings are cut. Open MPI fills the table once
 * all ranks have called MPI_Init, srun once all ranks are started. srun also has the variable
 * totalview_jobid, the number of its Slurm job.
 * Source: "The MPIR Process Acquisition Interface", MPI Forum, version 1.1.
 * Tests: tests/unit/jobs/check_mpir.c, tests/procs/job_mpi.sh */
#ifndef EZ_MPIR_H
#define EZ_MPIR_H

#include "engine/base/err.h"
#include "engine/base/vec.h"

struct ez_mpir_rank {
    pid_t pid;
    char host[256];
};

struct ez_mpir {
    EZ_VEC(struct ez_mpir_rank) rank; /* sorted by rank */
    char job[32];                     /* Slurm's number of the job; "" if not known */
};

/* Reads the table of process `launcher`; ez_mpir_free() frees *out. EZ_E_GONE: the process's
 * mappings cannot be read. EZ_E_NOTFOUND: it has no table, or the table is not filled yet. */
ez_err *ez_mpir_read(pid_t launcher, struct ez_mpir *out) EZ_WUR;
void ez_mpir_free(struct ez_mpir *m);

#endif
