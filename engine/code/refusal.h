/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refusal.h - sorts of refusals (ez_err.why). Advice, counts and statistics go by the sort, never by the message. */
#ifndef EZ_REFUSAL_H
#define EZ_REFUSAL_H

enum ez_refuse {
    EZ_REFUSE_OTHER,   /* no more than the message                                     */
    EZ_REFUSE_SHORT,   /* the function is shorter than a jump                          */
    EZ_REFUSE_TABLE,   /* a jump table leads to the bytes                              */
    EZ_REFUSE_FAULTS,  /* a table has the address of faults there                      */
    EZ_REFUSE_ADDRESS, /* an address in the bytes is taken                             */
    EZ_REFUSE_BRANCH,  /* a branch leads to them                                       */
    EZ_REFUSE_CALL,    /* there is a call in them                                      */
    EZ_REFUSE_SYSCALL, /* there is a system call in them                               */
    EZ_REFUSE_MEMORY,  /* there is no free memory in reach                             */
    EZ_REFUSE_LOADER,  /* eztsh waits there for libraries                              */
    EZ_REFUSE_HOOK,    /* a hook of eztsh stands there                                   */
    EZ_REFUSE_IFUNC,   /* what the function stands for is not known                    */
    EZ_REFUSE_EXIT,    /* only exits are refused                                       */
    EZ_NREFUSALS
};

/* What would let an entry probe stand; NULL = nothing known. */
const char *ez_refusal_help(int why);

#endif
