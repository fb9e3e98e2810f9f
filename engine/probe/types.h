/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - types and prototypes in the target's files, and what a probe can collect. The caller
 * frees the texts. */
#ifndef EZ_TYPES_H
#define EZ_TYPES_H

#include "engine/ezt.h"

/* Returns the prototype of a function, or NULL if it is unknown. */
char *ez_types_prototype(struct ez_object *o, const struct ez_sym *sym);

struct ez_types_item { /* an item that a probe can collect at a function's entry, or its result */
    const char *name;  /* NULL: the result */
    const char *type, *where;
    uint64_t size;
    bool gone; /* optimized out */
};
/* Calls fn for each parameter of the function and for its result. *why: the reason if nothing is
 * known about the function, otherwise NULL. */
void ez_types_scope(struct ez_object *o, uint64_t bias, const struct ez_sym *sym, const char **why,
                    void (*fn)(const struct ez_types_item *, void *), void *arg);

#endif
