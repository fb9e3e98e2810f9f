/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outer.c - the variables of the program that Fortran code names (fragment.h).
 *
 * In source code a routine sees the variables of its module, of used modules, of COMMON blocks, and
 * its own. A fragment is a routine outside of all modules. So a name in its code that is neither
 * declared there nor an argument becomes a pointer, with the type from debug information. The
 * engine sets the pointer (engine/plugin/import.c).
 * Tests: tests/procs/spec.sh */
#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/fragment/fragment.h"
#include "modules/instrument/spec/ftoken.h"

struct outer {
    struct ez_fragments *f;
    size_t i; /* index of the routine */
    struct ez_hash declared, seen;
    char *why; /* why the code cannot use a variable: the first such reason */
};

/* ---- what the code declares ------------------------------------------------------------------------------ */

static void outer_refuse(struct outer *o, const char *name, const char *why)
{
    if (!o->why)
        o->why = ez_sprintf("%s %s: a running program's code cannot name it", name, why);
}

static void outer_declared(const char *name, const char *statement, void *arg)
{
    struct outer *o = arg;
    ez_hash_put(&o->declared, ez_hash_key(EZ_HASH_SEED, name), 1);
    if (!strcmp(statement, "common"))
        outer_refuse(o, name, "is in a COMMON block of the code's own");
}

/* ---- names in the code ----------------------------------------------------------------------- */

/* Returns true if the name is an argument of the routine, or its result. */
static bool outer_is_param(struct outer *o, const char *name)
{
    const struct ez_fragment_routine *r = &o->f->routine[o->i];
    for (size_t i = 0; i < r->nparams; i++)
        if (!strcmp(r->param[i].name, name)) {
            if (r->param[i].why)
                outer_refuse(o, name, r->param[i].why);
            return true;
        }
    return false;
}

static void outer_request(struct outer *o, const char *name)
{
    struct ez_fragment_routine *r = &o->f->routine[o->i];
    struct ez_fragment_param p = { .name = NULL };
    uint64_t vaddr = 0;
    if (outer_is_param(o, name) || !o->f->outer || !o->f->outer(o->i, name, &p, &vaddr, o->f->arg))
        return;
    if (p.why) {
        outer_refuse(o, name, p.why);
        return;
    }
    p.name = ez_strdup(name);
    p.declaration = vaddr ? ez_fragment_label(o->f, vaddr) : NULL;
    EZ_PUSH(&r->outer, p);
}

/* Finds names of variables in the code. Names of components, and keywords of arguments (`unit=0`),
 * do not count. */
static void outer_names(struct outer *o, const char *text)
{
    int depth = 0, before = 0;
    const char *p = text;
    for (struct ez_ftoken t = ez_ftoken(&p, text); t.kind; t = ez_ftoken(&p, text)) {
        const char *next = ez_ftoken_blank(p, text);
        const bool argument = depth > 0 && *next == '=' && next[1] != '=';
        depth += (t.kind == '(') - (t.kind == ')');
        if (ez_ftoken_ends(&t))
            depth = 0;
        EZ_FREE char *word = ez_ftoken_lower(&t);
        const uint64_t key = ez_hash_key(EZ_HASH_SEED, word);
        size_t known;
        if (t.kind == EZ_FTOKEN_WORD && !isdigit((unsigned char)*word) && before != '%' &&
            !argument && !ez_hash_get(&o->declared, key, &known) &&
            !ez_hash_get(&o->seen, key, &known)) {
            ez_hash_put(&o->seen, key, 1);
            outer_request(o, word);
        }
        before = t.kind;
    }
}

/* ---- routines ------------------------------------------------------------------------------------------------ */

void ez_fragment_outer(struct ez_fragments *f, size_t i)
{
    static const enum ez_spec_point points[] = { EZ_SPEC_DECL, EZ_SPEC_INIT, EZ_SPEC_ENTRY,
                                                 EZ_SPEC_ABORT, EZ_SPEC_EXIT };
    struct ez_fragment_routine *r = &f->routine[i];
    struct outer o = { .f = f, .i = i };
    for (size_t k = 0; k < EZ_ARRAY_LEN(points); k++) {
        ez_fragment_bytes code = { 0 };
        ez_fragment_code(f, &code, r, points[k]);
        EZ_PUSH(&code, 0);
        if (points[k] == EZ_SPEC_DECL)
            ez_fdeclared(code.at, outer_declared, &o);
        outer_names(&o, code.at);
        EZ_VEC_FREE(&code);
    }
    for (size_t k = 0; k < r->place.n; k++) {
        outer_names(&o, r->place.at[k].before ? r->place.at[k].before : "");
        outer_names(&o, r->place.at[k].behind ? r->place.at[k].behind : "");
    }
    if (o.why)
        ez_fragment_leave(f, i, o.why);
    free(o.why);
    ez_hash_free(&o.declared);
    ez_hash_free(&o.seen);
}

void ez_fragment_outer_free(struct ez_fragment_routine *r)
{
    for (size_t i = 0; i < r->outer.n; i++) {
        const struct ez_fragment_param *p = &r->outer.at[i];
        free((char *)p->name);
        free((char *)p->declaration);
        free((char *)p->fortran);
        free((char *)p->shape);
        free((char *)p->bounds);
    }
    EZ_VEC_FREE(&r->outer);
}
