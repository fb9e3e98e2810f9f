/* SPDX-License-Identifier: GPL-3.0-or-later */
/* save.c - `save session FILE` (shell/record.c), and `save probes FILE`: writes the probes as
 * commands for `source`, in the order of their numbers: probes, dprintf, tracepoints, aggregates,
 * replacements, and rules of -r. Probes of modules are left out, because `module load` makes them.
 * The numbers of probes in actions ("enable 2") are correct only if the new session had no probes
 * before.
 * Tests: tests/procs/save.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/probe_spec.h"
#include "engine/base/outfile.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct save {
    struct ez_sess *s;
    struct ez_outfile *f;
    unsigned n;
    EZ_VEC(struct save_rule {
        struct ez_rule_info info;
        bool saved;
    })
    rule;
    /* the last probe that was saved, and the addresses of those that its command makes */
    const struct ez_probe_spec *last;
    EZ_VEC(uint64_t) places;
    const char *changed; /* probes that the user changed after their rule made them: "2, 5" */
};

static void save_spec(struct save *q, const struct ez_probe_spec *spec)
{
    size_t kept = q->s->kept.n;
    q->n++;
    ez_outfile_puts(q->f, probe_spec_commands(q->s, spec));
    sess_forget(q->s, kept);
}

/* Saves a rule (probe -r) when its first probe comes; returns true for a probe of a rule that
 * exists. Later changes to single probes of a rule are not saved. */
static bool save_is_rules(struct save *q, const struct ez_probe_info *p)
{
    if (!p->rule)
        return false;
    for (size_t i = 0; i < q->rule.n; i++) {
        struct save_rule *r = &q->rule.at[i];
        if (r->info.number != p->rule)
            continue;
        bool as_made = p->state != EZ_PROBE_DISABLED && ez_probe_spec_same(p->spec, r->info.spec);
        if (!as_made)
            q->changed =
                sess_format(q->s, "%s%s%d", q->changed, *q->changed ? ", " : "", p->number);
        if (!r->saved)
            save_spec(q, r->info.spec);
        r->saved = true;
        return true;
    }
    return false;
}

/* Returns true if the command of the probe saved before makes this probe, too: its location names
 * several places. */
static bool save_is_another_place(struct save *q, const struct ez_probe_info *p)
{
    bool same = q->last && p->state != EZ_PROBE_DISABLED && ez_probe_spec_same(q->last, p->spec);
    for (size_t i = 0; i < q->places.n; i++)
        same &= q->places.at[i] != p->addr;
    if (!same)
        q->places.n = 0;
    q->last = p->state == EZ_PROBE_DISABLED ? NULL : p->spec;
    EZ_PUSH(&q->places, p->addr);
    return same;
}

static void save_one(const struct ez_probe_info *p, void *arg)
{
    struct save *q = arg;
    /* `module load` makes a module's probe again, and loading the library makes a copy again. */
    if (p->optional || p->copy)
        return;
    if (save_is_rules(q, p) || save_is_another_place(q, p))
        return;
    save_spec(q, p->spec);
    if (p->state == EZ_PROBE_DISABLED)
        ez_outfile_puts(q->f, "disable $bpnum\n");
}

static void save_note_rule(const struct ez_rule_info *r, void *arg)
{
    struct save *q = arg;
    EZ_PUSH(&q->rule, ((struct save_rule){ .info = *r }));
}

static ez_err *cmd_save_probes(struct ez_sess *s, int argc, char **argv)
{
    struct save q = { .s = s, .changed = "" };
    const char *path = parse_path(s, argv[1]);
    EZ_TRY(ez_outfile_open(path, false, &q.f));
    ez_rules(s->target, save_note_rule, &q);
    ez_probes(s->target, save_one, &q);
    for (size_t i = 0; i < q.rule.n; i++)
        if (!q.rule.at[i].saved)
            save_spec(&q, q.rule.at[i].info.spec);
    EZ_VEC_FREE(&q.rule);
    EZ_VEC_FREE(&q.places);
    ez_err *e = q.n ? ez_outfile_commit(q.f) : ez_err_new(EZ_E_STATE, 0, "Nothing to save");
    ez_outfile_destroy(q.f);
    if (!e)
        out_line(s, "Saved to file '%s'.", path);
    if (!e && *q.changed)
        out_line(s, "Note: saved as \"probe -r\" made them, without later changes: %s.", q.changed);
    return e;
}

/* ---- save session ---------------------------------------------------------------------------- */

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

/* Writes the session; shell/check_session.c reads the file. */
static ez_err *cmd_save_session(struct ez_sess *s, int argc, char **argv)
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

const struct ez_cmd command_save_probes = {
    .parent = "save",
    .name = "probes",
    .usage = "FILE",
    .brief = "Write all probes as commands to FILE.",
    .help = "FILE has commands that make the probes, dprintfs, tracepoints, aggregates and\n"
            "replacements again, with their conditions and items. Later changes of single\n"
            "probes of \"probe -r\" are not saved, nor are probes of modules. In FILE, $bpnum\n"
            "is the number of the newest probe.",
    .examples = "save probes hot.ezt\n"
                "source hot.ezt",
    .see_also = "source, save tracepoints, info probes",
    OPERANDS(PROBE, 1, 1),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_save_probes,
    .complete = comp_file,
};

const struct ez_cmd command_save_session = {
    .parent = "save",
    .name = "session",
    .usage = "FILE",
    .brief = "Write the commands of the session and their output.",
    .help = "The output of a command follows the command, in comments \"#| LINE\". \"source\n"
            "FILE\" runs the commands again. \"eztsh --check FILE [PROG]\" runs them, with PROG\n"
            "in place of the session's program, compares the output and reports each\n"
            "difference. The status of eztsh is 0 if there is no difference, otherwise 1.\n"
            "\n"
            "The comparison masks addresses (equal ones must stay equal), process ids,\n"
            "times, folders of paths, numbers of ten digits or more, and blanks. A line \"#|\n"
            "...\" matches any lines. The output of the program and of \"explain\" is not\n"
            "compared. If the session runs the program in the background, use \"wait\",\n"
            "because the messages of the program come at any time.",
    .examples = "save session homework.ezt\n"
                "shell eztsh --check homework.ezt",
    .see_also = "source, save probes, set logging",
    OPERANDS(SUPPORT, 1, 1),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_save_session,
    .complete = comp_file,
};

const struct ez_cmd command_save = {
    .name = "save",
    .usage = "probes|session|tracepoints FILE",
    .brief = "Write probes, tracepoints or the session to a file.",
    .help = "\"source FILE\" runs the saved commands.",
    .examples = "save session homework.ezt\n"
                "save probes hot.ezt",
    .see_also = "save session, save probes, save tracepoints, source",
    OPERANDS(SUPPORT, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};
