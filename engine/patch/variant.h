/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - variants of a site. See variant.c. */
#ifndef EZ_PATCH_VARIANT_H
#define EZ_PATCH_VARIANT_H

#include "engine/patch/ids.h"
#include "engine/patch/want.h"

/* Sets *variant to the variant that serves all probes of the site, or -1 for the original bytes.
 * Makes the trampoline and the row of a new variant. The target must be stopped. */
ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant) EZ_WUR;
/* Returns how the site's exits are followed, or would be: by a call-through or a return trampoline.
 * For a return trampoline, *because says why call-through cannot be used; NULL: the settings
 * request return trampolines. */
const char *ez_exit_mode(struct ez_target *t, int site, const char **because);
void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits);
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
/* Also for variant_adopt.c: returns the number of bytes before the moved prologue, which are the
 * template, and the part that calls a replacement and keeps registers. */
size_t ez_variant_template_len(const struct ez_target *t, int flags);
/* Makes the code of v->trampoline in `to`. s->reloc then describes this variant. */
ez_err *ez_variant_fill(struct ez_target *t, struct ez_site *s, struct ez_variant *v,
                        uint8_t *to) EZ_WUR;
/* Returns the pool for a site with this relocated code. */
struct ez_pool *ez_pool_of(struct ez_target *t, const struct ez_site *s, uint64_t relocated);

#endif
