/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instrumented.c - what files of all languages have: see instrument.h */
#include "modules/source/instrument.h"

#include <errno.h>

#include "engine/base/strutil.h"

#define MOST (64u << 20) /* bytes of a file */

ez_err *ez_instrument_load(const struct ez_instrument *k, char **text, size_t *size)
{
    *text = ez_str_load(k->file, MOST, size);
    return *text ? NULL
                 : ez_err_new(errno == ENOENT ? EZ_E_NOTFOUND : EZ_E_SYS, errno, "%s", k->file);
}

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
