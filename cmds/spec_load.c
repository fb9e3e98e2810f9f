/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec_load.c - spec load, list, delete, info spec: specifications on the running program.
 *
 * The program's routines (engine/data/routine.h) and the clauses make fragments (modules/fragment/), while the target
 * runs; the engine has the process load their object, and plants (engine/ezt_specs.h).
 * Test: tests/procs/spec.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/spec.h"
#include "modules/fragment/fragment.h"
#include "shell/out.h"

/* ---- routines ---------------------------------------------------------------------------------------- */

struct routine { /* of the program, as the engine told it; texts are owned                     */
    char *path, *function, *file;
    uint64_t vaddr, end;
    char *name, *signature, *result;
    char *inlined; /* what is said of its copies; NULL = there are none                        */
    EZ_VEC(struct ez_fragment_param) param;
};

struct load {
    struct ez_sess *s;
    struct spec_files files;
    EZ_VEC(struct routine) routine;
    EZ_VEC(struct ez_fragment_routine) wanted; /* the same, by index                           */
    struct ez_fragments made;
    char *options;
    EZ_VEC(const char *) option; /* the words of `options`                                     */
};

/* What is to be known of a routine that was inlined. */
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
                                       .result = p->result };
}

static bool load_take(const struct ez_routine *r, const char *path, void *arg)
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
    EZ_PUSH(&l->wanted, one);
    return true;
}

static void load_free(struct load *l)
{
    for (size_t i = 0; i < l->routine.n; i++) {
        struct routine *r = &l->routine.at[i];
        for (size_t k = 0; k < r->param.n; k++) {
            free((char *)r->param.at[k].name);
            free((char *)r->param.at[k].declaration);
            free((char *)r->param.at[k].fortran);
            free((char *)r->param.at[k].shape);
        }
        EZ_VEC_FREE(&r->param);
        free(r->path);
        free(r->function);
        free(r->file);
        free(r->name);
        free(r->signature);
        free(r->result);
        free(r->inlined);
    }
    EZ_VEC_FREE(&l->routine);
    EZ_VEC_FREE(&l->wanted);
    ez_fragments_free(&l->made);
    EZ_VEC_FREE(&l->option);
    free(l->options);
    spec_files_free(&l->files);
}

static void load_found(const struct ez_sym *sym, void *arg)
{
    bool *own = arg;
    *own |= sym->kind != EZ_SYM_PLT && sym->kind != EZ_SYM_COLD;
}

/* A symbol that the program defines. It need not export it. */
static bool load_is_own(const char *name, void *arg)
{
    struct load *l = arg;
    struct ez_object *o = ez_target_object(l->s->target);
    bool own = false;
    if (o)
        ez_object_find_name(o, name, load_found, &own);
    return own;
}

/* ---- load -------------------------------------------------------------------------------------------- */

static enum ez_spec_counted load_counted(enum ez_spec_point p)
{
    return p == EZ_SPEC_EXIT                         ? EZ_SPEC_EXITS
           : p == EZ_SPEC_ABORT                      ? EZ_SPEC_ENDS
           : p == EZ_SPEC_ENTRY || p == EZ_SPEC_DECL ? EZ_SPEC_ENTRIES
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
            if (l->wanted.at[of->routine.at[k]].wanted)
                row[n++] = l->wanted.at[of->routine.at[k]].row;
        want[i] = (struct ez_spec_clause_want){ .text = ez_spec_show_where(c),
                                                .place = ez_sprintf("%s:%u", c->t->name,
                                                                    ez_src_line(c->t, c->at)),
                                                .why = of->why,
                                                .counted = load_counted(c->point),
                                                .routines = of->routine.n,
                                                .row = row,
                                                .n = n };
    }
}

static size_t load_wants(const struct load *l, struct ez_spec_want *want)
{
    size_t n = 0;
    for (size_t i = 0; i < l->wanted.n; i++) {
        const struct ez_fragment_routine *w = &l->wanted.at[i];
        const struct routine *r = &l->routine.at[i];
        if (w->wanted || w->why)
            want[n++] = (struct ez_spec_want){ .path = r->path,
                                               .vaddr = r->vaddr,
                                               .end = r->end,
                                               .function = r->function,
                                               .file = r->file,
                                               .line = w->r.begin_line,
                                               .row = w->row,
                                               .suspends = w->suspends,
                                               .aborts = w->aborts,
                                               .note = w->why ? NULL : r->inlined,
                                               .why = w->why };
    }
    return n;
}

static void load_note(const struct ez_spec_info *i, void *arg)
{
    *(struct ez_spec_info *)arg = *i; /* the last is the newest */
}

/* Files of whose routines nothing but the symbols is known. */
static void load_say_unknown(const struct load *l)
{
    const char *last = NULL;
    for (size_t i = 0; i < l->wanted.n; i++) {
        const char *path = l->routine.at[i].path;
        if (!l->wanted.at[i].known && (!last || strcmp(last, path)))
            out_line(l->s,
                     "%s has no debug information: its routines are its symbols, and their lines "
                     "are 0.",
                     last = path);
    }
}

static void load_say(struct load *l)
{
    struct ez_sess *s = l->s;
    load_say_unknown(l);
    struct ez_spec_info i = { .number = 0 };
    ez_specs(s->target, load_note, &i);
    out_line(s, "Specification %d: %u routine%s%s%s%s%s.", i.number, i.routines,
             i.routines == 1 ? "" : "s", i.planted ? sess_format(s, "; planted %u", i.planted) : "",
             i.pending ? sess_format(s, "; %u when the program runs", i.pending) : "",
             i.refused ? sess_format(s, "; left alone %u (\"info spec %d\" says why)", i.refused,
                                     i.number)
                       : "",
             l->made.cached ? "; compiled before" : "");
}

static ez_err *load_into(struct load *l, const char *name)
{
    EZ_FREE struct ez_spec_want *want = ez_alloc((l->wanted.n + 1) * sizeof *want);
    EZ_FREE struct ez_spec_clause_want *clause = ez_alloc((l->made.clause.n + 1) * sizeof *clause);
    load_clauses(l, clause);
    const struct ez_spec_object o = { .name = name,
                                      .path = l->made.object ? l->made.object : "",
                                      .rows = l->made.rows,
                                      .init = l->made.init,
                                      .want = want,
                                      .n = load_wants(l, want),
                                      .clause = clause,
                                      .nclauses = l->made.clause.n };
    int number;
    ez_err *e = ez_spec_load(l->s->target, &o, &number);
    for (size_t i = 0; i < l->made.clause.n; i++) {
        free((char *)clause[i].text);
        free((char *)clause[i].place);
        free((unsigned *)clause[i].row);
    }
    return e;
}

/* The options between blanks; a backslash takes what follows as it is. */
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
    EZ_TRY(ez_routines(s->target, opt_text(s, "-lib"), load_take, l));
    load_options(l, opt_text(s, "-cc"));
    l->made.spec = &l->files.spec;
    l->made.routine = l->wanted.at;
    l->made.n = l->wanted.n;
    l->made.is_own = load_is_own;
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

ez_err *cmd_spec_load(struct ez_sess *s, int argc, char **argv)
{
    struct load l = { .s = s };
    ez_err *e = load_all(&l, argc, argv);
    load_free(&l);
    return e;
}

static ez_err *load_number(const char *word, int *out)
{
    char *end;
    long n = strtol(word, &end, 10);
    if (*end || n < 1 || n > INT32_MAX)
        return ez_err_new(EZ_E_ARG, 0, "Bad specification number '%s'", word);
    *out = (int)n;
    return NULL;
}

ez_err *cmd_spec_delete(struct ez_sess *s, int argc, char **argv)
{
    for (int i = 1, number; i < argc; i++) {
        EZ_TRY(load_number(argv[i], &number));
        EZ_TRY(ez_spec_delete(s->target, number));
    }
    return NULL;
}

/* ---- looking ------------------------------------------------------------------------------------------- */

struct shown {
    struct ez_sess *s;
    struct out_table *table;
    int only, found; /* only: that one; 0 = all                                        */
    bool all;        /* routines, too, of which there is nothing to note               */
};

static void shown_spec(const struct ez_spec_info *i, void *arg)
{
    struct shown *w = arg;
    struct ez_sess *s = w->s;
    out_row(w->table, sess_format(s, "%d", i->number), i->name,
            i->there     ? "in the process"
            : i->problem ? "not loaded"
                         : "waits for a process",
            sess_format(s, "%u", i->routines), sess_format(s, "%u", i->planted),
            sess_format(s, "%u", i->pending), sess_format(s, "%u", i->refused + i->disabled),
            i->problem ? i->problem : i->path, NULL);
}

ez_err *cmd_spec_list(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    struct shown w = { .s = s, .table = &t };
    out_table_init(&t, s, ">Num", "File", "State", ">Routines", ">Planted", ">Pending",
                   ">Left alone", "~Object", NULL);
    out_table_keys(&t, "spec-list", "number# file state routines# planted# pending# left# object");
    ez_specs(s->target, shown_spec, &w);
    out_table_end(&t, "No specifications are loaded.");
    return NULL;
}

static void shown_clause(const struct ez_spec_clause_info *c, void *arg)
{
    struct shown *w = arg;
    struct ez_sess *s = w->s;
    out_row(w->table, c->place, sess_format(s, "%zu", c->routines),
            c->counted ? sess_format(s, "%llu", (unsigned long long)c->hits) : "", c->text,
            c->why         ? c->why
            : !c->routines ? "matches nothing"
                           : "",
            NULL);
}

static void shown_say(char **to, struct ez_sess *s, uint64_t n, const char *what)
{
    EZ_FREE char *was = n ? *to : NULL;
    if (n)
        *to = ez_sprintf("%s%s%llu %s", was, *was ? "; " : "", (unsigned long long)n, what);
}

static void shown_routine(const struct ez_spec_routine_info *r, void *arg)
{
    struct shown *w = arg;
    struct ez_sess *s = w->s;
    bool noted = r->note && !*r->reason && (w->all || !r->entries);
    char *more = ez_strdup(noted ? r->note : r->reason);
    bool planted = !strcmp(r->state, "planted") || !strcmp(r->state, "pending");
    shown_say(&more, s, r->nested, "called by fragments");
    shown_say(&more, s, r->recursed, "by its own fragment");
    shown_say(&more, s, r->no_room, "without room");
    shown_say(&more, s, r->without - EZ_MIN(r->without, r->nested + r->recursed + r->no_room),
              "without their code");
    shown_say(&more, s, r->unordered, "ended out of order");
    shown_say(&more, s, r->left, "left by exceptions or jumps");
    shown_say(&more, s, r->ends, r->ends == 1 ? "end of the program" : "ends of the program");
    if (w->all || *more || !planted)
        out_row(w->table, r->probe ? sess_format(s, "%d", r->probe) : "", r->function,
                r->line ? sess_format(s, "%s:%u", r->file, r->line) : r->file, r->state,
                sess_format(s, "%llu", (unsigned long long)r->entries),
                sess_format(s, "%llu", (unsigned long long)r->exits), more, NULL);
    free(more);
}

static void shown_clauses(struct ez_sess *s, int number)
{
    struct out_table t;
    struct shown w = { .s = s, .table = &t };
    out_table_init(&t, s, "Clause", ">Routines", ">Hits", "~Text", "~", NULL);
    out_table_keys(&t, "spec-clauses", "place routines# hits# text note");
    out_fact(&t, "number#", sess_format(s, "%d", number));
    ez_err_drop(ez_spec_clauses(s->target, number, shown_clause, &w));
    out_table_end(&t, "No clauses.");
}

static void shown_routines(struct ez_sess *s, int number, bool all)
{
    struct out_table t;
    struct shown w = { .s = s, .table = &t, .all = all };
    out_table_init(&t, s, ">Probe", "Routine", "Place", "State", ">Entries", ">Exits", "~", NULL);
    out_table_keys(&t, "spec-routines", "probe# routine place state entries# exits# note");
    out_fact(&t, "number#", sess_format(s, "%d", number));
    ez_err_drop(ez_spec_routines(s->target, number, shown_routine, &w));
    out_table_end(&t, all ? "No routines." : "");
}

/* For programs one table: clauses, or routines where these are asked for. */
static void shown_number(const struct ez_spec_info *i, void *arg)
{
    struct shown *w = arg;
    struct ez_sess *s = w->s;
    bool json = out_json_asked(s);
    if (w->only && w->only != i->number)
        return;
    w->found++;
    if (!json && w->found > 1)
        out_line(s, "%s", "");
    if (!json)
        out_line(s, "Specification %d, %s%s:", i->number, i->name,
                 i->there     ? ""
                 : i->problem ? sess_format(s, ", not loaded: %s", i->problem)
                              : ", for the next process");
    if (!json || !w->all)
        shown_clauses(s, i->number);
    if (!json || w->all)
        shown_routines(s, i->number, w->all);
}

ez_err *cmd_info_spec(struct ez_sess *s, int argc, char **argv)
{
    struct shown w = { .s = s, .all = opt_given(s, "-routines") };
    EZ_TRY(argc > 1 ? load_number(argv[1], &w.only) : NULL);
    ez_specs(s->target, shown_number, &w);
    if (!w.found && w.only)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No specification number %d.", w.only);
    if (!w.found)
        out_line(s, "No specifications are loaded.");
    return NULL;
}
