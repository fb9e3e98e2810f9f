/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - runs the code of expressions (engine/data_abi.h) in the shell, as engine/rt/rt_code.c
 * does in the target. Callbacks provide registers and memory.
 *
 * Tests: tests/unit/eval/check_eval.c; tests/fuzz/fuzz_expr.c runs the same code on both
 * machines. */
#ifndef EZ_MACHINE_H
#define EZ_MACHINE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/data_abi.h"

struct ez_machine {
    void *arg;
    ez_err *(*read)(void *arg, uint64_t from, void *to, size_t n);
    /* Returns a word from outside: a register, a word of the frame, the time. */
    ez_err *(*word)(void *arg, const struct ez_code_op *op, uint64_t *out);
    /* Receives the operations that record (ITEM, EMIT, TEXT, BYTES), with the popped word. NULL:
     * such operations do nothing. */
    void (*record)(void *arg, const struct ez_code_op *op, uint64_t v);
    /* Replaces, before an operation on integers, operands that are no plain numbers (held
     * addresses, engine/eval/held.c). b is NULL if there is one operand. NULL: all words are
     * numbers. */
    ez_err *(*numbers)(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b);
};

/* Runs verified code. *result is the word that the code leaves, or 0. Returns the errors of the
 * callbacks, and `Division by zero`. */
ez_err *ez_machine_run(const struct ez_machine *m, const struct ez_code_op *op, size_t n,
                       uint64_t *result) EZ_WUR;

/* Returns the error of a `word` callback that does not know the word. */
ez_err *ez_machine_only_in_hit(void) EZ_WUR;

/* Executes one of the operations EZ_OP_ADD to EZ_OP_GE on two words. Returns `Division by zero`. */
ez_err *ez_machine_integers(const struct ez_code_op *op, uint64_t a, uint64_t b,
                            uint64_t *out) EZ_WUR;

#endif
