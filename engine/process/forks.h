/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forks.h - the session's state about a process's children, the selected frame, and the user's
 * mappings. */
#ifndef EZ_FORKS_H
#define EZ_FORKS_H

#include "engine/inferior/inferior.h"

/* a child that shares its parent's memory until its exec; the child is held after the exec */
struct ez_offer {
    pid_t child, parent;
};

struct ez_session {
    bool leaks_reported, clock_emitted; /* notes that were posted: of LeakSanitizer (process.c), of
                                         * the clock (rescue.c) */
    struct {                            /* children.c */
        pid_t child;                    /* the child that is followed, 0 = none yet */
        bool shares, stands;            /* shares: the child uses the parent's memory; stands: it
                                         * is stopped and ready */
        EZ_VEC(pid_t) early;            /* stopped children whose fork is not reported yet */
        EZ_VEC(pid_t) ended;            /* children of `early` that have ended */
        EZ_VEC(pid_t) spurned;          /* children to release at their first report */
        EZ_VEC(struct ez_offer)
        offer;                  /* children that run to their exec (offer.c) */
        EZ_VEC(pid_t) held;     /* children that sleep, or to which another shell has attached since
                             * (offer.c) */
        struct ez_target *hand; /* target through which children are prepared (offer.c); NULL = none
                                 * yet */
    } fork;
    struct {                     /* the selected frame, valid while nothing runs (inspect.c) */
        unsigned number, inside; /* inside: number of inlined functions that are open in the
                                  * frame */
        bool own;                /* the frame's registers are the thread's */
        bool exact;              /* the frame's pc is its next instruction, not a return address */
        pid_t tid;
        unsigned long resumes; /* pt_resumes() at the selection */
        struct ez_regs regs;   /* registers, unless `own` */
    } frame;
    struct {       /* thread that counts as inside the inlined functions that begin at pc
                    * (ez_frame_enter()) */
        pid_t tid; /* 0 = none */
        uint64_t pc, sp;
    } entered;
    EZ_VEC(struct ez_range) mine; /* mappings that the user made with `mmap` */
};

#endif
