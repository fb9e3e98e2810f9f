/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_accounting.h - counts how many hits were recorded, filtered, untraced, dropped and
 * overwritten. */
#ifndef EZ_DRAIN_ACCOUNTING_H
#define EZ_DRAIN_ACCOUNTING_H

#include "engine/record/drain.h"

void drain_accounting(struct ez_drain *d, struct ez_drain_stat *st);
/* Adds n to *sum. The sum saturates at UINT64_MAX. */
void drain_add(uint64_t *sum, uint64_t n);
/* Returns EZ_ROW_* of ids < n. The caller frees the array. */
uint32_t *drain_flags_of_ids(struct ez_drain *d, uint32_t n);

#endif
