/* SPDX-License-Identifier: GPL-3.0-or-later */
/* err.h - errors are values.
 *
 * An engine function that says why it failed returns an `ez_err *`: NULL is success.
 * A caller frees an error that it does not return itself. A message is one sentence: what failed,
 * on what, why. The message begins with a capital and has no full stop, because " at PLACE" or the
 * text of errno may be appended, and "WHAT: " put before it. The hint is another sentence of this
 * form, which says what the user can do. ez_err_text() makes the text for the user. None of these
 * functions prints. */
#ifndef EZ_ERR_H
#define EZ_ERR_H

#include "engine/base/base.h"

enum ez_code {
    EZ_OK,
    EZ_E_SYS,      /* a system call of the shell failed: see errnum */
    EZ_E_GONE,     /* the target (or the thread) no longer exists */
    EZ_E_PERM,     /* tracing this process is not permitted */
    EZ_E_STATE,    /* the request is not possible in the target's current state */
    EZ_E_ARG,      /* the user's arguments are wrong */
    EZ_E_NOTFOUND, /* a symbol, file or probe does not exist */
    EZ_E_FORMAT,   /* a file has a wrong format */
    EZ_E_DECODE,   /* the bytes are not an instruction */
    EZ_E_UNRELOC,  /* an instruction cannot run at another address */
    EZ_E_RANGE,    /* a branch does not reach its target, or no memory is free within its range */
    EZ_E_REFUSED,  /* a function cannot be probed: the message says why */
    EZ_E_SECCOMP,  /* a seccomp filter may kill the target for the system call to be injected */
    EZ_E_RESTART,  /* the system call cannot be injected, because the kernel may restart it */
    EZ_E_REMOTE,   /* the target's own system call failed: see errnum */
    EZ_E_MISMATCH, /* bytes changed during the operation, or two sources disagree */
    EZ_E_LIMIT,    /* a limit of the shell or of the system is reached */
    EZ_E_TIMEOUT,  /* an answer did not come before the deadline */
    EZ_E_QUIT,     /* the user ended the command */
};

typedef struct ez_err {
    enum ez_code code;
    int errnum;    /* errno, or 0 */
    int tid;       /* thread concerned, or 0 */
    uint64_t addr; /* target address concerned, or 0 */
    int why;       /* reason of EZ_E_REFUSED: enum ez_refuse (engine/code/refusal.h) */
    /* length of msg without the place that ez_err_place() appended; 0 means the whole msg */
    size_t what;
    char *msg;     /* one line */
    char *hint;    /* one line, or NULL */
    bool verbatim; /* msg is gdb's own text: ez_err_text() adds a full stop only before a hint */
} ez_err;

/* Creates an error. If errnum is not 0, ": " and the text of that errno are appended to the
 * message. */
ez_err *ez_err_new(enum ez_code code, int errnum, const char *fmt, ...) EZ_PRINTF(3, 4) EZ_WUR;
/* Creates an error whose message is exactly gdb's, because users and their scripts know that
 * message. */
ez_err *ez_err_gdb(enum ez_code code, const char *fmt, ...) EZ_PRINTF(2, 3) EZ_WUR;
/* Sets the hint, replacing an earlier one. Returns `e` itself. */
ez_err *ez_err_hint(ez_err *e, const char *fmt, ...) EZ_PRINTF(2, 3) EZ_WUR;
/* Appends a place, such as " at 0x1234", to the message. Reports that count errors treat errors
 * that differ only in the place as equal. Returns `e` itself. */
ez_err *ez_err_place(ez_err *e, const char *fmt, ...) EZ_PRINTF(2, 3) EZ_WUR;
/* Sets e->why. Returns `e` itself. */
ez_err *ez_err_why(ez_err *e, int why) EZ_WUR;
/* Puts "WHAT: " before the message. Returns `e` itself, which may be NULL. */
ez_err *ez_err_wrap(ez_err *e, const char *fmt, ...) EZ_PRINTF(2, 3) EZ_WUR;
/* Returns the text for the user: the message and the hint, each with a full stop if it needs one.
 * The caller frees the text. */
char *ez_err_text(const ez_err *e);
/* Returns "." if the sentence `text` needs a full stop, else "". */
const char *ez_err_stop(const char *text);
void ez_err_free(ez_err *e);
/* Frees an error that is ignored on purpose. Returns true if `e` is NULL. */
bool ez_err_drop(ez_err *e);
/* Keeps the first error: returns `e` and frees `later`; if `e` is NULL, returns `later`. */
ez_err *ez_err_first(ez_err *e, ez_err *later) EZ_WUR;
const char *ez_code_name(enum ez_code code);
/* Returns the name of an error number, "EINVAL" for 22, or "E?" if unknown. Static storage. */
const char *ez_errno_name(int errnum);
int ez_errno_by_name(const char *name); /* returns EINVAL if no error has that name */

#define EZ_TRY(expr)                                                                               \
    do {                                                                                           \
        ez_err *ez_try_ = (expr);                                                                  \
        if (ez_try_)                                                                               \
            return ez_try_;                                                                        \
    } while (0)

#endif
