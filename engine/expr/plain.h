/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain.h - evaluates expressions over numbers and texts that the caller supplies, without types
 * and without the memory of a program. Conditions on ranks (engine/jobs/where.c) and on the calls
 * of a trace (engine/trace/condition.c) use it.
 *
 * Integers have 128 bits, so that signed and unsigned numbers compare by their values. If one
 * operand of an arithmetic operator is a floating-point number, the result is one, too. A text may
 * only be compared by == and !=; the other operand may have wildcards (fnmatch). An operation on an
 * unknown value gives an unknown value, except that one operand may decide `&&` or `||` alone.
 *
 * Tests: tests/unit/expr/check_plain.c */
#ifndef EZ_PLAIN_H
#define EZ_PLAIN_H

#include "engine/expr/expr.h"

enum ez_plain_kind { EZ_PL_UNKNOWN, EZ_PL_INT, EZ_PL_REAL };
struct ez_plain {
    enum ez_plain_kind kind; /* kind of the number */
    __int128 i;
    double real;
    const char *text; /* a text, or NULL; a value may have a number and a text, such as a thread's
                       * number and name */
    /* the text is a title with the number, "rank 1: worker 42"; a comparison with "worker" is true,
     * too */
    bool title;
    bool null; /* a text that is NULL: the number is 0, and it differs from all texts */
};

static inline struct ez_plain ez_plain_int(__int128 i)
{
    return (struct ez_plain){ .kind = EZ_PL_INT, .i = i };
}
static inline struct ez_plain ez_plain_real(double real)
{
    return (struct ez_plain){ .kind = EZ_PL_REAL, .real = real };
}
static inline struct ez_plain ez_plain_text(const char *text)
{
    return (struct ez_plain){ .text = text };
}

/* Supplies the value of a variable: a name, a $variable, or an access such as p->x, s.x, a[1] or
 * *p. An error ends the evaluation. */
typedef ez_err *ez_plain_fn(void *arg, const struct ez_expr *variable, struct ez_plain *out);

enum ez_plain_mode {
    EZ_PLAIN_STRICT,  /* a division by zero is an error */
    EZ_PLAIN_LENIENT, /* a division by zero gives an unknown value */
    EZ_PLAIN_CHECK, /* as STRICT; also the operands that && and || would skip are evaluated, so that
                       * their errors show */
};
/* Evaluates x as a condition: *out is whether its value is known and not 0. Returns EZ_E_ARG for
 * operators and kinds of expressions that have no meaning here, such as assignments and calls, and
 * for texts where numbers are expected. */
ez_err *ez_plain_holds(const struct ez_expr *x, enum ez_plain_mode mode, ez_plain_fn *fn, void *arg,
                       bool *out) EZ_WUR;
/* Returns whether x is an expression that ez_plain_fn supplies as a whole. */
bool ez_plain_is_variable(const struct ez_expr *x);
/* Returns the source of such an expression in one spelling: "p->x", "a[1]". The caller frees it. */
char *ez_plain_spelling(const struct ez_expr *x);

#endif
