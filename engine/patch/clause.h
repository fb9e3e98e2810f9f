/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - the clauses of a site: what its probes request beyond counting hits (clause.c). A set
 * of clauses, `which`, has one bit for each. */
#ifndef EZ_PATCH_CLAUSE_H
#define EZ_PATCH_CLAUSE_H

#include "engine/patch/site.h"

/* Adds a clause to the site, or reuses an unused clause with this code and flags, and adds 1 to the
 * number of probes that want it. Takes ownership of `code`, also after an error. flags: EZ_ROW_*.
 * *index: the clause's index in the site. Returns EZ_E_REFUSED, for example if another clause of
 * the site records already. */
ez_err *ez_clause_join(struct ez_target *t, int site, struct ez_clause_code *code, int flags,
                       const struct ez_drain_filter *filter, int *index) EZ_WUR;
/* Adds delta (1 or -1) to the number of enabled probes that want the clause. */
void ez_clause_want(struct ez_target *t, int site, int index, int delta);
/* Returns the EZ_ROW_* flags that a variant needs for the clauses `which`. others: the flags for
 * the site's probes without a clause, which are not part of the result. */
int ez_clauses_flags(const struct ez_site *s, uint64_t which, int others);
/* Writes machine code for as much of the clause as possible into the trampoline, so that the
 * runtime's C code is called less often. trampoline, data: the shell's copies of the trampoline and
 * of its data. */
void ez_clauses_straighten(const struct ez_blob_hdr *h, const struct ez_site *s,
                           const struct ez_variant *v, uint8_t *trampoline,
                           struct ez_trampoline_data *data);
/* Allocates ids for those of the clauses `which` that have none yet. */
ez_err *ez_clauses_number(struct ez_target *t, struct ez_site *s, uint64_t which) EZ_WUR;
/* ez_clauses_size() returns the size in bytes of the struct ez_program of the clauses `which`, with
 * their code; 0 if there are no clauses. ez_clauses_fill() writes this program to `to`. */
size_t ez_clauses_size(const struct ez_site *s, uint64_t which);
void ez_clauses_fill(const struct ez_site *s, uint64_t which, uint8_t *to);
struct ez_clause_counts {
    uint64_t entries, exits; /* numbers of entries and exits that the condition accepted */
    uint64_t filtered;       /* number of hits that the condition rejected */
    uint64_t faulted;        /* those of `filtered` whose condition read unmapped memory */
    /* number of accepted calls that the drain's filter (such as -min) discarded */
    uint64_t left_out;
    /* number of hits that the condition accepted, before `ignore` and `passcount` are applied */
    uint64_t turns;
    struct ez_fragment_counts { /* counts that only a clause with a fragment has (rt_fragment.c) */
        uint64_t ends, left;    /* ends: runs of abort code; left: exits other than a return */
        /* without: calls that ran no code; unordered: exits that ran no code */
        uint64_t without, unordered;
        /* recursed: recursive calls; off: nonzero if recursion switched the fragment off */
        uint64_t recursed, off;
    } fragment;
    bool spent; /* the filter discards all further hits */
};
/* Tells the drain which id of the site's probes without a clause gets the hits that a clause's
 * filter discards. */
void ez_clauses_share(struct ez_target *t, const struct ez_site *s);
void ez_clause_counts(struct ez_target *t, const struct ez_site *s, int index,
                      struct ez_clause_counts *out);
/* Sets n[2 * i] and n[2 * i + 1] to the number of runs of the code before and after place i (a call
 * site) of the fragment's routine. */
void ez_clause_places(struct ez_target *t, const struct ez_site *s, int index, uint64_t *n);

#endif
