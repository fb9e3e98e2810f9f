/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match.c - finds out which clauses apply at a place (spec.h).
 *
 * A routine's pattern is compared with the qualified name, with the name and its parameters, and
 * with the whole signature. Blanks count only between words, because tools write them differently.
 * '#' matches any text. A pattern of a file ('*' and '?') that has a slash is compared with the end
 * of the path, any other with the last part of the path. Fortran names are compared without regard
 * to case.
 * Tests: tests/unit/modules/check_spec.c */
#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/spec/words.h"

void ez_spec_pattern_deinit(struct ez_spec_pattern *p)
{
    if (p->regex)
        regfree(&p->re);
    free(p->text);
}

static bool match_wild(const char *p, const char *text, char any, char one)
{
    const char *star = NULL, *from = NULL;
    for (; *text; text++)
        if (*p == any) {
            star = ++p;
            from = text--;
            if (!*p)
                return true;
        } else if (*p && (*p == *text || *p == one)) {
            p++;
        } else if (star) {
            p = star;
            text = from++;
        } else {
            return false;
        }
    while (*p == any)
        p++;
    return !*p;
}

static bool match_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the text without blanks that do not separate words; with `fold` (Fortran), in lower case.
 * The caller frees it. */
static char *match_squeeze(const char *text, bool fold)
{
    char *out = ez_alloc(strlen(text) + 1), *o = out;
    for (const char *p = text; *p; p++) {
        if (!isspace((unsigned char)*p))
            *o++ = fold ? (char)tolower((unsigned char)*p) : *p;
        else if (o > out && match_word(o[-1]) && match_word(p[strspn(p, " \t\r\n")]))
            *o++ = ' ';
    }
    *o = 0;
    return out;
}

static bool match_text(const struct ez_spec_pattern *p, const char *text, bool fold)
{
    EZ_FREE char *name = match_squeeze(text, fold);
    if (p->regex)
        return !regexec(&p->re, text, 0, NULL, 0) || (fold && !regexec(&p->re, name, 0, NULL, 0));
    EZ_FREE char *pattern = match_squeeze(p->text, fold);
    return match_wild(pattern, name, '#', '#');
}

/* Returns true if the pattern matches the name or the signature, which may be NULL; for a negated
 * pattern, if it matches neither. */
static bool match_name(const struct ez_spec_pattern *p, const char *name, const char *signature,
                       bool fold)
{
    if (!p->text)
        return true;
    bool found = match_text(p, name, fold);
    if (!found && signature && strcmp(signature, name) != 0) {
        found = match_text(p, signature, fold);
        EZ_FREE char *call = ez_sprintf("%s(", name);
        const char *tail = strstr(signature, call);
        if (!found && tail && tail != signature)
            found = match_text(p, tail, fold);
    }
    return found != p->negated;
}

static bool match_file(const struct ez_spec_pattern *p, const char *file)
{
    bool found = false;
    if (!p->text)
        return true;
    if (p->regex)
        found = !regexec(&p->re, file, 0, NULL, 0);
    else if (!strchr(p->text, '/'))
        found = match_wild(p->text, ez_base_name(file), '*', '?');
    else
        for (const char *tail = file; !found && tail;
             tail = strchr(tail, '/') ? strchr(tail, '/') + 1 : NULL)
            found = match_wild(p->text, tail, '*', '?');
    return found != p->negated;
}

bool ez_spec_wants_file(const struct ez_spec *s, const char *file)
{
    bool wanted = !s->lists[EZ_SPEC_FILE_INCLUDE].n;
    for (size_t i = 0; !wanted && i < s->lists[EZ_SPEC_FILE_INCLUDE].n; i++)
        wanted = match_file(&s->lists[EZ_SPEC_FILE_INCLUDE].at[i], file);
    for (size_t i = 0; wanted && i < s->lists[EZ_SPEC_FILE_EXCLUDE].n; i++)
        wanted = !match_file(&s->lists[EZ_SPEC_FILE_EXCLUDE].at[i], file);
    return wanted;
}

static bool match_routine(const struct ez_spec_pattern *p, const struct ez_spec_routine *r)
{
    return match_name(p, r->name, r->signature, r->lang == EZ_SPEC_FORTRAN);
}

bool ez_spec_wants(const struct ez_spec *s, const struct ez_spec_routine *r)
{
    bool wanted = !s->lists[EZ_SPEC_INCLUDE].n;
    for (size_t i = 0; !wanted && i < s->lists[EZ_SPEC_INCLUDE].n; i++)
        wanted = match_routine(&s->lists[EZ_SPEC_INCLUDE].at[i], r);
    for (size_t i = 0; wanted && i < s->lists[EZ_SPEC_EXCLUDE].n; i++)
        wanted = !match_routine(&s->lists[EZ_SPEC_EXCLUDE].at[i], r);
    return wanted && ez_spec_wants_file(s, r->file);
}

bool ez_spec_applies(const struct ez_spec *s, const struct ez_spec_routine *r)
{
    static const enum ez_spec_point points[] = { EZ_SPEC_DECL, EZ_SPEC_ENTRY, EZ_SPEC_EXIT };
    const struct ez_spec_site site = { .routine = r, .file = r->file, .lang = r->lang };
    for (size_t i = 0; i < EZ_ARRAY_LEN(points); i++)
        if (ez_spec_next(s, 0, points[i], &site) != SIZE_MAX)
            return true;
    return false;
}

/* Returns true if TAU's `loops` include the loops of the routine. */
static bool match_loops(const struct ez_spec *s, const struct ez_spec_site *site)
{
    bool wanted = !s->loops.n;
    for (size_t i = 0; !wanted && i < s->loops.n; i++) {
        const struct ez_spec_loops *l = &s->loops.at[i];
        wanted = l->langs & site->lang && match_file(&l->file, site->file) &&
                 (!site->routine || match_routine(&l->routine, site->routine));
    }
    return wanted;
}

/* Returns true if the clause selects no line, or a line of the routine's body. */
static bool match_line(const struct ez_spec_clause *c, const struct ez_spec_routine *r)
{
    return !r || !c->line || (c->line >= r->begin_line && c->line <= r->end_line);
}

size_t ez_spec_next(const struct ez_spec *s, size_t from, enum ez_spec_point point,
                    const struct ez_spec_site *site)
{
    const struct ez_spec_routine *r = site->routine;
    bool fold = site->lang == EZ_SPEC_FORTRAN;
    if ((point == EZ_SPEC_LOOP_ENTRY || point == EZ_SPEC_LOOP_EXIT) && !match_loops(s, site))
        return SIZE_MAX;
    for (size_t i = from; i < s->clauses.n; i++) {
        const struct ez_spec_clause *c = &s->clauses.at[i];
        if (c->point != point || !(c->langs & site->lang) || !match_file(&c->file, site->file) ||
            (r && !match_routine(&c->routine, r)) || !match_line(c, r) ||
            (site->callee && !match_name(&c->callee, site->callee, NULL, fold)))
            continue;
        /* the lists of routines do not apply to init, which belongs to the main program */
        bool whole = !r || point == EZ_SPEC_INIT;
        return (whole ? ez_spec_wants_file(s, site->file) : ez_spec_wants(s, r)) ? i : SIZE_MAX;
    }
    return SIZE_MAX;
}
