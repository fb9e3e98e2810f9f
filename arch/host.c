/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host.c - returns the architecture of this build.
 * Tests: tests/unit/arch/check_decode.c */
#include "arch/arch.h"

extern const struct ez_arch ez_arch_x86_64, ez_arch_aarch64;

const struct ez_arch *ez_arch_host(void)
{
#if defined(__x86_64__)
    return &ez_arch_x86_64;
#elif defined(__aarch64__)
    return &ez_arch_aarch64;
#else
#error "no arch/<cpu> for this processor yet: see arch/arch.h"
#endif
}
