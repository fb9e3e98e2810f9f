/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe_priv.h - shared by describe.c and describe_class.c. */
#ifndef EZ_DESCRIBE_PRIV_H
#define EZ_DESCRIBE_PRIV_H

#include "engine/data/type.h"

void describe_add(char **to, const char *text);
/* A member, in so many columns; a struct without a name is shown whole. left: lines that may still come. */
char *describe_member(const struct ez_field *f, unsigned depth, unsigned *left);
/* describe_class.c: what is between the braces of a class of C++. false = nothing is. */
bool describe_class(char **s, const struct ez_type *t, unsigned depth, unsigned *left);

#endif
