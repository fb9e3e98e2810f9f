/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.h - inside place.c and place_ops.c: a computation of DWARF's that is under way. */
#ifndef EZ_EVAL_PLACE_H
#define EZ_EVAL_PLACE_H

#include <dwarf.h>

#include "engine/data/dwarf.h"
#include "engine/eval/eval_priv.h"

#define PLACE_DEEPEST 64

struct place {
    struct eval *ev;
    const struct ez_dwarf_local *l;
    struct {
        uint64_t v, type; /* type: as in struct ez_dwarf_op; 0 = an address or any integer  */
    } stack[PLACE_DEEPEST];
    unsigned n;
    unsigned pointers; /* through so many synthetic ones                               */
    bool in_base;      /* being computed: it cannot need itself                      */
    uint64_t object;   /* of DW_OP_push_object_address; 0 = none                    */
    const char *why;   /* what is wrong; NULL = nothing                           */
};
struct piece {
    enum { PIECE_NONE, PIECE_MEMORY, PIECE_REGISTER, PIECE_VALUE } kind; /* none: optimized out  */
    uint64_t v, high;    /* high: of a VALUE of more than 8 bytes                          */
    uint64_t bits, from; /* so many, from that bit of what is there; 0 = all of it          */
};

/* place_ops.c. Each returns false if the place cannot be told: p->why says why; NULL = it is optimized out. */
bool place_wrong(struct place *p, const char *why);
bool place_register(struct place *p, uint64_t number, uint64_t *out);
/* The vector register that DWARF numbers so; false = it is none. */
bool place_vector(const struct place *p, uint64_t number, unsigned *out);
/* One operation that leaves a word on the stack, or changes those there. */
bool place_op(struct place *p, const struct ez_dwarf_op *op);

/* place.c: the address that operations compute, on a stack of their own. */
bool place_address(struct place *p, const struct ez_dwarf_ops *ops, uint64_t *out);

#endif
