/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h - the fate of every requested function. See coverage.c. */
#ifndef EZ_PROBE_COVERAGE_H
#define EZ_PROBE_COVERAGE_H

#include "engine/probe/probe.h"

/* Copies the first `what` characters of a reason, which leave out the place; 0: all. NULL: "?". */
void ez_cover_reason(const char *reason, size_t what, char *cut, size_t size);
void ez_cover_refused(struct ez_target *t, const char *reason, size_t what);
void ez_cover_removed(struct ez_target *t, uint64_t n);
void ez_cover_ended(struct ez_target *t); /* Call before the sites are dropped. */
void ez_cover_free(struct ez_target *t);

#endif
