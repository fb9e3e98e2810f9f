/* SPDX-License-Identifier: MIT */
/* p_usdt_lib.c - a library with USDT probes: lib:hit, and app:plain, which p_usdt has, too. */
#include "keep.h"
#include "sdt.h"

SDT_SEMAPHORE(lib_hit_semaphore);

long usdt_hits(long n);
KEEP long usdt_hits(long n)
{
    long seen = 0;
    for (long i = 0; i < n; i++) {
        if (lib_hit_semaphore) {
            seen++;
            __asm__ volatile(SDT("lib", "hit", "lib_hit_semaphore", "-8@%0") "nop; nop; nop; nop"
                             :
                             : "r"(i));
        }
        __asm__ volatile(SDT("app", "plain", "0", "") "nop; nop; nop; nop");
    }
    return seen;
}
