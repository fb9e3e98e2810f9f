/* SPDX-License-Identifier: MIT */
/* rt_trap.c - the SIGTRAP handler. Sends a thread that hit a breakpoint of a probe to the probe's
 * trampoline, and a thread that hit a trap of a halt to the copy of the instruction. Works without
 * the shell, and in forked children. Any other trap goes to the program's own handler, or ends the
 * program as it would without probes. See engine/patch/trap.c.
 * Tests: tests/fault/check_strategy.sh */
#include "engine/rt/rt_priv.h"

#define SIGTRAP_NR 5

extern const struct rt_trap ez_traps[EZ_NTRAP] HIDDEN;

/* Sets SIGTRAP to its default action and sends it again, so that the program ends as it would
 * without this handler. */
static void rt_default_action(void)
{
    struct rt_sigaction dfl = { 0, RT_SA_RESTORER, 0, 0 };
    dfl.restorer = rt_state.trap_act.restorer;
    rt_syscall(RT_SYS_SIGACTION, SIGTRAP_NR, (long)&dfl, 0, 8, 0, 0);
    rt_syscall(RT_SYS_TGKILL, rt_syscall(RT_SYS_GETPID, 0, 0, 0, 0, 0, 0),
               rt_syscall(RT_SYS_GETTID, 0, 0, 0, 0, 0, 0), SIGTRAP_NR, 0, 0, 0);
}

HIDDEN void ez_trap(int sig, const int *info, void *context)
{
    uint64_t *pc = rt_context_pc(context), old = rt_state.trap_old.handler;
    int by_breakpoint = info[2] == RT_TRAP_CODE;
    for (unsigned i = 0; by_breakpoint && i < EZ_NTRAP && ez_traps[i].addr; i++) {
        if (ez_traps[i].trampoline == *pc || ez_traps[i].addr == *pc)
            return; /* The pc is already right: a shell moved the pc before it died. */
        if (ez_traps[i].addr + RT_TRAP_PC == *pc) {
            *pc = ez_traps[i].trampoline;
            return;
        }
    }
    if (old > 1) /* neither SIG_DFL nor SIG_IGN */
        ((void (*)(int, const int *, void *))old)(sig, info, context);
    else if (!old || by_breakpoint)
        rt_default_action();
}
