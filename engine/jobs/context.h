/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h - probe contexts (Blue Gene/L, 2005, section 4.1): named sets of ranks, to which
 * commands apply.
 *
 *   EXPR   EXPR or EXPR, EXPR and EXPR, not EXPR, (EXPR)
 *          all, none, NAME
 *          [ranks] 0-3,7,16-64/4
 *          hosts GLOB[,GLOB]
 *          sample P% [seed S] [of EXPR]  EXPR without `or` and `and`, or in parentheses
 *          where COND              over rank, size, host, local, pid; C's operators, host == "GLOB"
 *          where plugin FILE:FUNC  int FUNC(int rank, int size) of a shared object
 *
 * `not` binds more tightly than `and`, and `and` more tightly than `or`. COND ends before a word
 * `or` or `and`. The members of a named context are computed once, when the context is defined.
 * Only the expression `all` also includes members that join the job later. A sample of P % has the
 * members with the smallest values of splitmix64(seed, rank): every process computes the same
 * sample without communication. Unless P is 0, a sample of a set that is not empty is not empty.
 * Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_CONTEXT_H
#define EZ_CONTEXT_H

#include "engine/base/err.h"
#include "engine/jobs/roster.h"

struct ez_context {
    char *name, *text; /* text: the expression that the user typed */
    struct ez_ranks ranks;
};

struct ez_contexts {
    EZ_VEC(struct ez_context) v;
};

/* Sets *out to the ranks that an expression selects, or to the empty set after an error. The caller
 * frees *out. */
ez_err *ez_context_ranks(const struct ez_contexts *c, const struct ez_roster *r, const char *expr,
                         struct ez_ranks *out) EZ_WUR;
/* Sets *out to the ranks that appear as numbers in an expression although no member has such a
 * rank. The caller frees *out. */
void ez_context_missing(const struct ez_contexts *c, const struct ez_roster *r, const char *expr,
                        struct ez_ranks *out);
/* Returns the length in bytes of the expression with which the text begins, without the blanks
 * behind it; 0 if the expression has an error. */
size_t ez_context_length(const struct ez_contexts *c, const struct ez_roster *r, const char *text);
/* Defines or redefines NAME. */
ez_err *ez_context_define(struct ez_contexts *c, const struct ez_roster *r, const char *name,
                          const char *expr) EZ_WUR;
/* Returns NULL if no context has this name. */
struct ez_context *ez_context_find(const struct ez_contexts *c, const char *name);
ez_err *ez_context_delete(struct ez_contexts *c, const char *name) EZ_WUR;
void ez_contexts_free(struct ez_contexts *c);

/* Adds the members for which the condition of `where` is true to *out (where.c). text: the
 * condition only. */
ez_err *ez_where_ranks(const struct ez_roster *r, const char *text, struct ez_ranks *out) EZ_WUR;
/* Adds the members for which int FUNC(int rank, int size) is nonzero to *out (plugin.c). FUNC runs
 * in a child process, so if FUNC faults, or the calls for all members take more than 10 s, the
 * shell only returns an error. */
ez_err *ez_membership_plugin(const struct ez_roster *r, const char *file_func,
                             struct ez_ranks *out) EZ_WUR;

#endif
