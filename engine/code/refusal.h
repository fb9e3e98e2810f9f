/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refusal.h - kinds of refusals (ez_err.why). Advice, counts and statistics depend on the kind,
 * never on the message. */
#ifndef EZ_REFUSAL_H
#define EZ_REFUSAL_H

enum ez_refuse {
    EZ_REFUSE_OTHER,   /* only the message is known */
    EZ_REFUSE_SHORT,   /* the function is shorter than a jump */
    EZ_REFUSE_TABLE,   /* a jump table leads to the bytes */
    EZ_REFUSE_FAULTS,  /* an exception table has the address of faults there */
    EZ_REFUSE_ADDRESS, /* the address of some of the bytes is taken */
    EZ_REFUSE_BRANCH,  /* a branch leads to the bytes */
    EZ_REFUSE_CALL,    /* a call is in the bytes */
    EZ_REFUSE_SYSCALL, /* a system call is in the bytes */
    EZ_REFUSE_MEMORY,  /* no free memory in reach */
    EZ_REFUSE_LOADER,  /* eztsh's hook for libraries is there */
    EZ_REFUSE_HOOK,    /* a hook of eztsh is there */
    EZ_REFUSE_IFUNC,   /* the function that the IFUNC selects is unknown */
    EZ_REFUSE_EXIT,    /* only exits are refused */
    EZ_NREFUSALS
};

/* Returns what would make an entry probe possible, or NULL if nothing is known. */
const char *ez_refusal_help(int why);

#endif
