/* SPDX-License-Identifier: GPL-3.0-or-later */
/* restorer.h - makes a thread run an injected call so that the shell's death does no harm. See
 * restorer.c. */
#ifndef EZ_INFERIOR_RESTORER_H
#define EZ_INFERIOR_RESTORER_H

#include "engine/inferior/inferior.h"

/* ez_restorer_is() sets the address of the runtime's restorer; 0: none. ez_restorer_for() returns
 * an address at which this thread can use a restorer now, or 0. */
void ez_restorer_is(struct ez_target *t, uint64_t at);
uint64_t ez_restorer_for(struct ez_target *t, struct ez_thread *th);
/* Clears a block that a dead shell left, and moves a thread that is in it back to where it was. */
ez_err *ez_restorer_tidy(struct ez_target *t) EZ_WUR;
/* Gives the stopped thread the registers and the signal mask that are saved in the block. */
ez_err *ez_restorer_skip(struct ez_target *t, struct ez_thread *th,
                         const uint8_t block[EZ_RESTORER_BYTES]) EZ_WUR;
struct ez_syscall {
    long nr;
    const uint64_t *arg; /* six arguments */
    bool copies;         /* the call copies the process: without the shell the copy must end */
};
ez_err *ez_restorer_inject(struct ez_target *t, struct ez_thread *th, uint64_t at,
                           const struct ez_syscall *call, int64_t *result, const char *why) EZ_WUR;

#endif
