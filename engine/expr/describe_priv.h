/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe_priv.h - shared by describe.c and describe_class.c. */
#ifndef EZ_DESCRIBE_PRIV_H
#define EZ_DESCRIBE_PRIV_H

#include "engine/dwarf/type.h"

void describe_add(char **to, const char *text);
/* Returns a member as text, indented to the depth; a struct without a name is shown completely.
 * Reduces *left, the number of lines that may still be written. */
char *describe_member(const struct ez_field *f, unsigned depth, unsigned *left);
/* describe_class.c: appends the body of a C++ class. Returns false if the class has no members, or
 * is only declared. */
bool describe_class(char **s, const struct ez_type *t, unsigned depth, unsigned *left);

#endif
