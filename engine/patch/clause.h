/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - the clauses of a site. See clause.c. */
#ifndef EZ_PATCH_CLAUSE_H
#define EZ_PATCH_CLAUSE_H

#include "engine/patch/site.h"

/* Have the site carry this clause, too; `code` is the site's from now on. flags: EZ_ROW_*.
 * *index says which it is. EZ_E_REFUSED: another clause records already, and the like. */
ez_err *ez_clause_join(struct ez_target *t, int site, struct ez_clause_code *code, int flags,
                       const struct ez_drain_filter *filter, int *index) EZ_WUR;
void ez_clause_want(struct ez_target *t, int site, int index, int delta);
uint64_t ez_clauses_wanted(const struct ez_site *s); /* a bit each                    */
/* EZ_ROW_DATA, EZ_ROW_FOLLOW and EZ_ROW_FAST, as these clauses need them; others: flags of what else
 * the site does. */
int ez_clauses_flags(const struct ez_site *s, uint64_t which, int others);
/* Let the trampoline do by itself what it can. `data`: of the trampoline. */
void ez_clauses_straighten(const struct ez_blob_hdr *h, const struct ez_site *s,
                           const struct ez_variant *v, uint8_t *trampoline,
                           struct ez_trampoline_data *data);
/* Give each an id, if it has none yet. */
ez_err *ez_clauses_number(struct ez_target *t, struct ez_site *s, uint64_t which) EZ_WUR;
/* Bytes of their program, and the program. */
size_t ez_clauses_size(const struct ez_site *s, uint64_t which);
void ez_clauses_fill(const struct ez_site *s, uint64_t which, uint8_t *to);
struct ez_clause_counts {
    uint64_t entries, exits;    /* that passed                                      */
    uint64_t filtered;          /* hits that the condition let not pass             */
    uint64_t faulted;           /* those of them whose condition could not be read  */
    uint64_t left_out;          /* calls that passed, and that a filter kept out of the trace */
    uint64_t turns;             /* how many hits asked whose turn it is             */
    struct ez_fragment_counts { /* of a clause with a fragment (rt_fragment.c)          */
        uint64_t ends, left;    /* runs of abort code; exits that were no returns     */
        uint64_t without, unordered; /* calls, and exits, that ran nothing               */
        uint64_t recursed, off;      /* calls by itself; it was switched off for that          */
    } fragment;
    bool spent; /* the filter lets nothing pass any more            */
};
/* Tells the drain thread which hits of clauses with a filter a plain probe at the site wants as well. */
void ez_clauses_share(struct ez_target *t, const struct ez_site *s);
void ez_clause_counts(struct ez_target *t, const struct ez_site *s, int index,
                      struct ez_clause_counts *out);
/* N[2 * i], n[2 * i + 1]: how often code ran before and behind place i of its fragment's routine. */
void ez_clause_places(struct ez_target *t, const struct ez_site *s, int index, uint64_t *n);
void ez_clauses_free(struct ez_site *s);

#endif
