/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_accounting.h - what became of each hit. */
#ifndef EZ_DRAIN_ACCOUNTING_H
#define EZ_DRAIN_ACCOUNTING_H

#include "engine/ring/drain.h"

void drain_accounting(struct ez_drain *d, struct ez_drain_stat *st);
void drain_add(uint64_t *sum, uint64_t n);                    /* no sum wraps around */
uint32_t *drain_flags_of_ids(struct ez_drain *d, uint32_t n); /* EZ_ROW_*; the caller frees */

#endif
