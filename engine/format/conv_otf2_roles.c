/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_roles.c - the paradigm and the role of each region of an OTF2 archive (conv_otf2.c).
 * Vampir and other viewers use them to group and colour regions.
 *
 * The paradigm follows from ez_paradigm_of() (engine/trace/roles.h). States of the modules io and
 * memory have no paradigm. Pauses are artificial, and their paradigm is the measurement system.
 *
 * Tests: tests/unit/format/check_otf2.c, tests/procs/mpi.sh */
#include "config.h"

#ifdef HAVE_OTF2
#include <ctype.h>
#include <string.h>

#include "engine/format/conv_otf2.h"
#include "engine/trace/roles.h"

struct role { /* a name that ends in '*' means all names with that beginning */
    const char *name;
    OTF2_RegionRole role;
};

/* Names of functions without "MPI_", without the I of non-blocking functions, and without "_c". The
 * first entry that matches is used. */
static const struct role mpi_roles[] = {
    { "Barrier", OTF2_REGION_ROLE_BARRIER },
    { "Bcast", OTF2_REGION_ROLE_COLL_ONE2ALL },
    { "Scatter", OTF2_REGION_ROLE_COLL_ONE2ALL },
    { "Scatterv", OTF2_REGION_ROLE_COLL_ONE2ALL },
    { "Gather", OTF2_REGION_ROLE_COLL_ALL2ONE },
    { "Gatherv", OTF2_REGION_ROLE_COLL_ALL2ONE },
    { "Reduce", OTF2_REGION_ROLE_COLL_ALL2ONE },
    { "Allgather*", OTF2_REGION_ROLE_COLL_ALL2ALL },
    { "Allreduce*", OTF2_REGION_ROLE_COLL_ALL2ALL },
    { "Alltoall*", OTF2_REGION_ROLE_COLL_ALL2ALL },
    { "Reduce_scatter*", OTF2_REGION_ROLE_COLL_ALL2ALL },
    { "Scan", OTF2_REGION_ROLE_COLL_OTHER },
    { "Exscan", OTF2_REGION_ROLE_COLL_OTHER },
    { "Neighbor_*", OTF2_REGION_ROLE_COLL_OTHER },
    { "Send*", OTF2_REGION_ROLE_POINT2POINT },
    { "Bsend*", OTF2_REGION_ROLE_POINT2POINT },
    { "Ssend*", OTF2_REGION_ROLE_POINT2POINT },
    { "Rsend*", OTF2_REGION_ROLE_POINT2POINT },
    { "Recv*", OTF2_REGION_ROLE_POINT2POINT },
    { "Mrecv", OTF2_REGION_ROLE_POINT2POINT },
    { "Probe", OTF2_REGION_ROLE_POINT2POINT },
    { "Mprobe", OTF2_REGION_ROLE_POINT2POINT },
    { "Psend_init", OTF2_REGION_ROLE_POINT2POINT },
    { "Precv_init", OTF2_REGION_ROLE_POINT2POINT },
    { "Pready*", OTF2_REGION_ROLE_POINT2POINT },
    { "Parrived", OTF2_REGION_ROLE_POINT2POINT },
    { "Start*", OTF2_REGION_ROLE_POINT2POINT },
    { "Wait*", OTF2_REGION_ROLE_POINT2POINT },
    { "Test*", OTF2_REGION_ROLE_POINT2POINT },
    { "Cancel", OTF2_REGION_ROLE_POINT2POINT },
    { "Put", OTF2_REGION_ROLE_RMA },
    { "Get", OTF2_REGION_ROLE_RMA },
    { "Accumulate", OTF2_REGION_ROLE_RMA },
    { "Get_accumulate", OTF2_REGION_ROLE_RMA },
    { "Rput", OTF2_REGION_ROLE_RMA },
    { "Rget", OTF2_REGION_ROLE_RMA },
    { "Raccumulate", OTF2_REGION_ROLE_RMA },
    { "Rget_accumulate", OTF2_REGION_ROLE_RMA },
    { "Fetch_and_op", OTF2_REGION_ROLE_RMA },
    { "Compare_and_swap", OTF2_REGION_ROLE_RMA },
    { "Win_*", OTF2_REGION_ROLE_RMA },
    { "File_read*", OTF2_REGION_ROLE_FILE_IO },
    { "File_write*", OTF2_REGION_ROLE_FILE_IO },
    { "File_iread*", OTF2_REGION_ROLE_FILE_IO },
    { "File_iwrite*", OTF2_REGION_ROLE_FILE_IO },
    { "File_sync", OTF2_REGION_ROLE_FILE_IO },
    { "File_*", OTF2_REGION_ROLE_FILE_IO_METADATA },
    { "*", OTF2_REGION_ROLE_FUNCTION },
};

static const struct role openmp_roles[] = {
    { "Parallel region", OTF2_REGION_ROLE_PARALLEL },
    { "Working", OTF2_REGION_ROLE_CODE },
    { "Waiting at a barrier", OTF2_REGION_ROLE_BARRIER },
    { "Critical Section", OTF2_REGION_ROLE_CRITICAL_SBLOCK },
    { "Blocked on a *", OTF2_REGION_ROLE_CRITICAL },
    { "Single", OTF2_REGION_ROLE_SINGLE_SBLOCK },
    { "Waiting for the turn", OTF2_REGION_ROLE_ORDERED },
    { "Ordered", OTF2_REGION_ROLE_ORDERED_SBLOCK },
    { "Waiting for tasks", OTF2_REGION_ROLE_TASK_WAIT },
    { "Task", OTF2_REGION_ROLE_TASK },
    { "*", OTF2_REGION_ROLE_FUNCTION },
};

static const struct role pthread_roles[] = {
    { "Critical Section", OTF2_REGION_ROLE_CRITICAL_SBLOCK },
    { "Blocked on a semaphore", OTF2_REGION_ROLE_FUNCTION },
    { "Blocked on a *", OTF2_REGION_ROLE_CRITICAL },
    { "Waiting at a barrier", OTF2_REGION_ROLE_BARRIER },
    { "Waiting for a thread", OTF2_REGION_ROLE_THREAD_WAIT },
    { "*", OTF2_REGION_ROLE_FUNCTION },
};

static const struct role io_roles[] = {
    { "Reading", OTF2_REGION_ROLE_FILE_IO },
    { "Writing", OTF2_REGION_ROLE_FILE_IO },
    { "Synchronizing", OTF2_REGION_ROLE_FILE_IO },
    { "Opening", OTF2_REGION_ROLE_FILE_IO_METADATA },
    { "Closing", OTF2_REGION_ROLE_FILE_IO_METADATA },
    { "*", OTF2_REGION_ROLE_FUNCTION },
};

static const struct role any_role[] = { { "*", OTF2_REGION_ROLE_FUNCTION } };
static const struct role pause_role[] = { { "*", OTF2_REGION_ROLE_ARTIFICIAL } };

static const struct {
    OTF2_Paradigm paradigm;
    const struct role *roles;
} paradigms[] = {
    [EZ_PARADIGM_USER] = { OTF2_PARADIGM_USER, any_role },
    [EZ_PARADIGM_MPI] = { OTF2_PARADIGM_MPI, mpi_roles },
    [EZ_PARADIGM_OPENMP] = { OTF2_PARADIGM_OPENMP, openmp_roles },
    [EZ_PARADIGM_PTHREAD] = { OTF2_PARADIGM_PTHREAD, pthread_roles },
    [EZ_PARADIGM_IO] = { OTF2_PARADIGM_NONE, io_roles },
    [EZ_PARADIGM_MEMORY] = { OTF2_PARADIGM_NONE, any_role },
    [EZ_PARADIGM_PAUSE] = { OTF2_PARADIGM_MEASUREMENT_SYSTEM, pause_role },
};

static OTF2_RegionRole roles_find(const struct role *r, const char *name)
{
    for (;; r++) {
        size_t n = strlen(r->name) - 1;
        if (r->name[n] == '*' ? !strncmp(r->name, name, n) : !strcmp(r->name, name))
            return r->role;
    }
}

/* Returns the role of an MPI function. name: the result of ez_mpi_function(); may be changed. */
static OTF2_RegionRole roles_of_mpi(char *name)
{
    OTF2_RegionRole role = roles_find(mpi_roles, name);
    if (role != OTF2_REGION_ROLE_FUNCTION || name[0] != 'I' || !name[1])
        return role;
    name[1] = (char)toupper((unsigned char)name[1]);
    return roles_find(mpi_roles, name + 1);
}

struct otf2_kind otf2_kind_of(const struct ez_name *n)
{
    const enum ez_paradigm p = ez_paradigm_of(n);
    struct otf2_kind kind = { paradigms[p].paradigm, OTF2_REGION_ROLE_ARTIFICIAL };
    EZ_FREE char *mpi = p == EZ_PARADIGM_MPI ? ez_mpi_function(n->text) : NULL;
    if (n->kind != EZ_N_EVENT)
        kind.role = mpi ? roles_of_mpi(mpi) : roles_find(paradigms[p].roles, n->text);
    return kind;
}

const struct otf2_class *otf2_classes(void)
{
    static const struct otf2_class all[] = {
        { OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS },
        { OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN },
        { OTF2_PARADIGM_PTHREAD, "POSIX threads", OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT },
        { OTF2_PARADIGM_UNKNOWN, NULL, 0 },
    };
    return all;
}

#endif
