/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tracepoint.c - gdb's commands for tracepoints: `tp`, `ftrace`, `actions`, `tvariable`, `info
 * tracepoints`, `save tracepoints`. A tracepoint is an entry probe that records between tstart and
 * tstop (tfind.c).
 * Tests: tests/procs/tracepoints.sh */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/probe/probe_spec.h"
#include "cmds/probe/tracepoint.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct tpoint_variable {
    char *name; /* the name, with the $ */
    int64_t value;
};

struct tpoint_state {
    EZ_VEC(struct tpoint_variable) variable;
    int actions; /* number of the tracepoint whose actions are being typed; 0 = none */
};

static void tpoint_free(void *state)
{
    struct tpoint_state *t = state;
    for (size_t i = 0; i < t->variable.n; i++)
        free(t->variable.at[i].name);
    EZ_VEC_FREE(&t->variable);
}

static struct tpoint_state *tpoint_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct tpoint_state), tpoint_free };
    return sess_state(s, &kind);
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Returns the text of a tracepoint with trace state variables replaced by their values, and gdb's
 * $_ret by $caller, the return address. */
static const char *tpoint_text(struct ez_sess *s, const char *text)
{
    const struct tpoint_state *own = tpoint_state(s);
    const char *out = "";
    while (*text) {
        size_t plain = strcspn(text, "$"), n = 0;
        out = sess_format(s, "%s%.*s", out, (int)plain, text);
        text += plain;
        if (!*text)
            break;
        for (n = 1; isalnum((unsigned char)text[n]) || text[n] == '_';)
            n++;
        const char *name = sess_format(s, "%.*s", (int)n, text), *is = name;
        for (size_t i = 0; i < own->variable.n; i++)
            if (!strcmp(own->variable.at[i].name, name))
                is = sess_format(s, "%lld", (long long)own->variable.at[i].value);
        out = sess_format(s, "%s%s", out, strcmp(is, "$_ret") ? is : "$caller");
        text += n;
    }
    return out;
}

/* The command tvariable $NAME [= EXPR]. */
static ez_err *cmd_tvariable(struct ez_sess *s, int argc, char **argv)
{
    static const char *const used[] = { "$args",  "$regs",   "$ret",  "$fret", "$caller",
                                        "$stack", "$thread", "$_ret", "$_",    NULL };
    struct tpoint_state *own = tpoint_state(s);
    const char *p = argv[1];
    size_t n = 1;
    uint64_t value = 0;
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
        n++;
    const char *name = sess_format(s, "%.*s", (int)n, p), *rest = lex_skip_blanks(p + n);
    if (*p != '$' || n < 2 || isdigit((unsigned char)p[1]))
        return ez_err_new(EZ_E_ARG, 0, "Name of trace variable should start with `$'");
    for (size_t i = 0; used[i]; i++)
        if (!strcmp(used[i], name) || !strncmp(name, "$arg", 4) || !strncmp(name, "$farg", 5))
            return ez_err_new(EZ_E_ARG, 0,
                              "%s cannot be a trace state variable: eztsh itself uses the name",
                              name);
    if (*rest && *rest != '=')
        return ez_err_gdb(EZ_E_ARG, "Syntax must be $NAME [ = EXPR ]");
    if (*rest)
        EZ_TRY(parse_value(s, lex_skip_blanks(rest + 1), &value));
    size_t i = 0;
    while (i < own->variable.n && strcmp(own->variable.at[i].name, name))
        i++;
    bool is_new = i == own->variable.n;
    if (is_new)
        EZ_PUSH(&own->variable, ((struct tpoint_variable){ .name = ez_strdup(name) }));
    own->variable.at[i].value = (int64_t)value;
    out_line(s,
             is_new ? "Trace state variable %s created, with initial value %lld."
                    : "Trace state variable %s now has initial value %lld.",
             name, (long long)value);
    return NULL;
}

/* ---- making tracepoints --------------------------------------------------------------------- */

bool tracepoint_is_file(const char *word)
{
    struct stat st;
    size_t n = strlen(word);
    /* A mistyped file name must be an error, not a tracepoint on a function of that name. */
    return strchr(word, '/') || (n > 4 && !strcmp(word + n - 4, ".fxt")) ||
           (!stat(word, &st) && S_ISREG(st.st_mode));
}

/* The command tp LOCATION [if EXPR]. */
ez_err *cmd_tp(struct ez_sess *s, int argc, char **argv)
{
    const char *cond = "";
    if (*s->run.tail && strncmp(s->run.tail, "if", 2))
        return opt_misuse(s);
    if (*s->run.tail)
        cond = lex_skip_blanks(s->run.tail + 2);
    if (*s->run.tail && !*cond)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (a condition behind \"if\")");
    return probe_tracepoint(s, probe_spec_location(s, argv[1]), tpoint_text(s, cond));
}

/* ---- actions -------------------------------------------------------------------------------- */

struct tpoint_find {
    int number, newest;
    struct ez_probe_info found;
};

static void tpoint_look(const struct ez_probe_info *p, void *arg)
{
    struct tpoint_find *q = arg;
    if (!p->spec->tracepoint)
        return;
    if (p->number == q->number)
        q->found = *p;
    q->newest = EZ_MAX(q->newest, p->number);
}

bool tracepoint_is(struct ez_sess *s, int number)
{
    struct tpoint_find q = { .number = number };
    ez_probes(s->target, tpoint_look, &q);
    return q.found.number != 0;
}

static ez_err *tpoint_add_items(struct ez_sess *s, const char *more)
{
    int number = tpoint_state(s)->actions;
    struct tpoint_find q = { .number = number };
    ez_probes(s->target, tpoint_look, &q);
    if (!q.found.number)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No tracepoint number %d", number);
    const char *all =
        q.found.spec->collect ? sess_format(s, "%s, %s", q.found.spec->collect, more) : more;
    return ez_probe_collect_items(s->target, number, all);
}

static bool tpoint_begins(const char *line, size_t n, const char *word, size_t least)
{
    return n >= least && n <= strlen(word) && !strncmp(line, word, n);
}

/* Handles one line between `actions` and `end`. Each line takes effect at once, so a wrong line
 * does not undo the lines before it. */
static ez_err *tpoint_action(struct ez_sess *s, const char *line)
{
    const char *p = lex_skip_blanks(line);
    size_t n = strcspn(p, " \t/");
    const char *items = p + n;
    if (!*p || *p == '#')
        return NULL;
    if (n == 3 && !strncmp(p, "end", 3) && !*lex_skip_blanks(items)) {
        s->run.block = NULL;
        return NULL;
    }
    if (tpoint_begins(p, n, "teval", 2) || tpoint_begins(p, n, "stepping", 5) ||
        tpoint_begins(p, n, "while-stepping", 2) || (n == 2 && !strncmp(p, "ws", 2)))
        return ez_err_new(EZ_E_ARG, 0, "\"%.*s\" is not possible: a tracepoint only collects",
                          (int)n, p);
    if (!tpoint_begins(p, n, "collect", 1))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "\"%.*s\" is not a tracepoint action", (int)n, p),
            "Write \"collect ITEM, ...\" or \"end\"");
    if (*items == '/') /* /s of gdb's collect/s: strings are always collected */
        items += strcspn(items, " \t");
    items = lex_skip_blanks(items);
    if (!*items)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (items to collect)");
    if (strstr(items, "$locals"))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "Locals have no value at a function's first instruction"),
            "Collect $args, $regs or expressions");
    return tpoint_add_items(s, tpoint_text(s, items));
}

/* The command actions [N]. */
static ez_err *cmd_actions(struct ez_sess *s, int argc, char **argv)
{
    struct tpoint_find q = { .number = 0 };
    uint64_t n = 0;
    if (argc > 1)
        EZ_TRY(parse_count(argv[1], "a tracepoint", &n));
    q.number = n > INT32_MAX ? 0 : (int)n;
    ez_probes(s->target, tpoint_look, &q);
    if (argc < 2)
        n = (uint64_t)q.newest;
    if (argc < 2 && !n)
        return ez_err_new(EZ_E_STATE, 0, "No tracepoints");
    if (argc > 1 && !q.found.number)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No tracepoint number %llu", (unsigned long long)n);
    EZ_TRY(ez_probe_collect_items(s->target, (int)n, ""));
    if (!s->run.depth) {
        out_line(s, "Enter actions for tracepoint %d, one per line.", (int)n);
        out_line(s, "End with a line saying just \"end\".");
    }
    tpoint_state(s)->actions = (int)n;
    s->run.block = tpoint_action;
    return NULL;
}

/* Reports `collect` outside of actions. */
static ez_err *cmd_collect(struct ez_sess *s, int argc, char **argv)
{
    return ez_err_hint(
        ez_err_new(EZ_E_STATE, 0, "\"collect\" belongs to the actions of a tracepoint"),
        "Type \"actions [N]\" first; a probe collects by \"probe FUNC collect ITEM\"");
}

/* ---- listing, saving ------------------------------------------------------------------------ */

struct tpoint_list {
    struct ez_sess *s;
    unsigned n;
    struct out_table t; /* JSON rows */
};

static void tpoint_row(struct tpoint_list *q, const struct ez_probe_info *p)
{
    struct ez_sess *s = q->s;
    const char *file = "";
    unsigned line = 0;
    if (p->addr)
        ez_probe_line(s->target, p->number, &file, &line);
    out_row(&q->t, sess_format(s, "%d", p->number),
            p->state == EZ_PROBE_DISABLED || p->state == EZ_PROBE_REFUSED ? "no" : "yes",
            p->state == EZ_PROBE_ARMED ? "yes" : "no", p->addr ? out_addr16(s, p->addr) : "",
            p->function, file ? file : "", line ? sess_format(s, "%u", line) : "",
            p->spec->location, ez_text(p->spec->cond), out_cell_count(s, p->entries),
            out_cell_count(s, p->spec->filter.passcount), ez_text(p->spec->collect), NULL);
}

static void tpoint_print(const struct ez_probe_info *p, void *arg)
{
    struct tpoint_list *q = arg;
    struct ez_sess *s = q->s;
    const char *file,
        *where = *p->function ? sess_format(s, "in %s", p->function) : p->spec->location;
    unsigned line;
    if (!p->spec->tracepoint)
        return;
    if (q->t.json) {
        tpoint_row(q, p);
        return;
    }
    if (!q->n++)
        out_line(s, "Num     Type           Disp Enb Address            What");
    if (p->addr && ez_probe_line(s->target, p->number, &file, &line))
        where = sess_format(s, "%s at %s:%u", where, file, line);
    out_line(s, "%-7d tracepoint     keep %-3s %s %s", p->number,
             p->state == EZ_PROBE_DISABLED || p->state == EZ_PROBE_REFUSED ? "n" : "y",
             p->addr ? out_addr16(s, p->addr) : "<PENDING>         ", where);
    if (p->spec->cond)
        out_line(s, "\ttrace only if %s", p->spec->cond);
    if (p->entries)
        out_line(s, "\ttracepoint already hit %llu time%s", (unsigned long long)p->entries,
                 ez_plural(p->entries));
    if (p->spec->filter.passcount)
        out_line(s, "\tpass count %llu", (unsigned long long)p->spec->filter.passcount);
    if (p->spec->collect)
        out_ours(s, "        collect %s", p->spec->collect);
    out_line(s, "\t%s",
             p->state == EZ_PROBE_ARMED ? "installed on target" : "not installed on target");
}

static ez_err *cmd_info_tracepoints(struct ez_sess *s, int argc, char **argv)
{
    struct tpoint_list q = { .s = s };
    out_table_json(&q.t, s, "tracepoints",
                   "number# enabled? installed? address function file line# location condition "
                   "hits# passcount# collect");
    ez_probes(s->target, tpoint_print, &q);
    if (!q.n && !q.t.json)
        out_line(s, "No tracepoints.");
    out_table_json_end(&q.t, NULL);
    return NULL;
}

static ez_err *cmd_info_tvariables(struct ez_sess *s, int argc, char **argv)
{
    const struct tpoint_state *own = tpoint_state(s);
    struct out_table t;
    out_table_json(&t, s, "tvariables", "name initial#");
    if (!own->variable.n && !t.json)
        out_line(s, "No trace state variables.");
    for (size_t i = 0; i < own->variable.n; i++) {
        const char *name = own->variable.at[i].name;
        long long initial = (long long)own->variable.at[i].value;
        if (t.json)
            out_row(&t, name, sess_format(s, "%lld", initial), NULL);
        else
            out_line(s, "%-16s Initial %lld", name, initial);
    }
    out_table_json_end(&t, NULL);
    return NULL;
}

struct tpoint_save {
    struct ez_sess *s;
    struct ez_outfile *f;
    unsigned n;
};

static void tpoint_save_one(const struct ez_probe_info *p, void *arg)
{
    struct tpoint_save *q = arg;
    if (!p->spec->tracepoint)
        return;
    q->n++;
    ez_outfile_puts(q->f, probe_spec_commands(q->s, p->spec));
}

static ez_err *cmd_save_tracepoints(struct ez_sess *s, int argc, char **argv)
{
    const struct tpoint_state *own = tpoint_state(s);
    struct tpoint_save q = { .s = s };
    const char *path = parse_path(s, argv[1]);
    EZ_TRY(ez_outfile_open(path, false, &q.f));
    for (size_t i = 0; i < own->variable.n; i++)
        ez_outfile_printf(q.f, "tvariable %s = %lld\n", own->variable.at[i].name,
                          (long long)own->variable.at[i].value);
    ez_probes(s->target, tpoint_save_one, &q);
    ez_err *e = q.n || own->variable.n ? ez_outfile_commit(q.f)
                                       : ez_err_new(EZ_E_STATE, 0, "Nothing to save");
    ez_outfile_destroy(q.f);
    if (!e)
        out_line(s, "Saved to file '%s'.", path);
    return e;
}

const char help_tracepoint[] =
    "A tracepoint is an entry probe that records between tstart and tstop, as in\n"
    "gdb. \"tp LOCATION\" and \"trace LOCATION\" set a tracepoint. \"actions N\" sets what\n"
    "tracepoint N collects. tfind selects a recorded hit (a trace frame), and tdump\n"
    "prints the selected one.";

const struct ez_cmd command_save_tracepoints = {
    .parent = "save",
    .name = "tracepoints",
    .alias = "tp",
    .usage = "FILE",
    .brief = "Write tracepoints as commands to FILE.",
    .help = help_tracepoint,
    .examples = "save tracepoints tp.ezt\n"
                "source tp.ezt",
    .see_also = "actions, condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 1, 1),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_save_tracepoints,
    .complete = comp_file,
};

const struct ez_cmd command_info_tracepoints = {
    .parent = "info",
    .name = "tracepoints",
    .alias = "tp",
    .usage = "",
    .brief = "Show the tracepoints, their actions and hits.",
    .help = help_tracepoint,
    .examples = "info tracepoints",
    .see_also = "actions, condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_tracepoints,
};

const struct ez_cmd command_info_tvariables = {
    .parent = "info",
    .name = "tvariables",
    .usage = "",
    .brief = "Show the trace state variables.",
    .help = help_tracepoint,
    .examples = "info tvariables",
    .see_also = "actions, condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_tvariables,
};

const struct ez_cmd command_actions = {
    .name = "actions",
    .usage = "[N]",
    .brief = "Set the actions of a tracepoint.",
    .help = "The lines that follow, up to \"end\", are \"collect ITEM, ...\" (see \"help\n"
            "collect\"). If a line has an error, the lines before it are kept. Without N the\n"
            "actions are those of the newest tracepoint.",
    .examples = "tp insert if n > 10\n"
                "actions\n"
                "collect $args, list->first->name\n"
                "end\n"
                "tstart",
    .see_also = "condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 0, 1),
    .flags = NO_REPEAT | BLOCK | TEXT_ONLY,
    .fn = cmd_actions,
};

const struct ez_cmd command_collect = {
    .name = "collect",
    .usage = "ITEM, ...",
    .brief = "Collect values, as an action of a tracepoint.",
    .help = "Type this command only as a line of \"actions\". ITEM is one of:\n"
            "  $args  all parameters of the function\n"
            "  $regs  all general-purpose registers\n"
            "  $_ret  the return address\n"
            "  EXPR   an expression",
    .examples = "tp insert if n > 10\n"
                "actions\n"
                "collect $args, list->first->name\n"
                "end\n"
                "tstart",
    .see_also = "actions, condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 0, -1),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_collect,
};

const struct ez_cmd command_tp = {
    .name = "tp",
    .alias = "ftrace",
    .usage = "LOCATION [if EXPR]",
    .brief = "Set a tracepoint, as in gdb.",
    .help = help_tracepoint,
    .examples = "tp insert if n > 10\n"
                "actions\n"
                "collect $args, list->first->name\n"
                "end\n"
                "tstart",
    .see_also = "actions, condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 1, 1),
    OPTIONS(PROBE_SPEC_STAP("LOCATION is a USDT probe, [[OBJECT:]PROVIDER:]NAME, as in gdb")),
    .flags = MUTATES | TAIL | TEXT_ONLY,
    .fn = cmd_tp,
    .complete = comp_location,
};

const struct ez_cmd command_tvariable = {
    .name = "tvariable",
    .usage = "$NAME [= EXPR]",
    .brief = "Define a trace state variable.",
    .help = "The variable is an integer; without EXPR its value is 0. When you type a\n"
            "condition or an item that names the variable, eztsh replaces the name by the\n"
            "value. A later \"tvariable\" does not change conditions and items typed before.",
    .examples = "tvariable $limit = 10\n"
                "tp insert if n > $limit",
    .see_also = "actions, condition, events, passcount, probe, tfind, trace, tstart",
    OPERANDS(TRACE, 1, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_tvariable,
};
