/* SPDX-License-Identifier: MIT */
/* p_replaced.h - functions of every kind of prototype, for p_replaced and its replacements. */
#ifndef P_REPLACED_H
#define P_REPLACED_H
struct big {
    long a[5];
};
struct mixed {
    double x;
    long y;
};
struct floats {
    float a, b;
};
#endif
