/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forks.h - what the session knows of a process's children, of the selected frame, and of the user's
 * mappings. */
#ifndef EZ_FORKS_H
#define EZ_FORKS_H

#include "engine/inferior/inferior.h"

struct ez_offer {
    pid_t child, parent;
};

struct ez_session {
    bool leaks_reported, clock_emitted; /* process.c, rescue.c                                */
    struct {                            /* follow.c */
        pid_t child;                    /* that will be followed, 0 = none                        */
        bool shares, stands;            /* child lives in the parent's memory; is stopped, ready  */
        EZ_VEC(pid_t) early;            /* stopped children whose fork was not reported yet       */
        EZ_VEC(pid_t) ended;            /* of those, the ones that have ended meanwhile           */
        EZ_VEC(pid_t) spurned;          /* to be let go at their first report                   */
        EZ_VEC(struct ez_offer)
        offer;              /* offer.c: they live in their parents' memory, and run to their exec */
        EZ_VEC(pid_t) held; /* offer.c: they were put to sleep, and may have been taken since */
        struct ez_target *hand; /* offer.c: with which a child is prepared, NULL = none yet */
    } fork;
    struct { /* inspect.c: the frame that was selected, while nothing runs         */
        unsigned number, inside; /* inside: inlined functions that are open in it         */
        bool own;                /* its registers are the thread's                         */
        bool exact;              /* its pc is where it goes on, not behind a call           */
        pid_t tid;
        unsigned long resumes;
        struct ez_regs regs; /* unless they are own */
    } frame;
    struct { /* inspect.c: the thread that stands in the inlined functions that begin there  */
        pid_t tid; /* 0 = none                                                     */
        uint64_t pc, sp;
    } entered;
    EZ_VEC(struct ez_range) mine; /* what `mmap` mapped for the user */
};

#endif
