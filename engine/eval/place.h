/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - a DWARF computation in progress; included only by place.c and place_ops.c. */
#ifndef EZ_EVAL_PLACE_H
#define EZ_EVAL_PLACE_H

#include <dwarf.h>

#include "engine/dwarf/dwarf.h"
#include "engine/eval/eval_priv.h"

#define PLACE_DEEPEST 64

struct place {
    struct eval *ev;
    const struct ez_dwarf_local *l;
    struct {
        uint64_t v, type; /* type as in struct ez_dwarf_op; 0 = an address or any integer */
    } stack[PLACE_DEEPEST];
    unsigned n;
    unsigned pointers; /* number of synthetic pointers on the way to this one */
    bool in_base;      /* the frame base itself is being computed, so no operation may use it */
    uint64_t object;   /* address for DW_OP_push_object_address; 0 = none */
    const char *why;   /* error text, or NULL */
};
struct piece {
    /* PIECE_NONE: the piece is optimized out */
    enum { PIECE_NONE, PIECE_MEMORY, PIECE_REGISTER, PIECE_VALUE } kind;
    uint64_t v, high; /* high: bytes 8 to 15 of a PIECE_VALUE */
    /* the piece has `bits` bits and begins at bit number `from`; bits 0 = the whole value */
    uint64_t bits, from;
};

/* place_ops.c. Each function returns false if the place cannot be computed. p->why is then the
 * reason, or NULL if the value is optimized out. */
bool place_wrong(struct place *p, const char *why);
bool place_register(struct place *p, uint64_t number, uint64_t *out);
/* Sets *out to the number of the vector register that has this DWARF number. Returns false if it is
 * no vector register. */
bool place_vector(const struct place *p, uint64_t number, unsigned *out);
bool place_push(struct place *p, uint64_t v);
/* Executes an operation that pushes a word, or changes words on the stack. */
bool place_op(struct place *p, const struct ez_dwarf_op *op);

#endif
