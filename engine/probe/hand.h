/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.h - planting a probe step by step, at the user's commands ("set by-hand on"). */
#ifndef EZ_HAND_H
#define EZ_HAND_H

#include "engine/ezt.h"
#include "engine/probe/why.h"

/* The steps in their order. EZ_NHAND: all steps are done. */
enum ez_hand_step {
    EZ_HAND_ROOM, /* find free memory within reach of the jump, without changing the target */
    EZ_HAND_MAP,  /* map the memory that EZ_HAND_ROOM found */
    /* generate the trampoline, with the relocated instructions, in the shell's memory */
    EZ_HAND_RELOCATE,
    EZ_HAND_TRAMPOLINE, /* write the trampoline to the target */
    EZ_HAND_THREADS,    /* move threads out of the bytes that the jump overwrites */
    EZ_HAND_JUMP,       /* write the jump */
    EZ_NHAND
};

struct ez_hand_insn { /* an instruction that the jump overwrites, and its copy in the trampoline */
    uint64_t from, to;
    unsigned from_len, to_len;
    uint8_t code[32]; /* to_len bytes, 32 at most */
};

struct ez_hand {
    int number; /* number of the probe; 0: none is planted by hand */
    enum ez_hand_step next;
    enum ez_probe_kind kind;
    uint64_t func, room;
    bool room_mapped; /* the memory at `room` is mapped already, for earlier probes */
    /* Valid once the trampoline is generated (next > EZ_HAND_RELOCATE). lands: address in the
     * function to which the trampoline jumps back. */
    uint64_t site, island, trampoline, relocated, lands;
    unsigned jump, covered, trampoline_len, relocated_len; /* sizes in bytes */
    /* `jump` bytes at the site, before and after EZ_HAND_JUMP */
    uint8_t before[16], after[16];
    struct ez_hand_insn insn[16];
    unsigned ninsn;
};

/* Begins to plant probe `number`, which belongs to the open transaction, in the stopped target.
 * Maps the runtime, which all probes share. Rolls back the transaction after an error. */
ez_err *ez_hand_begin(struct ez_target *t, int number) EZ_WUR;
/* Makes a step. EZ_E_STATE: the step is already done, or an earlier step is not. EZ_HAND_THREADS
 * can be repeated, or omitted if no thread is in the bytes that EZ_HAND_JUMP overwrites. After
 * EZ_HAND_JUMP the probe is like any other probe. If the probe is refused, the transaction is
 * rolled back. */
ez_err *ez_hand_step(struct ez_target *t, enum ez_hand_step step) EZ_WUR;
/* Describes the probe that is being planted, after the steps so far. out->number 0: there is
 * none. */
void ez_hand_look(struct ez_target *t, struct ez_hand *out);
/* Finds the threads in the bytes that the jump will overwrite; ez_thread_places() then returns
 * them. Does nothing before EZ_HAND_TRAMPOLINE is done. */
ez_err *ez_hand_threads(struct ez_target *t) EZ_WUR;
/* Before EZ_HAND_JUMP, ez_rollback() undoes the steps: it moves threads back and drops the probe.
 * Only EZ_HAND_JUMP changes text. */

#endif
