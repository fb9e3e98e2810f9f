/* SPDX-License-Identifier: MIT */
/* rt_code.h - runs the code of clauses (engine/data_abi.h). */
#ifndef EZ_RT_CODE_H
#define EZ_RT_CODE_H

#include "engine/data_abi.h"
#include "engine/rt/rt_priv.h"

/* What the code of a clause can read of the current hit, and where the emitted words go. */
struct rt_run {
    struct ez_ctl *b;
    const uint64_t *reg; /* registers by their DWARF numbers, except the stack pointer; 0 =
                          * unknown */
    const uint64_t *loc; /* address of the return address, also after the return */
    uint64_t caller, tick;
    struct shadow_frame *saved; /* first shadow frame with saved words (rt_data.c); 0 = none */
    /* address of the event's first word, in the event's second record; 0 = no event */
    volatile uint64_t *out;
    /* words: number of words emitted so far; most: maximum of `words` */
    uint32_t words, most;
    uint32_t item, bad; /* item: index of the current item; bad: a bit for each unreadable item */
    /* 1 = the event must have `tick`, because recording pauses or resumes at that tick */
    uint32_t ticked;
    uint64_t name[3]; /* the key's text, if the key is text */
};

/* Runs code. *result: the top of the stack at the end (0 if the stack is empty). Returns 0 if a
 * word could not be read or computed, if `at` is not in the program's code, or in a forked
 * child. */
int rt_code_run(struct rt_run *r, const struct ez_program *p, struct ez_code_at at,
                uint64_t *result) HIDDEN;
/* rt_addup.c. rt_addup() adds the value v to the row of `key`. rt_name_key() returns a hash that
 * identifies a text. */
void rt_addup(struct rt_run *r, const struct ez_code_op *c, uint64_t key, uint64_t v) HIDDEN;
uint64_t rt_name_key(struct rt_run *r, uint64_t from, int *ok) HIDDEN;
/* rt_act.c: carries out the actions, and runs the fragments, of the clauses that a hit passed;
 * `passed` has a bit for each clause. first: 1 = runs the actions that come before the recording of
 * the hit, 0 = those that come after it. */
void rt_act_all(struct rt_run *r, const struct ez_program *p, uint32_t passed, int at_exit,
                int first) HIDDEN;
static inline void rt_act(struct rt_run *r, const struct ez_program *p, uint32_t passed,
                          int at_exit, int first)
{
    if (p->acts)
        rt_act_all(r, p, passed, at_exit, first);
}
/* bytes for vector registers at the top of a stack of fragments */
#define FRAGMENT_VECTORS 16384ul
/* stack bytes for a fragment, and for the functions that the fragment calls */
#define FRAGMENT_ROOM (256ul << 10)
/* rt_fragment.c: rt_fragment_enter() starts a clause's fragment at the call's entry and runs it
 * until it suspends itself; rt_fragment_exit() continues the fragment at the call's exit. */
void rt_fragment_enter(struct rt_run *r, const struct ez_clause *c) HIDDEN;
void rt_fragment_exit(struct rt_run *r, const struct ez_clause *c) HIDDEN;
/* Run the code of the calling routine's fragment for this call: before it, behind it, or when the
 * call leaves the routine (EZT_BEFORE, EZT_BEHIND, EZT_LEAVES). rt_fragment_there() is for the
 * instruction at an address. */
void rt_fragment_place(struct rt_run *r, uint32_t when) HIDDEN;
void rt_fragment_there(struct rt_run *r, uint64_t at) HIDDEN;
/* Returns the address of the saved word i of the call of e; 0 if there is no such word. */
uint64_t *rt_saved(struct shadow_frame *e, uint32_t i) HIDDEN;
/* rt_read.c reads memory that may be unmapped. rt_read() reads n bytes (1, 2, 4 or 8) into *to; it
 * returns 0 if they are unreadable. rt_look() returns the address of up to n bytes, in place or
 * copied to buf; *got: how many are readable. */
int rt_read(struct rt_run *r, uint64_t *to, uint64_t from, uint32_t n) HIDDEN;
const char *rt_look(struct rt_run *r, void *buf, uint64_t from, uint32_t n, uint32_t *got) HIDDEN;

#endif
