/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - `job run|attach`, `info job`, `info hosts`. */
#include "cmds/jobs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "engine/base/helper.h"
#include "engine/base/strutil.h"
#include "engine/jobs/crew.h"
#include "engine/jobs/mpir.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- members come under drivers --------------------------------------------------------------------- */

ez_err *jobs_hello(struct ez_sess *s)
{
    struct ez_front *f = s->job->front;
    struct ez_reply r;
    long id;
    struct json_object *o = json_object_new_object();
    ez_json_put_int(o, "ms", 60000); /* a launcher may need a while */
    EZ_TRY(ez_front_ask(f, "hello", o, &id));
    EZ_TRY(jobs_await(s, id, &r));
    ez_front_nodes(f, &r);
    ez_reply_free(&r);
    return jobs_clocks(s);
}

ez_err *jobs_launch_failed(struct ez_sess *s)
{
    return ez_err_new(EZ_E_GONE, 0, "%s ended with status %d before its processes began.",
                      s->job->what, s->job->front->launcher_status);
}

ez_err *jobs_find(struct ez_sess *s, pid_t launcher, unsigned want)
{
    struct ez_front *f = s->job->front;
    uint64_t left = want ? 3000 : 1; /* tries: of 20 ms and more */
    if (!f->nodes)
        EZ_TRY(jobs_hello(s));
    for (size_t found = f->roster.member.n; left--;) {
        struct json_object *o = json_object_new_object();
        struct ez_reply r;
        long id;
        if (launcher)
            ez_json_put_int(o, "launcher", launcher);
        else
            ez_json_put_text(o, "token", f->token);
        EZ_TRY(ez_front_ask(f, "find", o, &id));
        EZ_TRY(jobs_await(s, id, &r));
        found += ez_front_found(f, &r);
        ez_reply_free(&r);
        if (found >= (want ? EZ_MAX(want, f->size) : 0))
            return NULL;
        if (f->launcher && ez_front_launcher_ended(f))
            return jobs_launch_failed(s);
        if (!sess_sleep(s, 20))
            return ez_err_new(EZ_E_QUIT, 0, "Quit");
    }
    return want ? ez_err_new(EZ_E_TIMEOUT, 0, "%zu of %u processes were found within a minute.",
                             f->roster.member.n, EZ_MAX(want, f->size))
                : NULL;
}

ez_err *jobs_bring(struct ez_sess *s, bool blind)
{
    struct ez_front *f = s->job->front;
    struct ez_ranks those;
    struct ez_reply r;
    long id;
    ez_roster_in(&f->roster, 1u << (blind ? EZ_MEMBER_BLIND : EZ_MEMBER_HELD), &those);
    ez_err *e = those.span.n ? ez_front_take(f, &those, blind, "", &id) : NULL;
    if (!e && those.span.n)
        e = jobs_await(s, id, &r);
    if (!e && those.span.n) {
        e = blind ? jobs_print(s, &r, true) : jobs_print_failed(s, &r);
        ez_reply_free(&r);
    }
    ez_ranks_free(&those);
    return e;
}

static unsigned job_hosts(const struct ez_front *f)
{
    unsigned n = 0;
    for (size_t i = 0; i < f->roster.member.n; i++)
        n += f->roster.member.at[i].local == 0;
    return n;
}

static void job_say(struct ez_sess *s, const char *how)
{
    size_t n = s->job->front->roster.member.n;
    unsigned hosts = job_hosts(s->job->front);
    out_line(s, "Job (%s): %zu process%s on %u host%s, %s.", s->job->what, n, n == 1 ? "" : "es",
             hosts, hosts == 1 ? "" : "s", how);
}

/* ---- job run ------------------------------------------------------------------------------------------ */

static ez_err *job_launch(struct ez_sess *s, const struct job_line *line)
{
    EZ_FREE char *hold = ez_helper("eztsh-hold", "EZT_HOLD_PROGRAM");
    char *mid[] = { hold, "-job", s->job->front->token, NULL };
    char *const *part[] = { line->launch, mid, line->prog };
    EZ_VEC(char *) argv = { 0 };
    for (size_t i = 0; i < EZ_ARRAY_LEN(part); i++)
        for (char *const *w = part[i]; *w; w++)
            EZ_PUSH(&argv, *w);
    EZ_PUSH(&argv, NULL);
    ez_err *e =
        ez_front_launch(s->job->front, argv.at, s->batch); /* else commands come from there */
    EZ_VEC_FREE(&argv);
    return e;
}

static ez_err *job_hold_all(struct ez_sess *s, const struct job_line *line)
{
    if (!line->srun)
        EZ_TRY(jobs_daemons(s, jobs_copy(line->tool)));
    EZ_TRY(job_launch(s, line));
    if (line->srun)
        EZ_TRY(jobs_slurm_daemons(s, line));
    EZ_TRY(jobs_find(s, 0, EZ_MAX(line->np, 1u)));
    return jobs_bring(s, false);
}

static const char *job_words_text(struct ez_sess *s, char **words)
{
    const char *text = "";
    for (; *words; words++)
        text = sess_format(s, "%s%s%s", text, *text ? " " : "", *words);
    return text;
}

char **jobs_copy(char *const *words)
{
    size_t n = 0;
    if (!words)
        return NULL;
    while (words[n])
        n++;
    char **copy = ez_alloc((n + 1) * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = ez_strdup(words[i]);
    return copy;
}

ez_err *jobs_launch_tree(struct ez_sess *s, const char *program)
{
    EZ_FREE char *hold = ez_helper("eztsh-hold", "EZT_HOLD_PROGRAM");
    EZ_FREE char *quoted = lex_sh_quote(program), *holder = lex_sh_quote(hold);
    char *argv[] = { "/bin/sh", "-c",
                     (char *)sess_format(s, "exec %s -job %s %s %s", holder, s->job->front->token,
                                         quoted, s->ui.args),
                     NULL };
    EZ_TRY(ez_front_launch(s->job->front, argv, true)); /* as `run` */
    EZ_TRY(jobs_find(s, 0, 1));
    return jobs_bring(s, false);
}

static ez_err *job_begin_run(struct ez_sess *s, const struct job_line *line)
{
    const char *what = sess_format(s, "%s%s%s", job_words_text(s, line->launch),
                                   *line->launch ? " " : "", job_words_text(s, line->prog));
    EZ_TRY(jobs_begin(s, what, false));
    ez_err *e = job_hold_all(s, line);
    if (e)
        jobs_end(s); /* a launch that failed half way leaves no process behind */
    return e;
}

ez_err *cmd_job_run(struct ez_sess *s, int argc, char **argv)
{
    struct job_line line;
    char **words;
    int n;
    EZ_TRY(lex_words(argc > 1 ? argv[1] : "", &words, &n));
    ez_err *e = n ? job_line(s, words, n, &line) : opt_misuse(s);
    if (!e)
        e = job_begin_run(s, &line);
    lex_free(words);
    if (!e)
        job_say(s, "held before main");
    return e;
}

/* ---- job attach ------------------------------------------------------------------------------------------- */

ez_err *jobs_add_pid(struct ez_sess *s, pid_t pid)
{
    struct ez_front *f = s->job->front;
    char real[4096];
    ssize_t n = readlink(sess_format(s, "/proc/%d/exe", (int)pid), real, sizeof real - 1);
    real[n > 0 ? n : 0] = 0;
    struct json_object *list = json_object_new_array(), *o = json_object_new_object();
    struct ez_reply r = { .members = list };
    ez_json_put_int(o, "pid", pid);
    ez_json_put_text(o, "host", f->host.n ? f->host.at[0] : "");
    ez_json_put_text(o, "program", real);
    json_object_array_add(list, o);
    size_t fresh = ez_front_found(f, &r);
    ez_reply_free(&r);
    return fresh ? NULL : ez_err_new(EZ_E_ARG, 0, "Process %d is named twice.", (int)pid);
}

static ez_err *job_add_list(struct ez_sess *s, const char *text, const char *where)
{
    EZ_FREE char *copy = ez_strdup(text);
    for (char *rest = copy, *word; (word = strsep(&rest, " \t\r\n,"));) {
        uint64_t pid;
        if (!*word)
            continue;
        if (!ez_err_drop(parse_count(word, "a process id", &pid)) || !pid || pid > INT32_MAX)
            return ez_err_new(EZ_E_ARG, 0, "%s: \"%s\" is no process id.", where, word);
        EZ_TRY(jobs_add_pid(s, (pid_t)pid));
    }
    return NULL;
}

static ez_err *job_add_file(struct ez_sess *s, const char *path)
{
    size_t n;
    EZ_FREE char *text = ez_str_load(path, 1 << 20, &n);
    if (!text)
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s", path);
    return job_add_list(s, text, path);
}

struct job_pids {
    EZ_VEC(pid_t) v;
};

static void job_note_pid(pid_t pid, void *arg)
{
    struct job_pids *p = arg;
    EZ_PUSH(&p->v, pid);
}

static ez_err *job_add_matching(struct ez_sess *s, const char *pattern)
{
    struct job_pids pid = { .v = { 0 } };
    ez_err *e = ez_crew_matching(pattern, job_note_pid, &pid);
    for (size_t i = 0; !e && i < pid.v.n; i++)
        e = jobs_add_pid(s, pid.v.at[i]);
    if (!e && !pid.v.n)
        e = ez_err_hint(
            ez_err_new(EZ_E_NOTFOUND, 0, "No process of yours matches \"%s\".", pattern),
            "the expression is about their command lines, as pgrep -f has it");
    EZ_VEC_FREE(&pid.v);
    return e;
}

static ez_err *job_ask_table(struct ez_sess *s, const struct ez_mpir *m)
{
    struct json_object *o = json_object_new_object(), *table = json_object_new_array();
    struct ez_reply r;
    long id;
    for (size_t i = 0; i < m->rank.n; i++) {
        struct json_object *one = json_object_new_array();
        json_object_array_add(one, json_object_new_int64((int64_t)i));
        json_object_array_add(one, json_object_new_int64(m->rank.at[i].pid));
        json_object_array_add(table, one);
    }
    json_object_object_add(o, "table", table);
    EZ_TRY(ez_front_ask(s->job->front, "find", o, &id));
    EZ_TRY(jobs_await(s, id, &r));
    size_t found = ez_front_found(s->job->front, &r);
    ez_reply_free(&r);
    if (found < m->rank.n)
        out_warning(s, "%zu of %zu ranks were found: no daemon is on the others' hosts.", found,
                    m->rank.n);
    return NULL;
}

/* The launcher's table has all ranks, wherever they are; where there is none, ranks are found below it, on this host. */
static ez_err *job_by_launcher(struct ez_sess *s, pid_t launcher)
{
    struct ez_mpir m;
    if (!ez_err_drop(ez_mpir_read(launcher, &m)))
        return jobs_find(s, launcher, 0);
    ez_err *e = job_ask_table(s, &m);
    ez_mpir_free(&m);
    return e;
}

static ez_err *job_members_to_attach(struct ez_sess *s, int argc, char **argv)
{
    const char *token = opt_text(s, "-token"), *pids = opt_text(s, "-pids"),
               *pgrep = opt_text(s, "-pgrep");
    uint64_t launcher = 0;
    EZ_TRY(jobs_hello(s));
    if (token) {
        free(s->job->front->token);
        s->job->front->token = ez_strdup(token);
        return jobs_find(s, 0, 0);
    }
    if (pids)
        return job_add_file(s, pids);
    if (pgrep)
        return job_add_matching(s, pgrep);
    if (argc > 2)
        return job_add_list(s, job_words_text(s, argv + 1), "job attach");
    EZ_TRY(parse_count(argv[1], "a process id", &launcher));
    return job_by_launcher(s, (pid_t)launcher);
}

/* On which hosts daemons are started: -daemons has the launcher's words; of srun it is known. */
static ez_err *job_tool_of(struct ez_sess *s, int argc, char **argv, char ***out)
{
    const char *text = opt_text(s, "-daemons");
    char **words;
    int n;
    *out = NULL;
    if (!text && argc == 2)
        *out = jobs_slurm_of(s, (pid_t)atoi(argv[1]));
    else if (!text && opt_given(s, "-token"))
        *out = jobs_copy(jobs_slurm_allocation(s, 0));
    if (!text)
        return NULL;
    EZ_TRY(lex_words(text, &words, &n));
    if (n)
        *out = jobs_copy(words);
    lex_free(words);
    return n ? NULL
             : ez_err_new(EZ_E_ARG, 0, "-daemons is followed by a launcher and its options.");
}

ez_err *cmd_job_attach(struct ez_sess *s, int argc, char **argv)
{
    bool other = opt_given(s, "-token") || opt_given(s, "-pids") || opt_given(s, "-pgrep");
    char **tool;
    if ((argc < 2) != other)
        return opt_misuse(s);
    EZ_TRY(jobs_begin(s, argc > 1 ? argv[1] : "attached", false));
    s->job->front->attached = true;
    ez_err *e = job_tool_of(s, argc, argv, &tool);
    if (!e)
        e = jobs_daemons(s, tool);
    if (!e)
        e = job_members_to_attach(s, argc, argv);
    if (!e && !s->job->front->roster.member.n)
        e = ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No process of such a job is on this host."),
                        "give the process id of mpirun, mpiexec or srun, or -pids FILE");
    if (!e)
        e = jobs_bring(s, false);
    if (e) {
        jobs_end(s);
        return e;
    }
    job_say(s, "stopped");
    return NULL;
}

/* ---- what there is ---------------------------------------------------------------------------------------------- */

bool jobs_any_live(const struct ez_sess *s)
{
    for (size_t i = 0; s->job && i < s->job->front->roster.member.n; i++)
        if (1u << s->job->front->roster.member.at[i].state &
            (EZ_MEMBER_LIVE | 1u << EZ_MEMBER_HELD | 1u << EZ_MEMBER_BLIND))
            return true;
    return false;
}

bool jobs_launched(const struct ez_sess *s)
{
    return s->job && s->job->front->launcher && !s->job->front->attached;
}

static const char *job_state(struct ez_sess *s, const struct ez_member *m)
{
    const char *name = ez_member_state_name(m->state);
    return m->state == EZ_MEMBER_EXITED && m->status && !s->json
               ? sess_format(s, "%s %d", name, m->status)
               : name;
}

ez_err *cmd_info_job(struct ez_sess *s, int argc, char **argv)
{
    struct ez_ranks all;
    struct out_table t;
    EZ_TRY(jobs_ranks(s, "all", &all));
    ez_ranks_free(&all);
    struct ez_front *f = s->job->front;
    ez_front_launcher_ended(f);
    out_table_init(&t, s, ">Rank", "~Host", ">Pid", "State", "~Program", "", NULL);
    out_table_keys(&t, "job", "rank# host pid# state program status#");
    out_fact(&t, "job", s->job->what);
    out_fact(&t, "token", f->token);
    out_fact(&t, "daemons#", sess_format(s, "%u", f->out < 0 ? 0 : f->nodes));
    for (size_t i = 0; i < f->roster.member.n; i++) {
        const struct ez_member *m = &f->roster.member.at[i];
        const char *status = m->state == EZ_MEMBER_EXITED ? sess_format(s, "%d", m->status) : "";
        out_row(&t, sess_format(s, "%u", m->rank), m->host, sess_format(s, "%d", (int)m->pid),
                job_state(s, m), m->program, s->json ? status : "", NULL);
    }
    if (!s->json) {
        job_say(s,
                sess_format(s, "%u daemon%s", f->out < 0 ? 0 : f->nodes, f->nodes == 1 ? "" : "s"));
        out_line(s, "Token: %s", f->token);
    }
    out_table_end(&t, "No processes.");
    return NULL;
}

ez_err *cmd_info_hosts(struct ez_sess *s, int argc, char **argv)
{
    struct ez_ranks all;
    struct out_table t;
    EZ_TRY(jobs_ranks(s, "all", &all));
    ez_ranks_free(&all);
    const struct ez_front *f = s->job->front;
    out_table_init(&t, s, ">Daemon", "~Host", ">Processes", "~Ranks", NULL);
    out_table_keys(&t, "hosts", "daemon# host processes# ranks");
    for (size_t i = 0; i < f->host.n; i++) {
        struct ez_ranks mine = { 0 };
        for (size_t k = 0; k < f->roster.member.n; k++)
            if (f->roster.member.at[k].node == i)
                ez_ranks_add(&mine, f->roster.member.at[k].rank, f->roster.member.at[k].rank);
        EZ_FREE char *text = ez_ranks_text(&mine);
        out_row(&t, sess_format(s, "%zu", i), f->host.at[i],
                out_cell_count(s, ez_ranks_count(&mine)), text, NULL);
        ez_ranks_free(&mine);
    }
    out_table_end(&t, "No daemons.");
    return NULL;
}
