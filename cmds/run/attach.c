/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attach.c - `attach`, `detach`, `kill`.
 * Tests: tests/e2e/threads.ezt, tests/procs/attach.sh */
#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static unsigned attach_how(struct ez_sess *s)
{
    return (opt_given(s, "-force") ? EZ_ATTACH_FORCE : 0) |
           (opt_given(s, "-held") ? EZ_ATTACH_HELD : 0);
}

static ez_err *cmd_attach(struct ez_sess *s, int argc, char **argv)
{
    uint64_t pid = 0;
    if (!ez_err_drop(parse_count(argv[1], "a process id", &pid)) || !pid || pid > INT32_MAX)
        return ez_err_new(EZ_E_ARG, 0, "Illegal process-id: %s", argv[1]);
    if (ez_target_live(s->target)) {
        if (!sess_query(s, "A program is being debugged already.  %s it? ",
                        ez_target_attached(s->target) ? "Detach from" : "Kill"))
            return ez_err_new(EZ_E_STATE, 0, "Not attached");
        EZ_TRY(sess_release(s));
    }
    out_line(s, "Attaching to process %d", (int)pid);
    if (jobs_run_follows_all(s))
        return jobs_attach(s, (pid_t)pid);
    EZ_TRY(ez_attach(s->target, (pid_t)pid, attach_how(s)));
    s->program.stop_signal = 0;
    sess_frame(s, "");
    return NULL;
}

const struct ez_cmd command_attach = {
    .name = "attach",
    .usage = "PID",
    .brief = "Attach to a process and stop it.",
    .help = "The process runs again after \"continue\" or \"detach\". If the kernel refuses the\n"
            "attach, the message names the reason and what helps.\n"
            "\n"
            "With -held, PID is a child that another eztsh holds and offers (\"set\n"
            "follow-fork-mode offer\"). The child is stopped and has not executed any\n"
            "instruction since the fork, or, after vfork, since its exec. Probes on\n"
            "libraries that are not loaded yet stay pending.",
    .examples = "attach 4242",
    .see_also = "detach, info proc, run",
    OPERANDS(RUN, 1, 1),
    OPTIONS(
        { .name = "-force",
          .whole = true,
          .meaning = "remove the probes that another eztsh has, or seems to have, in the process" },
        { .name = "-held",
          .whole = true,
          .meaning = "the process is a child that another eztsh offers" }),
    .flags = NO_REPEAT | HERE | TEXT_ONLY | FRONT | FRONT_STAYS,
    .fn = cmd_attach,
    .complete = comp_pid,
};

static ez_err *attach_keep(struct ez_sess *s)
{
    int pid = ez_target_pid(s->target);
    unsigned n;
    EZ_TRY(ez_detach_keep(s->target, &n));
    out_line(s, "[Inferior 1 (process %d) detached, %u probe%s kept]", pid, n, ez_plural(n));
    sess_epilogue(s);
    return NULL;
}

static ez_err *cmd_detach(struct ez_sess *s, int argc, char **argv)
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

const struct ez_cmd command_detach = {
    .name = "detach",
    .usage = "",
    .brief = "Remove all probes and let the target run.",
    .help = "eztsh restores the original code of the process; if calls of probed functions\n"
            "are open, a hook in libgcc stays. With -keep the probes stay and still count and\n"
            "record, without a shell. A later \"attach\" adopts these probes with their\n"
            "numbers and counts. Until that attach, events for which the buffers have no\n"
            "room are dropped and counted.",
    .examples = "detach -keep",
    .see_also = "attach, kill, quit",
    OPERANDS(RUN, 0, 0),
    OPTIONS({ .name = "-keep",
              .meaning = "leave the probes in the process; they still count and record" }),
    .flags = NEED_TARGET | MUTATES | TEXT_ONLY,
    .fn = cmd_detach,
};

static ez_err *cmd_kill(struct ez_sess *s, int argc, char **argv)
{
    int pid = ez_target_pid(s->target);
    if (!sess_query(s, "Kill the program being debugged? "))
        return ez_err_new(EZ_E_STATE, 0, "Not confirmed");
    EZ_TRY(ez_kill(s->target));
    out_line(s, "[Inferior 1 (process %d) killed]", pid);
    sess_epilogue(s);
    return NULL;
}

const struct ez_cmd command_kill = {
    .name = "kill",
    .usage = "",
    .brief = "Kill the target.",
    .examples = "kill",
    .see_also = "detach, quit",
    OPERANDS(RUN, 0, 0),
    .min_abbrev = 1,
    .flags = NEED_TARGET | MUTATES | TEXT_ONLY,
    .fn = cmd_kill,
};
