/* SPDX-License-Identifier: GPL-3.0-or-later */
/* register.c - the commands' callbacks for the shell (shell/hooks.h).
 * Tests: tests/procs/jobs.sh, tests/procs/moving.sh, tests/procs/breaks.sh,
 * tests/procs/hand.sh, tests/procs/lessons.sh; tests/e2e/flow.ezt */
#include "shell/hooks.h"

#include "cmds/probe/budget.h"
#include "cmds/cmd.h"
#include "cmds/job/jobs.h"
#include "cmds/run/moves.h"
#include "shell/sess.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

static const struct shell_hooks register_jobs = {
    .at = { [SHELL_ENDS] = jobs_end },
    .fd = jobs_fd,
    .heard = jobs_heard,
    .tick_ms = jobs_tick_ms,
    .tick = jobs_tick,
};

static const struct shell_members register_members = {
    .route = jobs_routes,
    .command = jobs_command,
    .prompt = jobs_prompt,
    .state = jobs_state,
};

/* ---- moves ----------------------------------------------------------------------------------- */

static const struct shell_hooks register_moves = {
    .at = { [SHELL_STOP_REPORTED] = display_all,
            [SHELL_STOP_DONE] = breaks_run_commands,
            [SHELL_PROGRAM_GONE] = moves_here },
    .ran = moves_renew,
};

static void register_frame(struct ez_sess *s, const char *lead)
{
    frames_print_one(s, lead, 0, false);
    source_print_line(s, 0, false);
}

static void register_place(struct ez_sess *s, struct ez_stop *stop)
{
    if (!stop->addr)
        stop->addr = moves_seat(s).pc;
    source_at(s, stop->addr, &stop->file, &stop->line);
}

static const struct shell_stops register_stops = {
    .go_on = moves_go_on,
    .notify = moves_print,
    .frame = register_frame,
    .place = register_place,
    .who = moves_who,
};

/* ---- lines ----------------------------------------------------------------------------------- */

static const struct shell_hooks register_lines = {
    .at = { [SHELL_LINE_DROPPED] = hand_abandon,
            [SHELL_LINE_DONE] = lesson_look,
            [SHELL_CALL_FAILED] = explain_failure },
    .set_budget = budget_set,
};

static const struct shell_words register_words = {
    .call = user_call,
    .hook = user_hook,
    .help = user_help,
    .names = user_names,
};

void commands_register(void)
{
    commands_list();
    hooks_add(&register_jobs);
    hooks_add(&register_moves);
    hooks_add(&register_lines);
    hooks_set(&register_words, &register_stops, &register_members);
}
