/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proto.h - prototypes as text, `int f(int, char *name, ...)`, typed by the user or from the table
 * of libc's functions.
 *
 * Accepted types: C's own; types that the caller's callback `type` knows; typedefs of POSIX
 * (size_t, pid_t); pointers to unknown structs; pointers to functions (`void (*f)(int)`); the types
 * of known.c. */
#ifndef EZ_PROTO_H
#define EZ_PROTO_H

#include "engine/expr/clause.h"

struct ez_proto {
    char *name;
    const struct ez_type *result;
    EZ_VEC(struct ez_param) param; /* a parameter's name is owned, and NULL if it has none */
    bool variadic;
};

/* Returns whether the text may be a prototype: it has a type, a name and parentheses. */
bool ez_proto_is(const char *text);
/* Sets *out to the function's name in a prototype, which the caller frees. Returns EZ_E_ARG if the
 * text is no prototype. */
ez_err *ez_proto_name(const char *text, char **out) EZ_WUR;
/* Parses a prototype. `type` is a callback for types of the program, or NULL. Returns EZ_E_ARG, or
 * EZ_E_NOTFOUND if a type is unknown. */
ez_err *ez_proto_parse(const char *text,
                       ez_err *(*type)(void *arg, const struct ez_type_name *name,
                                       const struct ez_type **out),
                       void *arg, struct ez_proto *out) EZ_WUR;
void ez_proto_free(struct ez_proto *p);

/* known.c: returns the prototype of a libc function, or NULL if it is not in the table. */
const char *ez_known_prototype(const char *function);
size_t ez_known_count(void);
const char *ez_known_at(size_t i);
/* Returns a type that the table of known.c defines: "open_flags", an enum of flags, or a typedef of
 * POSIX. */
const struct ez_type *ez_known_type(const char *name);

#endif
