/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trap.c - probes whose patch is a trap instruction (`probe -trap`), for functions that cannot have
 * a jump.
 *
 * The runtime's SIGTRAP handler handles the trap inside the target. So the probe works without a
 * tracer, and after the shell is gone. A table in the target has the trampoline of each trap.
 * Entries are never removed, because a thread may have hit the trap before the handler reads the
 * table. While the shell traces the target, the kernel reports a trap to the shell first; the shell
 * moves the thread to the trampoline, and the target gets no signal.
 *
 * The runtime's handler calls the program's own SIGTRAP handler for other traps. The kernel kills a
 * program that hits a trap while it blocks SIGTRAP, so traps are refused in programs that block it.
 * If the program sets a handler later, it replaces eztsh's handler, so traps are used only with
 * -trap. A hit costs a signal, which takes more than a microsecond, and a signal frame on the
 * stack.
 *
 * Tests: tests/fault/check_strategy.sh, tests/unit/patch/check_trap.c */
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "engine/target.h"
#include "engine/inferior/halt.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"
#include "engine/patch/trap.h"

static uint64_t trap_state_at(const struct ez_target *t, size_t off)
{
    return t->rt.blob + EZ_RT_STATE + off;
}

#define TRAP (1ul << (SIGTRAP - 1))
#define LIBC (1ul << 31) /* libc uses signal 32 internally (cancellation) */

/* Returns true if the thread blocks or ignores SIGTRAP, except if libc blocks all signals for a
 * moment, for instance while it creates a thread: in that time libc runs no code of the program.
 * libc then blocks signal 32, too, which a program cannot do. */
static bool trap_holds_back(const struct ez_proc_status *s)
{
    return (s->blocked & TRAP && !(s->blocked & LIBC)) || s->ignored & TRAP;
}

/* Returns true if a SIGTRAP is pending for the thread. */
static bool trap_awaits(const struct ez_proc_status *s)
{
    return s->pending & TRAP;
}

/* Returns the tid of the first thread for which is() returns true, or 0. */
static pid_t trap_find_thread(const struct ez_target *t, bool (*is)(const struct ez_proc_status *))
{
    char path[64];
    struct dirent *d;
    pid_t found = 0;
    snprintf(path, sizeof path, "/proc/%d/task", t->inf.pid);
    DIR *dir = opendir(path);
    while (dir && !found && (d = readdir(dir))) {
        struct ez_proc_status s;
        if (d->d_name[0] == '.' || !ez_proc_status(t->inf.pid, atoi(d->d_name), &s))
            continue;
        found = is(&s) ? atoi(d->d_name) : 0;
    }
    if (dir)
        closedir(dir);
    return found;
}

static ez_err *trap_sigaction_there(struct ez_target *t, uint64_t act, uint64_t old,
                                    const char *why)
{
    uint64_t arg[6] = { SIGTRAP, act, old, 8 };
    int64_t r;
    EZ_TRY(ez_inject_syscall(t, ez_inject_thread(t), SYS_rt_sigaction, arg, &r, why));
    return ez_inject_error(r, "the target's sigaction failed", why);
}

/* Sets rt.traps_on to true if the runtime's handler is set, perhaps by an earlier shell. If this
 * shell set it a second time, the handler would call itself as the program's handler. */
static ez_err *trap_in_place(struct ez_target *t)
{
    uint64_t at = ez_rt_scratch(t);
    struct rt_sigaction now, wiped = { 0 };
    EZ_TRY(trap_sigaction_there(t, 0, at, "read the handler of SIGTRAP"));
    EZ_TRY(ez_mem_read(t, at, &now, sizeof now));
    t->rt.traps_on = now.handler == t->rt.blob + t->rt.bh->trap;
    return ez_mem_write(t, at, &wiped, sizeof wiped, "clear the answer of sigaction");
}

/* Sets the runtime's handler, unless it is set. The kernel stores the program's own handler in
 * rt_state.trap_old. */
static ez_err *trap_install(struct ez_target *t)
{
    struct rt_sigaction act = { .handler = t->rt.blob + t->rt.bh->trap,
                                .flags = RT_SA_TRAP,
                                .restorer = t->rt.blob + t->rt.bh->trap_return };
    uint64_t at = trap_state_at(t, offsetof(struct rt_state, trap_act));
    if (t->rt.trap.n)
        EZ_TRY(trap_in_place(t));
    if (t->rt.traps_on)
        return NULL;
    EZ_TRY(ez_mem_write(t, at, &act, sizeof act, "prepare a signal handler"));
    EZ_TRY(trap_sigaction_there(t, at, trap_state_at(t, offsetof(struct rt_state, trap_old)),
                                "handle breakpoints inside the target"));
    t->rt.traps_on = true;
    return NULL;
}

/* Returns true if SIGTRAP still has a handler. The kernel removes the handler when a thread that
 * blocks SIGTRAP hits a trap, even if the tracer gets the signal first. */
static bool trap_still_caught(struct ez_target *t)
{
    struct ez_proc_status s;
    return ez_proc_status(t->inf.pid, ez_live_tid(t), &s) && s.caught & TRAP;
}

/* Sets the runtime's handler, unless it is set. The guard of halts is also a handler of SIGTRAP: it
 * is removed before and set again afterwards, so that the guard forwards other SIGTRAPs to the
 * runtime's handler. */
static ez_err *trap_begin_handler(struct ez_target *t)
{
    bool guarded;
    if (t->rt.traps_on && trap_still_caught(t))
        return NULL;
    EZ_TRY(ez_halts_unguard(t, &guarded));
    t->rt.traps_on = false;
    ez_err *e = trap_install(t);
    if (guarded)
        ez_halts_guard(t);
    return e;
}

ez_err *ez_trap_allowed(struct ez_target *t)
{
    pid_t tid = trap_find_thread(t, trap_holds_back);
    return tid ? ez_err_new(EZ_E_REFUSED, 0,
                            "thread %d blocks or ignores SIGTRAP: a trap would kill it", tid)
               : NULL;
}

/* Does nothing if the program has replaced the handler, if system calls cannot be injected, or if a
 * SIGTRAP is pending for a thread, because the runtime's handler must handle it. */
ez_err *ez_traps_end(struct ez_target *t)
{
    if (!t->rt.trap.n || trap_find_thread(t, trap_awaits) || !ez_err_drop(ez_inject_allowed(t)))
        return NULL;
    EZ_TRY(trap_in_place(t));
    if (!t->rt.traps_on)
        return NULL;
    t->rt.traps_on = false;
    return trap_sigaction_there(t, trap_state_at(t, offsetof(struct rt_state, trap_old)), 0,
                                "restore the program's handler of SIGTRAP");
}

/* Returns the index of the entry for a trap at address `at`, or of the first free entry. */
static size_t trap_entry_of(const struct ez_target *t, uint64_t at)
{
    size_t i = 0;
    while (i < t->rt.trap.n && t->rt.trap.at[i].addr != at)
        i++;
    return i;
}

bool ez_trap_known(const struct ez_target *t, uint64_t at)
{
    return trap_entry_of(t, at) < t->rt.trap.n;
}

ez_err *ez_trap_room(const struct ez_target *t, uint64_t at, size_t others)
{
    return ez_trap_known(t, at) || t->rt.trap.n + others < EZ_NTRAP
               ? NULL
               : ez_err_new(EZ_E_REFUSED, 0, "no more than %d traps in one process", EZ_NTRAP);
}

ez_err *ez_trap_point(struct ez_target *t, uint64_t at, uint64_t trampoline)
{
    struct rt_trap trap = { at, trampoline };
    EZ_TRY(trap_begin_handler(t));
    EZ_TRY(ez_trap_room(t, at, 0));
    size_t i = trap_entry_of(t, at);
    if (i < t->rt.trap.n && t->rt.trap.at[i].trampoline == trampoline)
        return NULL;
    EZ_TRY(ez_mem_write(t, t->rt.blob + EZ_RT_TRAPS + i * sizeof trap, &trap, sizeof trap,
                        "store where a breakpoint leads"));
    if (i == t->rt.trap.n)
        EZ_PUSH(&t->rt.trap, trap);
    t->rt.trap.at[i] = trap;
    return NULL;
}

ez_err *ez_traps_adopt(struct ez_target *t)
{
    struct rt_trap table[EZ_NTRAP];
    EZ_TRY(ez_mem_read(t, t->rt.blob + EZ_RT_TRAPS, table, sizeof table));
    for (size_t i = 0; i < EZ_NTRAP && table[i].addr; i++)
        EZ_PUSH(&t->rt.trap, table[i]);
    return NULL;
}

bool ez_traps_any(const struct ez_target *t)
{
    return t->rt.trap.n;
}

uint64_t ez_trap_trampoline(const struct ez_target *t, uint64_t pc)
{
    for (size_t i = 0; i < t->rt.trap.n; i++)
        if (t->rt.trap.at[i].addr + t->inf.arch->trap.pc_after == pc)
            return t->rt.trap.at[i].trampoline;
    return 0;
}
