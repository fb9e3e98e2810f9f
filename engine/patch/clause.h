/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - the clauses of a site. See clause.c. */
#ifndef EZ_PATCH_CLAUSE_H
#define EZ_PATCH_CLAUSE_H

#include "engine/patch/site.h"

/* Adds a clause to the site, which owns `code` from now on. flags: EZ_ROW_*. *index is the clause's
 * index. EZ_E_REFUSED: for example, another clause records already. */
ez_err *ez_clause_join(struct ez_target *t, int site, struct ez_clause_code *code, int flags,
                       const struct ez_drain_filter *filter, int *index) EZ_WUR;
void ez_clause_want(struct ez_target *t, int site, int index, int delta);
/* Returns EZ_ROW_DATA, EZ_ROW_FOLLOW and EZ_ROW_FAST as these clauses need them. others: flags of
 * the site's other work. */
int ez_clauses_flags(const struct ez_site *s, uint64_t which, int others);
/* Makes the trampoline do as much as possible without the runtime. data: the trampoline's data. */
void ez_clauses_straighten(const struct ez_blob_hdr *h, const struct ez_site *s,
                           const struct ez_variant *v, uint8_t *trampoline,
                           struct ez_trampoline_data *data);
/* Gives each of these clauses ids, if it has none yet. */
ez_err *ez_clauses_number(struct ez_target *t, struct ez_site *s, uint64_t which) EZ_WUR;
/* Return the size in bytes of the clauses' program, and write the program. */
size_t ez_clauses_size(const struct ez_site *s, uint64_t which);
void ez_clauses_fill(const struct ez_site *s, uint64_t which, uint8_t *to);
struct ez_clause_counts {
    uint64_t entries, exits;    /* calls that passed */
    uint64_t filtered;          /* hits that the condition rejected */
    uint64_t faulted;           /* part of `filtered`: the condition's memory was unreadable */
    uint64_t left_out;          /* calls that passed, and that a filter kept out of the trace */
    uint64_t turns;             /* evaluations of the turn condition */
    struct ez_fragment_counts { /* only for a clause with a fragment (rt_fragment.c) */
        uint64_t ends, left;    /* runs of abort code; exits that were no return */
        uint64_t without, unordered; /* calls, and exits, that ran no code */
        uint64_t recursed, off;      /* recursive calls; recursion switched the fragment off */
    } fragment;
    bool spent; /* the filter lets nothing pass any more */
};
/* Tells the drain thread which filtered hits a plain probe at the site wants too. */
void ez_clauses_share(struct ez_target *t, const struct ez_site *s);
void ez_clause_counts(struct ez_target *t, const struct ez_site *s, int index,
                      struct ez_clause_counts *out);
/* Sets n[2 * i] and n[2 * i + 1] to the number of runs of the code before and after place i of the
 * fragment's routine. */
void ez_clause_places(struct ez_target *t, const struct ez_site *s, int index, uint64_t *n);

#endif
