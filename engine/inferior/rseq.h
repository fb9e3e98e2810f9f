/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rseq.h - restartable sequences. See rseq.c. */
#ifndef EZ_INFERIOR_RSEQ_H
#define EZ_INFERIOR_RSEQ_H

#include "engine/inferior/inferior.h"

/* Reads the sequences in the module's file. */
void ez_rseq_module(struct ez_target *t, struct ez_module *m);
/* Reads the sequences that stopped threads have registered. */
void ez_rseq_look(struct ez_target *t);
/* Returns true if a patch of [lo, hi) in module m (NULL: outside of modules) would break a
 * restartable sequence. */
bool ez_rseq_has(const struct ez_target *t, const struct ez_module *m, uint64_t lo, uint64_t hi);
/* Returns EZ_E_REFUSED if the site's patch region would break a restartable sequence. */
ez_err *ez_rseq_spared(const struct ez_target *t, const struct ez_site *s) EZ_WUR;
/* If the thread is in a restartable sequence, sets its pc to the abort handler, as the kernel does,
 * so that the thread can be moved elsewhere and back. */
ez_err *ez_rseq_leave(struct ez_target *t, struct ez_thread *th) EZ_WUR;

#endif
