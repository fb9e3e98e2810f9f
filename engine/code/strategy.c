/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.c - the table of strategies: see strategy.h.
 * Tests: tests/unit/engine/check_patch_region.c, check_restore.c, tests/procs/why.sh */
#include "engine/code/strategy.h"

#include "arch/arch.h"
#include "engine/code/analyze_priv.h"

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

#define NAMED(n) .name = n, .name_exit = { n "/slot", n "/call" }

const struct ez_strategy_row ez_strategy_rows[EZ_NSTRATEGY + 1] = {
    [EZ_NO_STRATEGY] = { .name = "", .name_exit = { "", "" }, .text = "none" },
    [EZ_JUMP] = {
        NAMED("jump"),
        .text = "jump over the prologue (S1)",
        .use = EZ_USE_JUMP,
        .direct = true,
        .available = strategy_has_jump,
        .judge = ez_region_by_jump,
    },
    [EZ_PADDING] = {
        NAMED("padding"),
        .text = "jump that ends in the padding behind the function (S2)",
        .use = EZ_USE_JUMP,
        .direct = true,
        .available = strategy_has_jump,
        .judge = ez_region_by_jump,
    },
    [EZ_ISLAND] = {
        NAMED("island"),
        .text = "short jump to a long one in padding near by (S3)",
        .use = EZ_USE_ISLAND,
        .island = EZ_ISLAND_IN_TEXT,
        .available = strategy_has_short_jump,
        .judge = ez_region_by_island,
    },
    [EZ_PUN] = {
        NAMED("pun"),
        .text = "jump punned with the next instructions (S4)",
        .use = EZ_USE_PUN,
        .island = EZ_ISLAND_MAPPED,
        .relies_on_next = true,
        .available = strategy_has_pun,
        .judge = ez_region_by_pun,
    },
    [EZ_TRAP] = {
        NAMED("trap"),
        .text = "breakpoint, handled inside the target (S5)",
        .use = EZ_USE_TRAP,
        .trap = true,
        .available = strategy_has_trap,
        .judge = ez_region_by_trap,
    },
    [EZ_NSTRATEGY] = { .name = "", .name_exit = { "", "" }, .text = "none" },
};

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
        by |= ez_strategy(i)->judge == ez_strategy(strategy)->judge ? EZ_BY(i) : 0;
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
