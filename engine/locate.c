/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locate.c - LOCATION -> addresses: func, lib:func, func@lib, file.c:line, *ADDR. */
#include "engine/target.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct search {
    struct ez_target *t;
    const struct ez_module_info *mod;
    const char *name, *lib; /* lib NULL = any */
    unsigned line;          /* name is a file then, when not 0 */
    bool only_program, only_libs;
    size_t hits;
    void (*fn)(ez_addr, const struct ez_sym *, const struct ez_module_info *, void *);
    void *arg;
};

/* "libm", "libm.so", "libm.so.6" and the full path all name /lib/.../libm.so.6. */
static bool lib_matches(const struct ez_module_info *m, const char *lib)
{
    const char *base = ez_base_name(m->path ? m->path : "");
    size_t n = strlen(lib);
    if (m->path && !strcmp(m->path, lib))
        return true;
    if (strncmp(base, lib, n))
        return false;
    return !base[n] || base[n] == '.' || base[n] == '-';
}

static void one_symbol(const struct ez_sym *s, void *arg)
{
    struct search *q = arg;
    if (s->kind == EZ_SYM_PLT || s->kind == EZ_SYM_DATA)
        return;
    if (s->kind == EZ_SYM_COLD && strcmp(s->name, q->name))
        return; /* demangled, a fragment has its function's name */
    q->hits++;
    q->fn(ez_addr_of(s->vaddr + q->mod->bias), s, q->mod, q->arg);
}

static void by_line(struct search *q, const struct ez_module_info *m)
{
    uint64_t vaddr;
    if (!ez_err_drop(ez_object_find_line(m->obj, q->name, q->line, &vaddr)))
        return;
    q->hits++;
    q->fn(ez_addr_of(vaddr + m->bias), ez_object_find_addr(m->obj, vaddr), m, q->arg);
}

static void one_module(const struct ez_module_info *m, void *arg)
{
    struct search *q = arg;
    if (!m->obj || (q->lib && !lib_matches(m, q->lib)) || (q->only_program && !m->is_program) ||
        (q->only_libs && m->is_program))
        return;
    q->mod = m;
    if (q->line)
        by_line(q, m);
    else
        ez_object_find_name(m->obj, q->name, one_symbol, q);
}

static ez_err *search(struct search *q)
{
    q->only_program = true;
    EZ_TRY(ez_modules(q->t, one_module, q));
    if (q->hits)
        return NULL;
    q->only_program = false;
    q->only_libs = true;
    return ez_modules(q->t, one_module, q);
}

static ez_err *exact(struct search *q, const char *text)
{
    char *end;
    errno = 0;
    unsigned long at = strtoul(text, &end, 0);
    struct ez_module_info m;
    if (errno || end == text || *end)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Invalid address \"%s\".", text),
                           "write *0x401136 or *4198710");
    const struct ez_sym *s = ez_symbolize(q->t, ez_addr_of(at), NULL, &m);
    if (!s)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No symbol contains address 0x%lx.", at);
    q->fn(ez_addr_of(at), s, &m, q->arg);
    return NULL;
}

/* The separator of lib:func: a colon that is not part of "::". */
static const char *single_colon(const char *s)
{
    for (const char *p = s; (p = strchr(p, ':')); p += 2)
        if (p[1] != ':')
            return strchr(s, '(') && strchr(s, '(') < p ? NULL : p;
    return NULL;
}

static bool all_digits(const char *s)
{
    if (!*s)
        return false;
    while (isdigit((unsigned char)*s))
        s++;
    return !*s;
}

ez_err *ez_locate(struct ez_target *t, const char *location,
                  void (*fn)(ez_addr, const struct ez_sym *, const struct ez_module_info *, void *),
                  void *arg)
{
    struct search q = { .t = t, .fn = fn, .arg = arg };
    EZ_FREE char *copy = ez_strdup(location);
    char *colon = (char *)single_colon(copy), *at = strrchr(copy, '@');
    if (!t->prog_obj && t->state == EZ_NONE)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No symbol table is loaded."),
                           "use the \"file\" command");
    if (*copy == '*')
        return exact(&q, copy + 1);
    q.name = copy;
    if (colon && all_digits(colon + 1)) {
        *colon = 0;
        q.line = (unsigned)strtoul(colon + 1, NULL, 10);
    } else if (colon) {
        *colon = 0;
        q.lib = copy;
        q.name = colon + 1;
    } else if (at && at[1] && at != copy) {
        *at = 0;
        q.lib = at + 1;
    }
    EZ_TRY(search(&q));
    if (q.hits)
        return NULL;
    if (q.line)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No function starts at line %u of \"%s\".", q.line,
                          q.name);
    return ez_err_new(EZ_E_NOTFOUND, 0, "Function \"%s\" not defined%s%s%s.", q.name,
                      q.lib ? " in \"" : "", q.lib ? q.lib : "", q.lib ? "\"" : "");
}
