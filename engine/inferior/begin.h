/* SPDX-License-Identifier: GPL-3.0-or-later */
/* begin.h - sets up and clears the state of a process (begin.c). */
#ifndef EZ_INFERIOR_BEGIN_H
#define EZ_INFERIOR_BEGIN_H

#include "engine/inferior/inferior.h"

ez_err *ez_inferior_create(struct ez_target *t, const struct ez_inferior_ops *ops) EZ_WUR;
void ez_inferior_free(struct ez_target *t);
/* Makes process `pid` the target's process. child: eztsh started it. attached: eztsh attached to
 * it, and must release it when the target ends. The process is in the background until
 * ez_inferior_stands() or ez_world_stop(). */
void ez_inferior_begin(struct ez_target *t, pid_t pid, bool attached, bool child);
/* Notes that the new process's only thread is traced and stopped. */
void ez_inferior_stands(struct ez_target *t);
/* Notes that all threads were released: the process runs untraced. */
void ez_inferior_background(struct ez_target *t);
/* Notes that the process has exec'ed, and that its only thread is stopped. */
void ez_inferior_execed(struct ez_target *t);
void ez_inferior_end(struct ez_target *t); /* Drops everything about the process. */
/* Sets the file that `run` executes (NULL: none), and its symbols. */
void ez_inferior_program(struct ez_target *t, const char *path, struct ez_object *obj);

#endif
