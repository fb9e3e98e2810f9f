/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.h - a set of ranks, as sorted spans. As text, "0-3,7,16-64/4" is 0 to 3, 7, and every
 * fourth rank from 16 to 64. A zeroed struct is the empty set.
 * Tests: tests/unit/jobs/check_context.c */
#ifndef EZ_RANKS_H
#define EZ_RANKS_H

#include "engine/base/base.h"
#include "engine/base/err.h"
#include "engine/base/vec.h"

#define EZ_RANK_MOST 0xfffffffeu /* greatest possible rank */

struct ez_span {
    uint32_t from, to; /* first and last rank */
};

struct ez_ranks { /* spans are sorted, with gaps between them */
    EZ_VEC(struct ez_span) span;
};

/* Adds the ranks in text, a list such as "0-3,7", to *out. EZ_E_ARG: text is not such a list. */
ez_err *ez_ranks_parse(const char *text, struct ez_ranks *out) EZ_WUR;
/* Returns the set as text, such as "0-3,7"; "" for the empty set. The caller frees it. */
char *ez_ranks_text(const struct ez_ranks *r);
void ez_ranks_free(struct ez_ranks *r);

void ez_ranks_add(struct ez_ranks *r, uint32_t from, uint32_t to);
void ez_ranks_remove(struct ez_ranks *r, const struct ez_ranks *those);
void ez_ranks_unite(struct ez_ranks *r, const struct ez_ranks *with);
/* Removes the ranks that are not in `with`. */
void ez_ranks_intersect(struct ez_ranks *r, const struct ez_ranks *with);
void ez_ranks_copy(struct ez_ranks *to, const struct ez_ranks *from); /* Overwrites `to`. */

bool ez_ranks_has(const struct ez_ranks *r, uint32_t rank);
uint64_t ez_ranks_count(const struct ez_ranks *r);
bool ez_ranks_equal(const struct ez_ranks *a, const struct ez_ranks *b);

/* Iterates: for (EZ_EACH_RANK(rank, &set)) ...; rank is a uint64_t. */
#define EZ_EACH_RANK(rank, set)                                                                    \
    size_t rank##_i_ = 0;                                                                          \
    rank##_i_ < (set)->span.n; rank##_i_++)                                  \
        for (uint64_t rank = (set)->span.at[rank##_i_].from;                                       \
             rank <= (set)->span.at[rank##_i_].to; rank++

#endif
