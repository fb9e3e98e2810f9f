/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vars.h - a table of the variables of a model (model.h).
 *
 * A row is a variable of a container. If rows distinguish subjects of a kind ("file"), a row is a
 * variable of a subject, summed over all containers.
 *
 * Tests: tests/unit/trace/check_about.c */
#ifndef EZ_VARS_H
#define EZ_VARS_H

#include "engine/trace/model.h"

struct ez_var_row {
    const char *variable, *module;
    const char *where;   /* name of the container, or text of the subject */
    const char *process; /* process in which the subject is valid; "" = all processes */
    /* numbers of times that the variable was set, increased and decreased */
    uint64_t sets, adds, subs;
    /* added: sum of the increases; taken: sum of the decreases, as a positive number */
    double added, taken;
    /* min, max, last: of all values of the variable if `where` is a container, or of the values to
     * which it was set if `where` is a subject. mean: mean of the values to which it was set. */
    double min, max, last, mean;
    /* name of the state with the same subject in which the variable first changed, or NULL */
    const char *state;
    uint64_t state_ns; /* sum of the times of all states with this name and subject */
};

struct ez_vars {
    /* sorted by module, then variable, then falling `added`, then `where` */
    struct ez_var_row *row;
    size_t n;
};

/* Creates a table. kind: kind of the subjects that rows distinguish; NULL = rows are variables of
 * containers. The model must outlive the table. */
struct ez_vars *ez_vars_create(const struct ez_model *m, const char *kind);
/* Adds an item to the table. The function is an ez_item_fn, and vars a struct ez_vars. */
ez_err *ez_vars_item(void *vars, const struct ez_item *it);
void ez_vars_table(struct ez_vars *v);
void ez_vars_free(struct ez_vars *v);

#endif
