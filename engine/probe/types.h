/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.h - prototypes of functions in the target's files, and the items that a probe can
 * collect. */
#ifndef EZ_TYPES_H
#define EZ_TYPES_H

#include "engine/ezt.h"

/* Returns the prototype of a function, which the caller frees, or NULL if it is unknown. */
char *ez_types_prototype(struct ez_object *o, const struct ez_sym *sym);

struct ez_types_item { /* an item that a probe can collect at a function's entry, or its result */
    const char *name;  /* NULL: the result */
    const char *type, *where;
    uint64_t size;
    bool gone; /* the item is optimized out */
};
/* Calls fn for each parameter of the function and, unless it is void, for its result. *why: the
 * reason if the prototype is unknown, otherwise NULL. */
void ez_types_scope(struct ez_object *o, uint64_t bias, const struct ez_sym *sym, const char **why,
                    void (*fn)(const struct ez_types_item *, void *), void *arg);

#endif
