/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best.h - keeps the n elements of a sequence that are first in an order. The caller reads the
 * sequence once.
 *
 * The kept elements are a heap. Element 0 is the last of the kept elements in the order. If a new
 * element precedes element 0, the caller replaces element 0 by the new element. compare: as for
 * qsort().
 *
 * Tests: tests/unit/trace/check_slowest.c, tests/unit/trace/check_messages.c */
#ifndef EZ_BEST_H
#define EZ_BEST_H

#include "engine/base/base.h"

typedef int ez_compare_fn(const void *, const void *);

/* Call after an element was appended: moves element n - 1 to its place in the heap of n
 * elements. */
void ez_best_up(void *base, size_t n, size_t size, ez_compare_fn *compare);
/* Call after element 0 was replaced: moves element 0 to its place in the heap of n elements. */
void ez_best_down(void *base, size_t n, size_t size, ez_compare_fn *compare);

#endif
