/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.c - `probe`, `dprintf`, `begin`, `commit`, `rollback`.
 * Tests: tests/e2e/probes.ezt, tests/e2e/transact.ezt, tests/e2e/refused.ezt */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/probe/probe_spec.h"
#include "cmds/probe/tracepoint.h"
#include "cmds/data/values.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/probe/why.h"
#include "engine/sym/sym.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- what was planted ------------------------------------------------------------------------ */

struct said {
    struct ez_sess *s;
    int first, end; /* [first, end): the numbers of the new probes */
    const struct ez_probe_info *now;
    EZ_VEC(struct ez_probe_info) all;
};

static void probe_collect(const struct ez_probe_info *p, void *arg)
{
    struct said *q = arg;
    EZ_PUSH(&q->all, *p);
}

static void probe_say_address(struct ez_sess *s, const struct ez_probe_info *p, const char *kind)
{
    values_set_last(s, p->addr);
    const char *file;
    unsigned line;
    if (ez_probe_line(s->target, p->number, &file, &line))
        out_line(s, "%s %d at %s: file %s, line %u.", kind, p->number, out_addr(s, p->addr), file,
                 line);
    else
        out_line(s, "%s %d at %s: %s in %s", kind, p->number, out_addr(s, p->addr), p->function,
                 p->library);
}

/* Prints a note if the function is also inlined elsewhere: a probe does not see the inlined
 * copies. */
static void probe_say_copies(struct ez_sess *s, const struct ez_probe_info *p)
{
    uint64_t off = 0;
    const struct ez_sym *sym = ez_symbolize(s->target, ez_addr_of(p->addr), &off, NULL);
    const char *into =
        !sym || off || *p->spec->location == '*' || ez_location_is_line(p->spec->location)
            ? ""
            : parse_code_inlined(s, p->addr);
    if (*into)
        out_line(s, "Note: %s is also inlined, into %s, where its calls are not counted.",
                 ez_sym_pretty(sym), into);
}

static void probe_say_planted(struct said *q, const struct ez_probe_info *p)
{
    struct ez_sess *s = q->s;
    const char *kind = p->spec->tracepoint ? "Tracepoint" : "Probe";
    if (!p->addr) {
        out_line(s, "%s %d (%s) pending%s%s%s", kind, p->number, p->spec->location,
                 *p->reason ? ": " : "", p->reason, ez_err_stop(p->reason));
        const char *in = *p->function ? "" : parse_inlined(s, p->spec->location);
        if (*in)
            out_line(s, "Note: %s is inlined everywhere: into %s. See \"probe -inline\".",
                     p->spec->location, in);
        return;
    }
    for (size_t i = 0; i < q->all.n; i++)
        if (q->all.at[i].addr == p->addr && q->all.at[i].number < p->number)
            out_line(s, "Note: probe %d also set at pc %s.", q->all.at[i].number,
                     out_addr(s, p->addr));
    probe_say_address(s, p, kind);
    probe_say_copies(s, p);
    if (*p->missing)
        out_line(s, "Note: probe %d does not collect %s.", p->number, p->missing);
}

struct inlined {
    struct ez_sess *s;
    unsigned own, others; /* number of functions that have code of the line: as their own line, or
                           * inlined from it */
    const char *name;
};

static void probe_count_inlined(const struct ez_line *l, const struct ez_module_info *m, void *arg)
{
    struct inlined *q = arg;
    q->own += !l->inlined;
    q->others += l->inlined != NULL;
    if (l->inlined)
        q->name = sess_format(q->s, "%s", l->inlined);
}

static void probe_say_inlined_into(const struct ez_line *l, const struct ez_module_info *m,
                                   void *arg)
{
    struct inlined *q = arg;
    if (l->inlined)
        out_line(q->s,
                 "Note: line %u of \"%s\" belongs to %s, inlined into %s, which has the probe.",
                 l->line, l->file, l->inlined, ez_sym_pretty(l->in));
}

/* Prints which function gets the probe if the code of FILE:LINE is inlined. */
static void probe_say_inlined(struct ez_sess *s, const char *location)
{
    struct inlined q = { .s = s };
    if (!ez_location_is_line(location))
        return;
    ez_err_drop(ez_locate_line(s->target, location, probe_count_inlined, &q));
    if (q.own && q.others)
        out_line(s,
                 "Note: %s is inlined into %u other function%s, where its calls are not counted.",
                 q.name, q.others, ez_plural(q.others));
    else if (q.others)
        ez_err_drop(ez_locate_line(s->target, location, probe_say_inlined_into, &q));
}

/* Prints how many inlined instances of a function are left out or, with -inline-all, are not counted
 * exactly, and why. */
static void probe_say_inexact(struct ez_sess *s, const char *location)
{
    unsigned n[EZ_INLINED_COUNT], all = 0;
    const char *text = "";
    if (!ez_err_drop(ez_inlined_search(s->target, location, NULL, NULL, n)))
        return; /* there is no process any more */
    for (unsigned i = EZ_INLINED_KEPT + 1; i < EZ_INLINED_COUNT; i++) {
        all += n[i];
        if (n[i])
            text = sess_format(s, "%s%s %u %s", text, *text ? "," : "", n[i], ez_inlined_text(i));
    }
    if (all)
        out_line(s, "Note: %u of %u inlined instances %s:%s.", all, all + n[EZ_INLINED_KEPT],
                 ez_location_inlined_all(location) ? "may be counted wrong" : "left out", text);
}

struct versions {
    struct ez_sess *s;
    const char *text;
};

static void probe_add_version(ez_addr addr, const struct ez_sym *sym,
                              const struct ez_module_info *m, void *arg)
{
    struct versions *v = arg;
    if (!sym->version)
        return;
    v->text =
        sess_format(v->s, "%s%s%s@%s", v->text, *v->text ? ", " : "", sym->name, sym->version);
}

/* Prints a note if the name has several symbol versions (name@@NEW, name@OLD): the probe is on the
 * default one, and old programs may call another. */
static void probe_say_versions(struct ez_sess *s, const char *location)
{
    struct versions v = { .s = s, .text = "" };
    ez_err_drop(ez_locate_versions(s->target, location, probe_add_version, &v));
    if (*v.text)
        out_line(s, "Note: this is the default version; there is also %s.", v.text);
}

/* Starts a probe under `set by-hand`: the user performs the steps. */
static ez_err *probe_by_hand(struct ez_sess *s, const struct ez_probe_spec *p)
{
    int first = 0, n = 0;
    unsigned held;
    if (ez_target_state(s->target) != EZ_STOPPED)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "Planting by hand needs a stopped process"),
                           "\"start\" starts a process, \"interrupt\" stops it");
    EZ_TRY(ez_begin(s->target));
    ez_err *e = ez_probe_add(s->target, p, &first, &n);
    if (!e && n != 1)
        e = ez_err_new(
            EZ_E_ARG, 0,
            "\"%s\" names %d functions, but by hand only one probe at a time can be planted",
            p->location, n);
    if (!e)
        return hand_begin(s, first);
    return ez_err_first(e, ez_rollback(s->target, &held));
}

/* ---- set dry-run: nothing is planted --------------------------------------------------------- */

/* Returns the reasons of refusals with their counts, " 3 too short, 1 it never returns"; " 0" if
 * nothing was refused. */
static const char *probe_reasons(struct ez_sess *s, const struct ez_bulk *b)
{
    const char *text = b->refused ? "" : " 0";
    for (unsigned i = 0; i < b->nreasons; i++)
        text =
            sess_format(s, "%s%s %u %s", text, i ? "," : "", b->reasons[i].n, b->reasons[i].reason);
    return text;
}

struct dry {
    struct ez_sess *s;
    enum ez_probe_kind kind;
    ez_err *last;
};

static void probe_dry_say_json(struct ez_sess *s, const struct ez_why *w, enum ez_probe_kind kind,
                               const char *refused)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "function", w->name);
    ez_json_add_text(&j, "library", w->library);
    ez_json_add_uint(&j, "address", w->func);
    ez_json_add_uint(&j, "site", w->site);
    ez_json_add_text(&j, "strategy", w->strategy ? ez_strategy(w->strategy)->text : NULL);
    ez_json_add_uint(&j, "jump", w->jump);
    ez_json_add_uint(&j, "covered", w->covered);
    ez_json_add_uint(&j, "padding", w->padding);
    ez_json_add_uint(&j, "stub", w->room);
    ez_json_add_text(&j, "exits", kind & EZ_PROBE_EXIT && !refused ? w->exit_mode : NULL);
    ez_json_add_text(&j, "refused", refused);
    ez_json_end(&j, '}');
    out_json(s, &j);
}

static void probe_dry_say_text(struct ez_sess *s, const struct ez_why *w, enum ez_probe_kind kind)
{
    out_line(s, "Would plant %s (%s) at %s: %s over %u bytes%s; trampoline near %s.", w->name,
             w->library, out_addr(s, w->site), ez_strategy(w->strategy)->text,
             w->covered + w->padding,
             kind & EZ_PROBE_EXIT ? sess_format(s, "; exits by %s", w->exit_mode) : "",
             out_addr(s, w->room));
}

static void probe_dry_plan(ez_addr addr, const struct ez_sym *sym, const struct ez_module_info *m,
                           void *arg)
{
    struct dry *p = arg;
    struct ez_why w;
    (void)sym, (void)m;
    ez_err *e = ez_why(p->s->target, addr, p->kind & EZ_PROBE_TRAP, &w);
    const char *refused = e ? NULL : p->kind & EZ_PROBE_EXIT ? w.exit : w.entry;
    if (refused && *refused)
        e = ez_err_new(EZ_E_REFUSED, 0, "Cannot probe %s: %s", w.name, refused);
    if (ez_settings(p->s->target)->dry_run == EZ_DRY_JSON && refused) {
        probe_dry_say_json(p->s, &w, p->kind, *refused ? refused : NULL);
        ez_err_free(e); /* The JSON object already has the refusal, so the error is dropped. */
        return;
    }
    if (!e)
        probe_dry_say_text(p->s, &w, p->kind);
    if (e && p->last)
        out_error(p->s, p->last);
    p->last = e ? e : p->last;
}

/* Reports a function that does not exist: its probe would be pending, which is no error. */
static void probe_dry_say_pending(struct ez_sess *s, const char *location, const char *why)
{
    if (ez_settings(s->target)->dry_run != EZ_DRY_JSON) {
        out_line(s, "Would wait for %s: %s", location, why);
        return;
    }
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "location", location);
    ez_json_add_text(&j, "pending", why);
    ez_json_end(&j, '}');
    out_json(s, &j);
}

static ez_err *probe_dry_need_process(struct ez_sess *s)
{
    if (ez_target_state(s->target) != EZ_NONE)
        return NULL;
    return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no process for the dry run"),
                       "Type \"start\" first");
}

/* Prints one line (or JSON object) for each function that LOCATION names. Returns the last refusal
 * as the error, as `probe` does. */
static ez_err *probe_dry_location(struct ez_sess *s, enum ez_probe_kind kind, const char *location)
{
    struct dry p = { .s = s, .kind = kind };
    EZ_TRY(probe_dry_need_process(s));
    ez_err *e = ez_locate(s->target, location, probe_dry_plan, &p);
    if (e && ez_probe_may_wait(s->target, location, e)) {
        probe_dry_say_pending(s, location, e->msg);
        ez_err_free(e);
        return NULL;
    }
    if (e)
        ez_err_free(p.last);
    return e ? e : p.last;
}

static void probe_dry_say_matching(struct ez_sess *s, const struct ez_bulk *b)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_uint(&j, "matched", b->matched);
    ez_json_add_uint(&j, "planted", b->planted);
    ez_json_begin(&j, "refused", '[');
    for (unsigned i = 0; i < b->nreasons; i++) {
        ez_json_begin(&j, NULL, '{');
        ez_json_add_text(&j, "reason", b->reasons[i].reason);
        ez_json_add_uint(&j, "n", b->reasons[i].n);
        ez_json_end(&j, '}');
    }
    ez_json_end(&j, ']');
    ez_json_end(&j, '}');
    out_json(s, &j);
}

/* Prints the totals for the functions that [LIB:]REGEX matches. */
static ez_err *probe_dry_matching(struct ez_sess *s, enum ez_probe_kind kind, const char *spec)
{
    struct ez_bulk b = { 0 };
    EZ_TRY(probe_dry_need_process(s));
    EZ_TRY(ez_probe_plan_matching(s->target, kind, spec, &b));
    if (ez_settings(s->target)->dry_run == EZ_DRY_JSON)
        probe_dry_say_matching(s, &b);
    else
        out_line(s, "Would plant %u of %u matched; refused:%s.", b.planted, b.matched,
                 probe_reasons(s, &b));
    return NULL;
}

/* ---- planting -------------------------------------------------------------------------------- */

/* Plants a probe as `spec` says, at a LOCATION as typed. */
static ez_err *probe_plant(struct ez_sess *s, const struct ez_probe_spec *spec, const char *typed)
{
    struct ez_probe_spec p = *spec;
    int first = 0, n = 0;
    EZ_TRY(probe_spec_locate(s, &p, typed));
    if (ez_settings(s->target)->dry_run)
        return probe_dry_location(s, p.kind, p.location);
    if (s->ui.by_hand && !p.print && !p.tracepoint)
        return probe_by_hand(s, &p);
    ez_err *e = ez_probe_add(s->target, &p, &first, &n);
    struct said q = { .s = s };
    ez_probes(s->target, probe_collect, &q);
    for (size_t i = 0; i < q.all.n; i++)
        if (n && q.all.at[i].number >= first && q.all.at[i].number < first + n)
            probe_say_planted(&q, &q.all.at[i]);
    EZ_VEC_FREE(&q.all);
    if (n > 1)
        out_line(s, "\"%s\" names %d %s; each has a probe.", p.location, n,
                 ez_location_stap(p.location) || ez_location_inlined(p.location) ? "places"
                                                                                 : "functions");
    if (n && ez_location_inlined(p.location))
        probe_say_inexact(s, p.location);
    if (n) {
        probe_say_inlined(s, p.location);
        probe_say_versions(s, p.location);
    }
    return e;
}

static void probe_say_bulk(struct ez_sess *s, const struct ez_bulk *b, const char *what)
{
    out_line(s, "Planted %u of %u %s; refused:%s; pending %u.", b->planted, b->matched, what,
             probe_reasons(s, b), b->pending);
    if (b->exit_only)
        out_line(s, EZ_BULK_EXITS, b->exit_only);
    if (b->partial)
        out_line(s, EZ_BULK_PARTIAL, b->partial);
}

static ez_err *probe_plant_matching(struct ez_sess *s, const struct ez_probe_spec *spec,
                                    const char *regex)
{
    struct ez_probe_spec p = *spec;
    struct ez_bulk b;
    if (ez_settings(s->target)->dry_run)
        return probe_dry_matching(s, p.kind, regex);
    memset(&b, 0, sizeof b);
    p.location = regex;
    EZ_TRY(ez_probe_add_matching(s->target, &p, &b));
    const char *colon = strchr(regex, ':'); /* a colon: "LIB:REGEX", where LIB may be loaded
                                             * later */
    if (ez_target_state(s->target) == EZ_NONE && colon && colon[1] != ':')
        out_line(s, "\"%s\" will be matched against all loaded objects when the program runs.",
                 regex);
    else if (!b.matched)
        return ez_err_new(EZ_E_NOTFOUND, 0, "No function matches \"%s\"", regex);
    probe_say_bulk(s, &b, "matched");
    return NULL;
}

/* ---- USDT probes with -r --------------------------------------------------------------------- */

struct staps {
    regex_t re;
    EZ_VEC(char *) name; /* PROVIDER:NAME of each that matches */
    unsigned places;     /* their number of places */
};

static void probe_match_stap(const struct ez_stap_info *p, void *arg)
{
    struct staps *q = arg;
    char *name = ez_sprintf("%s:%s", p->note->provider, p->note->name);
    bool matches = !regexec(&q->re, name, 0, NULL, 0);
    bool known = q->name.n && !strcmp(q->name.at[q->name.n - 1], name); /* they are sorted */
    q->places += matches;
    if (matches && !known)
        EZ_PUSH(&q->name, name);
    else
        free(name);
}

/* Holds a probe for each of the names back, and plants all of them together. */
static ez_err *probe_plant_staps(struct ez_sess *s, const struct ez_probe_spec *spec,
                                 const struct staps *q, struct ez_bulk *b)
{
    const bool open = ez_transaction_open(s->target);
    ez_err *e = open ? NULL : ez_begin(s->target);
    for (size_t i = 0; i < q->name.n && !e; i++) {
        struct ez_probe_spec one = *spec;
        int first = 0, n = 0;
        one.matching = false;
        one.location = sess_format(s, EZ_STAP_WORD "%s", q->name.at[i]);
        e = ez_probe_add(s->target, &one, &first, &n);
    }
    unsigned held;
    if (open)
        b->pending = q->places;
    else if (e)
        ez_err_drop(ez_rollback(s->target, &held));
    else
        e = ez_commit(s->target, b);
    return e;
}

static ez_err *probe_plant_matching_staps(struct ez_sess *s, const struct ez_probe_spec *spec,
                                          const char *regex)
{
    struct staps q = { .places = 0 };
    struct ez_bulk b = { 0 };
    EZ_TRY(ez_str_regcomp(&q.re, regex, 0));
    ez_err *e = ez_staps(s->target, probe_match_stap, &q);
    if (!e && !q.name.n)
        e = ez_err_new(EZ_E_NOTFOUND, 0, "No USDT probe matches \"%s\"", regex);
    if (!e)
        e = probe_plant_staps(s, spec, &q, &b);
    b.matched = q.places;
    if (!e)
        probe_say_bulk(s, &b, "matched");
    for (size_t i = 0; i < q.name.n; i++)
        free(q.name.at[i]);
    EZ_VEC_FREE(&q.name);
    regfree(&q.re);
    return e;
}

static ez_err *probe_plant_any(struct ez_sess *s, const struct ez_probe_spec *p, const char *typed)
{
    if (!p->matching)
        return probe_plant(s, p, probe_spec_instance(s, typed));
    return probe_spec_is_stap(s) ? probe_plant_matching_staps(s, p, typed)
                                 : probe_plant_matching(s, p, typed);
}

/* Checks every word before the first probe is planted, so that a word that is no location plants
 * nothing. */
static ez_err *probe_check_locations(struct ez_sess *s, const struct ez_probe_spec *p, int argc,
                                     char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (!p->matching)
            EZ_TRY(ez_location_check(probe_spec_instance(s, argv[i])));
    }
    return NULL;
}

/* Plants probes. A refused location does not prevent the others: the function prints all errors
 * but the last, and the dispatcher prints the last one. */
static ez_err *cmd_probe(struct ez_sess *s, int argc, char **argv)
{
    struct ez_probe_spec p;
    ez_err *last = NULL;
    EZ_TRY(probe_spec_parse(s, &p));
    EZ_TRY(probe_check_locations(s, &p, argc - 1, argv + 1));
    if (s->ui.by_hand && (p.matching || argc > 2))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "By hand only one probe at a time can be planted"),
            "Type \"set by-hand off\" to plant several");
    for (int i = 1; i < argc; i++) {
        ez_err *e = probe_plant_any(s, &p, argv[i]);
        if (!e)
            continue;
        if (last)
            out_error(s, last);
        last = e;
    }
    return last;
}

/* The command dprintf LOCATION,"FORMAT"[,EXPR]... */
static ez_err *cmd_dprintf(struct ez_sess *s, int argc, char **argv)
{
    const char *quote = strchr(argv[1], '"');
    const struct ez_probe_spec p = { .kind = EZ_PROBE_ENTRY, .record = true, .print = quote };
    const char *before = quote ? parse_text(s, argv[1], quote) : "";
    size_t n = strlen(before);
    if (!n || before[n - 1] != ',')
        return ez_err_hint(ez_err_gdb(EZ_E_ARG, "Format string required"),
                           "Write dprintf LOCATION,\"FORMAT\",EXPR,...");
    const char *location = parse_text(s, before, before + n - 1);
    EZ_TRY(ez_location_check(location));
    return probe_plant(s, &p, location);
}

ez_err *probe_tracepoint(struct ez_sess *s, const char *location, const char *cond)
{
    const struct ez_probe_spec p = {
        .kind = EZ_PROBE_ENTRY, .record = true, .cond = cond, .tracepoint = true
    };
    EZ_TRY(ez_location_check(location));
    return probe_plant(s, &p, location);
}

/* ---- transactions ------------------------------------------------------------------------ */

static ez_err *cmd_begin(struct ez_sess *s, int argc, char **argv)
{
    EZ_TRY(ez_begin(s->target));
    out_line(s, "Probes are held until commit.");
    return NULL;
}

static ez_err *cmd_commit(struct ez_sess *s, int argc, char **argv)
{
    struct ez_bulk b;
    EZ_TRY(ez_commit(s->target, &b));
    probe_say_bulk(s, &b, "held");
    return NULL;
}

static ez_err *cmd_rollback(struct ez_sess *s, int argc, char **argv)
{
    unsigned n;
    EZ_TRY(ez_rollback(s->target, &n));
    out_line(s, "%u held probe%s dropped.", n, ez_plural(n));
    return NULL;
}

const struct ez_cmd command_begin = {
    .name = "begin",
    .usage = "",
    .brief = "Hold new probes back until commit.",
    .help = "From now on \"probe\" plants nothing. \"commit\" plants all held probes at once, so\n"
            "that the target never runs with only some of the held probes. \"rollback\"\n"
            "deletes the held probes.",
    .examples = "begin\n"
                "probe compute exchange\n"
                "probe -r 'libm:.'\n"
                "commit",
    .see_also = "commit, rollback, probe",
    OPERANDS(PROBE, 0, 0),
    .min_abbrev = 3,
    .flags = MUTATES | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_begin,
};

const struct ez_cmd command_commit = {
    .name = "commit",
    .usage = "",
    .brief = "Plant the probes that \"begin\" held back, all at once.",
    .examples = "commit",
    .see_also = "begin, rollback",
    OPERANDS(PROBE, 0, 0),
    .flags = MUTATES | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_commit,
};

const struct ez_cmd command_dprintf = {
    .name = "dprintf",
    .usage = "LOCATION,\"FORMAT\"[,EXPR]...",
    .brief = "Print a line at each call of a function.",
    .help = "The target records the values and does not stop. A hit costs about 15 ns\n"
            "(strings cost more), where gdb needs 175 us. eztsh formats the values and\n"
            "prints the lines of all threads in the order of time. The trace contains the\n"
            "values, too.\n"
            "\n"
            "FORMAT is a C format: %d %i %u %x %X %o %c %s %p %f %e %g %a %%, with flags,\n"
            "width, precision and the sizes hh, h, l, ll, z, j, t and L. EXPR is a C\n"
            "expression, as in \"probe ... collect\". eztsh checks FORMAT against the types of\n"
            "the expressions. Of a string, at most \"set max-string\" bytes are printed. The\n"
            "commands condition, ignore and passcount select the hits that print a line.\n"
            "After \"trace stop\" no line is printed.",
    .examples = "dprintf compute,\"n=%d of %s\\n\",n,list->name\n"
                "dprintf libc.so.6:open,\"open %s\\n\",$arg0",
    .see_also = "condition, events, info probes, probe",
    OPERANDS(PROBE, 1, 1),
    .flags = RAW | MUTATES | TEXT_ONLY,
    .fn = cmd_dprintf,
    .complete = comp_location,
};

static const struct ez_opt probe_options[] = {
    { .name = "entry", .kind = OPT_WORD, .meaning = "only the entry" },
    { .name = "exit", .kind = OPT_WORD, .meaning = "only the exit", .instead = true },
    { .name = "both", .kind = OPT_WORD, .meaning = "entry and exit: the default", .instead = true },
    { .name = "-count", .meaning = "count calls, record nothing" },
    { .name = "-record",
      .meaning = "write timed events to the trace: the default",
      .instead = true },
    { .name = "-trap",
      .meaning = "use a trap where no jump is possible; a handler in the program serves\n"
                 "the trap, and a hit costs more than a microsecond" },
    { .name = "-A",
      .meaning = "collect arguments and result, as far as debug information, or a table of\n"
                 "the C library's functions, has their types: collect $args? return $ret?" },
    PROBE_SPEC_STAP(
        "each LOCATION is a USDT probe, [[OBJECT:]PROVIDER:]NAME, as in gdb; with -r, a\n"
        "regular expression for PROVIDER:NAME (\"info probes stap\" lists them)"),
    { .name = "-inline",
      .meaning = "each LOCATION is [LIB:]FUNC: the entries of its inlined instances, as far as\n"
                 "their calls can be counted exactly" },
    { .name = "-inline-all",
      .meaning = "as -inline, with instances whose number of calls may be wrong",
      .instead = true },
    { .name = "-r",
      .meaning = "each LOCATION is [LIB:]REGEX: all matching functions of the program, of\n"
                 "the library LIB, or, if LIB is *, of every loaded object" },
    EZ_PROBE_FILTERS(PROBE_SPEC_FILTER){ .name = NULL },
};

const struct ez_cmd command_probe = {
    .name = "probe",
    .usage = "LOCATION... [if EXPR] [do ACTION] [collect ITEM, ...] [return ITEM, ...]",
    .brief = "Plant probes at entry and exit of functions.",
    .help = "LOCATION is FUNC, LIB:FUNC, FUNC@LIB, FUNC@VERSION, FILE.c:FUNC, FILE.c:LINE\n"
            "(the function that contains the line), *ADDR or a prototype. A part of a C++ or\n"
            "Fortran name is enough, as in gdb; all matching functions get a probe. A probe\n"
            "stays pending until its library is loaded. For a function that cannot be\n"
            "probed, the command prints the reason. The clauses are:\n"
            "  if EXPR             record or count a call only if EXPR is nonzero;\n"
            "                      \"info probes\" shows the other calls as filtered\n"
            "  collect ITEM, ...   add ITEMs to the entry record\n"
            "  return ITEM, ...    add ITEMs to the exit record; parameters have their\n"
            "                      values from the entry\n"
            "  do ACTION           do ACTION at each hit that passes condition and\n"
            "                      options, or at the last hit of a passcount.\n"
            "                      ACTION is one of:\n"
            "    stop              stop all threads, as a breakpoint\n"
            "    trace start       resume paused recording with this hit\n"
            "    trace stop        pause recording in all threads after this hit\n"
            "    enable N          enable probe N\n"
            "    disable N         disable probe N\n"
            "    snapshot          write the flight recorder (set overflow overwrite)\n"
            "\n"
            "An ITEM is $args, $regs, $stack or a C expression over parameters, variables,\n"
            "$arg0, $arg1, ... (integers and pointers by position), $farg0, ... (doubles),\n"
            "$ret, $fret, $caller, $thread and registers; at a USDT probe $_probe_argc,\n"
            "$_probe_arg0, $_probe_arg1, ... A suffix :x :d :u :c :f :str :code :hex(BYTES)\n"
            "chooses the format. \"info scope FUNC\" lists the parameters. Unmapped memory is\n"
            "shown as <fault>. Reading unmapped memory does not disturb the program. With\n"
            "$args? and $ret? only what is known is collected.",
    .examples = "probe compute\n"
                "probe -min-time 1ms -maxdepth 3 compute\n"
                "probe compute if $arg0 > 100 collect $arg0:d, $arg1:str return $ret:d\n"
                "probe insert if list->n > 100 collect $args, list->first->name return $ret\n"
                "probe insert if list->n > 100 do stop\n"
                "probe 'int f(int n, char *name)' collect $args\n"
                "probe libc.so.6:open collect $args, $ret\n"
                "probe -stap python:gc__start collect $args\n"
                "probe entry -count libm:sin\n"
                "probe -r '*:^pthread_'\n"
                "probe -r -A -min-time 1ms .",
    .see_also =
        "condition, delete, disable, ignore, info probes, info probes stap, measure, passcount, "
        "trace, why",
    OPERANDS(PROBE, 1, -1),
    .options = probe_options,
    .flags = MUTATES | TAIL | TEXT_ONLY,
    .fn = cmd_probe,
    .complete = comp_location,
};

const struct ez_cmd command_rollback = {
    .name = "rollback",
    .usage = "",
    .brief = "Delete the probes that \"begin\" held back.",
    .examples = "rollback",
    .see_also = "begin, commit",
    OPERANDS(PROBE, 0, 0),
    .flags = MUTATES | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_rollback,
};
