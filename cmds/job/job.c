/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - `job run`, `info job`, `info hosts`. job_attach.c has `job attach`; job_life.c ends a
 * job.
 * Tests: tests/procs/jobs.sh, tests/e2e/wrong_jobs.ezt */
#include "cmds/job/jobs.h"

#include <stdio.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/environment.h"
#include "engine/base/installed.h"
#include "engine/base/strutil.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

static unsigned job_hosts(const struct ez_front *f)
{
    unsigned n = 0;
    for (size_t i = 0; i < f->roster.member.n; i++)
        n += f->roster.member.at[i].local == 0;
    return n;
}

void jobs_say(struct ez_sess *s, const char *how)
{
    size_t n = s->job->front->roster.member.n;
    unsigned hosts = job_hosts(s->job->front);
    out_line(s, "Job (%s): %zu process%s on %u host%s, %s.", s->job->what, n, n == 1 ? "" : "es",
             hosts, ez_plural(hosts), how);
}

/* ---- job run --------------------------------------------------------------------------------- */

/* Returns the directory and environment of the launcher (`set cwd`, `set environment`); its
 * processes inherit them. */
static struct ez_child_place job_place(struct ez_sess *s)
{
    const struct environment *own = environment_state(s);
    return (struct ez_child_place){ own->cwd, own->change.at, own->change.n };
}

/* Returns `word`; under `set cwd`, returns the absolute path if the word is the path of an existing
 * file, relative to the shell's directory. */
static char *job_program(struct ez_sess *s, char *word)
{
    if (!environment_state(s)->cwd || *word == '/' || !strchr(word, '/') || access(word, F_OK) < 0)
        return word;
    EZ_FREE char *here = getcwd(NULL, 0);
    return here ? (char *)sess_format(s, "%s/%s", here, word) : word;
}

static ez_err *job_launch(struct ez_sess *s, const struct job_line *line)
{
    EZ_FREE char *hold = ez_helper("eztsh-hold", "EZT_HOLD_PROGRAM");
    char *mid[] = { hold, "-job", s->job->front->token };
    struct ez_child_place place = job_place(s);
    EZ_VEC(char *) argv = { 0 };
    EZ_PUSH(&argv, job_program(s, line->launch[0]));
    for (char **w = line->launch + 1; *w; w++)
        EZ_PUSH(&argv, *w);
    EZ_APPEND(&argv, mid, EZ_ARRAY_LEN(mid));
    EZ_PUSH(&argv, job_program(s, line->prog[0]));
    for (char **w = line->prog + 1; *w; w++) {
        if (*w != jobs_held) {
            EZ_PUSH(&argv, *w);
            continue;
        }
        EZ_APPEND(&argv, mid, EZ_ARRAY_LEN(mid));
        EZ_PUSH(&argv, job_program(s, *++w));
    }
    EZ_PUSH(&argv, NULL);
    /* Without -batch, the shell reads commands from standard input, so the launcher must not. */
    ez_err *e = ez_front_launch(s->job->front, argv.at, s->batch, &place);
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
    EZ_TRY(jobs_find(s, EZ_MAX(line->np, 1u)));
    return jobs_bring(s, EZ_CLAIM_HELD);
}

const char *jobs_words_text(struct ez_sess *s, char **words)
{
    const char *text = "";
    for (; *words; words++)
        if (*words != jobs_held)
            text = sess_format(s, "%s%s%s", text, *text ? " " : "", *words);
    return text;
}

ez_err *jobs_launch_tree(struct ez_sess *s, const char *program)
{
    EZ_FREE char *hold = ez_helper("eztsh-hold", "EZT_HOLD_PROGRAM");
    EZ_FREE char *quoted = lex_sh_quote(program), *holder = lex_sh_quote(hold);
    char *argv[] = { "/bin/sh", "-c",
                     (char *)sess_format(s, "exec %s -job %s %s %s", holder, s->job->front->token,
                                         quoted, s->ui.args),
                     NULL };
    struct ez_child_place place = job_place(s);
    /* true: the launcher may read standard input, as the program of `run` may */
    EZ_TRY(ez_front_launch(s->job->front, argv, true, &place));
    EZ_TRY(jobs_find(s, 1));
    return jobs_bring(s, EZ_CLAIM_HELD);
}

static ez_err *job_begin_run(struct ez_sess *s, const struct job_line *line)
{
    const char *what = sess_format(s, "%s%s%s", jobs_words_text(s, line->launch),
                                   *line->launch ? " " : "", jobs_words_text(s, line->prog));
    EZ_TRY(jobs_begin(s, what, false));
    ez_err *e = job_hold_all(s, line);
    if (e)
        jobs_end(s); /* kills the processes of a launch that failed half-way */
    return e;
}

const struct ez_cmd command_job = {
    .name = "job",
    .usage = "run|attach|detach|kill|reattach ...",
    .brief = "Control many processes, such as an MPI job, at one prompt.",
    .help = "Each process of a job has its own eztsh. A daemon on each host controls them.\n"
            "Commands about programs, probes and data act on all processes, or on those of\n"
            "\"-c CONTEXT\" or \"context use\".\n"
            "\n"
            "Equal answers are printed once, as \"[0-41,43] TEXT\". If there are more than 16\n"
            "different answers, only some are printed; -each prints all. A failure is\n"
            "printed with the processes and the reason. With -atomic, if some processes\n"
            "fail, the others undo the command: \"enable\", \"disable\", \"module load\", or a\n"
            "command that makes probes, breakpoints, aggregates, replacements or\n"
            "specifications. \"continue\" waits for all processes. Ctrl-C interrupts them.",
    .examples = "job run -np 16 ./app\n"
                "probe exchange\n"
                "probe -c 0 write_results\n"
                "continue\n"
                "stats -by process",
    .see_also = "context, info job, aggregate, set follow-fork-mode",
    OPERANDS(JOB, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};

static ez_err *cmd_job_run(struct ez_sess *s, int argc, char **argv)
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
        jobs_say(s, "held before main");
    return e;
}

const struct ez_cmd command_job_run = {
    .parent = "job",
    .name = "run",
    .usage = "OPTION... PROG [ARGS]",
    .brief = "Start a job, each process held before main.",
    .help = "The launcher is mpirun unless -launcher CMD names another: mpiexec,\n"
            "mpiexec.hydra, srun or your own command. CMD is one program without options;\n"
            "use \"set environment\" instead of env. The OPTIONs are those of the launcher.\n"
            "Each process is held before its program has called a function, so that probes\n"
            "see the first call. If the launcher starts several programs (\"A : B\"), eztsh\n"
            "holds the processes of each.\n"
            "\n"
            "One daemon runs, on this host. If the OPTIONs name hosts, the same launcher\n"
            "starts a daemon on each of these hosts instead. Under Slurm the daemons are a\n"
            "step of the job (srun --overlap), one on each node. -daemons N starts N\n"
            "daemons, under MPI.",
    .examples = "job run -np 4 ./app 1000\n"
                "job run -launcher srun -N 2 -np 64 ./app\n"
                "job run -launcher mpiexec.hydra -hosts node1,node2 -np 64 ./app",
    .see_also = "job, job attach, continue",
    OPERANDS(JOB, 0, 1),
    .flags = RAW | NO_REPEAT,
    .fn = cmd_job_run,
    .complete = comp_file,
};

/* ---- state of the job ------------------------------------------------------------------------ */

static const char *job_state(struct ez_sess *s, const struct ez_member *m)
{
    const char *name = ez_member_state_name(m->state);
    return m->state == EZ_MEMBER_EXITED && m->status && !s->run.json
               ? sess_format(s, "%s %d", name, m->status)
               : name;
}

static ez_err *cmd_info_job(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    EZ_TRY(jobs_need(s));
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
                job_state(s, m), m->program, s->run.json ? status : "", NULL);
    }
    if (!s->run.json) {
        jobs_say(s, sess_format(s, "%u daemon%s", f->out < 0 ? 0 : f->nodes, ez_plural(f->nodes)));
        out_line(s, "Token: %s", f->token);
    }
    out_table_end(&t, "No processes.");
    return NULL;
}

const struct ez_cmd command_info_job = {
    .parent = "info",
    .name = "job",
    .usage = "",
    .brief = "Show the processes of the job: host, pid, state, program.",
    .help = "The command also prints the token of the job. With the token, another eztsh\n"
            "can attach to the job: \"job attach -token TOKEN\".",
    .examples = "info job",
    .see_also = "job, info hosts, info contexts",
    OPERANDS(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_job,
};

static ez_err *cmd_info_hosts(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    EZ_TRY(jobs_need(s));
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

const struct ez_cmd command_info_hosts = {
    .parent = "info",
    .name = "hosts",
    .usage = "",
    .brief = "Show the daemons of the job, with hosts and processes.",
    .examples = "info hosts",
    .see_also = "job, info job",
    OPERANDS(JOB, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_hosts,
};
