/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - probe contexts (Blue Gene/L, 2005, section 4.1): named sets of ranks, to which commands apply.
 *
 *   EXPR   EXPR or EXPR, EXPR and EXPR, not EXPR, (EXPR)
 *          all, none, NAME
 *          [ranks] 0-3,7,16-64/4
 *          hosts GLOB[,GLOB]
 *          sample P% [seed S] [of NAME|not EXPR|(EXPR)]
 *          where COND               over rank, size, host, local, pid; C's operators, host == "GLOB"
 *          where plugin FILE:FUNC   int FUNC(int rank, int size) of a shared object
 *
 * `not` binds more tightly than `and`, that more than `or`. COND ends at a word `or` or `and`. What is a member is
 * found once, when a context is defined; only `all` means those that come later, too.
 *
 * A sample of P % has the members with the smallest values of splitmix64(seed, rank): whoever computes it finds
 * the same ones, without a word exchanged. It has one member at least, unless P is 0.
 * Errors: EZ_E_ARG, EZ_E_NOTFOUND. Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_CONTEXT_H
#define EZ_CONTEXT_H

#include "engine/base/err.h"
#include "engine/jobs/roster.h"

struct ez_context {
    char *name, *text; /* text: as it was defined */
    struct ez_ranks ranks;
};

struct ez_contexts {
    EZ_VEC(struct ez_context) v;
};

/* Evaluates an expression; *out is overwritten, and empty after an error. */
ez_err *ez_context_ranks(const struct ez_contexts *c, const struct ez_roster *r, const char *expr,
                         struct ez_ranks *out) EZ_WUR;
/* Ranks that an expression names, and nobody has. */
void ez_context_missing(const struct ez_contexts *c, const struct ez_roster *r, const char *expr,
                        struct ez_ranks *out);
/* How many bytes of the text are an expression, blanks behind it not counted: the longest one that it begins with.
 * 0 = it begins with none. */
size_t ez_context_length(const struct ez_contexts *c, const struct ez_roster *r, const char *text);
/* Defines NAME, or defines it anew. */
ez_err *ez_context_define(struct ez_contexts *c, const struct ez_roster *r, const char *name,
                          const char *expr) EZ_WUR;
struct ez_context *ez_context_find(const struct ez_contexts *c, const char *name); /* or NULL */
ez_err *ez_context_delete(struct ez_contexts *c, const char *name) EZ_WUR;
void ez_contexts_free(struct ez_contexts *c);

/* where.c: which members the rest of `where` is true for. `text` is all of it. */
ez_err *ez_where_ranks(const struct ez_roster *r, const char *text, struct ez_ranks *out) EZ_WUR;
/* plugin.c: int FUNC(int rank, int size), asked in a process of its own: one that faults, or takes longer than
 * 10 s, harms nobody. */
ez_err *ez_membership_plugin(const struct ez_roster *r, const char *file_func,
                             struct ez_ranks *out) EZ_WUR;

#endif
