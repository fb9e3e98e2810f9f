/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h - counts the functions that the user wanted to probe, by result (planted, refused,
 * ...). See coverage.c. */
#ifndef EZ_PROBE_COVERAGE_H
#define EZ_PROBE_COVERAGE_H

#include "engine/probe/probe.h"

/* Copies the first `what` characters of a reason to cut[size]: the part of the reason before the
 * address of a particular function. what 0: copies the whole reason. reason NULL: copies "?". */
void ez_cover_reason(const char *reason, size_t what, char *cut, size_t size);
/* ez_cover_refused() counts a refusal under its reason, shortened by ez_cover_reason().
 * ez_cover_removed() counts n probes that the user deleted, if there is a process. */
void ez_cover_refused(struct ez_target *t, const char *reason, size_t what);
void ez_cover_removed(struct ez_target *t, uint64_t n);
/* Stores the numbers of the process that ends. Call it before the sites are dropped. */
void ez_cover_ended(struct ez_target *t);
void ez_cover_free(struct ez_target *t);

#endif
