/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cont.c - `continue`, `signal`, `wait`, `interrupt`, `stepi`: resume the target.
 * Tests: tests/e2e/background.ezt, tests/procs/handle.sh */
#include <string.h>

#include "cmds/run/breaks.h"
#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/parse.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Continues the program with signal `sig`; -1 = with the signal that stopped the program, if
 * `handle` lets the program receive that signal. */
static ez_err *cont_foreground(struct ez_sess *s, int sig)
{
    return moves_go(s, &(struct ez_move_request){ .kind = EZ_MOVE_GO, .sig = sig });
}

/* Returns true if the program must stay traced in the background, for breakpoints or the like. */
static bool cont_stays_traced(struct ez_sess *s)
{
    return s->ui.background_traced || ez_settings(s->target)->follow_mode == EZ_FOLLOW_OFFER ||
           breaks_any(s);
}

static ez_err *cmd_continue(struct ez_sess *s, int argc, char **argv)
{
    bool background = argc > 1 && !strcmp(argv[1], "&");
    if (argc > 1 && !background)
        return opt_misuse(s);
    out_line(s, "Continuing.");
    if (!background)
        return cont_foreground(s, -1);
    out_flush(s);
    s->program.stop_signal = 0;
    return cont_stays_traced(s) ? moves_afar(s) : ez_continue(s->target, true, -1);
}

const struct ez_cmd command_continue = {
    .name = "continue",
    .usage = "[&]",
    .brief = "Continue the program after a stop.",
    .help = "With \"&\" the program runs in the background, and the prompt returns at once.\n"
            "When the program ends or stops at a breakpoint, the shell reports that at once.\n"
            "Without breakpoints, a program in the background is not traced, unless \"set\n"
            "background-traced\" or \"set follow-fork-mode offer\" keeps it traced. Ctrl-C\n"
            "stops a program in the foreground.",
    .examples = "continue\n"
                "continue &",
    .see_also = "wait, interrupt, stepi",
    OPERANDS(RUN, 0, 1),
    .min_abbrev = 1,
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_continue,
};

static ez_err *cmd_signal(struct ez_sess *s, int argc, char **argv)
{
    bool none = !strcmp(argv[1], "0");
    int sig = none ? 0 : parse_signal(argv[1]);
    if (!sig && !none)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a signal", argv[1]),
                           "\"info signals\" lists the signals; 0 means none");
    if (sig)
        out_line(s, "Continuing with signal %s.", out_signal(s, sig));
    else
        out_line(s, "Continuing with no signal.");
    return cont_foreground(s, sig);
}

const struct ez_cmd command_signal = {
    .name = "signal",
    .usage = "SIGNAL",
    .brief = "Continue the program with a signal.",
    .help = "SIGNAL is a name or a number. \"signal 0\" continues without a signal: the\n"
            "program does not receive the signal at which it stopped.",
    .examples = "signal SIGUSR1\n"
                "signal 0",
    .see_also = "continue, handle",
    OPERANDS(RUN, 1, 1),
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_signal,
    .complete = comp_signal,
};

static ez_err *cmd_wait(struct ez_sess *s, int argc, char **argv)
{
    if (ez_target_state(s->target) == EZ_STOPPED)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "The program is stopped: there is nothing to wait for"),
            "\"continue &\" lets the program run in the background");
    /* no error if the target has ended already, because there is nothing to wait for */
    return sess_wait(s);
}

const struct ez_cmd command_wait = {
    .name = "wait",
    .usage = "",
    .brief = "Wait until a program in the background ends or stops.",
    .help = "Ctrl-C ends the command, not the program.",
    .examples = "continue &\n"
                "wait",
    .see_also = "continue, interrupt",
    OPERANDS(RUN, 0, 0),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_wait,
};

static ez_err *cmd_interrupt(struct ez_sess *s, int argc, char **argv)
{
    if (ez_target_state(s->target) == EZ_STOPPED)
        return NULL;
    EZ_TRY(ez_interrupt(s->target));
    moves_here(s);
    sess_interrupted(s);
    return NULL;
}

const struct ez_cmd command_interrupt = {
    .name = "interrupt",
    .usage = "",
    .brief = "Stop a program that runs in the background.",
    .examples = "continue &\n"
                "interrupt",
    .see_also = "continue, wait",
    OPERANDS(RUN, 0, 0),
    .flags = NEED_TARGET | TEXT_ONLY,
    .fn = cmd_interrupt,
};

static bool cont_stands(struct ez_sess *s)
{
    sess_events(s);
    return ez_target_state(s->target) == EZ_STOPPED && !s->program.stop_signal;
}

/* Executes n instructions. *was: frame and pc before the last one, from which the output is decided
 * as in gdb. */
static ez_err *cont_steps(struct ez_sess *s, uint64_t n, struct moves_seat *was)
{
    if (n > 1)
        EZ_TRY(ez_stepi(s->target, n - 1));
    bool stands = cont_stands(s);
    *was = moves_seat(s);
    return stands ? ez_stepi(s->target, 1) : NULL;
}

/* Executes n instructions, and checks breakpoints after each one. *hit: a breakpoint stopped the
 * program. */
static ez_err *cont_watchfully(struct ez_sess *s, uint64_t n, struct moves_seat *was, bool *hit)
{
    bool stands = true;
    for (uint64_t i = 0; i < n && stands && !*hit; i++) {
        *was = moves_seat(s);
        EZ_TRY(ez_move_stepi(moves_of(s)));
        stands = cont_stands(s);
        *hit = stands && ez_move_look(moves_of(s));
    }
    return NULL;
}

static ez_err *cmd_stepi(struct ez_sess *s, int argc, char **argv)
{
    uint64_t n = 1;
    if (argc > 1)
        EZ_TRY(parse_value(s, argv[1], &n));
    if (n > INT64_MAX) /* the user typed a negative number */
        return ez_err_new(EZ_E_ARG, 0, "Invalid number of steps \"%s\"", argv[1]);
    s->program.stop_signal = 0;
    struct moves_seat was = { 0 };
    bool hit = false;
    ez_err *e = breaks_any(s) ? cont_watchfully(s, n, &was, &hit) : cont_steps(s, n, &was);
    if (e && e->code != EZ_E_QUIT)
        return e;
    sess_events(s); /* prints a signal or an exit that ended the stepping early */
    s->program.moving = hit;
    if (hit)
        sess_print_stop(s, moves_print, NULL);
    else if (ez_target_state(s->target) == EZ_STOPPED && !s->program.stop_signal)
        sess_print_stop(s, moves_print_step, &was);
    s->program.moving = false;
    return e;
}

const struct ez_cmd command_stepi = {
    .name = "stepi",
    .alias = "si",
    .usage = "[N]",
    .brief = "Execute one instruction, or N instructions.",
    .help = "Only the current thread runs.",
    .examples = "stepi\n"
                "stepi 20",
    .see_also = "continue, x",
    OPERANDS(RUN, 0, 1),
    .flags = NEED_STOPPED | TEXT_ONLY,
    .fn = cmd_stepi,
};
