/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_values.h - what probes collected, for formats that write a call when it ends: the values of its
 * entry are kept as text until then. Memory is that of the open calls. */
#ifndef EZ_CONV_VALUES_H
#define EZ_CONV_VALUES_H

#include "engine/trace/model.h"

struct ez_conv_values {
    struct ez_conv_values_of {
        EZ_VEC(char *) entry; /* by depth; NULL = nothing                              */
    } * of;                   /* by container */
    size_t n;
};

/* To be called with each item. Of a POP or an EVENT: its values as text, "n=5 s=\"abc\" $ret=1", those
 * of the entry first; NULL = there are none. The caller frees. */
char *ez_conv_values(struct ez_conv_values *v, const struct ez_item *it);
/* A value as a string of a format that has quotes of its own: a text's bytes, and "..." if it goes on;
 * else `text`, which is what `events` shows. The caller frees. */
char *ez_conv_string(const struct ez_item_value *v, const char *text);
void ez_conv_values_free(struct ez_conv_values *v);

#endif
