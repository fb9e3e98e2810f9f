/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.h - types, functions and places as text, as gdb's ptype, whatis and info scope have them. All
 * texts are to be freed. */
#ifndef EZ_DESCRIBE_H
#define EZ_DESCRIBE_H

#include "engine/data/clause.h"

/* The type that `text` names, or that the expression `text` has. EZ_E_ARG, EZ_E_NOTFOUND. *named: it was
 * a type's name. */
ez_err *ez_describe_type(const struct ez_scope *s, const char *text, const struct ez_type **out,
                         bool *named) EZ_WUR;
/* With the members of structs and the names of enums, over several lines. */
char *ez_type_whole(const struct ez_type *t);
/* "static int f(int n, char *name)"; NULL = that is not known. */
char *ez_scope_prototype(const struct ez_scope *s);
/* "a variable in $REGISTER", "on the stack, 8 bytes above the return address", ... */
char *ez_where_text(const struct ez_where *w);

#endif
