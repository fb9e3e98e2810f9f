/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_written.c - compares names with template arguments, which compilers and users write in
 * different ways (dwarf_read.h).
 * Tests: tests/procs/classes.sh */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "engine/dwarf/dwarf_read.h"

static bool dwarfwritten_is_word(int c)
{
    return isalnum(c) || c == '_';
}

/* Returns the position behind the blanks at s or, if they separate two words, of the last blank.
 * before: begin of the name. */
static const char *dwarfwritten_skip(const char *s, const char *before)
{
    const char *p = s;
    while (*p == ' ')
        p++;
    bool parts = p > s && s > before && dwarfwritten_is_word((unsigned char)s[-1]) &&
                 dwarfwritten_is_word((unsigned char)*p);
    return parts ? p - 1 : p;
}

/* Counts of the words of C's integer types, and of "const", in a name. */
struct dwarfwritten_words {
    unsigned n_unsigned, n_long, n_short, n_char, n_const, n_any;
};

/* Parses the words of C's types at *s: "unsigned long", "long unsigned int", "char const";
 * qualified: also parses "const". */
static struct dwarfwritten_words dwarfwritten_parse_words(const char **s, bool qualified)
{
    struct dwarfwritten_words w = { 0 };
    struct {
        const char *word;
        unsigned *n;
    } known[] = { { "unsigned", &w.n_unsigned }, { "long", &w.n_long }, { "short", &w.n_short },
                  { "char", &w.n_char },         { "int", NULL },       { "const", &w.n_const } };
    for (bool more = true; more;) {
        const char *at = *s + (w.n_any ? strspn(*s, " ") : 0);
        more = false;
        for (size_t i = 0; i < EZ_ARRAY_LEN(known) - !qualified && !more; i++) {
            size_t n = strlen(known[i].word);
            more = !strncmp(at, known[i].word, n) && !dwarfwritten_is_word((unsigned char)at[n]);
            if (!more)
                continue;
            *s = at + n;
            w.n_any++;
            if (known[i].n)
                ++*known[i].n;
        }
    }
    return w;
}

/* Returns the normal form of a name: without blanks, except between words, without suffixes of
 * numbers, and with the words of C's types in one order. The caller frees it. */
static char *dwarfwritten_plain(const char *name)
{
    char *out = ez_alloc(4 * strlen(name) + 1), *to = out;
    for (const char *s = name; *s;) {
        const char *begin = s;
        bool starts = s == name || !dwarfwritten_is_word((unsigned char)s[-1]);
        struct dwarfwritten_words w = { 0 };
        if (starts)
            w = dwarfwritten_parse_words(&s, true);
        if (s > begin) {
            to += sprintf(to, "%s%u%u%u%u", w.n_const ? "C" : "", w.n_unsigned, w.n_long, w.n_short,
                          w.n_char);
            continue;
        }
        if (starts && isdigit((unsigned char)*s)) {
            while (isdigit((unsigned char)*s))
                *to++ = *s++;
            s += strspn(s, "uUlL");
            continue;
        }
        if (*s != ' ')
            *to++ = *s;
        s++;
    }
    return out;
}

char *dwarfwritten(const char *name)
{
    char *out = ez_alloc(2 * strlen(name) + 1), *to = out;
    for (const char *s = name; *s;) {
        const char *begin = s;
        bool starts = s == name || !dwarfwritten_is_word((unsigned char)s[-1]);
        struct dwarfwritten_words w = { 0 };
        if (starts)
            w = dwarfwritten_parse_words(&s, false);
        if (w.n_any > 1)
            to += sprintf(to, "%s%s", w.n_unsigned ? "unsigned " : "",
                          w.n_long > 1 ? "long long"
                          : w.n_long   ? "long"
                          : w.n_short  ? "short"
                          : w.n_char   ? "char"
                                       : "int");
        else if (s > begin)
            to += sprintf(to, "%.*s", (int)(s - begin), begin);
        else
            *to++ = *s++;
    }
    return out;
}

static bool dwarfwritten_same_blanks(const char *a, const char *b)
{
    const char *a0 = a, *b0 = b;
    if (!strchr(a, '<') || !strchr(b, '<'))
        return !strcmp(a, b);
    for (;; a++, b++) {
        a = dwarfwritten_skip(a, a0);
        b = dwarfwritten_skip(b, b0);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Returns whether both are the same name, apart from the way in which template arguments are
 * written ("A<int,B<4>>", "A<int, B<4> >"; "A<unsigned long>", "A<long unsigned int>"). */
bool dwarfwritten_same(const char *a, const char *b)
{
    size_t n = strcspn(a, "<");
    if (dwarfwritten_same_blanks(a, b))
        return true;
    if (!a[n] || strcspn(b, "<") != n || !b[n] || strncmp(a, b, n))
        return false;
    EZ_FREE char *x = dwarfwritten_plain(a), *y = dwarfwritten_plain(b);
    return !strcmp(x, y);
}
