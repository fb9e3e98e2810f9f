/* SPDX-License-Identifier: MIT */
#ifndef KERNEL_H
#define KERNEL_H

/* One explicit step of the heat equation for the inner points of a row, given it
 * and its neighbours. Returns the sum of what flowed. */
double kernel_row(double *out, const double *up, const double *mid, const double *down, int n);

#endif
