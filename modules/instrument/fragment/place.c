/* SPDX-License-Identifier: GPL-3.0-or-later */
/* place.c - code inside routines: around calls, before throws, in handlers, at returns
 * (fragment.h).
 *
 * In a binary, a throw is a call of __cxa_throw or __cxa_rethrow, and a handler begins with a call
 * of __cxa_begin_catch. So all these places are calls, which are identified by their return
 * addresses. Calls with the same code share a number.
 * Tests: tests/procs/spec.sh, tests/source/inside.sh */
#include <stdlib.h>
#include <string.h>

#include "modules/instrument/fragment/fragment.h"

bool ez_fragment_is_inside(enum ez_spec_point p)
{
    return p == EZ_SPEC_CALL_ENTRY || p == EZ_SPEC_CALL_EXIT || p == EZ_SPEC_THROW ||
           p == EZ_SPEC_CATCH;
}

static bool place_is(const struct ez_fragment_call *c, enum ez_spec_point p)
{
    bool throws = !strcmp(c->symbol, "__cxa_throw") || !strcmp(c->symbol, "__cxa_rethrow"),
         catches = !strcmp(c->symbol, "__cxa_begin_catch");
    return p == EZ_SPEC_THROW   ? throws
           : p == EZ_SPEC_CATCH ? catches
                                : !throws && !catches && strncmp(c->symbol, "__cxa_", 6) != 0;
}

static struct ez_spec_site place_site(const struct ez_fragment_routine *r,
                                      const struct ez_fragment_call *c, enum ez_spec_point p)
{
    struct ez_spec_site site = ez_fragment_site(r, p);
    site.line = c->line;
    site.col = 0;
    site.callee = p == EZ_SPEC_CALL_ENTRY || p == EZ_SPEC_CALL_EXIT ? c->callee : NULL;
    return site;
}

/* Returns the code of all clauses for point p of the call; NULL if there is none. The caller
 * frees. */
static char *place_code(struct ez_fragments *f, const struct ez_fragment_routine *r,
                        const struct ez_fragment_call *call, enum ez_spec_point p)
{
    char *all = NULL;
    struct ez_spec_site site = place_site(r, call, p);
    if (!place_is(call, p))
        return NULL;
    for (size_t k = 0; (k = ez_spec_next(f->spec, k, p, &site)) != SIZE_MAX; k++) {
        EZ_FREE char *was = all;
        EZ_FREE char *placed = ez_fragment_placed(r, &f->spec->clauses.at[k], &site);
        EZ_FREE char *bound = ez_fragment_bind(f, r, placed, true);
        all = ez_sprintf("%s%s\n", was ? was : "", bound);
    }
    return all;
}

static char *place_joined(char *a, char *b)
{
    char *both = a || b ? ez_sprintf("%s%s", a ? a : "", b ? b : "") : NULL;
    free(a);
    free(b);
    return both;
}

static bool place_same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Returns the number of the place with this code, and adds the place if it is new. Takes ownership
 * of the code of p. */
static unsigned place_number(struct ez_fragment_routine *r, struct ez_fragment_place p)
{
    for (unsigned i = 0; i < r->place.n; i++)
        if (place_same(r->place.at[i].before, p.before) &&
            place_same(r->place.at[i].behind, p.behind)) {
            free(p.before);
            free(p.behind);
            return i;
        }
    EZ_PUSH(&r->place, p);
    return (unsigned)r->place.n - 1;
}

/* Records the place for the clauses that have code at the place. */
static void place_note(struct ez_fragments *f, size_t i, const struct ez_fragment_call *call,
                       enum ez_spec_point p, unsigned number)
{
    const bool behind = p == EZ_SPEC_CALL_EXIT;
    struct ez_spec_site site = place_site(&f->routine[i], call, p);
    if (!place_is(call, p))
        return;
    for (size_t k = 0; (k = ez_spec_next(f->spec, k, p, &site)) != SIZE_MAX; k++) {
        struct ez_fragment_clause *c = &f->clause.at[k];
        if (!c->routine.n || c->routine.at[c->routine.n - 1] != i)
            EZ_PUSH(&c->routine, i);
        bool known = false;
        for (size_t n = c->inside.n; n-- && c->inside.at[n].routine == i && !known;)
            known = c->inside.at[n].number == number;
        if (!known)
            EZ_PUSH(&c->inside, ((struct ez_fragment_inside){ i, number, behind }));
    }
}

static int place_by_address(const void *a, const void *b)
{
    const struct ez_fragment_at *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Adds the return statements as places, so that the activation stores the line of the statement for
 * the code of `exit`. */
static void place_returns(struct ez_fragment_routine *r)
{
    if (!r->applies)
        r->nrets = 0;
    for (size_t i = 0; i < r->nrets; i++) {
        const struct ez_fragment_return *ret = &r->ret[i];
        if (!ret->at)
            continue;
        EZ_PUSH(&r->at, ((struct ez_fragment_at){ ret->at, ret->line, EZ_FRAGMENT_NO_CALL }));
    }
}

void ez_fragment_look_inside(struct ez_fragments *f, size_t i)
{
    static const enum ez_spec_point points[] = { EZ_SPEC_CALL_ENTRY, EZ_SPEC_CALL_EXIT,
                                                 EZ_SPEC_THROW, EZ_SPEC_CATCH };
    struct ez_fragment_routine *r = &f->routine[i];
    for (size_t k = 0; k < r->ncalls; k++) {
        const struct ez_fragment_call *c = &r->call[k];
        struct ez_fragment_place p = {
            .before = place_joined(place_code(f, r, c, EZ_SPEC_CALL_ENTRY),
                                   place_joined(place_code(f, r, c, EZ_SPEC_THROW),
                                                place_code(f, r, c, EZ_SPEC_CATCH))),
            .behind = place_code(f, r, c, EZ_SPEC_CALL_EXIT),
        };
        if (!p.before && !p.behind)
            continue;
        const unsigned number = place_number(r, p);
        EZ_PUSH(&r->at, ((struct ez_fragment_at){ c->at, number, k }));
        for (size_t n = 0; n < EZ_ARRAY_LEN(points); n++)
            place_note(f, i, c, points[n], number);
        r->applies = r->suspends = true;
    }
    place_returns(r);
    if (r->at.n)
        qsort(r->at.at, r->at.n, sizeof *r->at.at, place_by_address);
}

void ez_fragment_places_free(struct ez_fragment_routine *r)
{
    for (size_t i = 0; i < r->place.n; i++) {
        free(r->place.at[i].before);
        free(r->place.at[i].behind);
    }
    EZ_VEC_FREE(&r->place);
    EZ_VEC_FREE(&r->at);
}

void ez_fragment_note_inlined(struct ez_fragments *f, size_t k)
{
    const struct ez_spec_clause *c = &f->spec->clauses.at[k];
    for (size_t i = 0; i < f->n; i++) {
        const struct ez_fragment_routine *r = &f->routine[i];
        struct ez_spec_site site = { .file = r->r.file, .lang = r->r.lang, .callee = r->r.name };
        struct ez_spec_clause only = *c;
        struct ez_spec one = { .clauses = { .at = &only, .n = 1 } };
        only.file = only.routine = (struct ez_spec_pattern){ .text = NULL };
        if (!r->inlined || ez_spec_next(&one, 0, c->point, &site))
            continue;
        free(f->clause.at[k].note);
        f->clause.at[k].note = ez_sprintf("%s was inlined: its copies are no calls", r->r.name);
        return;
    }
}
