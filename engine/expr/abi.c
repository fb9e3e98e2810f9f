/* SPDX-License-Identifier: GPL-3.0-or-later */
/* abi.c - splits types into scalars, whose places the calling convention gives (abi.h).
 * Tests: tests/procs/types.sh, tests/unit/dwarf/check_dwarf.c */
#include "engine/expr/abi.h"

#include <string.h>

#include "arch/arch.h"
#include "engine/base/vec.h"

#define DEEPEST 32
/* maximum number of scalars of a type; a type with more is passed in memory */
#define MOST 64
/* maximum number of types visited, because empty structs may contain each other any number of
 * times */
#define MOST_SEEN 4096

struct scalars {
    EZ_VEC(struct ez_abi_scalar) at;
    unsigned align, seen; /* seen: number of types visited */
};

static void abi_scalar(struct scalars *s, uint64_t offset, uint64_t bytes, enum ez_abi_class class)
{
    if (s->at.n < MOST && bytes)
        EZ_PUSH(&s->at, ((struct ez_abi_scalar){ offset, (unsigned)bytes, class }));
    s->align = EZ_MAX(s->align, bytes == 16 || class == EZ_ABI_LDOUBLE ? 16u : 8u);
}

static void abi_flatten(struct scalars *s, const struct ez_type *t, uint64_t offset,
                        unsigned depth);

static void abi_members(struct scalars *s, const struct ez_type *t, uint64_t offset, unsigned depth)
{
    ez_type_load(t);
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        if (!f->bits && !f->vbase)
            abi_flatten(s, f->type, offset + f->offset, depth + 1);
        for (unsigned byte = 0; f->bits && 8 * byte < f->bit + f->bits; byte++)
            abi_scalar(s, offset + f->offset + byte, 1, EZ_ABI_INT);
    }
}

static void abi_elements(struct scalars *s, const struct ez_type *t, uint64_t offset,
                         unsigned depth)
{
    uint64_t bytes = ez_type_strip(t->to)->size;
    if (t->is_vector) {
        abi_scalar(s, offset, t->size, t->size <= 8 ? EZ_ABI_FLOAT : EZ_ABI_VECTOR);
        return;
    }
    for (uint64_t i = 0; i < t->count && i < MOST && bytes && t->count != UINT64_MAX; i++)
        abi_flatten(s, t->to, offset + i * bytes, depth + 1);
}

static void abi_flatten(struct scalars *s, const struct ez_type *t, uint64_t offset, unsigned depth)
{
    t = ez_type_strip(t);
    s->align = EZ_MAX(s->align, t->align);
    if (depth > DEEPEST || s->at.n == MOST || ++s->seen > MOST_SEEN || t->is_declared)
        return;
    switch (t->kind) {
    case EZ_TY_STRUCT:
    case EZ_TY_UNION:
        abi_members(s, t, offset, depth);
        break;
    case EZ_TY_ARRAY:
        abi_elements(s, t, offset, depth);
        break;
    case EZ_TY_FLOAT:
        abi_scalar(s, offset, t->size,
                   t->size <= 8         ? EZ_ABI_FLOAT
                   : ez_type_is_quad(t) ? EZ_ABI_VECTOR
                                        : EZ_ABI_LDOUBLE);
        break;
    case EZ_TY_COMPLEX:
        for (unsigned i = 0; i < 2; i++)
            abi_scalar(s, offset + i * t->size / 2, t->size / 2,
                       t->size <= 16        ? EZ_ABI_FLOAT
                       : ez_type_is_quad(t) ? EZ_ABI_VECTOR
                                            : EZ_ABI_LDOUBLE);
        break;
    case EZ_TY_VOID:
    case EZ_TY_FUNC:
        break;
    case EZ_TY_MEMBER:
        for (uint64_t i = 0; i < t->size; i += 8)
            abi_scalar(s, offset + i, 8, EZ_ABI_INT);
        break;
    default:
        abi_scalar(s, offset, t->size, EZ_ABI_INT);
    }
}

static void abi_where(const struct ez_abi_place *p, struct ez_where *out)
{
    static const enum ez_where_kind kind[] = {
        [EZ_ABI_NOWHERE] = EZ_AT_NONE,      [EZ_ABI_IN_REGS] = EZ_AT_REGS,
        [EZ_ABI_POINTED] = EZ_AT_POINTED,   [EZ_ABI_STACK] = EZ_AT_STACK,
        [EZ_ABI_STACKED] = EZ_AT_STACKED,   [EZ_ABI_X87] = EZ_AT_X87,
        [EZ_ABI_RETURNED] = EZ_AT_RETURNED, [EZ_ABI_WIDE] = EZ_AT_NONE,
    };
    *out = (struct ez_where){ .kind = kind[p->at], .nregs = p->nregs };
    out->why =
        p->at == EZ_ABI_WIDE ? "It is in a vector register of more than 16 bytes." : "It is empty.";
    if (p->at == EZ_ABI_STACK || p->at == EZ_ABI_STACKED || p->reg[1].stack)
        out->offset = p->offset;
    for (unsigned i = 0; i < p->nregs; i++) {
        out->reg[i].vector = p->reg[i].vector;
        out->reg[i].high = p->reg[i].high;
        out->reg[i].stack = p->reg[i].stack;
        out->reg[i].number = p->reg[i].number;
    }
}

static void abi_place(struct ez_abi_call *c, const struct ez_type *t, bool by_address, bool result,
                      struct ez_where *out)
{
    const struct ez_convention *by = ez_arch_host()->abi.convention;
    struct scalars s = { .align = 8 };
    struct ez_abi_place p;
    t = ez_type_strip(t);
    abi_flatten(&s, t, 0, 0);
    struct ez_abi_value v = {
        .size = t->size,
        .align = s.align,
        .aggregate = t->kind == EZ_TY_STRUCT || t->kind == EZ_TY_UNION,
        .by_address = by_address || t->by_address,
        .scalar = s.at.at,
        .n = s.at.n,
    };
    *out = (struct ez_where){ .kind = EZ_AT_NONE,
                              .why = "where it is passed is not known on this processor" };
    if (by) {
        (result ? by->place_result : by->place_argument)(c, &v, &p);
        abi_where(&p, out);
    }
    EZ_VEC_FREE(&s.at);
}

bool ez_abi_of_rust(const struct ez_type *t)
{
    t = ez_type_load(ez_type_strip(t));
    return ez_type_is_scalar(t) || t->kind == EZ_TY_VOID || !t->size || ez_rust_is_text(t) ||
           ez_rust_is_slice(t);
}

/* Finds the place of Rust's &str and &[T], whose two words are passed like two arguments. */
static void abi_words(struct ez_abi_call *c, struct ez_where *out)
{
    struct ez_where second;
    abi_place(c, ez_type_int(8, false), false, false, out);
    abi_place(c, ez_type_int(8, false), false, false, &second);
    if (out->kind != EZ_AT_REGS)
        return;
    out->nregs = 2;
    out->reg[1] = second.reg[0];
    out->reg[1].stack = second.kind == EZ_AT_STACK;
    out->offset = second.offset;
}

void ez_abi_result(struct ez_abi_call *c, const struct ez_type *t, struct ez_where *out)
{
    abi_place(c, t, false, true, out);
    out->at_exit = true;
}

void ez_abi_argument(struct ez_abi_call *c, const struct ez_type *t, bool by_address,
                     struct ez_where *out)
{
    const struct ez_type *own = ez_type_strip(t);
    if (ez_rust_is_text(own) || ez_rust_is_slice(own))
        abi_words(c, out);
    else
        abi_place(c, t, by_address, false, out);
}
