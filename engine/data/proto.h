/* SPDX-License-Identifier: GPL-3.0-or-later */
/* proto.h - prototypes as text: `int f(int, char *name, ...)`, typed in, or from the table of libc's
 * functions.
 *
 * Types are C's own, those that the caller's `type` knows, POSIX's typedefs (size_t, pid_t), pointers to
 * structs that nobody knows, pointers to functions (`void (*f)(int)`), and the words of known.c. */
#ifndef EZ_PROTO_H
#define EZ_PROTO_H

#include "engine/data/clause.h"

struct ez_proto {
    char *name;
    const struct ez_type *result;
    EZ_VEC(struct ez_param) param; /* names are owned; NULL = none                       */
    bool variadic;
};

/* Could the text be a prototype: has it a type, a name and parentheses? */
bool ez_proto_is(const char *text);
/* The function's name in a prototype, to be freed. EZ_E_ARG: it is no prototype. */
ez_err *ez_proto_name(const char *text, char **out) EZ_WUR;
/* EZ_E_ARG; EZ_E_NOTFOUND: a type is not known. `type` may be NULL. */
ez_err *ez_proto_parse(const char *text,
                       ez_err *(*type)(void *arg, const struct ez_type_name *name,
                                       const struct ez_type **out),
                       void *arg, struct ez_proto *out) EZ_WUR;
void ez_proto_free(struct ez_proto *p);

/* known.c: the prototype of a function of libc; NULL = it is not in the table. */
const char *ez_known_prototype(const char *function);
size_t ez_known_count(void);
const char *ez_known_at(size_t i);
/* A type that only the table knows: "open_flags", an enum of flags; or a typedef of POSIX. */
const struct ez_type *ez_known_type(const char *name);

#endif
