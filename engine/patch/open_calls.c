/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_calls.c - determines whether there are open calls that will return through eztsh's code.
 *
 * An open call that uses a return thunk is visible only in the counters: its entry is counted, its
 * exit is not. A call that uses a return trampoline has a shadow frame (engine/rt/rt.h), which is
 * live as long as the address of its return trampoline is on the stack in place of the return
 * address. For such calls only the shadow frames are searched. The counters do not show them: calls
 * whose exits are followed for a clause have no count of exits, and the exit of a call is never
 * counted if the call was left by a jump, or if its thread had no buffer. A thread that stands in
 * eztsh's code may be about to make its shadow frame live, and counts as an open call.
 * Errors: memory that cannot be read counts as an open call.
 * Tests: tests/procs/unwind.sh, tests/procs/again.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/thread.h"

bool ez_row_goes_through(unsigned flags)
{
    return flags & EZ_ROW_EXIT && flags & EZ_ROW_THROUGH;
}

static bool open_counts(const struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        for (size_t k = 0; k < s->variant.n; k++) {
            uint64_t in, out;
            if (!ez_row_goes_through(s->variant.at[k].flags))
                continue;
            ez_drain_counts(t->tracing.drain, s->variant.at[k].id, &in, &out);
            if (in != out)
                return true;
        }
    }
    return false;
}

/* Returns the address of the chunk of shadow frames that contains address top, or that ends at
 * top. */
static uint64_t open_chunk_of(uint64_t top)
{
    return (top - EZ_RETURN_TRAMPOLINE) & -(uint64_t)EZ_CHUNK;
}

static bool open_read(struct ez_target *t, uint64_t at, void *to, size_t n)
{
    return ez_mem_read_some(t, at, to, n) == n;
}

/* Returns true if one of the shadow frames in the chunk at address `chunk`, below address `to`, is
 * live. word: the contents of the chunk. */
static bool open_entries(struct ez_target *t, uint64_t chunk, const uint64_t *word, uint64_t to)
{
    for (uint64_t entry = chunk + EZ_RETURN_TRAMPOLINE; entry < to; entry += EZ_RETURN_TRAMPOLINE) {
        uint64_t loc = word[(entry - chunk) / 8 + EZ_ENTRY_LOC], there;
        if (loc && loc != EZ_HOLE && open_read(t, loc, &there, sizeof there) &&
            there - (entry - EZ_DIST) < EZ_RETURN_TRAMPOLINE)
            return true;
    }
    return false;
}

/* Returns true if the shadow stack that ends at address `top` has a live frame, or cannot be read.
 * Follows the chain of its chunks, at most n, from the newest to the oldest. entries: address of the
 * first chunk. */
static bool open_chain(struct ez_target *t, uint64_t entries, uint64_t top, uint64_t n)
{
    uint64_t word[EZ_CHUNK / 8], chunk = open_chunk_of(top);
    for (uint64_t to = top; chunk && n--; chunk = word[EZ_CHUNK_PREV], to = chunk + EZ_CHUNK)
        if (chunk - entries >= EZ_DIST || !open_read(t, chunk, word, sizeof word) ||
            open_entries(t, chunk, word, to))
            return true;
    return false;
}

/* Looks for a live frame in each thread's shadow stack. Each chunk has the address of its thread's
 * control block, whose `top` is an address in the newest chunk of the thread's shadow stack. */
bool ez_frames_live(struct ez_target *t, uint64_t blob)
{
    const uint64_t entries = blob + EZ_RT_RETURN_TRAMPOLINES + EZ_DIST,
                   count = blob + EZ_RT_STATE + offsetof(struct rt_state, chunks);
    uint64_t n, head[EZ_RETURN_TRAMPOLINE / 8], top;
    if (!open_read(t, count, &n, sizeof n))
        return true;
    n = EZ_MIN(n, EZ_NCHUNK);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t chunk = entries + i * EZ_CHUNK;
        if (!open_read(t, chunk, head, sizeof head))
            return true;
        if (!head[EZ_CHUNK_OWNER])
            continue;
        if (!open_read(t, head[EZ_CHUNK_OWNER] + offsetof(struct ez_ctl, top), &top, sizeof top))
            return true;
        if (open_chunk_of(top) == chunk && open_chain(t, entries, top, n))
            return true;
    }
    return false;
}

static bool open_is_code(const struct ez_target *t, uint64_t pc)
{
    if (pc - t->rt.blob < EZ_RT_SIZE)
        return true;
    for (size_t i = 0; i < t->rt.area.n; i++)
        if (pc - t->rt.area.at[i].base < t->rt.area.at[i].size)
            return true;
    return false;
}

/* Returns true if a thread stands in a trampoline or in the runtime: it may be about to put the
 * address of its return trampoline on the stack. */
static bool open_inside(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_regs *regs;
        /* a thread without registers has ended */
        if (ez_err_drop(ez_thread_regs(t->inf.thread.at[i], &regs)) &&
            open_is_code(t, t->inf.arch->regs.pc(regs)))
            return true;
    }
    return false;
}

bool ez_calls_open(struct ez_target *t)
{
    return open_counts(t) || open_inside(t) || ez_frames_live(t, t->rt.blob);
}
