/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_slurm.c - Slurm: options of srun, and daemons as another job step (srun in the same job)
 * beside the ranks that they drive.
 *
 * The nodes and the job of the ranks are known once srun has started them, from its MPIR_proctable.
 * Outside an allocation each srun makes its own allocation, so daemons that were started earlier
 * would be on nodes of another job. If all ranks are on this host, one local daemon suffices,
 * without a job step and without MPI.
 * Tests: tests/procs/job_srun.sh */
#include "cmds/job/jobs.h"

#include <string.h>

#include "engine/base/installed.h"
#include "engine/jobs/mpir.h"
#include "shell/sess.h"

extern char **environ;

/* Options of srun whose value may be the next word of the command line. */
static const char srun_values[] =
    " account acctg-freq bb bbf begin chdir cluster-constraint clusters comment constraint "
    "container core-spec cores-per-socket cpu-bind cpu-freq cpus-per-gpu cpus-per-task deadline "
    "delay-boot dependency distribution epilog error exclude export extra-node-info gpu-bind "
    "gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags het-group hint "
    "input job-name jobid licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu "
    "mem-per-gpu mincpus mpi network nodefile nodelist nodes ntasks ntasks-per-core "
    "ntasks-per-gpu ntasks-per-node ntasks-per-socket output partition power priority profile "
    "prolog qos relative reservation signal slurmd-debug sockets-per-node switches task-epilog "
    "task-prolog thread-spec threads threads-per-core time time-min tmp tres-per-task wait wckey ";

int jobs_srun_values(struct ez_sess *s, const char *word)
{
    if (!strncmp(word, "--", 2))
        return strstr(srun_values, sess_format(s, " %s ", word + 2)) != NULL;
    return !strcmp(word, "-np") ||
           (word[1] && !word[2] && strchr("AbBcCdDeGiJLmMnNopqrStTwWx", word[1]));
}

/* Returns the value of srun's --mpi for the daemons. The value for the program may not work:
 * Slurm's default is "none", and eztsh was built with daemons for certain MPIs only. */
static const char *slurm_mpi(char *const *srun)
{
    EZ_FREE char *mpich = ez_helper("eztsh-daemon-mpich", "EZT_DAEMON"),
                 *open = ez_helper("eztsh-daemon-openmpi", "EZT_DAEMON");
    const char *given = "";
    for (; srun && *srun; srun++)
        if (!strncmp(*srun, "--mpi=", 6))
            given = *srun + 6;
        else if (!strcmp(*srun, "--mpi") && srun[1])
            given = srun[1];
    bool pmix = !strncmp(given, "pmix", 4);
    if (!access(mpich, X_OK) && !(pmix && !access(open, X_OK)))
        return "pmi2";
    return pmix ? given : "pmix";
}

struct slurm_nodes {
    const char *job, *list; /* "node1,node[3-4]" */
    uint64_t n;
};

/* Returns the srun command that starts the daemons. It removes SLURM_... variables that srun would
 * read as options. An allocation, a script or the user set them for the program (SLURM_NTASKS,
 * SLURM_LABELIO), not for the daemons. */
static char **slurm_tool(struct ez_sess *s, char *const *srun, const struct slurm_nodes *on,
                         uint64_t daemons)
{
    EZ_VEC(char *) tool = { 0 };
    EZ_PUSH(&tool, "env");
    for (char **e = environ; *e; e++)
        if (!strncmp(*e, "SLURM_", 6) && strncmp(*e, "SLURM_CONF=", 11)) {
            EZ_PUSH(&tool, "-u");
            EZ_PUSH(&tool, (char *)sess_format(s, "%.*s", (int)strcspn(*e, "="), *e));
        }
    char *const words[] = { srun ? srun[0] : "srun",
                            (char *)sess_format(s, "--jobid=%s", on->job),
                            "--overlap", /* the program's job step uses all processors */
                            (char *)sess_format(s, "--nodelist=%s", on->list),
                            (char *)sess_format(s, "--nodes=%llu", (unsigned long long)on->n),
                            (char *)sess_format(s, "--ntasks=%llu",
                                                (unsigned long long)EZ_MAX(daemons, on->n)),
                            "--distribution=cyclic",
                            "--cpu-bind=none", /* drivers need all processors, not those of one
                                                * rank */
                            "--quiet",
                            "--input=0",
                            "--kill-on-bad-exit=1", /* if one daemon ends, the tree of daemons is
                                                     * broken */
                            (char *)sess_format(s, "--mpi=%s", slurm_mpi(srun)),
                            NULL };
    EZ_APPEND(&tool, words, EZ_ARRAY_LEN(words));
    return (char **)sess_keep(s, (char *)tool.at);
}

static bool slurm_is_here(const char *host)
{
    char here[256] = "";
    gethostname(here, sizeof here - 1);
    size_t n = strcspn(host, ".");
    return n == strcspn(here, ".") && !strncmp(host, here, n);
}

/* Returns the command that starts daemons on the nodes of the table's ranks; NULL if all ranks are
 * on this host, and `daemons` is 0. */
static char **slurm_tool_of(struct ez_sess *s, char *const *srun, const struct ez_mpir *m,
                            uint64_t daemons)
{
    struct slurm_nodes on = { .job = m->job, .list = "" };
    EZ_VEC(const char *) host = { 0 };
    EZ_VEC(char) list = { 0 };
    for (size_t i = 0; i < m->rank.n; i++) {
        const char *name = m->rank.at[i].host;
        size_t k = host.n;
        while (k && strcmp(host.at[k - 1], name)) /* backwards, because the rank before usually has
                                                   * the same host */
            k--;
        if (k)
            continue;
        EZ_PUSH(&host, name);
        if (list.n)
            EZ_PUSH(&list, ',');
        EZ_APPEND(&list, name, strlen(name));
    }
    EZ_PUSH(&list, '\0');
    on.list = list.at;
    on.n = host.n;
    bool here = host.n == 1 && slurm_is_here(host.at[0]) && !daemons;
    char **tool = here ? NULL : slurm_tool(s, srun, &on, daemons);
    EZ_VEC_FREE(&host);
    EZ_VEC_FREE(&list);
    return tool;
}

ez_err *jobs_slurm_daemons(struct ez_sess *s, const struct job_line *line)
{
    struct ez_front *f = s->job->front;
    struct ez_mpir m;
    /* The job may wait in a queue for hours. */
    while (!ez_err_drop(ez_mpir_read(f->launcher, &m))) {
        if (ez_front_launcher_ended(f))
            return jobs_launch_failed(s);
        if (!sess_sleep(s, 20))
            return ez_err_gdb(EZ_E_QUIT, "Quit");
    }
    f->size = (unsigned)m.rank.n;
    char **tool = slurm_tool_of(s, line->launch, &m, line->daemons);
    ez_mpir_free(&m);
    return jobs_daemons(s, jobs_copy(tool));
}

char **jobs_slurm_of(struct ez_sess *s, pid_t srun)
{
    struct ez_mpir m;
    if (!ez_err_drop(ez_mpir_read(srun, &m)))
        return NULL;
    char **tool = *m.job ? slurm_tool_of(s, NULL, &m, 0) : NULL;
    ez_mpir_free(&m);
    return jobs_copy(tool);
}

char **jobs_slurm_allocation(struct ez_sess *s, uint64_t daemons)
{
    const char *job = getenv("SLURM_JOB_ID"), *list = getenv("SLURM_JOB_NODELIST"),
               *n = getenv("SLURM_JOB_NUM_NODES");
    struct slurm_nodes on = { job, list, n ? strtoull(n, NULL, 10) : 0 };
    if (!job || !list || !on.n || (on.n == 1 && slurm_is_here(list)))
        return NULL;
    return slurm_tool(s, NULL, &on, daemons);
}
