/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_start.c - the command line of a launcher: where its options end, and the program begins; and how daemons are
 * started on the same hosts.
 *
 *   [-launcher CMD] [-daemons N] LAUNCHER-OPTIONS [--] PROG ARGS
 *
 * Options of Open MPI's mpirun, of hydra's mpiexec and of srun (job_slurm.c) that take a value are known; for others there is
 * "--". */
#include "cmds/jobs.h"

#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/sess.h"

/* `hosts`: it says where processes run, so that daemons are to be started by it, too. */
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

/* Our own options, in front of all. */
static ez_err *job_own_options(struct ez_sess *s, char **words, int n, int *i,
                               const char **launcher, uint64_t *daemons)
{
    for (; *i + 1 < n; *i += 2) {
        if (!strcmp(words[*i], "-launcher") || !strcmp(words[*i], "--launcher"))
            *launcher = words[*i + 1];
        else if (!strcmp(words[*i], "-daemons") || !strcmp(words[*i], "--daemons"))
            EZ_TRY(parse_count(words[*i + 1], "a number of daemons", daemons));
        else
            return NULL;
    }
    return NULL;
}

static char **job_array(struct ez_sess *s, size_t n)
{
    return (char **)sess_keep(s, ez_alloc((n + 1) * sizeof(char *)));
}

/* How the daemons of a job are started: the launcher with the options about hosts, one a host or as many as are
 * asked for. */
static char **job_tool(struct ez_sess *s, const char *launcher, char **words, int from, int to,
                       uint64_t daemons)
{
    char **tool = job_array(s, (size_t)(to - from) + 8);
    size_t n = 0;
    bool hydra = strstr(launcher, "hydra") || strstr(launcher, "mpich");
    tool[n++] = (char *)launcher;
    for (int i = from; i < to;) {
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

/* Of mpirun and mpiexec: where their options end; how many processes, and whether they say on which hosts. */
static ez_err *job_options(char **words, int n, int *i, uint64_t *np, bool *hosts)
{
    while (*i < n && *words[*i] == '-' && strcmp(words[*i], "--")) {
        const struct value_option *o = job_option(words[*i]);
        if (o && *i + o->values >= n)
            return ez_err_new(EZ_E_ARG, 0, "%s needs a value.", words[*i]);
        bool counts =
            o && (!strcmp(o->name, "np") || !strcmp(o->name, "n") || !strcmp(o->name, "c"));
        if (counts)
            EZ_TRY(parse_count(words[*i + 1], "a number of processes", np));
        if (counts && !*np) /* launchers differ in what they make of that */
            return ez_err_new(EZ_E_ARG, 0, "A job has one process at least.");
        *hosts |= o && o->hosts && strcmp(o->name, "mca");
        *i += 1 + (o ? o->values : 0);
    }
    return NULL;
}

/* Of srun, which knows no -np: -n. */
static void job_srun_options(struct ez_sess *s, char **words, int n, int *i)
{
    for (; *i < n && *words[*i] == '-' && strcmp(words[*i], "--");
         *i += 1 + jobs_srun_values(s, words[*i]))
        if (!strcmp(words[*i], "-np"))
            words[*i][2] = 0;
}

ez_err *job_line(struct ez_sess *s, char **words, int n, struct job_line *out)
{
    const char *launcher = "mpirun";
    uint64_t np = 0;
    int i = 0;
    bool hosts = false;
    *out = (struct job_line){ .np = 0 };
    EZ_TRY(job_own_options(s, words, n, &i, &launcher, &out->daemons));
    int from = i;
    out->srun = strstr(launcher, "srun");
    if (out->srun)
        job_srun_options(s, words, n, &i);
    else
        EZ_TRY(job_options(words, n, &i, &np, &hosts));
    int to = EZ_MIN(i, n);
    i += i < n && !strcmp(words[i], "--");
    if (i >= n)
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "No program is named."),
            "job run -np 4 ./app; \"--\" stands between unusual options and the program");
    out->launch = job_array(s, (size_t)(to - from) + 1);
    out->launch[0] = (char *)sess_format(s, "%s", launcher);
    memcpy(out->launch + 1, words + from, (size_t)(to - from) * sizeof *words);
    out->prog = job_array(s, (size_t)(n - i));
    memcpy(out->prog, words + i, (size_t)(n - i) * sizeof *words);
    out->np = (unsigned)np;
    if (!out->srun && strstr(launcher, "mpi"))
        out->tool = jobs_slurm_allocation(s, out->daemons);
    if (!out->srun && !out->tool && (out->daemons || hosts))
        out->tool = job_tool(s, out->launch[0], words, from, to, out->daemons);
    return NULL;
}
