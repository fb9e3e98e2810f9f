/* SPDX-License-Identifier: MIT */
/* rt_hook.c - hooks: functions that run when the program calls certain functions of libraries (the
 * loader's rendezvous, the unwinder's look-up, what gprof's mcount calls). The shell plants them
 * for its own purposes. Rules for the code: rt.c.
 *
 * Tests: tests/procs/libs.sh, tests/fault/check_exits.sh, tests/fault/check_stacks.sh */
#include "engine/rt/rt_priv.h"

#define TRAMPOLINE_MOST 1536 /* limit for a trampoline with its relocated code, in bytes */
#define LOADER_WAIT 10000    /* maximum ms that a dlopen waits for the shell */

/* ---- the loader's rendezvous --------------------------------------------------------------- */

/* Waits until the shell has handled change number `mine`. Does not wait for a dead or stuck
 * shell. */
static void loader_wait(struct ez_hdr *h, uint32_t mine)
{
    struct rt_idle idle = rt_idle_begin();
    uint64_t waited = 0;
    while (h->loader_wait && (int32_t)(h->loader_ack - mine) < 0 && !shell_dead() &&
           waited < LOADER_WAIT && idle.ms <= PATIENCE_MS) {
        rt_nap(&h->loader_ack, h->loader_ack);
        if (!rt_process()->alive) /* a child forked by a signal handler */
            return;
        waited += rt_idle_look(&idle);
    }
}

/* Notifies the shell of a change in the list of libraries. If the shell requests it (loader_wait),
 * waits until the shell has planted pending probes. Returns 0, so that the loader's own function
 * runs then. */
HIDDEN uint64_t ez_loader(uint64_t *unused, const struct ez_trampoline_data *s)
{
    struct ez_hdr *h = rt_state.hdr;
    (void)unused;
    (void)s;
    if (!rt_process()->alive)
        return 0;
    if (rt_state.r_debug) /* reads r_state: not RT_CONSISTENT (0) while the loader changes its
                           * list */
        h->loader_busy = *(const volatile uint32_t *)(rt_state.r_debug + 24) != 0;
    uint32_t mine = __atomic_add_fetch(&h->loader_seq, 1, __ATOMIC_ACQ_REL);
    h->loader_inside = mine;
    wake_drain();
    if (!h->no_syscalls)
        loader_wait(h, mine);
    if (rt_process()->alive)
        h->loader_inside = 0;
    return 0;
}

/* ---- the unwinder's look-up ------------------------------------------------------------------ */

struct bases { /* libgcc's struct dwarf_eh_bases */
    uint64_t text, data, func;
};

/* Returns the address of the FDE for pc in an unwind table of the runtime, or 0 if it has none. The
 * addresses in the table are pc-relative with 4 bytes. */
static uint64_t rt_look_up(uint64_t table, uint64_t pc, struct bases *b)
{
    for (const uint32_t *p = (const uint32_t *)table; *p;
         p = (const uint32_t *)((const char *)p + 4 + *p)) {
        uint64_t begin = (uint64_t)&p[2] + (uint64_t)(int64_t)(int32_t)p[2];
        if (!p[1] || pc - begin >= p[3]) /* p[1] is 0 in a CIE */
            continue;
        *b = (struct bases){ .func = begin };
        return (uint64_t)p;
    }
    return 0;
}

/* Returns the journal row of the trampoline that pc may be in. Reads all rows, which is slow:
 * called only if no unwind table has pc. */
static const struct ez_row *rt_trampoline_at(uint64_t pc)
{
    const struct ez_hdr *h = rt_state.hdr;
    const struct ez_row *found = 0, *row = (const struct ez_row *)((const char *)h + h->off_rows);
    for (uint32_t i = 0; i < h->ids_used; i++)
        if (row[i].trampoline && pc - row[i].trampoline < TRAMPOLINE_MOST &&
            (!found || row[i].trampoline > found->trampoline))
            found = &row[i];
    return found;
}

typedef uint64_t find_fn(uint64_t pc, struct bases *b);

/* Finds the FDE for a pc in a trampoline, where a signal interrupted the thread. A trampoline is a
 * copy of a template, and behind it the function's relocated prologue. So the FDE is the template's
 * or the function's. `own` finds the function's FDE, which is correct as long as the relocated
 * instructions kept their lengths. b->func becomes the address to which that FDE is relative. */
static uint64_t rt_look_in_trampolines(uint64_t pc, struct bases *b, find_fn *own)
{
    const uint64_t base = (uint64_t)&rt_state - EZ_RT_STATE;
    const struct ez_blob_hdr *blob = (const struct ez_blob_hdr *)base;
    /* A forked child has no journal. */
    const struct ez_row *r = rt_process()->alive ? rt_trampoline_at(pc) : 0;
    if (!r)
        return 0;
    uint64_t in = pc - r->trampoline, original, fde;
    uint64_t tmpl = blob->tmpl[ez_template_of(r->flags)];
    uint64_t len = blob->tmpl_end[ez_template_of(r->flags)] - tmpl;
    if (in < r->relocated) {
        original = base + (in < len ? tmpl + in : blob->keep_in + in - len);
        fde = rt_look_up(rt_state.eh_frame, original, b);
    } else {
        original = r->addr + in - r->relocated;
        fde = own(original, b);
    }
    b->func += pc - original;
    return fde;
}

/* The hook of libgcc's fn(pc, bases), which a throw or a backtrace calls to find an FDE. Returns
 * the FDE for a pc in the runtime's code or in a thunk pool. For any other pc, calls libgcc's
 * function, and looks in trampolines if libgcc's function finds no FDE. Returns 0 if there is no
 * FDE: libgcc's function then runs as without the hook. The runtime's tables are not registered
 * with libgcc: each throw would then need a lock and memory, and a child that was forked while
 * another thread held the lock could never throw again. */
HIDDEN uint64_t ez_unwind(uint64_t *unused, const struct ez_trampoline_data *s,
                          const uint64_t *regs)
{
    uint64_t pc = regs[RT_SAVED_ARG0];
    struct bases *b = (struct bases *)regs[RT_SAVED_ARG1];
    (void)unused;
    if (pc - ((uint64_t)&rt_state - EZ_RT_STATE) < EZ_RT_SIZE)
        return rt_look_up(rt_state.eh_frame, pc, b);
    for (uint64_t i = 0; i < rt_state.npools; i++)
        if (pc - rt_state.pool[i] < EZ_POOL_SIZE)
            return rt_look_up(rt_state.pool[i], pc, b);
    find_fn *own = (find_fn *)s->body;
    uint64_t fde = own(pc, b);
    return fde ? fde : rt_look_in_trampolines(pc, b, own);
}

/* ---- gprof's callers ------------------------------------------------------------------------- */

/* Hooks fn(return address, address in the caller), which mcount calls in a function that was
 * compiled for gprof. Replaces the address of a return trampoline by the real return address. */
HIDDEN uint64_t ez_profile(uint64_t *unused, const struct ez_trampoline_data *s, uint64_t *regs)
{
    uint64_t from = regs[RT_SAVED_ARG0];
    (void)unused;
    (void)s;
    if (from - (uint64_t)ez_return_trampolines < EZ_DIST)
        regs[RT_SAVED_ARG0] =
            ((const struct shadow_frame *)((from & -(uint64_t)EZ_RETURN_TRAMPOLINE) + EZ_DIST))->ra;
    return 0;
}

/* ---- the arguments of a replacement (rt_keep.S) ---------------------------------------------- */

/* Returns nonzero if the page is readable; 0 if it is not, or if system calls are forbidden. The
 * page may be unmapped, because the stack of a coroutine may end just below the page. */
HIDDEN uint64_t ez_readable(uint64_t page)
{
    uint64_t word;
    struct {
        uint64_t base, size;
    } here = { (uint64_t)&word, 8 }, there = { page, 8 };
    if (rt_state.hdr->no_syscalls)
        return 0;
    long self = rt_syscall(RT_SYS_GETPID, 0, 0, 0, 0, 0, 0);
    return rt_syscall(RT_SYS_PROCESS_VM_READV, self, (long)&here, 1, (long)&there, 1, 0) == 8;
}
