/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_values.h - collected values, for formats that write a call when the call ends. The values
 * from the call's entry are kept as text until then. Only open calls use memory. */
#ifndef EZ_CONV_VALUES_H
#define EZ_CONV_VALUES_H

#include "engine/trace/model.h"

struct ez_conv_values {
    struct ez_conv_values_of {
        EZ_VEC(char *) entry; /* index: depth of an open call; values of its entry, or NULL */
    } * of;                   /* index: container */
    size_t n;
};

/* Call this function with each item. For a POP or an EVENT, returns the collected values as text,
 * such as "n=5 s=\"abc\" $ret=1", first those of the entry. Returns NULL if there are no values,
 * and for other items. The caller frees the text. */
char *ez_conv_values(struct ez_conv_values *v, const struct ez_item *it);
/* Returns a value as a string without quotes, for a format that adds its own quotes. If the value
 * is a string of the program, returns its bytes, with "..." if they were cut. Otherwise returns a
 * copy of `text`, which is the text that `events` shows. The caller frees the string. */
char *ez_conv_string(const struct ez_item_value *v, const char *text);
void ez_conv_values_free(struct ez_conv_values *v);

#endif
