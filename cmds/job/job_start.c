/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_start.c - parses the command line of a launcher: the end of its options, and the programs.
 * Derives the command that starts daemons on the same hosts.
 *
 *   LAUNCHER-OPTIONS [--] PROG ARGS [: LAUNCHER-OPTIONS [--] PROG ARGS]...
 *
 * eztsh's own options, [-launcher CMD] [-daemons N], may be anywhere among the launcher's. Options
 * with a value are known for Open MPI's mpirun, hydra's mpiexec and srun (job_slurm.c); for other
 * launchers, use "--".
 * Tests: tests/procs/jobs.sh, tests/e2e/wrong_jobs.ezt, tests/procs/job_mpi.sh */
#include "cmds/job/jobs.h"

#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/sess.h"

char jobs_held[] = "";

/* Options with values. `hosts`: the option selects hosts, so it also applies to the daemons. */
static const struct value_option {
    const char *name;
    int values;
    bool hosts;
} value_options[] = {
    { "np", 1, false },         { "n", 1, false },          { "c", 1, false },
    { "H", 1, true },           { "host", 1, true },        { "hosts", 1, true },
    { "hostfile", 1, true },    { "machinefile", 1, true }, { "f", 1, true },
    { "stdin", 1, false },      { "timeout", 1, false },    { "N", 1, true },
    { "map-by", 1, false },     { "bind-to", 1, false },    { "rank-by", 1, false },
    { "x", 1, false },          { "mca", 2, true },         { "gmca", 2, true },
    { "wdir", 1, false },       { "wd", 1, false },         { "prefix", 1, true },
    { "ppn", 1, false },        { "launcher", 1, true },    { "launcher-exec", 1, true },
    { "iface", 1, true },       { "genv", 2, false },       { "env", 2, false },
    { "envlist", 1, false },    { "genvlist", 1, false },   { "rmk", 1, true },
    { "p", 1, true },           { "A", 1, true },           { "output-filename", 1, false },
    { "tag-output", 0, false }, { "npernode", 1, false },   { "pernode", 0, false },
};

static const struct value_option *job_option(const char *word)
{
    if (*word != '-' || !word[1])
        return NULL;
    const char *name = word + 1 + (word[1] == '-');
    for (size_t i = 0; i < EZ_ARRAY_LEN(value_options); i++)
        if (!strcmp(value_options[i].name, name))
            return &value_options[i];
    return NULL;
}

/* Returns how many of the words after an option of the launcher are its values. */
static int job_option_values(struct ez_sess *s, const char *word, bool srun)
{
    const struct value_option *o = srun ? NULL : job_option(word);
    return srun ? jobs_srun_values(s, word) : o ? o->values : 0;
}

/* Returns true if words[i] is eztsh's own option `name`, and words[i + 1] its value. */
static bool job_own(char **words, int n, int i, const char *name)
{
    const char *word = words[i] + (words[i][0] == '-' && words[i][1] == '-');
    return i + 1 < n && !strcmp(word, name);
}

/* Returns true if the launcher's name contains "srun": srun, or a program that wraps it. */
static bool job_is_srun(const char *launcher)
{
    return strstr(ez_base_name(launcher), "srun");
}

/* Removes eztsh's own options from the launcher's words; *n words remain. A first `-launcher` is
 * parsed before all others, because it decides which options exist. hydra also has an option
 * -launcher: the second one is hydra's. */
static ez_err *job_own_options(struct ez_sess *s, char **words, int *n, const char **launcher,
                               uint64_t *daemons)
{
    bool known = false;
    for (int i = 0; i < *n && *words[i] == '-' && strcmp(words[i], "--");) {
        const bool cmd = !known && job_own(words, *n, i, "-launcher"),
                   count = job_own(words, *n, i, "-daemons");
        if (!cmd && !count) {
            i += 1 + job_option_values(s, words[i], known && job_is_srun(*launcher));
            continue;
        }
        known |= cmd;
        *launcher = cmd ? words[i + 1] : *launcher;
        if (count)
            EZ_TRY(parse_count(words[i + 1], "a number of daemons", daemons));
        char *used[2] = { words[i], words[i + 1] };
        memmove(words + i, words + i + 2, (size_t)(*n - i - 2) * sizeof *words);
        *n -= 2;
        /* The two words move behind the remaining words, so that the caller frees them. */
        memcpy(words + *n, used, sizeof used);
    }
    return NULL;
}

static char **job_array(struct ez_sess *s, size_t n)
{
    return (char **)sess_keep(s, ez_alloc((n + 1) * sizeof(char *)));
}

/* Returns the command that starts the daemons of a job: the launcher with those of its options that
 * select hosts. It starts `daemons` daemons; if that is 0, one on each host. */
static char **job_tool(struct ez_sess *s, const char *launcher, char **words, int to,
                       uint64_t daemons)
{
    char **tool = job_array(s, (size_t)to + 8);
    size_t n = 0;
    bool hydra = strstr(launcher, "hydra") || strstr(launcher, "mpich");
    tool[n++] = (char *)launcher;
    for (int i = 0; i < to;) {
        const struct value_option *o = job_option(words[i]);
        int count = 1 + (o ? o->values : 0);
        for (int k = 0; k < count && i + k < to && (!o || o->hosts); k++)
            tool[n++] = words[i + k];
        i += count;
    }
    if (daemons) {
        if (!hydra)
            tool[n++] = "--oversubscribe";
        tool[n++] = "-np";
        tool[n++] = (char *)sess_format(s, "%llu", (unsigned long long)daemons);
    } else if (hydra) {
        tool[n++] = "-ppn";
        tool[n++] = "1";
    } else {
        tool[n++] = "--map-by";
        tool[n++] = "ppr:1:node";
    }
    return tool;
}

/* Finds the end of the options of mpirun and mpiexec, the number of processes, and whether options
 * select hosts. */
static ez_err *job_options(char **words, int n, int *i, uint64_t *np, bool *hosts)
{
    while (*i < n && *words[*i] == '-' && strcmp(words[*i], "--")) {
        const struct value_option *o = job_option(words[*i]);
        if (o && *i + o->values >= n)
            return ez_err_new(EZ_E_ARG, 0, "%s needs a value", words[*i]);
        bool counts =
            o && (!strcmp(o->name, "np") || !strcmp(o->name, "n") || !strcmp(o->name, "c"));
        if (counts)
            EZ_TRY(parse_count(words[*i + 1], "a number of processes", np));
        if (counts && !*np) /* 0 means different things to different launchers */
            return ez_err_new(EZ_E_ARG, 0, "A job needs at least one process");
        *hosts |= o && o->hosts && strcmp(o->name, "mca");
        *i += 1 + (o ? o->values : 0);
    }
    return NULL;
}

/* Finds the end of the options of srun. Replaces -np, which srun does not have, by -n. */
static void job_srun_options(struct ez_sess *s, char **words, int n, int *i)
{
    for (; *i < n && *words[*i] == '-' && strcmp(words[*i], "--");
         *i += 1 + jobs_srun_values(s, words[*i]))
        if (!strcmp(words[*i], "-np"))
            words[*i][2] = 0;
}

/* Returns true if ":" separates programs, each with its options, for this launcher. */
static bool job_has_blocks(const char *launcher)
{
    static const char *const part[] = { "mpi", "hydra", "orterun", "prte", "prun" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(part); i++)
        if (strstr(ez_base_name(launcher), part[i]))
            return true;
    return false;
}

/* Returns the error for the word that makes it impossible to hold the programs before main: a
 * program must follow the options directly, and be named there. */
static ez_err *job_not_held(const char *word)
{
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "%s: eztsh cannot tell which programs to hold before main", word),
        "Start them without eztsh, then type \"job attach PID\" with the launcher's process id");
}

static ez_err *job_check_held(char **words, int from, int to, int n, bool srun)
{
    static const char *const file[] = { "app", "configfile", "multi-prog" };
    for (int i = from; i < to; i++) {
        const char *name = words[i] + 1 + (words[i][0] == '-' && words[i][1] == '-');
        for (size_t k = 0; k < EZ_ARRAY_LEN(file) && *words[i] == '-'; k++)
            if (!strncmp(name, file[k], strlen(file[k])) && strchr("=", name[strlen(file[k])]))
                return job_not_held(words[i]);
    }
    for (int i = from; i < n && srun; i++)
        if (!strcmp(words[i], ":"))
            return job_not_held("srun ... : ...");
    return NULL;
}

/* Parses the program and its arguments, and further programs after ":". *np: number of processes of
 * all programs. */
static ez_err *job_programs(struct ez_sess *s, char **words, int n, bool blocks, uint64_t *np,
                            char ***out)
{
    char **to = *out = job_array(s, 2 * (size_t)n);
    for (int i = 0; i < n;) {
        uint64_t more = 0;
        bool hosts = false;
        *to++ = words[i++];
        if (!blocks || strcmp(to[-1], ":"))
            continue;
        int from = i;
        EZ_TRY(job_options(words, n, &i, &more, &hosts));
        if (hosts) /* a later program's own hosts would have no daemon */
            return job_not_held(": -host ...");
        EZ_TRY(job_check_held(words, from, EZ_MIN(i, n), n, false));
        while (from < EZ_MIN(i, n))
            *to++ = words[from++];
        i += i < n && !strcmp(words[i], "--");
        if (i >= n)
            return ez_err_new(EZ_E_ARG, 0, "The name of a program must follow \":\"");
        *np = EZ_MAX(*np, (uint64_t)1) + EZ_MAX(more, (uint64_t)1);
        *to++ = jobs_held;
        *to++ = words[i++];
    }
    *to = NULL;
    return NULL;
}

ez_err *job_line(struct ez_sess *s, char **words, int n, struct job_line *out)
{
    const char *launcher = "mpirun";
    uint64_t np = 0;
    int i = 0;
    bool hosts = false;
    *out = (struct job_line){ .np = 0 };
    EZ_TRY(job_own_options(s, words, &n, &launcher, &out->daemons));
    out->srun = job_is_srun(launcher);
    if (out->srun)
        job_srun_options(s, words, n, &i);
    else
        EZ_TRY(job_options(words, n, &i, &np, &hosts));
    int to = EZ_MIN(i, n);
    bool blocks = !out->srun && job_has_blocks(launcher);
    if (out->srun || blocks) /* eztsh knows for these launchers which words start programs. */
        EZ_TRY(job_check_held(words, 0, to, n, out->srun));
    i += i < n && !strcmp(words[i], "--");
    if (i >= n)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "The command does not name the program to start"),
            "Write for example \"job run -np 4 ./app\"; write \"--\" between options that eztsh "
            "does not know and the program");
    out->launch = job_array(s, (size_t)to + 1);
    out->launch[0] = (char *)sess_format(s, "%s", launcher);
    memcpy(out->launch + 1, words, (size_t)to * sizeof *words);
    EZ_TRY(job_programs(s, words + i, n - i, blocks, &np, &out->prog));
    out->np = (unsigned)np;
    if (!out->srun && strstr(launcher, "mpi"))
        out->tool = jobs_slurm_allocation(s, out->daemons);
    if (!out->srun && !out->tool && (out->daemons || hosts))
        out->tool = job_tool(s, out->launch[0], words, to, out->daemons);
    return NULL;
}
