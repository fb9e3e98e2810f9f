/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strategy.h - the ways in which the bytes at a site lead to the trampoline. The head of
 * patch_region.c has a drawing of each.
 *
 * Most of what differs between strategies is in the rows of strategy.c, so that other code seldom
 * compares a strategy's number. A new strategy needs a number and words for the user in this
 * header, a row in strategy.c, and a function in the table `region_by` of patch_region.c. */
#ifndef EZ_STRATEGY_H
#define EZ_STRATEGY_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_arch;
struct ez_row;

/* The numbers are in the journal (struct ez_row), so they never change. */
enum ez_strategy {
    EZ_NO_STRATEGY,
    EZ_JUMP,    /* S1: a jump within the function */
    EZ_PADDING, /* S2: a jump that ends in the padding after a short function */
    EZ_ISLAND,  /* S3: a short jump to padding nearby, and a long jump from it */
    EZ_PUN,     /* S4: a jump whose last bytes are the first bytes of the next instructions */
    EZ_TRAP,    /* S5: a breakpoint */
    EZ_NSTRATEGY
};
#define EZ_BY(strategy) (1u << (strategy))
#define EZ_BY_ALL (EZ_BY(EZ_NSTRATEGY) - EZ_BY(EZ_JUMP))
/* The strategies that are tried unless the user requests others. A trap is not among them, because
 * it costs a thousand times more than a jump. */
#define EZ_BY_DEFAULT (EZ_BY_ALL & ~EZ_BY(EZ_TRAP))
/* A bit that is added to a set of EZ_BY(): allows a pun only if the next function is patched
 * together with this one. (After any other pun, the bytes of the next instructions must never
 * change.) */
#define EZ_BY_NOT_ALONE (1u << 31)

/* "set strategy": the best strategy that works (EZ_USE_ANY), or only the named one. */
enum { EZ_USE_ANY, EZ_USE_JUMP, EZ_USE_ISLAND, EZ_USE_PUN, EZ_USE_TRAP };
#define EZ_STRATEGY_WORDS "auto", "jump", "island", "pun", "trap" /* by EZ_USE_* */
#define EZ_STRATEGY_MEANINGS                                                                       \
    "  auto    the best strategy that works\n"                                                     \
    "  jump    five bytes, over whole instructions\n"                                              \
    "  island  a short jump to a long one near by, for functions of a few bytes\n"                 \
    "  pun     a jump whose last bytes are those of the next instruction\n"                        \
    "  trap    a breakpoint that the program handles itself\n"
#define EZ_STRATEGY_NAMES "jump|padding|island|pun|trap" /* in the order of enum ez_strategy */

/* Where the island is, if the jump at the site cannot reach the trampoline. */
enum ez_island_place {
    EZ_ISLAND_NONE,
    EZ_ISLAND_IN_TEXT, /* in padding or in the evicted neighbour, a function that makes room */
    EZ_ISLAND_MAPPED,  /* in a page that eztsh maps; the page stays when the probe is removed */
};

struct ez_strategy_row {
    const char *name; /* in "why" */
    /* in "info probes", [0] with a return trampoline, [1] with call-through for the exit */
    const char *name_exit[2];
    const char *text; /* short description */
    unsigned use;     /* EZ_USE_* that allows the strategy; EZ_USE_ANY does, too */
    enum ez_island_place island;
    bool direct; /* the site's jump leads to the trampoline itself */
    bool trap;   /* the site's byte is a breakpoint, which the runtime handles */
    /* the bytes of the next instructions are part of the jump, so these instructions must stay */
    bool relies_on_next;
    /* Returns true if the processor's part of eztsh has what the strategy needs. */
    bool (*available)(const struct ez_arch *a);
    /* Returns true if a patch of this strategy may have `bytes` bytes. */
    bool (*may_have)(const struct ez_arch *a, unsigned bytes);
    /* Fills in r->after, and r->island_after for an island in the text, from the addresses in the
     * row r of the journal. prefix: number of prefixes without effect before the jump's opcode.
     * EZ_E_RANGE: a jump cannot reach its destination. The pointer is NULL in the rows of unknown
     * strategies. Strategies that have the same function are judged together. */
    ez_err *(*lead)(const struct ez_arch *a, struct ez_row *r, unsigned prefix);
};
/* The last row is for unknown numbers in the journal of another version of eztsh. */
extern const struct ez_strategy_row ez_strategy_rows[EZ_NSTRATEGY + 1];

static inline const struct ez_strategy_row *ez_strategy(unsigned strategy)
{
    return &ez_strategy_rows[EZ_MIN(strategy, (unsigned)EZ_NSTRATEGY)];
}

/* These return sets of strategies (bits EZ_BY()): those that the processor supports (none: no probe
 * can be planted), those that the setting EZ_USE_* allows, and those that are judged together with
 * `strategy`. */
unsigned ez_strategies_of(const struct ez_arch *a);
unsigned ez_strategies_used(unsigned use);
unsigned ez_strategies_with(unsigned strategy);

/* Calls try() for the strategies of `by`, which must not be empty, in the order of trial, until one
 * works. Strategies that are judged together are tried in one call, with the row of the first of
 * them. If none works, returns the refusal of the first trial. */
typedef ez_err *ez_strategy_try(void *arg, const struct ez_strategy_row *row, unsigned by);
ez_err *ez_strategy_choose(unsigned by, ez_strategy_try *try, void *arg) EZ_WUR;

#endif
