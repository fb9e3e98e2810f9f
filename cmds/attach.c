/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach.c - `attach`, `detach`, `kill`: take a process, and let go of it. */
#include "cmds/cmd.h"
#include "cmds/jobs.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

static unsigned attach_how(struct ez_sess *s)
{
    return (opt_given(s, "-force") ? EZ_ATTACH_FORCE : 0) |
           (opt_given(s, "-held") ? EZ_ATTACH_HELD : 0);
}

ez_err *cmd_attach(struct ez_sess *s, int argc, char **argv)
{
    uint64_t pid = 0;
    if (!ez_err_drop(parse_count(argv[1], "a process id", &pid)) || !pid || pid > INT32_MAX)
        return ez_err_new(EZ_E_ARG, 0, "Illegal process-id: %s.", argv[1]);
    if (ez_target_state(s->target) != EZ_NONE) {
        if (!sess_query(s, "A program is being debugged already.  %s it? ",
                        ez_target_attached(s->target) ? "Detach from" : "Kill"))
            return ez_err_new(EZ_E_STATE, 0, "Not attached.");
        EZ_TRY(sess_release(s));
    }
    out_line(s, "Attaching to process %d", (int)pid);
    if (jobs_run_takes(s))
        return jobs_attach(s, (pid_t)pid);
    EZ_TRY(ez_attach(s->target, (pid_t)pid, attach_how(s)));
    s->stop_signal = 0;
    sess_frame(s, "");
    return NULL;
}

static ez_err *attach_keep(struct ez_sess *s)
{
    int pid = ez_target_pid(s->target);
    unsigned n;
    EZ_TRY(ez_detach_keep(s->target, &n));
    out_line(s, "[Inferior 1 (process %d) detached, %u probe%s kept]", pid, n, n == 1 ? "" : "s");
    sess_epilogue(s);
    return NULL;
}

ez_err *cmd_detach(struct ez_sess *s, int argc, char **argv)
{
    if (opt_given(s, "-keep"))
        return attach_keep(s);
    int pid = ez_target_pid(s->target);
    const char *program = ez_target_program(s->target);
    out_line(s, "Detaching from program: %s, process %d", program ? program : "", pid);
    ez_err *e = ez_detach(s->target);
    if (sess_ended_first(s, e))
        return NULL;
    EZ_TRY(e);
    out_line(s, "[Inferior 1 (process %d) detached]", pid);
    sess_epilogue(s);
    return NULL;
}

ez_err *cmd_kill(struct ez_sess *s, int argc, char **argv)
{
    int pid = ez_target_pid(s->target);
    if (!sess_query(s, "Kill the program being debugged? "))
        return ez_err_new(EZ_E_STATE, 0, "Not confirmed.");
    EZ_TRY(ez_kill(s->target));
    out_line(s, "[Inferior 1 (process %d) killed]", pid);
    sess_epilogue(s);
    return NULL;
}
