/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front_start.c - starts and ends the two processes of a job's front end: the launcher of the
 * daemons and the launcher of the program.
 * Tests: tests/unit/jobs/check_front.c, tests/procs/job_faults.sh */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "engine/base/installed.h"
#include "engine/base/now.h"
#include "engine/jobs/front.h"

#define END_NS 10000000000ull

/* ---- the daemons ----------------------------------------------------------------------------- */

/* Returns the launcher's name for messages, without "env -u VAR ..." before it. */
static const char *front_name_of(char *const *launcher)
{
    if (!launcher || !*launcher)
        return "eztsh --daemon";
    if (strcmp(*launcher, "env"))
        return *launcher;
    while (*++launcher && !strcmp(*launcher, "-u") && launcher[1])
        launcher++;
    return *launcher ? *launcher : "env";
}

ez_err *ez_front_start(struct ez_front *f, char *const *launcher)
{
    int to[2], from[2];
    EZ_FREE char *self = ez_own_program();
    f->got.n = f->box.text.n = 0;
    f->nodes = 0;
    free(f->dir);
    f->dir = getcwd(NULL, 0);
    EZ_VEC(char *) argv = { 0 };
    for (char *const *w = launcher; w && *w; w++)
        EZ_PUSH(&argv, *w);
    char *end[] = { self, launcher ? "--daemon=mpi" : "--daemon", NULL };
    EZ_APPEND(&argv, end, 3);
    if (pipe2(to, O_CLOEXEC) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a pipe to the daemons");
    if (pipe2(from, O_CLOEXEC) < 0) {
        close(to[0]);
        close(to[1]);
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a pipe from the daemons");
    }
    free(f->tool_name);
    f->tool_name = ez_strdup(front_name_of(launcher));
    ez_err *e = ez_child_start(argv.at, to[0], from[1], NULL, &f->tool);
    close(to[0]);
    close(from[1]);
    f->in = to[1];
    f->out = from[0];
    fcntl(f->in, F_SETFL, O_NONBLOCK);
    fcntl(f->out, F_SETFL, O_NONBLOCK);
    EZ_VEC_FREE(&argv);
    return e;
}

/* Reads and drops the daemons' output until they have ended, because a daemon whose write fails
 * assumes that the shell was killed, and leaves the probes in the processes. */
void ez_front_wait_tool(struct ez_front *f)
{
    char unread[4096];
    uint64_t until = ez_now_ns() + END_NS;
    if (f->in >= 0)
        close(f->in);
    while (f->tool > 0 && !ez_child_ended(f->tool, false, &f->tool_status)) {
        if (ez_now_ns() > until)
            kill(-f->tool, SIGKILL);
        if (f->out < 0 || read(f->out, unread, sizeof unread) <= 0)
            poll(NULL, 0, 5);
    }
    if (f->out >= 0)
        close(f->out);
    f->in = f->out = -1;
    f->tool = 0;
}

ez_err *ez_front_ended(const struct ez_front *f)
{
    EZ_FREE char *how = f->tool ? ez_strdup("") : ez_sprintf(" with status %d", f->tool_status);
    if (f->nodes)
        return ez_err_hint(ez_err_new(EZ_E_GONE, 0, "The daemons have ended"),
                           "\"job reattach\" starts the daemons again");
    return ez_err_hint(
        ez_err_new(EZ_E_GONE, 0, "The daemons did not start: \"%s\" ended%s", f->tool_name, how),
        "The output of the command says why");
}

/* ---- the program ----------------------------------------------------------------------------- */

ez_err *ez_front_launch(struct ez_front *f, char *const *argv, bool reads,
                        const struct ez_child_place *place)
{
    EZ_CLOSE int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return ez_child_start(argv, reads ? -1 : null, -1, place, &f->launcher);
}

bool ez_front_launcher_ended(struct ez_front *f)
{
    if (f->launcher && !f->launcher_ended)
        f->launcher_ended = ez_child_ended(f->launcher, false, &f->launcher_status);
    for (size_t i = 0; f->launcher_ended && i < f->roster.member.n; i++)
        if (f->roster.member.at[i].state == EZ_MEMBER_BLIND)
            f->roster.member.at[i].state = EZ_MEMBER_GONE;
    return f->launcher_ended;
}

void ez_front_let_launcher_end(struct ez_front *f)
{
    const unsigned ended = 1u << EZ_MEMBER_EXITED | 1u << EZ_MEMBER_KILLED | 1u << EZ_MEMBER_GONE;
    uint64_t until = ez_now_ns() + END_NS / 4;
    bool all = f->roster.member.n;
    for (size_t i = 0; i < f->roster.member.n; i++)
        all &= (1u << f->roster.member.at[i].state & ended) != 0;
    while (all && !ez_front_launcher_ended(f) && ez_now_ns() < until)
        poll(NULL, 0, 5);
}

static bool front_may_be_reaped(pid_t pid)
{
    siginfo_t si = { .si_pid = 0 };
    return waitid(P_PID, (id_t)pid, &si, WEXITED | WNOHANG | WNOWAIT) || si.si_pid;
}

/* SIGKILL also ends processes that cannot handle SIGTERM, because the drivers of a hanging daemon
 * keep them stopped. The launcher is reaped last, because until it is reaped no other process group
 * can get its id. */
void ez_front_kill_launcher(struct ez_front *f)
{
    uint64_t until = ez_now_ns() + END_NS / 2;
    kill(-f->launcher, SIGTERM);
    while (!front_may_be_reaped(f->launcher)) {
        if (ez_now_ns() > until)
            kill(-f->launcher, SIGKILL);
        poll(NULL, 0, 5);
    }
    kill(-f->launcher, SIGKILL);
    ez_front_launcher_ended(f);
}
