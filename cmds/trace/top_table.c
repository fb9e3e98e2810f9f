/* SPDX-License-Identifier: GPL-3.0-or-later */
/* top_table.c - reads the traces of `top` and makes its table.
 * Tests: tests/trace/screen.sh, tests/unit/trace/check_intervals.c */
#include "cmds/trace/top.h"

#include "engine/base/now.h"
#include "engine/base/strutil.h"
#include "shell/sess.h"

struct top_watch {
    struct top *t;
    uint64_t until;
};

static bool top_reads_on(void *arg, uint64_t done, uint64_t total)
{
    struct top_watch *w = arg;
    w->t->behind = ez_now_ns() >= w->until;
    return !w->t->behind && sess_sleep(w->t->s, 0);
}

bool top_whole(const struct top *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (!ez_live_is_whole(t->feed[i].live))
            return false;
    return !t->behind;
}

static bool top_matches(const char *function, void *arg)
{
    const struct top *t = arg;
    return !regexec(&t->re, function, 0, NULL, 0);
}

/* A trace that grows is shown up to now, also while nothing is called. A trace that has ended is
 * shown with its last slice. */
void top_table(struct top *t)
{
    uint64_t last = ez_intervals_last(t->table), now = EZ_MAX(last, ez_now_ns());
    t->table->end_ns = top_whole(t) ? last : 0;
    if (t->table->end_ns)
        now = (last / t->every_ns + 1) * t->every_ns;
    ez_intervals_table(t->table, t->by, t->sort, now, t->filter ? top_matches : NULL, t);
}

static void top_count(struct top *t)
{
    t->threads = t->lost = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct ez_model *m = ez_live_model(t->feed[i].live);
        t->lost += m->count.lost;
        for (size_t k = 0; k < m->container.n; k++)
            t->threads += m->container.at[k].level == EZ_L_THREAD;
    }
}

ez_err *top_poll(struct top *t, unsigned ms)
{
    struct top_watch w = { t, ez_now_ns() + ms * 1000000ull };
    const struct ez_progress progress = { top_reads_on, &w };
    struct ez_trace_info info;
    uint64_t fresh;
    t->behind = false;
    if (t->of_target)
        ez_trace_info(t->s->target, &info); /* flushes the rings to the file */
    for (size_t i = 0; i < t->n && !t->behind; i++) {
        EZ_TRY(ez_live_poll(t->feed[i].live, &progress, &fresh));
        t->events += fresh;
    }
    top_count(t);
    top_table(t);
    return NULL;
}

ez_err *top_filter(struct top *t, const char *regex)
{
    regex_t re;
    if (*regex)
        EZ_TRY(ez_str_regcomp(&re, regex, 0));
    if (t->filter)
        regfree(&t->re);
    free(t->filter);
    t->filter = *regex ? ez_strdup(regex) : NULL;
    if (t->filter)
        t->re = re;
    return NULL;
}
