/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pc_fixup.c - changes program counters that point to code that is about to be patched: those of
 * threads, and those that are saved in signal frames.
 *
 * A word on a stack is a saved program counter if the word sigframe_pc_offset bytes below it is the
 * address of code that calls sigreturn. Each stack is searched from its stack pointer up, to memory
 * that cannot be read, such as a guard page. A signal frame is not found if the thread has switched
 * to another stack since the signal (a coroutine's, for example). The caller's struct ez_way maps
 * each program counter to its new value. The target must be stopped. patcher.region is set to one
 * struct ez_thread_place for each thread.
 * Errors: those of reading and writing.
 * Tests: tests/fault/check_window.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"
#include "engine/patch/trap.h"

#include <string.h>
#include <sys/uio.h>

#define STACK_MOST (8 << 20)    /* maximum bytes above the stack pointer to search */
#define STACK_BLIND (256 << 10) /* bytes to search if process_vm_readv() reads nothing */

static ez_err *pc_move_thread(struct ez_target *t, struct ez_thread *th, const struct ez_way *way,
                              struct ez_thread_place *said)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    said->pc = t->inf.arch->regs.pc(live);
    uint64_t to = said->moved_to = way->to(way->arg, said->pc);
    if (!to || way->look)
        return NULL;
    struct ez_regs r = *live;
    t->inf.arch->regs.set_pc(&r, to);
    return ez_thread_set_regs(th, &r);
}

static bool pc_in_signal_frame(struct ez_target *t, const uint64_t *stack, size_t i)
{
    const struct ez_arch_rt *a = t->inf.arch->rt;
    size_t back = a->sigframe_pc_offset / 8;
    uint8_t code[16];
    return i >= back && a->sigreturn_len <= sizeof code &&
           ez_mem_read_some(t, stack[i - back], code, a->sigreturn_len) == a->sigreturn_len &&
           a->sigreturn(code);
}

/* Returns true if stack[i] is in the signal frame of a SIGTRAP that a probe's trap raised. The
 * runtime's handler is running, and will itself set the pc in the frame. */
static bool pc_trap_in_flight(const struct ez_target *t, const uint64_t *stack, size_t i, size_t n)
{
    size_t signo = i + t->inf.arch->rt->sigframe_signo_offset / 8;
    return signo < n && (uint32_t)stack[signo] == SIGTRAP && ez_trap_trampoline(t, stack[i]);
}

/* Reads up to STACK_MOST bytes of the stack from address sp on. Returns the number of bytes.
 * process_vm_readv() stops at guard pages; /proc/PID/mem would also read the guard pages and the
 * memory after them. */
static size_t pc_read_stack(struct ez_target *t, uint64_t sp, void *stack)
{
    struct iovec to = { stack, STACK_MOST }, from = { (void *)sp, STACK_MOST };
    ssize_t got = process_vm_readv(ez_live_tid(t), &to, 1, &from, 1, 0);
    return got > 0 ? (size_t)got : ez_mem_read_some(t, sp, stack, STACK_BLIND);
}

static ez_err *pc_move_frames(struct ez_target *t, struct ez_thread *th, const struct ez_way *way,
                              uint64_t *stack, struct ez_thread_place *said)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    uint64_t sp = t->inf.arch->regs.sp(live) & ~7ull;
    size_t words = pc_read_stack(t, sp, stack) / 8;
    for (size_t i = 0; i < words; i++) {
        if (stack[i] < way->lo || stack[i] > way->hi)
            continue;
        if (!way->concerns(way->arg, stack[i]) || !pc_in_signal_frame(t, stack, i) ||
            pc_trap_in_flight(t, stack, i, words))
            continue;
        uint64_t to = way->to(way->arg, stack[i]);
        if (to && !way->look)
            EZ_TRY(ez_mem_write(t, sp + 8 * i, &to, 8, "move a saved program counter"));
        said->saved = to ? stack[i] : said->saved;
        said->frames += to != 0;
    }
    return NULL;
}

static ez_err *pc_fixup_move_all(struct ez_target *t, const struct ez_way *way, uint64_t *stack)
{
    t->patcher.region.n = 0;
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread_place said = { .tid = t->inf.thread.at[i]->tid, .seen = way->look };
        EZ_TRY(pc_move_thread(t, t->inf.thread.at[i], way, &said));
        EZ_TRY(pc_move_frames(t, t->inf.thread.at[i], way, stack, &said));
        EZ_PUSH(&t->patcher.region, said);
    }
    return NULL;
}

ez_err *ez_pc_fixup(struct ez_target *t, const struct ez_way *way)
{
    uint64_t *stack = ez_alloc_sparse(STACK_MOST);
    ez_err *e = pc_fixup_move_all(t, way, stack);
    ez_free_sparse(stack, STACK_MOST);
    return e;
}
