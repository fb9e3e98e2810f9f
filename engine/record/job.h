/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - finds the rank of a process in a parallel job.
 *
 * Users know the processes of an MPI job by rank. Launchers put the rank into the environment of
 * each process: Open MPI (OMPI_COMM_WORLD_RANK), PMIx (PMIX_RANK), MPICH's and Intel's hydra
 * (PMI_RANK), Slurm (SLURM_PROCID). The variables are tried in this order, because mpirun in a
 * Slurm job keeps Slurm's variables. The environment is read from /proc/PID/environ, as it was when
 * the process started. It may contain anything: numbers are checked, texts are cut.
 * Tests: tests/unit/record/check_job.c, tests/procs/ranks.sh */
#ifndef EZ_JOB_H
#define EZ_JOB_H

#include "engine/base/base.h"

#define EZ_NO_RANK UINT32_MAX

struct ez_job {
    uint32_t rank; /* EZ_NO_RANK: no job, or an unknown launcher */
    uint32_t size; /* number of ranks in the job; 0: unknown */
    char id[64];   /* launcher's name of the job; "": no name, or no rank */
    char host[65]; /* current node name of this machine */
};

/* Finds the job of a process of this machine. If the environment is unreadable, rank is
 * EZ_NO_RANK. */
void ez_job_of(int pid, struct ez_job *out);
/* Finds the job in the n bytes of an environment, "NAME=value\0NAME=value\0". Leaves the host
 * empty. */
void ez_job_parse(const char *environment, size_t n, struct ez_job *out);
/* Returns "-jobID-rankN-HOST" for the name of a file, without an unknown ID or HOST, or "" without
 * a rank. The caller frees the text. */
char *ez_job_tag(const struct ez_job *job);

#endif
