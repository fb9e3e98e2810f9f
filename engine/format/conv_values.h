/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_values.h - collected values, for formats that write a call when it ends: the values of its
 * entry are kept as text until then. Only open calls use memory. */
#ifndef EZ_CONV_VALUES_H
#define EZ_CONV_VALUES_H

#include "engine/trace/model.h"

struct ez_conv_values {
    struct ez_conv_values_of {
        EZ_VEC(char *) entry; /* by depth; NULL if none */
    } * of;                   /* by container */
    size_t n;
};

/* Call with each item. Returns the values of a POP or an EVENT as text, "n=5 s=\"abc\" $ret=1",
 * those of the entry first, or NULL. The caller frees the text. */
char *ez_conv_values(struct ez_conv_values *v, const struct ez_item *it);
/* Returns a value as a string for a format with its own quotes: a text's bytes, with "..." if the
 * text continues; else `text`, which is what `events` shows. The caller frees the string. */
char *ez_conv_string(const struct ez_item_value *v, const char *text);
void ez_conv_values_free(struct ez_conv_values *v);

#endif
