/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forks.h - the session's state about a process's children, the selected frame, and the user's
 * mappings. */
#ifndef EZ_FORKS_H
#define EZ_FORKS_H

#include "engine/inferior/inferior.h"

/* a child that shares its parent's memory until its exec, and is held after the exec */
struct ez_offer {
    pid_t child, parent;
};

struct ez_session {
    /* the notes about LeakSanitizer (process.c) and about the clock (rescue.c) were posted */
    bool leaks_reported, clock_emitted;
    struct {                   /* data of children.c */
        pid_t child;           /* the child to follow; 0 = none yet */
        bool shares, stands;   /* shares: the child uses the parent's memory; stands: it
                                         * is stopped and ready */
        EZ_VEC(pid_t) early;   /* stopped children whose fork is not reported yet */
        EZ_VEC(pid_t) ended;   /* children that ended before their fork was reported */
        EZ_VEC(pid_t) spurned; /* children to release at their first report */
        EZ_VEC(struct ez_offer)
        offer; /* children that run to their exec (offer.c) */
        /* children that sleep in a sleep block until another shell attaches, or to which one has
         * attached (offer.c) */
        EZ_VEC(pid_t) held;
        /* temporary target for work on a child (offer.c); NULL = none yet */
        struct ez_target *hand;
    } fork;
    struct { /* the selected frame, valid while no thread runs (inspect.c) */
        /* number: 0 = the innermost frame; inside: number of inlined functions of the frame that
         * enclose the selected level */
        unsigned number, inside;
        bool own;   /* the frame's registers are the thread's */
        bool exact; /* the frame's pc is its next instruction, not a return address */
        pid_t tid;
        unsigned long resumes; /* pt_resumes() at the selection */
        struct ez_regs regs;   /* the frame's registers, unless `own` */
    } frame;
    /* the thread that `step` moved into the inlined functions that begin at its pc
     * (ez_frame_enter()) */
    struct {
        pid_t tid; /* 0 = none */
        uint64_t pc, sp;
    } entered;
    EZ_VEC(struct ez_range) mine; /* mappings that the user made with `mmap` */
};

#endif
