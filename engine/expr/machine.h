/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - runs the code of expressions (engine/data_abi.h) in the shell, as engine/rt/rt_code.c
 * does in the target. Callbacks provide what is not in the code.
 *
 * Tests: tests/unit/engine/check_eval.c; tests/fuzz/fuzz_expr.c runs the same code on both
 * machines. */
#ifndef EZ_MACHINE_H
#define EZ_MACHINE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/data_abi.h"

struct ez_machine {
    void *arg;
    ez_err *(*read)(void *arg, uint64_t from, void *to, size_t n);
    /* Returns a word that no computation gives: a register, the frame, the time. */
    ez_err *(*word)(void *arg, const struct ez_code_op *op, uint64_t *out);
    /* Receives what is recorded (ITEM, EMIT, TEXT, BYTES), with the popped word. NULL = dropped. */
    void (*record)(void *arg, const struct ez_code_op *op, uint64_t v);
    /* Replaces words that stand for something else by numbers, before an operation on integers. b
     * is NULL for one operand. NULL = all words are numbers. */
    ez_err *(*numbers)(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b);
};

/* Runs verified code. *result is the word that the code leaves, or 0. Returns errors of read and
 * word, and `Division by zero`. */
ez_err *ez_machine_run(const struct ez_machine *m, const struct ez_code_op *op, size_t n,
                       uint64_t *result) EZ_WUR;

/* Computes one of EZ_OP_ADD to EZ_OP_GE of two words. Returns `Division by zero`. */
ez_err *ez_machine_integers(const struct ez_code_op *op, uint64_t a, uint64_t b,
                            uint64_t *out) EZ_WUR;

#endif
