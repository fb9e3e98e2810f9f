/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.h - types, functions and places as text, like gdb's ptype, whatis and info scope. The
 * caller frees all texts. */
#ifndef EZ_DESCRIBE_H
#define EZ_DESCRIBE_H

#include "engine/expr/clause.h"

/* Finds the type that `text` names (*named is true), or the type of the expression `text`. */
ez_err *ez_describe_type(const struct ez_scope *s, const char *text, const struct ez_type **out,
                         bool *named) EZ_WUR;
/* Returns the type with the members of structs and the names of enums, over several lines. */
char *ez_type_whole(const struct ez_type *t);
/* Returns the prototype, "static int f(int n, char *name)", or NULL if unknown. */
char *ez_scope_prototype(const struct ez_scope *s);
/* Returns a text that says where a variable is: "in $rdi", "on the stack, 8 bytes above the return
 * address", ... */
char *ez_where_text(const struct ez_where *w);

#endif
