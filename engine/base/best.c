/* SPDX-License-Identifier: GPL-3.0-or-later */
/* best.c - keeps the n elements of a sequence that are first in an order (best.h). */
#include "engine/base/best.h"

static void best_swap(char *x, char *y, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char was = x[i];
        x[i] = y[i];
        y[i] = was;
    }
}

void ez_best_up(void *base, size_t n, size_t size, ez_compare_fn *compare)
{
    char *at = base;
    for (size_t i = n - 1, up; i && compare(at + (up = (i - 1) / 2) * size, at + i * size) < 0;
         i = up)
        best_swap(at + i * size, at + up * size, size);
}

void ez_best_down(void *base, size_t n, size_t size, ez_compare_fn *compare)
{
    char *at = base;
    for (size_t i = 0, k; (k = 2 * i + 1) < n; i = k) {
        k += k + 1 < n && compare(at + (k + 1) * size, at + k * size) > 0;
        if (compare(at + k * size, at + i * size) <= 0)
            break;
        best_swap(at + i * size, at + k * size, size);
    }
}
