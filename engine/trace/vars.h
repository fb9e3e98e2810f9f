/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vars.h - what became of variables: a table over the items of a model (model.h).
 *
 * A row is a variable of a container; or, if subjects of a kind are told apart ("file"), a variable
 * and what it was about, in all containers together. Tests: tests/unit/engine/check_about.c */
#ifndef EZ_VARS_H
#define EZ_VARS_H

#include "engine/trace/model.h"

struct ez_var_row {
    const char *variable, *module;
    const char *where;           /* the container, or the subject                          */
    const char *process;         /* of a subject that means something in one process; ""   */
    uint64_t sets, adds, subs;   /* how often it was set, grew, shrank              */
    double added, sampled;       /* by how much it grew and shrank, both positive   */
    double min, max, last, mean; /* of a container's: its values; of a subject's: the values that
                                  * it was set to; mean: of `sets`                 */
    const char *state;           /* the state, about the same subject, in which it grew; or NULL */
    uint64_t state_ns;           /* the time in all those states                            */
};

struct ez_vars {
    struct ez_var_row *row; /* sorted: by variable, then what grew most, then by name */
    size_t n;
};

/* kind: of the subjects; NULL = rows are variables of containers. The model must outlive it. */
struct ez_vars *ez_vars_create(const struct ez_model *m, const char *kind);
/* An ez_item_fn; its arg is the struct ez_vars. */
ez_err *ez_vars_item(void *vars, const struct ez_item *it);
void ez_vars_table(struct ez_vars *v);
void ez_vars_free(struct ez_vars *v);

#endif
