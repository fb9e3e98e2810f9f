/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_stack.c - stacks for the threads that load modules (engine/rt/rt_dl.c).
 *
 * On a stack of the C library, which it keeps for new threads, such a thread would leave addresses
 * of eztsh's code. So it has a stack of eztsh's, which is not searched for addresses at a detach
 * (rt_trim.c), is used again when the thread has ended, and is unmapped at a detach.
 * Tests: tests/procs/again.sh, tests/procs/module.sh */
#include "engine/target.h"
#include "engine/inferior/inject.h"
#include "engine/inferior/thread.h"

#include <sys/mman.h>
#include <sys/syscall.h>

static bool stack_has(const struct ez_range *r, uint64_t at)
{
    return at - r->lo <= r->hi - r->lo;
}

/* The stack pointer or the thread pointer of such a thread is in one of the stacks. */
bool ez_stacks_used(const struct ez_target *t, const struct ez_range *stack, size_t n)
{
    for (size_t i = 0; i < t->inf.thread.n && n; i++) {
        struct ez_regs *regs;
        /* a thread without registers has ended */
        if (!ez_err_drop(ez_thread_regs(t->inf.thread.at[i], &regs)))
            continue;
        const uint64_t sp = t->inf.arch->regs.sp(regs), tp = t->inf.arch->regs.thread_pointer(regs);
        for (size_t k = 0; k < n; k++)
            if (stack_has(&stack[k], sp) || stack_has(&stack[k], tp))
                return true;
    }
    return false;
}

static bool stack_loads(const struct ez_target *t)
{
    return ez_stacks_used(t, t->rt.stack.at, t->rt.stack.n);
}

ez_err *ez_rt_stack(struct ez_target *t, uint64_t size, uint64_t *at)
{
    const uint64_t page = ez_page();
    const struct ez_mmap m = { .size = page + size,
                               .prot = PROT_READ | PROT_WRITE,
                               .flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };
    uint64_t base;
    int64_t r;
    if (t->rt.stack.n && t->rt.stack.at[0].hi - t->rt.stack.at[0].lo == m.size && !stack_loads(t)) {
        *at = t->rt.stack.at[0].lo + page;
        return NULL;
    }
    EZ_TRY(ez_inject_mmap(t, &m, &base, "map a stack for a thread that loads a module"));
    EZ_PUSH(&t->rt.stack, ((struct ez_range){ base, base + m.size }));
    *at = base + page;
    EZ_TRY(ez_inject_syscall(t, ez_inject_thread(t), SYS_mprotect,
                             (uint64_t[6]){ base, page, PROT_NONE }, &r,
                             "protect the end of a stack"));
    return ez_inject_error(r, "the target's system call failed", "protect the end of a stack");
}

ez_err *ez_rt_stacks_free(struct ez_target *t)
{
    if (stack_loads(t))
        return NULL;
    for (size_t i = 0; i < t->rt.stack.n; i++)
        EZ_TRY(ez_rt_unmap(t, t->rt.stack.at[i].lo, t->rt.stack.at[i].hi - t->rt.stack.at[i].lo));
    t->rt.stack.n = 0;
    return NULL;
}
