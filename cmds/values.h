/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.h - expressions for commands: the session's variables and history are told first
 * (engine/eval/eval.h). */
#ifndef EZ_VALUES_H
#define EZ_VALUES_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/eval/eval.h"

struct ez_sess;

/* The session's values, with $_, $_exitcode and $_shell_exitcode as they are now. */
struct ez_history *values_of(struct ez_sess *s);
/* An expression as an address, as `x` takes it. */
ez_err *values_address(struct ez_sess *s, const char *text, uint64_t *out) EZ_WUR;
/* printf.c: what `printf` prints of `"FORMAT", EXPR...`, to be freed. */
ez_err *values_printf(struct ez_sess *s, const char *text, char **out) EZ_WUR;
/* frames.c: where each frame of each thread begins (struct ez_stack_frame); added to *out. */
struct values_frames {
    uint64_t *at;
    size_t n, cap;
};
void values_frames(struct ez_sess *s, struct values_frames *out);

#endif
