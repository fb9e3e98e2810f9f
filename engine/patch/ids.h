/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ids.h - the ids of variants, clauses and modules. See ids.c. */
#ifndef EZ_PATCH_IDS_H
#define EZ_PATCH_IDS_H

#include "engine/patch/site.h"

/* Takes an id for something without a patch, described by `row`. */
ez_err *ez_id_claim(struct ez_target *t, const struct ez_row *row, uint32_t *id) EZ_WUR;
/* Takes an id for the events of a module, whose struct ezt_rt is at `at`. The id has counters and
 * no patch. */
ez_err *ez_id_of_module(struct ez_target *t, uint64_t at, uint32_t *id) EZ_WUR;
/* Makes room for the counters of the next id, t->rt.nids, of a variant with these flags. */
ez_err *ez_id_room(struct ez_target *t, int flags) EZ_WUR;
void ez_id_use(struct ez_target *t); /* Takes that id. */
void ez_site_describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v);
/* Defines events of `id` as events of the site's function. */
void ez_site_define(struct ez_target *t, const struct ez_site *s, uint32_t id, unsigned flags);
/* Tells the trace that the function's calls are only counted from now on (on), or recorded
 * again. */
void ez_site_throttled(struct ez_target *t, const struct ez_site *s, bool on);

#endif
