/* SPDX-License-Identifier: GPL-3.0-or-later */
/* said.h - messages about a source file, without its name. */
#ifndef TESTS_SAID_H
#define TESTS_SAID_H

#include <string.h>

#include "engine/base/base.h"

/* Returns the lines of `said` that begin with `prefix`, without it; the others quote the file. The
 * caller frees it. */
static inline char *said_without(const char *said, const char *prefix)
{
    const size_t before = strlen(prefix);
    char *out = ez_alloc(strlen(said) + 1), *o = out;
    for (const char *p = said, *end; (end = strchr(p, '\n')); p = end + 1)
        if (!strncmp(p, prefix, before))
            o = mempcpy(o, p + before, (size_t)(end + 1 - p) - before);
    return out;
}

#endif
