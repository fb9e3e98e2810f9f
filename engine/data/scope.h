/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.h - what names mean in a function of the target: its parameters and result, the program's
 * variables and types.
 *
 * Sources, the first that knows wins: a prototype that was typed in, the table of libc's functions
 * (known.c, for libc alone: it has flags by name), the debug information (dwarf.h). */
#ifndef EZ_SCOPE_H
#define EZ_SCOPE_H

#include "engine/data/clause.h"
#include "engine/data/dwarf.h"

struct ez_object;
struct ez_sym;

/* What names mean in the function at `vaddr` of the file obj, which is loaded with that bias. sym: its
 * symbol, or NULL. `prototype`: typed in, or "". vaddr 0: no function, only the
 * file's names and types. The scope lives until ez_scope_free(). EZ_E_ARG,
 * EZ_E_NOTFOUND: the prototype is wrong, or has a type that nobody knows. */
ez_err *ez_scope_of(struct ez_object *obj, uint64_t bias, const struct ez_sym *sym, uint64_t vaddr,
                    const char *prototype, struct ez_scope **out) EZ_WUR;
/* Names are then those of the function with that key in the debug information: one that is inlined there. */
void ez_scope_enter(struct ez_scope *s, uint64_t key);
void ez_scope_free(struct ez_scope *s);
/* Is it, by its symbol, a clone that the compiler made for itself? Its parameters follow no convention. */
bool ez_scope_is_clone(const struct ez_sym *sym);
/* A name that the function or its unit defines; false = neither does. What a unit only declares does not count. */
bool ez_scope_near(struct ez_scope *s, const char *name, struct ez_named *out);
bool ez_scope_near_type(struct ez_scope *s, const char *name);
/* The type of that name that every program of the language has; NULL = there is none. */
const struct ez_type *ez_scope_base(const struct ez_scope *s, const char *name);
/* Is the word a type there? near: nothing of other units counts. */
enum ez_means ez_scope_means(struct ez_scope *s, const char *word, bool near);
/* A type with the stars and dimensions of its name; that there is none. */
const struct ez_type *ez_scope_derived(const struct ez_type *base, const struct ez_type_name *name);
ez_err *ez_scope_no_type(const char *name) EZ_WUR;

#endif
