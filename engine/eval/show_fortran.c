/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_fortran.c - shows Fortran values in gdb's notation: "((1, 2) (3, 4))", "( x = 1, y = 2
 * )".
 *
 * Tests: tests/procs/fortran.sh */
#include <string.h>

#include "engine/dwarf/type.h"
#include "engine/eval/eval_priv.h"

/* ---- arrays ---------------------------------------------------------------------------------- */

struct fortran_walk { /* state while the elements of an array are shown */
    struct show *s;
    unsigned shown; /* number of elements shown */
};

static bool forshow_nests(const struct ez_type *to)
{
    return to->kind == EZ_TY_ARRAY && !to->is_vector && !ez_fortran_is_text(to);
}

/* Returns the number of elements inside all dimensions of `t`. */
static uint64_t forshow_elements(const struct ez_type *t)
{
    uint64_t n = 1;
    for (; forshow_nests(t) && t->count != UINT64_MAX; t = ez_type_strip(t->to))
        n *= t->count;
    return n;
}

static void forshow_repeats(struct fortran_walk *w, uint64_t n)
{
    show_add(w->s, "<repeats %llu times>", (unsigned long long)n);
}

/* Shows the innermost dimension, of n elements with `size` bytes each. */
static void forshow_row(struct fortran_walk *w, const struct ez_type *type, const uint8_t *byte,
                        uint64_t n, size_t size)
{
    struct show *s = w->s;
    uint64_t same = 0; /* number of elements that are equal to the last shown element */
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *at = byte + i * size;
        bool last = i + 1 == n, repeated = i && show_same(s, at - size, at, size);
        if (w->shown >= s->most) {
            show_add(s, "...");
            return;
        }
        same += repeated;
        w->shown++;
        if (repeated && !last && w->shown != s->most)
            continue;
        if (same >= SHOW_REPEATS)
            forshow_repeats(w, same + 1);
        for (uint64_t k = same < SHOW_REPEATS ? same : 0; k > 0; k--) {
            show_any(s, type, at - size, size);
            show_add(s, k > 1 ? ", " : "");
        }
        if (!repeated) {
            show_add(s, same ? ", " : "");
            show_any(s, type, at, size);
        }
        same = 0;
        show_add(s, last ? "" : ", ");
    }
}

static void forshow_dimension(struct fortran_walk *w, const struct ez_type *t, const uint8_t *byte,
                              bool last);

/* Shows an outer dimension, whose n elements are arrays of `size` bytes each. */
static void forshow_rows(struct fortran_walk *w, const struct ez_type *to, const uint8_t *byte,
                         uint64_t n, size_t size)
{
    struct show *s = w->s;
    uint64_t same = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint8_t *at = byte + i * size;
        bool last = i + 1 == n, repeated = i && show_same(s, at - size, at, size);
        if (w->shown >= s->most) {
            show_add(s, "...");
            return;
        }
        same += repeated;
        if (repeated && !last)
            continue;
        if (same >= SHOW_REPEATS) {
            forshow_repeats(w, same + 1);
            show_add(s, repeated ? "" : " ");
            w->shown += (unsigned)EZ_MIN(same * forshow_elements(to), (uint64_t)UINT32_MAX / 2);
        } else {
            for (; same > 0; same--)
                forshow_dimension(w, to, at - size, repeated && same == 1);
        }
        same = 0;
        if (!repeated && w->shown >= s->most)
            show_add(s, "...");
        else if (!repeated)
            forshow_dimension(w, to, at, last);
    }
}

static void forshow_dimension(struct fortran_walk *w, const struct ez_type *t, const uint8_t *byte,
                              bool last)
{
    const struct ez_type *to = ez_type_load(ez_type_strip(t->to));
    size_t size = to->size ? to->size : 1;
    uint64_t n = t->count == UINT64_MAX ? 0 : EZ_MIN(t->count, t->size / size);
    show_add(w->s, "(");
    if (forshow_nests(to))
        forshow_rows(w, to, byte, n, size);
    else
        forshow_row(w, t->to, byte, n, size);
    show_add(w->s, last ? ")" : ") ");
}

/* Shows a component of a derived type that is described by a descriptor: the n bytes at `byte`. */
static void forshow_described(struct show *s, const struct ez_type *t, const uint8_t *byte,
                              uint64_t n)
{
    struct eval ev = { .v = s->v, .t = s->v->t };
    struct ez_value is = value_made(ez_type_array_of(ez_type_base("char"), n), byte, n);
    struct ez_named at;
    names_begin(&ev);
    fortran_hold(&ev, is.type, byte, n, &at);
    at.type = t;
    fortran_shape(&ev, &at);
    const struct ez_type *known = ez_type_strip(at.type);
    EZ_FREE uint8_t *elements = ez_alloc(EZ_MIN(known->size, (uint64_t)EVAL_LARGEST) + 1);
    if (known->absent)
        show_add(s, "<%s>", known->absent);
    else if (at.where.kind != EZ_AT_MEMORY || known->size > EVAL_LARGEST)
        show_add(s, "<error: its bounds are not known>");
    else if (!ez_err_drop(eval_read(&ev, at.where.addr, elements, known->size)))
        show_add(s, "<error: Cannot access memory at address 0x%llx>",
                 (unsigned long long)at.where.addr);
    else
        show_any(s, known, elements, known->size);
    names_end(&ev);
    ez_value_clear(&is);
}

void show_fortran_array(struct show *s, const struct ez_type *t, const uint8_t *byte, uint64_t n)
{
    struct fortran_walk w = { .s = s };
    if (t->is_dynamic && !t->absent)
        forshow_described(s, t, byte, n);
    else if (t->absent)
        show_add(s, "<%s>", t->absent);
    else if (t->count == UINT64_MAX)
        show_add(s, "<error: the end of the array is not known>");
    else if (ez_fortran_is_text(t))
        show_chars(s, byte, t->size);
    else
        forshow_dimension(&w, t, byte, true);
}

/* ---- derived types --------------------------------------------------------------------------- */

void show_fortran_struct(struct show *s, const struct ez_type *t, const uint8_t *byte)
{
    show_add(s, "( ");
    for (size_t i = 0; i < t->nfields; i++) {
        const struct ez_field *f = &t->field[i];
        uint64_t from = EZ_MIN(f->offset, t->size);
        show_add(s, i ? ", " : "");
        if (f->name)
            show_add(s, "%s = ", f->name);
        show_any(s, f->type, byte + from, t->size - from);
    }
    show_add(s, " )");
}

/* After a pointer to one-byte integers or characters, shows the string at the address, as gdb
 * does. */
void show_fortran_text_at(struct show *s, const struct ez_type *pointer, uint64_t at)
{
    const struct ez_type *to = pointer->to ? ez_type_strip(pointer->to) : NULL;
    bool chars = to && (to->kind == EZ_TY_INT || to->kind == EZ_TY_CHAR) && to->size == 1;
    if (pointer->kind != EZ_TY_POINTER || !at || !chars)
        return;
    show_add(s, " ");
    show_pointed(s, at, 0, 1);
}
