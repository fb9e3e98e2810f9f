/* SPDX-License-Identifier: GPL-3.0-or-later */
/* begin.h - sets up and clears the state of a process (begin.c). */
#ifndef EZ_INFERIOR_BEGIN_H
#define EZ_INFERIOR_BEGIN_H

#include "engine/inferior/inferior.h"

ez_err *ez_inferior_create(struct ez_target *t, const struct ez_inferior_ops *ops) EZ_WUR;
void ez_inferior_free(struct ez_target *t);
/* Makes process `pid` the target's process. child: eztsh started the process. attached: eztsh
 * attached to the process. Its state is EZ_BACKGROUND until ez_inferior_stands() or ez_world_stop()
 * is called. */
void ez_inferior_begin(struct ez_target *t, pid_t pid, bool attached, bool child);
/* Records that the new process's only thread is traced and stopped. */
void ez_inferior_stands(struct ez_target *t);
/* Records that all threads were released: the process runs untraced. */
void ez_inferior_background(struct ez_target *t);
/* Records that the process has exec'ed, and that its only thread is stopped. */
void ez_inferior_execed(struct ez_target *t);
/* Begins to read from the core file, which the target owns from then on. */
void ez_inferior_core(struct ez_target *t, struct ez_corefile *core);
void ez_inferior_end(struct ez_target *t); /* Clears all state of the process. */
/* Sets the file that `run` executes (path NULL: none), and obj, which has the file's symbols. */
void ez_inferior_program(struct ez_target *t, const char *path, struct ez_object *obj);

#endif
