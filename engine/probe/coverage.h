/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.h - what became of every function that was asked for. See coverage.c. */
#ifndef EZ_PROBE_COVERAGE_H
#define EZ_PROBE_COVERAGE_H

#include "engine/probe/probe.h"

/* What a reason says, without where: its first `what` characters, 0 = all; NULL = "?". */
void ez_cover_reason(const char *reason, size_t what, char *cut, size_t size);
void ez_cover_refused(struct ez_target *t, const char *reason, size_t what);
void ez_cover_removed(struct ez_target *t, uint64_t n);
void ez_cover_ended(struct ez_target *t); /* before the sites go */
void ez_cover_free(struct ez_target *t);

#endif
