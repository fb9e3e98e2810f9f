/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_word.c - parses numbers, sizes, times, file names and signals (parse_word.h).
 * Tests: tests/unit/shell/check_lex.c */
#include "shell/parse_word.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/ezt.h"
#include "shell/sess.h"

bool parse_number(const char *text, uint64_t *out, const char **end)
{
    char *e;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *out = strtoull(text, &e, 0);
    *end = e;
    return !errno;
}

ez_err *parse_count(const char *text, const char *what, uint64_t *out)
{
    const char *end;
    if (!parse_number(text, out, &end) || *end)
        return ez_err_new(EZ_E_ARG, 0, "Invalid number \"%s\" for %s", text, what);
    return NULL;
}

ez_err *parse_size(const char *text, uint64_t *out)
{
    static const char units[] = "kmgt";
    const char *end;
    if (!parse_number(text, out, &end))
        return ez_err_new(EZ_E_ARG, 0, "Invalid size \"%s\"", text);
    const char *u = *end ? strchr(units, tolower((unsigned char)*end)) : NULL;
    unsigned shift = u ? 10 * (unsigned)(u + 1 - units) : 0;
    if (u)
        end++;
    if (*end || *out << shift >> shift != *out)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Invalid size \"%s\"", text),
                           "Write a number, with K, M or G if needed");
    *out <<= shift;
    return NULL;
}

const char *parse_text(struct ez_sess *s, const char *from, const char *to)
{
    while (to > from && strchr(" \t", to[-1]))
        to--;
    return sess_format(s, "%.*s", (int)(to - from), from);
}

const char *parse_path(struct ez_sess *s, const char *name)
{
    const char *home = getenv("HOME");
    if (*name != '~' || (name[1] && name[1] != '/') || !home)
        return name;
    return sess_format(s, "%s%s", home, name + 1);
}

ez_err *parse_files(struct ez_sess *s, const char *word, struct parse_list *list)
{
    glob_t g = { 0 };
    const char *path = parse_path(s, word);
    if (!strpbrk(path, "*?[") || !access(path, F_OK)) {
        EZ_PUSH(list, (char *)path);
        return NULL;
    }
    if (glob(path, 0, NULL, &g)) {
        globfree(&g);
        return ez_err_new(EZ_E_NOTFOUND, 0, "No file matches %s", path);
    }
    for (size_t i = 0; i < g.gl_pathc; i++)
        EZ_PUSH(list, sess_keep(s, ez_strdup(g.gl_pathv[i])));
    globfree(&g);
    return NULL;
}

void parse_list_free(struct parse_list *list)
{
    EZ_VEC_FREE(list);
}

/* A decimal number, exact to the ninth digit of its fraction: whole + part / 10^9. */
struct decimal {
    uint64_t whole, part;
};

static bool parse_decimal(const char *text, struct decimal *d, const char **end)
{
    const char *p = text;
    bool huge = false; /* the number becomes the greatest one, which is no error */
    *d = (struct decimal){ 0 };
    for (; isdigit((unsigned char)*p); p++)
        huge |= __builtin_mul_overflow(d->whole, 10, &d->whole) ||
                __builtin_add_overflow(d->whole, (uint64_t)(*p - '0'), &d->whole);
    if (huge)
        d->whole = UINT64_MAX;
    if (*p == '.' && isdigit((unsigned char)p[1])) {
        uint64_t place = 100000000;
        for (p++; isdigit((unsigned char)*p); p++, place /= 10)
            d->part += place * (uint64_t)(*p - '0');
    }
    *end = p;
    return p != text;
}

ez_err *parse_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *unit;
        uint64_t ns;
    } units[] = {
        { "", 1000000000 }, { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }
    };
    const char *end;
    struct decimal d;
    bool ok = parse_decimal(text, &d, &end);
    for (size_t i = 0; ok && i < EZ_ARRAY_LEN(units); i++)
        if (!strcmp(parse_skip(end), units[i].unit)) {
            unsigned __int128 t =
                (unsigned __int128)d.whole * units[i].ns +
                ((unsigned __int128)d.part * units[i].ns + 500000000) / 1000000000;
            *ns = t > UINT64_MAX ? UINT64_MAX : (uint64_t)t;
            return NULL;
        }
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Invalid time \"%s\"", text),
                       "Write 1.5s, 300ms, 20us or 7ns");
}

const char *parse_skip(const char *p)
{
    return p + strspn(p, " \t");
}

int parse_signal(const char *word)
{
    const char *name = !strncasecmp(word, "SIG", 3) ? word + 3 : word;
    char *end;
    long n = strtol(name, &end, 10);
    if (isdigit((unsigned char)*name) && !*end)
        return n > 0 && n < EZ_NSIG ? (int)n : 0;
    for (int sig = 1; sig < EZ_NSIG; sig++)
        if (sigabbrev_np(sig) && !strcasecmp(sigabbrev_np(sig), name))
            return sig;
    return 0;
}
