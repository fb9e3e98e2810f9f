/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mended.c - see mended.h. */
#include "cmds/mended.h"

#include "shell/out.h"
#include "shell/sess.h"

static void some(struct ez_sess *s, uint64_t n, const char *one, const char *more)
{
    if (n)
        out_line(s, "%llu %s", (unsigned long long)n, n == 1 ? one : more);
}

void print_mended(struct ez_sess *s, const struct ez_trace_sum *t)
{
    const struct ez_model_count *c = &t->count;
    some(s, c->open_entries, "entry without exit: closed where what is around it ended.",
         "entries without exit: closed where what is around them ended.");
    some(s, c->lone_exits, "exit without entry: left out.", "exits without entry: left out.");
    some(s, c->unpaired_links, "link with one end only.", "links with one end only.");
    if (t->late)
        out_warning(s, "%llu events came too late: the trace changed while it was read",
                    (unsigned long long)t->late);
    if (t->damage)
        out_warning(s, "%s", t->damage);
}
