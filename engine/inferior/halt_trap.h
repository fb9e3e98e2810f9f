/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt_trap.h - halts by trap instructions (halt_trap.c). engine/patch/halt_copy.c makes the copies
 * of instructions. */
#ifndef EZ_HALT_TRAP_H
#define EZ_HALT_TRAP_H

#include "arch/decode.h"

struct ez_target;
struct ez_thread;

struct ez_halt_trap { /* an address at which a trap instruction can be written */
    uint64_t addr;
    /* address of the copy of the instruction, with a jump back after it; 0: none yet */
    uint64_t copy;
    uint32_t row; /* row of the journal */
    bool stands;
    uint8_t len, insn[EZ_MAX_INSN]; /* the original instruction */
};

/* The jump from a copy back to the program's code. A thread may reach the jump late, when it
 * returns from a signal handler that interrupted the copy. If a probe's patch covers the
 * destination by then, the jump gets another destination (patch.c). */
struct ez_jump_back {
    uint64_t at, lands; /* at: address of the jump; 0 if the jump was changed */
};

/* Records a jump back at address `at`, with destination `lands`. The record is kept until the
 * process or its image is gone. */
void ez_halt_jumps_back(struct ez_target *t, uint64_t at, uint64_t lands);
/* Returns the destination of the jump back at `pc`, or 0 if there is none. */
uint64_t ez_halt_trap_lands(const struct ez_target *t, uint64_t pc);
/* Writes the trap of a halt at addr, if it is not there yet. The target must be stopped. Returns
 * EZ_E_REFUSED or another error if no trap is possible at addr. */
ez_err *ez_halt_trap_plant(struct ez_target *t, uint64_t addr) EZ_WUR;
/* Restores the program's bytes, and moves threads from copies to the original instructions. The
 * target must be stopped. */
ez_err *ez_halt_traps_out(struct ez_target *t) EZ_WUR;
void ez_halt_traps_forget(struct ez_target *t); /* Call when the process or its image is gone. */
/* Returns the address at which a thread at `pc` must continue: the instruction's copy if a trap is
 * written at `pc`, otherwise `pc`. */
uint64_t ez_halt_trap_past(const struct ez_target *t, uint64_t pc);
/* Returns true if the SIGTRAP that stopped the thread came from a halt's trap, sets *at to the
 * trap's address, and sets the thread back to the state before the trap. If registers cannot be
 * accessed, sets *e to the error and returns true. */
bool ez_halt_trap_hit(struct ez_target *t, struct ez_thread *th, uint64_t *at, ez_err **e);
/* Removes the traps from a forked child's copy of the text. */
void ez_halt_traps_cleanse(struct ez_target *t, pid_t child);

#endif
