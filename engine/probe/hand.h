/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hand.h - a probe that is planted by hand: the steps of planting, one by one, as the user gives them. */
#ifndef EZ_HAND_H
#define EZ_HAND_H

#include "engine/ezt.h"
#include "engine/probe/why.h"

/* In the order in which they are taken. EZ_NHAND: all are done. */
enum ez_hand_step {
    EZ_HAND_ROOM,       /* find free memory within reach of the jump: changes nothing     */
    EZ_HAND_MAP,        /* map it                                                         */
    EZ_HAND_RELOCATE,   /* make the trampoline, with the moved instructions, in the shell       */
    EZ_HAND_TRAMPOLINE, /* write it to the target                                         */
    EZ_HAND_THREADS,    /* move the program counters that stand under the jump           */
    EZ_HAND_JUMP,       /* write the jump                                                 */
    EZ_NHAND
};

struct ez_hand_insn { /* an instruction under the jump, and what it became              */
    uint64_t from, to;
    unsigned from_len, to_len;
    uint8_t code[32]; /* of to_len bytes, 32 at most                                    */
};

struct ez_hand {
    int number; /* of the probe; 0 = none is planted by hand                            */
    enum ez_hand_step next;
    enum ez_probe_kind kind;
    uint64_t func, room;
    bool room_mapped; /* earlier probes left room there                                 */
    /* Once there is a trampoline (next > EZ_HAND_RELOCATE): */
    uint64_t site, island, trampoline, relocated, lands;
    unsigned jump, covered, trampoline_len, relocated_len; /* bytes                           */
    uint8_t before[16], after[16];                         /* at the site, `jump` bytes       */
    struct ez_hand_insn insn[16];
    unsigned ninsn;
};

/* Begin with the probe of that number, which the open transaction holds, in the stopped target: the runtime, which
 * all probes share, is mapped. After an error the transaction is rolled back. */
ez_err *ez_hand_begin(struct ez_target *t, int number) EZ_WUR;
/* Take a step. EZ_E_STATE: it was taken, or one before it was not. EZ_HAND_THREADS may be taken again. EZ_HAND_JUMP
 * may come without it while no thread stands under the jump. After EZ_HAND_JUMP the probe is as any other. A refusal
 * ends the session, as ez_rollback() does. */
ez_err *ez_hand_step(struct ez_target *t, enum ez_hand_step step) EZ_WUR;
void ez_hand_look(struct ez_target *t, struct ez_hand *out);
/* Which threads stand under the jump (ez_thread_places)? Once the trampoline is written. */
ez_err *ez_hand_threads(struct ez_target *t) EZ_WUR;
/* ez_rollback() undoes all of it: threads go back, the probe is forgotten, and the text was never changed. */

#endif
