/* SPDX-License-Identifier: GPL-3.0-or-later */
/* items.c - reads the items of a probe's event (items.h). A trace may be damaged, so every length
 * is checked. */
#include "engine/record/items.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/data_abi.h"

static const struct {
    const char *name;
    unsigned words;
} kinds[] = {
    [EZ_IT_INT] = { "int", 1 },         [EZ_IT_UINT] = { "uint", 1 },
    [EZ_IT_HEX] = { "hex", 1 },         [EZ_IT_BOOL] = { "bool", 1 },
    [EZ_IT_CHAR] = { "char", 1 },       [EZ_IT_FLOAT] = { "float", 1 },
    [EZ_IT_DOUBLE] = { "double", 1 },   [EZ_IT_CODE] = { "code", 1 },
    [EZ_IT_PTR] = { "ptr", 1 },         [EZ_IT_ENUM] = { "enum", 1 },
    [EZ_IT_FLAGS] = { "flags", 1 },     [EZ_IT_LDOUBLE] = { "ldouble", 2 },
    [EZ_IT_COMPLEX] = { "complex", 2 }, [EZ_IT_INT128] = { "int128", 2 },
    [EZ_IT_UINT128] = { "uint128", 2 }, [EZ_IT_TEXT] = { "text", 0 },
    [EZ_IT_BYTES] = { "bytes", 0 },
};

unsigned ez_item_words(enum ez_item_type type)
{
    return kinds[type].words;
}

const char *ez_item_type_name(enum ez_item_type type)
{
    return kinds[type].name;
}

bool ez_item_type_named(const char *name, enum ez_item_type *type)
{
    for (unsigned i = 0; i < EZ_IT_TYPES; i++)
        if (!strcmp(kinds[i].name, name)) {
            *type = (enum ez_item_type)i;
            return true;
        }
    return false;
}

/* ---- definitions ------------------------------------------------------------------------- */

/* Returns the name, or the name with "#2" ("#3", ...) appended if an earlier item has the name, as
 * in `buf:hex(8), buf:str`. */
static const char *items_own_name(struct ez_items *k, const char *name)
{
    unsigned n = 1;
    size_t len = strlen(name);
    for (size_t i = 0; i < k->at.n; i++) {
        const char *other = k->at.at[i].name;
        n += !strncmp(other, name, len) && (!other[len] || other[len] == '#');
    }
    if (n == 1)
        return name;
    char *own = ez_sprintf("%s#%u", name, n);
    EZ_PUSH(&k->renamed, own);
    return own;
}

static bool items_parse_line(struct ez_items *k, char *line)
{
    char *tab = strchr(line, '\t');
    bool same = *line == '+';
    if (!tab || (same && !k->at.n))
        return false;
    *tab = 0;
    char *type = tab + 1, *names = type + strcspn(type, " ");
    if (*names)
        *names++ = 0;
    enum ez_item_type is;
    if (!ez_item_type_named(type, &is))
        return false;
    unsigned item = !k->at.n ? 0 : k->at.at[k->at.n - 1].item + !same;
    const char *name = items_own_name(k, line + same);
    EZ_PUSH(&k->at, ((struct ez_data_item){ name, is, names, item }));
    return true;
}

void ez_items_parse(const char *text, struct ez_items *out)
{
    *out = (struct ez_items){ .text = ez_strdup(text) };
    for (char *line = out->text, *next; *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = 0;
        if (!items_parse_line(out, line))
            return;
    }
}

void ez_items_free(struct ez_items *k)
{
    for (size_t i = 0; i < k->renamed.n; i++)
        free(k->renamed.at[i]);
    EZ_VEC_FREE(&k->renamed);
    EZ_VEC_FREE(&k->at);
    free(k->text);
    k->text = NULL;
}

/* ---- events ------------------------------------------------------------------------------- */

/* Returns the number of words of the value at word[0], or 0 if the n words do not contain it. */
static unsigned items_length(struct ez_item_value *v, const uint64_t *word, unsigned n)
{
    unsigned fixed = kinds[v->item->type].words;
    if (fixed || !n)
        return fixed <= n ? fixed : 0;
    v->len = word[0] & ~(EZ_TEXT_CUT | EZ_TEXT_NULL);
    v->cut = word[0] & EZ_TEXT_CUT;
    v->null = word[0] & EZ_TEXT_NULL;
    return v->len <= 8ul * (n - 1) ? 1 + (unsigned)((v->len + 7) / 8) : 0;
}

/* Sets *v to the next value, which begins at word[*at] of n words, and advances *at. If a value is
 * cut off, it and all later values are missing. The fields are set in place: a copy right after
 * stores of other sizes would wait for the stores. */
static void items_next(struct ez_item_value *v, const struct ez_data_item *item,
                       const uint64_t *word, unsigned n, unsigned *at)
{
    *v = (struct ez_item_value){ .item = item, .word = word + *at };
    v->n = items_length(v, word + *at, n - *at);
    *at += v->n;
    if (!v->n) {
        v->state = EZ_V_MISSING;
        *at = n;
    }
}

/* Returns the event's word of bits (EZ_DATA_*), or 0 if the event has none. In an entry, this word
 * comes after all other words, and is present only if a bit is set. */
static uint64_t items_bits(const struct ez_items *k, bool is_exit, const uint64_t *word, unsigned n)
{
    struct ez_item_value v;
    unsigned at = 0;
    for (size_t i = 0; !is_exit && i < k->at.n; i++)
        items_next(&v, &k->at.at[i], word, n, &at);
    return at < n ? word[at] : 0;
}

void ez_items_values(const struct ez_items *k, bool is_exit, const uint64_t *word, unsigned n,
                     void (*fn)(const struct ez_item_value *v, void *arg), void *arg)
{
    struct ez_item_value v;
    uint64_t bits = items_bits(k, is_exit, word, n);
    unsigned at = is_exit && n;
    for (size_t i = 0; i < k->at.n; i++) {
        items_next(&v, &k->at.at[i], word, n, &at);
        if (bits >> EZ_DATA_BAD >> v.item->item & 1)
            v.state = EZ_V_FAULT;
        if (bits & EZ_DATA_TAIL)
            v.state = EZ_V_TAIL;
        fn(&v, arg);
    }
}

/* ---- text ---------------------------------------------------------------------------------- */

/* Returns the name in "A=1,B=2" whose value is v, or NULL. *n is its length. */
static const char *items_name_of(const char *names, int64_t v, size_t *n)
{
    for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t len = strcspn(p, "=,");
        if (p[len] == '=' && strtoll(p + len + 1, NULL, 0) == v) {
            *n = len;
            return p;
        }
    }
    return NULL;
}

static char *items_enum(const char *names, int64_t v)
{
    size_t n = 0;
    const char *name = items_name_of(names, v, &n);
    return name ? ez_strndup(name, n) : ez_sprintf("%lld", (long long)v);
}

/* Returns the names of the flags in v, as "A | B". A name of one bit is written if the bit is set.
 * A name of several bits (NAME=VALUE/MASK, such as O_ACCMODE's) is written if the bits under the
 * mask have this value. Other bits are written as a number. */
static char *items_flags(const char *names, uint64_t v)
{
    uint64_t left = v;
    unsigned parts = 0;
    char *s = ez_strdup("");
    for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t len = strcspn(p, "=,");
        char *end = (char *)p + len;
        uint64_t bit = p[len] == '=' ? strtoull(p + len + 1, &end, 0) : 0, mask = bit;
        if (*end == '/')
            mask = strtoull(end + 1, NULL, 0);
        if (!mask || (v & mask) != bit || (bit && (left & bit) == 0))
            continue;
        EZ_FREE char *was = s;
        s = ez_sprintf("%s%s%.*s", was, parts++ ? " | " : "", (int)len, p);
        left &= ~mask;
    }
    EZ_FREE char *was = s;
    size_t n = 0;
    const char *zero = v ? NULL : items_name_of(names, 0, &n);
    if (zero)
        return ez_strndup(zero, n);
    if (left || !parts)
        return ez_sprintf(parts ? "%s | 0x%llx" : "%s%llu", was,
                          (unsigned long long)(parts ? left : v));
    return ez_strdup(was);
}

static char *items_char(uint64_t v)
{
    int64_t c = (int64_t)v;
    EZ_FREE char *quoted = NULL;
    unsigned char byte = (unsigned char)v;
    if (byte == '\'' || byte == '\\')
        quoted = ez_sprintf("\\%c", byte);
    else if (isprint(byte) && byte < 0x80)
        quoted = ez_sprintf("%c", byte);
    else if (byte && strchr("\a\b\f\n\r\t\v\033", byte))
        quoted = ez_sprintf("\\%c",
                            "abfnrtve"[strchr("\a\b\f\n\r\t\v\033", byte) - "\a\b\f\n\r\t\v\033"]);
    else
        quoted = ez_sprintf("\\%03o", byte);
    return ez_sprintf("%lld '%s'", (long long)c, quoted);
}

static char *items_double(uint64_t bits, int digits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    if (digits == 9) /* a value that was computed from floats has the precision of a float */
        d = (double)(float)d;
    return ez_sprintf("%.*g", digits, d);
}

static char *items_int128(const uint64_t *w, bool is_signed)
{
    unsigned __int128 v = (unsigned __int128)w[1] << 64 | w[0];
    bool minus = is_signed && w[1] >> 63;
    char text[48], *p = text + sizeof text;
    *--p = 0;
    if (minus)
        v = -v;
    do
        *--p = (char)('0' + (int)(v % 10));
    while (v /= 10);
    return ez_sprintf("%s%s", minus ? "-" : "", p);
}

static char *items_long_double(const uint64_t *w)
{
    long double d = 0;
    memcpy(&d, w, 10);
    return ez_sprintf("%.21Lg", d);
}

static char *items_complex(const uint64_t *w)
{
    EZ_FREE char *re = items_double(w[0], 17), *im = items_double(w[1], 17);
    return ez_sprintf("%s + %si", re, im); /* gdb's format of complex numbers: 1 + -2i */
}

/* Returns the bytes of a text in quotes, with C's escapes, and "..." behind a text that was cut.
 * Characters of UTF-8 stay as they are. */
static char *items_string(const struct ez_item_value *v)
{
    const unsigned char *s = (const unsigned char *)(v->word + 1);
    char *out = ez_alloc(v->len * 4 + 8), *p = out;
    *p++ = '"';
    for (uint64_t i = 0; i < v->len; i++) {
        static const char from[] = "\a\b\f\n\r\t\v\033", to[] = "abfnrtve";
        const char *k = s[i] ? strchr(from, s[i]) : NULL;
        uint32_t cp;
        unsigned char four[5] = { 0 };
        memcpy(four, s + i, EZ_MIN(v->len - i, 4ul));
        size_t n = ez_utf8_decode(four, &cp);
        if (s[i] == '"' || s[i] == '\\') {
            *p++ = '\\';
            *p++ = (char)s[i];
        } else if (k) {
            *p++ = '\\';
            *p++ = to[k - from];
        } else if (n > 1) {
            memcpy(p, s + i, n);
            p += n;
            i += n - 1;
        } else if (s[i] >= 0x80 || !isprint(s[i])) {
            p += sprintf(p, "\\%03o", s[i]);
        } else {
            *p++ = (char)s[i];
        }
    }
    p = stpcpy(p, "\"");
    if (v->cut)
        strcpy(p, "...");
    return out;
}

static char *items_bytes(const struct ez_item_value *v)
{
    const unsigned char *s = (const unsigned char *)(v->word + 1);
    char *out = ez_alloc(v->len * 3 + 1), *p = out;
    for (uint64_t i = 0; i < v->len; i++)
        p += sprintf(p, "%s%02x", i ? " " : "", s[i]);
    return out;
}

char *ez_item_text(const struct ez_item_value *v, const char *symbol)
{
    uint64_t w = v->n ? v->word[0] : 0;
    bool text = v->item->type == EZ_IT_TEXT || v->item->type == EZ_IT_BYTES;
    if (v->state == EZ_V_FAULT && !(text && v->len))
        return ez_strdup("<fault>");
    if (v->state == EZ_V_TAIL || v->state == EZ_V_MISSING)
        return ez_strdup(v->state == EZ_V_TAIL ? "<tail call>" : "<missing>");
    switch (v->item->type) {
    case EZ_IT_INT:
        return ez_sprintf("%lld", (long long)w);
    case EZ_IT_UINT:
        return ez_sprintf("%llu", (unsigned long long)w);
    case EZ_IT_BOOL:
        return w > 1 ? ez_sprintf("%llu", (unsigned long long)w) : ez_strdup(w ? "true" : "false");
    case EZ_IT_CHAR:
        return items_char(w);
    case EZ_IT_FLOAT:
    case EZ_IT_DOUBLE:
        return items_double(w, v->item->type == EZ_IT_FLOAT ? 9 : 17);
    case EZ_IT_CODE:
    case EZ_IT_PTR:
        return symbol ? ez_sprintf("0x%llx <%s>", (unsigned long long)w, symbol)
                      : ez_sprintf("0x%llx", (unsigned long long)w);
    case EZ_IT_ENUM:
        return items_enum(v->item->names, (int64_t)w);
    case EZ_IT_FLAGS:
        return items_flags(v->item->names, w);
    case EZ_IT_LDOUBLE:
        return items_long_double(v->word);
    case EZ_IT_COMPLEX:
        return items_complex(v->word);
    case EZ_IT_INT128:
    case EZ_IT_UINT128:
        return items_int128(v->word, v->item->type == EZ_IT_INT128);
    case EZ_IT_TEXT:
        return v->null ? ez_strdup("0x0") : items_string(v);
    case EZ_IT_BYTES:
        return items_bytes(v);
    default: /* EZ_IT_HEX */
        return ez_sprintf("0x%llx", (unsigned long long)w);
    }
}

bool ez_item_number(const struct ez_item_value *v, double *out)
{
    if (v->state != EZ_V_GOOD || v->n != 1)
        return false;
    switch (v->item->type) {
    case EZ_IT_FLOAT:
    case EZ_IT_DOUBLE:
        memcpy(out, v->word, sizeof *out);
        return true;
    case EZ_IT_INT:
    case EZ_IT_CHAR:
        *out = (double)(int64_t)v->word[0];
        return true;
    case EZ_IT_UINT:
    case EZ_IT_BOOL:
        *out = (double)v->word[0];
        return true;
    default:
        return false;
    }
}

/* ---- an event with its values --------------------------------------------------------------- */

struct each {
    const struct ez_event_data *d;
    ez_value_fn *fn;
    void *arg;
};

static void items_each_value(const struct ez_item_value *v, void *arg)
{
    const struct each *e = arg;
    bool addr = v->n && (v->item->type == EZ_IT_CODE || v->item->type == EZ_IT_PTR);
    EZ_FREE char *text =
        ez_item_text(v, addr && e->d->symbol ? e->d->symbol(e->d->symbol_arg, v->word[0]) : NULL);
    e->fn(e->arg, v, text);
}

void ez_event_data_each(const struct ez_event_data *d, ez_value_fn *fn, void *arg)
{
    struct each e = { d, fn, arg };
    if (d)
        ez_items_values(d->items, d->is_exit, d->word, d->n, items_each_value, &e);
}

static void items_add_value(void *arg, const struct ez_item_value *v, const char *value)
{
    char **text = arg, *was = *text;
    *text = ez_sprintf("%s%s%s=%s", was ? was : "", was ? " " : "", v->item->name, value);
    free(was);
}

char *ez_event_data_text(const struct ez_event_data *d)
{
    char *text = NULL;
    ez_event_data_each(d, items_add_value, &text);
    return text;
}
