/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.h - runs the code of expressions (engine/data_abi.h) in the shell, as the runtime does in
 * the target (engine/rt/rt_code.c): what is not in the code is asked of whoever runs it.
 * Tests: tests/unit/engine/check_eval.c, tests/fuzz/fuzz_expr.c, which has both machines run the same code. */
#ifndef EZ_MACHINE_H
#define EZ_MACHINE_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/data_abi.h"

struct ez_machine {
    void *arg;
    ez_err *(*read)(void *arg, uint64_t from, void *to, size_t n);
    /* What an operation pushes that no computation gives: registers, the frame, time. */
    ez_err *(*word)(void *arg, const struct ez_code_op *op, uint64_t *out);
    /* ITEM, EMIT, TEXT, BYTES: what is recorded, of the word that was popped. NULL = it is dropped. */
    void (*record)(void *arg, const struct ez_code_op *op, uint64_t v);
    /* Before an operation on integers: words that stand for something else become numbers. b NULL: it has one operand.
     * NULL = all words are numbers. */
    ez_err *(*numbers)(void *arg, const struct ez_code_op *op, uint64_t *a, uint64_t *b);
};

/* Code that was verified; the word that it leaves, or 0. Errors are those of read and word, and
 * `Division by zero`. */
ez_err *ez_machine_run(const struct ez_machine *m, const struct ez_code_op *op, size_t n,
                       uint64_t *result) EZ_WUR;

/* One of EZ_OP_ADD to EZ_OP_GE, of two words. `Division by zero`. */
ez_err *ez_machine_integers(const struct ez_code_op *op, uint64_t a, uint64_t b,
                            uint64_t *out) EZ_WUR;

#endif
