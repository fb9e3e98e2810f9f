/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hooks.c - what commands have the shell call (shell/hooks.h).
 * Tests: tests/procs/ jobs.sh, moving.sh, breaks.sh, hand.sh, lessons.sh; tests/e2e/flow.ezt */
#include "shell/hooks.h"

#include "cmds/budget.h"
#include "cmds/cmd.h"
#include "cmds/jobs.h"
#include "cmds/moves.h"
#include "shell/sess.h"

/* ---- jobs ------------------------------------------------------------------------------------ */

static const struct shell_hooks hooks_jobs = {
    .at = { [SHELL_ENDS] = jobs_end },
    .fd = jobs_fd,
    .heard = jobs_heard,
    .tick_ms = jobs_tick_ms,
    .tick = jobs_tick,
};

static const struct shell_members members = {
    .take = jobs_take,
    .command = jobs_command,
    .prompt = jobs_prompt,
    .state = jobs_state,
};

/* ---- the program is moved on ----------------------------------------------------------------- */

static void hooks_stop_done(struct ez_sess *s)
{
    if (s->commands && !s->runs_commands)
        breaks_run_commands(s);
}

static ez_err *hooks_renew(struct ez_sess *s)
{
    return s->afar ? moves_renew(s) : NULL;
}

static void hooks_free_target(struct ez_sess *s)
{
    display_free(s);
    source_end(s);
}

static const struct shell_hooks hooks_moves = {
    .at = { [SHELL_STOP_TOLD] = display_all,
            [SHELL_STOP_DONE] = hooks_stop_done,
            [SHELL_PROGRAM_GONE] = moves_here,
            [SHELL_FREE_TARGET] = hooks_free_target },
    .ran = hooks_renew,
};

static void hooks_frame(struct ez_sess *s, const char *lead)
{
    frames_tell_one(s, lead, 0, false);
    source_tell(s, 0, false);
}

static void hooks_place(struct ez_sess *s, struct ez_stop *stop)
{
    if (!stop->addr)
        stop->addr = moves_seat(s).pc;
    source_at(s, stop->addr, &stop->file, &stop->line);
}

static const struct shell_stops stops = {
    .go_on = moves_go_on,
    .tell = moves_tell,
    .frame = hooks_frame,
    .place = hooks_place,
    .who = moves_who,
};

/* ---- lines ------------------------------------------------------------------------------------- */

static const struct shell_hooks hooks_lines = {
    .at = { [SHELL_LINE_DROPPED] = hand_abandon,
            [SHELL_LINE_DONE] = lesson_look,
            [SHELL_CALL_FAILED] = explain_failure,
            [SHELL_FREE] = flow_free },
    .set_budget = budget_set,
};

static const struct shell_words words = {
    .call = user_call,
    .hook = user_hook,
    .help = user_help,
    .names = user_names,
};

void commands_register(void)
{
    commands_list();
    hooks_add(&hooks_jobs);
    hooks_add(&hooks_moves);
    hooks_add(&hooks_lines);
    hooks_set(&words, &stops, &members);
}
