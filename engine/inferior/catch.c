/* SPDX-License-Identifier: GPL-3.0-or-later */
/* catch.c - notices what catchpoints wait for (catch.h).
 *
 * A thread stays in the stop in which the kernel reported it, also while eztsh stops the other
 * threads, so nothing is lost: engine/move looks at the threads one by one before the program goes
 * on. Tests: tests/procs/catch.sh */
#include "engine/inferior/catch.h"

#include <errno.h>
#include <string.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/target.h"

/* values of PTRACE_GETEVENTMSG at a system call's stop, since Linux 5.3 */
enum { CALL_BEGINS = 1, CALL_RETURNS = 2 };

void ez_catch_none(struct ez_target *t)
{
    memset(&t->inf.catching, 0, sizeof t->inf.catching);
}

void ez_catch_want(struct ez_target *t, enum ez_caught_kind kind, long value)
{
    t->inf.catching.kind[kind] = true;
    if (kind == EZ_CAUGHT_CALL && value < 0)
        t->inf.catching.all_calls = true;
    else if (kind == EZ_CAUGHT_CALL && value < EZ_NSYSCALLS)
        t->inf.catching.call[value] = true;
    else if (kind == EZ_CAUGHT_SIGNAL)
        t->inf.catching.signals |= value < 0 ? ~0ull : 1ull << (value - 1);
}

bool ez_catch_calls(const struct ez_target *t)
{
    return t->inf.catching.kind[EZ_CAUGHT_CALL];
}

static bool catch_wants(const struct ez_target *t, enum ez_caught_kind kind, long value)
{
    if (kind == EZ_CAUGHT_CALL || kind == EZ_CAUGHT_RETURN)
        return t->inf.catching.all_calls ||
               (value >= 0 && value < EZ_NSYSCALLS && t->inf.catching.call[value]);
    if (kind == EZ_CAUGHT_SIGNAL)
        return t->inf.catching.signals >> (value - 1) & 1;
    return t->inf.catching.kind[kind];
}

void ez_catch_note(struct ez_target *t, struct ez_thread *th, enum ez_caught_kind kind, long value)
{
    if (!th->caught.kind && catch_wants(t, kind, value))
        th->caught = (struct ez_caught){ kind, value };
}

ez_err *ez_catch_call(struct ez_target *t, struct ez_thread *th)
{
    unsigned long where;
    struct ez_regs *r;
    if (!ez_catch_calls(t) || t->inf.state != EZ_RUNNING)
        return NULL;
    EZ_TRY_TWICE(pt_eventmsg(th->tid, &where, "see whether the system call begins"));
    EZ_TRY_TWICE(ez_thread_regs(th, &r));
    /* An older kernel does not tell; at the start, the result register has ENOSYS. */
    bool begins =
        where == CALL_BEGINS || (where != CALL_RETURNS && t->inf.arch->abi.result(r) == -ENOSYS);
    bool again = th->call_again;
    th->call_again = false;
    if (begins)
        th->in_call = EZ_CALL_BEGINS;
    if (!begins || !again)
        ez_catch_note(t, th, begins ? EZ_CAUGHT_CALL : EZ_CAUGHT_RETURN,
                      t->inf.arch->syscall.nr(r));
    return NULL;
}

struct ez_thread *ez_caught_thread(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (t->inf.thread.at[i]->caught.kind)
            return t->inf.thread.at[i];
    return NULL;
}

/* Ends the system call at whose start the thread is, without executing it, and sets the thread back
 * to the instruction. */
static ez_err *catch_begin_later(struct ez_target *t, struct ez_thread *th)
{
    const char *why = "begin its system call later";
    struct ez_regs *live, r;
    enum ez_meaning what;
    EZ_TRY(ez_thread_regs(th, &live));
    const struct ez_regs was = r = *live;
    int sig = th->sig;
    t->inf.arch->syscall.skip(&r);
    EZ_TRY_TWICE(ez_thread_set_regs(th, &r));
    if (t->inf.arch->syscall.number_regset) {
        int none = -1;
        EZ_TRY_TWICE(
            pt_setregset(th->tid, t->inf.arch->syscall.number_regset, &none, sizeof none, why));
    }
    EZ_TRY_TWICE(pt_syscall(th->tid, 0, why));
    EZ_TRY(ez_thread_report(t, th, &what, why));
    r = was;
    t->inf.arch->syscall.again(&r);
    EZ_TRY_TWICE(ez_thread_set_regs(th, &r));
    EZ_TRY(ez_thread_border(t, th, why));
    th->sig = th->sig ? th->sig : sig;
    th->call_again = true;
    /* The stop may have changed the registers, as if it had interrupted a call. */
    return ez_thread_set_regs(th, &r);
}

ez_err *ez_catch_leave_call(struct ez_target *t, struct ez_thread *th)
{
    switch (th->in_call) {
    case EZ_CALL_BEGINS:
        return catch_begin_later(t, th);
    case EZ_CALL_FORKS:
        return ez_thread_border(t, th, "let its system call finish");
    case EZ_CALL_NONE:
        break;
    }
    return NULL;
}
