/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls_lib.c - functions of a shared library, to be probed or wrapped. */
#include "tests/bench/calls.h"

#define FUNCTION(name)                                                                             \
    __attribute__((noinline, visibility("default"))) int name(int x)                               \
    {                                                                                              \
        __asm__ volatile("" : "+r"(x));                                                            \
        return x + 1;                                                                              \
    }
FUNCTION(c_lib)
FUNCTION(r_lib)
FUNCTION(wc_lib)
FUNCTION(wr_lib)
