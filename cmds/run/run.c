/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c - `file`, `run`, `start`: choose and start the program.
 * Tests: tests/e2e/life.ezt */
#include <string.h>

#include "cmds/run/breaks.h"
#include "cmds/cmd.h"
#include "cmds/run/environment.h"
#include "cmds/job/jobs.h"
#include "cmds/run/moves.h"
#include "cmds/run/run.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *cmd_file(struct ez_sess *s, int argc, char **argv)
{
    return ez_target_file(s->target, argc > 1 ? parse_path(s, argv[1]) : NULL);
}

const struct ez_cmd command_file = {
    .name = "file",
    .usage = "[PROG]",
    .brief = "Set the program to be run, and read its symbols.",
    .help = "Without PROG, the session has no program.",
    .examples = "file ./app",
    .see_also = "run, attach",
    OPERANDS(RUN, 0, 1),
    .min_abbrev = 3,
    .flags = NO_REPEAT | HERE | TEXT_ONLY,
    .fn = cmd_file,
    .complete = comp_file,
};

/* Sets the program's arguments to those of `run ARGS`. `run` without ARGS keeps the arguments. */
static void run_set_args(struct ez_sess *s, int argc, char **argv)
{
    if (argc < 2)
        return;
    free(s->ui.args);
    s->ui.args = ez_strdup(argv[1]);
}

static void run_see_main(ez_addr at, const struct ez_sym *sym, const struct ez_module_info *m,
                         void *arg)
{
    *(bool *)arg = true;
}

/* Returns true if the program has a main. The program stops at main so that breakpoints can be
 * inserted: at main its libraries are loaded. */
static bool run_has_main(struct ez_sess *s)
{
    bool found = false;
    ez_err_drop(ez_locate(s->target, "main", run_see_main, &found));
    return found;
}

struct ez_run run_how(struct ez_sess *s)
{
    const struct environment *own = environment_state(s);
    return (struct ez_run){
        .args = s->ui.args,
        .cwd = own->cwd,
        .tty = own->tty,
        .env = own->change.at,
        .nenv = own->change.n,
        .own_pgrp = isatty(STDIN_FILENO),
        .disable_aslr = s->ui.disable_aslr,
    };
}

static ez_err *run_launch(struct ez_sess *s, bool stop_at_main)
{
    bool armed = !stop_at_main && breaks_any(s) && run_has_main(s);
    const char *program = ez_target_program(s->target);
    struct ez_run how = run_how(s);
    how.stop_at_main = stop_at_main || armed;
    out_line(s, "Starting program: %s %s", program, s->ui.args);
    out_flush(s);
    s->program.stop_signal = 0;
    s->program.launched = armed;
    sess_hand_over(s);
    ez_err *e = ez_run(s->target, &how);
    /* Runs after an error, too, because sess_foreground() gives the terminal back to the shell. */
    ez_err *w = sess_foreground(s);
    bool go_on = armed && !s->program.launched; /* stopped at main */
    s->program.launched = false;
    if (e) {
        ez_err_free(w);
        return e;
    }
    if (w || !go_on || ez_target_state(s->target) != EZ_STOPPED)
        return w;
    return moves_go(s, &(struct ez_move_request){ .kind = EZ_MOVE_GO, .sig = -1, .fresh = true });
}

ez_err *run_end_process(struct ez_sess *s)
{
    if (!ez_target_live(s->target))
        return NULL;
    if (!sess_query(s, "The program being debugged has been started already.\n"
                       "Start it from the beginning? "))
        return ez_err_new(EZ_E_STATE, 0, "Program not restarted");
    return sess_release(s);
}

static ez_err *run_program(struct ez_sess *s, int argc, char **argv, bool stop_at_main)
{
    size_t n = argc > 1 ? strlen(argv[1]) : 0;
    if (n && argv[1][n - 1] == '&' && (n < 2 || argv[1][n - 2] != '\\'))
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s does not work in the background", argv[0]),
                           "Type \"start\", then \"continue &\"");
    if (!ez_target_program(s->target))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No executable file specified"),
                           "Use the \"file\" command");
    EZ_TRY(run_end_process(s));
    run_set_args(s, argc, argv);
    if (ez_transaction_open(s->target))
        out_line(s, "Note: a transaction is open; the probes since \"begin\" are held until "
                    "\"commit\".");
    return jobs_run_follows_all(s) ? jobs_run(s, stop_at_main) : run_launch(s, stop_at_main);
}

static ez_err *cmd_run(struct ez_sess *s, int argc, char **argv)
{
    return run_program(s, argc, argv, false);
}

const struct ez_cmd command_run = {
    .name = "run",
    .usage = "[ARGS]",
    .brief = "Start the program.",
    .help = "ARGS replace the arguments of \"set args\". /bin/sh expands them and does the\n"
            "redirections. Without ARGS, run uses those of the last run, start or set args.",
    .examples = "run -n 10 < in.txt > out.txt",
    .see_also = "start, set args, kill",
    OPERANDS(RUN, 0, 1),
    .min_abbrev = 1,
    .flags = RAW | NO_REPEAT | HERE | TEXT_ONLY,
    .fn = cmd_run,
    .complete = comp_file,
};

static ez_err *cmd_start(struct ez_sess *s, int argc, char **argv)
{
    return run_program(s, argc, argv, true);
}

const struct ez_cmd command_start = {
    .name = "start",
    .usage = "[ARGS]",
    .brief = "Start the program and stop at main.",
    .help = "The program stops at main's first instruction; gdb would stop behind the\n"
            "prologue. Therefore a probe that you plant on main at this stop records the\n"
            "call of main.",
    .examples = "start -n 10",
    .see_also = "run, continue",
    OPERANDS(RUN, 0, 1),
    .flags = RAW | NO_REPEAT | HERE | TEXT_ONLY,
    .fn = cmd_start,
    .complete = comp_file,
};
