/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.h - makes a thread run an injected call in a way that is safe if the shell dies. See
 * restorer.c. */
#ifndef EZ_INFERIOR_RESTORER_H
#define EZ_INFERIOR_RESTORER_H

#include "engine/inferior/inferior.h"

/* ez_restorer_is() sets the address of the runtime's restorer; 0: none. ez_restorer_for() returns
 * the address at which thread th can use a restorer now, or 0 if there is none. */
void ez_restorer_is(struct ez_target *t, uint64_t at);
uint64_t ez_restorer_for(struct ez_target *t, struct ez_thread *th);
/* Moves threads out of a block that a dead shell left in borrowed bytes, back to where they were,
 * and clears the block. If a thread in the block was forking a copy of the process, leaves both as
 * they are. */
ez_err *ez_restorer_tidy(struct ez_target *t) EZ_WUR;
/* Sets the registers and the signal mask of the stopped thread to those that are saved in the
 * block. */
ez_err *ez_restorer_skip(struct ez_target *t, struct ez_thread *th,
                         const uint8_t block[EZ_RESTORER_BYTES]) EZ_WUR;
struct ez_syscall {
    long nr;
    const uint64_t *arg; /* six arguments */
    /* the call forks a copy of the process, which must end by itself if the shell dies */
    bool copies;
};
ez_err *ez_restorer_inject(struct ez_target *t, struct ez_thread *th, uint64_t at,
                           const struct ez_syscall *call, int64_t *result, const char *why) EZ_WUR;

#endif
