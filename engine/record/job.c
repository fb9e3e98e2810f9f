/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.c - finds the rank of a process in the environment that its launcher made (job.h). */
#include "engine/record/job.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/strutil.h"

enum { MOST = 4 << 20 }; /* maximum number of bytes that are read of an environment */

static const struct launcher {
    const char *rank, *size, *job, *also, *step;
} launchers[] = {
    { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
      NULL },
    { "PMIX_RANK", "PMIX_SIZE", "PMIX_NAMESPACE", NULL, NULL },
    { "PMI_RANK", "PMI_SIZE", "PMI_JOBID", NULL, NULL },
    { "SLURM_PROCID", "SLURM_NTASKS", NULL, NULL, NULL },
};

/* Returns the value of the variable `name`, or NULL if there is no such variable. Ignores a
 * variable that does not end with a byte 0. */
static const char *job_value(const char *env, size_t n, const char *name)
{
    size_t len = strlen(name);
    const char *end;
    for (const char *p = env; (end = memchr(p, 0, (size_t)(env + n - p))); p = end + 1)
        if (!strncmp(p, name, len) && p[len] == '=')
            return p + len + 1;
    return NULL;
}

/* Parses a decimal number below EZ_NO_RANK. Returns false for any other text, and for NULL. */
static bool job_number(const char *text, uint32_t *out)
{
    uint64_t v = 0;
    if (!text || !*text || strlen(text) > 10 || text[strspn(text, "0123456789")])
        return false;
    for (; *text; text++)
        v = v * 10 + (uint64_t)(*text - '0');
    *out = (uint32_t)v;
    return v < EZ_NO_RANK;
}

/* Names the job. The launcher's own name of the job is used first, because one allocation of Slurm
 * may have many runs. Otherwise the name is Slurm's job id with the step appended. */
static void job_name(const char *env, size_t n, const struct launcher *l, struct ez_job *out)
{
    const char *id = l->job ? job_value(env, n, l->job) : NULL;
    if (!id && l->also)
        id = job_value(env, n, l->also);
    const char *slurm = job_value(env, n, "SLURM_JOB_ID"),
               *step = job_value(env, n, "SLURM_STEP_ID");
    if (!id && slurm)
        snprintf(out->id, sizeof out->id, "%s%s%s", slurm, step ? "." : "", step ? step : "");
    else
        snprintf(out->id, sizeof out->id, "%s", id ? id : "");
}

void ez_job_parse(const char *environment, size_t n, struct ez_job *out)
{
    *out = (struct ez_job){ .rank = EZ_NO_RANK };
    for (size_t i = 0; n && i < EZ_ARRAY_LEN(launchers); i++) {
        const struct launcher *l = &launchers[i];
        if (!job_number(job_value(environment, n, l->rank), &out->rank)) {
            out->rank = EZ_NO_RANK;
            continue;
        }
        if (!job_number(job_value(environment, n, l->size), &out->size))
            out->size = 0;
        job_name(environment, n, l, out);
        return;
    }
}

void ez_job_of(int pid, struct ez_job *out)
{
    char path[64];
    size_t n = 0;
    snprintf(path, sizeof path, "/proc/%d/environ", pid);
    EZ_FREE char *env = ez_str_load(path, MOST, &n);
    ez_job_parse(env, n, out);
    if (gethostname(out->host, sizeof out->host))
        out->host[0] = 0;
    out->host[sizeof out->host - 1] = 0;
}

/* Writes `before` and `text` to `to`. Replaces all characters of `text` but letters, digits, '-',
 * '.' and '_' by '_', because they may be special to a shell. */
static void job_put_tag(char *to, size_t size, const char *before, const char *text)
{
    size_t n = (size_t)snprintf(to, size, "%s", before);
    for (; *text && n + 1 < size; text++)
        to[n++] = strchr("-._", *text) || (*text >= '0' && *text <= '9') ||
                          ((*text | 32) >= 'a' && (*text | 32) <= 'z')
                      ? *text
                      : '_';
    to[n] = 0;
}

char *ez_job_tag(const struct ez_job *job)
{
    char id[sizeof job->id + 4] = "", host[sizeof job->host + 1] = "";
    if (job->rank == EZ_NO_RANK)
        return ez_strdup("");
    if (*job->id)
        job_put_tag(id, sizeof id, "-job", job->id);
    if (*job->host)
        job_put_tag(host, sizeof host, "-", job->host);
    return ez_sprintf("%s-rank%u%s", id, job->rank, host);
}
