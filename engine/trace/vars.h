/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vars.h - a table of the variables of a model (model.h).
 *
 * A row is a variable of a container. If rows distinguish subjects of a kind ("file"), a row is a
 * variable of a subject, over all containers.
 *
 * Tests: tests/unit/trace/check_about.c */
#ifndef EZ_VARS_H
#define EZ_VARS_H

#include "engine/trace/model.h"

struct ez_var_row {
    const char *variable, *module;
    const char *where;         /* the container or the subject */
    const char *process;       /* process in which the subject is valid; "" = all */
    uint64_t sets, adds, subs; /* how often the variable was set, increased, decreased */
    double added, sampled;     /* sums of increases and of decreases, both positive */
    /* if `where` is a container: of all values; if it is a subject: of the values to which the
     * variable was set. mean is over `sets` values. */
    double min, max, last, mean;
    const char *state; /* state about the same subject in which the variable grew, or NULL */
    uint64_t state_ns; /* time in all states with that name and subject */
};

struct ez_vars {
    /* sorted by module, variable, then `added`, largest first, then by name */
    struct ez_var_row *row;
    size_t n;
};

/* Creates a table. kind: kind of the subjects that rows distinguish; NULL = rows are variables of
 * containers. The model must outlive the table. */
struct ez_vars *ez_vars_create(const struct ez_model *m, const char *kind);
/* Adds an item to the table. An ez_item_fn whose arg is the struct ez_vars. */
ez_err *ez_vars_item(void *vars, const struct ez_item *it);
void ez_vars_table(struct ez_vars *v);
void ez_vars_free(struct ez_vars *v);

#endif
