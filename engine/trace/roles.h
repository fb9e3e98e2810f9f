/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roles.h - what a function or a state does: the program's own work, MPI, OpenMP, files, memory or
 * locks. Formats and the page of `report` group and colour by it.
 *
 * Tests: tests/unit/trace/check_roles.c, tests/unit/format/check_otf2.c */
#ifndef EZ_ROLES_H
#define EZ_ROLES_H

#include "engine/trace/model.h"

/* Who recorded a state: the module by its name, or MPI's library by probes. */
enum ez_paradigm {
    EZ_PARADIGM_USER, /* functions, and states of all other modules */
    EZ_PARADIGM_MPI,
    EZ_PARADIGM_OPENMP,
    EZ_PARADIGM_PTHREAD,
    EZ_PARADIGM_IO,
    EZ_PARADIGM_MEMORY,
    EZ_PARADIGM_PAUSE,
};
enum ez_paradigm ez_paradigm_of(const struct ez_name *n);

enum ez_role {
    EZ_ROLE_USER,
    EZ_ROLE_MPI,
    EZ_ROLE_OPENMP,
    EZ_ROLE_IO,
    EZ_ROLE_MEMORY,
    EZ_ROLE_LOCKS, /* waits for locks, barriers and threads; and times in which a lock is held */
    EZ_ROLE_PAUSE,
    EZ_ROLES
};
/* Returns the role of a state or function. Probed functions of the C library and of OpenMP's
 * libraries have the role of the module that would record them. */
enum ez_role ez_role_of(const struct ez_name *n);
/* Returns the role's name: "MPI". */
const char *ez_role_name(enum ez_role role);

/* Returns the unit of a variable, "" if it has none or it is unknown. */
const char *ez_variable_unit(const struct ez_name *n);

/* Returns the name of an MPI function without "MPI_", "PMPI_" and "_c", or NULL if the function is
 * none of MPI's. The caller frees the text. */
char *ez_mpi_function(const char *text);

#endif
