/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forks.h - the session's state about a process's children, the selected frame, and the user's
 * mappings. */
#ifndef EZ_FORKS_H
#define EZ_FORKS_H

#include "engine/inferior/inferior.h"

struct ez_offer {
    pid_t child, parent;
};

struct ez_session {
    bool leaks_reported, clock_emitted; /* process.c, rescue.c */
    struct {                            /* children.c */
        pid_t child;                    /* child to follow, 0 = none */
        bool shares, stands;            /* shares: the child uses the parent's memory; stands: it
                                         * is stopped and ready */
        EZ_VEC(pid_t) early;            /* stopped children whose fork is not reported yet */
        EZ_VEC(pid_t) ended;            /* those of them that have ended meanwhile */
        EZ_VEC(pid_t) spurned;          /* children to release at their first report */
        EZ_VEC(struct ez_offer)
            offer;          /* offer.c: children that share their parents' memory, and run to their
                             * exec */
        EZ_VEC(pid_t) held; /* offer.c: children that sleep; a shell may have attached to them
                             * since */
        struct ez_target *hand; /* offer.c: target that prepares children, NULL = none yet */
    } fork;
    struct {                     /* inspect.c: selected frame, valid while nothing runs */
        unsigned number, inside; /* inside: number of open inlined functions in it */
        bool own;                /* its registers are the thread's */
        bool exact;              /* its pc is the next instruction, not a return address */
        pid_t tid;
        unsigned long resumes;
        struct ez_regs regs; /* registers, unless `own` */
    } frame;
    struct {       /* inspect.c: thread that is inside the inlined functions that begin at pc */
        pid_t tid; /* 0 = none */
        uint64_t pc, sp;
    } entered;
    EZ_VEC(struct ez_range) mine; /* mappings that the user made with `mmap` */
};

#endif
