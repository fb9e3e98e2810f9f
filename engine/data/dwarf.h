/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf.h - types, functions and names from a file's debug information, one by one as they are asked
 * for; they live as long as the object.
 *
 * libdw reads them in a process of its own (dwarf_priv.h): a damaged file ends that process, and is
 * not asked about again. */
#ifndef EZ_DWARF_H
#define EZ_DWARF_H

#include "engine/base/vec.h"
#include "engine/data/dwarf_priv.h"
#include "engine/data/type.h"

struct ez_object;
struct ez_dwarf;

/* The object's debug information; NULL: there is none, *why says so. */
struct ez_dwarf *ez_dwarf_of(struct ez_object *o, const char **why);
/* The type of that key; 0 = void. Never NULL. */
const struct ez_type *ez_dwarf_type(struct ez_dwarf *d, uint64_t key);

struct ez_dwarf_param {
    const char *name; /* NULL = none                                                  */
    const struct ez_type *type;
    struct dwarf_where where;
};
struct ez_dwarf_function {
    uint64_t unit, key;
    unsigned flags; /* DWARF_FN_*                                                    */
    const char *name;
    const struct ez_type *result; /* void = none                                     */
    EZ_VEC(struct ez_dwarf_param) param;
};
/* The function whose code begins at vaddr. false = nothing is said of it. out->param: to be freed. */
bool ez_dwarf_function(struct ez_dwarf *d, uint64_t vaddr, struct ez_dwarf_function *out);

struct ez_dwarf_symbol {
    const char *linkage; /* its name in symbol tables                                 */
    const struct ez_type *type;
    struct dwarf_where where;
};
/* A variable, an enumerator, a function. `name` may be "FILE\tNAME". near: of unit and function alone. */
bool ez_dwarf_symbol(struct ez_dwarf *d, const struct ez_dwarf_function *in, const char *name,
                     bool near, struct ez_dwarf_symbol *out);
/* The type called `name` ("struct s", "ns::c"); NULL = none. */
const struct ez_type *ez_dwarf_named(struct ez_dwarf *d, const struct ez_dwarf_function *in,
                                     const char *name, bool near);
/* Did reading the file end the reader? */
bool ez_dwarf_lost(const struct ez_dwarf *d);

/* The reader (dwarf_read.c). */
void ez_dwarf_serve(void);

#endif
