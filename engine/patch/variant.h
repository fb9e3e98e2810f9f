/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant.h - variants of a site: its trampolines and hooks (variant.c). */
#ifndef EZ_PATCH_VARIANT_H
#define EZ_PATCH_VARIANT_H

#include "engine/patch/ids.h"
#include "engine/patch/want.h"

/* Sets *variant to the index of the variant for all requests of the site's enabled probes, or to -1
 * if there are none. If the variant is new, generates its trampoline and its row. more: total size
 * in bytes of the trampolines that the caller will prepare next. The target must be stopped if no
 * mapped area has room for the trampoline. */
ez_err *ez_site_prepare(struct ez_target *t, int site, size_t more, int *variant) EZ_WUR;
/* Returns "call-through" or "return trampoline": how the site's exits are followed, or would be
 * followed. If it is "return trampoline", *because says why call-through cannot be used, or is NULL
 * if the settings request return trampolines. */
const char *ez_exit_mode(struct ez_target *t, int site, const char **because);
/* Sets *entries and *exits to the sums of the counts of all variants of the site. */
void ez_site_counts(struct ez_target *t, const struct ez_site *s, uint64_t *entries,
                    uint64_t *exits);
/* Plants a hook of eztsh on the function at address func. thunk: offset in the runtime of the code
 * that the hook calls. A site with such a hook cannot have probes. The target must be stopped. */
ez_err *ez_site_hook(struct ez_target *t, uint64_t func, uint64_t thunk) EZ_WUR;
/* Returns true if eztsh's hook is on the function that the loader calls after each change of its
 * list of libraries. */
bool ez_loader_hooked(const struct ez_target *t);
/* Prepares a hook on a function that leaves other functions' frames, switches stacks, or ends the
 * thread or the program (kind: EZ_JUMP_*), unless the site has a hook or is lost. The site can
 * also have probes. Adds the change to *out; ez_site_jumps_plant() makes all changes together,
 * because each call of ez_patch_apply() searches all processes of the machine for sharers of the
 * target's memory. The target must be stopped. */
ez_err *ez_site_jump(struct ez_target *t, uint64_t func, unsigned kind,
                     struct ez_changes *out) EZ_WUR;
ez_err *ez_site_jumps_plant(struct ez_target *t, const struct ez_changes *c) EZ_WUR;
/* ---- also used by variant_adopt.c ---- */
/* Returns the number of bytes before the relocated code: the template, and the code that calls a
 * replacement and preserves registers. */
size_t ez_variant_template_len(const struct ez_target *t, int flags);
/* Generates the trampoline of v for address v->trampoline, writes it to `to`, and sets s->reloc to
 * v's relocation. */
ez_err *ez_variant_fill(struct ez_target *t, struct ez_site *s, struct ez_variant *v,
                        uint8_t *to) EZ_WUR;
/* Returns the pool for the return thunk of a variant whose relocated code is at address
 * `relocated`, or NULL if no pool is near. */
struct ez_pool *ez_pool_of(struct ez_target *t, const struct ez_site *s, uint64_t relocated);

#endif
