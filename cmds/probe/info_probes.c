/* SPDX-License-Identifier: GPL-3.0-or-later */
/* info_probes.c - `info probes`: probes with their states, counts and filters.
 * Tests: tests/e2e/probes.ezt, tests/e2e/tables.ezt */
#include "cmds/cmd.h"
#include "cmds/probe/probe_pick.h"
#include "cmds/probe/probe_spec.h"
#include "shell/out.h"
#include "shell/sess.h"

struct listing {
    struct out_table table;
    bool earlier; /* the list has a probe that was adopted from an earlier shell with its counts */
};

static void info_probes_probe(const struct ez_probe_info *p, struct listing *list)
{
    struct out_table *t = &list->table;
    struct ez_sess *s = t->sess;
    const struct ez_probe_spec *spec = p->spec;
    int what = spec->kind & EZ_PROBE_BOTH;
    uint64_t calls = what == EZ_PROBE_EXIT ? p->exits : p->entries;
    uint64_t earlier = what == EZ_PROBE_EXIT ? p->earlier_exits : p->earlier_entries;
    const char *why = *p->reason ? sess_format(s, "  (%s)", p->reason) : "";
    out_row(t, sess_format(s, "%d", p->number), probe_spec_kind(spec),
            spec->print        ? "print"
            : spec->tracepoint ? "trace"
            : p->throttled     ? "throttled"
            : spec->record     ? "record"
                               : "count",
            p->shut ? "off" : probe_state(p->state),
            p->addr       ? out_addr16(s, p->addr)
            : s->run.json ? ""
                          : "<PENDING>",
            sess_format(s, "%llu", (unsigned long long)calls),
            list->earlier ? sess_format(s, "%llu", (unsigned long long)earlier) : "",
            *p->function ? p->function : spec->location,
            sess_format(s, "%s%s", p->library, s->run.json ? "" : why), p->how,
            out_cell_only(s, spec->location), out_cell_only(s, p->reason),
            out_cell_only(s, ez_text(spec->cond)), out_cell_only(s, out_cell_count(s, p->filtered)),
            out_cell_only(s, out_cell_count(s, p->left_out)),
            out_cell_only(s, ez_text(spec->print)), out_cell_only(s, ez_text(spec->action)),
            out_cell_only(s, ez_text(spec->collect)), out_cell_only(s, ez_text(spec->leave)),
            out_cell_only(s, p->missing),
            out_cell_only(s, s->run.json ? probe_spec_commands(s, spec) : ""),
            out_cell_only(s, s->run.json ? probe_spec_json(s, spec) : ""), NULL);
}

struct rules {
    struct ez_sess *s;
    size_t n;
    struct out_table *t; /* JSON rows */
};

static void info_probes_rule(const struct ez_rule_info *rule, void *arg)
{
    struct rules *r = arg;
    const struct ez_probe_spec *p = rule->spec;
    if (rule->matched)
        return;
    r->n++;
    if (r->s->run.json) {
        out_row(r->t, "", probe_spec_kind(p), p->record ? "record" : "count", "rule", "", "", "",
                "", "", "", p->location, "", ez_text(p->cond), "", "", "", "", ez_text(p->collect),
                ez_text(p->leave), "", probe_spec_commands(r->s, p), probe_spec_json(r->s, p),
                NULL);
        return;
    }
    out_line(r->s, "Pending: %s, %s, all that match \"%s\".", probe_spec_kind(p),
             p->record ? "record" : "count", p->location);
}

/* Returns the filters that the target evaluates at each hit besides the condition, as typed. */
static const char *info_probes_filters(struct ez_sess *s, const struct ez_probe_filter *f)
{
    const char *text = probe_spec_filters(s, f, EZ_JUDGE_HIT);
    if (f->ignore)
        text = sess_format(s, "%s ignore %llu", text, (unsigned long long)f->ignore);
    if (f->passcount)
        text = sess_format(s, "%s passcount %llu", text, (unsigned long long)f->passcount);
    return text;
}

/* Prints, below the table, what the user requested from a probe besides counting, and how many hits
 * its filters rejected. */
static void info_probes_requests(struct ez_sess *s, const struct ez_probe_info *p)
{
    const char *bad = p->faulted ? sess_format(s, ", %llu of them could not be read",
                                               (unsigned long long)p->faulted)
                                 : "";
    const struct ez_probe_spec *spec = p->spec;
    const char *filters = info_probes_filters(s, &spec->filter);
    const char *limits = probe_spec_filters(s, &spec->filter, EZ_JUDGE_EVENT);
    if (spec->cond || *filters)
        out_line(s, "Probe %d%s%s%s: %llu filtered%s.", p->number, spec->cond ? " if " : "",
                 ez_text(spec->cond), filters, (unsigned long long)p->filtered, bad);
    if (*limits)
        out_line(s, "Probe %d%s: %llu calls left out of the trace.", p->number, limits,
                 (unsigned long long)p->left_out);
    if (spec->print)
        out_ours(s, "Probe %d prints %s", p->number, spec->print);
    if (spec->action)
        out_line(s, "Probe %d does: %s%s.", p->number, spec->action,
                 spec->filter.passcount ? ", once its passcount is reached" : "");
    if (spec->collect || spec->leave)
        out_line(s, "Probe %d%s%s%s%s.", p->number, spec->collect ? " collects " : "",
                 ez_text(spec->collect), spec->leave ? " returns " : "", ez_text(spec->leave));
    if (*p->missing)
        out_line(s, "Probe %d does not collect %s.", p->number, p->missing);
}

static void info_probes_begin(struct listing *list, struct ez_sess *s,
                              const struct probe_pick *pick)
{
    for (size_t i = 0; i < pick->probe.n; i++)
        list->earlier |= pick->probe.at[i].earlier_entries || pick->probe.at[i].earlier_exits;
    out_table_init(&list->table, s, "Num", "Kind", "Action", "State", "Address", ">Calls",
                   list->earlier ? ">Earlier" : "", "~Function", "~Library", "How", "", "", "", "",
                   "", "", "", "", "", "", "", "", NULL);
    out_table_keys(
        &list->table, "probes",
        "number# kind action state address calls# earlier# function library how "
        "location reason condition filtered# left_out# print does collect return not_collected "
        "commands request!");
    list->table.wide = opt_given(s, "-wide");
    list->table.leaves_out = !list->table.wide;
}

static ez_err *cmd_info_probes(struct ez_sess *s, int argc, char **argv)
{
    struct listing list = { .earlier = false };
    struct rules rules = { .s = s, .t = &list.table };
    struct probe_pick pick;
    EZ_TRY(probe_pick(s, argv[1], &pick));
    info_probes_begin(&list, s, &pick);
    ez_rules(s->target, info_probes_rule, &rules);
    for (size_t i = 0; i < pick.probe.n; i++)
        info_probes_probe(&pick.probe.at[i], &list);
    if (pick.probe.n || s->run.json)
        out_table_print(&list.table);
    else
        out_table_drop(&list.table);
    if (!ez_probe_count(s->target) && !rules.n && !s->run.json)
        out_line(s, "No probes.");
    for (size_t i = 0; i < pick.probe.n && !s->run.json; i++)
        info_probes_requests(s, &pick.probe.at[i]);
    probe_pick_end(s, &pick);
    return NULL;
}

const struct ez_cmd command_info_probes = {
    .parent = "info",
    .name = "probes",
    .usage = "[REGEX] | stap [PROVIDER [NAME [OBJECT]]]",
    .brief = "Show state and calls of each probe.",
    .help = "The calls of a probe are its counted entries, or, if it is only on the exit, its\n"
            "counted exits. \"info trace\" counts hits: each entry and each exit is one hit.\n"
            "\"Earlier\" counts the calls before this shell adopted the probe from another\n"
            "shell.\n"
            "\n"
            "REGEX selects probes by the name of the function. If there are more probes\n"
            "without calls than lines on the screen, those of them without a reason are not\n"
            "printed. On a terminal long names are shortened in the middle.",
    .examples = "info probes\n"
                "info probes -top 20 '^pthread_'",
    .see_also = "probe, delete, enable, disable, info probes stap",
    OPERANDS(PROBE, 0, 1),
    OPTIONS({ .name = "-sort",
              .kind = OPT_ONE_OF,
              .words = (const struct ez_opt_word[]){ { "calls", PICK_BY_CALLS },
                                                     { "name", PICK_BY_NAME },
                                                     { "addr", PICK_BY_ADDR },
                                                     { "hits", PICK_BY_CALLS },
                                                     { NULL, 0 } },
              .meaning = "the order of the rows; the default is by number" },
            { .name = "-top",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print the first N rows only; without -sort, those with the most calls" },
            { .name = "-all", .meaning = "list probes without calls, too" }, FOR_PROGRAMS, WIDE),
    .flags = OWN_WORDS,
    .fn = cmd_info_probes,
};
