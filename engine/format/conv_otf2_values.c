/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_otf2_values.c - writes collected values, and arguments of events, as attributes of Enter and
 * Leave (conv_otf2.c).
 *
 * An attribute has a name and a type: int64 (integers and characters), uint64 (unsigned integers,
 * booleans, addresses), double, or string (all other values, and unreadable values). A string is a
 * definition of the archive, and stays in memory until the archive is closed. After OTF2_MOST_TEXTS
 * different strings, all further strings become "[more]".
 * Tests: tests/unit/trace/check_values.c */
#include "config.h"

#ifdef HAVE_OTF2
#include <stdio.h>
#include <string.h>

#include "engine/format/conv_otf2.h"
#include "engine/format/conv_values.h"
#include "engine/format/conv_words.h"

/* Returns the number of a string, and defines the string if it is new. If there are OTF2_MOST_TEXTS
 * strings, a new one gets the number of "[more]". */
static uint64_t otf2_text(struct otf2 *s, const char *text)
{
    size_t i;
    uint64_t h = ez_hash_key(EZ_HASH_SEED, text);
    while (ez_hash_get(&s->texts_by, h, &i) && strcmp(s->text.at[i], text))
        h++;
    if (ez_hash_get(&s->texts_by, h, &i))
        return i;
    if (s->text.n >= OTF2_MOST_TEXTS && strcmp(text, "[more]"))
        return otf2_text(s, "[more]");
    ez_hash_put(&s->texts_by, h, s->text.n);
    EZ_PUSH(&s->text, ez_strdup(text));
    return s->text.n - 1;
}

uint32_t otf2_attribute(struct otf2 *s, const char *name, OTF2_Type type)
{
    for (uint64_t h = ez_hash_key(EZ_HASH_SEED + type, name);; h++) {
        size_t i = ez_hash_put(&s->attributes_by, h, s->attribute.n);
        if (i == s->attribute.n)
            EZ_PUSH(&s->attribute, ((struct otf2_attribute){ ez_strdup(name), type }));
        if (s->attribute.at[i].type == type && !strcmp(s->attribute.at[i].name, name))
            return (uint32_t)i;
    }
}

static OTF2_Type otf2_type_of(const struct ez_item_value *v)
{
    if (v->state != EZ_V_GOOD)
        return OTF2_TYPE_STRING;
    switch (v->item->type) {
    case EZ_IT_INT:
    case EZ_IT_CHAR:
        return OTF2_TYPE_INT64;
    case EZ_IT_UINT:
    case EZ_IT_BOOL:
    case EZ_IT_HEX:
    case EZ_IT_PTR:
        return OTF2_TYPE_UINT64;
    case EZ_IT_FLOAT:
    case EZ_IT_DOUBLE:
        return OTF2_TYPE_DOUBLE;
    default:
        return OTF2_TYPE_STRING;
    }
}

static void otf2_add_value(void *arg, const struct ez_item_value *v, const char *text)
{
    struct otf2 *s = arg;
    OTF2_Type type = otf2_type_of(v);
    struct otf2_value out = { .attribute = otf2_attribute(s, v->item->name, type) };
    if (s->value.n >= OTF2_MOST_VALUES)
        return;
    if (type == OTF2_TYPE_STRING) {
        EZ_FREE char *string = ez_conv_string(v, text);
        out.bits = otf2_text(s, string);
    } else {
        out.bits = v->word[0];
    }
    EZ_PUSH(&s->value, out);
}

void otf2_values_of(struct otf2 *s, const struct ez_event_data *d)
{
    s->value.n = 0;
    ez_event_data_each(d, otf2_add_value, s);
}

static OTF2_Type otf2_word_type(enum ez_word_type type)
{
    switch (type) {
    case EZ_W_INT:
        return OTF2_TYPE_INT64;
    case EZ_W_DOUBLE:
        return OTF2_TYPE_DOUBLE;
    case EZ_W_TEXT:
    case EZ_W_NAME:
        return OTF2_TYPE_STRING;
    default:
        return OTF2_TYPE_UINT64;
    }
}

void otf2_words_of(struct otf2 *s, const struct ez_item *it)
{
    for (unsigned i = 0; i < it->narg && s->value.n < OTF2_MOST_VALUES; i++) {
        char plain[16];
        OTF2_Type type = otf2_word_type(ez_conv_word_type(it, i));
        struct otf2_value v = { otf2_attribute(s, ez_conv_word_name(it, i, plain), type),
                                it->arg[i] };
        if (type == OTF2_TYPE_STRING) { /* the text consists of all further arguments */
            EZ_FREE char *text = ez_conv_word_rest(it, i);
            v.bits = otf2_text(s, text);
        }
        EZ_PUSH(&s->value, v);
        if (type == OTF2_TYPE_STRING)
            break;
    }
}

bool otf2_put_values(struct otf2 *s)
{
    for (size_t i = 0; i < s->value.n; i++) {
        uint32_t a = s->value.at[i].attribute;
        OTF2_Type type = s->attribute.at[a].type;
        OTF2_AttributeValue v = { .uint64 = s->value.at[i].bits };
        if (type == OTF2_TYPE_STRING)
            v = (OTF2_AttributeValue){ .stringRef = (OTF2_StringRef)s->value.at[i].bits };
        otf2_ok(s, OTF2_AttributeList_AddAttribute(s->attributes, OTF2_ATTRIBUTE0 + a, type, v));
    }
    return s->value.n;
}

void otf2_values_free(struct otf2 *s)
{
    for (size_t i = 0; i < s->text.n; i++)
        free(s->text.at[i]);
    for (size_t i = 0; i < s->attribute.n; i++)
        free(s->attribute.at[i].name);
    EZ_VEC_FREE(&s->text);
    EZ_VEC_FREE(&s->attribute);
    EZ_VEC_FREE(&s->value);
    ez_hash_free(&s->texts_by);
    ez_hash_free(&s->attributes_by);
}

#endif
