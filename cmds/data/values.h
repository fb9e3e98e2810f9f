/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - expressions for commands, with the session's variables and history
 * (engine/eval/eval.h). */
#ifndef EZ_VALUES_H
#define EZ_VALUES_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/eval/eval.h"

struct ez_sess;

/* Returns the session's values, with the current $_, $bpnum, $_exitcode and $_shell_exitcode. */
struct ez_history *values_of(struct ez_sess *s);
/* values_set_last sets $_ to a number. values_set_examined sets $_ to the unit that `x` showed
 * last, and $__ to the unit's value. things: the unit is a string or an instruction, not a
 * number. */
void values_set_last(struct ez_sess *s, uint64_t value);
void values_set_examined(struct ez_sess *s, const struct ez_value *unit, bool things);
/* Sets *out to $_. Returns false if no command has set $_ yet. */
bool values_last(struct ez_sess *s, uint64_t *out);
/* Evaluates an expression as an address, as `x` does. */
ez_err *values_address(struct ez_sess *s, const char *text, uint64_t *out) EZ_WUR;
/* Returns the output of `printf` for `"FORMAT", EXPR...`; the caller frees (printf.c). */
ez_err *values_printf(struct ez_sess *s, const char *text, char **out) EZ_WUR;
/* frames.c: appends the canonical frame address (CFA) of each frame of each thread to *out. */
struct values_frames {
    uint64_t *at;
    size_t n, cap;
};
void values_frames(struct ez_sess *s, struct values_frames *out);

#endif
