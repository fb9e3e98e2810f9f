/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quit.c - `quit [N]`: ends the shell, after a question about a live target.
 * Tests: tests/unit/shell/check_repl.c, tests/unit/shell/check_batch.sh */
#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "cmds/parse.h"
#include "shell/sess.h"

static ez_err *cmd_quit(struct ez_sess *s, int argc, char **argv)
{
    uint64_t status = 0;
    if (argc > 1)
        EZ_TRY(parse_value(s, argv[1], &status));
    if (jobs_any_live(s) && !sess_query(s,
                                        "A job is active.\n\n"
                                        "\tIts processes will be %s.\n\nQuit anyway? ",
                                        jobs_launched(s) ? "killed" : "detached"))
        return ez_err_new(EZ_E_STATE, 0, "Not confirmed");
    if (ez_target_live(s->target) &&
        !sess_query(s,
                    "A debugging session is active.\n\n"
                    "\tInferior 1 [process %d] will be %s.\n\nQuit anyway? ",
                    (int)ez_target_pid(s->target),
                    ez_target_attached(s->target) ? "detached" : "killed"))
        return ez_err_new(EZ_E_STATE, 0, "Not confirmed");
    s->end.quit = true;
    if (argc > 1)
        s->end.status = (int)(status & 0xff);
    return NULL;
}

const struct ez_cmd command_quit = {
    .name = "quit",
    .usage = "[N]",
    .brief = "Leave eztsh with status N.",
    .help = "A program that eztsh started is killed. A program that eztsh attached to runs\n"
            "on, without probes.",
    .examples = "quit",
    .see_also = "detach, kill",
    OPERANDS(SUPPORT, 0, 1),
    .min_abbrev = 1,
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_quit,
};
