/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locate.c - finds the addresses that a LOCATION names: func, lib:func, func@lib, file.c:func,
 * file.c:line, *ADDR (stap.c: USDT probes). If a function has several symbol versions, its name means the default
 * version, with which new programs are linked; func@VERSION means the given version.
 * Tests: tests/procs/lines.sh, tests/e2e/probes.ezt */
#include "engine/target.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/dwarf/dwarf.h"
#include "engine/dwarf/srcline.h"
#include "engine/inferior/modules.h"
#include "engine/probe/inlined.h"
#include "engine/probe/stap.h"

struct search {
    struct ez_target *t;
    const struct ez_module_info *mod;
    const char *name, *lib; /* lib NULL: any module */
    const char *version;    /* NULL: the default version */
    bool left_out;          /* find only the versions that the search without it omits */
    const char *source;     /* source file of the function; NULL: any */
    /* for FILE:LINE: the line number as text, and `name` is FILE; for other locations NULL */
    const char *digits;
    unsigned line; /* the line number; 0: `name` is a function */
    /* in_program: search the program, otherwise the libraries; in_part: `name` is the last part of
     * a qualified name (f of A::f) */
    bool in_program, in_part;
    bool exported; /* search only exported functions */
    size_t hits;
    /* a function was found, even if left_out prevented that fn was called for it */
    bool found;
    ez_err *no_line; /* error: the source file is known, but no function contains the line */
    ez_locate_fn *fn;
    ez_line_fn *each_line; /* used instead of fn */
    void *arg;
};

static bool locate_from_source(const struct search *q, const struct ez_sym *s)
{
    const char *file;
    unsigned line;
    return ez_srcline_at(q->mod->obj, s->vaddr, &file, &line) && ez_path_ends_in(file, q->source);
}

static void locate_note_default(const struct ez_sym *s, void *arg)
{
    *(bool *)arg |= !s->old && s->kind != EZ_SYM_PLT && s->kind != EZ_SYM_DATA;
}

static bool locate_of_version(const struct search *q, const struct ez_sym *s)
{
    bool newer = false;
    if (q->version)
        return s->version && !strcmp(s->version, q->version);
    if (s->old)
        ez_object_find_name(q->mod->obj, s->name, locate_note_default, &newer);
    return !newer;
}

static void locate_one_symbol(const struct ez_sym *s, void *arg)
{
    struct search *q = arg;
    if (s->kind == EZ_SYM_PLT || s->kind == EZ_SYM_DATA)
        return;
    if (s->kind == EZ_SYM_COLD && strcmp(s->name, q->name))
        return; /* the name of a .cold fragment demangles to its function's name */
    if ((q->exported && s->local) || (q->source && !locate_from_source(q, s)))
        return;
    bool meant = locate_of_version(q, s);
    q->found |= meant;
    if (meant == q->left_out || (q->left_out && q->version))
        return;
    q->hits++;
    q->fn(ez_addr_of(s->vaddr + q->mod->bias), s, q->mod, q->arg);
}

struct places {
    EZ_VEC(struct ez_line) line;
    size_t inlined;
};

static void locate_add_line(const struct ez_line *l, void *arg)
{
    struct places *p = arg;
    p->inlined += l->inlined != NULL;
    EZ_PUSH(&p->line, *l);
}

/* Reports the functions that contain the line FILE:LINE themselves, or if there are none, the
 * functions into which the line is inlined. With each_line, reports both. */
static void locate_by_line(struct search *q, const struct ez_module_info *m)
{
    struct places p = { 0 };
    ez_err *e = ez_srcline_find(m->obj, q->name, q->line, locate_add_line, &p);
    for (size_t i = 0; i < p.line.n; i++) {
        const struct ez_line *l = &p.line.at[i];
        if (q->each_line)
            q->each_line(l, m, q->arg);
        else if (!l->inlined || p.inlined == p.line.n)
            q->fn(ez_addr_of(l->in->vaddr + m->bias), l->in, m, q->arg);
        q->hits++;
    }
    EZ_VEC_FREE(&p.line);
    if (e && e->code == EZ_E_ARG && !q->no_line)
        q->no_line = e;
    else
        ez_err_free(e);
}

static void locate_one_module(const struct ez_module_info *m, void *arg)
{
    struct search *q = arg;
    if (!m->obj || (q->lib && !ez_path_is_library(ez_text(m->path), q->lib)) ||
        m->is_program != q->in_program)
        return;
    q->mod = m;
    if (q->line)
        locate_by_line(q, m);
    else if (q->in_part)
        ez_object_find_part(m->obj, q->name, locate_one_symbol, q);
    else
        ez_object_find_name(m->obj, q->name, locate_one_symbol, q);
}

static ez_err *locate_look(struct search *q, bool in_program, bool in_part)
{
    q->in_program = in_program;
    q->in_part = in_part;
    return ez_modules(q->t, locate_one_module, q);
}

/* Searches the program, then the libraries. If the program has a function of exactly this name,
 * libraries are not searched. If it has only functions whose qualified name ends in the name,
 * libraries are searched, too: `malloc` means libc's and the program's Pool::malloc. In that case
 * only exported functions of libraries count: with debug symbols, libc has a local function
 * `exchange`. Libraries' functions whose qualified name only ends in the name are used only if
 * nothing else was found, because many libraries have some read(). */
static ez_err *locate_search(struct search *q)
{
    bool parts = !q->line && !q->left_out;
    EZ_TRY(locate_look(q, true, false));
    bool exact = q->hits || q->found;
    if (parts)
        EZ_TRY(locate_look(q, true, true));
    if (exact)
        return NULL;
    q->exported = q->hits && !q->lib && !q->line;
    EZ_TRY(locate_look(q, false, false));
    q->exported = false;
    return q->hits || q->found || !parts ? NULL : locate_look(q, false, true);
}

static ez_err *locate_exact(struct search *q, const char *text)
{
    char *end;
    errno = 0;
    unsigned long at = strtoul(text, &end, 0);
    struct ez_module_info m;
    if (errno || end == text || *end)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Invalid address \"%s\"", text),
                           "Write for example *0x401136 or *4198710");
    const struct ez_sym *s = ez_symbolize(q->t, ez_addr_of(at), NULL, &m);
    if (!s)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No symbol contains address 0x%lx", at);
    q->fn(ez_addr_of(at), s, &m, q->arg);
    return NULL;
}

static bool locate_all_digits(const char *s)
{
    if (!*s)
        return false;
    while (isdigit((unsigned char)*s))
        s++;
    return !*s;
}

/* Returns true if text is FILE:LINE. Then stores both parts in q, and replaces the colon by a
 * NUL. */
static bool locate_is_line(struct search *q, char *text)
{
    char *colon = (char *)ez_location_colon(text);
    if (!colon || !locate_all_digits(colon + 1))
        return false;
    *colon = 0;
    q->name = text;
    q->digits = colon + 1;
    return true;
}

bool ez_location_is_line(const char *location)
{
    struct search q = { 0 };
    EZ_FREE char *copy = ez_strdup(location);
    return !ez_location_stap(location) && !ez_location_inlined(location) &&
           locate_is_line(&q, copy);
}

static ez_err *locate_search_line(struct search *q)
{
    EZ_TRY(ez_str_line(q->digits, &q->line));
    ez_err *e = locate_search(q);
    if (e || q->hits) {
        ez_err_free(q->no_line);
        return e;
    }
    return q->no_line ? q->no_line : ez_err_gdb(EZ_E_NOTFOUND, "No source file named %s.", q->name);
}

ez_err *ez_locate_line(struct ez_target *t, const char *location, ez_line_fn *fn, void *arg)
{
    struct search q = { .t = t, .each_line = fn, .arg = arg };
    EZ_FREE char *copy = ez_strdup(location);
    if (!locate_is_line(&q, copy))
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not of the form FILE:LINE", location);
    return locate_search_line(&q);
}

/* Returns true for a name like "libm.so.6". No source file has such a name, so the caller avoids a
 * search for one, which would read the debug information of all files with such a function. */
static bool locate_is_library(const char *text)
{
    const char *so = strstr(text, ".so");
    return so && (!so[3] || so[3] == '.');
}

/* Searches for a name of the form func, lib:func, file:func, func@lib, func@VERSION or
 * lib:func@VERSION. Sets q->name and q->lib to the parts that an error message prints. */
static ez_err *locate_by_name(struct search *q, char *text)
{
    char *colon = (char *)ez_location_colon(text), *at = strrchr(text, '@');
    q->name = colon ? colon + 1 : text;
    q->lib = colon ? text : NULL;
    if (colon)
        *colon = 0;
    if (at && (at == q->name || at < q->name || !at[1]))
        at = NULL;
    if (at)
        *at = 0;
    if (at && at[-1] == '@')
        at[-1] = 0; /* symbol tables contain func@@VERSION */
    if (at && !colon) {
        q->lib = at + 1;
        EZ_TRY(locate_search(q));
        if (q->found)
            return NULL;
        q->lib = NULL;
    }
    q->version = at ? at + 1 : NULL;
    EZ_TRY(locate_search(q));
    if (!q->found && colon && !locate_is_library(text)) {
        q->source = text;
        q->lib = NULL;
        EZ_TRY(locate_search(q));
    }
    q->lib = at ? at + 1 : colon ? text : NULL;
    return NULL;
}

/* Returns EZ_E_ARG if the function's name in the location has no letter, or is a number. (In
 * assembler and in Forth, names may begin with a digit.) */
ez_err *ez_location_check(const char *location)
{
    const char *colon = ez_location_colon(location), *name = colon ? colon + 1 : location;
    bool letter = false;
    char *behind;
    (void)strtoul(name, &behind, 0);
    if (ez_location_stap(location))
        return ez_stap_check(location);
    if (ez_location_inlined(location))
        return ez_location_check(ez_location_inlined(location));
    if (*location == '*' || ez_location_is_line(location))
        return NULL;
    for (const char *c = name; *c; c++)
        letter |= isalpha((unsigned char)*c) || *c == '_' || (unsigned char)*c >= 0x80;
    return letter && *behind
               ? NULL
               : ez_err_new(EZ_E_ARG, 0, "\"%s\" cannot be the name of a function", location);
}

static void locate_ignore(const struct ez_sym *s, void *arg)
{
    (void)s;
    (void)arg;
}

/* Returns true for a stripped Go program: it has Go's own table of function names, but no
 * symbols. */
static bool locate_is_bare_go(const struct ez_target *t)
{
    static const char *const table[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
    const struct ez_module *m = ez_module_program(t);
    const struct ez_object *o = m && m->obj ? m->obj : t->inf.prog_obj;
    uint64_t start, end;
    for (size_t i = 0; o && i < EZ_ARRAY_LEN(table); i++)
        if (ez_object_named(o, table[i], &start, &end))
            return !ez_object_find_name(o, "runtime.goexit.abi0", locate_ignore, NULL) &&
                   !ez_object_find_name(o, "runtime.goexit", locate_ignore, NULL);
    return false;
}

static ez_err *locate_stap(const struct search *q, char *location)
{
    struct ez_stap_search s = { .fn = q->fn, .arg = q->arg };
    ez_stap_search_begin(&s, location + (ez_location_stap(location) - location));
    EZ_TRY(ez_modules(q->t, ez_stap_in_module, &s));
    return ez_stap_search_end(&s);
}

static void locate_no_place(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                            void *arg)
{
    (void)addr, (void)sym, (void)m, (void)arg;
}

ez_err *ez_inlined_search(struct ez_target *t, const char *location, ez_locate_fn *fn, void *arg,
                          unsigned n[EZ_INLINED_COUNT])
{
    EZ_FREE char *text = ez_strdup(ez_location_inlined(location));
    char *colon = (char *)ez_location_colon(text);
    struct ez_inlined_search q = { .all = ez_location_inlined_all(location),
                                   .object = colon ? text : NULL,
                                   .name = colon ? colon + 1 : text,
                                   .fn = fn ? fn : locate_no_place,
                                   .arg = arg };
    unsigned all = 0;
    if (colon)
        *colon = 0;
    EZ_TRY(ez_modules(t, ez_inlined_in_module, &q));
    for (unsigned i = 0; i < EZ_INLINED_COUNT; i++) {
        n[i] = q.n[i];
        all += q.n[i];
    }
    return all ? NULL
               : ez_err_new(EZ_E_NOTFOUND, 0, "No inlined instance of \"%s\" in %s", q.name,
                            q.object ? q.object : "the program");
}

struct inlined_places {
    ez_locate_fn *fn;
    void *arg;
    unsigned n;
};

static void locate_note_inlined(ez_addr addr, const struct ez_sym *sym,
                                const struct ez_module_info *m, void *arg)
{
    struct inlined_places *p = arg;
    p->n++;
    p->fn(addr, sym, m, p->arg);
}

static ez_err *locate_inlined(struct ez_target *t, const char *location, ez_locate_fn *fn,
                              void *arg)
{
    struct inlined_places p = { .fn = fn, .arg = arg };
    unsigned n[EZ_INLINED_COUNT], all = 0, most = EZ_INLINED_NO_ENTRY;
    EZ_TRY(ez_inlined_search(t, location, locate_note_inlined, &p, n));
    for (unsigned i = EZ_INLINED_NO_ENTRY; i < EZ_INLINED_COUNT; i++) {
        all += n[i];
        most = n[i] > n[most] ? i : most;
    }
    return p.n ? NULL
               : ez_err_new(EZ_E_REFUSED, 0,
                            "The calls of the %u inlined instance%s cannot be counted: %s", all,
                            ez_plural(all), ez_inlined_text(most));
}

static ez_err *locate_nothing(const struct ez_target *t, const struct search *q)
{
    return ez_err_gdb(
        EZ_E_NOTFOUND, "Function \"%s\" not defined%s%s%s%s.", q->name, q->lib ? " in \"" : "",
        q->lib ? q->lib : "", q->lib ? "\"" : "",
        locate_is_bare_go(t)
            ? ": a stripped program of Go has names in .gopclntab alone, which is not "
              "read (build it without -ldflags=-s)"
            : "");
}

ez_err *ez_locate(struct ez_target *t, const char *location, ez_locate_fn *fn, void *arg)
{
    struct search q = { .t = t, .fn = fn, .arg = arg };
    EZ_FREE char *copy = ez_strdup(location);
    if (!t->inf.prog_obj && t->inf.state == EZ_NONE)
        return ez_err_gdb(EZ_E_STATE, "No symbol table is loaded.  Use the \"file\" command.");
    EZ_TRY(ez_location_check(location));
    if (ez_location_stap(location))
        return locate_stap(&q, copy);
    if (ez_location_inlined(location))
        return locate_inlined(t, location, fn, arg);
    if (*copy == '*')
        return locate_exact(&q, copy + 1);
    if (locate_is_line(&q, copy))
        return locate_search_line(&q);
    EZ_TRY(locate_by_name(&q, copy));
    if (q.hits)
        return NULL;
    return locate_nothing(t, &q);
}

ez_err *ez_locate_versions(struct ez_target *t, const char *location, ez_locate_fn *fn, void *arg)
{
    struct search q = { .t = t, .fn = fn, .arg = arg, .left_out = true };
    EZ_FREE char *copy = ez_strdup(location);
    bool named = *copy != '*' && !ez_location_stap(location) && !ez_location_inlined(location) &&
                 !locate_is_line(&q, copy);
    return named ? locate_by_name(&q, copy) : NULL;
}

struct inlined_in {
    const struct ez_object *obj;
    void (*fn)(const struct ez_sym *in, void *arg);
    void *arg;
};

static void locate_inlined_at(uint64_t into, void *arg)
{
    struct inlined_in *q = arg;
    const struct ez_sym *in = ez_object_find_addr(q->obj, into);
    if (in)
        q->fn(in, q->arg);
}

void ez_locate_inlined(struct ez_target *t, const char *name,
                       void (*fn)(const struct ez_sym *in, void *), void *arg)
{
    struct inlined_in q = { t->inf.prog_obj, fn, arg };
    const char *why;
    if (!t->inf.prog_obj || *name == '*' || ez_location_colon(name))
        return;
    struct ez_dwarf *d = ez_dwarf_of(t->inf.prog_obj, &why);
    if (d)
        ez_dwarf_inlined_named(d, name, locate_inlined_at, &q);
}
