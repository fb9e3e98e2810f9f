/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scope.h - the meaning of names in a function of the target: its parameters and result, the
 * program's variables and types.
 *
 * The first source that has a name is used: a prototype that was typed in, the table of libc's
 * functions (known.c; used only for libc), the debug information (dwarf.h). */
#ifndef EZ_SCOPE_H
#define EZ_SCOPE_H

#include "engine/expr/clause.h"
#include "engine/dwarf/dwarf.h"

struct ez_object;
struct ez_sym;

/* Creates the scope of the function at `vaddr` in the file `obj`. bias: an address in the process
 * minus the same address in the file. sym: the function's symbol, or NULL. prototype: as the user
 * typed it, or NULL. With vaddr 0 there is no function, only the file's names and types. The caller
 * frees the scope with ez_scope_free(). Returns EZ_E_ARG or EZ_E_NOTFOUND if the prototype is wrong
 * or has an unknown type. */
ez_err *ez_scope_of(struct ez_object *obj, uint64_t bias, const struct ez_sym *sym, uint64_t vaddr,
                    const char *prototype, struct ez_scope **out) EZ_WUR;
/* Switches to the names of an inlined function. key: key of its entry (dwarf_priv.h). */
void ez_scope_enter(struct ez_scope *s, uint64_t key);
void ez_scope_free(struct ez_scope *s);
/* Returns whether the symbol is a clone that the compiler made. Places of a clone's parameters
 * follow no calling convention. */
bool ez_scope_is_clone(const struct ez_sym *sym);
/* Finds a name that the function or its unit defines. A declaration is no definition. Returns false
 * if there is none. */
bool ez_scope_near(struct ez_scope *s, const char *name, struct ez_named *out);
bool ez_scope_near_type(struct ez_scope *s, const char *name);
/* Returns the language's built-in type of that name, or NULL. */
const struct ez_type *ez_scope_base(const struct ez_scope *s, const char *name);
/* Returns the meaning of a word in the scope. near: other compilation units are not searched. */
enum ez_means ez_scope_means(struct ez_scope *s, const char *word, bool near);
/* ez_scope_derived applies the stars and dimensions of a type's name. ez_scope_no_type returns the
 * error for an unknown type. */
const struct ez_type *ez_scope_derived(const struct ez_type *base, const struct ez_type_name *name);
ez_err *ez_scope_no_type(const char *name) EZ_WUR;

#endif
