/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec_info.c - spec list, info spec: specifications on the running program (engine/ezt_specs.h).
 * Tests: tests/procs/spec.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/spec.h"
#include "shell/out.h"

ez_err *spec_number(const char *word, int *out)
{
    char *end;
    long n = strtol(word, &end, 10);
    if (*end || n < 1 || n > INT32_MAX)
        return ez_err_new(EZ_E_ARG, 0, "Bad specification number '%s'", word);
    *out = (int)n;
    return NULL;
}

struct shown {
    struct ez_sess *s;
    struct out_table *table;
    int only, found; /* only: number of a specification, 0 = all; found: how many were shown */
    bool all;        /* also prints routines without a note */
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

static ez_err *cmd_spec_list(struct ez_sess *s, int argc, char **argv)
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

const struct ez_cmd command_spec_list = {
    .parent = "spec",
    .name = "list",
    .usage = "",
    .brief = "List the loaded specifications.",
    .examples = "spec list",
    .see_also = "spec load, info spec",
    OPERANDS(PROBE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_spec_list,
};

static void shown_clause(const struct ez_spec_clause_info *c, void *arg)
{
    struct shown *w = arg;
    struct ez_sess *s = w->s;
    out_row(w->table, c->place, sess_format(s, "%zu", c->routines),
            c->counted ? sess_format(s, "%llu", (unsigned long long)c->hits) : "", c->text,
            c->why         ? c->why
            : c->note      ? c->note
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

/* Prints one specification. With -json, prints a single table: its clauses, or its routines if
 * these are requested. */
static void shown_number(const struct ez_spec_info *i, void *arg)
{
    struct shown *w = arg;
    struct ez_sess *s = w->s;
    bool json = out_json_requested(s);
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

static ez_err *cmd_info_spec(struct ez_sess *s, int argc, char **argv)
{
    struct shown w = { .s = s, .all = opt_given(s, "-routines") };
    EZ_TRY(argc > 1 ? spec_number(argv[1], &w.only) : NULL);
    ez_specs(s->target, shown_number, &w);
    if (!w.found && w.only)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No specification number %d", w.only);
    if (!w.found)
        out_line(s, "No specifications are loaded.");
    return NULL;
}

const struct ez_cmd command_info_spec = {
    .parent = "info",
    .name = "spec",
    .usage = "[N]",
    .brief = "Show the hits of each clause and the unprobed routines.",
    .help = "A row of the first table is a clause: how many routines it matches, and how\n"
            "often its code ran. The second table lists the routines without probes, each\n"
            "with the reason, and the routines with a note.",
    .examples = "info spec 1 -routines",
    .see_also = "spec load, spec list",
    OPERANDS(PROBE, 0, 1),
    OPTIONS({ .name = "-routines", .meaning = "print all routines" }, FOR_PROGRAMS),
    .fn = cmd_info_spec,
};
