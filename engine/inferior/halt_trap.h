/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt_trap.h - see halt_trap.c; engine/patch/halt_copy.c makes the copies. */
#ifndef EZ_HALT_TRAP_H
#define EZ_HALT_TRAP_H

#include "arch/arch.h"

struct ez_target;
struct ez_thread;

struct ez_halt_trap { /* a place in code where a trap instruction can stand         */
    uint64_t addr;
    uint64_t copy; /* of the instruction, with a jump back behind it; 0 = none yet  */
    uint32_t row;  /* of the journal                                             */
    bool stands;
    uint8_t len, insn[EZ_MAX_INSN]; /* the instruction                            */
};

/* The jump behind a copy. A thread may reach that jump late, out of a signal's handler. A patch of the place where the
 * jump lands leads the jump on (patch.c). */
struct ez_jump_back {
    uint64_t at, lands; /* at: 0 = the jump was led on */
};

/* The instruction at `at` is such a jump; it stays so for as long as the process lives. */
void ez_halt_jumps_back(struct ez_target *t, uint64_t at, uint64_t lands);
/* Where the jump back at `pc` lands; 0 = there is none. */
uint64_t ez_halt_trap_lands(const struct ez_target *t, uint64_t pc);
/* World stopped. EZ_E_REFUSED and others: no trap can stand there. */
ez_err *ez_halt_trap_plant(struct ez_target *t, uint64_t addr) EZ_WUR;
/* World stopped. The program's bytes are back, and threads in copies are where the originals are. */
ez_err *ez_halt_traps_out(struct ez_target *t) EZ_WUR;
void ez_halt_traps_forget(struct ez_target *t); /* the process is gone, or its image */
/* The thread goes on there: if a trap stands at `pc`, in the instruction's copy. */
uint64_t ez_halt_trap_past(const struct ez_target *t, uint64_t pc);
/* Has the thread, which has stopped by a SIGTRAP, run into one? Then it is as before that. *at = its address. */
bool ez_halt_trap_hit(struct ez_target *t, struct ez_thread *th, uint64_t *at, ez_err **e);
/* Puts the program's bytes into `buf`, which was read at `from`. */
void ez_halt_traps_hide(const struct ez_target *t, uint64_t from, uint8_t *buf, size_t n);
/* A forked child has its own copy of them: takes them out there. */
void ez_halt_traps_cleanse(struct ez_target *t, pid_t child);

#endif
