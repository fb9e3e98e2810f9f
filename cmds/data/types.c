/* SPDX-License-Identifier: GPL-3.0-or-later */
/* types.c - `ptype`, `whatis`, `info scope`.
 * Tests: tests/procs/classes.sh, tests/procs/gdb_lines.sh */
#include "engine/probe/types.h"

#include <string.h>

#include "cmds/cmd.h"
#include "cmds/data/values.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *types_say(struct ez_sess *s, const char *text, bool whole)
{
    char *type = NULL;
    EZ_TRY(ez_eval_type(values_of(s), text, whole, &type));
    const char *line = sess_format(s, "type = %s", type);
    free(type);
    while (*line) {
        size_t n = strcspn(line, "\n");
        out_line(s, "%.*s", (int)n, line);
        line += n + (line[n] == '\n');
    }
    return NULL;
}

static ez_err *cmd_ptype(struct ez_sess *s, int argc, char **argv)
{
    return types_say(s, argv[1], true);
}

const struct ez_cmd command_ptype = {
    .name = "ptype",
    .usage = "EXPR-or-TYPE",
    .brief = "Print the definition of a type.",
    .help = "The operand is a type, or an expression, which is not evaluated. Names are\n"
            "looked up in the function of the selected frame, then in the debug information\n"
            "of the program, then in that of its libraries.",
    .examples = "ptype struct band\n"
                "ptype *list->first",
    .see_also = "whatis, info scope, probe",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_ptype,
    .complete = comp_symbol,
};

static ez_err *cmd_whatis(struct ez_sess *s, int argc, char **argv)
{
    return types_say(s, argv[1], false);
}

const struct ez_cmd command_whatis = {
    .name = "whatis",
    .usage = "EXPR-or-TYPE",
    .brief = "Print the type of an expression.",
    .help = "whatis works as ptype, but does not print members. For the name of a typedef,\n"
            "whatis prints the type that the typedef names.",
    .examples = "whatis list->first\n"
                "whatis size_t",
    .see_also = "ptype, info scope",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_whatis,
    .complete = comp_symbol,
};

struct listing {
    struct ez_sess *s;
    const char *name;
    unsigned n;
    struct out_table t;   /* JSON rows */
    const char *function; /* function to list */
    const char *why;      /* why the variables are not known; NULL = the variables are known */
};

static void types_say_item(const struct ez_types_item *i, void *arg)
{
    struct listing *l = arg;
    const char *what = i->name ? sess_format(l->s, "Symbol %s", i->name) : "The result";
    bool variable = i->name && !strncmp(i->where, "in ", 3);
    l->n++;
    if (l->t.json) {
        out_row(&l->t, l->function, i->name ? i->name : "", i->type, i->where,
                out_cell_count(l->s, i->size), NULL);
        return;
    }
    out_line(l->s, "%s is %s%s, length %llu, type %s.", what, variable ? "a variable " : "",
             i->where, (unsigned long long)i->size, i->type);
}

static void types_list(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                       void *arg)
{
    struct listing *l = arg;
    const char *why = NULL;
    if (!sym || !m || !m->obj)
        return;
    unsigned before = l->n;
    l->function = ez_sym_pretty(sym);
    if (l->t.json) {
        ez_types_scope(m->obj, m->bias, sym, &why, types_say_item, l);
        l->why = why ? why : l->why;
        return;
    }
    out_line(l->s, "Scope for %s, at its first instruction:", ez_sym_pretty(sym));
    ez_types_scope(m->obj, m->bias, sym, &why, types_say_item, l);
    if (why)
        out_line(l->s, "Its parameters are not known: %s.", why);
    else if (l->n == before)
        out_line(l->s, "It has no parameters and no result.");
}

static ez_err *cmd_info_scope(struct ez_sess *s, int argc, char **argv)
{
    struct listing l = { .s = s, .name = argv[1] };
    out_table_json(&l.t, s, "scope", "function name type where bytes#");
    ez_err *e = ez_locate(s->target, argv[1], types_list, &l);
    out_fact(&l.t, "unknown_because", l.why ? l.why : "");
    out_table_json_end(&l.t, e);
    return e;
}

const struct ez_cmd command_info_scope = {
    .parent = "info",
    .name = "scope",
    .usage = "FUNC",
    .brief = "Show the parameters and the result of a function.",
    .help = "The command lists the parameters and the result, with their types, and where\n"
            "they are at the function's first instruction (a register or memory). In a clone\n"
            "that the optimizer made, some parameters may be optimized out.",
    .examples = "info scope compute",
    .see_also = "probe, ptype, info functions",
    OPERANDS(DATA, 1, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_scope,
    .complete = comp_symbol,
};
