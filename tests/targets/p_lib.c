/* SPDX-License-Identifier: MIT */
/* p_lib.c - a shared library whose constructor calls one of its own functions. */
#include "p_lib.h"
#include "keep.h"

static unsigned started;
static volatile unsigned sink;

KEEP static unsigned lib_inner(unsigned v)
{
    sink += v;
    return v * 7 + 3;
}

unsigned lib_mix(unsigned a, unsigned b)
{
    sink ^= b;
    return lib_inner(a) ^ b;
}

unsigned lib_started(void)
{
    return started;
}

__attribute__((constructor)) static void lib_start(void)
{
    sink = 1; /* keeps the loop's head out of the prologue */
    for (unsigned i = 0; i < 3; i++)
        sink += lib_inner(i);
    started = 3;
}
