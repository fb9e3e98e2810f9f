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

#define THROTTLED_REPORTED 5

static void repaired_print_throttled(struct ez_sess *s, const struct ez_throttled_rows *r)
{
    for (size_t i = 0; i < EZ_MIN(r->row.n, THROTTLED_REPORTED); i++)
        out_line(s,
                 "%s was throttled for %s (set budget). Its times are those of the other periods, "
                 "and its callers' own times include the calls that were only counted.",
                 r->row.at[i].function, out_time(s, r->row.at[i].ns));
    if (r->row.n > THROTTLED_REPORTED)
        out_line(s, "%zu function%s more %s throttled.", r->row.n - THROTTLED_REPORTED,
                 ez_plural(r->row.n - THROTTLED_REPORTED),
                 r->row.n - THROTTLED_REPORTED == 1 ? "was" : "were");
}

void print_repaired(struct ez_sess *s, const struct ez_trace_sum *t)
{
    const struct ez_model_count *c = &t->count;
    repaired_print_lost(s, t);
    repaired_print_throttled(s, &t->throttled);
    repaired_some(s, c->unwound, "call was left by an exception or a jump.",
                  "calls were left by an exception or a jump.");
    repaired_some(s, c->open_entries, "entry without exit: closed where what is around it ended.",
                  "entries without exit: closed where what is around them ended.");
    repaired_some(s, c->lone_exits, "exit without entry: left out.",
                  "exits without entry: left out.");
    repaired_some(s, c->unpaired_links, "link with one end only.", "links with one end only.");
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
    if (t->damage)
        out_warning(s, "%s", t->damage);
}
