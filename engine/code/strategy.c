/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.c - the table of strategies: see strategy.h.
 * Tests: tests/unit/code/check_patch_region.c, tests/unit/process/check_restore.c,
 * tests/procs/why.sh */
#include "engine/code/strategy.h"

#include <string.h>

#include "arch/arch.h"
#include "engine/ring_abi.h"

static bool strategy_has_jump(const struct ez_arch *a)
{
    return a->jump.write;
}

static bool strategy_has_short_jump(const struct ez_arch *a)
{
    return a->jump.write_short;
}

static bool strategy_has_pun(const struct ez_arch *a)
{
    return a->jump.write_pun;
}

static bool strategy_has_trap(const struct ez_arch *a)
{
    return a->trap.insn;
}

static bool strategy_of_jump(const struct ez_arch *a, unsigned bytes)
{
    return bytes == (unsigned)a->jump.len;
}

static bool strategy_of_short_jump(const struct ez_arch *a, unsigned bytes)
{
    return bytes == (unsigned)a->jump.short_len;
}

static bool strategy_of_pun(const struct ez_arch *a, unsigned bytes)
{
    return bytes && bytes <= (unsigned)a->jump.len;
}

static bool strategy_of_trap(const struct ez_arch *a, unsigned bytes)
{
    return bytes == a->trap.len;
}

/* Rows of version 1 of the journal have strategy 0, for any kind of jump. */
static bool strategy_of_some_jump(const struct ez_arch *a, unsigned bytes)
{
    return strategy_of_jump(a, bytes) || strategy_of_short_jump(a, bytes);
}

static ez_err *strategy_lead_by_jump(const struct ez_arch *a, struct ez_row *r, unsigned prefix)
{
    return a->jump.write(r->addr, r->trampoline, r->after);
}

static ez_err *strategy_lead_by_island(const struct ez_arch *a, struct ez_row *r, unsigned prefix)
{
    EZ_TRY(a->jump.write(r->island, r->trampoline, r->island_after));
    return a->jump.write_short(r->addr, r->island, r->after);
}

static ez_err *strategy_lead_by_pun(const struct ez_arch *a, struct ez_row *r, unsigned prefix)
{
    a->jump.write_pun(r->len, prefix, r->addr, r->island, r->after);
    return NULL;
}

static ez_err *strategy_lead_by_trap(const struct ez_arch *a, struct ez_row *r, unsigned prefix)
{
    memcpy(r->after, a->trap.insn, a->trap.len);
    return NULL;
}

#define NAMED(n) .name = n, .name_exit = { n "/slot", n "/call" }

const struct ez_strategy_row ez_strategy_rows[EZ_NSTRATEGY + 1] = {
    [EZ_NO_STRATEGY] = {
        .name = "",
        .name_exit = { "", "" },
        .text = "none",
        .may_have = strategy_of_some_jump,
    },
    [EZ_JUMP] = {
        NAMED("jump"),
        .text = "jump over the prologue (S1)",
        .use = EZ_USE_JUMP,
        .direct = true,
        .available = strategy_has_jump,
        .may_have = strategy_of_jump,
        .lead = strategy_lead_by_jump,
    },
    [EZ_PADDING] = {
        NAMED("padding"),
        .text = "jump that ends in the padding behind the function (S2)",
        .use = EZ_USE_JUMP,
        .direct = true,
        .available = strategy_has_jump,
        .may_have = strategy_of_jump,
        .lead = strategy_lead_by_jump,
    },
    [EZ_ISLAND] = {
        NAMED("island"),
        .text = "short jump to a long one in padding near by (S3)",
        .use = EZ_USE_ISLAND,
        .island = EZ_ISLAND_IN_TEXT,
        .available = strategy_has_short_jump,
        .may_have = strategy_of_short_jump,
        .lead = strategy_lead_by_island,
    },
    [EZ_PUN] = {
        NAMED("pun"),
        .text = "jump whose last bytes are the next instructions (S4)",
        .use = EZ_USE_PUN,
        .island = EZ_ISLAND_MAPPED,
        .relies_on_next = true,
        .available = strategy_has_pun,
        .may_have = strategy_of_pun,
        .lead = strategy_lead_by_pun,
    },
    [EZ_TRAP] = {
        NAMED("trap"),
        .text = "breakpoint, handled inside the target (S5)",
        .use = EZ_USE_TRAP,
        .trap = true,
        .available = strategy_has_trap,
        .may_have = strategy_of_trap,
        .lead = strategy_lead_by_trap,
    },
    [EZ_NSTRATEGY] = {
        .name = "",
        .name_exit = { "", "" },
        .text = "none",
        .may_have = strategy_of_jump,
    },
};

/* The order of trial. A pun comes after an island, even one in an evicted neighbour, because the
 * bytes of the next instructions must not change while a pun is planted. A trap is slow. */
static const uint8_t strategy_order[EZ_NSTRATEGY - 1] = { EZ_JUMP, EZ_PADDING, EZ_ISLAND, EZ_PUN,
                                                          EZ_TRAP };

unsigned ez_strategies_of(const struct ez_arch *a)
{
    unsigned by = 0;
    for (unsigned i = EZ_JUMP; a->rt && i < EZ_NSTRATEGY; i++)
        by |= ez_strategy(i)->available(a) ? EZ_BY(i) : 0;
    return by;
}

unsigned ez_strategies_used(unsigned use)
{
    unsigned by = 0;
    for (unsigned i = EZ_JUMP; i < EZ_NSTRATEGY; i++)
        by |= use == EZ_USE_ANY || ez_strategy(i)->use == use ? EZ_BY(i) : 0;
    return by;
}

unsigned ez_strategies_with(unsigned strategy)
{
    unsigned by = 0;
    for (unsigned i = EZ_JUMP; i < EZ_NSTRATEGY; i++)
        by |= ez_strategy(i)->lead == ez_strategy(strategy)->lead ? EZ_BY(i) : 0;
    return by;
}

ez_err *ez_strategy_choose(unsigned by, ez_strategy_try *try, void *arg)
{
    ez_err *first = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(strategy_order); i++) {
        unsigned any = by & ez_strategies_with(strategy_order[i]);
        ez_err *e = any ? try(arg, ez_strategy(strategy_order[i]), any) : NULL;
        if (any && !e) {
            ez_err_free(first);
            return NULL;
        }
        first = ez_err_first(first, e);
        by &= ~any;
    }
    return first;
}
