/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ranks.c - operations on sets of ranks (ranks.h). */
#include "engine/jobs/ranks.h"

#include <stdio.h>
#include <string.h>

void ez_ranks_free(struct ez_ranks *r)
{
    EZ_VEC_FREE(&r->span);
}

void ez_ranks_copy(struct ez_ranks *to, const struct ez_ranks *from)
{
    struct ez_ranks r = { 0 };
    EZ_APPEND(&r.span, from->span.at, from->span.n);
    *to = r;
}

static void ranks_push(struct ez_ranks *r, uint64_t from, uint64_t to)
{
    struct ez_span *last = r->span.n ? &r->span.at[r->span.n - 1] : NULL;
    if (last && from <= (uint64_t)last->to + 1)
        last->to = (uint32_t)EZ_MAX(last->to, to);
    else
        EZ_PUSH(&r->span, ((struct ez_span){ (uint32_t)from, (uint32_t)to }));
}

void ez_ranks_unite(struct ez_ranks *r, const struct ez_ranks *with)
{
    struct ez_ranks both = { 0 };
    for (size_t i = 0, k = 0; i < r->span.n || k < with->span.n;) {
        bool mine =
            k == with->span.n || (i < r->span.n && r->span.at[i].from <= with->span.at[k].from);
        const struct ez_span *s = mine ? &r->span.at[i++] : &with->span.at[k++];
        ranks_push(&both, s->from, s->to);
    }
    ez_ranks_free(r);
    *r = both;
}

void ez_ranks_add(struct ez_ranks *r, uint32_t from, uint32_t to)
{
    /* ranks are usually added in ascending order */
    if (!r->span.n || from > r->span.at[r->span.n - 1].to) {
        ranks_push(r, from, to);
        return;
    }
    struct ez_span one = { from, to };
    const struct ez_ranks add = { .span = { .at = &one, .n = 1, .cap = 1 } };
    ez_ranks_unite(r, &add);
}

void ez_ranks_intersect(struct ez_ranks *r, const struct ez_ranks *with)
{
    struct ez_ranks both = { 0 };
    for (size_t i = 0, k = 0; i < r->span.n && k < with->span.n;) {
        const struct ez_span *a = &r->span.at[i], *b = &with->span.at[k];
        uint32_t from = EZ_MAX(a->from, b->from), to = EZ_MIN(a->to, b->to);
        if (from <= to)
            ranks_push(&both, from, to);
        if (a->to < b->to)
            i++;
        else
            k++;
    }
    ez_ranks_free(r);
    *r = both;
}

void ez_ranks_remove(struct ez_ranks *r, const struct ez_ranks *those)
{
    struct ez_ranks others = { 0 };
    /* first rank behind the spans of `those` so far; `others` becomes the complement of `those` */
    uint64_t next = 0;
    for (size_t i = 0; i < those->span.n; i++) {
        if (those->span.at[i].from > next)
            ranks_push(&others, next, (uint64_t)those->span.at[i].from - 1);
        next = (uint64_t)those->span.at[i].to + 1;
    }
    if (next <= EZ_RANK_MOST)
        ranks_push(&others, next, EZ_RANK_MOST);
    ez_ranks_intersect(r, &others);
    ez_ranks_free(&others);
}

bool ez_ranks_has(const struct ez_ranks *r, uint32_t rank)
{
    size_t i = EZ_UPTO(r->span.at, r->span.n, from, rank);
    return i && rank <= r->span.at[i - 1].to;
}

uint64_t ez_ranks_count(const struct ez_ranks *r)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->span.n; i++)
        n += (uint64_t)r->span.at[i].to - r->span.at[i].from + 1;
    return n;
}

bool ez_ranks_equal(const struct ez_ranks *a, const struct ez_ranks *b)
{
    return a->span.n == b->span.n &&
           (!a->span.n || !memcmp(a->span.at, b->span.at, a->span.n * sizeof *a->span.at));
}

/* ---- as text --------------------------------------------------------------------------------- */

static const char *ranks_number(const char *p, uint64_t *v)
{
    size_t n = strspn(p, "0123456789");
    *v = 0;
    for (size_t i = 0; i < n && *v <= EZ_RANK_MOST; i++)
        *v = *v * 10 + (uint64_t)(p[i] - '0');
    return n && *v <= EZ_RANK_MOST ? p + n : NULL;
}

/* Adds the ranks of an element "7", "0-3" or "16-64/4" at p to *out. Returns the end of the
 * element, or NULL if it has another form, or has a step and too many ranks. */
static const char *ranks_part(const char *p, struct ez_ranks *out)
{
    uint64_t from, to, step = 1;
    p = ranks_number(p, &from);
    to = from;
    if (p && *p == '-')
        p = ranks_number(p + 1, &to);
    if (p && *p == '/')
        p = ranks_number(p + 1, &step);
    if (!p || to < from || !step || (step > 1 && (to - from) / step > 1u << 20))
        return NULL;
    if (step == 1)
        ez_ranks_add(out, (uint32_t)from, (uint32_t)to);
    for (uint64_t v = from; step > 1 && v <= to; v += step)
        ez_ranks_add(out, (uint32_t)v, (uint32_t)v);
    return p;
}

ez_err *ez_ranks_parse(const char *text, struct ez_ranks *out)
{
    const char *p = text;
    do {
        p = ranks_part(p, out);
    } while (p && *p == ',' && *++p);
    if (p && !*p && p[-1] != ',')
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a list of ranks", text),
                       "Write for example 0-3,7,16-64/4");
}

char *ez_ranks_text(const struct ez_ranks *r)
{
    EZ_VEC(char) text = { 0 };
    for (size_t i = 0; i < r->span.n; i++) {
        const struct ez_span *s = &r->span.at[i];
        char part[32];
        int n = snprintf(part, sizeof part, s->from == s->to ? "%s%u" : "%s%u-%u", i ? "," : "",
                         s->from, s->to);
        EZ_APPEND(&text, part, (size_t)n);
    }
    EZ_PUSH(&text, '\0');
    return text.at;
}
