/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refusal.h - kinds of refusals (ez_err.why). Advice, counts and statistics depend on the kind,
 * never on the message. */
#ifndef EZ_REFUSAL_H
#define EZ_REFUSAL_H

enum ez_refuse {
    EZ_REFUSE_OTHER,   /* any other reason: the message names the reason */
    EZ_REFUSE_SHORT,   /* the function is shorter than a jump */
    EZ_REFUSE_TABLE,   /* a jump table leads to the bytes */
    EZ_REFUSE_FAULTS,  /* an exception table of the program has the address of an instruction */
    EZ_REFUSE_ADDRESS, /* the address of one of the bytes is taken */
    EZ_REFUSE_BRANCH,  /* a branch leads to the bytes */
    EZ_REFUSE_CALL,    /* a call is in the bytes */
    EZ_REFUSE_SYSCALL, /* a system call is in the bytes */
    EZ_REFUSE_MEMORY,  /* no memory is free within the jump's reach */
    EZ_REFUSE_LOADER,  /* eztsh's hook for loaded libraries is on the function */
    EZ_REFUSE_HOOK,    /* another hook of eztsh is on the function */
    EZ_REFUSE_IFUNC,   /* the function that the IFUNC selects is unknown */
    EZ_REFUSE_EXIT,    /* the function can have an entry probe, but no exit probe */
    EZ_NREFUSALS
};

/* Returns what would make an entry probe possible, or NULL if nothing is known. */
const char *ez_refusal_help(int why);

#endif
