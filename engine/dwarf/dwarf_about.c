/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_about.c - parts of a C++ class other than members, from the reader's answer
 * (dwarf_query.h). */
#include "engine/dwarf/dwarf_query.h"

struct abouts {
    EZ_VEC(struct ez_class_static) fixed;
    EZ_VEC(struct ez_class_method) method;
    EZ_VEC(struct ez_class_alias) alias;
};

static struct ez_class_method about_method(struct ez_dwarf *d, struct said *a)
{
    uint64_t flags = dwarf_number(a);
    struct ez_class_method m = { .is_virtual = flags & DWARF_METHOD_VIRTUAL,
                                 .is_static = flags & DWARF_METHOD_STATIC,
                                 .is_artificial = flags & DWARF_METHOD_ARTIFICIAL,
                                 .is_deleted = flags & DWARF_METHOD_DELETED };
    m.hidden = dwarf_number(a);
    m.vtable = dwarf_number(a);
    m.linkage = dwarf_text(d, a);
    return m;
}

static void about_read(struct ez_dwarf *d, struct said *a, enum dwarf_about what, struct abouts *to)
{
    const char *own = dwarf_text(d, a), *name = own ? own : "?";
    const struct ez_type *type = ez_dwarf_type(d, dwarf_number(a));
    uint8_t access = (uint8_t)dwarf_bounded(a, 3ul);
    struct ez_class_method m;
    switch (what) {
    case DWARF_ABOUT_ALIAS:
        EZ_PUSH(&to->alias, ((struct ez_class_alias){ name, type, access }));
        break;
    case DWARF_ABOUT_FIXED:
        EZ_PUSH(&to->fixed, ((struct ez_class_static){ name, type, access, dwarf_number(a) }));
        break;
    default:
        m = about_method(d, a);
        m.name = name, m.type = type, m.access = access;
        EZ_PUSH(&to->method, m);
    }
}

/* Returns the class data. For a declared type, those of its definition. */
const struct ez_type_class *dwarf_class_of(struct ez_type *t)
{
    struct ez_dwarf *d = t->maker;
    const uint64_t word[3] = { t->whole ? t->whole->key : t->key };
    struct said a;
    struct abouts to = { .fixed = { 0 } };
    uint64_t what;
    struct ez_type_class *c = ez_alloc(sizeof *c);
    if (dwarf_request(d, DWARF_CLASS, "", word, &a)) {
        c->is_class = dwarf_number(&a);
        for (size_t n = 0; (what = dwarf_number(&a)) && a.good && n < DWARF_MOST_PARTS; n++)
            about_read(d, &a, (enum dwarf_about)what, &to);
    }
    free(a.all);
    c->fixed = to.fixed.at, c->nfixed = to.fixed.n;
    c->method = to.method.at, c->nmethods = to.method.n;
    c->alias = to.alias.at, c->naliases = to.alias.n;
    EZ_PUSH(&d->kept, c);
    EZ_PUSH(&d->kept, to.fixed.at);
    EZ_PUSH(&d->kept, to.method.at);
    EZ_PUSH(&d->kept, to.alias.at);
    return c;
}
