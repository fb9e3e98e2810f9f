/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.c - `save session FILE` (shell/record.c), and `save probes FILE`: the probes as commands for `source`, in the order of their numbers: probes, dprintf,
 * tracepoints, aggregates, replacements, and what -r waits for. Not those of modules, which `module load` makes
 * again. What an action refers to by number is right where nothing was probed before.
 * Tests: tests/procs/save.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/probe_filter.h"
#include "engine/base/outfile.h"
#include "shell/out.h"
#include "shell/sess.h"

struct save {
    struct ez_sess *s;
    struct ez_outfile *f;
    unsigned n;
};

/* One word of a command line: quoted, if anything in it would end it. */
static const char *save_word(struct ez_sess *s, const char *text)
{
    if (*text && !strpbrk(text, " \t'\"#"))
        return text;
    return sess_format(s, strchr(text, '\'') ? "\"%s\"" : "'%s'", text);
}

static const char *save_part(struct ez_sess *s, const char *word, const char *text)
{
    return text && *text ? sess_format(s, " %s %s", word, text) : "";
}

static const char *save_sides(enum ez_probe_kind kind)
{
    int sides = kind & EZ_PROBE_BOTH;
    return sides == EZ_PROBE_ENTRY ? "entry " : sides == EZ_PROBE_EXIT ? "exit " : "";
}

static void save_probe(struct save *q, const struct ez_probe_info *p)
{
    struct ez_sess *s = q->s;
    struct ez_probe_filter f = *p->filter;
    f.ignore = f.passcount = 0; /* commands of their own */
    ez_outfile_printf(q->f, "probe%s%s%s%s %s%s%s%s%s%s\n", p->record ? "" : " -count",
                      p->kind & EZ_PROBE_TRAP ? " -trap" : "", probe_filter_text(s, &f),
                      probe_limit_text(s, &f), save_sides(p->kind), save_word(s, p->location),
                      save_part(s, "if", p->cond), save_part(s, "do", p->action),
                      save_part(s, "collect", p->collect), save_part(s, "return", p->leave));
}

static void save_aggregate(struct save *q, const struct ez_probe_info *p)
{
    struct ez_sess *s = q->s;
    const char *word = p->adds == EZ_ADDS_LATENCY ? "hist" : ez_adds_name(p->adds);
    const char *value = *p->value ? sess_format(s, "%s at ", p->value) : "";
    ez_outfile_printf(q->f, "%s %s%s%s%s\n", word, value, p->location, save_part(s, "by", p->key),
                      save_part(s, "if", p->cond));
}

static void save_turns(struct save *q, const struct ez_probe_info *p)
{
    if (p->filter->ignore)
        ez_outfile_printf(q->f, "ignore $bpnum %llu\n", (unsigned long long)p->filter->ignore);
    if (p->filter->passcount)
        ez_outfile_printf(q->f, "passcount %llu $bpnum\n",
                          (unsigned long long)p->filter->passcount);
    if (p->tracepoint && *p->collect)
        ez_outfile_printf(q->f, "actions\n  collect %s\nend\n", p->collect);
    if (p->state == EZ_PROBE_DISABLED)
        ez_outfile_puts(q->f, "disable $bpnum\n");
}

static void save_one(const struct ez_probe_info *p, void *arg)
{
    struct save *q = arg;
    struct ez_sess *s = q->s;
    size_t kept = s->kept.n;
    if (p->optional || p->copy) /* a module's; made again where the library is there again */
        return;
    q->n++;
    if (p->with)
        ez_outfile_printf(q->f, "replace %s with %s%s\n", save_word(s, p->location),
                          save_word(s, p->with), save_part(s, "orig", p->orig));
    else if (*p->print)
        ez_outfile_printf(q->f, "dprintf %s,%s\n", p->location, p->print);
    else if (p->tracepoint)
        ez_outfile_printf(q->f, "tp %s%s\n", p->location, save_part(s, "if", p->cond));
    else if (p->adds)
        save_aggregate(q, p);
    else
        save_probe(q, p);
    if ((*p->print && *p->cond))
        ez_outfile_printf(q->f, "condition $bpnum %s\n", p->cond);
    save_turns(q, p);
    sess_forget(s, kept);
}

static void save_rule(const char *spec, enum ez_probe_kind kind, bool record, void *arg)
{
    struct save *q = arg;
    q->n++;
    ez_outfile_printf(q->f, "probe -r%s %s%s\n", record ? "" : " -count", save_sides(kind),
                      save_word(q->s, spec));
}

ez_err *cmd_save_probes(struct ez_sess *s, int argc, char **argv)
{
    struct save q = { .s = s };
    const char *path = parse_path(s, argv[1]);
    EZ_TRY(ez_outfile_open(path, false, &q.f));
    ez_probes(s->target, save_one, &q);
    ez_rules_pending(s->target, save_rule, &q);
    ez_err *e = q.n ? ez_outfile_commit(q.f) : ez_err_new(EZ_E_STATE, 0, "Nothing to save.");
    ez_outfile_destroy(q.f);
    if (!e)
        out_line(s, "Saved to file '%s'.", path);
    return e;
}

/* ---- save session ------------------------------------------------------------------------------ */

static void save_line(const char *line, const char *text, void *arg)
{
    struct save *q = arg;
    ez_outfile_printf(q->f, "%s\n", line);
    while (*text) {
        size_t n = strcspn(text, "\n");
        ez_outfile_printf(q->f, "#|%s%.*s\n", n ? " " : "", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

/* shell/homework.c reads it. */
ez_err *cmd_save_session(struct ez_sess *s, int argc, char **argv)
{
    struct save q = { .s = s };
    const char *path = parse_path(s, argv[1]);
    EZ_TRY(ez_outfile_open(path, false, &q.f));
    ez_outfile_printf(q.f, "# eztsh session 1, %u columns, %s\n", out_columns(s),
                      s->batch ? "batch" : "interactive");
    ez_err *e = sess_recorded(s, save_line, &q);
    if (!e)
        e = ez_outfile_commit(q.f);
    ez_outfile_destroy(q.f);
    if (!e)
        out_line(s, "Saved to file '%s'.", path);
    return e;
}
