/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - the clauses of a site: what its probes request beyond counting hits (clause.c). A set
 * of clauses, `which`, has one bit for each. */
#ifndef EZ_PATCH_CLAUSE_H
#define EZ_PATCH_CLAUSE_H

#include "engine/patch/site.h"

/* Adds a clause to the site, for a probe that requests the clause. Owns `code` from then on, also
 * on failure. flags: EZ_ROW_*. *index: the clause's index in the site. Returns EZ_E_REFUSED, for
 * example if another clause of the site records already. */
ez_err *ez_clause_join(struct ez_target *t, int site, struct ez_clause_code *code, int flags,
                       const struct ez_drain_filter *filter, int *index) EZ_WUR;
/* Adds delta (1 or -1) to the number of enabled probes that want the clause. */
void ez_clause_want(struct ez_target *t, int site, int index, int delta);
/* Returns the EZ_ROW_* flags that a variant with these clauses needs besides `others`, the flags
 * for the site's probes without a clause. */
int ez_clauses_flags(const struct ez_site *s, uint64_t which, int others);
/* Makes the trampoline do as much as possible without the runtime's C code. trampoline, data: where
 * the shell prepares the trampoline and its data. */
void ez_clauses_straighten(const struct ez_blob_hdr *h, const struct ez_site *s,
                           const struct ez_variant *v, uint8_t *trampoline,
                           struct ez_trampoline_data *data);
/* Gives ids to those of the clauses that have no ids yet. */
ez_err *ez_clauses_number(struct ez_target *t, struct ez_site *s, uint64_t which) EZ_WUR;
/* ez_clauses_size() returns the bytes of the clauses' struct ez_program with its code, 0 if there
 * are no clauses. ez_clauses_fill() writes it to `to`. */
size_t ez_clauses_size(const struct ez_site *s, uint64_t which);
void ez_clauses_fill(const struct ez_site *s, uint64_t which, uint8_t *to);
struct ez_clause_counts {
    uint64_t entries, exits; /* numbers of calls that passed */
    uint64_t filtered;       /* number of hits that the condition rejected */
    uint64_t faulted;        /* part of `filtered`: the condition's memory was unreadable */
    uint64_t left_out;       /* number of calls that passed, but that the drain's filter left out */
    uint64_t turns; /* number of hits that met the conditions before `ignore` and `passcount` */
    struct ez_fragment_counts { /* counts that only a clause with a fragment has (rt_fragment.c) */
        uint64_t ends, left;    /* ends: runs of abort code; left: exits that were no return */
        uint64_t without, unordered; /* calls and exits that ran no code */
        uint64_t recursed, off;      /* recursive calls; recursion switched the fragment off */
    } fragment;
    bool spent; /* the filter lets nothing pass any more */
};
/* Lets the drain thread give hits that a clause's filter leaves out to the site's probes without a
 * clause, if there are any. */
void ez_clauses_share(struct ez_target *t, const struct ez_site *s);
void ez_clause_counts(struct ez_target *t, const struct ez_site *s, int index,
                      struct ez_clause_counts *out);
/* Sets n[2 * i] and n[2 * i + 1] to the number of runs of the code before and after place i of the
 * fragment's routine. */
void ez_clause_places(struct ez_target *t, const struct ez_site *s, int index, uint64_t *n);

#endif
