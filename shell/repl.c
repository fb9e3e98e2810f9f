/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repl.c - the line editor at the prompt (repl.h).
 *
 * readline runs in callback mode, so that the loop can watch the target while a line is typed. The
 * handler only stores the line. The command runs afterwards, with the terminal in its normal modes
 * and the handler removed, so a command may ask questions, page, or give the terminal to the
 * target.
 * Tests: tests/unit/shell/check_repl.c */
#include "shell/repl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "shell/complete.h"
#include "shell/dispatch.h"
#include "shell/hooks.h"
#include "shell/lex.h"
#include "shell/loop.h"
#include "shell/out.h"
#include "shell/sess.h"

static struct ez_sess *sess; /* readline's callbacks have no argument */
static char *typed_line;     /* the entered line, until it runs */
static bool ended;           /* Ctrl-D on an empty line */

static void repl_accept_line(char *line)
{
    /* readline prints the next prompt after this callback, unless the handler is removed here. */
    rl_callback_handler_remove();
    sess->in.editing = false;
    typed_line = line;
    ended = !line;
}

static void repl_start_editing(void)
{
    sess->in.editing = true;
    sess->out.lines = 0;
    sess->out.no_pager = false;
    rl_callback_handler_install(sess->run.block ? ">" : hooks_members->prompt(sess),
                                repl_accept_line);
}

/* ---- called by the loop ----------------------------------------------------------- */

static void repl_hide_line(void)
{
    rl_clear_visible_line();
    fflush(rl_outstream);
}

static void repl_show_line(void)
{
    rl_on_new_line();
    rl_forced_update_display();
}

static void repl_suspend_editor(bool before)
{
    if (!sess->in.editing)
        return;
    if (before) {
        rl_deprep_terminal();
    } else {
        rl_prep_terminal(1);
        repl_show_line();
    }
}

static void repl_resized(void)
{
    if (sess->in.editing)
        rl_resize_terminal();
}

static const struct ez_editor editor = {
    .hide_line = repl_hide_line,
    .show_line = repl_show_line,
    .resized = repl_resized,
    .suspend = repl_suspend_editor,
};

/* ---- lines ---------------------------------------------------------------------------- */

/* Discards the line after Ctrl-C and prints "Quit". The caller shows a new prompt. */
static void repl_discard_line(void)
{
    rl_free_line_state();
    rl_callback_sigcleanup();
    rl_replace_line("", 0);
    rl_callback_handler_remove();
    sess->in.editing = false;
    sess->run.block = NULL;
    out_raw(sess, "Quit\n");
    hooks_call(sess, SHELL_LINE_DROPPED);
}

/* Edits one line. Returns false if the shell must end. */
static bool repl_edit_line(void)
{
    repl_start_editing();
    while (sess->in.editing && !sess->end.quit) {
        unsigned ready = loop_once(sess, true, -1);
        if (ready & LOOP_SIGINT && !sess->end.quit) {
            repl_discard_line();
            repl_start_editing();
        } else if (ready & LOOP_INPUT && sess->in.editing) {
            rl_callback_read_char();
        }
    }
    if (sess->in.editing)
        rl_callback_handler_remove();
    sess->in.editing = false;
    return !sess->end.quit;
}

static void repl_remember(const char *line)
{
    if (sess->ui.history_size)
        stifle_history((int)sess->ui.history_size);
    else
        unstifle_history();
    HIST_ENTRY *last = history_length ? history_get(history_base + history_length - 1) : NULL;
    if (!last || strcmp(last->line, line))
        add_history(line);
}

static void repl_run_line(const char *line)
{
    EZ_FREE char *again = NULL;
    if (*lex_skip_blanks(line))
        repl_remember(line);
    else if (sess->run.repeat && !sess->run.block)
        line = again = ez_strdup(sess->run.repeat);
    sess_uninterrupt(sess);
    dispatch_print(sess, line);
}

/* Returns true if `set history save` is on and the history's file is a regular file or does not
 * exist: readline would wait for the other end of a FIFO, and would replace a device. */
static bool repl_keeps_history(void)
{
    struct stat st;
    const char *file = sess->ui.history_file;
    return sess->ui.history_save && *file && (stat(file, &st) || S_ISREG(st.st_mode));
}

static void repl_load_history(void)
{
    if (repl_keeps_history())
        read_history(sess->ui.history_file);
}

static void repl_save_history(void)
{
    if (!repl_keeps_history())
        return;
    int e = write_history(sess->ui.history_file);
    if (e)
        out_warning(sess, "%s: %s.", sess->ui.history_file, strerror(e));
}

void repl(struct ez_sess *s)
{
    sess = s;
    rl_readline_name = "eztsh";
    rl_catch_signals = 0; /* the loop reads signals from its signalfd */
    rl_catch_sigwinch = 0;
    s->in.editor = &editor;
    complete_init(s);
    using_history();
    repl_load_history();
    while (!s->end.quit && repl_edit_line()) {
        if (ended && !s->run.block)
            out_raw(s, "quit\n");
        repl_run_line(!ended ? typed_line : s->run.block ? "end" : "quit");
        free(typed_line);
        typed_line = NULL;
    }
    repl_save_history();
}
