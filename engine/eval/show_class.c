/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_class.c - shows pointers to members of C++ (eval_priv.h).
 *
 * Tests: tests/procs/kinds.sh */
#include <string.h>

#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"
#include "engine/sym/sym.h"

#define DEEPEST 16 /* maximum depth of bases */

/* Finds the data member at offset `at` in the class or its bases, or NULL; *in is the class that
 * has it. */
static const struct ez_field *show_member_at(const struct ez_type *class, int64_t at,
                                             unsigned depth, const struct ez_type **in)
{
    class = ez_type_load(ez_type_strip(class));
    for (size_t i = 0; i < class->nfields; i++)
        if (!class->field[i].base && !class->field[i].bits &&
            (int64_t) class->field[i].offset == at) {
            *in = class;
            return &class->field[i];
        }
    for (size_t i = 0; i < class->nfields && depth < DEEPEST; i++) {
        const struct ez_field *f = &class->field[i], *found = NULL;
        int64_t from = (int64_t)f->offset, size = (int64_t)ez_type_strip(f->type)->size;
        if (f->base && !f->vbase && at >= from && at < from + size)
            found = show_member_at(f->type, at - from, depth + 1, in);
        if (found)
            return found;
    }
    return NULL;
}

static void show_data_pointer(struct show *s, const struct ez_type *t, int64_t at)
{
    const struct ez_type *in = NULL;
    const struct ez_field *f = at == -1 || !t->of ? NULL : show_member_at(t->of, at, 0, &in);
    if (at == -1)
        show_add(s, "NULL");
    else if (f && f->name && in->name)
        show_add(s, "&%s::%s", in->name, f->name);
    else
        show_add(s, "%lld", (long long)at);
}

/* Shows the virtual function whose index in the class's table of virtual functions is `place`. */
static void show_virtual(struct show *s, const struct ez_type *t, uint64_t place)
{
    const struct ez_type_class *c = t->of ? ez_type_class(ez_type_strip(t->of)) : NULL;
    for (size_t i = 0; c && i < c->nmethods; i++)
        if (c->method[i].vtable == place + 1 && c->method[i].linkage) {
            EZ_FREE char *name = ez_name_pretty(c->method[i].linkage);
            show_add(s, "&virtual %s", name ? name : c->method[i].linkage);
            return;
        }
    show_add(s, "&virtual table offset %llu", (unsigned long long)place);
}

void show_member_pointer(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    uint64_t code = value_word(byte, 8);
    if (t->size == 8) {
        show_data_pointer(s, t, (int64_t)code);
        return;
    }
    int64_t adjusts = (int64_t)value_word(byte + 8, 8);
    if (code & 1) {
        show_virtual(s, t, (code - 1) / 8);
    } else if (!code) {
        show_add(s, "NULL");
        return;
    } else {
        EZ_FREE char *type = ez_type_text(t);
        show_add(s, "(%s) ", type);
        show_address(s, code);
    }
    if (adjusts)
        show_add(s, ", this adjustment %lld", (long long)adjusts);
}
