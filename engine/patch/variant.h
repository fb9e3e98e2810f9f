/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - variants of a site. See variant.c. */
#ifndef EZ_PATCH_VARIANT_H
#define EZ_PATCH_VARIANT_H

#include "engine/patch/site.h"

/* Adds delta (1 or -1) to the number of probes that want these EZ_ROW_* flags. */
void ez_site_want(struct ez_target *t, int site, int flags, int delta);
/* Sets the replacement of the function, for EZ_ROW_REPLACE. */
void ez_site_replace(struct ez_target *t, int site, struct ez_with with);
/* Returns the union of the EZ_ROW_* flags of all its probes. */
int ez_site_wanted(const struct ez_site *s);
bool ez_site_is_wanted(const struct ez_site *s); /* Returns true if any probe wants the site. */
/* Updates the evicted neighbour, which is wanted as long as the site is. before: the site was
 * wanted. */
void ez_site_evicted_follows(struct ez_target *t, int site, bool before);
/* Takes an id for something without a patch, described by `row`. */
ez_err *ez_id_claim(struct ez_target *t, const struct ez_row *row, uint32_t *id) EZ_WUR;
/* Sets *variant to the variant that serves all probes of the site, or -1 for the original bytes.
 * Makes the trampoline and the row of a new variant. The target must be stopped. */
ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant) EZ_WUR;
/* Returns how the site's exits are followed, or would be: by a call-through or a return trampoline.
 * For a return trampoline, *because says why call-through cannot be used; NULL: the settings
 * request return trampolines. */
const char *ez_exit_mode(struct ez_target *t, int site, const char **because);
void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits);
/* Takes an id for the events of a module, whose struct ezt_rt is at `at`. The id has counters and
 * no patch. */
ez_err *ez_id_of_module(struct ez_target *t, uint64_t at, uint32_t *id) EZ_WUR;
/* Plants a hook of eztsh on `func`, which calls `thunk`. The target must be stopped. A site with
 * such a hook serves no probe. */
ez_err *ez_site_hook(struct ez_target *t, uint64_t func, uint64_t thunk) EZ_WUR;
/* Returns true if the loader's rendezvous has eztsh's hook. */
bool ez_loader_hooked(const struct ez_target *t);
/* Prepares a hook on a function that leaves calls or switches stacks (`kind`: EZ_JUMP_*), which
 * probes may share. Adds the change to *out; ez_site_jumps_plant() makes all changes together,
 * because each change checks all processes of the machine for sharers of the memory. The target
 * must be stopped. */
ez_err *ez_site_jump(struct ez_target *t, uint64_t func, unsigned kind,
                     struct ez_changes *out) EZ_WUR;
ez_err *ez_site_jumps_plant(struct ez_target *t, const struct ez_changes *c) EZ_WUR;
void ez_site_describe(struct ez_target *t, const struct ez_site *s, const struct ez_variant *v);
/* Defines events of `id` as events of the site's function. */
void ez_site_define(struct ez_target *t, const struct ez_site *s, uint32_t id, unsigned flags);
/* Tells the trace that the function's calls are only counted from now on (on), or recorded
 * again. */
void ez_site_throttled(struct ez_target *t, const struct ez_site *s, bool on);
/* Also for variant_adopt.c: returns the number of bytes before the moved prologue, which are the
 * template, and the part that calls a replacement and keeps registers. */
size_t ez_variant_template_len(const struct ez_target *t, int flags);
/* Makes the code of v->trampoline in `to`. s->reloc then describes this variant. */
ez_err *ez_variant_fill(struct ez_target *t, struct ez_site *s, struct ez_variant *v,
                        uint8_t *to) EZ_WUR;
/* Returns the pool for a site with this relocated code. */
struct ez_pool *ez_pool_of(struct ez_target *t, const struct ez_site *s, uint64_t relocated);

#endif
