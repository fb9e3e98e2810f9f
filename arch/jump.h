/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jump.h - the jumps that patches consist of: their lengths, their reach, their bytes. */
#ifndef EZ_ARCH_JUMP_H
#define EZ_ARCH_JUMP_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_arch_jump {
    int len;                    /* length of the jump that a patch plants: 5 */
    int64_t reach;              /* maximum distance of that jump in either direction */
    int short_len, short_reach; /* length and reach of a jump with an 8-bit displacement */
    int far_len;                /* length of a jump to any address; at most 16 */
    /* Write a jump from `from` to `to` into buf[len]. EZ_E_RANGE. */
    ez_err *(*write)(uint64_t from, uint64_t to, uint8_t *buf);
    ez_err *(*write_short)(uint64_t from, uint64_t to, uint8_t *buf);
    void (*write_far)(uint64_t to, uint8_t *buf);
    /* Finds the range [*lo, *hi] of addresses to which a punned jump at `from` can lead. The jump
     * begins with k prefixes. The first n bytes of the jump are free (k < n). The bytes from n on
     * must be equal to the bytes of code[]. */
    void (*pun_range)(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                      uint64_t *hi);
    /* Writes the first n bytes (n <= 4) of a punned jump that leads to `to` into buf. */
    void (*write_pun)(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf);
};

#endif
