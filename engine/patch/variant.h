/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - variants of a site. See variant.c. */
#ifndef EZ_PATCH_VARIANT_H
#define EZ_PATCH_VARIANT_H

#include "engine/patch/site.h"

/* One more (or one less) probe that asks for these EZ_ROW_* flags. */
void ez_site_want(struct ez_target *t, int site, int flags, int delta);
/* With what the one that asks for EZ_ROW_REPLACE replaces the function. */
void ez_site_replace(struct ez_target *t, int site, struct ez_with with);
int ez_site_wanted(const struct ez_site *s);     /* the EZ_ROW_* flags of all its probes together */
bool ez_site_is_wanted(const struct ez_site *s); /* does any probe want it? */
/* Change what the site is wanted for; its host is wanted as long as it is. */
void ez_site_evicted_follows(struct ez_target *t, int site, bool before);
/* Take an id for something without a patch, `row`. */
ez_err *ez_id_claim(struct ez_target *t, const struct ez_row *row, uint32_t *id) EZ_WUR;
/* *variant = the variant that serves all that the site's probes want; -1 = original bytes. Makes
 * trampoline and row of a new variant. World stopped. */
ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant) EZ_WUR;
/* How the site's exits are followed, or would be: "call-through" or "paired return slot". For a
 * slot, *because = why call-through cannot be used; NULL = it could, but the settings ask for
 * slots. */
const char *ez_exit_mode(struct ez_target *t, int site, const char **because);
void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits);
/* An id for the events of a module whose struct ezt_rt is at `at`: it has counters and no patch. */
ez_err *ez_id_of_module(struct ez_target *t, uint64_t at, uint32_t *id) EZ_WUR;
/* Plant a hook of our own on `func`, which calls `thunk`. World stopped. A site with such a hook
 * serves no probe. */
ez_err *ez_site_hook(struct ez_target *t, uint64_t func, uint64_t thunk) EZ_WUR;
bool ez_loader_hooked(const struct ez_target *t); /* does the loader's rendezvous carry our hook? */
/* Prepare a hook on a function that leaves calls or switches stacks (`kind`: EZ_JUMP_*), which probes may share. What
 * is to be done is added to *out, and done by ez_site_jumps_plant(): together, because each change looks at all
 * processes of the machine for some that share the memory. World stopped. */
ez_err *ez_site_jump(struct ez_target *t, uint64_t func, unsigned kind,
                     struct ez_changes *out) EZ_WUR;
ez_err *ez_site_jumps_plant(struct ez_target *t, const struct ez_changes *c) EZ_WUR;
void ez_site_describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v);
/* Events of `id` are of the site's function. */
void ez_site_define(struct ez_target *t, const struct ez_site *s, uint32_t id, unsigned flags);
/* Tell the trace that from now on the function's calls are only counted; false = no longer. */
void ez_site_throttled(struct ez_target *t, const struct ez_site *s, bool on);
/* What variant_adopt.c uses, too. The bytes in front of the moved prologue: the template, and the
 * part that calls a replacement and keeps registers. */
size_t ez_variant_template_len(const struct ez_target *t, int flags);
/* Make the code of v->trampoline in `to`; s->reloc then describes this variant. */
ez_err *ez_variant_fill(struct ez_target *t, struct ez_site *s, struct ez_variant *v,
                        uint8_t *to) EZ_WUR;
/* The pool for a site whose relocated code is there. */
struct ez_pool *ez_pool_of(struct ez_target *t, const struct ez_site *s, uint64_t relocated);

#endif
