/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roles.h - determines what kind of work a function or a state does (its role): the program's own
 * code, MPI, OpenMP, files, memory or locks. Output formats and the page of `report` group and
 * colour states by role.
 *
 * Tests: tests/unit/trace/check_roles.c, tests/unit/format/check_otf2.c */
#ifndef EZ_ROLES_H
#define EZ_ROLES_H

#include "engine/trace/model.h"

/* The interface to which a state belongs: for a module's state, by the module; MPI also for probed
 * functions of an MPI library. */
enum ez_paradigm {
    EZ_PARADIGM_USER, /* other probed functions, and states of other modules */
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
    EZ_ROLE_LOCKS, /* waits for locks, barriers and threads, and states in which a lock is held */
    EZ_ROLE_PAUSE,
    EZ_ROLES
};
/* Returns the role of a state or function. Probed functions of the C library and of OpenMP's
 * libraries have the role of the module that would record them. */
enum ez_role ez_role_of(const struct ez_name *n);
/* Returns the role's name: "MPI". */
const char *ez_role_name(enum ez_role role);

/* Returns the unit of a variable, "" if the unit is unknown. */
const char *ez_variable_unit(const struct ez_name *n);

/* Returns the name of an MPI function without the prefix "MPI_" or "PMPI_" and the suffix "_c", or
 * NULL if `text` is not the name of an MPI function. The caller frees the text. */
char *ez_mpi_function(const char *text);

#endif
