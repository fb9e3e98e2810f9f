/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.c - loads the specifications that the user requests into each process (ezt_specs.h).
 *
 * The object file with a specification's fragments is loaded into each process like a module. Each
 * routine that is not skipped has a probe that only counts; its clause runs the routine's fragment
 * (engine/rt/rt_fragment.c). The object file has a table with a row (struct ezt_fragment) for each
 * routine. The probe is pending until the object file is loaded, because its clause needs the
 * address of the row. Before the probes are planted, the shell completes the rows: it sets the
 * addresses of the routine's code, and whether all registers must be saved around the fragment.
 *
 * Fragments contain the locations of arguments from the routine's debug information. So an object
 * file is valid only for the builds of the program and libraries for which it was compiled: if one
 * was rebuilt, the specification is not loaded.
 * Tests: tests/procs/spec.sh */
#include "engine/target.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf.h"
#include "engine/inferior/image.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/transact.h"

static const struct ez_module *spec_module(const struct ez_target *t, const char *path)
{
    const struct ez_module *m = ez_plugin_module(t, path);
    return m && m->obj ? m : NULL;
}

static struct ez_object *spec_object(const struct ez_target *t, const char *path)
{
    const struct ez_module *m = t->inf.state == EZ_NONE ? NULL : spec_module(t, path);
    return m ? m->obj : t->inf.prog_obj;
}

/* ---- routines -------------------------------------------------------------------------------- */

struct spec_walk {
    ez_routine_fn *fn;
    void *arg;
    const char *path;
};

static bool spec_pass(const struct ez_routine *r, void *arg)
{
    struct spec_walk *w = arg;
    return w->fn(r, w->path, w->arg);
}

ez_err *ez_routines(struct ez_target *t, const char *libraries, ez_routine_fn *fn, void *arg)
{
    struct spec_walk w = { .fn = fn, .arg = arg };
    if (t->inf.state == EZ_NONE && !t->inf.prog_obj)
        return ez_err_hint(ez_err_gdb(EZ_E_STATE, "No executable file specified."),
                           "Use the \"file\" command");
    if (t->inf.state != EZ_NONE)
        EZ_TRY(ez_modules_refresh(t));
    if (t->inf.state == EZ_NONE) {
        w.path = t->inf.program;
        ez_routines_of(t->inf.prog_obj, spec_pass, &w);
    }
    for (size_t i = 0; t->inf.state != EZ_NONE && i < t->inf.module.n; i++) {
        const struct ez_module *m = t->inf.module.at[i];
        w.path = m->path;
        if (m->obj &&
            (m->is_program || (libraries && !fnmatch(libraries, ez_base_name(m->path), 0))))
            ez_routines_of(m->obj, spec_pass, &w);
    }
    return NULL;
}

static void spec_found(const struct ez_sym *s, void *arg)
{
    if (s->kind == EZ_SYM_COLD)
        *(const struct ez_sym **)arg = s;
}

void ez_routine_calls(struct ez_target *t, const char *path, const struct ez_routine *r, bool lines,
                      void (*fn)(const struct ez_routine_call *, void *), void *arg)
{
    struct ez_object *obj = spec_object(t, path);
    EZ_FREE char *name = ez_sprintf("%s.cold", r->symbol);
    const struct ez_sym *cold = NULL;
    if (!obj)
        return;
    ez_routine_calls_of(obj, r->vaddr, r->end, lines, fn, arg);
    ez_object_find_name(obj, name, spec_found, &cold);
    if (cold)
        ez_routine_calls_of(obj, cold->vaddr, ez_sym_end(cold), lines, fn, arg);
}

struct spec_requested {
    const char *name;
    bool cxx, enums;
};

/* Sets the fields of *out that depend on type t. The declaration of a struct, or of an enum in C++,
 * does not determine the size, so out->size is set, too. symbol: size of the symbol in bytes, used
 * if the type has no size. */
static void spec_type(const struct ez_type *t, const struct spec_requested *a, uint64_t symbol,
                      struct ez_static_is *out)
{
    const struct ez_type *of = ez_type_strip(t);
    out->function = of->kind == EZ_TY_FUNC;
    out->declaration = ez_type_source(t, ez_name_last(a->name), a->cxx, a->enums);
    out->tag = ez_type_pointed(t, a->cxx, &out->pointed);
    while (of->kind == EZ_TY_ARRAY)
        of = ez_type_strip(of->to);
    const bool whole = out->declaration && of->kind != EZ_TY_STRUCT && of->kind != EZ_TY_UNION &&
                       (of->kind != EZ_TY_ENUM || !a->cxx);
    if (!out->function && of->kind != EZ_TY_REFERENCE && !whole)
        out->size = ez_type_strip(t)->size ? ez_type_strip(t)->size : symbol;
}

struct spec_symbol { /* searches for the symbol that import.c chooses */
    const struct ez_sym *best;
};

static void spec_symbol(const struct ez_sym *s, void *arg)
{
    struct spec_symbol *found = arg;
    if ((s->kind == EZ_SYM_FUNC || s->kind == EZ_SYM_DATA) &&
        (!found->best || (found->best->local && !s->local)))
        found->best = s;
}

/* Searches for a definition of the name in another source file of the program: by its symbol, and
 * by debug information with the symbol's address. */
static enum ez_static spec_other(struct ez_object *obj, struct ez_dwarf *d,
                                 const struct spec_requested *a, struct ez_static_is *out)
{
    struct ez_dwarf_symbol s;
    struct spec_symbol found = { .best = NULL };
    ez_object_find_name(obj, a->name, spec_symbol, &found);
    const struct ez_sym *sym = found.best;
    const bool reported = d && ez_dwarf_symbol(d, NULL, a->name, false, &s);
    if (!sym)
        return reported && (s.where.at == DWARF_AT_TLS ||
                            (s.where.at == DWARF_AT_NONE && s.where.value))
                   ? EZ_STATIC_NO_PLACE
                   : EZ_STATIC_NONE;
    out->vaddr = sym->vaddr;
    out->function = sym->kind == EZ_SYM_FUNC;
    /* a C++ symbol, which may have overloads */
    const bool mangled = strcmp(sym->name, a->name) != 0;
    if (reported && !(out->function && mangled) && s.where.at == DWARF_AT_ADDRESS &&
        s.where.value == sym->vaddr)
        spec_type(s.type, a, sym->size, out);
    else if (!out->function)
        out->size = sym->size;
    return EZ_STATIC_OTHER;
}

enum ez_static ez_spec_static(struct ez_target *t, const char *file, const char *name, bool cxx,
                              bool enums, struct ez_static_is *out)
{
    const struct spec_requested a = { name, cxx, enums };
    const char *why;
    struct ez_object *obj = t->inf.prog_obj;
    struct ez_dwarf *d = obj ? ez_dwarf_of(obj, &why) : NULL;
    struct ez_dwarf_symbol s;
    EZ_FREE char *full = ez_sprintf("%s\t%s", file, name);
    *out = (struct ez_static_is){ 0 };
    if (!d || !ez_dwarf_symbol(d, NULL, full, false, &s) ||
        (s.where.at == DWARF_AT_NONE && !s.where.value)) /* a declaration without a definition */
        return obj ? spec_other(obj, d, &a, out) : EZ_STATIC_NONE;
    if (s.where.at != DWARF_AT_ADDRESS)
        return EZ_STATIC_NO_PLACE;
    out->vaddr = s.where.value;
    spec_type(s.type, &a, 0, out);
    const bool mangled = s.linkage && strcmp(s.linkage, name) && strncmp(s.linkage, "_ZL", 3);
    return mangled ? EZ_STATIC_THERE : EZ_STATIC_PLAIN;
}

void ez_spec_returns(struct ez_target *t, const char *path, const struct ez_routine *r,
                     void (*fn)(uint64_t vaddr, unsigned line, void *arg), void *arg)
{
    struct ez_object *obj = spec_object(t, path);
    if (obj)
        ez_routine_returns(obj, r, fn, arg);
}

bool ez_spec_name(struct ez_target *t, const char *path, uint64_t vaddr, const char *name,
                  struct ez_routine_name *out)
{
    struct ez_object *obj = spec_object(t, path);
    if (!obj || !ez_routine_name(obj, vaddr, name, out))
        return false;
    /* import.c adds the program's load bias, so addresses in libraries are impossible */
    if (out->vaddr && obj != t->inf.prog_obj) {
        ez_routine_name_free(out);
        *out = (struct ez_routine_name){ .why = "is a variable of a library" };
    }
    return true;
}

/* ---- loading into the process ---------------------------------------------------------------- */

/* Returns true if the fragment's function at address run uses only general registers, and calls no
 * function. */
static bool spec_is_plain(struct ez_target *t, const struct ez_module *m, uint64_t run)
{
    const struct ez_sym *s = ez_object_find_addr(m->obj, run - m->bias);
    uint8_t code[4096];
    uint64_t end = s ? ez_sym_end(s) : 0, n = end - (run - m->bias);
    return s && s->vaddr == run - m->bias && n <= sizeof code &&
           ez_object_read_text(m->obj, s->vaddr, code, n) == n && t->inf.arch->decode.is_plain &&
           t->inf.arch->decode.is_plain(code, n, s->vaddr);
}

/* Sets *out to the module of the routine's file, or to NULL if the file is not mapped. EZ_E_STATE:
 * the file was rebuilt since the specification was loaded. */
static ez_err *spec_file(struct ez_target *t, const struct ez_loaded_routine *r,
                         const struct ez_module **out)
{
    *out = spec_module(t, r->path);
    if (*out && (*out)->obj != r->obj)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "%s was rebuilt since the specification was loaded", r->path),
            "Load the specification again");
    return NULL;
}

static ez_err *spec_fill(struct ez_target *t, const struct ez_loaded_spec *s,
                         const struct ez_module *m, struct ezt_fragment *row)
{
    for (size_t i = 0; i < s->routine.n; i++) {
        const struct ez_loaded_routine *r = &s->routine.at[i];
        const struct ez_module *home;
        EZ_TRY(spec_file(t, r, &home));
        if (!home || r->why)
            continue;
        struct ezt_fragment *f = &row[r->row];
        f->lo = r->vaddr + home->bias;
        f->hi = r->end + home->bias;
        f->off = 0;
        f->flags &= EZT_WHOLE;
        f->flags |= r->suspends ? EZT_SUSPENDS : 0;
        if (!spec_is_plain(t, m, (uint64_t)(uintptr_t)f->run))
            f->flags |= EZT_WHOLE;
    }
    return NULL;
}

/* Sets the address of the table of fragments, at, in the specification's probes on functions that
 * routines call at places with code. at 0: the process has ended. */
static void spec_callees_at(struct ez_target *t, const struct ez_loaded_spec *s, uint64_t at)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_fragment_request *f = &t->probes.probe.at[i]->spec.fragment;
        if (f->callee && f->spec == s->number)
            f->at = at;
    }
}

/* Completes the rows in the process, and stores the address of each row in the routine's probe. */
static ez_err *spec_connect(struct ez_target *t, struct ez_loaded_spec *s)
{
    uint32_t rows = 0;
    EZ_TRY(ez_modules_refresh(t));
    const struct ez_module *m = spec_module(t, s->path);
    uint64_t at = m ? ez_symbol_addr(t, m, "ez_fragments") : 0,
             n = m ? ez_symbol_addr(t, m, "ez_fragments_n") : 0;
    if (!at || !n || ez_mem_read_some(t, n, &rows, sizeof rows) != sizeof rows || rows != s->rows)
        return ez_err_new(EZ_E_FORMAT, 0, "%s is not an object file with fragments", s->path);
    const size_t bytes = rows * sizeof(struct ezt_fragment);
    EZ_FREE struct ezt_fragment *row = ez_alloc(bytes + 1);
    EZ_TRY(ez_mem_read(t, at, row, bytes));
    EZ_TRY(spec_fill(t, s, m, row));
    EZ_TRY(ez_import(t, m));
    EZ_TRY(ez_mem_write(t, at, row, bytes, "write the addresses of routines with fragments"));
    s->table = at;
    s->there = true;
    EZ_FREE struct ez_probe **p = ez_spec_probes(t, s);
    for (size_t i = 0; i < s->routine.n; i++)
        if (p[i])
            p[i]->spec.fragment.at = at + s->routine.at[i].row * sizeof *row;
    spec_callees_at(t, s, at);
    ez_drain_watch(t->tracing.drain);
    return NULL;
}

static ez_err *spec_bring(struct ez_target *t, struct ez_loaded_spec *s, enum ez_deliver when)
{
    ez_err *e = ez_modules_refresh(t);
    if (!e)
        e = ez_plugin_deliver(t, s->path, NULL, when);
    if (!e)
        e = spec_connect(t, s);
    free(s->refused);
    s->refused = e ? ez_strdup(e->msg) : NULL;
    return e;
}

/* Returns false if the main thread is at the first instruction of main. Then the init code need not
 * be called, because main's own fragment runs it. */
static bool spec_main_begun(struct ez_target *t)
{
    const struct ez_module *m = ez_module_program(t);
    const struct ez_thread *th = ez_thread_find(t, t->inf.pid);
    uint64_t at = m && m->obj ? ez_symbol_addr(t, m, "main") : 0;
    struct ez_regs *r;
    return !at || !th || !ez_err_drop(ez_thread_regs((struct ez_thread *)th, &r)) ||
           t->inf.arch->regs.pc(r) != at;
}

/* Calls the specification's init code in the process, if main has begun. Returns an error if no
 * thread is clean. */
static ez_err *spec_init(struct ez_target *t, const struct ez_loaded_spec *s)
{
    const struct ez_module *m = spec_module(t, s->path), *loader = ez_module_loader(t);
    uint64_t end = loader && loader->obj ? ez_symbol_addr(t, loader, "__libc_stack_end") : 0;
    uint64_t func = m ? ez_symbol_addr(t, m, "ez_fragment_init") : 0, arg[2] = { 0 }, result;
    struct ez_thread *th;
    if (!s->init || !func || !spec_main_begun(t))
        return NULL;
    if (end && ez_mem_read_some(t, end, &end, sizeof end) == sizeof end &&
        ez_mem_read_some(t, end, &arg[0], sizeof arg[0]) == sizeof arg[0])
        arg[1] = end + sizeof arg[0];
    EZ_TRY(ez_plugin_clean_thread(t, &th));
    if (!th)
        return ez_plugin_no_clean_thread();
    const struct ez_call call = { .func = func, .arg = arg, .n = 2, .others = true };
    return ez_inject_call(t, th, &call, &result, "run the init code of a specification");
}

static void spec_bring_all(struct ez_target *t, enum ez_deliver when)
{
    for (size_t i = 0; i < t->plugins.spec.n && t->inf.state == EZ_STOPPED; i++) {
        struct ez_loaded_spec *s = t->plugins.spec.at[i];
        ez_err *e = s->there ? NULL : spec_bring(t, s, when);
        if (!e && when != EZ_DELIVER_EARLY)
            e = spec_init(t, s);
        EZ_FREE char *why = e ? ez_err_text(e) : NULL;
        if (e)
            ez_post_note(t, "Specification %d is not loaded: %s", s->number, why);
        ez_err_free(e);
    }
}

void ez_specs_early(struct ez_target *t, enum ez_deliver when)
{
    spec_bring_all(t, when);
}

void ez_specs_attached(struct ez_target *t)
{
    spec_bring_all(t, EZ_DELIVER_RUNNING);
}

void ez_specs_forked(struct ez_target *t)
{
    for (size_t i = 0; i < t->plugins.spec.n; i++) {
        struct ez_loaded_spec *s = t->plugins.spec.at[i];
        ez_err *e = spec_module(t, s->path) ? ez_rt_fit(t) : NULL;
        if (!e && spec_module(t, s->path))
            e = spec_connect(t, s);
        if (e)
            ez_post_note(t, "Specification %d does nothing in the child: %s.", s->number, e->msg);
        ez_err_free(e);
    }
}

void ez_specs_process_ended(struct ez_target *t)
{
    ez_specs_recursed(t);
    for (size_t i = 0; i < t->plugins.spec.n; i++) {
        struct ez_loaded_spec *s = t->plugins.spec.at[i];
        s->there = false;
        s->table = 0;
        free(s->refused);
        s->refused = NULL;
        EZ_FREE struct ez_probe **p = ez_spec_probes(t, s);
        for (size_t k = 0; k < s->routine.n; k++) {
            if (p[k])
                p[k]->spec.fragment.at = 0;
            s->routine.at[k].reported = false;
        }
        spec_callees_at(t, s, 0);
    }
    while (t->plugins.disable.n) { /* probes that watch_disable() has not disabled yet */
        struct ez_probe *p = ez_probe_numbered(t, t->plugins.disable.at[--t->plugins.disable.n]);
        if (p) {
            p->user_disabled = true;
            p->state = EZ_PROBE_DISABLED;
        }
    }
    t->plugins.watched.n = 0;
}

/* ---- requests of the user -------------------------------------------------------------------- */

static void spec_free(struct ez_loaded_spec *s)
{
    for (size_t i = 0; i < s->routine.n; i++) {
        free(s->routine.at[i].path);
        free(s->routine.at[i].function);
        free(s->routine.at[i].file);
        free(s->routine.at[i].why);
        free(s->routine.at[i].note);
    }
    for (size_t i = 0; i < s->clause.n; i++) {
        free(s->clause.at[i].text);
        free(s->clause.at[i].place);
        free(s->clause.at[i].why);
        free(s->clause.at[i].note);
        EZ_VEC_FREE(&s->clause.at[i].row);
        EZ_VEC_FREE(&s->clause.at[i].inside);
    }
    for (size_t i = 0; i < s->callee.n; i++)
        free(s->callee.at[i].name);
    EZ_VEC_FREE(&s->callee);
    EZ_VEC_FREE(&s->routine);
    EZ_VEC_FREE(&s->clause);
    free(s->name);
    free(s->path);
    free(s->refused);
    free(s);
}

void ez_specs_free(struct ez_target *t)
{
    for (size_t i = 0; i < t->plugins.spec.n; i++)
        spec_free(t->plugins.spec.at[i]);
    EZ_VEC_FREE(&t->plugins.spec);
    EZ_VEC_FREE(&t->plugins.watched);
    EZ_VEC_FREE(&t->plugins.disable);
}

/* Adds a routine to s, and a pending probe for it, unless the routine is skipped (w->why). */
static void spec_want(struct ez_target *t, struct ez_loaded_spec *s, const struct ez_spec_want *w)
{
    const struct ez_probe_spec spec = {
        .kind = w->suspends ? EZ_PROBE_BOTH : EZ_PROBE_ENTRY,
        .location = w->function,
        .fragment = { .spec = s->number,
                      .routine = (unsigned)s->routine.n,
                      .aborts = w->aborts,
                      .places = w->places },
    };
    struct ez_probe *p = w->why ? NULL : ez_probe_new(t, &spec);
    struct ez_loaded_routine r = { .path = ez_strdup(w->path),
                                   .obj = spec_object(t, w->path),
                                   .vaddr = w->vaddr,
                                   .end = w->end,
                                   .function = ez_strdup(w->function),
                                   .file = ez_strdup(w->file),
                                   .line = w->line,
                                   .row = w->row,
                                   .suspends = w->suspends,
                                   .probe = p ? p->number : 0,
                                   .why = w->why ? ez_strdup(w->why) : NULL,
                                   .note = w->note ? ez_strdup(w->note) : NULL };
    EZ_PUSH(&s->routine, r);
    if (!p)
        return;
    p->object_path = ez_strdup(w->path);
    p->obj = r.obj;
    p->vaddr = w->vaddr;
    p->function = ez_strdup(w->function);
    p->library = ez_strdup(ez_base_name(w->path));
}

/* Adds a pending probe on a function that routines call, or if `when` is EZT_THERE on an
 * instruction inside a routine. If the function is also a routine, this probe is in addition to the
 * routine's. */
static void spec_want_callee(struct ez_target *t, struct ez_loaded_spec *s,
                             const struct ez_spec_callee_want *w, unsigned when)
{
    const struct ez_probe_spec spec = {
        .kind = when == EZT_BEHIND ? EZ_PROBE_EXIT : EZ_PROBE_ENTRY,
        .location = w->symbol,
        .fragment = { .spec = s->number, .callee = when },
    };
    struct ez_probe *p = ez_probe_new(t, &spec);
    EZ_PUSH(&s->callee, ((struct ez_loaded_callee){ ez_strdup(w->name), p->number, when }));
    if (!w->path)
        return;
    p->object_path = ez_strdup(w->path);
    p->obj = spec_object(t, w->path);
    p->vaddr = w->vaddr;
    p->function = ez_strdup(w->name);
    p->library = ez_strdup(ez_base_name(w->path));
}

int ez_spec_newest(const struct ez_target *t)
{
    return t->plugins.specs_made;
}

static struct ez_loaded_spec *spec_make(struct ez_target *t, const struct ez_spec_object *o)
{
    struct ez_loaded_spec *s = ez_alloc(sizeof *s);
    s->number = ++t->plugins.specs_made;
    s->name = ez_strdup(o->name);
    s->path = ez_strdup(o->path);
    s->rows = o->rows;
    s->init = o->init;
    for (size_t i = 0; i < o->n; i++)
        spec_want(t, s, &o->want[i]);
    for (size_t i = 0; i < o->ncallees; i++)
        if (o->callee[i].before || o->callee[i].there)
            spec_want_callee(t, s, &o->callee[i], o->callee[i].there ? EZT_THERE : EZT_BEFORE);
    for (size_t i = 0; i < o->ncallees; i++)
        if (o->callee[i].behind)
            spec_want_callee(t, s, &o->callee[i], EZT_BEHIND);
    for (size_t i = 0; i < o->nclauses; i++) {
        const struct ez_spec_clause_want *w = &o->clause[i];
        struct ez_loaded_clause c = { .text = ez_strdup(w->text),
                                      .place = ez_strdup(w->place),
                                      .why = w->why ? ez_strdup(w->why) : NULL,
                                      .note = w->note ? ez_strdup(w->note) : NULL,
                                      .counted = w->counted,
                                      .routines = w->routines };
        for (size_t k = 0; k < w->ninside; k++)
            EZ_PUSH(&c.inside, w->inside[k]);
        for (size_t k = 0; k < w->n; k++)
            EZ_PUSH(&c.row, w->row[k]);
        EZ_PUSH(&s->clause, c);
    }
    EZ_PUSH(&t->plugins.spec, s);
    return s;
}

static ez_err *spec_unwant(struct ez_target *t, const struct ez_loaded_spec *s)
{
    EZ_VEC(int) number = { 0 };
    for (size_t i = 0; i < s->routine.n; i++)
        EZ_PUSH(&number, s->routine.at[i].probe);
    for (size_t i = 0; i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->spec.fragment.callee &&
            t->probes.probe.at[i]->spec.fragment.spec == s->number)
            EZ_PUSH(&number, t->probes.probe.at[i]->number);
    ez_err *e = ez_plugin_probes_delete(t, number.at, number.n);
    EZ_VEC_FREE(&number);
    return e;
}

static void spec_forget(struct ez_target *t, struct ez_loaded_spec *s)
{
    size_t k = 0;
    for (size_t i = 0; i < t->plugins.spec.n; i++)
        if (t->plugins.spec.at[i] != s)
            t->plugins.spec.at[k++] = t->plugins.spec.at[i];
    t->plugins.spec.n = k;
    spec_free(s);
}

static ez_err *spec_bring_live(struct ez_target *t, void *what, enum ez_deliver when)
{
    EZ_TRY(spec_bring(t, what, when));
    return spec_init(t, what);
}

ez_err *ez_spec_load(struct ez_target *t, const struct ez_spec_object *o, int *number)
{
    EZ_TRY(ez_need_strategy());
    EZ_TRY(ez_hand_none(t));
    if (ez_transaction_open(t))
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0,
                       "Specifications cannot be loaded between \"begin\" and \"commit\""),
            "Type \"commit\" or \"rollback\" first");
    struct ez_loaded_spec *s = spec_make(t, o);
    *number = s->number;
    ez_err *e = ez_plugin_too_early(t) || !s->rows ? NULL : ez_plugin_now(t, spec_bring_live, s);
    if (!e)
        return ez_probes_watch(t);
    if (e->code == EZ_E_REFUSED)
        e = ez_err_wrap(e, "The specification is not loaded");
    if (t->inf.state != EZ_NONE)
        ez_err_drop(spec_unwant(t, s));
    spec_forget(t, s);
    t->plugins.specs_made--;
    return e;
}

ez_err *ez_spec_delete(struct ez_target *t, int number)
{
    struct ez_loaded_spec *s = NULL;
    EZ_TRY(ez_spec_numbered(t, number, &s));
    EZ_TRY(spec_unwant(t, s));
    spec_forget(t, s);
    return NULL;
}
