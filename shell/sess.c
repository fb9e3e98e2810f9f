/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sess.c - the session: questions, the terminal, waiting for the target (sess.h).
 * Tests: tests/unit/shell/check_repl.c */
#include "shell/sess.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>

#include "shell/ending.h"
#include "shell/hooks.h"
#include "shell/loop.h"
#include "shell/out.h"
#include "shell/record.h"

/* Frees the states first, because they hold addresses and types of the target. */
void sess_free_target(struct ez_sess *s)
{
    sess_free_states(s);
    if (s->target)
        ez_target_destroy(s->target);
    s->target = NULL;
}

void sess_forget_traces(struct ez_sess *s)
{
    while (s->program.trace.n)
        free(s->program.trace.at[--s->program.trace.n]);
}

void sess_free(struct ez_sess *s)
{
    sess_forget(s, 0);
    EZ_VEC_FREE(&s->kept);
    free(s->run.repeat);
    sess_forget_traces(s);
    EZ_VEC_FREE(&s->program.trace);
    sess_free_target(s);
    record_free(s);
}

/* ---- questions ---------------------------------------------------------------- */

static bool sess_query_user(struct ez_sess *s, const char *question, bool usually_no)
{
    const char *choice = usually_no ? "y or [n]" : "y or n";
    char answer[64];
    for (;;) {
        out_raw(s, sess_format(s, "%s(%s) ", question, choice));
        if (!loop_read_line(s, answer, sizeof answer, NULL)) {
            bool eof = !s->end.interrupted;
            out_raw(s, !eof ? "Quit\n" : usually_no ? "EOF [assumed N]\n" : "EOF [assumed Y]\n");
            return eof && !usually_no;
        }
        if (!*answer && usually_no)
            return false;
        if (*answer == 'y' || *answer == 'Y')
            return true;
        if (*answer == 'n' || *answer == 'N')
            return false;
        out_raw(s, sess_format(s, "Please answer %s.\n", choice));
    }
}

bool sess_can_query(const struct ez_sess *s)
{
    return s->in.terminal && s->ui.confirm && !s->batch && !s->run.depth;
}

bool sess_offer(struct ez_sess *s, const char *question)
{
    record_hold(s);
    bool yes = sess_can_query(s) && sess_query_user(s, question, true);
    record_resume(s);
    s->out.lines = 0;
    return yes;
}

bool sess_query(struct ez_sess *s, const char *fmt, ...)
{
    if (!s->ui.confirm || s->batch || s->run.depth)
        return true;
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0)
        text = ez_strdup("");
    va_end(ap);
    bool yes = true;
    record_hold(s);
    if (s->in.terminal) {
        yes = sess_query_user(s, text, false);
    } else {
        out_raw(s, text);
        out_raw(s, "(y or n) [answered Y; input not from terminal]\n");
    }
    record_resume(s);
    free(text);
    s->out.lines = 0;
    return yes;
}

/* ---- the terminal --------------------------------------------------------------- */

/* The target's process group has the terminal while the target runs in the foreground, else reading
 * from the terminal would stop the target. The shell and the target each get their own terminal
 * modes back. */
static struct termios shell_modes, target_modes;
static pid_t modes_of; /* process whose modes target_modes has */
static bool was_ours;  /* the shell had the terminal before; shell_modes is valid */

static void sess_hand(pid_t pid, bool ours)
{
    pid_t group = pid > 0 ? getpgid(pid) : -1;
    if (!isatty(STDIN_FILENO))
        return;
    if (tcgetpgrp(STDIN_FILENO) == getpgrp()) /* the terminal, and its modes, are the shell's */
        was_ours = !tcgetattr(STDIN_FILENO, &shell_modes);
    if (!ours || group <= 0 || group == getpgrp())
        return;
    if (modes_of == pid)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &target_modes);
    tcsetpgrp(STDIN_FILENO, group);
    modes_of = pid;
}

void sess_hand_over(struct ez_sess *s)
{
    sess_hand(ez_target_pid(s->target), !ez_target_attached(s->target));
}

void sess_hand_to(struct ez_sess *s, pid_t pid)
{
    sess_hand(pid, true);
}

bool sess_reclaim_terminal(struct ez_sess *s)
{
    if (!isatty(STDIN_FILENO) || tcgetpgrp(STDIN_FILENO) == getpgrp() || !was_ours)
        return false;
    tcgetattr(STDIN_FILENO, &target_modes);
    tcsetpgrp(STDIN_FILENO, getpgrp());
    tcsetattr(STDIN_FILENO, TCSADRAIN, &shell_modes);
    return true;
}

static uint64_t sess_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Shows the progress of the work, its speed and the remaining time. */
static void sess_show_progress(struct ez_sess *s, const char *what, uint64_t done, uint64_t total)
{
    /* began: subject of the previous call; start: time when work on that subject began; before:
     * units done at the previous call */
    static const char *began;
    static uint64_t start, before;
    char rate[32] = "";
    if (!began || strcmp(began, what) || done < before) {
        began = what;
        start = sess_now();
    }
    before = done;
    uint64_t ns = sess_now() - start;
    if (ns > 250000000)
        snprintf(rate, sizeof rate, ", %.0f/s", (double)done / ((double)ns / 1e9));
    if (total)
        out_status(s, "%s: %llu of %llu%s%s", what, (unsigned long long)done,
                   (unsigned long long)total, rate, out_left(done, total, ns).text);
    else
        out_status(s, "%s...", what);
}

/* Shows the progress. The target is stopped during the work, so the shell has the terminal and
 * gets Ctrl-C. */
bool sess_progress(void *sess, const char *what, uint64_t done, uint64_t total)
{
    static bool reclaimed;
    struct ez_sess *s = sess;
    if (!what) {
        out_status(s, "%s", "");
        if (reclaimed && !s->end.interrupted)
            sess_hand_over(s);
        return reclaimed = false;
    }
    reclaimed |= *what && sess_reclaim_terminal(s);
    if (*what)
        sess_show_progress(s, what, done, total);
    sess_uninterrupt(s);
    return !loop_signalled(s) && !s->end.quit;
}

/* ---- waiting ---------------------------------------------------------------------- */

static ez_err *sess_interrupt(struct ez_sess *s)
{
    sess_uninterrupt(s);
    s->out.quit_pager = s->end.unread;
    if (ez_target_state(s->target) != EZ_RUNNING)
        return NULL; /* The target has stopped by itself. */
    EZ_TRY(ez_interrupt(s->target));
    if (!s->end.quit)
        sess_interrupted(s);
    return NULL;
}

ez_err *sess_foreground(struct ez_sess *s)
{
    ez_err *e = NULL;
    out_flush(s);
    sess_uninterrupt(s);
    sess_hand_over(s);
    do {
        while (!e && ez_target_state(s->target) == EZ_RUNNING) {
            loop_once(s, false, -1);
            if (s->end.interrupted)
                e = sess_interrupt(s);
        }
    } while (!e && hooks_stops->go_on(s, &e));
    sess_reclaim_terminal(s);
    sess_events(s);
    sess_print_stop(s, hooks_stops->notify, NULL);
    s->out.lines = 0;
    if (s->end.signal)
        ending_by(s, s->end.signal);
    return e;
}

ez_err *sess_wait(struct ez_sess *s)
{
    sess_uninterrupt(s);
    out_flush(s);
    while ((ez_target_state(s->target) == EZ_BACKGROUND || s->program.afar) && !s->end.interrupted)
        loop_once(s, false, -1);
    sess_events(s);
    if (s->end.interrupted && !s->end.quit)
        out_line(s, "Quit");
    return NULL;
}

bool sess_pass(struct ez_sess *s, int ms)
{
    out_flush(s);
    loop_signalled(s);
    if (!s->end.interrupted)
        loop_once(s, false, ms);
    return !s->end.interrupted;
}

bool sess_sleep(struct ez_sess *s, int ms)
{
    struct timespec a, b;
    int left = ms;
    out_flush(s);
    loop_signalled(s); /* handles pending signals, also if `ms` is 0 */
    clock_gettime(CLOCK_MONOTONIC, &a);
    while (left > 0 && !s->end.interrupted) {
        loop_once(s, false, left);
        clock_gettime(CLOCK_MONOTONIC, &b);
        left = ms - (int)((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000);
    }
    return !s->end.interrupted;
}

bool sess_ended_first(struct ez_sess *s, ez_err *e)
{
    if (!e || e->code != EZ_E_GONE || ez_target_live(s->target))
        return false;
    ez_err_free(e);
    sess_events(s);
    return true;
}

ez_err *sess_release(struct ez_sess *s)
{
    if (!ez_target_live(s->target))
        return NULL;
    int pid = ez_target_pid(s->target);
    bool attached = ez_target_attached(s->target);
    ez_err *e = attached ? ez_detach(s->target) : ez_kill(s->target);
    if (sess_ended_first(s, e))
        return NULL;
    EZ_TRY(e);
    if (attached)
        out_line(s, "[Inferior 1 (process %d) detached]", pid);
    sess_epilogue(s);
    return NULL;
}
