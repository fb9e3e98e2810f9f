/* SPDX-License-Identifier: GPL-3.0-or-later */
/* floop.c - finds DO loops and jumps out of them (floop.h).
 * Tests: tests/source/snippets.sh */
#include "modules/instrument/source/floop.h"

#include <ctype.h>
#include <string.h>

/* Returns the length of "name:" at the start of a construct, with the colon; 0 if it has no
 * name. */
static size_t floop_name(const char *t)
{
    size_t n = ez_fname(t);
    return n && t[n] == ':' && t[n + 1] != ':' ? n + 1 : 0;
}

/* Parses a DO that begins `name` letters after t. Returns true if it is one. */
static bool floop_do(const char *t, size_t name, struct ez_floop *l)
{
    if (!ez_fstarts(t + name, "do"))
        return false;
    l->label = name + strlen("do");
    const char *rest = t + l->label;
    while (isdigit((unsigned char)rest[l->label_n]))
        l->label_n++;
    rest += l->label_n;
    rest += *rest == ',';
    l->concurrent = ez_fstarts(rest, "concurrent(");
    if (!*rest || ez_fstarts(rest, "while(") || l->concurrent)
        return true;
    size_t n = ez_fname(rest), comma = n + 1;
    if (!n || rest[n] != '=')
        return false;
    for (; rest[comma] && rest[comma] != ','; comma++)
        if (rest[comma] == '(') {
            size_t end = ez_fclose(rest, comma);
            if (end == SIZE_MAX)
                return false;
            comma = end;
        }
    return rest[comma] == ','; /* Without a comma, the statement is an assignment to `doi`. */
}

struct floop_open {
    unsigned long label;
    size_t index; /* index of the loop in the result */
};

void ez_floops_find(const ez_fstmts *s, const struct ez_unit *u, ez_floops *out)
{
    EZ_VEC(struct floop_open) open = { 0 };
    for (size_t k = 0; k < u->own.n; k++) {
        const struct ez_fstmt *st = &s->at[u->own.at[k]];
        size_t name = floop_name(st->t);
        struct ez_floop l = {
            .begin = u->own.at[k], .end = SIZE_MAX, .name = st->t, .n = name ? name - 1 : 0
        };
        if (floop_do(st->t, name, &l)) {
            unsigned long label = l.label_n ? strtoul(st->t + l.label, NULL, 10) : 0;
            EZ_PUSH(&open, ((struct floop_open){ label, out->n }));
            EZ_PUSH(out, l);
            continue; /* This END does not end a loop. */
        }
        bool end = ez_fstarts(st->t, "enddo") && !ez_fassigns(st->t);
        while (open.n) {
            struct floop_open *o = &open.at[open.n - 1];
            bool ends = o->label ? st->label_value == o->label : end;
            if (!ends)
                break;
            out->at[o->index].end = u->own.at[k];
            open.n--;
            end = false;
        }
    }
    EZ_VEC_FREE(&open);
    size_t kept = 0;
    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].end != SIZE_MAX)
            out->at[kept++] = out->at[i];
    out->n = kept;
}

bool ez_floop_has(const struct ez_floop *l, size_t i)
{
    return i > l->begin && i <= l->end;
}

/* Returns the index of the statement in the unit that has the label; SIZE_MAX if none has. */
static size_t floop_target(const ez_fstmts *s, const struct ez_unit *u, const char *digits)
{
    char *end;
    unsigned long label = strtoul(digits, &end, 10);
    for (size_t k = 0; label && !*end && k < u->own.n; k++)
        if (s->at[u->own.at[k]].label_value == label)
            return u->own.at[k];
    return SIZE_MAX;
}

size_t ez_floops_left(const ez_fstmts *s, const struct ez_unit *u, const ez_floops *loops, size_t i)
{
    size_t from, left = 0, inner = 0;
    (void)ez_unit_act(&s->at[i], &from);
    const char *t = s->at[i].t + from, *name = NULL;
    if (ez_fassigns(t))
        return 0;
    bool all = ez_fstarts(t, "return");
    size_t target = ez_fstarts(t, "goto") ? floop_target(s, u, t + 4) : SIZE_MAX;
    if (ez_fstarts(t, "exit") || ez_fstarts(t, "cycle"))
        name = t + (*t == 'e' ? 4 : 5);
    for (size_t k = loops->n; k-- > 0;) {
        const struct ez_floop *l = &loops->at[k];
        if (!ez_floop_has(l, i))
            continue;
        if (name && *name && l->n == strlen(name) && !memcmp(l->name, name, l->n))
            left = inner; /* The jump also leaves the loops inside of this loop. */
        left += all || (target != SIZE_MAX && !ez_floop_has(l, target));
        inner++;
    }
    return left;
}
