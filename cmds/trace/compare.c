/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c - writes as JSON what `diff` finds between two sides, and what each thread of the first
 * run of BEFORE did, for the page of `report`. The head of engine/format/report/compare.js describes
 * the JSON.
 * Tests: tests/trace/answers.sh */
#include "cmds/trace/compare.h"

#include <math.h>
#include <string.h>

#include "cmds/progress.h"
#include "engine/base/json.h"
#include "engine/trace/timeline.h"
#include "shell/opt.h"
#include "shell/sess.h"

enum { SLICES = 1000, THREADS = 256 };

bool compare_wanted(int n, char **word)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(word[i], "vs"))
            return true;
    return false;
}

/* ---- what changed --------------------------------------------------------------------------- */

static void compare_put_row(struct ez_json *j, const struct ez_diff *d, struct ez_diff_row *r)
{
    const bool tested = r->noise.tested;
    if (tested)
        ez_noise_interval(&r->noise);
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "function", r->function);
    ez_json_add_text(j, "library", r->library);
    ez_json_add_bool(j, "pause", r->pause);
    ez_json_add_text(j, "verdict", diff_verdict(d, r, EZ_DIFF_TOTAL));
    ez_json_begin(j, "before", '[');
    for (int k = 0; k < EZ_DIFF_KEYS; k++)
        ez_json_add_real(j, NULL, r->before[k]);
    ez_json_end(j, ']');
    ez_json_begin(j, "after", '[');
    for (int k = 0; k < EZ_DIFF_KEYS; k++)
        ez_json_add_real(j, NULL, r->after[k]);
    ez_json_end(j, ']');
    ez_json_add_real(j, "low", tested ? r->noise.low / r->noise.mean_a : NAN);
    ez_json_add_real(j, "high", tested ? r->noise.high / r->noise.mean_a : NAN);
    ez_json_end(j, '}');
}

static void compare_put_rows(struct ez_json *j, const struct diff_plan *p, const struct ez_diff *d)
{
    ez_json_add_uint(j, "before_runs", p->side[0].run.n);
    ez_json_add_uint(j, "after_runs", p->side[1].run.n);
    ez_json_add_bool(j, "noise_known", d->noise_known);
    ez_json_begin(j, "rows", '[');
    for (size_t i = 0; i < d->n; i++)
        compare_put_row(j, d, &d->row[i]);
    ez_json_end(j, ']');
}

/* ---- the timeline of BEFORE ------------------------------------------------------------------ */

static void compare_put_thread(struct ez_json *j, const struct ez_model *m,
                               const struct ez_timeline *t, const struct ez_timeline_row *row)
{
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "name", m->container.at[row->container].name);
    ez_json_begin(j, "slices", '[');
    for (unsigned k = 0; k < t->slices; k++)
        ez_json_add_int(j, NULL,
                        row->slice[k] == EZ_NONE_IDX || row->slice[k] == EZ_PART_IDX
                            ? -1
                            : (int64_t)row->slice[k]);
    ez_json_end(j, ']');
    ez_json_begin(j, "paused", '[');
    for (unsigned k = 0; k < t->slices; k++)
        if (row->paused[k])
            ez_json_add_uint(j, NULL, k);
    ez_json_end(j, ']');
    ez_json_end(j, '}');
}

static void compare_put_timeline(struct ez_json *j, const struct ez_model *m,
                                 const struct ez_timeline *t)
{
    ez_json_add_text(j, "title", m->container.at[0].name);
    ez_json_add_uint(j, "from", t->from_ns);
    ez_json_add_uint(j, "to", t->to_ns);
    ez_json_add_uint(j, "left_out", t->left_out);
    ez_json_begin(j, "names", '[');
    for (size_t i = 0; i < m->name.n; i++)
        ez_json_add_text(j, NULL, m->name.at[i].text);
    ez_json_end(j, ']');
    ez_json_begin(j, "threads", '[');
    for (size_t i = 0; i < t->n; i++)
        compare_put_thread(j, m, t, &t->row[i]);
    ez_json_end(j, ']');
}

static ez_err *compare_timeline(struct ez_sess *s, const struct traces *run, struct ez_json *j)
{
    struct ez_replay *r = NULL;
    struct ez_timeline *t = NULL;
    struct progress bar;
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(run, &progress, &r);
    if (!e) {
        const struct ez_model *m = ez_replay_model(r);
        uint64_t end = EZ_MAX(EZ_MIN(m->to_ns, ez_replay_sum(r)->span_ns), m->from_ns);
        t = ez_timeline_create(m, m->from_ns, end + 1, SLICES);
        t->most_rows = THREADS;
        e = ez_replay_run(r, ez_timeline_item, t, &progress);
    }
    progress_end(&bar);
    if (!e) {
        ez_timeline_finish(t);
        compare_put_timeline(j, ez_replay_model(r), t);
    }
    ez_timeline_free(t);
    ez_replay_close(r);
    return e;
}

ez_err *compare_runs(struct ez_sess *s, int n, char **word, struct diff_plan *p, char **json)
{
    struct ez_json j = { .compact = true };
    EZ_TRY(diff_parse_sides(s, p, n, word, opt_given(s, "-job"), false));
    const size_t runs[] = { p->side[0].run.n, p->side[1].run.n };
    struct ez_diff *d = ez_diff_create(runs, p->by);
    ez_err *e = diff_read_sides(s, p, d);
    ez_json_begin(&j, NULL, '{');
    if (!e)
        compare_put_rows(&j, p, d);
    ez_diff_free(d);
    if (!e)
        e = compare_timeline(s, &p->side[0].run.at[0], &j);
    ez_json_end(&j, '}');
    if (e)
        ez_json_free(&j);
    else
        *json = j.text;
    return e;
}
