/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.h - planting a probe step by step, at the user's commands ("set by-hand on"). */
#ifndef EZ_HAND_H
#define EZ_HAND_H

#include "engine/ezt.h"
#include "engine/probe/why.h"

/* Steps in their order. EZ_NHAND: all are done. */
enum ez_hand_step {
    EZ_HAND_ROOM,       /* find free memory within reach of the jump, without a change of the
                         * target */
    EZ_HAND_MAP,        /* map the memory that ROOM found */
    EZ_HAND_RELOCATE,   /* make the trampoline, with the moved instructions, in the shell */
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
    /* Valid once there is a trampoline (next > EZ_HAND_RELOCATE). lands: where the trampoline
     * returns to the function. */
    uint64_t site, island, trampoline, relocated, lands;
    unsigned jump, covered, trampoline_len, relocated_len; /* sizes in bytes */
    uint8_t before[16], after[16];                         /* bytes at the site, `jump` of them */
    struct ez_hand_insn insn[16];
    unsigned ninsn;
};

/* Begins to plant probe `number`, which belongs to the open transaction, in the stopped target.
 * Maps the runtime, which all probes share. Rolls back the transaction after an error. */
ez_err *ez_hand_begin(struct ez_target *t, int number) EZ_WUR;
/* Makes a step. EZ_E_STATE: the step was made already, or an earlier step was not. EZ_HAND_THREADS
 * may be repeated, or left out if no thread is in the bytes that EZ_HAND_JUMP overwrites. After
 * EZ_HAND_JUMP the probe is like any other. If the probe is refused, the transaction is rolled
 * back. */
ez_err *ez_hand_step(struct ez_target *t, enum ez_hand_step step) EZ_WUR;
/* Describes the planting so far. out->number 0: no probe is being planted by hand. */
void ez_hand_look(struct ez_target *t, struct ez_hand *out);
/* Finds the threads in the bytes that the jump will overwrite (ez_thread_places). Call it once the
 * trampoline is written. */
ez_err *ez_hand_threads(struct ez_target *t) EZ_WUR;
/* ez_rollback() undoes all steps before EZ_HAND_JUMP: it moves threads back and drops the probe.
 * Only EZ_HAND_JUMP changes text. */

#endif
