/* SPDX-License-Identifier: GPL-3.0-or-later */
/* begin.h - what the inferior keeps of a process, from its begin to its end. See begin.c. */
#ifndef EZ_INFERIOR_BEGIN_H
#define EZ_INFERIOR_BEGIN_H

#include "engine/inferior/inferior.h"

/* What the inferior keeps of a process, from its begin to its end */
ez_err *ez_inferior_create(struct ez_target *t, const struct ez_inferior_ops *ops) EZ_WUR;
void ez_inferior_free(struct ez_target *t);
/* Process `pid` is the target's from now on. `child`: eztsh started it. `attached`: it is to be let
 * go when the target ends. The process counts as in the background until
 * ez_inferior_stands() or ez_world_stop(). */
void ez_inferior_begin(struct ez_target *t, pid_t pid, bool attached, bool child);
/* The new process's only thread is traced and stopped. */
void ez_inferior_stands(struct ez_target *t);
/* All threads were let go: the process runs untraced. */
void ez_inferior_background(struct ez_target *t);
/* The process has exec'ed, and its only thread is stopped. */
void ez_inferior_execed(struct ez_target *t);
void ez_inferior_end(struct ez_target *t); /* nothing of the process stays */
/* The file that `run` executes (NULL = none), and its symbols. */
void ez_inferior_program(struct ez_target *t, const char *path, struct ez_object *obj);

#endif
