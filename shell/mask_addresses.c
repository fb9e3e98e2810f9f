/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mask_addresses.c - replaces addresses, pids and times in printed lines (mask_addresses.h). */
#include "shell/mask_addresses.h"

#include <ctype.h>
#include <string.h>

struct mask {
    const char *p, *end; /* rest of the line */
    const char *begin;
    char *to;
    bool after_addr; /* an address was masked directly before */
    struct mask_addrs *addrs;
};

static bool mask_in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t mask_span(const char *p, const char *end, int (*is)(int))
{
    size_t n = 0;
    while (p + n < end && is((unsigned char)p[n]))
        n++;
    return n;
}

static void mask_put(struct mask *m, const char *word, size_t masked)
{
    m->to = stpcpy(m->to, word);
    m->p += masked;
}

static bool mask_address(struct mask *m)
{
    if (m->end - m->p < 3 || m->p[0] != '0' || m->p[1] != 'x')
        return false;
    size_t n = mask_span(m->p + 2, m->end, isxdigit);
    if (n < 4 || n == 8 || n > 16)
        return false;
    EZ_PUSH(&m->addrs->v, strtoull(m->p + 2, NULL, 16));
    mask_put(m, "ADDR", 2 + n);
    m->after_addr = true;
    return true;
}

static bool mask_behind(const struct mask *m, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(m->p - m->begin) >= n && !memcmp(m->p - n, word, n);
}

/* Returns the length of the blank and the unit of time at p; 0 if there is none. */
static size_t mask_unit(const char *p, const char *end)
{
    static const char *const unit[] = { " ns", " us", " ms", " s" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(unit); i++) {
        size_t n = strlen(unit[i]);
        if ((size_t)(end - p) >= n && !memcmp(p, unit[i], n) &&
            (p + n == end || !mask_in_word(p[n])))
            return n;
    }
    return 0;
}

static bool mask_number(struct mask *m)
{
    static const char *const before[] = { "process ", "LWP ", "/proc/", "attach " };
    size_t n = mask_span(m->p, m->end, isdigit), unit, whole = n;
    bool pid = false;
    if (m->p[n] == '.' && m->p + n < m->end)
        whole += 1 + mask_span(m->p + n + 1, m->end, isdigit);
    if ((unit = mask_unit(m->p + whole, m->end))) {
        mask_put(m, "TIME", whole + unit);
        return true;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(before); i++)
        pid |= mask_behind(m, before[i]);
    pid |= mask_behind(m, "-") && m->end - m->p - (ptrdiff_t)n >= 4 && !memcmp(m->p + n, ".fxt", 4);
    if (!pid && n < 10 && !(m->after_addr && mask_behind(m, "(")))
        return false;
    mask_put(m, pid ? "PID" : "N", n);
    return true;
}

/* Skips the folders of an absolute path. Returns false if there is no such path. */
static bool mask_path(struct mask *m)
{
    const char *slash = m->p, *q = m->p;
    bool relative = m->p > m->begin && strchr(".~", m->p[-1]);
    if (*m->p != '/' || relative || !memcmp(m->p, "/proc/", EZ_MIN(6, m->end - m->p)))
        return false;
    for (; q < m->end && !strchr(" \t'\"(),:;", *q); q++)
        if (*q == '/')
            slash = q;
    if (slash == m->p || slash + 1 == q)
        return false;
    m->p = slash + 1;
    return true;
}

static bool mask_blanks(struct mask *m)
{
    size_t n = mask_span(m->p, m->end, isblank);
    if (n < 2 && !(n && *m->p == '\t'))
        return false;
    mask_put(m, "  ", n);
    return true;
}

/* Masks one item at the start of a word, or of blanks. Returns true if it masked something. */
static bool mask_one(struct mask *m)
{
    bool starts = m->p == m->begin || !mask_in_word(m->p[-1]);
    if (mask_blanks(m))
        return true;
    if (!starts)
        return false;
    if (isdigit((unsigned char)*m->p))
        return mask_address(m) || mask_number(m);
    return mask_path(m);
}

char *mask_line(const char *line, size_t n, struct mask_addrs *addrs)
{
    char *out = ez_alloc(4 * n + 1);          /* a digit and a unit become four bytes, a tab two */
    EZ_FREE char *copy = ez_strndup(line, n); /* the copy ends with a zero byte */
    struct mask m = { copy, copy + n, copy, out, false, addrs };
    while (m.p < m.end) {
        const char *before = m.p;
        if (mask_one(&m))
            continue;
        m.after_addr &= *before == ' ' || *before == '(';
        do
            *m.to++ = *m.p++;
        while (m.p < m.end && mask_in_word(m.p[-1]) && mask_in_word(*m.p));
    }
    while (m.to > out && m.to[-1] == ' ')
        m.to--;
    *m.to = '\0';
    return out;
}

/* Returns true if no earlier pair contradicts the pair (a, b): a with another second address, or b
 * with another first one. */
static bool mask_paired(const struct mask_pairs *pairs, uint64_t a, uint64_t b)
{
    for (size_t i = 0; i < pairs->v.n; i++)
        if ((pairs->v.at[i].a == a) != (pairs->v.at[i].b == b))
            return false;
    return true;
}

static bool mask_pair(struct mask_pairs *pairs, const struct mask_addrs *a,
                      const struct mask_addrs *b)
{
    if (a->v.n != b->v.n)
        return false;
    for (size_t i = 0; i < a->v.n; i++)
        if (!mask_paired(pairs, a->v.at[i], b->v.at[i]))
            return false;
    for (size_t i = 0; i < a->v.n; i++) {
        struct mask_pair both = { a->v.at[i], b->v.at[i] };
        bool known = false;
        for (size_t k = 0; k < pairs->v.n && !known; k++)
            known = pairs->v.at[k].a == both.a;
        if (!known)
            EZ_PUSH(&pairs->v, both);
    }
    return true;
}

bool mask_same(const char *a, size_t na, const char *b, size_t nb, struct mask_pairs *pairs)
{
    struct mask_addrs in_a = { 0 }, in_b = { 0 };
    EZ_FREE char *left = mask_line(a, na, &in_a), *right = mask_line(b, nb, &in_b);
    bool same = !strcmp(left, right) && mask_pair(pairs, &in_a, &in_b);
    EZ_VEC_FREE(&in_a.v);
    EZ_VEC_FREE(&in_b.v);
    return same;
}
