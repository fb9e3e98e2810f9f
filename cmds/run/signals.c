/* SPDX-License-Identifier: GPL-3.0-or-later */
/* signals.c - `handle`, `info signals`: handling of signals, in gdb's words.
 * Tests: tests/procs/handle.sh */
#include <signal.h>
#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static const struct flag {
    const char *word;
    unsigned on, off; /* flags to set and to clear, EZ_SIG_* */
} flags[] = {
    { "stop", EZ_SIG_STOP | EZ_SIG_PRINT, 0 },
    { "nostop", 0, EZ_SIG_STOP },
    { "print", EZ_SIG_PRINT, 0 },
    /* A stop always prints a message, so noprint implies nostop. */
    { "noprint", 0, EZ_SIG_PRINT | EZ_SIG_STOP },
    { "pass", EZ_SIG_PASS, 0 },
    { "noignore", EZ_SIG_PASS, 0 },
    { "nopass", 0, EZ_SIG_PASS },
    { "ignore", 0, EZ_SIG_PASS },
};

static const struct flag *signals_flag(const char *word)
{
    const struct flag *found = NULL;
    for (size_t i = 0; i < EZ_ARRAY_LEN(flags); i++) {
        if (!strcmp(flags[i].word, word))
            return &flags[i];
        if (strncmp(flags[i].word, word, strlen(word)))
            continue;
        if (found)
            return NULL;
        found = &flags[i];
    }
    return found;
}

static void signals_table(struct ez_sess *s, const bool *which)
{
    struct out_table t;
    out_table_init(&t, s, "Signal", "Stop", "Print", "Pass to program", "Description", NULL);
    out_table_keys(&t, "signals", "signal stop? print? pass? description");
    for (int sig = 1; sig < EZ_NSIG; sig++) {
        unsigned how = ez_signal_how(s->target, sig);
        if (which[sig])
            out_row(&t, out_signal(s, sig), how & EZ_SIG_STOP ? "Yes" : "No",
                    how & EZ_SIG_PRINT ? "Yes" : "No", how & EZ_SIG_PASS ? "Yes" : "No",
                    out_signal_text(sig), NULL);
    }
    out_table_print(&t);
}

/* Sets which[] for the signals that the word names: one, a range, or "all" (without SIGINT and
 * SIGTRAP, which the shell needs). Returns false if the word names no signal. */
static bool signals_mark(const char *word, bool *which)
{
    const char *dash = strchr(word, '-');
    int lo = parse_signal(word), hi = lo;
    if (!strcmp(word, "all")) {
        for (int sig = 1; sig < EZ_NSIG; sig++)
            which[sig] |= sig != SIGINT && sig != SIGTRAP;
        return true;
    }
    if (dash) {
        EZ_FREE char *first = ez_strndup(word, (size_t)(dash - word));
        lo = parse_signal(first);
        hi = parse_signal(dash + 1);
    }
    for (int sig = lo; lo && sig <= hi; sig++)
        which[sig] = true;
    return lo && hi >= lo;
}

static ez_err *cmd_handle(struct ez_sess *s, int argc, char **argv)
{
    bool which[EZ_NSIG] = { false };
    unsigned on = 0, off = 0, signals = 0;
    for (int i = 1; i < argc; i++) {
        const struct flag *f = signals_flag(argv[i]);
        if (f) { /* A later word overrides an earlier word. */
            on = (on & ~f->off) | f->on;
            off = (off & ~f->on) | f->off;
        } else if (signals_mark(argv[i], which)) {
            signals++;
        } else {
            return ez_err_hint(
                ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a signal or an action", argv[i]),
                "\"info signals\" lists the signals; the actions are stop, print, pass, nostop, "
                "noprint and nopass");
        }
    }
    if (!signals)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (signal to handle)");
    for (int sig = 1; sig < EZ_NSIG; sig++)
        if (which[sig] && (on || off))
            ez_settings(s->target)->signal_how[sig] =
                (uint8_t)(((ez_signal_how(s->target, sig) | on) & ~off) | EZ_SIG_CHOSEN);
    signals_table(s, which);
    return NULL;
}

const struct ez_cmd command_handle = {
    .name = "handle",
    .usage = "SIGNAL... [ACTION...]",
    .brief = "Choose what signals do: stop, print, pass.",
    .help = "SIGNAL is a name, a number, a range, or \"all\" (without SIGINT and SIGTRAP,\n"
            "which the shell uses). ACTION is one or more of:\n"
            "  stop, nostop    stop the program, or not; stop implies print\n"
            "  print, noprint  print the signal, or not; noprint implies nostop\n"
            "  pass, nopass    deliver the signal when the program continues, or not\n"
            "\n"
            "A program in the background that is not traced (\"help continue\") receives all\n"
            "signals. With -batch the program receives all signals but SIGINT, except those\n"
            "that \"handle\" changes.",
    .examples = "handle SIGUSR1 nostop noprint pass",
    .see_also = "info signals, signal, continue",
    OPERANDS(RUN, 0, -1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_handle,
    .complete = comp_signal,
};

static ez_err *cmd_info_signals(struct ez_sess *s, int argc, char **argv)
{
    bool which[EZ_NSIG] = { false };
    if (argc > 1 && !signals_mark(argv[1], which))
        return ez_err_new(EZ_E_ARG, 0, "\"%s\" is not a signal", argv[1]);
    for (int sig = 1; argc == 1 && sig < EZ_NSIG; sig++)
        which[sig] = true;
    signals_table(s, which);
    if (argc == 1 && !out_json_requested(s))
        out_text(s, "\nUse the \"handle\" command to change these tables.\n");
    return NULL;
}

const struct ez_cmd command_info_signals = {
    .parent = "info",
    .name = "signals",
    .usage = "[SIGNAL]",
    .brief = "Show what signals do.",
    .help = "The table is valid while the program is traced. A program in the background that\n"
            "is not traced (\"help continue\") receives all signals.",
    .examples = "info signals SIGUSR1",
    .see_also = "handle",
    OPERANDS(RUN, 0, 1),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_signals,
    .complete = comp_signal,
};

void comp_signal(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    char name[16];
    for (int sig = 1; sig < 32; sig++)
        comp_offer(out, word, ez_str_signal(sig, name));
    for (size_t i = 0; !strcmp(comp_command_name(out), "handle") && i < EZ_ARRAY_LEN(flags); i++)
        comp_offer(out, word, flags[i].word);
}
