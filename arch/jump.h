/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jump.h - the jump instructions that patches consist of: their lengths, reach and bytes. */
#ifndef EZ_ARCH_JUMP_H
#define EZ_ARCH_JUMP_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct ez_arch_jump {
    int len;                    /* bytes of the jump in a patch, e.g. 5 */
    int64_t reach;              /* maximum distance of the jump's target in either direction */
    int short_len, short_reach; /* bytes and reach of a jump with an 8-bit displacement */
    int far_len;                /* bytes of a jump to any address; at most 16 */
    /* Write a jump that is placed at address `from` and leads to address `to`, into buf: len,
     * short_len or far_len bytes. EZ_E_RANGE: `to` is too far away. */
    ez_err *(*write)(uint64_t from, uint64_t to, uint8_t *buf);
    ez_err *(*write_short)(uint64_t from, uint64_t to, uint8_t *buf);
    void (*write_far)(uint64_t to, uint8_t *buf);
    /* Sets *lo and *hi to the lowest and highest address to which a punned jump at address `from`
     * can lead. The jump begins with k prefixes. Its first n bytes (k < n) can be chosen; the bytes
     * from n on are those of code[], the text at `from`. */
    void (*pun_range)(const uint8_t *code, size_t n, size_t k, uint64_t from, uint64_t *lo,
                      uint64_t *hi);
    /* Writes the first n bytes of a punned jump with k prefixes, from address `from` to `to`, into
     * buf. */
    void (*write_pun)(size_t n, size_t k, uint64_t from, uint64_t to, uint8_t *buf);
};

#endif
