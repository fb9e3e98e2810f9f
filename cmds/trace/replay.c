/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - `replay [FILE.fxt...]`: prints the calls of traces, nested, in the order of time; with
 * -f those of the trace that is being written.
 * Tests: tests/unit/shell/check_read.c, tests/trace/uftrace.sh, tests/trace/screen.sh */
#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/listing.h"
#include "cmds/trace/traces.h"
#include "engine/trace/live.h"
#include "engine/trace/replay.h"
#include "shell/out.h"
#include "shell/sess.h"

enum { POLL_MS = 100 };

static void replay_setup(struct ez_sess *s, struct listing *l, const struct ez_model *m)
{
    *l = (struct listing){
        .s = s,
        .m = m,
        .time = opt_given(s, "-time"),
        .whole = opt_given(s, "-whole"),
        .flat = opt_given(s, "-flat"),
        .apart = opt_given(s, "-apart"),
        .json = out_json_requested(s),
    };
    listing_begin(l);
}

static struct ez_nesting *replay_nesting(struct listing *l)
{
    return ez_nesting_create(l->m, !opt_given(l->s, "-no-args"), l->flat, listing_line, l);
}

/* Returns the error; NULL if the error only says that the user ended the output. */
static ez_err *replay_ended(struct ez_sess *s, ez_err *e)
{
    if (!e || e->code != EZ_E_QUIT || !s->out.quit_pager)
        return e;
    ez_err_free(e);
    return NULL;
}

/* ---- trace files ------------------------------------------------------------------------ */

struct reading {
    struct progress *bar;
    struct ez_progress draw;
    const struct listing *l;
};

/* Draws the progress bar until the first line is printed, because the filter may select a late part
 * of the trace. */
static bool replay_reads_on(void *arg, uint64_t done, uint64_t total)
{
    struct reading *r = arg;
    if (!r->l->lines)
        return r->draw.fn(r->draw.arg, done, total);
    progress_end(r->bar);
    return sess_sleep(r->l->s, 0);
}

static ez_err *replay_print(struct ez_sess *s, struct ez_replay *r, struct progress *bar,
                            const struct ez_progress *draw)
{
    struct listing l;
    progress_end(bar);
    replay_setup(s, &l, ez_replay_model(r));
    struct reading reading = { bar, *draw, &l };
    const struct ez_progress progress = { replay_reads_on, &reading };
    struct ez_nesting *n = replay_nesting(&l);
    ez_err *e = ez_replay_run(r, ez_nesting_item, n, &progress);
    progress_end(bar);
    if (!e)
        e = ez_nesting_flush(n);
    listing_end(&l);
    ez_nesting_free(n);
    listing_free(&l);
    return replay_ended(s, e);
}

static ez_err *replay_files(struct ez_sess *s, const struct traces *t)
{
    struct ez_replay *r = NULL;
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(t, &progress, &r);
    if (!e)
        e = replay_print(s, r, &bar, &progress);
    progress_end(&bar);
    if (!e && !out_json_requested(s) && !s->out.quit_pager)
        print_repaired(s, ez_replay_sum(r));
    ez_replay_close(r);
    return e;
}

/* ---- a trace that grows ------------------------------------------------------------------ */

struct following {
    struct ez_sess *s;
    struct ez_nesting *n;
    bool shows; /* false while the events are read that precede the command */
};

static ez_err *replay_follow_item(void *arg, const struct ez_item *it)
{
    struct following *f = arg;
    return f->shows ? ez_nesting_item(f->n, it) : NULL;
}

static bool replay_follow_on(void *arg, uint64_t done, uint64_t total)
{
    struct following *f = arg;
    return sess_sleep(f->s, 0);
}

/* Prints the calls that are open, so that later lines are indented below them. */
static ez_err *replay_open_calls(struct following *f, const struct ez_model *m)
{
    f->shows = true;
    for (uint32_t i = 0; i < m->container.n; i++) {
        for (uint32_t d = 0; d < ez_model_depth(m, i); d++) {
            const struct ez_call_frame *frame = ez_model_frame(m, i, d);
            struct ez_item it = { .kind = EZ_I_PUSH, .container = i, .depth = d };
            it.name = frame->name;
            it.subject = frame->subject;
            it.ns = frame->start_ns;
            EZ_TRY(ez_nesting_item(f->n, &it));
        }
    }
    return ez_nesting_flush(f->n);
}

static bool replay_runs(const struct ez_sess *s)
{
    enum ez_state st = ez_target_state(s->target);
    return st != EZ_NONE && st != EZ_STOPPED;
}

/* Prints lines as they come until Ctrl-C, or until the program stopped or ended. */
static ez_err *replay_follow_on_until(struct following *f, struct ez_live *l)
{
    struct ez_sess *s = f->s;
    const struct ez_progress progress = { replay_follow_on, f };
    struct ez_trace_info t;
    uint64_t fresh;
    for (bool last = false; !last && !s->end.interrupted && !s->out.quit_pager;) {
        last = !replay_runs(s);
        ez_trace_info(s->target, &t); /* flushes the rings to the file */
        EZ_TRY(ez_live_poll(l, &progress, &fresh));
        if (!f->shows && !s->end.interrupted)
            EZ_TRY(replay_open_calls(f, ez_live_model(l)));
        EZ_TRY(ez_nesting_flush(f->n));
        out_flush(s);
        if (!last && !fresh)
            sess_sleep(s, POLL_MS);
    }
    if (ez_target_live(s->target))
        return NULL;
    EZ_TRY(ez_live_end(l));
    return ez_nesting_flush(f->n);
}

static ez_err *replay_follow(struct ez_sess *s)
{
    struct ez_trace_info t = { 0 };
    struct ez_live *live = NULL;
    struct listing l;
    ez_trace_info(s->target, &t);
    if (!t.path || t.pending)
        return ez_err_new(EZ_E_STATE, 0, "There is no trace yet");
    EZ_TRY(ez_live_open_items(t.path, &live));
    ez_err *wrong = traces_follow(s, live);
    if (wrong) {
        ez_live_close(live);
        return wrong;
    }
    s->out.no_pager = true;
    sess_uninterrupt(s);
    replay_setup(s, &l, ez_live_model(live));
    struct following f = { s, replay_nesting(&l), !replay_runs(s) };
    ez_live_feed(live, replay_follow_item, &f);
    ez_err *e = replay_follow_on_until(&f, live);
    if (!e && s->end.interrupted && !s->end.quit)
        out_line(s, "Quit");
    if (!e)
        e = ez_live_missing(&live, 1);
    ez_nesting_free(f.n);
    ez_live_close(live);
    listing_free(&l);
    return replay_ended(s, e);
}

/* ---- the command ------------------------------------------------------------------------- */

static ez_err *cmd_replay(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces t = { .file = { NULL, 0, 0 } };
    bool follow = opt_given(s, "-f");
    if (out_json_requested(s) && (follow || opt_given(s, "-flat")))
        return ez_err_new(EZ_E_ARG, 0, "-json cannot be used with -f or -flat");
    if (!follow) {
        EZ_TRY(traces_read(s, &t, argc - 1, argv + 1));
        return replay_files(s, &t);
    }
    if (s->job)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "-f follows one process, not a job"),
                           "\"replay\" prints the calls of all ranks so far");
    EZ_TRY(traces_parse(s, &t, argc - 1, argv + 1));
    if (t.file.n)
        return ez_err_new(EZ_E_ARG, 0,
                          "-f takes no FILE: it shows the trace that is being written");
    return replay_follow(s);
}

const struct ez_cmd command_replay = {
    .name = "replay",
    .usage = "[FILE.fxt...]",
    .brief = "Print the calls of traces, nested.",
    .help = "A call without events between its entry and its exit is one line, \"leaf();\".\n"
            "Any other call has a line for its entry and one for its exit. The first column\n"
            "is the duration of the call, the second the thread, or RANK:THREAD in a job.\n"
            "Calls that are nested more deeply than fits the terminal's width have a number,\n"
            "their depth, in place of the indentation.\n"
            "\n"
            "Comments mark calls that an exception left (unwound), calls whose exit was not\n"
            "recorded (no exit), and calls of which a part is outside of the trace or of\n"
            "-from and -to (cut off).\n"
            "\n"
            "Without a file, replay uses the trace that is being written, or the newest\n"
            "trace of the session. With -f, replay begins with the calls that have not ended\n"
            "yet.",
    .examples = "replay app-4242.fxt -from 1.2s -to 1.3s\n"
                "replay -f\n"
                "replay -flat -time app-4242.fxt",
    .see_also = "events, stats, timeline",
    OPERANDS(TRACE, 0, -1),
    OPTIONS(
        { .name = "-f", .meaning = "follow the trace until Ctrl-C, or the program's stop or end" },
        { .name = "-flat",
          .meaning = "print a line \"caller > function\" for each call, when the call ends" },
        { .name = "-time", .meaning = "begin each line with the time since the first event" },
        { .name = "-no-args", .meaning = "omit arguments, results and other collected values" },
        { .name = "-whole", .meaning = "print C++ names with parameters and template arguments" },
        { .name = "-apart", .meaning = "print an empty line when the thread changes" },
        FOR_PROGRAMS, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_replay,
    .complete = comp_fxt,
};
