/* SPDX-License-Identifier: MIT */
/* rt_code.h - runs the code of clauses (engine/data_abi.h); for the runtime's C files alone. */
#ifndef EZ_RT_CODE_H
#define EZ_RT_CODE_H

#include "engine/data_abi.h"
#include "engine/rt/rt_priv.h"

/* The hit that code can read, and the place for its words. */
struct rt_run {
    struct ez_ctl *b;
    const uint64_t *reg; /* by DWARF numbers, except the stack pointer */
    const uint64_t *loc; /* address of the return address, now or before */
    uint64_t caller, tick;
    struct shadow_frame *saved; /* rt_data.c: shadow frame with saved words; 0: none */
    volatile uint64_t *out;     /* second record of the event; 0: no event */
    /* words: emitted so far; most: limit */
    uint32_t words, most;
    uint32_t item, bad; /* the current item; one bit per unreadable item */
    uint64_t name[3];   /* the key, if it is text */
};

/* Runs code. *result: the top of the stack at the end (0 if empty). Returns 0 if something could
 * not be read, or if the code is not what the shell wrote. */
int rt_code_run(struct rt_run *r, const struct ez_program *p, struct ez_code_at at,
                uint64_t *result) HIDDEN;
/* rt_addup.c. rt_addup() adds a value for a key. rt_name_key() returns the identity of a text. */
void rt_addup(struct rt_run *r, const struct ez_code_op *c, uint64_t key, uint64_t v) HIDDEN;
uint64_t rt_name_key(struct rt_run *r, uint64_t from, int *ok) HIDDEN;
/* rt_act.c: carries out the actions of the clauses for a hit that passed (one bit per clause).
 * first: those before the hit is recorded. */
void rt_act_all(struct rt_run *r, const struct ez_program *p, uint32_t passed, int at_exit,
                int first) HIDDEN;
static inline void rt_act(struct rt_run *r, const struct ez_program *p, uint32_t passed,
                          int at_exit, int first)
{
    if (p->acts)
        rt_act_all(r, p, passed, at_exit, first);
}
/* Sizes in bytes of a stack of fragments, of the room to run, of vector registers at its top, of
 * its guard. */
#define FRAGMENT_STACK (16ul << 20)
#define FRAGMENT_ROOM (256ul << 10) /* for a fragment to run, and the functions that it calls */
#define FRAGMENT_VECTORS 16384ul
#define FRAGMENT_GUARD 4096ul
/* rt_fragment.c: run the clause's fragment at the entry, and at the exit of the call. */
void rt_fragment_enter(struct rt_run *r, const struct ez_clause *c) HIDDEN;
void rt_fragment_exit(struct rt_run *r, const struct ez_clause *c) HIDDEN;
/* Run the caller's fragment for this call (EZT_BEFORE, EZT_BEHIND, or EZT_LEAVES), and for the
 * instruction at an address. */
void rt_fragment_place(struct rt_run *r, uint32_t when) HIDDEN;
void rt_fragment_there(struct rt_run *r, uint64_t at) HIDDEN;
/* Returns a call's saved word, for rt_code.c, or 0 if there is none. */
uint64_t *rt_saved(struct shadow_frame *e, uint32_t i) HIDDEN;
/* rt_read.c reads memory that may be missing. rt_read() reads n bytes (1, 2, 4 or 8) into *to;
 * returns 0 if they are missing. rt_look() returns where n bytes can be read: in place, or in buf;
 * *got: how many. */
int rt_read(struct rt_run *r, uint64_t *to, uint64_t from, uint32_t n) HIDDEN;
const char *rt_look(struct rt_run *r, void *buf, uint64_t from, uint32_t n, uint32_t *got) HIDDEN;

#endif
