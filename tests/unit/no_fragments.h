/* SPDX-License-Identifier: GPL-3.0-or-later */
/* no_fragments.h - for programs that have the runtime's source and run no fragments. */
#ifndef NO_FRAGMENTS_H
#define NO_FRAGMENTS_H

#include <stdlib.h>

#include "engine/rt/rt_fragment.c"

char ez_fragment_back[1];
void ez_fragment_go(struct ezt_activation *f)
{
    (void)f;
    abort();
}
void ez_fragment_keep(void *area)
{
    (void)area;
    abort();
}
void ez_fragment_restore(void *area)
{
    (void)area;
    abort();
}

#endif
