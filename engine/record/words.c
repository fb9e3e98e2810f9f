/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c - parses the description of a module's event (words.h).
 * Tests: tests/unit/trace/check_about.c */
#include "engine/record/words.h"

#include <string.h>

static bool words_type(const char *text, size_t n, enum ez_word_type *out)
{
    static const char *const type[] = {
        [EZ_W_INT] = "int",   [EZ_W_UINT] = "uint", [EZ_W_HEX] = "hex",   [EZ_W_DOUBLE] = "double",
        [EZ_W_CODE] = "code", [EZ_W_DATA] = "data", [EZ_W_TEXT] = "text", [EZ_W_NAME] = "name",
    };
    for (unsigned i = 0; i < EZ_W_TYPES; i++) {
        *out = (enum ez_word_type)i;
        if (strlen(type[i]) == n && !memcmp(type[i], text, n))
            return true;
    }
    return false;
}

/* Copies a name. Names are written to tables and other file formats, so only letters, digits, and _
 * - . are allowed: returns false for other names. */
static bool words_name(const char *text, size_t n, char *out, size_t room)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    if (!n || n >= room || strspn(text, good) < n)
        return false;
    memcpy(out, text, n);
    out[n] = 0;
    return true;
}

/* Parses the description of one word, text[0, n), and appends it to w. Returns false if it is
 * wrong. */
static bool words_parse_one(struct ez_words *w, const char *text, size_t n)
{
    bool subject = n && *text == '@';
    const char *name = text + subject, *colon = memchr(text, ':', n);
    struct ez_word *me = &w->word[w->n];
    if (!colon || w->n == EZ_ARRAY_LEN(w->word) ||
        !words_name(name, (size_t)(colon - name), me->name, sizeof me->name) ||
        !words_type(colon + 1, n - (size_t)(colon + 1 - text), &me->type))
        return false;
    /* a text or a name consists of all remaining words, so no word can follow it */
    bool rest = w->n && w->word[w->n - 1].type >= EZ_W_TEXT;
    if (rest || (subject && (w->subject >= 0 || me->type >= EZ_W_TEXT)))
        return false;
    if (subject)
        w->subject = (int)w->n;
    if (me->type == EZ_W_NAME)
        w->by_name = (int)w->n;
    w->n++;
    return true;
}

bool ez_words_parse(const char *text, struct ez_words *out)
{
    static const struct ez_words none = { .subject = -1, .by_name = -1 };
    bool good = true;
    *out = none;
    for (size_t n; *text && good; text += n + (text[n] == ' ')) {
        n = strcspn(text, " ");
        good = !n || words_parse_one(out, text, n);
    }
    good &= out->by_name < 0 || out->subject >= 0; /* a word of type `name` needs a subject */
    if (!good)
        *out = none;
    return good;
}
