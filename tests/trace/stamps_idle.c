/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stamps_idle.c - ranks that wait in MPI sleep, for the programs of analyze.sh: with more ranks than processors, those
 * that spin keep others from running. Open MPI yields, MPICH with UCX polls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

int sched_yield(void)
{
    return usleep(100);
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *);
    static unsigned polls;
    if (!progress)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned did = progress(worker);
    if (did || ++polls < 100)
        return did;
    polls = 0;
    usleep(100);
    return did;
}
