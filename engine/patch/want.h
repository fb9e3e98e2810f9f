/* SPDX-License-Identifier: GPL-3.0-or-later */
/* want.h - counts, for each site, the enabled probes that want entries, exits, records or a
 * replacement. */
#ifndef EZ_PATCH_WANT_H
#define EZ_PATCH_WANT_H

#include "engine/patch/site.h"

/* Adds delta (1 or -1) to the number of probes that want these EZ_ROW_* flags. */
void ez_site_want(struct ez_target *t, int site, int flags, int delta);
/* Sets the replacement of the function, for EZ_ROW_REPLACE. */
void ez_site_replace(struct ez_target *t, int site, struct ez_with with);
/* Returns the EZ_ROW_* flags that the probes of the site without a clause want together, always
 * with EZ_ROW_ENTRY. If there are none: EZ_ROW_PASS if the site is needed only as an evicted
 * neighbour, else 0. */
int ez_site_wanted(const struct ez_site *s);
/* Call it after each change of the probes' requests: updates `guests` of the site's evicted
 * neighbour. before: ez_site_is_wanted() before the change. */
void ez_site_evicted_follows(struct ez_target *t, int site, bool before);

#endif
