/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_sym.c - `info functions|symbol|address|line|sharedlibrary`: names and locations.
 * Tests: tests/e2e/look.ezt, tests/procs/lines.sh */
#include <regex.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "cmds/data/values.h"
#include "cmds/data/x.h"
#include "engine/base/strutil.h"
#include "engine/dwarf/srcline.h"
#include "engine/move/move.h"
#include "engine/probe/types.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- info functions ---------------------------------------------------------------- */

struct list {
    struct ez_sess *s;
    const regex_t *re; /* pattern of the names; NULL = all */
    bool whole;        /* prints result and parameters */
    unsigned n;
    struct out_table t; /* JSON rows */
};

/* Returns the marks of a symbol: version, kind, "[local]"; "" for an exported function without a
 * version. */
static const char *sym_tags_of(struct ez_sess *s, const struct ez_sym *sym)
{
    static const char *const kind[] = {
        [EZ_SYM_FUNC] = "",      [EZ_SYM_IFUNC] = " [ifunc]", [EZ_SYM_COLD] = " [cold]",
        [EZ_SYM_PLT] = " [plt]", [EZ_SYM_DATA] = "",
    };
    return sess_format(s, "%s%s%s%s", sym->version ? "@" : "", sym->version ? sym->version : "",
                       kind[sym->kind], sym->local && sym->kind == EZ_SYM_FUNC ? " [local]" : "");
}

static void sym_row(struct list *l, const struct ez_module_info *m, const struct ez_sym *sym,
                    const char *name, const char *prototype)
{
    static const char *const kind[] = {
        [EZ_SYM_FUNC] = "function", [EZ_SYM_IFUNC] = "ifunc", [EZ_SYM_COLD] = "cold",
        [EZ_SYM_PLT] = "plt",       [EZ_SYM_DATA] = "data",
    };
    out_row(&l->t, out_addr16(l->s, sym->vaddr + m->bias), name, kind[sym->kind],
            sym->local ? "yes" : "no", sym->version ? sym->version : "", prototype ? prototype : "",
            m->path, m->is_program ? "yes" : "no", NULL);
}

static void sym_list_module(const struct ez_module_info *m, void *arg)
{
    struct list *l = arg;
    size_t n = 0, kept = l->s->kept.n;
    bool headed = false;
    const struct ez_sym *sym = m->obj ? ez_object_syms(m->obj, &n) : NULL;
    for (size_t i = 0; i < n && !l->s->out.quit_pager; i++) {
        const char *name = sym[i].kind == EZ_SYM_DATA ? NULL : ez_sym_pretty(&sym[i]);
        if (!name || (l->re && regexec(l->re, name, 0, NULL, 0)))
            continue;
        if (!headed && !l->t.json)
            out_line(l->s, "File %s:", m->path);
        headed = !l->t.json;
        l->n++;
        EZ_FREE char *whole = l->whole ? ez_types_prototype(m->obj, &sym[i]) : NULL;
        if (l->t.json)
            sym_row(l, m, &sym[i], name, whole);
        else
            out_line(l->s, "%s  %s  %s%s", out_addr16(l->s, sym[i].vaddr + m->bias),
                     m->is_program ? "program" : "library", whole ? whole : name,
                     sym_tags_of(l->s, &sym[i]));
        sess_forget(l->s, kept); /* the kept strings of a large library would be megabytes */
    }
    if (headed)
        out_line(l->s, "%s", "");
}

static ez_err *cmd_info_functions(struct ez_sess *s, int argc, char **argv)
{
    struct list l = { .s = s, .whole = opt_given(s, "-v") };
    regex_t re;
    const char *text = argc > 1 ? argv[1] : "";
    if (*text) {
        EZ_TRY(ez_str_regcomp(&re, text, 0));
        l.re = &re;
    }
    out_table_json(&l.t, s, "functions",
                   "address name kind local? version prototype file program?");
    if (l.t.json) {
        /* JSON has no heading */
    } else if (l.re) {
        out_line(s, "All functions matching regular expression \"%s\":", text);
    } else {
        out_line(s, "All defined functions:");
    }
    if (!s->run.json)
        out_line(s, "%s", "");
    ez_err *e = ez_modules(s->target, sym_list_module, &l);
    if (l.re)
        regfree(&re);
    out_table_json_end(&l.t, e);
    return e;
}

const struct ez_cmd command_info_functions = {
    .parent = "info",
    .name = "functions",
    .usage = "[REGEX]",
    .brief = "Show names and addresses of functions.",
    .help = "REGEX selects functions by name. The marks are:\n"
            "  program  in a file of the program itself\n"
            "  [local]  not exported (\"static\" in C)\n"
            "  [ifunc]  the code is chosen at load time\n"
            "  [plt]    a jump to a library\n"
            "  [cold]   a fragment of another function\n"
            "\n"
            "For a file without a symbol table, the command shows the functions of the\n"
            "unwind table as fde_ADDRESS (the address in the file), and main, whose address\n"
            "is in the start-up code.",
    .examples = "info functions ^compute\n"
                "info functions -v ^compute",
    .see_also = "info address, probe",
    OPERANDS(DATA, 0, 1),
    .min_abbrev = 1,
    OPTIONS({ .name = "-v",
              .meaning = "print result and parameters, where debug information or the table of\n"
                         "libc's functions has them: static int compute(int n, double *a)" },
            FOR_PROGRAMS),
    .flags = RAW,
    .fn = cmd_info_functions,
    .complete = comp_symbol,
};

/* ---- one symbol ------------------------------------------------------------------------ */

static ez_err *cmd_info_symbol(struct ez_sess *s, int argc, char **argv)
{
    ez_addr a;
    uint64_t off;
    struct ez_module_info m = { 0 };
    EZ_TRY(x_address(s, argv[1], &a.v));
    const struct ez_sym *sym = ez_symbolize_any(s->target, a, &off, &m);
    if (!sym)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No symbol matches %s", argv[1]);
    const char *section = ez_object_section_name(m.obj, a.v - m.bias);
    values_set_last(s, a.v);
    struct out_table t;
    out_table_json(&t, s, "symbol", "");
    out_fact(&t, "address", out_addr16(s, a.v));
    out_fact(&t, "name", ez_sym_pretty(sym));
    out_fact(&t, "offset#", out_cell_count(s, off));
    out_fact(&t, "section", section);
    out_fact(&t, "file", m.path);
    bool json = t.json;
    out_table_json_end(&t, NULL);
    if (json)
        return NULL;
    const char *plus = off ? sess_format(s, " + %llu", (unsigned long long)off) : "";
    bool of = !m.is_program ||
              ez_target_state(s->target) != EZ_NONE; /* gdb names the file if several are loaded */
    out_line(s, "%s%s in section %s%s%s", ez_sym_pretty(sym), plus, section, of ? " of " : "",
             of ? m.path : "");
    return NULL;
}

const struct ez_cmd command_info_symbol = {
    .parent = "info",
    .name = "symbol",
    .usage = "ADDR",
    .brief = "Show which symbol is at an address.",
    .help = "ADDR is an expression.",
    .examples = "info symbol $pc\n"
                "info symbol &list[3]",
    .see_also = "info address, info line",
    OPERANDS(DATA, 1, 1),
    OPTIONS(FOR_PROGRAMS),
    .flags = RAW,
    .fn = cmd_info_symbol,
};

struct where {
    struct ez_sess *s;
    const char *name;
    unsigned n;
    struct out_table t; /* JSON of info address, info line */
};

static void sym_say_where(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                          void *arg)
{
    struct where *w = arg;
    const char *file;
    unsigned line;
    w->n++;
    values_set_last(w->s, addr.v);
    bool known = m && m->obj && ez_srcline_at(m->obj, addr.v - m->bias, &file, &line);
    if (w->t.json)
        out_row(&w->t, w->name, out_addr16(w->s, addr.v), known ? file : "",
                known ? sess_format(w->s, "%u", line) : "", NULL);
    else if (known)
        out_line(w->s, "Symbol \"%s\" is a function at address %s (%s:%u).", w->name,
                 out_addr(w->s, addr.v), file, line);
    else
        out_line(w->s, "Symbol \"%s\" is at %s in a file compiled without debugging.", w->name,
                 out_addr(w->s, addr.v));
}

/* Prints where a variable of the debug information is. */
static ez_err *sym_value_where(struct where *w)
{
    struct ez_sess *s = w->s;
    struct ez_value v;
    uint64_t off;
    EZ_TRY(ez_eval(values_of(s), w->name, NULL, &v));
    uint64_t at = v.addr;
    bool memory = v.lval == EZ_L_MEMORY, none = v.lval == EZ_L_NONE && !v.gone;
    const char *reg = ez_value_register(&v);
    const char *text = none ? "constant" : reg ? sess_format(s, "a variable in $%s", reg) : NULL;
    ez_value_clear(&v);
    const struct ez_sym *sym =
        memory ? ez_symbolize_any(s->target, ez_addr_of(at), &off, NULL) : NULL;
    if (memory)
        text = sess_format(s, "%s at address %s", sym ? "static storage" : "a variable",
                           out_addr(s, at));
    if (memory)
        values_set_last(s, at);
    if (w->t.json)
        out_row(&w->t, w->name, memory ? out_addr16(s, at) : "", "", "", NULL);
    else
        out_line(s, "Symbol \"%s\" is %s.", w->name, text ? text : "optimized out");
    return NULL;
}

/* Prints where a variable is, of the debug information or of the symbol table. */
static ez_err *sym_variable_where(struct where *w)
{
    struct ez_sess *s = w->s;
    struct ez_macro macro;
    ez_addr a;
    bool is_macro = ez_eval_macro(values_of(s), w->name, &macro); /* a macro has no address */
    if (!is_macro && ez_err_drop(sym_value_where(w)))
        return NULL;
    EZ_TRY(parse_addr(s, w->name, &a));
    values_set_last(s, a.v);
    if (w->t.json)
        out_row(&w->t, w->name, out_addr16(s, a.v), "", "", NULL);
    else
        out_line(s, "Symbol \"%s\" is static storage at address %s.", w->name, out_addr(s, a.v));
    return NULL;
}

static ez_err *cmd_info_address(struct ez_sess *s, int argc, char **argv)
{
    struct where w = { .s = s, .name = argv[1] };
    out_table_json(&w.t, s, "address", "name address file line#");
    ez_err_drop(ez_locate(s->target, argv[1], sym_say_where, &w));
    ez_err *e = w.n ? NULL : sym_variable_where(&w);
    out_table_json_end(&w.t, e);
    return e;
}

const struct ez_cmd command_info_address = {
    .parent = "info",
    .name = "address",
    .usage = "SYM",
    .brief = "Show where a symbol is.",
    .examples = "info address main",
    .see_also = "info symbol, info line",
    OPERANDS(DATA, 1, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_address,
    .complete = comp_symbol,
};

static const char *sym_place_of(struct ez_sess *s, uint64_t addr)
{
    const char *name = out_sym(s, addr);
    return sess_format(s, "%s%s%s%s", out_addr(s, addr), *name ? " <" : "", name, *name ? ">" : "");
}

static void sym_say_line(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                         void *arg)
{
    struct where *w = arg;
    struct ez_sess *s = w->s;
    struct ez_code_line l;
    bool known = ez_code_line(s->target, addr.v, &l) && l.name;
    uint64_t at = known ? l.lo : addr.v;
    w->n++;
    x_set_next(s, at);
    if (w->t.json)
        out_row(&w->t, known ? l.name : "", known ? sess_format(s, "%u", l.line) : "",
                out_addr16(s, at), known ? out_addr16(s, l.hi) : "", out_sym(s, at), "", NULL);
    else if (known)
        out_line(s, "Line %u of \"%s\" starts at address %s and ends at %s.", l.line, l.name,
                 sym_place_of(s, at), sym_place_of(s, l.hi));
    else
        out_line(s,
                 at ? "No line number information available for address %s"
                    : "No line number information available.",
                 sym_place_of(s, at));
}

static void sym_say_code(const struct ez_line *l, const struct ez_module_info *m, void *arg)
{
    struct where *w = arg;
    struct ez_sess *s = w->s;
    const char *colon = strrchr(w->name, ':');
    unsigned long requested = strtoul(colon ? colon + 1 : "", NULL, 10);
    uint64_t lo = l->vaddr + m->bias, hi = l->end + m->bias;
    struct ez_code_line row;
    if (ez_code_line(s->target, lo, &row) && row.line == l->line)
        hi = row.hi;
    const char *at = sym_place_of(s, lo), *file = l->file;
    x_set_next(s, lo);
    if (w->t.json) {
        out_row(&w->t, file, sess_format(s, "%u", l->line), out_addr16(s, lo),
                hi > lo ? out_addr16(s, hi) : "", out_sym(s, lo), l->inlined ? l->inlined : "",
                NULL);
        return;
    }
    if (l->line != requested)
        out_line(s, "Line %lu of \"%s\" is at address %s but contains no code.", requested, file,
                 at);
    else if (hi > lo)
        out_line(s, "Line %lu of \"%s\" starts at address %s and ends at %s.", requested, file, at,
                 sym_place_of(s, hi));
    else
        out_line(s, "Line %lu of \"%s\" starts at address %s.", requested, file, at);
    if (l->inlined)
        out_line(s, "The line belongs to %s, inlined into %s.", l->inlined, ez_sym_pretty(l->in));
}

#define SYM_LINES 4096 /* maximum number of lines that are searched for a line with code */

/* Prints the code of FILE:LINE; if the line is outside of all functions, that of the next line with
 * code. */
static ez_err *sym_line_of_file(struct ez_sess *s, const char *location, struct where *w)
{
    ez_err *e = ez_locate_line(s->target, location, sym_say_code, w);
    const char *colon = strrchr(location, ':');
    if (!e || e->code != EZ_E_ARG || !colon)
        return e;
    ez_err_free(e);
    const int n = (int)(colon - location);
    unsigned long requested = strtoul(colon + 1, NULL, 10);
    for (unsigned long line = requested + 1; line < requested + SYM_LINES; line++) {
        EZ_FREE char *next = ez_sprintf("%.*s:%lu", n, location, line);
        if (ez_err_drop(ez_locate_line(s->target, next, sym_say_code, w)))
            return NULL;
        if (line > source_lines_of(location, n))
            break;
    }
    return ez_err_new(EZ_E_ARG, 0, "Line number %s is out of range for \"%.*s\"", colon + 1, n,
                      location);
}

static ez_err *sym_line(struct ez_sess *s, const char *location, struct where *w)
{
    ez_addr a;
    if (*location && !location[strspn(location, "0123456789")])
        w->name = location = source_location(s, location);
    if (*location && ez_location_is_line(location))
        return sym_line_of_file(s, location, w);
    if (*location && *location != '*')
        return ez_locate(s->target, location, sym_say_line, w);
    if (*location)
        EZ_TRY(parse_addr(s, location, &a));
    else if (source_last(s))
        return sym_line(s, sess_format(s, "%u", source_last(s)), w);
    else
        EZ_TRY(ez_pc(s->target, &a));
    struct ez_module_info m = { 0 };
    uint64_t off;
    const struct ez_sym *sym = ez_symbolize(s->target, a, &off, &m);
    sym_say_line(a, sym, sym ? &m : NULL, w);
    return NULL;
}

static ez_err *cmd_info_line(struct ez_sess *s, int argc, char **argv)
{
    struct where w = { .s = s, .name = argc > 1 ? argv[1] : "" };
    out_table_json(&w.t, s, "line", "file line# address end where inlined");
    ez_err *e = sym_line(s, w.name, &w);
    out_table_json_end(&w.t, e);
    return e;
}

const struct ez_cmd command_info_line = {
    .parent = "info",
    .name = "line",
    .usage = "[LOCATION]",
    .brief = "Show the source line of a function or an address.",
    .help = "LOCATION is a function, a line or *ADDRESS; the default is the last listed\n"
            "line, or the line at which the program is stopped. The command prints the\n"
            "addresses of the line. After it, \"x/i\" without ADDR shows the code of the line.",
    .examples = "info line main\n"
                "info line 20\n"
                "info line *0x401136",
    .see_also = "info symbol",
    OPERANDS(DATA, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_line,
    .complete = comp_symbol,
};

/* ---- info sharedlibrary ------------------------------------------------------------------ */

struct libraries {
    struct out_table t;
    unsigned n;
};

static void sym_list_library(const struct ez_module_info *m, void *arg)
{
    struct libraries *l = arg;
    if (m->is_program || *m->path == '[') /* the vDSO has no file */
        return;
    l->n++;
    out_row(&l->t, out_addr16(l->t.sess, m->lo), out_addr16(l->t.sess, m->hi),
            m->obj ? "Yes" : "No", m->path, NULL);
}

static ez_err *cmd_info_sharedlibrary(struct ez_sess *s, int argc, char **argv)
{
    struct libraries l = { .n = 0 };
    out_table_init(&l.t, s, "From", "To", "Syms Read", "Shared Object Library", NULL);
    out_table_keys(&l.t, "sharedlibrary", "from to symbols? path");
    ez_err *e = ez_modules(s->target, sym_list_library, &l);
    if (e)
        out_table_drop(&l.t);
    else
        out_table_end(&l.t, "No shared libraries loaded at this time.");
    return e;
}

const struct ez_cmd command_info_sharedlibrary = {
    .parent = "info",
    .name = "sharedlibrary",
    .usage = "",
    .brief = "Show the loaded libraries.",
    .examples = "info sharedlibrary",
    .see_also = "info mappings, info functions",
    OPERANDS(DATA, 0, 0),
    .min_abbrev = 2,
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_sharedlibrary,
};
