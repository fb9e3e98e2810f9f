/* SPDX-License-Identifier: MIT */
/* rt_code.h - runs the code of clauses (engine/data_abi.h); for the runtime's C files alone. */
#ifndef EZ_RT_CODE_H
#define EZ_RT_CODE_H

#include "engine/data_abi.h"
#include "engine/rt/rt_priv.h"

/* What code sees of the hit, and where its words go. */
struct rt_run {
    struct ez_ctl *b;
    const uint64_t *reg; /* by DWARF's numbers, the stack pointer excepted      */
    const uint64_t *loc; /* where the return address stands, or stood           */
    uint64_t caller, tick;
    struct shadow_frame *saved; /* rt_data.c: where saved words are; 0 = nowhere     */
    volatile uint64_t *out;     /* the second record of the event; 0 = no event      */
    uint32_t words, most;       /* emitted; there is room for                        */
    uint32_t item, bad;         /* the current item; a bit each: not readable        */
    uint64_t name[3];           /* of the key that is a text                          */
};

/* *result: what is on top of the stack at the end (0 if nothing is). 0 = something could not be
 * read, or the code is not what the shell wrote. */
int rt_code_run(struct rt_run *r, const struct ez_program *p, struct ez_code_at at,
                uint64_t *result) HIDDEN;
/* rt_addup.c. rt_addup: one more value for a key. rt_name_key: the identity of a text. */
void rt_addup(struct rt_run *r, const struct ez_code_op *c, uint64_t key, uint64_t v) HIDDEN;
uint64_t rt_name_key(struct rt_run *r, uint64_t from, int *ok) HIDDEN;
/* rt_act.c: does what the clauses want, besides recording, of a hit that passed (a bit for each
 * clause); `first`: what comes before it is recorded. */
void rt_act_all(struct rt_run *r, const struct ez_program *p, uint32_t passed, int at_exit,
                int first) HIDDEN;
static inline void rt_act(struct rt_run *r, const struct ez_program *p, uint32_t passed,
                          int at_exit, int first)
{
    if (p->acts)
        rt_act_all(r, p, passed, at_exit, first);
}
/* A stack of fragments: bytes, of its guard, of the room to run, of vector registers at its top. */
#define FRAGMENT_STACK (16ul << 20)
#define FRAGMENT_ROOM (256ul << 10) /* for a fragment to run, and what it calls       */
#define FRAGMENT_VECTORS 16384ul
#define FRAGMENT_GUARD 4096ul
/* rt_fragment.c: the clause's fragment at the entry, and at the exit of the call. */
void rt_fragment_enter(struct rt_run *r, const struct ez_clause *c) HIDDEN;
void rt_fragment_exit(struct rt_run *r, const struct ez_clause *c) HIDDEN;
/* The caller's fragment for this call: EZT_BEFORE, EZT_BEHIND, or EZT_LEAVES; and the instruction at an address. */
void rt_fragment_place(struct rt_run *r, uint32_t when) HIDDEN;
void rt_fragment_there(struct rt_run *r, uint64_t at) HIDDEN;
/* The saved word of a call, for rt_code.c; 0 = there is none. */
uint64_t *rt_saved(struct shadow_frame *e, uint32_t i) HIDDEN;
/* rt_read.c: memory that may not be there. rt_read: n bytes (1, 2, 4 or 8) into *to, 0 = they are not
 * there. rt_look: where n bytes can be read: where they are, or copied to buf; *got = how many. */
int rt_read(struct rt_run *r, uint64_t *to, uint64_t from, uint32_t n) HIDDEN;
const char *rt_look(struct rt_run *r, void *buf, uint64_t from, uint32_t n, uint32_t *got) HIDDEN;

#endif
