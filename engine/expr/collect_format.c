/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect_format.c - formats of items: EXPR:x, EXPR:hex(16) (collect.h).
 * Tests: tests/unit/rt/check_code.c */
#include "engine/expr/collect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "engine/record/items.h"

/* Returns whether the item's last colon begins a format. The colon of ?: does not begin one. */
static bool collect_has_format(const struct collect_item *it)
{
    int colons = 0;
    for (size_t i = 0; i < it->len; i++) {
        if (it->text[i] == ':' && it->text[i + 1] == ':')
            i++;
        else
            colons += (it->text[i] == ':') - (it->text[i] == '?');
    }
    return colons > 0;
}

ez_err *collect_parse_format(struct collect_item *it)
{
    static const struct {
        const char *word;
        char format;
    } known[] = { { "x", 'x' },   { "d", 'd' }, { "u", 'u' },    { "c", 'c' }, { "f", 'f' },
                  { "str", 's' }, { "s", 's' }, { "code", 'a' }, { "a", 'a' }, { "hex", 'h' } };
    size_t at = it->len;
    while (at && (isalnum((unsigned char)it->text[at - 1]) || strchr("() ", it->text[at - 1])))
        at--;
    if (at < 2 || it->text[at - 1] != ':' || it->text[at - 2] == ':' || !collect_has_format(it))
        return NULL;
    const char *word = it->text + at + strspn(it->text + at, " ");
    size_t n = 0;
    while (isalpha((unsigned char)word[n]))
        n++;
    for (size_t i = 0; i < EZ_ARRAY_LEN(known); i++)
        if (strlen(known[i].word) == n && !memcmp(known[i].word, word, n))
            it->format = known[i].format;
    if (it->format == 'h') {
        const char *open = word + n + strspn(word + n, " ");
        it->bytes = *open == '(' ? (unsigned)strtoul(open + 1, NULL, 0) : 0;
    }
    if (!it->format || (it->format == 'h' && (!it->bytes || it->bytes > 8 * (EZ_DATA_WORDS - 1))))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "\"%.*s\" is not a format", (int)(it->len - at), it->text + at),
            "The formats are x, d, u, c, f, str, code and hex(BYTES)");
    it->len = at - 1;
    return NULL;
}

/* Collects an item with a format. $farg0:f is read as a double. */
ez_err *collect_formatted(struct collect *c, const char *name, const struct collect_item *it,
                          struct gen_operand *o)
{
    static const struct {
        char format;
        enum ez_item_type type;
    } words[] = { { 'x', EZ_IT_HEX },  { 'd', EZ_IT_INT },  { 'u', EZ_IT_UINT },
                  { 'c', EZ_IT_CHAR }, { 'a', EZ_IT_CODE }, { 'f', EZ_IT_DOUBLE } };
    if (it->format == 'h' && !ez_type_is_scalar(o->type)) {
        EZ_TRY(gen_address(c->gen, o));
        return collect_text(c, name, true, false, it->bytes);
    }
    if (it->format == 'f' && ez_type_strip(o->type)->kind == EZ_TY_FLOAT)
        return collect_value(c, name, true, o);
    EZ_TRY(gen_load(c->gen, o));
    if (it->format == 's' || it->format == 'h')
        return collect_text(c, name, true, it->format == 's',
                            it->format == 's' ? c->max_string : it->bytes);
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (words[i].format == it->format)
            collect_word(c, name, true, words[i].type, "");
    return collect_room(c);
}
