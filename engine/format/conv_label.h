/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_label.h - the label of a container, for formats that do not distinguish processes from
 * threads.
 * Tests: tests/unit/format/check_formats.c */
#ifndef EZ_CONV_LABEL_H
#define EZ_CONV_LABEL_H

#include "engine/trace/model.h"

/* Returns "PROCESS: THREAD" for a thread, and otherwise the container's name. The caller frees the
 * text. */
static inline char *ez_conv_label(const struct ez_model *m, uint32_t container)
{
    const struct ez_container *c = &m->container.at[container];
    if (c->level != EZ_L_THREAD || c->parent >= m->container.n)
        return ez_strdup(c->name);
    return ez_sprintf("%s: %s", m->container.at[c->parent].name, c->name);
}

#endif
