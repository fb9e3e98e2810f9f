/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apply.c - `thread apply`, `frame apply` and their short forms: run a command for several threads
 * or frames, as in gdb.
 * Tests: tests/procs/forms.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/data/values.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

#define APPLY_MOST 100000 /* maximum number of frames of a thread */

/* ---- flags, then a command for one thread or frame ------------------------------------------- */

struct apply {
    bool quiet;     /* -q: prints no heading before the output of each thread or frame */
    bool carry_on;  /* -c: prints errors and continues with the next thread or frame */
    bool silent;    /* -s: prints nothing for a thread or frame with an error or without output */
    bool ascending; /* threads: ascending order of numbers */
    const char *command;
};

/* Skips the word if the text begins with it. Returns true if it does. */
static bool apply_skip_word(const char **text, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*text, word, n) || ((*text)[n] && !isspace((unsigned char)(*text)[n])))
        return false;
    *text = parse_skip(*text + n);
    return true;
}

static ez_err *apply_parse(const char *text, bool threads, struct apply *a)
{
    bool more = true;
    while (more) {
        bool q = apply_skip_word(&text, "-q"), c = apply_skip_word(&text, "-c"),
             s = apply_skip_word(&text, "-s");
        bool up = threads && apply_skip_word(&text, "-ascending");
        a->quiet |= q;
        a->carry_on |= c;
        a->silent |= s;
        a->ascending |= up;
        more = q || c || s || up;
    }
    apply_skip_word(&text, "--");
    a->command = text;
    if (a->carry_on && a->silent)
        return ez_err_new(EZ_E_ARG, 0, "%s apply: -c and -s are mutually exclusive",
                          threads ? "thread" : "frame");
    return NULL;
}

/* Runs the command for the selected thread or frame; head prints the heading of that thread or
 * frame. */
static ez_err *apply_one(struct ez_sess *s, const struct apply *a,
                         void (*head)(struct ez_sess *s, const void *of), const void *of)
{
    EZ_FREE char *said = NULL;
    ez_err *e;
    if (!a->silent) {
        if (!a->quiet)
            head(s, of);
        e = sess_run(s, a->command);
        if (e && a->carry_on)
            out_error(s, e);
        return a->carry_on ? NULL : e;
    }
    if (!ez_err_drop(sess_capture(s, a->command, &said)) || !*said)
        return NULL;
    if (!a->quiet)
        head(s, of);
    out_raw(s, said);
    return NULL;
}

static bool apply_goes_on(struct ez_sess *s, const ez_err *e)
{
    return !e && ez_target_readable(s->target) && !s->end.interrupted && !s->out.quit_pager;
}

/* ---- numbers --------------------------------------------------------------------------------- */

struct apply_list {
    uint64_t *at;
    size_t n, cap;
};

/* Parses a number or a range ("1", "2-4") at the beginning of *text, moves *text past it, and
 * appends its numbers to *out, at most `most` + 1001 of them. *any becomes true if *text begins
 * with a number. */
static ez_err *apply_numbers(const char **text, uint64_t most, struct apply_list *out, bool *any)
{
    char *end;
    *any = false;
    if (!isdigit((unsigned char)**text))
        return NULL;
    uint64_t lo = strtoull(*text, &end, 10), hi = lo;
    if (*end == '-' && isdigit((unsigned char)end[1]))
        hi = strtoull(end + 1, &end, 10);
    if (*end && !isspace((unsigned char)*end))
        return NULL;
    if (hi < lo)
        return ez_err_gdb(EZ_E_ARG, "inverted range");
    for (uint64_t i = lo; i <= hi && i - lo <= most + 1000;
         i++) /* each unknown number gets a warning */
        EZ_PUSH(out, i);
    *any = true;
    *text = parse_skip(end);
    return NULL;
}

/* ---- threads --------------------------------------------------------------------------------- */

struct apply_thread {
    unsigned number;
    int tid;
    char comm[17];
};
struct apply_threads {
    EZ_VEC(struct apply_thread) thread;
    int current;
};

static void apply_note_thread(const struct ez_thread_info *t, void *arg)
{
    struct apply_threads *a = arg;
    struct apply_thread one = { .number = (unsigned)a->thread.n + 1, .tid = t->tid };
    memcpy(one.comm, t->comm, sizeof one.comm);
    EZ_PUSH(&a->thread, one);
    a->current = t->current ? t->tid : a->current;
}

static void apply_head_thread(struct ez_sess *s, const void *of)
{
    const struct apply_thread *t = of;
    out_line(s, "%s", "");
    const char *name = *t->comm ? sess_format(s, " \"%s\"", t->comm) : "";
    out_line(s, "Thread %u (LWP %d%s):", t->number, t->tid, name);
}

static ez_err *apply_to_threads(struct ez_sess *s, const struct apply_threads *all,
                                const struct apply_list *which, const struct apply *a)
{
    ez_err *e = NULL;
    for (size_t i = 0; i < which->n && apply_goes_on(s, e); i++) {
        uint64_t n = which->at[i];
        const struct apply_thread *t = n && n <= all->thread.n ? &all->thread.at[n - 1] : NULL;
        if (!t)
            out_warning(s, "Unknown thread %llu", (unsigned long long)n);
        else if (!(e = ez_select_thread(s->target, t->tid)))
            e = apply_one(s, a, apply_head_thread, t);
    }
    return e;
}

/* Parses "all", or numbers; then flags and the command. */
static ez_err *apply_parse_threads(const char *text, const struct apply_threads *all,
                                   struct apply_list *which, struct apply *a)
{
    bool any = true, every = apply_skip_word(&text, "all");
    while (!every && any)
        EZ_TRY(apply_numbers(&text, all->thread.n, which, &any));
    if (!every && !which->n)
        return ez_err_gdb(EZ_E_ARG, "Invalid thread ID: %s", text);
    EZ_TRY(apply_parse(text, true, a));
    if (!*a->command)
        return ez_err_gdb(EZ_E_ARG, "Please specify a command %s",
                          every ? "at the end of 'thread apply all'"
                                : "following the thread ID list");
    for (size_t i = 0; every && i < all->thread.n; i++)
        EZ_PUSH(which, a->ascending ? i + 1 : all->thread.n - i);
    return NULL;
}

static ez_err *apply_threads(struct ez_sess *s, const char *what)
{
    struct apply_threads all = { .current = 0 };
    struct apply_list which = { .n = 0 };
    struct apply a = { .quiet = false };
    EZ_FREE char *text = ez_strdup(what); /* a copy, because the commands free the strings that the
                                           * session keeps */
    EZ_TRY(ez_threads(s->target, apply_note_thread, &all));
    unsigned was = ez_frame_number(values_of(s));
    ez_err *e = apply_parse_threads(text, &all, &which, &a);
    if (!e)
        e = apply_to_threads(s, &all, &which, &a);
    if (ez_target_readable(s->target) && all.current)
        ez_err_drop(ez_select_thread(s->target, all.current));
    if (was && ez_target_readable(s->target))
        ez_err_drop(frames_choose(s, was, false, false));
    EZ_VEC_FREE(&all.thread);
    EZ_VEC_FREE(&which);
    return e;
}

static ez_err *cmd_thread_apply(struct ez_sess *s, int argc, char **argv)
{
    return apply_threads(s, argv[1]);
}

const struct ez_cmd command_thread_apply = {
    .parent = "thread",
    .name = "apply",
    .usage = "N...|all [FLAG...] COMMAND",
    .brief = "Run a command in several threads.",
    .help = "N is a number of \"info threads\"; 2-4 means threads 2, 3 and 4. The selected\n"
            "thread does not change. Without -c and -s the first error ends the command.\n"
            "\"all\" begins with the thread that has the highest number.\n"
            "\n"
            "FLAG is one of:\n"
            "  -q          do not print a header for each thread\n"
            "  -c          print errors and go on with the next thread\n"
            "  -s          print nothing for threads with an error or without output\n"
            "  -ascending  with \"all\": begin with thread 1",
    .examples = "thread apply all bt\n"
                "thread apply 1 3-4 info registers pc",
    .see_also = "thread, info threads, backtrace",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | NEED_STOPPED | OR_CORE,
    .fn = cmd_thread_apply,
};

static ez_err *cmd_taas(struct ez_sess *s, int argc, char **argv)
{
    return apply_threads(s, sess_format(s, "all -s %s", argv[1]));
}

const struct ez_cmd command_taas = {
    .name = "taas",
    .usage = "COMMAND",
    .brief = "Run a command in all threads, ignoring errors.",
    .help = "This is short for \"thread apply all -s COMMAND\".",
    .examples = "taas print errno",
    .see_also = "thread apply, faas, tfaas",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | NEED_STOPPED | OR_CORE | TEXT_ONLY,
    .fn = cmd_taas,
};

static ez_err *cmd_tfaas(struct ez_sess *s, int argc, char **argv)
{
    return apply_threads(s, sess_format(s, "all -s -- frame apply all -s %s", argv[1]));
}

const struct ez_cmd command_tfaas = {
    .name = "tfaas",
    .usage = "COMMAND",
    .brief = "Run a command in all frames of all threads, ignoring errors.",
    .help = "This is short for \"thread apply all -s -- frame apply all -s COMMAND\". Nothing\n"
            "is printed for a frame in which COMMAND fails or prints nothing.",
    .examples = "tfaas print n",
    .see_also = "thread apply, frame apply",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | NEED_STOPPED | OR_CORE | TEXT_ONLY,
    .fn = cmd_tfaas,
};

/* ---- frames ---------------------------------------------------------------------------------- */

static void apply_head_frame(struct ez_sess *s, const void *of)
{
    frames_print_one(s, "", *(const unsigned *)of, true);
}

/* Parses "all", COUNT, -COUNT or "level LEVEL...", out of n frames. */
static ez_err *apply_parse_frames(struct ez_sess *s, const char *text, size_t n,
                                  struct apply_list *which, struct apply *a)
{
    bool any = true, level = apply_skip_word(&text, "level"),
         every = !level && apply_skip_word(&text, "all");
    char *end = (char *)text;
    long count = every || level ? (long)n : strtol(text, &end, 0);
    while (level && any)
        EZ_TRY(apply_numbers(&text, n, which, &any));
    if (level && !which->n)
        return ez_err_gdb(EZ_E_ARG, "Missing or invalid LEVEL... argument");
    if (!every && !level && end == text)
        return ez_err_gdb(EZ_E_ARG, "Invalid COUNT argument.");
    EZ_TRY(apply_parse(level ? text : parse_skip(end), false, a));
    if (!*a->command)
        return ez_err_gdb(EZ_E_ARG, "Please specify a command to apply on the selected frames");
    size_t from = count < 0 && n > (size_t)-count ? n - (size_t)-count : 0;
    size_t to = count < 0 ? n : EZ_MIN(n, (size_t)count);
    for (size_t i = from; !level && i < to; i++)
        EZ_PUSH(which, i);
    for (size_t i = 0; i < which->n; i++)
        if (which->at[i] >= n)
            return ez_err_new(EZ_E_ARG, 0, "No frame at level %llu",
                              (unsigned long long)which->at[i]);
    return NULL;
}

static ez_err *apply_frames(struct ez_sess *s, const char *what)
{
    struct ez_stack all;
    struct apply_list which = { .n = 0 };
    struct apply a = { .quiet = false };
    EZ_FREE char *text = ez_strdup(what);
    struct ez_history *values = values_of(s);
    unsigned was = ez_frame_number(values);
    EZ_TRY(ez_stack_frames(values, APPLY_MOST, &all));
    size_t n = all.frame.n;
    ez_stack_clear(&all);
    ez_err *e = apply_parse_frames(s, text, n, &which, &a);
    for (size_t i = 0; i < which.n && apply_goes_on(s, e); i++) {
        const unsigned level = (unsigned)which.at[i];
        e = frames_choose(s, level, false, false);
        if (!e)
            e = apply_one(s, &a, apply_head_frame, &level);
    }
    if (ez_target_readable(s->target))
        ez_err_drop(frames_choose(s, was, false, false));
    EZ_VEC_FREE(&which);
    return e;
}

static ez_err *cmd_frame_apply(struct ez_sess *s, int argc, char **argv)
{
    return apply_frames(s, argv[1]);
}

const struct ez_cmd command_frame_apply = {
    .parent = "frame",
    .name = "apply",
    .usage = "all|N|-N|level N... [FLAG...] COMMAND",
    .brief = "Run a command in several frames.",
    .help = "N means the N innermost frames, -N the N outermost. \"level\" selects frames by\n"
            "number; 1-3 means frames 1, 2 and 3. FLAG is -q, -c or -s, as in \"thread\n"
            "apply\". The selected frame does not change.",
    .examples = "frame apply all -s print n\n"
                "frame apply level 1-2 info locals",
    .see_also = "frame, thread apply, backtrace",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | NEED_STOPPED | OR_CORE,
    .fn = cmd_frame_apply,
};

static ez_err *cmd_faas(struct ez_sess *s, int argc, char **argv)
{
    return apply_frames(s, sess_format(s, "all -s %s", argv[1]));
}

const struct ez_cmd command_faas = {
    .name = "faas",
    .usage = "COMMAND",
    .brief = "Run a command in all frames, ignoring errors.",
    .help = "This is short for \"frame apply all -s COMMAND\".",
    .examples = "faas print n",
    .see_also = "frame apply, taas, tfaas",
    OPERANDS(DATA, 1, 1),
    .flags = RAW | NEED_STOPPED | OR_CORE | TEXT_ONLY,
    .fn = cmd_faas,
};
