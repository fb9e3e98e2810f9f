/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - finds the rank of a process in a parallel job.
 *
 * Why: an MPI job is many processes on many hosts; users know them by rank.
 * Source: variables that launchers put into the environment of each process: Open MPI
 * (OMPI_COMM_WORLD_RANK), PMIx (PMIX_RANK), MPICH's and Intel's hydra (PMI_RANK), Slurm
 * (SLURM_PROCID), looked up in this order: mpirun in a Slurm job leaves Slurm's in place.
 * The environment is the one the process was started with (/proc/PID/environ). Its contents
 * may be anything: numbers are checked, texts are cut.
 * Tests: tests/unit/engine/check_job.c, tests/procs/ranks.sh */
#ifndef EZ_JOB_H
#define EZ_JOB_H

#include "engine/base/base.h"

#define EZ_NO_RANK UINT32_MAX

struct ez_job {
    uint32_t rank; /* EZ_NO_RANK: no job, or no launcher that we know              */
    uint32_t size; /* of the job, in ranks; 0 = not known                          */
    char id[64];   /* the launcher's name of the job; "" = it has none, or no rank */
    char host[65]; /* this machine's node name, now                                */
};

/* The job of a process of this machine. Without a readable environment it has no rank. */
void ez_job_of(int pid, struct ez_job *out);
/* The same from n bytes of environment, "NAME=value\0NAME=value\0"; without the host. */
void ez_job_parse(const char *environment, size_t n, struct ez_job *out);
/* "-jobID-rankN-HOST" to be a part of a file's name; "" without a rank. The caller frees. */
char *ez_job_tag(const struct ez_job *job);

#endif
