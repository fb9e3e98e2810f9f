/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job_attach.c - `job attach`: selects processes. It never attaches to this shell and its helpers.
 * Tests: tests/procs/jobs.sh */
#include "cmds/job/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "engine/jobs/crew.h"
#include "engine/jobs/mpir.h"
#include "shell/lex.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns true for the shell, the daemons that it started, and their drivers. If one of these were
 * stopped by a driver, nothing could continue it. (Other children of the shell do not count: `./app
 * & exec eztsh` has one.) */
static bool attach_is_own(const struct ez_sess *s, pid_t pid)
{
    pid_t tool = s->job->front->tool;
    return pid == getpid() || pid == tool || ez_crew_descends(pid, tool);
}

ez_err *jobs_add_pid(struct ez_sess *s, pid_t pid)
{
    struct ez_front *f = s->job->front;
    char real[4096];
    pid = ez_crew_process(pid);
    if (attach_is_own(s, pid))
        return ez_err_new(EZ_E_ARG, 0, "I refuse to debug myself!");
    ssize_t n = readlink(sess_format(s, "/proc/%d/exe", (int)pid), real, sizeof real - 1);
    real[n > 0 ? n : 0] = 0;
    struct json_object *list = json_object_new_array(), *o = json_object_new_object();
    struct ez_reply r = { .members = list };
    ez_json_put_int(o, "pid", pid);
    ez_json_put_text(o, "host", f->host.n ? f->host.at[0] : "");
    ez_json_put_text(o, "program", real);
    json_object_array_add(list, o);
    ez_front_found(f, &r); /* A process that is named twice is already a member. */
    ez_reply_free(&r);
    return NULL;
}

/* Adds a list of processes. `owner`: only this user's processes are allowed; NULL = anybody's,
 * because the list is trusted. */
static ez_err *job_add_list(struct ez_sess *s, const char *text, const char *where,
                            const uid_t *owner)
{
    EZ_FREE char *copy = ez_strdup(text);
    for (char *rest = copy, *word; (word = strsep(&rest, " \t\r\n,"));) {
        uint64_t pid;
        if (!*word)
            continue;
        if (!ez_err_drop(parse_count(word, "a process id", &pid)) || !pid || pid > INT32_MAX)
            return ez_err_new(EZ_E_ARG, 0, "%s: \"%s\" is not a process id", where, word);
        if (owner && !access(sess_format(s, "/proc/%llu", (unsigned long long)pid), F_OK) &&
            !ez_crew_is_of((pid_t)pid, *owner))
            return ez_err_hint(
                ez_err_new(EZ_E_PERM, 0,
                           "%s: Process %llu does not belong to the owner of the file", where,
                           (unsigned long long)pid),
                "Make your own file, or type the process ids");
        EZ_TRY(jobs_add_pid(s, (pid_t)pid));
    }
    return NULL;
}

/* Adds the processes of a file. If neither root nor the shell's user owns the file, all processes
 * must be its owner's. A file that anybody may write is refused. */
static ez_err *job_add_file(struct ez_sess *s, const char *path)
{
    size_t n;
    struct stat st;
    EZ_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st))
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s", path);
    if (S_ISDIR(st.st_mode))
        return ez_err_new(EZ_E_ARG, EISDIR, "%s", path);
    if (S_ISREG(st.st_mode) && st.st_mode & S_IWOTH)
        return ez_err_hint(
            ez_err_new(EZ_E_PERM, 0,
                       "%s: All users may write to the file, so its process ids are not used",
                       path),
            "\"chmod o-w\" removes this permission");
    bool strange = S_ISREG(st.st_mode) && st.st_uid && st.st_uid != geteuid();
    EZ_FREE char *text = ez_str_load(sess_format(s, "/proc/self/fd/%d", fd), 1 << 20, &n);
    if (!text)
        return ez_err_new(EZ_E_NOTFOUND, errno, "%s", path);
    EZ_TRY(job_add_list(s, text, path, strange ? &st.st_uid : NULL));
    return s->job->front->roster.member.n
               ? NULL
               : ez_err_new(EZ_E_NOTFOUND, 0, "%s: The file has no process id", path);
}

struct job_pids {
    const struct ez_sess *s;
    EZ_VEC(pid_t) v;
};

static void job_note_pid(pid_t pid, void *arg)
{
    struct job_pids *p = arg;
    if (!attach_is_own(p->s, pid))
        EZ_PUSH(&p->v, pid);
}

static ez_err *job_add_matching(struct ez_sess *s, const char *pattern)
{
    struct job_pids pid = { .s = s };
    ez_err *e = ez_crew_matching(pattern, job_note_pid, &pid);
    for (size_t i = 0; !e && i < pid.v.n; i++)
        e = jobs_add_pid(s, pid.v.at[i]);
    if (!e && !pid.v.n)
        e = ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "No process%s matches \"%s\"",
                                   geteuid() ? " of yours" : "", pattern),
                        "The expression is matched against command lines, as by \"pgrep -f\"");
    EZ_VEC_FREE(&pid.v);
    return e;
}

static ez_err *job_read_table(struct ez_sess *s, const struct ez_mpir *m, uid_t user)
{
    struct json_object *o = json_object_new_object(), *table = json_object_new_array();
    struct ez_reply r;
    size_t found;
    for (size_t i = 0; i < m->rank.n; i++) {
        struct json_object *one = json_object_new_array();
        json_object_array_add(one, json_object_new_int64((int64_t)i));
        json_object_array_add(one, json_object_new_int64(m->rank.at[i].pid));
        json_object_array_add(table, one);
    }
    json_object_object_add(o, "table", table);
    ez_json_put_int(o, "user", user);
    EZ_TRY(jobs_search(s, o, &r, &found));
    ez_reply_free(&r);
    if (found < m->rank.n)
        out_warning(s,
                    "%zu of %zu ranks were found. The others have ended, are on hosts without a "
                    "daemon, or belong to another user than the launcher.",
                    found, m->rank.n);
    return NULL;
}

/* Names processes that were found but not added, because a process of another job has the same
 * rank. (A rank's process and its children count as one.) */
static void job_print_duplicates(struct ez_sess *s, const struct ez_reply *r)
{
    struct ez_ranks twice = { 0 };
    size_t n = r->members ? json_object_array_length(r->members) : 0;
    for (size_t i = 0; i < n; i++) {
        struct json_object *o = json_object_array_get_idx(r->members, i);
        uint32_t rank = (uint32_t)ez_json_int(o, "rank", 0);
        pid_t pid = (pid_t)ez_json_int(o, "pid", 0);
        const struct ez_member *m = ez_roster_find(&s->job->front->roster, rank);
        if (m && m->pid != pid && !ez_crew_descends(pid, m->pid) && !ez_crew_descends(m->pid, pid))
            ez_ranks_add(&twice, rank, rank);
    }
    if (twice.span.n)
        out_warning(s,
                    "%sanother process with the same rank is not attached, because the launcher "
                    "has several jobs.",
                    jobs_who(s, &twice));
    ez_ranks_free(&twice);
}

/* Finds ranks among the descendants of the launcher, on this host only. */
static ez_err *job_find_below(struct ez_sess *s, pid_t launcher, uid_t user)
{
    struct json_object *o = json_object_new_object();
    struct ez_reply r;
    size_t fresh;
    ez_json_put_int(o, "launcher", launcher);
    ez_json_put_int(o, "user", user);
    EZ_TRY(jobs_search(s, o, &r, &fresh));
    job_print_duplicates(s, &r);
    ez_reply_free(&r);
    return NULL;
}

/* Finds the launcher's user: the launcher's list of ranks may contain only processes of this user.
 * For a launcher that has ended, *user is the shell's user. */
static ez_err *job_launcher_user(struct ez_sess *s, pid_t launcher, uid_t *user)
{
    *user = geteuid();
    if (ez_crew_user(launcher, user) || access(sess_format(s, "/proc/%d", (int)launcher), F_OK))
        return NULL;
    return ez_err_hint(
        ez_err_new(
            EZ_E_PERM, 0,
            "The real, effective and saved user ids of process %d differ, so its list of ranks is "
            "not used",
            (int)launcher),
        "Type the process ids of the ranks");
}

/* Uses the launcher's MPIR table, which has the ranks of all hosts. Without a table, finds ranks
 * among the launcher's descendants on this host. */
static ez_err *job_by_launcher(struct ez_sess *s, pid_t launcher)
{
    struct ez_mpir m;
    uid_t user;
    EZ_TRY(job_launcher_user(s, launcher, &user));
    if (!ez_err_drop(ez_mpir_read(launcher, &m)))
        return job_find_below(s, launcher, user);
    ez_err *e = job_read_table(s, &m, user);
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
        return jobs_find(s, 0);
    }
    if (pids)
        return job_add_file(s, pids);
    if (pgrep)
        return job_add_matching(s, pgrep);
    if (argc > 2)
        return job_add_list(s, jobs_words_text(s, argv + 1), "job attach", NULL);
    EZ_TRY(parse_count(argv[1], "a process id", &launcher));
    return job_by_launcher(s, (pid_t)launcher);
}

/* Finds the command that starts daemons: the words of -daemons; for srun, or for -token in an
 * allocation, a command derived from the Slurm job; NULL = one daemon on this host. */
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
    return n ? NULL : ez_err_new(EZ_E_ARG, 0, "-daemons needs a launcher and its options");
}

static ez_err *cmd_job_attach(struct ez_sess *s, int argc, char **argv)
{
    bool other = opt_given(s, "-token") || opt_given(s, "-pids") || opt_given(s, "-pgrep");
    char **tool;
    if ((argc < 2) != other)
        return opt_misuse(s);
    EZ_TRY(jobs_begin(s, argc > 1 ? argv[1] : "attached", false));
    s->job->front->attached = true;
    ez_err *e = argc == 2 ? job_launcher_user(s, (pid_t)atoi(argv[1]), &(uid_t){ 0 }) : NULL;
    if (!e)
        e = job_tool_of(s, argc, argv, &tool);
    if (!e)
        e = jobs_daemons(s, tool);
    if (!e)
        e = job_members_to_attach(s, argc, argv);
    if (!e && !s->job->front->roster.member.n)
        e = ez_err_hint(
            ez_err_new(
                EZ_E_NOTFOUND, 0,
                "No process to attach to was found on this host or another host with a daemon"),
            "Give the process id of mpirun, mpiexec or srun, or -pids FILE");
    if (!e)
        e = jobs_bring(s, EZ_CLAIM_HELD);
    if (e) {
        jobs_end(s);
        return e;
    }
    jobs_say(s, "stopped");
    return NULL;
}

const struct ez_cmd command_job_attach = {
    .parent = "job",
    .name = "attach",
    .usage = "[PID...]",
    .brief = "Attach to all processes of a running job.",
    .help = "PID is the process id of the launcher: mpirun, mpiexec or srun. If there are\n"
            "several PIDs, they are the process ids of the ranks. If the launcher is srun,\n"
            "the daemons start as a step of its Slurm job.",
    .examples = "job attach 4242\n"
                "job attach -pgrep 'nginx: worker'",
    .see_also = "job, job detach, info job",
    OPERANDS(JOB, 0, -1),
    OPTIONS({ .name = "-token",
              .kind = OPT_TEXT,
              .value = "T",
              .meaning = "attach to the processes of \"job run\": \"info job\" shows their token" },
            { .name = "-daemons",
              .kind = OPT_TEXT,
              .value = "'LAUNCHER ...'",
              .meaning = "start a daemon on each host with this command: 'mpirun -H a,b --map-by\n"
                         "ppr:1:node'; the default is one daemon, on this host" },
            { .name = "-pids",
              .kind = OPT_FILE,
              .value = "FILE",
              .meaning = "attach to the processes whose ids are in FILE" },
            { .name = "-pgrep",
              .kind = OPT_TEXT,
              .value = "REGEX",
              .meaning = "attach to your processes (as root: all processes) whose command lines\n"
                         "match" }),
    .flags = NO_REPEAT,
    .fn = cmd_job_attach,
    .complete = comp_pid,
};
