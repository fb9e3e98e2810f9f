/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec_load.c - spec load, spec delete: specifications on the running program.
 *
 * The shell combines the program's routines (engine/expr/routine.h) with the clauses that apply to
 * them: the result is the code of fragments (modules/instrument/fragment/). The target runs
 * meanwhile. The engine then loads the compiled fragments into the process, and plants probes
 * (engine/ezt_specs.h).
 * Tests: tests/procs/spec.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/spec.h"
#include "engine/base/strutil.h"
#include "modules/instrument/fragment/fragment.h"
#include "shell/out.h"

#define LEFT_LINES 10 /* maximum number of lines about skipped routines; "info spec" shows all */

/* ---- routines -------------------------------------------------------------------------------- */

struct routine { /* a routine of the program, as the engine describes it; the struct owns its
                  * strings */
    char *path, *function, *file;
    uint64_t vaddr, end;
    char *name, *signature, *result;
    char *inlined; /* note about copies of the routine that are inlined elsewhere; NULL = none */
    EZ_VEC(struct ez_fragment_param) param;
    char *symbol;
    EZ_VEC(struct ez_fragment_return) ret;
    EZ_VEC(struct ez_fragment_call) call;
    EZ_VEC(uint64_t) to; /* called functions as file addresses; 0 = the function is in another
         * file */
};

struct own { /* meaning of a name in a source file */
    char *key;
    enum ez_static where;
    struct ez_static_is is;
};

struct load {
    struct ez_sess *s;
    struct spec_files files;
    EZ_VEC(struct routine) routine;
    /* decisions, one for each element of `routine`, with the same index */
    EZ_VEC(struct ez_fragment_routine) applies;
    struct ez_fragments made;
    char *options;
    EZ_VEC(const char *) option; /* words of `options` */
    struct ez_hash by_place;     /* key: path and address; value: index in `routine` */
    EZ_VEC(struct own) own;
    struct ez_hash by_name; /* key: file, name and language; value: index in `own` */
};

struct load_callees {
    struct ez_spec_callee_want *at;
    size_t n, cap;
};

/* Returns a note for a routine that has inlined copies, into which no code is inserted. */
static char *load_inlined(const struct ez_routine *r)
{
    if (!r->inlined)
        return NULL;
    if (r->vaddr)
        return ez_sprintf("inlined, too, %s: calls of these are not seen", r->inlined);
    return *r->inlined ? ez_sprintf("inlined everywhere, %s", r->inlined)
                       : ez_strdup("the program has no code of it");
}

static struct ez_fragment_param load_param(const struct ez_routine_param *p)
{
    return (struct ez_fragment_param){ .name = ez_strdup(p->name),
                                       .declaration =
                                           p->declaration ? ez_strdup(p->declaration) : NULL,
                                       .fortran = p->fortran ? ez_strdup(p->fortran) : NULL,
                                       .shape = p->shape ? ez_strdup(p->shape) : NULL,
                                       .bounds = p->bounds ? ez_strdup(p->bounds) : NULL,
                                       .why = p->why,
                                       .result = p->result,
                                       .tag = p->tag ? ez_strdup(p->tag) : NULL,
                                       .size = p->size };
}

static bool load_add_routine(const struct ez_routine *r, const char *path, void *arg)
{
    static const enum ez_spec_lang lang[] = { [EZ_ROUTINE_C] = EZ_SPEC_C,
                                              [EZ_ROUTINE_CXX] = EZ_SPEC_CXX,
                                              [EZ_ROUTINE_FORTRAN] = EZ_SPEC_FORTRAN };
    struct load *l = arg;
    struct routine own = { .path = ez_strdup(path),
                           .function = ez_strdup(r->name),
                           .file = ez_strdup(r->file),
                           .vaddr = r->vaddr,
                           .end = r->end,
                           .name = ez_strdup(r->name),
                           .signature = ez_strdup(r->signature),
                           .result = r->result ? ez_strdup(r->result) : NULL,
                           .symbol = ez_strdup(r->symbol),
                           .inlined = load_inlined(r) };
    for (size_t i = 0; i < r->param.n; i++)
        EZ_PUSH(&own.param, load_param(&r->param.at[i]));
    EZ_PUSH(&l->routine, own);
    struct ez_fragment_routine one = {
        .r = { .name = own.name,
               .signature = own.signature,
               .file = own.file,
               .lang = lang[r->lang],
               .begin_line = r->begin_line,
               .begin_col = r->begin_col,
               .end_line = r->end_line,
               .end_col = r->end_col,
               .argc = "ez_argc",
               .argv = "ez_argv" },
        .is_main = !strcmp(r->symbol, r->lang == EZ_ROUTINE_FORTRAN ? "MAIN__" : "main"),
        .known = r->known,
        .inlined = r->vaddr ? NULL : own.inlined,
        .result = own.result,
        .param = own.param.at,
        .nparams = own.param.n
    };
    EZ_PUSH(&l->applies, one);
    return true;
}

static void load_free(struct load *l)
{
    ez_fragments_free(&l->made);
    for (size_t i = 0; i < l->routine.n; i++) {
        struct routine *r = &l->routine.at[i];
        for (size_t k = 0; k < r->param.n; k++) {
            free((char *)r->param.at[k].name);
            free((char *)r->param.at[k].declaration);
            free((char *)r->param.at[k].fortran);
            free((char *)r->param.at[k].shape);
            free((char *)r->param.at[k].bounds);
            free((char *)r->param.at[k].tag);
        }
        EZ_VEC_FREE(&r->param);
        for (size_t k = 0; k < r->call.n; k++) {
            free((char *)r->call.at[k].symbol);
            free((char *)r->call.at[k].callee);
        }
        EZ_VEC_FREE(&r->call);
        EZ_VEC_FREE(&r->ret);
        EZ_VEC_FREE(&r->to);
        free(r->symbol);
        free(r->path);
        free(r->function);
        free(r->file);
        free(r->name);
        free(r->signature);
        free(r->result);
        free(r->inlined);
    }
    EZ_VEC_FREE(&l->routine);
    EZ_VEC_FREE(&l->applies);
    EZ_VEC_FREE(&l->option);
    ez_hash_free(&l->by_place);
    for (size_t i = 0; i < l->own.n; i++)
        free(l->own.at[i].key), free(l->own.at[i].is.declaration), free(l->own.at[i].is.tag);
    EZ_VEC_FREE(&l->own);
    ez_hash_free(&l->by_name);
    free(l->options);
    spec_files_free(&l->files);
}

/* ---- calls inside of routines ---------------------------------------------------------------- */

static uint64_t load_place(const char *path, uint64_t vaddr)
{
    return ez_hash_pair(ez_hash_key(EZ_HASH_SEED, path), vaddr);
}

/* Returns the name by which the source calls a function: "ns::f" for _ZN2ns1fEi, in Fortran "f" for
 * f_ and __m_MOD_f. The caller frees. */
static char *load_callee(const struct load *l, const struct routine *in, enum ez_spec_lang lang,
                         const struct ez_routine_call *c)
{
    size_t i;
    const bool known = c->to && ez_hash_get(&l->by_place, load_place(in->path, c->to), &i);
    const char *name = known ? l->routine.at[i].name : c->symbol, *last = strrchr(name, ':'),
               *module = strstr(name, "_MOD_");
    EZ_FREE char *pretty = known ? NULL : ez_name_pretty(name);
    if (pretty)
        return ez_strndup(pretty, strcspn(pretty, "("));
    if (lang != EZ_SPEC_FORTRAN)
        return ez_strdup(name);
    name = last ? last + 1 : module ? module + 5 : name;
    const size_t n = strlen(name);
    return ez_strndup(name, n - (!known && n > 1 && name[n - 1] == '_'));
}

struct load_calls {
    struct load *l;
    size_t i;
};

static void load_call(const struct ez_routine_call *c, void *arg)
{
    struct load_calls *w = arg;
    struct routine *r = &w->l->routine.at[w->i];
    const enum ez_spec_lang lang = w->l->applies.at[w->i].r.lang;
    const struct ez_fragment_call one = { .at = (int64_t)(c->behind - r->vaddr),
                                          .symbol = ez_strdup(c->symbol),
                                          .callee = load_callee(w->l, r, lang, c),
                                          .line = c->line };
    EZ_PUSH(&r->call, one);
    EZ_PUSH(&r->to, c->to);
}

/* Returns true if clauses apply at places inside of routine i (calls, loops and the like). *lines:
 * the code of such a clause uses @LINE@. */
static bool load_has_inside(const struct load *l, size_t i, bool *lines)
{
    const struct ez_spec *s = &l->files.spec;
    const struct ez_fragment_routine *w = &l->applies.at[i];
    bool uses = false;
    for (unsigned p = EZ_SPEC_CALL_ENTRY; p <= EZ_SPEC_CATCH && l->routine.at[i].vaddr; p++) {
        const struct ez_spec_site site = { .routine = &w->r, .file = w->r.file, .lang = w->r.lang };
        for (size_t k = 0; (k = ez_spec_next(s, k, p, &site)) != SIZE_MAX; k++) {
            uses = true;
            *lines |= strstr(s->clauses.at[k].code, "@LINE@") != NULL;
        }
    }
    return uses;
}

/* ---- lines at which routines are left -------------------------------------------------------- */

/* Returns true if the code at point p (entry, exit, ...) of routine i uses @LINE@ or __LINE__. */
static bool load_has_line(const struct load *l, size_t i, enum ez_spec_point p)
{
    const struct ez_spec *s = &l->files.spec;
    const struct ez_fragment_routine *w = &l->applies.at[i];
    const struct ez_spec_site site = { .routine = &w->r, .file = w->r.file, .lang = w->r.lang };
    for (size_t k = 0; (k = ez_spec_next(s, k, p, &site)) != SIZE_MAX; k++)
        if (strstr(s->clauses.at[k].code, "@LINE@") || strstr(s->clauses.at[k].code, "__LINE__"))
            return true;
    return false;
}

struct load_ends {
    unsigned line;
    bool several;
};

/* Stores the line of a call that ends the program. A callback. */
static void load_end(const struct ez_routine_call *c, void *arg)
{
    static const char *const names[] = { "exit",
                                         "_exit",
                                         "_Exit",
                                         "abort",
                                         "quick_exit",
                                         "_gfortran_stop_string",
                                         "_gfortran_stop_numeric",
                                         "_gfortran_error_stop_string",
                                         "_gfortran_error_stop_numeric" };
    struct load_ends *e = arg;
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++)
        if (!strcmp(c->symbol, names[i])) {
            e->several |= !c->line || (e->line && e->line != c->line);
            e->line = c->line;
        }
}

static void load_return(uint64_t vaddr, unsigned line, void *arg)
{
    struct routine *r = arg;
    const struct ez_fragment_return one = { vaddr ? (int64_t)(vaddr - r->vaddr) : 0, line };
    EZ_PUSH(&r->ret, one);
}

static void load_any(const struct ez_routine_call *c EZ_UNUSED, void *arg)
{
    *(bool *)arg = true;
}

/* Sets the line of the routine's exit, or several lines with the addresses of their returns. A C++
 * routine that calls functions has no single line of exit, because a callee may throw. */
static void load_returns(struct load *l, struct routine *r, const struct ez_routine *of,
                         struct ez_fragment_routine *w)
{
    bool several = false;
    if (w->r.lang == EZ_SPEC_CXX)
        ez_routine_calls(l->s->target, r->path, of, false, load_any, &several);
    ez_spec_returns(l->s->target, r->path, of, load_return, r);
    for (size_t i = 0; i < r->ret.n; i++)
        several |= r->ret.at[i].line != r->ret.at[0].line;
    w->exit_line = r->ret.n && !several ? r->ret.at[0].line : 0;
    w->ret = r->ret.at;
    w->nrets = several ? r->ret.n : 0;
}

/* Returns true if the code of some clause may use the line where a routine ends. */
static bool load_has_end(const struct load *l)
{
    bool uses = false;
    for (size_t i = 0; i < l->files.spec.clauses.n; i++) {
        const char *code = l->files.spec.clauses.at[i].code;
        uses |= strstr(code, "@END_LINE@") || strstr(code, "@LINE@") || strstr(code, "__LINE__");
    }
    return uses;
}

/* Finds the END of routines with CONTAINS, which debug information lacks. */
static void load_end_lines(struct load *l)
{
    struct spec_end end = { NULL, NULL };
    for (size_t i = 0; i < l->applies.n && load_has_end(l); i++) {
        struct ez_fragment_routine *w = &l->applies.at[i];
        if (w->known && w->r.lang == EZ_SPEC_FORTRAN && w->r.end_line)
            w->r.end_line = spec_end_line(&end, w->r.file, w->r.end_line);
    }
    spec_end_free(&end);
}

static void load_lines(struct load *l)
{
    for (size_t i = 0; i < l->routine.n; i++) {
        struct routine *r = &l->routine.at[i];
        struct ez_fragment_routine *w = &l->applies.at[i];
        const struct ez_routine of = { .symbol = r->symbol,
                                       .vaddr = r->vaddr,
                                       .end = r->end,
                                       .begin_line = w->r.begin_line,
                                       .end_line = w->r.end_line };
        struct load_ends ends = { 0, false };
        if (!r->vaddr || !w->known)
            continue;
        if (w->r.lang != EZ_SPEC_FORTRAN && w->result && load_has_line(l, i, EZ_SPEC_EXIT))
            load_returns(l, r, &of, w);
        if (load_has_line(l, i, EZ_SPEC_ABORT))
            ez_routine_calls(l->s->target, r->path, &of, true, load_end, &ends);
        w->abort_line = ends.several ? 0 : ends.line;
    }
}

/* ---- calls inside of routines ---- */

static void load_inside(struct load *l)
{
    for (size_t i = 0; i < l->routine.n; i++)
        if (l->routine.at[i].vaddr)
            ez_hash_put(&l->by_place, load_place(l->routine.at[i].path, l->routine.at[i].vaddr), i);
    for (size_t i = 0; i < l->routine.n; i++) {
        struct routine *r = &l->routine.at[i];
        const struct ez_routine of = { .symbol = r->symbol, .vaddr = r->vaddr, .end = r->end };
        struct load_calls w = { l, i };
        bool lines = false;
        if (!load_has_inside(l, i, &lines))
            continue;
        ez_routine_calls(l->s->target, r->path, &of, lines, load_call, &w);
        l->applies.at[i].call = r->call.at;
        l->applies.at[i].ncalls = r->call.n;
    }
}

/* Collects the functions whose calls get code, each once, and the addresses of code that belongs to
 * no call (throw, catch). */
static void load_callees(const struct load *l, struct load_callees *to)
{
    struct ez_hash seen = { 0 };
    for (size_t i = 0; i < l->applies.n; i++) {
        const struct ez_fragment_routine *w = &l->applies.at[i];
        const struct routine *r = &l->routine.at[i];
        for (size_t k = 0; k < w->at.n && w->applies; k++) {
            const struct ez_fragment_at *at = &w->at.at[k];
            if (at->call == EZ_FRAGMENT_NO_CALL) {
                EZ_PUSH(to, ((struct ez_spec_callee_want){ .path = r->path,
                                                           .vaddr = r->vaddr + (uint64_t)at->at,
                                                           .symbol = r->symbol,
                                                           .name = r->name,
                                                           .there = true }));
                continue;
            }
            const uint64_t vaddr = r->to.at[at->call];
            const struct ez_spec_callee_want one = { .path = vaddr ? r->path : NULL,
                                                     .vaddr = vaddr,
                                                     .symbol = r->call.at[at->call].symbol,
                                                     .name = r->call.at[at->call].callee };
            const uint64_t key =
                vaddr ? load_place(r->path, vaddr) : ez_hash_key(EZ_HASH_SEED, one.symbol);
            const size_t known = ez_hash_put(&seen, key, to->n);
            if (known == to->n)
                EZ_PUSH(to, one);
            const struct ez_fragment_place *p = &w->place.at[at->number];
            to->at[known].before |= p->before != NULL;
            to->at[known].behind |= p->behind != NULL;
        }
    }
    ez_hash_free(&seen);
}

static void load_found(const struct ez_sym *sym, void *arg)
{
    bool *own = arg;
    *own |= sym->kind != EZ_SYM_PLT && sym->kind != EZ_SYM_COLD;
}

/* Returns true if the program defines this symbol, exported or not. A callback. */
static bool load_is_own(const char *name, void *arg)
{
    struct load *l = arg;
    struct ez_object *o = ez_target_object(l->s->target);
    bool own = false;
    if (o)
        ez_object_find_name(o, name, load_found, &own);
    return own;
}

/* Returns what a name means in a file. Looks each name up only once for each file, because every
 * routine of the file asks for the same names. */
static const struct own *load_own(struct load *l, const char *name, const char *file, bool cxx,
                                  bool enums)
{
    EZ_FREE char *key = ez_sprintf("%s\t%s\t%d", file, name, 2 * cxx + enums);
    size_t i = ez_hash_put(&l->by_name, ez_hash_key(EZ_HASH_SEED, key), l->own.n);
    if (i == l->own.n || strcmp(l->own.at[i].key, key) != 0) {
        struct own o = { .key = ez_strdup(key) };
        o.where = ez_spec_static(l->s->target, file, name, cxx, enums, &o.is);
        i = l->own.n;
        EZ_PUSH(&l->own, o);
    }
    return &l->own.at[i];
}

static enum ez_fragment_own load_own_static(const char *name, const char *file, bool cxx,
                                            bool enums, struct ez_fragment_static *out, void *arg)
{
    static const enum ez_fragment_own where[] = {
        [EZ_STATIC_NONE] = EZ_FRAGMENT_NONE,         [EZ_STATIC_THERE] = EZ_FRAGMENT_THERE,
        [EZ_STATIC_PLAIN] = EZ_FRAGMENT_PLAIN,       [EZ_STATIC_OTHER] = EZ_FRAGMENT_OTHER,
        [EZ_STATIC_NO_PLACE] = EZ_FRAGMENT_NO_PLACE,
    };
    const struct own *o = load_own(arg, name, file, cxx, enums);
    *out = (struct ez_fragment_static){ .vaddr = o->is.vaddr,
                                        .declaration = o->is.declaration,
                                        .size = o->is.size,
                                        .tag = o->is.tag,
                                        .pointed = o->is.pointed,
                                        .function = o->is.function };
    return where[o->where];
}

static bool load_outer(size_t i, const char *name, struct ez_fragment_param *out, uint64_t *vaddr,
                       void *arg)
{
    struct load *l = arg;
    struct ez_routine_name n;
    const struct routine *r = &l->routine.at[i];
    if (!ez_spec_name(l->s->target, r->path, r->vaddr, name, &n))
        return false;
    *out = (struct ez_fragment_param){
        .fortran = n.fortran, .shape = n.shape, .bounds = n.bounds, .why = n.why
    };
    *vaddr = n.vaddr;
    return true;
}

/* ---- load ------------------------------------------------------------------------------------ */

static enum ez_spec_counted load_counted(enum ez_spec_point p)
{
    return p == EZ_SPEC_EXIT                         ? EZ_SPEC_EXITS
           : p == EZ_SPEC_ABORT                      ? EZ_SPEC_ENDS
           : p == EZ_SPEC_ENTRY || p == EZ_SPEC_DECL ? EZ_SPEC_ENTRIES
           : ez_fragment_is_inside(p)                ? EZ_SPEC_PLACES
                                                     : EZ_SPEC_NOTHING;
}

static void load_clauses(struct load *l, struct ez_spec_clause_want *want)
{
    for (size_t i = 0; i < l->made.clause.n; i++) {
        const struct ez_spec_clause *c = &l->files.spec.clauses.at[i];
        const struct ez_fragment_clause *of = &l->made.clause.at[i];
        unsigned *row = ez_alloc((of->routine.n + 1) * sizeof *row);
        size_t n = 0;
        for (size_t k = 0; k < of->routine.n; k++)
            if (l->applies.at[of->routine.at[k]].applies)
                row[n++] = l->applies.at[of->routine.at[k]].row;
        struct ez_spec_place *place = ez_alloc((of->inside.n + 1) * sizeof *place);
        size_t places = 0;
        for (size_t k = 0; k < of->inside.n; k++) {
            const struct ez_fragment_inside *in = &of->inside.at[k];
            if (l->applies.at[in->routine].applies)
                place[places++] = (struct ez_spec_place){ l->applies.at[in->routine].row,
                                                          in->number, in->behind };
        }
        want[i] = (struct ez_spec_clause_want){ .text = ez_spec_show_where(c),
                                                .place = ez_sprintf("%s:%u", c->t->name,
                                                                    ez_src_line(c->t, c->at)),
                                                .why = of->why,
                                                .counted = load_counted(c->point),
                                                .routines = of->routine.n,
                                                .row = row,
                                                .n = n,
                                                .inside = place,
                                                .ninside = places,
                                                .note = of->note };
    }
}

static size_t load_wants(const struct load *l, struct ez_spec_want *want)
{
    size_t n = 0;
    for (size_t i = 0; i < l->applies.n; i++) {
        const struct ez_fragment_routine *w = &l->applies.at[i];
        const struct routine *r = &l->routine.at[i];
        if (w->applies || w->why)
            want[n++] = (struct ez_spec_want){ .path = r->path,
                                               .vaddr = r->vaddr,
                                               .end = r->end,
                                               .function = r->function,
                                               .file = r->file,
                                               .line = w->r.begin_line,
                                               .row = w->row,
                                               .suspends = w->suspends,
                                               .places = (unsigned)w->place.n,
                                               .aborts = w->aborts,
                                               .note = w->why ? NULL : r->inlined,
                                               .why = w->why };
    }
    return n;
}

static void load_note(const struct ez_spec_info *i, void *arg)
{
    /* Overwrites older specifications: the last specification is the newest. */
    *(struct ez_spec_info *)arg = *i;
}

/* Prints the files that have symbols but no debug information. */
static void load_say_unknown(const struct load *l)
{
    const char *last = NULL;
    for (size_t i = 0; i < l->applies.n; i++) {
        const char *path = l->routine.at[i].path;
        if (!l->applies.at[i].known && (!last || strcmp(last, path)))
            out_line(l->s,
                     "%s has no debug information: its routines are its symbols, and their lines "
                     "are 0.",
                     last = path);
    }
}

/* Warns about skipped routines, with their locations. */
static void load_say_left(const struct load *l)
{
    size_t left = 0;
    for (size_t i = 0; i < l->applies.n; i++) {
        const struct ez_fragment_routine *w = &l->applies.at[i];
        if (w->why && left++ < LEFT_LINES)
            out_line(l->s, "%s:%u: %s is left alone: %s", w->r.file, w->r.begin_line,
                     w->r.signature, w->why);
    }
    if (left > LEFT_LINES)
        out_line(l->s, "%zu more are left alone.", left - LEFT_LINES);
}

static void load_say(struct load *l)
{
    struct ez_sess *s = l->s;
    load_say_unknown(l);
    load_say_left(l);
    struct ez_spec_info i = { .number = 0 };
    ez_specs(s->target, load_note, &i);
    out_line(s, "Specification %d: %u routine%s%s%s%s%s.", i.number, i.routines,
             ez_plural(i.routines), i.planted ? sess_format(s, "; planted %u", i.planted) : "",
             i.pending ? sess_format(s, "; %u when the program runs", i.pending) : "",
             i.refused ? sess_format(s, "; left alone %u (\"info spec %d\" says why)", i.refused,
                                     i.number)
                       : "",
             l->made.cached ? "; compiled before" : "");
}

static ez_err *load_into(struct load *l, const char *name)
{
    EZ_FREE struct ez_spec_want *want = ez_alloc((l->applies.n + 1) * sizeof *want);
    EZ_FREE struct ez_spec_clause_want *clause = ez_alloc((l->made.clause.n + 1) * sizeof *clause);
    struct load_callees callee = { 0 };
    load_clauses(l, clause);
    load_callees(l, &callee);
    const struct ez_spec_object o = { .name = name,
                                      .path = l->made.object ? l->made.object : "",
                                      .rows = l->made.rows,
                                      .init = l->made.init,
                                      .want = want,
                                      .n = load_wants(l, want),
                                      .clause = clause,
                                      .nclauses = l->made.clause.n,
                                      .callee = callee.at,
                                      .ncallees = callee.n };
    int number;
    ez_err *e = ez_spec_load(l->s->target, &o, &number);
    for (size_t i = 0; i < l->made.clause.n; i++) {
        free((char *)clause[i].text);
        free((char *)clause[i].place);
        free((unsigned *)clause[i].row);
        free((struct ez_spec_place *)clause[i].inside);
    }
    EZ_VEC_FREE(&callee);
    return e;
}

/* Splits options at blanks; a backslash keeps the next character. */
static void load_options(struct load *l, const char *text)
{
    l->options = ez_strdup(text ? text : "");
    char *to = l->options;
    for (const char *p = l->options; *(p += strspn(p, " \t"));) {
        EZ_PUSH(&l->option, to);
        for (; *p && !strchr(" \t", *p); p++) {
            p += *p == '\\' && p[1];
            *to++ = *p;
        }
        bool last = !*p++;
        *to++ = 0;
        if (last)
            break;
    }
    l->made.option = l->option.at;
    l->made.noptions = l->option.n;
}

static ez_err *load_all(struct load *l, int argc, char **argv)
{
    struct ez_sess *s = l->s;
    EZ_TRY(spec_files_read(s, argc, argv, opt_text(s, "-filter"), &l->files));
    EZ_TRY(ez_routines(s->target, opt_text(s, "-lib"), load_add_routine, l));
    load_inside(l);
    load_end_lines(l);
    load_lines(l);
    load_options(l, opt_text(s, "-cc"));
    l->made.spec = &l->files.spec;
    l->made.routine = l->applies.at;
    l->made.n = l->applies.n;
    l->made.is_own = load_is_own;
    l->made.own_static = load_own_static;
    l->made.outer = load_outer;
    l->made.arg = l;
    ez_err *e = ez_fragments_make(&l->made);
    if (l->made.said && *l->made.said)
        out_text(s, l->made.said);
    for (size_t i = 0; e && i < l->files.n; i++) {
        EZ_FREE char *said = ez_src_said(&l->files.file[i]);
        if (*said)
            out_text(s, said);
    }
    if (!e)
        e = load_into(l, argv[1]);
    if (!e)
        load_say(l);
    return e;
}

static ez_err *cmd_spec_load(struct ez_sess *s, int argc, char **argv)
{
    struct load l = { .s = s };
    ez_err *e = load_all(&l, argc, argv);
    load_free(&l);
    return e;
}

const struct ez_cmd command_spec_load = {
    .parent = "spec",
    .name = "load",
    .usage = "FILE...",
    .brief = "Run the code of a specification in the program.",
    .help = "A clause has the same meaning as for eztsh-instrument, but the source is not\n"
            "changed. The code for each matching routine is compiled (EZT_CC, EZT_CXX,\n"
            "EZT_FC), loaded into the process and called by a probe. ~/.cache/eztsh keeps\n"
            "compiled code.\n"
            "\n"
            "A fragment that faults, loops (\"set fragment-timeout\") or calls its own\n"
            "routine is disabled with a warning. Routines are those of the program.\n"
            "doc/HOWTO_SPEC.md lists the differences from source code.",
    .examples = "spec load calls.spec -filter hot.tau\n"
                "run\n"
                "info spec",
    .see_also = "spec, info spec, spec delete, module",
    OPERANDS(PROBE, 1, -1),
    OPTIONS(
        { .name = "-filter",
          .kind = OPT_FILE,
          .value = "FILE",
          .meaning = "a file with lists of routines and files in TAU's format, which override\n"
                     "clauses" },
        { .name = "-cc",
          .kind = OPT_TEXT,
          .value = "OPTIONS",
          .meaning = "options for the compiler and the linker, as \"-I include -L lib -ltool\"" },
        { .name = "-lib",
          .kind = OPT_TEXT,
          .value = "PATTERN",
          .meaning = "also use routines of loaded libraries whose names match a pattern, as\n"
                     "\"libfoo*\"" }),
    .flags = MUTATES | NO_REPEAT,
    .fn = cmd_spec_load,
    .complete = comp_file,
};

static ez_err *cmd_spec_delete(struct ez_sess *s, int argc, char **argv)
{
    for (int i = 1, number; i < argc; i++) {
        EZ_TRY(spec_number(argv[i], &number));
        EZ_TRY(ez_spec_delete(s->target, number));
    }
    return NULL;
}

const struct ez_cmd command_spec_delete = {
    .parent = "spec",
    .name = "delete",
    .usage = "N...",
    .brief = "Remove a loaded specification from the program.",
    .help = "The probes of the specification are removed. Calls that are in progress still\n"
            "run the exit code of the specification.",
    .examples = "spec delete 1",
    .see_also = "spec load, spec list, info spec",
    OPERANDS(PROBE, 1, -1),
    .flags = MUTATES,
    .fn = cmd_spec_delete,
};
