/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tfind.c - `tstart`, `tstop`, `tstatus`, `tfind`, `tdump`, as in gdb: recording and frames of
 * tracepoints.
 * Tests: tests/procs/tracepoints.sh */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/probe/tracepoint.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct tfind { /* selected trace frame */
    bool looking;
    size_t at;
};

static struct tfind *tfind_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct tfind), NULL };
    return sess_state(s, &kind);
}

static ez_err *cmd_tstart(struct ez_sess *s, int argc, char **argv)
{
    struct ez_tstatus now;
    ez_tstatus(s->target, &now);
    if (now.running && !sess_query(s, "A trace is running already.  Start a new run? "))
        return ez_err_new(EZ_E_STATE, 0, "New trace run not started");
    tfind_state(s)->looking = false;
    return ez_tstart(s->target);
}

const struct ez_cmd command_tstart = {
    .name = "tstart",
    .usage = "",
    .brief = "Begin a trace run: enable all tracepoints.",
    .help = "All tracepoints begin to record at the same time, and the program does not stop\n"
            "for that. The trace run ends with \"tstop\", or when a tracepoint reaches its\n"
            "passcount.",
    .examples = "tp insert\n"
                "tstart",
    .see_also = "actions, events, tdump, tfind, tp, tstop",
    OPERANDS(TRACE, 0, 0),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_tstart,
};

static ez_err *cmd_tstop(struct ez_sess *s, int argc, char **argv)
{
    return ez_tstop(s->target);
}

const struct ez_cmd command_tstop = {
    .name = "tstop",
    .usage = "",
    .brief = "End the trace run.",
    .help = "All tracepoints end recording at the same time, and the program does not stop\n"
            "for that.",
    .examples = "tstop\n"
                "tfind start\n"
                "tdump",
    .see_also = "actions, events, tdump, tfind, tp, tstart",
    OPERANDS(TRACE, 0, 0),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_tstop,
};

static ez_err *cmd_tstatus(struct ez_sess *s, int argc, char **argv)
{
    const struct tfind *q = tfind_state(s);
    struct ez_tstatus now;
    struct ez_frame_info f;
    const uint64_t most = (uint64_t)EZ_FRAMES_MIB << 20;
    bool live = ez_target_live(s->target);
    ez_tstatus(s->target, &now);
    if (!now.ever)
        out_line(s, "No trace has been run on the target.");
    else if (now.running && !live && now.ended)
        out_line(s, "Trace stopped because the process ended; the next \"run\" goes on with it.");
    else if (now.running && !live)
        out_line(s, "Trace will run once the program does.");
    else if (now.running)
        out_line(s, "Trace is running on the target.");
    else if (now.stopped_by)
        out_line(s, "Trace stopped by tracepoint %d.", now.stopped_by);
    else
        out_line(s, "Trace stopped by a tstop command ().");
    out_line(s, "Collected %zu trace frame%s.", now.frames, ez_plural(now.frames));
    out_line(s, "Trace buffer has %llu bytes of %llu bytes free (%llu%% full).",
             (unsigned long long)(most - now.bytes), (unsigned long long)most,
             (unsigned long long)(100 * now.bytes / most));
    if (now.lost)
        out_line(s, "%llu frames had no room. The trace file has them.",
                 (unsigned long long)now.lost);
    if (now.running && live)
        out_line(s, "Trace will stop if eztsh disconnects.");
    if (q->looking && ez_frame(s->target, q->at, &f, NULL, NULL))
        out_line(s, "Looking at trace frame %zu, tracepoint %d.", q->at, f.number);
    else
        out_line(s, "Not looking at any trace frame.");
    return NULL;
}

const struct ez_cmd command_tstatus = {
    .name = "tstatus",
    .usage = "",
    .brief = "Show the state of the trace run.",
    .help = help_tracepoint,
    .examples = "tstatus",
    .see_also = "actions, events, tdump, tfind, tp, tstart, tstop",
    OPERANDS(TRACE, 0, 0),
    .flags = TEXT_ONLY,
    .fn = cmd_tstatus,
};

/* ---- frames --------------------------------------------------------------------------------- */

struct tfind_args {
    struct ez_sess *s;
    const char *text;
};

static void tfind_arg(const char *name, const char *value, void *arg)
{
    struct tfind_args *a = arg;
    a->text = sess_format(a->s, "%s%s%s=%s", a->text, *a->text ? ", " : "", name, value);
}

static void tfind_say(struct ez_sess *s)
{
    struct tfind_args args = { s, "" };
    struct ez_frame_info f;
    size_t at = tfind_state(s)->at;
    if (!ez_frame(s->target, at, &f, tfind_arg, &args))
        return;
    out_line(s, "Found trace frame %zu, tracepoint %d", at, f.number);
    out_ours(s, "#0  %s (%s)%s, thread %llu, %.6f ms", f.function, args.text,
             f.file ? sess_format(s, " at %s:%u", f.file, f.line) : "", (unsigned long long)f.tid,
             (double)f.ns / 1e6);
}

/* Selects frame `from`, or the first later one that has this tracepoint number and this pc (0 =
 * any). */
static ez_err *tfind_go(struct ez_sess *s, size_t from, int number, uint64_t pc)
{
    struct tfind *q = tfind_state(s);
    struct ez_frame_info f;
    while (ez_frame(s->target, from, &f, NULL, NULL) &&
           ((number && f.number != number) || (pc && f.addr != pc)))
        from++;
    q->looking = ez_frame(s->target, from, &f, NULL, NULL);
    q->at = from;
    if (!q->looking)
        return ez_err_new(EZ_E_NOTFOUND, 0, "Target failed to find requested trace frame");
    tfind_say(s);
    return NULL;
}

static size_t tfind_next(struct ez_sess *s)
{
    const struct tfind *q = tfind_state(s);
    return q->looking ? q->at + 1 : 0;
}

static bool tfind_is(const char *word, const char *name)
{
    return *word && !strncmp(name, word, strlen(word));
}

/* The command tfind [N | start | end | none | tracepoint [N] | pc [ADDR]]. */
static ez_err *cmd_tfind(struct ez_sess *s, int argc, char **argv)
{
    struct tfind *q = tfind_state(s);
    struct ez_tstatus now;
    struct ez_frame_info f = { .number = 0 };
    uint64_t n = 0;
    ez_addr pc;
    ez_tstatus(s->target, &now); /* reads all events from the rings, so that every frame is known */
    if (q->looking)
        q->looking = ez_frame(s->target, q->at, &f, NULL, NULL);
    if (argc < 2)
        return tfind_go(s, tfind_next(s), 0, 0);
    if (argv[1][0] >= '0' && argv[1][0] <= '9') {
        EZ_TRY(parse_count(argv[1], "a trace frame", &n));
        return argc > 2 ? opt_misuse(s) : tfind_go(s, (size_t)n, 0, 0);
    }
    if (tfind_is(argv[1], "start"))
        return tfind_go(s, 0, 0, 0);
    if (tfind_is(argv[1], "end") || tfind_is(argv[1], "none")) {
        q->looking = false;
        out_line(s, "No longer looking at any trace frame");
        return NULL;
    }
    if (tfind_is(argv[1], "tracepoint")) {
        n = (uint64_t)f.number;
        if (argc > 2)
            EZ_TRY(parse_count(argv[2], "a tracepoint", &n));
        if (!n || n > INT32_MAX)
            return ez_err_new(EZ_E_ARG, 0, "No current tracepoint -- please supply an argument");
        return tfind_go(s, tfind_next(s), (int)n, 0);
    }
    if (tfind_is(argv[1], "pc")) {
        pc = ez_addr_of(f.addr);
        if (argc > 2)
            EZ_TRY(parse_addr(s, argv[2], &pc));
        return tfind_go(s, tfind_next(s), 0, pc.v);
    }
    return opt_misuse(s);
}

const struct ez_cmd command_tfind = {
    .name = "tfind",
    .usage = "[N | start | end | none | tracepoint [N] | pc [ADDR]]",
    .brief = "Select a trace frame; without operands, the next one.",
    .help = "A trace frame is one hit of a tracepoint. eztsh keeps the frames since tstart\n"
            "in memory, up to 64 MiB; the trace file contains all frames. The operands are:\n"
            "  N             select frame N; the first frame is 0\n"
            "  start         select the first frame\n"
            "  tracepoint N  select the next frame of tracepoint N, without N of the same one\n"
            "  pc ADDR       select the next frame at ADDR, without ADDR at the same address\n"
            "  end, none     select no frame",
    .examples = "tfind start\n"
                "tdump\n"
                "tfind\n"
                "tdump",
    .see_also = "actions, events, tdump, tp, tstart, tstop",
    OPERANDS(TRACE, 0, 2),
    .flags = TEXT_ONLY,
    .fn = cmd_tfind,
};

static void tfind_dump(const char *name, const char *value, void *arg)
{
    struct out_table *t = arg;
    if (t->json)
        out_row(t, name, value, NULL);
    else
        out_ours(t->sess, "%s = %s", name, value);
}

static ez_err *cmd_tdump(struct ez_sess *s, int argc, char **argv)
{
    const struct tfind *q = tfind_state(s);
    struct ez_frame_info f;
    if (!q->looking || !ez_frame(s->target, q->at, &f, NULL, NULL))
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "No current trace frame"),
                           "\"tfind\" selects a frame");
    struct out_table t;
    out_table_json(&t, s, "tdump", "name value");
    out_fact(&t, "tracepoint#", sess_format(s, "%d", f.number));
    out_fact(&t, "frame#", out_cell_count(s, q->at));
    if (!t.json)
        out_line(s, "Data collected at tracepoint %d, trace frame %zu:", f.number, q->at);
    ez_frame(s->target, q->at, &f, tfind_dump, &t);
    out_table_json_end(&t, NULL);
    return NULL;
}

const struct ez_cmd command_tdump = {
    .name = "tdump",
    .usage = "",
    .brief = "Print the data of the selected trace frame.",
    .help = help_tracepoint,
    .examples = "tfind\n"
                "tdump",
    .see_also = "actions, events, tfind, tp, tstart, tstop",
    OPERANDS(TRACE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_tdump,
};
