/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrumented.c - what was done in a file; see instrument.h */
#include "modules/source/instrument.h"

void ez_instrumented_free(struct ez_instrumented *d)
{
    for (size_t i = 0; i < d->routines.n; i++) {
        free(d->routines.at[i].signature);
        free(d->routines.at[i].left);
    }
    EZ_VEC_FREE(&d->routines);
    free(d->text);
    free(d->whole);
    *d = (struct ez_instrumented){ 0 };
}
