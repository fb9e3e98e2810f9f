/* SPDX-License-Identifier: GPL-3.0-or-later */
/* which.c - finds out which clauses apply to which routines of a running program (fragment.h).
 *
 * Loops exist only in source code, so clauses about loops have no effect on running programs. The
 * code of a rule with file and line is written before the routines of that file, unless the line is
 * inside of a routine.
 * Tests: tests/procs/spec.sh */
#include <string.h>

#include "modules/instrument/fragment/fragment.h"

void ez_fragment_leave(struct ez_fragments *f, size_t i, const char *why)
{
    char *text = ez_strdup(why);
    EZ_PUSH(&f->kept, text);
    f->routine[i].why = text;
    f->routine[i].applies = false;
}

/* Returns the place of point p. In `exit` and `abort`, if the line of the statement is not known
 * because there are several, @LINE@ means the end of the body. */
struct ez_spec_site ez_fragment_site(const struct ez_fragment_routine *r, enum ez_spec_point p)
{
    const bool end = p == EZ_SPEC_EXIT || p == EZ_SPEC_ABORT;
    const unsigned line = p == EZ_SPEC_EXIT ? r->exit_line : p == EZ_SPEC_ABORT ? r->abort_line : 0;
    return (struct ez_spec_site){ .routine = p == EZ_SPEC_FILE ? NULL : &r->r,
                                  .file = r->r.file,
                                  .lang = r->r.lang,
                                  .line = line  ? line
                                          : end ? r->r.end_line
                                                : r->r.begin_line,
                                  .col = line  ? 0
                                         : end ? r->r.end_col
                                               : r->r.begin_col };
}

/* Returns true if the code declares only what outlives the call anyway: static and extern
 * variables, and types. */
static bool which_is_static(const char *code)
{
    static const char *const words[] = { "static ", "extern ", "typedef ", "#" };
    for (const char *p = code; *(p += strspn(p, " \t\n;"));) {
        bool lasts = false;
        for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
            lasts |= !strncmp(p, words[i], strlen(words[i]));
        if (!lasts)
            return false;
        p += strcspn(p, *p == '#' ? "\n" : ";{");
        if (*p == '{') /* a struct, or an initializer */
            return false;
    }
    return true;
}

/* Returns true if the activation must last as long as the call: for exit and abort code, and for
 * variables. C++ objects are destroyed when the call ends, and other code may have the address of
 * a C variable. */
static bool which_lasts(const struct ez_spec_clause *c, enum ez_spec_lang lang)
{
    switch (c->point) {
    case EZ_SPEC_EXIT:
    case EZ_SPEC_ABORT:
        return true;
    case EZ_SPEC_DECL:
        return lang != EZ_SPEC_C || !which_is_static(c->code);
    default:
        return lang == EZ_SPEC_CXX || strchr(c->code, '&');
    }
}

static void which_look(struct ez_fragments *f, size_t i, enum ez_spec_point p)
{
    struct ez_fragment_routine *r = &f->routine[i];
    struct ez_spec_site site = ez_fragment_site(r, p);
    if (p == EZ_SPEC_INIT && !r->is_main)
        return;
    for (size_t k = 0; p == EZ_SPEC_FILE && k < f->clause.n; k++)
        if (ez_spec_next(f->spec, k, p, &site) == k)
            EZ_PUSH(&f->clause.at[k].routine, i);
    if (p == EZ_SPEC_FILE)
        return;
    for (size_t k = 0; (k = ez_spec_next(f->spec, k, p, &site)) != SIZE_MAX; k++) {
        EZ_PUSH(&f->clause.at[k].routine, i);
        r->applies = true;
        r->aborts |= p == EZ_SPEC_ABORT;
        r->suspends |= which_lasts(&f->spec->clauses.at[k], r->r.lang);
        f->init |= p == EZ_SPEC_INIT;
    }
}

/* Returns true if the exit code uses the routine's result. */
static bool which_uses_result(struct ez_fragments *f, const struct ez_fragment_routine *r)
{
    struct ez_spec_site site = ez_fragment_site(r, EZ_SPEC_EXIT);
    EZ_FREE char *text = ez_spec_fragment(f->spec, EZ_SPEC_EXIT, &site);
    return text && strstr(text, "ez_ret");
}

static void which_refuse(struct ez_fragments *f, size_t i)
{
    struct ez_fragment_routine *r = &f->routine[i];
    if (r->applies && r->inlined) {
        ez_fragment_leave(f, i, r->inlined);
        return;
    }
    if (!r->applies || !r->suspends || !r->known || (r->result && *r->result) ||
        !which_uses_result(f, r))
        return;
    ez_fragment_leave(f, i,
                      r->result ? "its result is nothing that C can say without declarations"
                                : "it has no result");
}

static const char *which_not_here(const struct ez_spec_clause *c)
{
    switch (c->point) {
    case EZ_SPEC_LOOP_ENTRY:
    case EZ_SPEC_LOOP_EXIT:
        return "loops are places of the source: eztsh-instrument knows them";
    default:
        return NULL;
    }
}

/* Returns the routine of the file that contains a rule's line, or NULL. */
static const struct ez_fragment_routine *which_inside(const struct ez_fragments *f,
                                                      const struct ez_spec_clause *c)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct ez_fragment_routine *r = &f->routine[i];
        struct ez_spec_site site = ez_fragment_site(r, EZ_SPEC_FILE);
        if (c->line > r->r.begin_line && c->line <= r->r.end_line &&
            ez_spec_next(f->spec, (size_t)(c - f->spec->clauses.at), EZ_SPEC_FILE, &site) ==
                (size_t)(c - f->spec->clauses.at))
            return r;
    }
    return NULL;
}

void ez_fragment_match(struct ez_fragments *f)
{
    static const enum ez_spec_point points[] = { EZ_SPEC_FILE,  EZ_SPEC_DECL, EZ_SPEC_INIT,
                                                 EZ_SPEC_ENTRY, EZ_SPEC_EXIT, EZ_SPEC_ABORT };
    for (size_t k = 0; k < f->spec->clauses.n; k++) {
        const struct ez_spec_clause *c = &f->spec->clauses.at[k];
        EZ_PUSH(&f->clause, ((struct ez_fragment_clause){ .why = which_not_here(c) }));
        if (c->point == EZ_SPEC_FILE && c->line > 1 && which_inside(f, c))
            f->clause.at[k].why =
                "the line is inside a routine: eztsh-instrument knows such places";
        if (c->point == EZ_SPEC_CALL_ENTRY || c->point == EZ_SPEC_CALL_EXIT)
            ez_fragment_note_inlined(f, k);
    }
    for (size_t i = 0; i < f->n; i++) {
        for (size_t k = 0; k < EZ_ARRAY_LEN(points); k++)
            which_look(f, i, points[k]);
        ez_fragment_look_inside(f, i);
        which_refuse(f, i);
        if (f->routine[i].applies && f->routine[i].r.lang == EZ_SPEC_FORTRAN)
            ez_fragment_outer(f, i);
        f->rows += f->routine[i].applies;
    }
}
