/* SPDX-License-Identifier: GPL-3.0-or-later */
/* halt_trap.c - halts at code addresses for which no hardware breakpoint is free: trap
 * instructions.
 *
 * A trap is written only while the program runs for the user. Each stop of the target removes all
 * traps (ez_world_stop), and halts are armed again before the program goes on. So code that is read
 * or patched in a stopped target has no traps. Reads of the running program's code return the
 * program's own bytes instead of the traps (mem.c).
 *
 * The trap must not harm a program whose shell has died. So the runtime's SIGTRAP handler
 * recognizes the trap, like a probe's trap (engine/patch/trap.c), and continues the thread in a
 * copy of the instruction. eztsh writes in this order: the copy, the handler's table, the journal,
 * the trap. While the shell lives, a thread that hit a trap is reported to the shell first, and its
 * pc is set back to the trap. To go on behind the halt, a thread continues in the copy. A forked
 * child inherits the traps that are written at the time of the fork; eztsh removes them from the
 * child. In a child that eztsh does not trace, or that shares the target's memory, the handler
 * continues threads in the copy.
 * Tests: tests/procs/traps.sh, tests/procs/sweep.sh (halt) */
#include "engine/inferior/halt_trap.h"

#include <signal.h>
#include <string.h>

#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

static struct ez_halt_trap *halt_trap_at(const struct ez_target *t, uint64_t addr)
{
    for (size_t i = 0; i < t->inf.halts.trap.n; i++)
        if (t->inf.halts.trap.at[i].addr == addr)
            return &t->inf.halts.trap.at[i];
    return NULL;
}

static bool halt_trap_is_there(struct ez_target *t, uint64_t addr)
{
    const struct ez_arch *a = t->inf.arch;
    uint8_t live[EZ_MAX_INSN];
    return ez_mem_read_raw(t, addr, live, a->trap.len) == a->trap.len &&
           !memcmp(live, a->trap.insn, a->trap.len);
}

ez_err *ez_halt_trap_plant(struct ez_target *t, uint64_t addr)
{
    struct ez_halt_trap *h = halt_trap_at(t, addr), fresh = { .addr = addr };
    if (!h) {
        EZ_PUSH(&t->inf.halts.trap, fresh);
        h = &t->inf.halts.trap.at[t->inf.halts.trap.n - 1];
    }
    if (h->stands)
        return NULL;
    EZ_TRY(t->inf.ops->halt_copy(t, h));
    t->inf.ops->halt_stands(t, h, true);
    h->stands = true;
    return ez_mem_write(t, addr, t->inf.arch->trap.insn, t->inf.arch->trap.len, "set a breakpoint");
}

/* Restores the instruction if the trap is still at its address. The trap is gone if the library was
 * unloaded and another library was loaded at that address. */
static ez_err *halt_trap_remove(struct ez_target *t, struct ez_halt_trap *h)
{
    if (halt_trap_is_there(t, h->addr))
        EZ_TRY(ez_mem_write(t, h->addr, h->insn, t->inf.arch->trap.len, "remove a breakpoint"));
    t->inf.ops->halt_stands(t, h, false);
    h->stands = false;
    return NULL;
}

/* Moves a thread from a copy, or from a jump back, to the program's code. A thread at the start of
 * a copy is marked (th->halted), so that it does not hit the halt again. */
static ez_err *halt_trap_home(struct ez_target *t, struct ez_thread *th)
{
    struct ez_regs *live, r;
    ez_err *e;
    if (!th->stopped)
        return NULL;
    EZ_TRY_TWICE(ez_thread_regs(th, &live));
    uint64_t pc = t->inf.arch->regs.pc(live), to = ez_halt_trap_lands(t, pc);
    for (size_t i = 0; i < t->inf.halts.trap.n; i++) {
        const struct ez_halt_trap *h = &t->inf.halts.trap.at[i];
        if (h->copy && pc == h->copy)
            to = th->halted = h->addr;
    }
    if (!to)
        return NULL;
    r = *live;
    t->inf.arch->regs.set_pc(&r, to);
    EZ_TWICE(e, ez_thread_set_regs(th, &r));
    return e;
}

ez_err *ez_halt_traps_out(struct ez_target *t)
{
    bool any = false;
    for (size_t i = 0; i < t->inf.halts.trap.n; i++) {
        struct ez_halt_trap *h = &t->inf.halts.trap.at[i];
        any |= h->stands;
        if (!h->stands)
            continue;
        /* even if the removal fails: halts are armed again before the target goes on */
        t->inf.halts.armed = false;
        EZ_TRY(halt_trap_remove(t, h));
    }
    for (size_t i = any ? t->inf.thread.n : 0; i-- > 0;)
        EZ_TRY(halt_trap_home(t, t->inf.thread.at[i]));
    return NULL;
}

void ez_halt_traps_forget(struct ez_target *t)
{
    EZ_VEC_FREE(&t->inf.halts.trap);
    EZ_VEC_FREE(&t->inf.halts.back);
}

void ez_halt_jumps_back(struct ez_target *t, uint64_t at, uint64_t lands)
{
    EZ_PUSH(&t->inf.halts.back, ((struct ez_jump_back){ at, lands }));
}

uint64_t ez_halt_trap_lands(const struct ez_target *t, uint64_t pc)
{
    for (size_t i = 0; i < t->inf.halts.back.n; i++)
        if (t->inf.halts.back.at[i].at == pc)
            return t->inf.halts.back.at[i].lands;
    return 0;
}

uint64_t ez_halt_trap_past(const struct ez_target *t, uint64_t pc)
{
    const struct ez_halt_trap *h = halt_trap_at(t, pc);
    return h && h->stands ? h->copy : pc;
}

bool ez_halt_trap_hit(struct ez_target *t, struct ez_thread *th, uint64_t *at, ez_err **e)
{
    struct ez_regs *live, r;
    *e = NULL;
    if (!t->inf.halts.trap.n || th->sig != SIGTRAP || !th->has_info ||
        th->info.si_code != t->inf.arch->trap.si_code)
        return false;
    /* Tried twice: if reading failed, the SIGTRAP would go to the handler on the guard's page,
     * which is being removed. */
    EZ_TWICE(*e, ez_thread_regs(th, &live));
    if (*e)
        return true;
    r = *live;
    *at = t->inf.arch->regs.pc(&r) - t->inf.arch->trap.pc_after;
    const struct ez_halt_trap *h = halt_trap_at(t, *at);
    /* the trap is not a halt's */
    if (!h || !h->copy || (!h->stands && halt_trap_is_there(t, *at)))
        return false;
    t->inf.arch->regs.set_pc(&r, *at);
    th->sig = 0;
    th->has_info = false;
    EZ_TWICE(*e, ez_thread_set_regs(th, &r));
    /* Only now, because at its old pc the runtime's handler would have recognized the SIGTRAP if
     * the shell had died (rt_trap.c). */
    pt_report_consumed(th->tid);
    return true;
}

void ez_halt_traps_cleanse(struct ez_target *t, pid_t child)
{
    for (size_t i = 0; i < t->inf.halts.trap.n; i++) {
        const struct ez_halt_trap *h = &t->inf.halts.trap.at[i];
        if (h->copy)
            ez_mem_swap_of(child, h->addr, t->inf.arch->trap.insn, h->insn, t->inf.arch->trap.len);
    }
}
