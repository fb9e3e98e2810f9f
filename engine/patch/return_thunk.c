/* SPDX-License-Identifier: GPL-3.0-or-later */
/* return_thunk.c - pools of return thunks, to which the functions called by a call-through return,
 * and the pool's code that thunks jump to (engine/rt/rt.h).
 *
 * A thunk has an id, the start of the function's body, and the code that records or counts the
 * exit. A thunk pool is mapped within reach of the functions that it serves. Like trampolines,
 * return thunks are prepared in the shell and written together (ez_code_flush), before a jump leads
 * to one of them. The code of all thunks is the same, and is written in whole pages, for all ids in
 * use. A thunk pool is R-X in the target. Thunks are removed only at a detach (rt_trim.c), because
 * a frame may return to a thunk.
 * Errors: those of mapping and writing. Without a thunk pool, exits use return trampolines.
 * Invariant: the first `written` thunks of a pool are in the target; rt_state.npools includes a
 * pool, with its unwind table, before the pool's first return thunk is used.
 * Tests: tests/fault/check_exits.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/patch/alloc.h"
#include "engine/patch/return_thunk.h"

#include <string.h>
#include <sys/mman.h>

struct ez_pool *ez_pool_near(struct ez_target *t, uint64_t addr)
{
    int64_t margin = t->inf.arch->jump.reach - 2 * EZ_POOL_SIZE;
    for (unsigned i = 0; i < t->rt.npools; i++) {
        int64_t off = (int64_t)(t->rt.pool[i].base - addr);
        if (off > -margin && off < margin)
            return &t->rt.pool[i];
    }
    return NULL;
}

struct ez_pool *ez_pool_at(struct ez_runtime *rt, uint64_t base)
{
    for (unsigned i = 0; i < rt->npools; i++)
        if (rt->pool[i].base == base)
            return &rt->pool[i];
    return NULL;
}

/* Generates the first page of the thunk pool at address `base`: the code that its thunks jump to,
 * and its unwind table. */
static void thunk_first_page(const struct ez_target *t, uint64_t base, uint8_t page[EZ_POOL_THUNKS])
{
    const struct ez_runtime *rt = &t->rt;
    const struct ez_blob_hdr *h = rt->bh;
    struct ez_pool_words words = { .cont = base + EZ_POOL_THUNKS + t->inf.arch->rt->continuation,
                                   .slow = rt->blob + h->through_slow,
                                   .room = rt->blob + h->room,
                                   .tick = rt->blob + h->tick,
                                   .left = rt->blob + h->left_return_thunk };
    memset(page, 0, EZ_POOL_THUNKS);
    memcpy(page, rt->image + h->pool, h->pool_end - h->pool);
    memcpy(page + (h->pool_words - h->pool), &words, sizeof words);
}

/* Writes the pool's first page, and adds the pool to the runtime's list of unwind tables. */
static ez_err *thunk_furnish(struct ez_target *t, uint64_t base)
{
    struct ez_runtime *rt = &t->rt;
    uint8_t page[EZ_POOL_THUNKS];
    uint64_t state = rt->blob + EZ_RT_STATE, n = rt->npools + 1;
    thunk_first_page(t, base, page);
    EZ_TRY(ez_mem_write(t, base, page, sizeof page, "write the code after return thunks"));
    EZ_TRY(ez_mem_write(t, state + offsetof(struct rt_state, pool) + rt->npools * 8, &base, 8,
                        "store the address of an unwind table"));
    return ez_mem_write(t, state + offsetof(struct rt_state, npools), &n, 8,
                        "store the number of unwind tables");
}

/* Adds the pool to the list of pools, and to the list of areas as a full area, so that no
 * trampoline is allocated in it. */
static struct ez_pool *thunk_add(struct ez_target *t, uint64_t base)
{
    EZ_PUSH(
        &t->rt.area,
        ((struct ez_area){
            .base = base, .size = EZ_POOL_SIZE, .used = EZ_POOL_SIZE, .flushed = EZ_POOL_SIZE }));
    t->rt.pool[t->rt.npools] = (struct ez_pool){ .base = base };
    return &t->rt.pool[t->rt.npools++];
}

ez_err *ez_pool_reserve(struct ez_target *t, uint64_t addr)
{
    uint64_t base;
    if (ez_pool_near(t, addr))
        return NULL;
    if (t->rt.npools == EZ_NPOOLS)
        return ez_err_new(EZ_E_LIMIT, 0, "A process can have at most %d pools of return thunks",
                          EZ_NPOOLS);
    EZ_TRY(ez_near_map(t, addr, EZ_POOL_SIZE, "map return thunks", &base));
    EZ_TRY(thunk_furnish(t, base));
    thunk_add(t, base);
    return NULL;
}

uint64_t ez_return_thunk_set(struct ez_target *t, struct ez_pool *pool, uint32_t id,
                             uint64_t target, bool recorded)
{
    const struct ez_blob_hdr *h = t->rt.bh;
    const struct ez_return_thunk none = { 0 };
    while (pool->thunk.n <= id)
        EZ_PUSH(&pool->thunk, none);
    pool->thunk.at[id] = (struct ez_return_thunk){
        .target = target,
        .exit = pool->base + (recorded ? h->through_rec : h->through) - h->pool,
    };
    pool->written = EZ_MIN(pool->written, id);
    return pool->base + EZ_POOL_THUNKS + (uint64_t)id * EZ_RETURN_THUNK;
}

/* Returns the code of n return thunks, which the caller frees. */
static uint8_t *thunk_code_of(const struct ez_target *t, size_t n)
{
    uint8_t *code = ez_alloc(n * EZ_RETURN_THUNK);
    for (size_t i = 0; i < n; i++)
        memcpy(code + i * EZ_RETURN_THUNK, t->rt.image + t->rt.bh->thunk, EZ_RETURN_THUNK);
    return code;
}

/* Writes the code of the return thunks from number `coded` on, up to the end of the last thunk's
 * page. */
static ez_err *thunk_write_code(struct ez_target *t, struct ez_pool *pool)
{
    size_t n = EZ_ROUND_UP(pool->thunk.n, EZ_PAGE / EZ_RETURN_THUNK) - pool->coded;
    if (pool->coded >= pool->thunk.n)
        return NULL;
    EZ_FREE uint8_t *code = thunk_code_of(t, n);
    EZ_TRY(ez_mem_write(t, pool->base + EZ_POOL_THUNKS + pool->coded * EZ_RETURN_THUNK, code,
                        n * EZ_RETURN_THUNK, "write return thunks"));
    pool->coded += n;
    return NULL;
}

static ez_err *thunk_flush(struct ez_target *t, struct ez_pool *pool)
{
    size_t from = pool->written, n = pool->thunk.n - from;
    if (!n)
        return NULL;
    EZ_TRY(thunk_write_code(t, pool));
    EZ_TRY(
        ez_mem_write(t, pool->base + EZ_POOL_THUNKS + EZ_RETURN_THUNK_DIST + from * EZ_RETURN_THUNK,
                     pool->thunk.at + from, n * EZ_RETURN_THUNK, "write where return thunks lead"));
    pool->written = pool->thunk.n;
    return NULL;
}

ez_err *ez_return_thunks_flush(struct ez_target *t)
{
    for (unsigned i = 0; i < t->rt.npools; i++)
        EZ_TRY(thunk_flush(t, &t->rt.pool[i]));
    return NULL;
}

ez_err *ez_code_flush(struct ez_target *t)
{
    EZ_TRY(ez_trampoline_flush(t));
    return ez_return_thunks_flush(t);
}

/* ---- thunk pools of an earlier shell --------------------------------------------------------- */

/* Adopts the return thunks for ids below n. The pages must contain exactly the code that this shell
 * would write, followed by zeros only. Then copies the thunks' data words as they are. Returns
 * false if the code differs or cannot be read. */
static bool thunk_adopt_all(struct ez_target *t, struct ez_pool *pool, uint32_t n)
{
    const size_t page = EZ_PAGE / EZ_RETURN_THUNK, most = EZ_ROUND_UP(n, page);
    const uint64_t at = pool->base + EZ_POOL_THUNKS;
    EZ_FREE uint8_t *want = thunk_code_of(t, page), *live = ez_alloc(most * EZ_RETURN_THUNK + 1);
    if (ez_mem_read_some(t, at, live, most * EZ_RETURN_THUNK) != most * EZ_RETURN_THUNK)
        return false;
    while (pool->coded < most && !memcmp(live + pool->coded * EZ_RETURN_THUNK, want, EZ_PAGE))
        pool->coded += page;
    for (size_t i = pool->coded * EZ_RETURN_THUNK; i < most * EZ_RETURN_THUNK; i++)
        if (live[i])
            return false;
    const struct ez_return_thunk none = { 0 };
    while (pool->thunk.n < n)
        EZ_PUSH(&pool->thunk, none);
    pool->written = n;
    return ez_mem_read_some(t, at + EZ_RETURN_THUNK_DIST, pool->thunk.at, n * EZ_RETURN_THUNK) ==
           n * EZ_RETURN_THUNK;
}

ez_err *ez_pools_adopt(struct ez_target *t, const uint64_t *base, unsigned npools, uint32_t n)
{
    for (unsigned i = 0; i < npools; i++) {
        uint8_t want[EZ_POOL_THUNKS], live[sizeof want];
        thunk_first_page(t, base[i], want);
        EZ_TRY(ez_mem_read(t, base[i], live, sizeof live));
        if (memcmp(want, live, sizeof live) || !thunk_adopt_all(t, thunk_add(t, base[i]), n))
            return ez_err_new(EZ_E_MISMATCH, 0,
                              "The return thunks at 0x%lx are not those that this eztsh generates",
                              (unsigned long)base[i]);
    }
    return NULL;
}
