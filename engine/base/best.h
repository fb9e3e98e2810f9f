/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best.h - keeps the first n elements of a sequence by an order, while the sequence goes by.
 *
 * The kept elements are a heap. Element 0 is the last of them by the order: the next element that
 * precedes it takes its place. compare: as for qsort().
 *
 * Tests: tests/unit/trace/check_slowest.c, tests/unit/trace/check_messages.c */
#ifndef EZ_BEST_H
#define EZ_BEST_H

#include "engine/base/base.h"

typedef int ez_compare_fn(const void *, const void *);

/* Call after an element was appended: moves the last one of n elements to its place. */
void ez_best_up(void *base, size_t n, size_t size, ez_compare_fn *compare);
/* Call after element 0 was replaced: moves it to its place among n elements. */
void ez_best_down(void *base, size_t n, size_t size, ez_compare_fn *compare);

#endif
