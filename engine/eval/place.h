/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - a DWARF computation in progress; for place.c and place_ops.c only. */
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
    unsigned pointers; /* number of synthetic pointers followed */
    bool in_base;      /* the frame base is being computed, so it cannot be used */
    uint64_t object;   /* for DW_OP_push_object_address; 0 = none */
    const char *why;   /* error text, or NULL */
};
struct piece {
    /* PIECE_NONE: optimized out */
    enum { PIECE_NONE, PIECE_MEMORY, PIECE_REGISTER, PIECE_VALUE } kind;
    uint64_t v, high;    /* high: upper part of a VALUE of more than 8 bytes */
    uint64_t bits, from; /* number of bits, from that bit on; 0 = all */
};

/* place_ops.c. Each function returns false if the place is unknown: p->why is the reason; NULL
 * means optimized out. */
bool place_wrong(struct place *p, const char *why);
bool place_register(struct place *p, uint64_t number, uint64_t *out);
/* Finds the vector register with that DWARF number. Returns false if it is none. */
bool place_vector(const struct place *p, uint64_t number, unsigned *out);
bool place_push(struct place *p, uint64_t v);
/* Runs one operation that pushes a word or changes words on the stack. */
bool place_op(struct place *p, const struct ez_dwarf_op *op);

#endif
