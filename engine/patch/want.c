/* SPDX-License-Identifier: GPL-3.0-or-later */
/* want.c - counts, for each site, the enabled probes that want entries, exits, records or a
 * replacement.
 * Tests: tests/unit/patch/check_refused.c */
#include "engine/patch/want.h"

#include "engine/target.h"

static const int want_bit[EZ_NWANT] = {
    [EZ_WANT_ENTRY] = EZ_ROW_ENTRY,         [EZ_WANT_EXIT] = EZ_ROW_EXIT,
    [EZ_WANT_REC_ENTRY] = EZ_ROW_REC_ENTRY, [EZ_WANT_REC_EXIT] = EZ_ROW_REC_EXIT,
    [EZ_WANT_REPLACE] = EZ_ROW_REPLACE,
};

void ez_site_evicted_follows(struct ez_target *t, int site, bool before)
{
    const struct ez_site *s = &t->patcher.site.at[site];
    int evicted = ez_site_evict(t, s);
    if (evicted >= 0)
        t->patcher.site.at[evicted].guests += (unsigned)(ez_site_is_wanted(s) - before);
}

void ez_site_want(struct ez_target *t, int site, int flags, int delta)
{
    struct ez_site *s = &t->patcher.site.at[site];
    bool before = ez_site_is_wanted(s);
    for (size_t i = 0; i < EZ_ARRAY_LEN(want_bit); i++)
        if (flags & want_bit[i])
            s->want[i] += (unsigned)delta;
    ez_site_evicted_follows(t, site, before);
}

void ez_site_replace(struct ez_target *t, int site, struct ez_with with)
{
    t->patcher.site.at[site].with = with;
}

int ez_site_wanted(const struct ez_site *s)
{
    int flags = 0;
    for (size_t i = 0; i < EZ_ARRAY_LEN(want_bit); i++)
        if (s->want[i])
            flags |= want_bit[i];
    if (!flags)
        return s->guests && !s->jump && !ez_clauses_wanted(s) ? EZ_ROW_PASS : 0;
    return flags | EZ_ROW_ENTRY; /* every trampoline counts entries */
}
