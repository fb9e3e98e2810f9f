/* SPDX-License-Identifier: GPL-3.0-or-later */
/* crew.c - finds the processes of a job on this host, and has the list of their drivers (crew.h).
 * Tests: tests/procs/jobs.sh */
#include "engine/jobs/crew.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/child.h"
#include "engine/base/installed.h"
#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "engine/record/job.h"

#define END_NS 10000000000ull

/* ---- drivers --------------------------------------------------------------------------------- */

ez_err *ez_crew_add(struct ez_crew *c, uint32_t rank, pid_t pid, struct ez_driver **out)
{
    struct ez_driver *d = ez_alloc(sizeof *d);
    d->rank = rank;
    d->target = pid;
    d->in = d->out = -1;
    ez_err *e = ez_driver_begin(d, c->eztsh);
    if (e) {
        ez_driver_free(d);
        free(d);
        return e;
    }
    EZ_PUSH(&c->driver, d);
    *out = d;
    return NULL;
}

size_t ez_crew_poll_fds(const struct ez_crew *c, struct pollfd *fds, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < c->driver.n && n < most; i++) {
        const struct ez_driver *d = c->driver.at[i];
        if (d->pid)
            fds[n++] = (struct pollfd){ d->out, POLLIN, 0 };
        if (d->pid && d->in >= 0 && d->box.text.n && n < most)
            fds[n++] = (struct pollfd){ d->in, POLLOUT, 0 };
    }
    return n;
}

void ez_crew_read(struct ez_crew *c)
{
    for (size_t i = 0; i < c->driver.n; i++) /* c->fn may append to c->driver */
        if (c->driver.at[i]->pid)
            ez_driver_read(c->driver.at[i], c->fn, c->arg);
    for (size_t i = 0; i < c->driver.n;) {
        struct ez_driver *d = c->driver.at[i];
        if (d->pid) {
            i++;
            continue;
        }
        ez_driver_free(d);
        free(d);
        c->driver.at[i] = c->driver.at[--c->driver.n];
    }
}

void ez_crew_end(struct ez_crew *c)
{
    uint64_t until = ez_now_ns() + END_NS;
    int status;
    for (size_t i = 0; i < c->driver.n; i++)
        ez_driver_end(c->driver.at[i]);
    while (c->driver.n && ez_now_ns() < until) {
        struct pollfd *fds = ez_alloc((c->driver.n + 1) * sizeof *fds);
        poll(fds, ez_crew_poll_fds(c, fds, c->driver.n), 100);
        free(fds);
        ez_crew_read(c);
    }
    for (size_t i = 0; i < c->driver.n; i++) {
        kill(c->driver.at[i]->pid, SIGKILL);
        ez_child_ended(c->driver.at[i]->pid, true, &status);
        ez_driver_free(c->driver.at[i]);
        free(c->driver.at[i]);
    }
    EZ_VEC_FREE(&c->driver);
    free(c->eztsh);
}

/* ---- search for processes -------------------------------------------------------------------- */

static bool crew_same_host(pid_t pid)
{
    char path[64], mine[64] = "", theirs[64] = "";
    snprintf(path, sizeof path, "/proc/%d/ns/uts", (int)pid);
    return readlink("/proc/self/ns/uts", mine, sizeof mine - 1) > 0 &&
           readlink(path, theirs, sizeof theirs - 1) > 0 && !strcmp(mine, theirs);
}

bool ez_crew_descends(pid_t pid, pid_t from)
{
    for (int i = 0; i < 64 && pid > 1 && from > 0; i++) {
        char path[64];
        size_t n;
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        EZ_FREE char *stat = ez_str_load(path, 4096, &n);
        char *behind = stat ? strrchr(stat, ')') : NULL; /* The name itself may contain ')'. */
        int parent;
        if (!behind || sscanf(behind + 1, " %*c %d", &parent) != 1)
            return false;
        if (parent == from)
            return true;
        pid = parent;
    }
    return false;
}

/* Returns true for the calling process, its ancestors and other eztsh processes. They are never
 * ranks, even if their environment says so: a driver that stopped the shell for which it works
 * would wait for ever. */
static bool crew_is_ours(pid_t pid)
{
    char path[64], theirs[4096] = "";
    EZ_FREE char *mine = ez_own_program();
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    return pid == getpid() || ez_crew_descends(getpid(), pid) ||
           (readlink(path, theirs, sizeof theirs - 1) > 0 && !strcmp(mine, theirs));
}

/* Returns the argument that follows the argument `name` in a command line of n bytes; NULL if no
 * argument follows. */
static const char *crew_argument(const char *args, size_t n, const char *name)
{
    for (const char *p = args; p < args + n; p += strlen(p) + 1)
        if (!strcmp(p, name) && p + strlen(p) + 1 < args + n)
            return p + strlen(p) + 1;
    return NULL;
}

static bool crew_has_token(const char *env, size_t n, const char *token)
{
    for (const char *p = env; env && p < env + n; p += strlen(p) + 1)
        if (!strncmp(p, "EZTSH_JOB=", 10) && !strcmp(p + 10, token))
            return true;
    return false;
}

static char *crew_status(pid_t pid)
{
    char path[64];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    return ez_str_load(path, 1 << 14, &n);
}

pid_t ez_crew_process(pid_t tid)
{
    int process;
    EZ_FREE char *status = crew_status(tid);
    const char *line = status ? strstr(status, "\nTgid:") : NULL;
    return line && sscanf(line, "\nTgid: %d", &process) == 1 ? (pid_t)process : tid;
}

/* Reads the owner from the process's status file. The owner of the directory /proc/PID is not used,
 * because it is root for a process that is not dumpable. */
bool ez_crew_user(pid_t pid, uid_t *user)
{
    unsigned id[3];
    EZ_FREE char *status = crew_status(pid);
    const char *line = status ? strstr(status, "\nUid:") : NULL;
    if (!line || sscanf(line, "\nUid: %u %u %u", &id[0], &id[1], &id[2]) != 3 || id[0] != id[1] ||
        id[0] != id[2])
        return false;
    *user = id[0];
    return true;
}

bool ez_crew_is_of(pid_t pid, uid_t user)
{
    uid_t its;
    return ez_crew_user(pid, &its) && its == user;
}

/* Returns true once an eztsh-hold process blocks SIGURG, for which it waits (its name is
 * "eztsh-held" then). An earlier SIGURG would be lost. */
static bool crew_is_ready(pid_t pid)
{
    char path[64];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    EZ_FREE char *comm = ez_str_load(path, 64, &n);
    return comm && !strcmp(comm, "eztsh-held\n");
}

static void crew_look(pid_t pid, const struct ez_crew_query *q, ez_found_fn *fn, void *arg)
{
    char path[64], real[4096];
    size_t nargs = 0, nenv = 0;
    struct ez_job job;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    EZ_FREE char *args = ez_str_load(path, 1 << 16, &nargs);
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    EZ_FREE char *env = ez_str_load(path, 4 << 20, &nenv);
    const char *given = args ? crew_argument(args, nargs, "-job") : NULL;
    bool held = args && !strcmp(ez_base_name(args), "eztsh-hold") && given;
    if (q->token && !(held ? !strcmp(given, q->token) : crew_has_token(env, nenv, q->token)))
        return;
    if (held && !crew_is_ready(pid))
        return;
    ez_job_parse(env, nenv, &job);
    if (q->launcher && (job.rank == EZ_NO_RANK || !ez_crew_descends(pid, q->launcher)))
        return;
    if (!crew_same_host(pid) || !ez_crew_is_of(pid, q->user) || crew_is_ours(pid))
        return;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(path, real, sizeof real - 1);
    real[n > 0 ? n : 0] = 0;
    const char *program = held ? crew_argument(args, nargs, given) : real;
    fn(&(struct ez_found){ pid, job.rank, job.size, held, program ? program : real }, arg);
}

void ez_crew_search(const struct ez_crew_query *q, ez_found_fn *fn, void *arg)
{
    DIR *proc = opendir("/proc");
    for (struct dirent *d; proc && (d = readdir(proc));)
        if (isdigit((unsigned char)*d->d_name))
            crew_look((pid_t)atoi(d->d_name), q, fn, arg);
    if (proc)
        closedir(proc);
}

void ez_crew_look(pid_t pid, uint32_t rank, uid_t user, ez_found_fn *fn, void *arg)
{
    char path[64], real[4096];
    struct ez_job job;
    snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
    ssize_t n = readlink(path, real, sizeof real - 1);
    if (n < 0 || !crew_same_host(pid) || !ez_crew_is_of(pid, user) || crew_is_ours(pid))
        return;
    real[n] = 0;
    ez_job_of(pid, &job);
    if (job.rank == rank || job.rank == EZ_NO_RANK)
        fn(&(struct ez_found){ pid, rank, job.size, false, real }, arg);
}

static bool crew_matches(pid_t pid, const regex_t *re)
{
    char path[64];
    size_t n = 0;
    if (pid == getpid() || (geteuid() && !ez_crew_is_of(pid, geteuid())) ||
        ez_crew_descends(getpid(), pid))
        return false;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    EZ_FREE char *args = ez_str_load(path, 1 << 16, &n);
    for (size_t i = 0; args && i + 1 < n; i++)
        if (!args[i])
            args[i] = ' ';
    return args && n && !regexec(re, args, 0, NULL, 0);
}

ez_err *ez_crew_matching(const char *regex, void (*fn)(pid_t pid, void *arg), void *arg)
{
    regex_t re;
    EZ_TRY(ez_str_regcomp(&re, regex, 0));
    DIR *proc = opendir("/proc");
    for (struct dirent *d; proc && (d = readdir(proc));)
        if (isdigit((unsigned char)*d->d_name) && crew_matches((pid_t)atoi(d->d_name), &re))
            fn((pid_t)atoi(d->d_name), arg);
    if (proc)
        closedir(proc);
    regfree(&re);
    return NULL;
}
