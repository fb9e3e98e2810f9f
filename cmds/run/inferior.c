/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inferior.c - trees of processes (`set follow-fork-mode all`): their start, `inferior N`, `info
 * inferiors`.
 * Tests: tests/procs/tree.sh */
#include "cmds/job/jobs.h"

#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- start of a tree ------------------------------------------------------------------------- */

bool jobs_run_follows_all(const struct ez_sess *s)
{
    return ez_settings(s->target)->follow_mode == EZ_FOLLOW_ALL ||
           !ez_settings(s->target)->detach_on_fork;
}

static void inferior_rules_of_file(struct ez_sess *s, const char *line);

/* Makes a rule of each probe command that the user ran before the tree began. Each new process of
 * the tree runs all rules. */
static void inferior_rule(const char *line, const char *text, void *arg)
{
    struct ez_sess *s = arg;
    const struct ez_cmd *c = sess_command_of(line);
    if (c && c->cls == EZ_CLASS_PROBE && c->flags & MUTATES)
        ez_front_add_rule(s->job->front, line, true, NULL);
    if (c && c->fn == cmd_source)
        inferior_rules_of_file(s, line);
}

static void inferior_rules_of_file(struct ez_sess *s, const char *line)
{
    const char *path = strrchr(line, ' ');
    size_t n;
    EZ_FREE char *text = path ? ez_str_load(parse_path(s, path + 1), 1 << 20, &n) : NULL;
    for (char *rest = text, *one; (one = strsep(&rest, "\n"));) {
        const struct ez_cmd *c = sess_command_of(one);
        if (c && c->fn != cmd_source)
            inferior_rule(one, "", s);
    }
}

static ez_err *inferior_tree(struct ez_sess *s, const char *what)
{
    EZ_TRY(jobs_begin(s, what, true));
    EZ_TRY(jobs_daemons(s, NULL));
    s->job->foreground = s->in.terminal;
    ez_err_drop(sess_recorded(s, inferior_rule, s));
    return NULL;
}

ez_err *jobs_run(struct ez_sess *s, bool stop)
{
    const char *program = ez_target_program(s->target);
    EZ_TRY(inferior_tree(s, sess_format(s, "%s %s", program, s->ui.args)));
    out_line(s, "Starting program: %s %s", program, s->ui.args);
    ez_err *e = jobs_launch_tree(s, program);
    if (e) {
        jobs_end(s);
        return e;
    }
    return stop ? NULL : sess_run(s, "continue");
}

ez_err *jobs_attach(struct ez_sess *s, pid_t pid)
{
    EZ_TRY(inferior_tree(s, sess_format(s, "process %d", (int)pid)));
    s->job->front->attached = true;
    s->job->foreground = false;
    ez_err *e = jobs_hello(s);
    if (!e)
        e = jobs_add_pid(s, pid);
    if (!e)
        e = jobs_bring(s, EZ_CLAIM_HELD);
    if (e)
        jobs_end(s);
    return e;
}

/* ---- the commands ----------------------------------------------------------------------------- */

static void inferior_row(struct out_table *t, bool current, const char *number, const char *what,
                         const char *state, const char *program)
{
    out_row(t, current ? t->sess->run.json ? "yes" : "*" : "", number, what, state, program, NULL);
}

static ez_err *cmd_info_inferiors(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    out_table_init(&t, s, "", "Num", "Description", "State", "~Executable", NULL);
    out_table_keys(&t, "inferiors", "current? number# description state program");
    if (!s->job) {
        static const char *const state[] = { "", "stopped", "running", "running", "core" };
        struct ez_core_info core;
        ez_core_info(s->target, &core);
        int pid = core.path ? core.pid : ez_target_pid(s->target);
        bool live = ez_target_state(s->target) != EZ_NONE;
        const char *program = ez_target_program(s->target);
        inferior_row(&t, true, "1", live ? sess_format(s, "process %d", pid) : "<null>",
                     live ? state[ez_target_state(s->target)] : "", program ? program : "");
        out_table_end(&t, "");
        return NULL;
    }
    struct ez_ranks chosen;
    EZ_TRY(jobs_ranks(s, NULL, &chosen));
    for (size_t i = 0; i < s->job->front->roster.member.n; i++) {
        const struct ez_member *m = &s->job->front->roster.member.at[i];
        inferior_row(&t, ez_ranks_has(&chosen, m->rank), sess_format(s, "%u", m->rank),
                     sess_format(s, "process %d", (int)m->pid), ez_member_state_name(m->state),
                     m->program);
    }
    ez_ranks_free(&chosen);
    out_table_end(&t, "No inferiors.");
    return NULL;
}

const struct ez_cmd command_info_inferiors = {
    .parent = "info",
    .name = "inferiors",
    .usage = "",
    .brief = "Show the processes of the session.",
    .examples = "info inferiors",
    .see_also = "inferior, set follow-fork-mode, info job",
    OPERANDS(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_inferiors,
};

static ez_err *cmd_inferior(struct ez_sess *s, int argc, char **argv)
{
    uint64_t n = 0;
    if (argc > 1 && strcmp(argv[1], "all"))
        EZ_TRY(parse_count(argv[1], "an inferior", &n));
    if (!s->job && n <= 1) {
        if (ez_target_pid(s->target))
            out_line(s, "[Current inferior is 1 (process %d)]", ez_target_pid(s->target));
        else
            out_line(s, "[Current inferior is 1 (no process)]");
        return NULL;
    }
    const struct ez_member *m = s->job ? ez_roster_find(&s->job->front->roster, (uint32_t)n) : NULL;
    if (argc < 2) {
        out_line(s, "[Commands are for \"%s\"]", s->job->context);
        return NULL;
    }
    bool all = s->job && !strcmp(argv[1], "all");
    if (!m && !all)
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "Inferior ID %s not known", argv[1]),
                           "\"info inferiors\" lists the inferiors");
    free(s->job->context);
    s->job->context = ez_strdup(argv[1]);
    if (all)
        out_line(s, "[Switching to all inferiors]");
    else
        out_line(s, "[Switching to inferior %u (process %d) (%s)]", m->rank, (int)m->pid,
                 m->program);
    return NULL;
}

const struct ez_cmd command_inferior = {
    .name = "inferior",
    .usage = "[N|all]",
    .brief = "Select the process for the commands that follow.",
    .help = "Use this command in a tree of processes (\"set follow-fork-mode all\") or in a\n"
            "job. \"inferior all\" selects all processes again.",
    .examples = "inferior 2\n"
                "info probes\n"
                "inferior all",
    .see_also = "info inferiors, context, set follow-fork-mode",
    OPERANDS(JOB, 0, 1),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_inferior,
};
