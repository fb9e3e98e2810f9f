/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ids.h - allocates ids for variants, clauses and modules, and defines them in the trace
 * (ids.c). */
#ifndef EZ_PATCH_IDS_H
#define EZ_PATCH_IDS_H

#include "engine/patch/site.h"

/* Allocates an id, whose row becomes a copy of `row` with the id in `first`, for something without
 * a patch (such as a clause). */
ez_err *ez_id_claim(struct ez_target *t, const struct ez_row *row, uint32_t *id) EZ_WUR;
/* Allocates an id for the events of a module, whose struct ezt_rt is at `at`. The id has counters
 * and no patch. */
ez_err *ez_id_of_module(struct ez_target *t, uint64_t at, uint32_t *id) EZ_WUR;
/* Allocates memory for the counters of the next free id, t->rt.nids, for a variant with these
 * EZ_ROW_* flags. Returns EZ_E_LIMIT if there are no more ids. */
ez_err *ez_id_room(struct ez_target *t, int flags) EZ_WUR;
void ez_id_use(struct ez_target *t); /* Marks the next free id as used. */
/* Defines the variant's id in the trace. */
void ez_site_describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v);
/* Defines in the trace that events of `id` are events of the site's function. */
void ez_site_define(struct ez_target *t, const struct ez_site *s, uint32_t id, unsigned flags);
/* Writes to the trace that from now on the function's calls are only counted (on true) or recorded
 * again (on false). */
void ez_site_throttled(struct ez_target *t, const struct ez_site *s, bool on);

#endif
