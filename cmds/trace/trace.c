/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace.c - `trace`, `info trace`: begins and ends recording, and shows the trace file.
 * Tests: tests/e2e/trace.ezt */
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/probe_spec.h"
#include "cmds/probe/tracepoint.h"
#include "engine/base/strutil.h"
#include "engine/trace/fxt_in.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *cmd_trace_start(struct ez_sess *s, int argc, char **argv)
{
    struct ez_trace_info t = { 0 };
    const char *path = argc > 1 ? parse_path(s, argv[1]) : NULL;
    EZ_TRY(ez_trace_start(s->target, path));
    ez_trace_info(s->target, &t);
    if (path || t.path)
        out_line(s, "Recording to %s.", path ? path : t.path);
    return NULL;
}

const struct ez_cmd command_trace_start = {
    .parent = "trace",
    .name = "start",
    .usage = "[FILE.fxt]",
    .brief = "Record events in FILE.",
    .help = "Without FILE, a paused trace (\"do trace stop\") resumes. An existing FILE is\n"
            "replaced only if it is a trace. A symbolic link is followed only if you or root\n"
            "own the link.",
    .examples = "trace start run1.fxt",
    .see_also = "trace, info trace, set trace-auto",
    OPERANDS(TRACE, 0, 1),
    .flags = NO_REPEAT,
    .fn = cmd_trace_start,
    .complete = comp_fxt,
};

/* The command trace FILE.fxt, or gdb's trace LOCATION [if EXPR]. */
static ez_err *cmd_trace(struct ez_sess *s, int argc, char **argv)
{
    if (tracepoint_is_file(argv[1]) && !*s->run.tail)
        return cmd_trace_start(s, argc, argv);
    ez_err *e = cmd_tp(s, argc, argv);
    return e && e->code == EZ_E_NOTFOUND && !e->hint
               ? ez_err_hint(e, "\"trace start %s\" records in a file of that name", argv[1])
               : e;
}

const struct ez_cmd command_trace = {
    .name = "trace",
    .usage = "[start] FILE.fxt | stop | repair FILE.fxt | export OUT.fxt [FILE.fxt] | LOCATION",
    .brief = "Start or stop recording in a file, or set a tracepoint.",
    .help = "Without \"trace start\" the first recording probe opens PROG-PID.fxt in the\n"
            "working directory, or in $EZTRACE_TRACE_DIR. If the name is in use, the file is\n"
            "PROG-PID.2.fxt. The trace of an MPI rank is PROG-jobID-rankN-HOST-PID.fxt.\n"
            "\n"
            "\"trace FILE\" is short for \"trace start FILE\". An operand with a slash or with\n"
            "the ending .fxt, or the name of an existing file, is a FILE; other operands\n"
            "are a LOCATION.",
    .examples = "trace start run1.fxt\n"
                "trace stop\n"
                "trace repair run1.fxt",
    .see_also = "info trace, events, stats, set trace-auto, set trace-compress",
    OPERANDS(TRACE, 1, 1),
    OPTIONS(PROBE_SPEC_STAP("LOCATION is a USDT probe, [[OBJECT:]PROVIDER:]NAME, as in gdb")),
    .flags = NO_REPEAT | OWN_WORDS | TAIL | TEXT_ONLY,
    .fn = cmd_trace,
    .complete = comp_fxt,
};

/* Returns the size without compression, "" for an uncompressed trace. */
static const char *trace_plain(struct ez_sess *s, const struct ez_trace_info *t)
{
    return t->plain == t->bytes ? ""
                                : sess_keep(s, ez_sprintf(" (plain: %s)", out_size(s, t->plain)));
}

static ez_err *cmd_trace_stop(struct ez_sess *s, int argc, char **argv)
{
    struct ez_trace_info t;
    ez_trace_info(s->target, &t);
    bool kept = t.keeps;
    EZ_TRY(ez_trace_stop(s->target));
    if (kept) {
        out_line(s, "The flight recorder is off.");
        return NULL;
    }
    ez_trace_info(s->target, &t);
    out_line(s, "Trace %s stopped: %llu event%s, %s%s.", t.path ? t.path : "",
             (unsigned long long)t.events, ez_plural(t.events), out_size(s, t.bytes),
             trace_plain(s, &t));
    return NULL;
}

const struct ez_cmd command_trace_stop = {
    .parent = "trace",
    .name = "stop",
    .usage = "",
    .brief = "Stop recording.",
    .examples = "trace stop",
    .see_also = "trace, stats",
    OPERANDS(TRACE, 0, 0),
    .flags = NO_REPEAT,
    .fn = cmd_trace_stop,
};

/* Returns false after Ctrl-C, or if the shell must end. A callback: sess is the session. */
static bool trace_goes_on(void *sess, uint64_t done, uint64_t total)
{
    return sess_sleep(sess, 0);
}

static ez_err *cmd_trace_export(struct ez_sess *s, int argc, char **argv)
{
    struct ez_trace_info t = { 0 };
    const char *to = parse_path(s, argv[1]), *path = argc > 2 ? parse_path(s, argv[2]) : NULL;
    uint64_t bytes;
    if (!path) {
        ez_trace_info(s->target, &t); /* flushes the rings to the file */
        if (!t.path || t.pending)
            return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no trace yet"),
                               "Name a FILE.fxt");
        path = t.path;
    }
    sess_uninterrupt(s);
    EZ_TRY(ez_fxt_export(path, to, &(struct ez_progress){ trace_goes_on, s }, &bytes));
    out_line(s, "%s: %s, plain FxT.", to, out_size(s, bytes));
    return NULL;
}

const struct ez_cmd command_trace_export = {
    .parent = "trace",
    .name = "export",
    .usage = "OUT.fxt [FILE.fxt]",
    .brief = "Write a compressed trace as a plain FxT file.",
    .help = "Programs other than eztsh can read the plain file. Without FILE the command\n"
            "uses the trace of this session, as far as it is written. OUT and FILE may be\n"
            "the same file. \"zstd -dc FILE.fxt\" prints the bytes of the plain file.",
    .examples = "trace export plain.fxt app-4242.fxt",
    .see_also = "trace, set trace-compress, convert",
    OPERANDS(TRACE, 1, 2),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_trace_export,
    .complete = comp_fxt,
};

static ez_err *cmd_trace_repair(struct ez_sess *s, int argc, char **argv)
{
    const char *path = parse_path(s, argv[1]);
    struct ez_fxt_repair r;
    sess_uninterrupt(s);
    EZ_TRY(ez_fxt_repair(path, &(struct ez_progress){ trace_goes_on, s }, &r));
    if (!r.gained && !r.cut && r.packed)
        out_line(s, "%s: %llu records; the last of them are now compressed, too.", path,
                 (unsigned long long)r.events);
    else if (!r.gained && !r.cut)
        out_line(s, "%s: nothing to repair, %llu records.", path, (unsigned long long)r.events);
    else
        out_line(s, "%s: %llu records, %llu of them brought back; %llu bytes cut off.", path,
                 (unsigned long long)r.events, (unsigned long long)r.gained,
                 (unsigned long long)r.cut);
    return NULL;
}

const struct ez_cmd command_trace_repair = {
    .parent = "trace",
    .name = "repair",
    .usage = "FILE.fxt",
    .brief = "Repair a trace whose shell was killed.",
    .help = "After the repair the trace ends with its last complete event, and programs\n"
            "other than eztsh can read the trace. eztsh itself can read the trace without\n"
            "the repair.",
    .examples = "trace repair run1.fxt",
    .see_also = "trace, info trace",
    OPERANDS(TRACE, 1, 1),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_trace_repair,
    .complete = comp_fxt,
};

static ez_err *cmd_snapshot(struct ez_sess *s, int argc, char **argv)
{
    struct ez_snapshot_info snap;
    EZ_TRY(ez_snapshot(s->target, argc > 1 ? parse_path(s, argv[1]) : NULL, &snap));
    out_line(s, "Snapshot %s: %llu event%s, %s; %llu older event%s overwritten.", snap.path,
             (unsigned long long)snap.accounting.recorded, ez_plural(snap.accounting.recorded),
             out_size(s, snap.bytes), (unsigned long long)snap.accounting.overwritten,
             ez_plural(snap.accounting.overwritten));
    return NULL;
}

const struct ez_cmd command_snapshot = {
    .name = "snapshot",
    .usage = "[FILE.fxt]",
    .brief = "Write the events that the flight recorder keeps.",
    .help = "With \"set overflow overwrite\" no trace is written. eztsh keeps the newest\n"
            "events of each thread in memory (\"set snapshot-size\"), and the program never\n"
            "waits. A snapshot is a complete trace of the kept events. The program and the\n"
            "recorder continue.\n"
            "\n"
            "The accounting in the snapshot also counts the overwritten events. \"set\n"
            "snapshot-on\" writes snapshots automatically. \"trace stop\" ends the recorder. If\n"
            "eztsh is killed, the kept events are lost. The recorder does not keep the times\n"
            "in which threads did not run.",
    .examples = "set overflow overwrite\n"
                "probe -r ^request_\n"
                "start\n"
                "continue &\n"
                "snapshot slow.fxt",
    .see_also = "trace, info trace, set overflow, set snapshot-on, set snapshot-size, stats",
    OPERANDS(TRACE, 0, 1),
    .flags = NEED_TARGET | TEXT_ONLY,
    .fn = cmd_snapshot,
    .complete = comp_file,
};

static void trace_accounting_row(struct out_table *t, const char *whose,
                                 const struct ez_accounting *l)
{
    struct ez_sess *s = t->sess;
    out_row(t, whose, out_cell_count(s, l->hits), out_cell_count(s, l->recorded),
            out_cell_count(s, l->filtered), out_cell_count(s, l->untraced),
            out_cell_count(s, l->dropped), out_cell_count(s, l->overwritten),
            out_cell_count(s, l->under_way), out_cell_count(s, l->torn),
            out_cell_count(s, l->unhooked), out_cell_count(s, l->unwound),
            out_cell_count(s, l->uncounted), out_cell_count(s, l->hurried),
            out_cell_count(s, l->waits), out_cell_count(s, l->waited_ns), NULL);
}

static void trace_json(struct ez_sess *s, const struct ez_trace_info *i)
{
    struct out_table t;
    out_table_init(&t, s, "", "", "", "", "", "", "", "", "", "", "", "", "", "", "", NULL);
    out_table_keys(&t, "trace",
                   "whose hits# recorded# filtered# untraced# dropped# overwritten# under_way# "
                   "torn# unhooked# unwound# uncounted# hurried# waits# waited_ns#");
    out_fact(&t, "state",
             i->keeps     ? "flight recorder"
             : !i->path   ? "none"
             : i->pending ? "wanted"
             : i->paused  ? "paused"
             : i->open    ? "recording"
                          : "stopped");
    out_fact(&t, "path", i->path ? i->path : "");
    out_fact(&t, "events#", out_cell_count(s, i->events));
    out_fact(&t, "bytes#", out_cell_count(s, i->keeps ? i->kept_bytes : i->bytes));
    out_fact(&t, "plain_bytes#", out_cell_count(s, i->plain));
    out_fact(&t, "switches_lost#", out_cell_count(s, i->switches_lost));
    out_fact(&t, "clock", i->mono ? "monotonic" : "counter");
    trace_accounting_row(&t, "shell", &i->accounting);
    if (i->earlier.hits)
        trace_accounting_row(&t, "earlier", &i->earlier);
    out_table_print(&t);
}

static ez_err *cmd_info_trace(struct ez_sess *s, int argc, char **argv)
{
    struct ez_trace_info t = { 0 };
    ez_trace_info(s->target, &t);
    const struct ez_accounting *l = &t.accounting;
    if (out_json_requested(s)) {
        trace_json(s, &t);
        return NULL;
    }
    if (t.keeps)
        out_line(s, "Flight recorder: %llu event%s in memory, %s.", (unsigned long long)t.events,
                 ez_plural(t.events), out_size(s, t.kept_bytes));
    else if (!t.path)
        out_line(s, "Trace is not running.");
    else if (t.pending)
        out_line(s, "Trace %s: opens with the first probe.", t.path);
    else
        out_line(s, "Trace %s: %s, %llu event%s, %s%s.", t.path, t.open ? "recording" : "stopped",
                 (unsigned long long)t.events, ez_plural(t.events), out_size(s, t.bytes),
                 trace_plain(s, &t));
    if (t.paused)
        out_line(s, "Recording is paused. \"trace start\", or a probe with \"do trace start\", "
                    "resumes it.");
    out_accounting(s, "", l);
    if (t.earlier.hits)
        out_accounting(s, "Before this shell: ", &t.earlier);
    out_line(s, "Torn (part of dropped): %llu.  Exits that could not be followed: %llu.",
             (unsigned long long)l->torn, (unsigned long long)l->unhooked);
    if (t.switches_lost)
        out_line(s, "Thread switches that the kernel had no room for: %llu.",
                 (unsigned long long)t.switches_lost);
    if (l->hurried)
        out_line(s, "Calls recorded in spite of -min-time, because too many waited: %llu.",
                 (unsigned long long)l->hurried);
    if (l->uncounted)
        out_line(s,
                 "Hits that are in the trace, but were not counted: %llu (a signal killed the "
                 "thread before it counted them).",
                 (unsigned long long)l->uncounted);
    if (t.mono)
        out_line(s, "Clock: CLOCK_MONOTONIC%s.",
                 t.coarse ? ", as last read by the shell: the process may not enter the kernel"
                          : "");
    return NULL;
}

const struct ez_cmd command_info_trace = {
    .parent = "info",
    .name = "trace",
    .usage = "",
    .brief = "Show file, size and accounting of the trace.",
    .help = "A hit is an entry or an exit that a probe saw, or an event of a module. Each hit\n"
            "is one of:\n"
            "  recorded     written to the trace\n"
            "  filtered     only counted, or left out by a condition or an option\n"
            "  untraced     no trace was open\n"
            "  dropped      there was no room\n"
            "  overwritten  by the flight recorder\n"
            "\n"
            "While the program runs, some hits are counted and not yet written. The numbers\n"
            "are those of this shell. Hits under earlier shells have a line of their own,\n"
            "except events that an earlier shell left in the buffers: they count as hits of\n"
            "this shell.",
    .examples = "info trace",
    .see_also = "trace, events",
    OPERANDS(TRACE, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_trace,
};
