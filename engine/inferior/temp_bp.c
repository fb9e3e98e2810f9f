/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temp_bp.c - the temporary breakpoint of `start`. There is at most one, and a hit removes it.
 * Tests: tests/e2e/life.ezt */
#include "engine/target.h"

#include <unistd.h>

#include "engine/inferior/guard.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/temp_bp.h"
#include "engine/inferior/thread.h"

static int temp_break_by_processor(pid_t tid, uint64_t addr)
{
    const struct ez_halt h = { .addr = addr, .kind = EZ_HALT_CODE };
    return ez_hw_break(tid, &h, EZ_HW_STOP, 0);
}

/* Uses a hardware breakpoint, which disappears if the shell dies. If none is available, writes a
 * trap instruction, which would remain. */
ez_err *ez_temp_bp_set(struct ez_target *t, uint64_t addr)
{
    EZ_TRY(ez_temp_bp_clear(t));
    EZ_TRY(ez_mem_read(t, addr, t->inf.temp_bp_byte, t->inf.arch->trap.len));
    t->inf.temp_bp_fd = temp_break_by_processor(t->inf.pid, addr);
    if (t->inf.temp_bp_fd < 0)
        EZ_TRY(ez_mem_write(t, addr, t->inf.arch->trap.insn, t->inf.arch->trap.len,
                            "stop once at main"));
    else /* the guard catches the SIGTRAP if the shell dies between a hit and its report */
        ez_guard_set(t, ez_thread_current(t), &t->inf.temp_bp_guard);
    t->inf.temp_bp = addr;
    return NULL;
}

ez_err *ez_temp_bp_unguard(struct ez_target *t)
{
    struct ez_guard g = t->inf.temp_bp_guard;
    if (t->inf.temp_bp || !g.at || t->inf.state != EZ_STOPPED)
        return NULL;
    t->inf.temp_bp_guard.at = 0;
    return ez_guard_lift(t, &g);
}

void ez_temp_bp_forget(struct ez_target *t)
{
    if (t->inf.temp_bp && t->inf.temp_bp_fd >= 0)
        close(t->inf.temp_bp_fd);
    t->inf.temp_bp_guard.at = 0;
    t->inf.temp_bp = 0;
}

ez_err *ez_stop_once(struct ez_target *t, ez_addr at)
{
    EZ_TRY(ez_temp_bp_clear(t));
    if (!at.v)
        return NULL;
    EZ_TRY(ez_need_stopped(t));
    struct ez_thread *th = ez_thread_current(t);
    int fd = temp_break_by_processor(th->tid, at.v);
    if (fd < 0)
        return ez_err_new(EZ_E_STATE, 0,
                          "Cannot stop at 0x%lx: no hardware breakpoint is available",
                          (unsigned long)at.v);
    t->inf.temp_bp_fd = fd;
    t->inf.temp_bp = at.v;
    return NULL;
}

uint64_t ez_temp_bp_pc(const struct ez_target *t)
{
    return t->inf.temp_bp + (t->inf.temp_bp_fd < 0 ? t->inf.arch->trap.pc_after : 0);
}

ez_err *ez_temp_bp_clear(struct ez_target *t)
{
    uint64_t at = t->inf.temp_bp;
    if (!at)
        return NULL;
    t->inf.temp_bp = 0;
    if (t->inf.temp_bp_fd >= 0)
        return close(t->inf.temp_bp_fd), ez_temp_bp_unguard(t);
    return ez_mem_write(t, at, t->inf.temp_bp_byte, t->inf.arch->trap.len,
                        "remove the temporary breakpoint");
}

/* A thread may have hit the breakpoint while eztsh stopped all threads for its own work. Drops the
 * SIGTRAP, which must not reach the program, and sets the pc back, so that the hit occurs again. */
void ez_temp_bp_again(struct ez_target *t)
{
    for (size_t i = 0; t->inf.temp_bp && i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        struct ez_regs *live, r;
        if (!th->stopped || th->sig != SIGTRAP || !ez_err_drop(ez_thread_regs(th, &live)) ||
            t->inf.arch->regs.pc(live) != ez_temp_bp_pc(t))
            continue;
        r = *live;
        t->inf.arch->regs.set_pc(&r, t->inf.temp_bp);
        if (t->inf.arch->trap.pass_hw)
            t->inf.arch->trap.pass_hw(&r, false);
        th->sig = 0;
        th->has_info = false;
        ez_err_drop(ez_thread_set_regs(th, &r));
    }
}

void ez_stop_at_main_later(struct ez_target *t, bool stop)
{
    t->inf.want_main = stop;
}

void ez_stop_ready_later(struct ez_target *t, bool stop)
{
    t->inf.want_ready = stop;
}

ez_err *ez_stop_ready(struct ez_target *t)
{
    pid_t pid = t->inf.pid;
    struct ez_thread *th = ez_thread_find(t, pid);
    struct ez_regs *r;
    t->inf.want_ready = false;
    t->inf.at_ready = true;
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", pid);
    ez_thread_select(t, pid);
    EZ_TRY(ez_thread_regs(th, &r));
    ez_post(t,
            (struct ez_event){
                .kind = EZ_EV_STOPPED, .status = 1, .tid = pid, .addr = t->inf.arch->regs.pc(r) });
    return NULL;
}

ez_err *ez_stop_at_main(struct ez_target *t)
{
    struct ez_module *m = ez_module_program(t);
    uint64_t at = m && m->obj ? ez_symbol_addr(t, m, "main") : 0;
    t->inf.want_main = false;
    if (!at)
        return ez_err_hint(ez_err_gdb(EZ_E_NOTFOUND, "Function \"main\" not defined."),
                           "The program has no symbol main: use \"run\", then \"interrupt\"");
    return ez_temp_bp_set(t, at);
}
