/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line.c - finds source lines, copies of instructions, and places of code for moves and breakpoints
 * (move.h).
 * Tests: tests/procs/moving.sh, tests/procs/inlined.sh */
#include <string.h>

#include "engine/base/hash.h"
#include "engine/dwarf/dwarf.h"
#include "engine/move/move_priv.h"

static struct ez_dwarf *line_dwarf(struct ez_target *t, uint64_t pc, struct ez_module_info *m)
{
    uint64_t off;
    const char *why;
    *m = (struct ez_module_info){ 0 };
    ez_symbolize(t, ez_addr_of(pc), &off, m);
    return m->obj ? ez_dwarf_of(m->obj, &why) : NULL;
}

bool ez_code_line(struct ez_target *t, uint64_t pc, struct ez_code_line *out)
{
    struct ez_module_info m;
    struct ez_dwarf_line l;
    struct ez_dwarf *d = line_dwarf(t, pc, &m);
    if (!d || !ez_dwarf_line(d, pc - m.bias, &l) || !l.line)
        return false;
    *out =
        (struct ez_code_line){ l.lo + m.bias, l.hi + m.bias, l.file, l.name, l.line, l.statement };
    return true;
}

bool ez_code_source(struct ez_target *t, uint64_t pc, const char **file, unsigned *line)
{
    struct ez_code_line l;
    if (!ez_code_line(t, pc, &l) || !l.name)
        return false;
    *file = l.name;
    *line = l.line;
    return true;
}

bool ez_code_unit(struct ez_target *t, uint64_t pc, struct ez_code_unit *out)
{
    struct ez_module_info m;
    struct ez_dwarf_unit u;
    struct ez_dwarf *d = line_dwarf(t, pc, &m);
    if (!d || !ez_dwarf_unit(d, pc - m.bias, &u))
        return false;
    *out = (struct ez_code_unit){ u.name, u.folder, u.language, u.producer, u.version, u.macros };
    return true;
}

void ez_code_inlined(struct ez_target *t, uint64_t func, void (*fn)(const char *into, void *arg),
                     void *arg)
{
    struct ez_module_info m;
    struct ez_dwarf *d = line_dwarf(t, func, &m);
    if (d)
        ez_dwarf_inlined_into(d, func - m.bias, fn, arg);
}

uint64_t move_function(struct ez_target *t, uint64_t pc, uint64_t *end)
{
    struct ez_module_info m = { 0 };
    uint64_t off;
    const struct ez_sym *s = ez_symbolize(t, ez_addr_of(pc), &off, &m);
    if (end)
        *end = s ? pc - off + EZ_MAX(s->size, (uint64_t)1) : 0;
    return s ? pc - off : 0;
}

bool move_is_resolver(struct ez_target *t, uint64_t at)
{
    struct ez_module_info m = { 0 };
    uint64_t off;
    const struct ez_sym *s = ez_symbolize(t, ez_addr_of(at), &off, &m);
    return s && !off && s->kind == EZ_SYM_IFUNC;
}

bool move_in_plt(struct ez_target *t, uint64_t pc, const char **name)
{
    struct ez_module_info m = { 0 };
    uint64_t off, lo, hi;
    const char *section = "";
    const struct ez_sym *s = ez_symbolize(t, ez_addr_of(pc), &off, &m);
    *name = s && s->kind == EZ_SYM_PLT ? s->name : NULL; /* the symbol's name has no "@plt" */
    return *name || (m.obj && ez_object_section(m.obj, pc - m.bias, &section, &lo, &hi) &&
                     !strncmp(section, ".plt", 4));
}

/* Returns whether the function begins with instructions that set up a frame. If it does, gdb
 * treats the instructions of the first row of the line table as the prologue (in gcc's code). */
static bool line_begins_frame(struct ez_target *t, uint64_t func)
{
    uint8_t code[16] = { 0 };
    size_t n = ez_read_original(t, func, code, sizeof code);
    return t->inf.arch->decode.begins_frame && t->inf.arch->decode.begins_frame(code, n);
}

uint64_t move_past_prologue(struct ez_target *t, uint64_t func)
{
    struct ez_module_info m;
    struct ez_code_line l;
    struct ez_dwarf *d = line_dwarf(t, func, &m);
    uint64_t end, prologue_end;
    if (!move_function(t, func, &end))
        return func;
    prologue_end = d ? ez_dwarf_prologue(d, func - m.bias, end - m.bias) : 0;
    if (prologue_end)
        return prologue_end + m.bias;
    return ez_code_line(t, func, &l) && l.hi < end && line_begins_frame(t, func) ? l.hi : func;
}

void move_copies(struct ez_target *t, uint64_t at, struct move_places *out)
{
    bool moved = false;
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        if (s->current < 0 || at <= s->addr || at >= s->addr + s->win.len)
            continue;
        const struct ez_variant *v = &s->variant.at[s->current];
        struct ez_reloc r;
        if (!ez_err_drop(
                t->inf.arch->codegen.relocate(s->win.bytes, s->win.len, s->addr, v->relocated, &r)))
            continue;
        for (size_t j = 0; j < r.n; j++)
            if (s->addr + r.from[j] == at) {
                EZ_PUSH(&out->at, v->relocated + r.to[j]);
                moved = true;
            }
    }
    if (!moved)
        EZ_PUSH(&out->at, at);
}

bool move_original(struct ez_move *m, uint64_t raw, uint64_t *at)
{
    uint64_t of;
    *at = raw;
    if (!ez_eval_own_code(m->v, raw, &of))
        return true;
    *at = of;
    return of != 0;
}

/* ---- LOCATION -------------------------------------------------------------------------------- */

struct places {
    struct ez_target *t;
    void (*fn)(uint64_t addr, void *arg);
    void *arg;
    uint64_t bias;
};

/* Returns the address after the prologue of the function that an IFUNC's resolver returned, or the
 * resolver if that function is not known. */
static uint64_t line_ifunc(struct ez_target *t, uint64_t resolver)
{
    uint64_t chosen = t->inf.state == EZ_NONE ? 0 : ez_ifunc_chosen(t, resolver);
    return chosen ? move_past_prologue(t, chosen) : resolver;
}

static void line_function(ez_addr at, const struct ez_sym *s, const struct ez_module_info *m,
                          void *arg)
{
    struct places *p = arg;
    if (s && s->kind == EZ_SYM_IFUNC)
        p->fn(line_ifunc(p->t, at.v), p->arg);
    else if (!s || s->kind != EZ_SYM_PLT)
        p->fn(move_past_prologue(p->t, at.v), p->arg);
}

/* State of the search for a library's function before the program runs, by its PLT entry in the
 * program's file. */
struct line_plt {
    struct places *places;
    const struct ez_module_info *module;
    size_t n;
};

static void line_keep_plt(const struct ez_sym *s, void *arg)
{
    struct line_plt *q = arg;
    if (s->kind != EZ_SYM_PLT)
        return;
    q->places->fn(s->vaddr + q->module->bias, q->places->arg);
    q->n++;
}

static void line_see_module(const struct ez_module_info *m, void *arg)
{
    struct line_plt *q = arg;
    q->module = m;
}

static bool line_has_plt(struct places *p, const char *name)
{
    struct line_plt q = { .places = p };
    EZ_FREE char *slot = ez_sprintf("%s@plt", name);
    ez_err_drop(ez_modules(p->t, line_see_module, &q));
    if (q.module && q.module->obj)
        ez_object_find_name(q.module->obj, slot, line_keep_plt, &q);
    return q.n;
}

static void line_line(const struct ez_line *l, const struct ez_module_info *m, void *arg)
{
    struct places *p = arg;
    uint64_t at = l->vaddr + m->bias;
    p->fn(move_function(p->t, at, NULL) == at ? move_past_prologue(p->t, at) : at, p->arg);
}

static void line_address(ez_addr at, const struct ez_sym *s, const struct ez_module_info *m,
                         void *arg)
{
    struct places *p = arg;
    p->fn(at.v, p->arg);
}

ez_err *ez_code_places(struct ez_target *t, const char *location,
                       void (*fn)(uint64_t addr, void *arg), void *arg)
{
    struct places p = { t, fn, arg, 0 };
    char *end;
    if (*location == '*') { /* *ADDR may be any instruction */
        uint64_t at = strtoull(location + 1, &end, 0);
        if (t->inf.state == EZ_NONE)
            return ez_err_hint(ez_err_new(EZ_E_STATE, 0,
                                          "Cannot use the address %s: the program is not running",
                                          location + 1),
                               "Use \"start\" first, or name a function or FILE:LINE");
        if (!*end && end > location + 1) {
            line_address(ez_addr_of(at), NULL, NULL, &p);
            return NULL;
        }
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not an address", location);
    }
    if (ez_location_stap(location))
        return ez_locate(t, location, line_address, &p);
    if (ez_location_is_line(location))
        return ez_locate_line(t, location, line_line, &p);
    ez_err *e = ez_locate(t, location, line_function, &p);
    if (e && e->code == EZ_E_NOTFOUND && t->inf.state == EZ_NONE && line_has_plt(&p, location))
        e = (ez_err_free(e), NULL);
    return e;
}
