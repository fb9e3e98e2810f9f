/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.c - draws a progress bar (progress.h).
 * Tests: tests/unit/shell/check_long.c */
#include "cmds/progress.h"

#include <string.h>

#include "engine/base/now.h"
#include "shell/out.h"
#include "shell/sess.h"

#define EVERY_NS 100000000u
#define CELLS 30

static bool progress_draw(void *arg, uint64_t done, uint64_t total)
{
    struct progress *p = arg;
    char bar[CELLS + 1];
    uint64_t t = ez_now_ns();
    if (!done) /* 0: another pass over the files begins, with a new total */
        p->start = t;
    if (t - p->drawn < EVERY_NS)
        return true;
    double part = total ? (double)EZ_MIN(done, total) / (double)total : 0;
    double seconds = (double)(t - p->start) / 1e9, rate = seconds > 0 ? (double)done / seconds : 0;
    size_t full = (size_t)(part * CELLS);
    p->drawn = t;
    p->shown = true;
    memset(bar, '=', full);
    memset(bar + full, ' ', CELLS - full);
    bar[CELLS] = 0;
    if (total)
        out_status(p->sess, "%3.0f%% [%s] %.1f M events/s%s", part * 100, bar, rate / 1e6,
                   out_left(done, total, t - p->start).text);
    else
        out_status(p->sess, "%.1f M events, %.1f M events/s", (double)done / 1e6, rate / 1e6);
    return sess_sleep(p->sess, 0);
}

struct ez_progress progress_start(struct progress *p, struct ez_sess *s)
{
    *p = (struct progress){ .sess = s, .start = ez_now_ns() };
    p->drawn = p->start;
    sess_uninterrupt(s);
    return (struct ez_progress){ progress_draw, p };
}

void progress_end(struct progress *p)
{
    if (p->shown)
        out_status(p->sess, "%s", "");
    p->shown = false;
}
