/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repaired.c - warnings about a trace that lost or lacks events (repaired.h).
 * Tests: tests/unit/shell/check_read.c */
#include "cmds/probe/repaired.h"

#include <string.h>

#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

static void repaired_some(struct ez_sess *s, uint64_t n, const char *one, const char *more)
{
    if (n)
        out_line(s, "%llu %s", (unsigned long long)n, n == 1 ? one : more);
}

/* Prints which events are lost, and what that means for the result. */
static void repaired_print_lost(struct ez_sess *s, const struct ez_trace_sum *t)
{
    const struct ez_model_count *c = &t->count;
    uint64_t dropped = t->dropped - EZ_MIN(t->torn, t->dropped);
    if (c->gaps)
        out_line(s,
                 "%llu event%s of %llu thread%s %s lost, in %llu gap%s of %s together; %llu call%s "
                 "open there %s known in part.",
                 (unsigned long long)c->lost, ez_plural(c->lost),
                 (unsigned long long)c->gap_threads, ez_plural(c->gap_threads),
                 c->lost == 1 ? "is" : "are", (unsigned long long)c->gaps, ez_plural(c->gaps),
                 out_time(s, c->gap_ns), (unsigned long long)c->gap_calls, ez_plural(c->gap_calls),
                 c->gap_calls == 1 ? "is" : "are");
    else if (dropped && !t->part)
        out_line(s,
                 "%llu event%s dropped, and the trace does not say where: calls may be missing, "
                 "or seem to be inside others.",
                 (unsigned long long)dropped, dropped == 1 ? " was" : "s were");
    if (t->waits && !t->part)
        out_line(s,
                 "Threads waited %s for room in their buffers (%llu time%s). No call includes this "
                 "time.",
                 out_time(s, t->waited_ns), (unsigned long long)t->waits, ez_plural(t->waits));
    if (t->switches_lost && !t->part)
        out_line(s,
                 "%llu thread switches are lost: some pauses of threads are missing, or too long.",
                 (unsigned long long)t->switches_lost);
}

static void repaired_print_throttled(struct ez_sess *s, const struct ez_throttled_rows *r)
{
    char *note;
    for (size_t i = 0; (note = ez_throttled_note(r, i)); i++) {
        out_line(s, "%s.", note);
        free(note);
    }
}

void print_damage(struct ez_sess *s, const struct ez_trace_sum *t)
{
    if (t->damage)
        out_warning(s, "%s: the rest of the file is left out (\"trace repair\" removes it)",
                    t->damage);
}

void print_repaired(struct ez_sess *s, const struct ez_trace_sum *t)
{
    const struct ez_model_count *c = &t->count;
    if (t->by_filter)
        out_line(s, "The filter shows %llu of %llu call%s.", (unsigned long long)t->shown.shown,
                 (unsigned long long)t->shown.calls, ez_plural(t->shown.calls));
    repaired_some(s, c->edge_calls,
                  "call is open at an edge of the period: the time outside does not count.",
                  "calls are open at an edge of the period: the time outside does not count.");
    repaired_print_lost(s, t);
    repaired_print_throttled(s, &t->throttled);
    repaired_some(s, c->unwound, "call was left by an exception or longjmp.",
                  "calls were left by an exception or longjmp.");
    repaired_some(s, c->open_entries, "entry without exit: closed where what is around it ended.",
                  "entries without exit: closed where what is around them ended.");
    repaired_some(s, c->lone_exits, "exit without entry: left out.",
                  "exits without entry: left out.");
    repaired_some(
        s, c->unpaired_links,
        "link with one end only: left out. Its other end, such as the receive of a message, "
        "is outside of the period, in another trace, or was not recorded.",
        "links with one end only: left out. Their other ends, such as the receives of "
        "messages, are outside of the period, in other traces, or were not recorded.");
    repaired_some(s, c->unsure_links,
                  "message may belong to another receive: one from any source was open longer.",
                  "messages may belong to other receives: some from any source were open longer.");
    repaired_some(s, c->late_processes,
                  "process was not seen all the time since its MPI_Init: messages may belong to "
                  "other receives.",
                  "processes were not seen all the time since their MPI_Init: messages may belong "
                  "to other receives.");
    repaired_some(
        s, c->twin_processes,
        "process has a rank that another has, too: their messages cannot be told apart.",
        "processes have ranks that others have, too: their messages cannot be told apart.");
    if (t->late)
        out_warning(s, "%llu event%s came too late: the trace changed while it was read.",
                    (unsigned long long)t->late, ez_plural(t->late));
    for (char *line = t->interps; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        out_line(s, "%.*s.", (int)strcspn(line, "\n"), line);
    print_damage(s, t);
}
