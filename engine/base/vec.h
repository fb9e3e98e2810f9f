/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vec.h - a growable array: EZ_VEC(int) v = {0}; EZ_PUSH(&v, 3); v.at[0]; v.n.
 * Free with EZ_VEC_FREE(&v). Elements move when the array grows: store indexes, not pointers. */
#ifndef EZ_VEC_H
#define EZ_VEC_H

#include <string.h>

#include "engine/base/base.h"

#define EZ_VEC(type)                                                                               \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t n, cap;                                                                             \
    }

#define EZ_PUSH(v, x)                                                                              \
    do {                                                                                           \
        if ((v)->n == (v)->cap) {                                                                  \
            (v)->cap = (v)->cap ? (v)->cap * 2 : sizeof *(v)->at < 16 ? 8 : 1;                     \
            (v)->at = ez_realloc((v)->at, (v)->cap * sizeof *(v)->at);                             \
        }                                                                                          \
        EZ_ASSUME((v)->at);                                                                        \
        (v)->at[(v)->n++] = (x);                                                                   \
    } while (0)

/* Makes room for `more` elements, so that many pushes allocate once. */
#define EZ_RESERVE(v, more)                                                                        \
    do {                                                                                           \
        if ((v)->cap - (v)->n < (more)) {                                                          \
            (v)->cap = EZ_MAX((v)->cap * 2, (v)->n + (more));                                      \
            (v)->at = ez_realloc((v)->at, (v)->cap * sizeof *(v)->at);                             \
        }                                                                                          \
        EZ_ASSUME(!(more) || (v)->at);                                                             \
    } while (0)

/* Pushes `count` elements from `from`, which must not point into v. */
#define EZ_APPEND(v, from, count)                                                                  \
    do {                                                                                           \
        size_t more_ = (count);                                                                    \
        EZ_RESERVE(v, more_);                                                                      \
        if (more_)                                                                                 \
            memcpy((v)->at + (v)->n, (from), more_ * sizeof *(v)->at);                             \
        (v)->n += more_;                                                                           \
    } while (0)

/* Returns how many elements of from[0..count), sorted by .key, have a key of at most x. */
#define EZ_UPTO(from, count, key, x)                                                               \
    ({                                                                                             \
        size_t lo_ = 0, hi_ = (count);                                                             \
        while (lo_ < hi_) {                                                                        \
            size_t mid_ = lo_ + (hi_ - lo_) / 2;                                                   \
            if ((from)[mid_].key <= (x))                                                           \
                lo_ = mid_ + 1;                                                                    \
            else                                                                                   \
                hi_ = mid_;                                                                        \
        }                                                                                          \
        lo_;                                                                                       \
    })

#define EZ_VEC_FREE(v)                                                                             \
    do {                                                                                           \
        free((v)->at);                                                                             \
        (v)->at = NULL;                                                                            \
        (v)->n = (v)->cap = 0;                                                                     \
    } while (0)

#endif
