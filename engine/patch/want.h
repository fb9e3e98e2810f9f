/* SPDX-License-Identifier: GPL-3.0-or-later */
/* want.h - what the probes of a site want together. */
#ifndef EZ_PATCH_WANT_H
#define EZ_PATCH_WANT_H

#include "engine/patch/site.h"

/* Adds delta (1 or -1) to the number of probes that want these EZ_ROW_* flags. */
void ez_site_want(struct ez_target *t, int site, int flags, int delta);
/* Sets the replacement of the function, for EZ_ROW_REPLACE. */
void ez_site_replace(struct ez_target *t, int site, struct ez_with with);
/* Returns the union of the EZ_ROW_* flags of all its probes. */
int ez_site_wanted(const struct ez_site *s);
/* Updates the evicted neighbour, which is wanted as long as the site is. before: the site was
 * wanted. */
void ez_site_evicted_follows(struct ez_target *t, int site, bool before);

#endif
