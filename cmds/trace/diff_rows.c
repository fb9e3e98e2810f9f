/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff_rows.c - the table of `diff`, as text and as JSON, and its verdict for -threshold.
 * Tests: tests/unit/shell/check_read.c, tests/trace/compare.sh */
#include <math.h>
#include <string.h>

#include "cmds/trace/diff.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

static const char *const heads[] = { [EZ_DIFF_TOTAL] = "Total",
                                     [EZ_DIFF_SELF] = "Self",
                                     [EZ_DIFF_MEAN] = "Mean",
                                     [EZ_DIFF_CALLS] = "Calls" };

static const char *diff_percent(struct ez_sess *s, double part)
{
    double percent = 100 * part;
    return sess_format(s, percent >= 1000 ? "%+.0f" : "%+.1f", percent);
}

/* Returns the change of a value in percent, "=" if there is none, "-" if it cannot be given. */
static const char *diff_change(struct ez_sess *s, const struct ez_diff_row *r, enum ez_diff_key key)
{
    double part = ez_diff_change(r, key);
    bool unknown = key == EZ_DIFF_MEAN && r->after[key] <= 0;
    if (r->only != EZ_DIFF_BOTH || !isfinite(part) || unknown)
        return "-";
    return r->before[key] == r->after[key] ? "=" : diff_percent(s, part);
}

/* Returns whether the whole interval of a change is beyond EZ_NOISE_LEAST, but the test does not
 * confirm the change; more runs may confirm it. */
static bool diff_is_unclear(const struct ez_diff_row *r)
{
    const struct ez_noise_row *n = &r->noise;
    double least = EZ_NOISE_LEAST * EZ_MIN(n->mean_a, n->mean_b);
    return n->tested && !n->stands_out && (n->low > least || n->high < -least);
}

const char *diff_verdict(const struct ez_diff *d, const struct ez_diff_row *r, enum ez_diff_key key)
{
    if (r->only != EZ_DIFF_BOTH)
        return r->only == EZ_DIFF_NEW ? "new" : "gone";
    if (!d->noise_known)
        return "";
    if (!r->noise.stands_out)
        return diff_is_unclear(r) ? "unclear" : "noise";
    bool more = r->after[key] > r->before[key];
    if (key == EZ_DIFF_CALLS)
        return more ? "more" : "fewer";
    if (r->pause)
        return more ? "longer" : "shorter";
    return more ? "slower" : "faster";
}

/* Returns a value with its unit. Functions whose calls were only counted have no times. */
static const char *diff_value(struct ez_sess *s, double v, enum ez_diff_key key)
{
    uint64_t n = (uint64_t)(v + .5);
    if (v <= 0)
        return "-";
    return key == EZ_DIFF_CALLS ? out_count(s, n) : out_time(s, n);
}

/* Returns the interval of the change, in percent. */
static const char *diff_interval(struct ez_sess *s, struct ez_diff_row *r)
{
    if (!r->noise.tested)
        return "";
    return sess_format(s, "%s..%s", diff_percent(s, r->noise.low / r->noise.mean_a),
                       diff_percent(s, r->noise.high / r->noise.mean_a));
}

static size_t diff_shown(const struct diff_plan *p, const struct ez_diff *d)
{
    return p->top ? (size_t)EZ_MIN(p->top, d->n) : d->n;
}

/* ---- the table -------------------------------------------------------------------------- */

static void diff_columns(struct out_table *t, struct ez_sess *s, const struct diff_plan *p,
                         const struct ez_diff *d)
{
    out_table_init(t, s, NULL);
    t->wide = p->wide;
    t->leaves_out = !p->wide;
    out_table_column(t, p->by == EZ_DIFF_LIBRARY ? "~Library" : "~Function");
    if (p->by == EZ_DIFF_RANK)
        out_table_column(t, ">Rank");
    out_table_column(t, ">Before");
    out_table_column(t, ">After");
    out_table_column(t, sess_format(s, ">%s %%", heads[p->key]));
    out_table_column(t, "Verdict");
    for (unsigned k = 0; k < EZ_DIFF_KEYS; k++)
        if (k != p->key)
            out_table_column(t, sess_format(s, ">%s %%", heads[k]));
    if (d->noise_known)
        out_table_column(t, ">95 % interval");
    if (p->by != EZ_DIFF_LIBRARY)
        out_table_column(t, "~Library");
}

static void diff_text_row(struct out_table *t, const struct diff_plan *p, const struct ez_diff *d,
                          struct ez_diff_row *r)
{
    struct ez_sess *s = t->sess;
    bool library = p->by == EZ_DIFF_LIBRARY;
    if (r->noise.tested)
        ez_noise_interval(&r->noise);
    out_cell(t, library && !r->pause ? r->library : r->function);
    if (p->by == EZ_DIFF_RANK)
        out_cell(t, r->rank == EZ_NO_RANK ? "-" : out_count(s, r->rank));
    out_cell(t, diff_value(s, r->before[p->key], p->key));
    out_cell(t, diff_value(s, r->after[p->key], p->key));
    out_cell(t, diff_change(s, r, p->key));
    out_cell(t, diff_verdict(d, r, p->key));
    for (unsigned k = 0; k < EZ_DIFF_KEYS; k++)
        if (k != p->key)
            out_cell(t, diff_change(s, r, (enum ez_diff_key)k));
    if (d->noise_known)
        out_cell(t, diff_interval(s, r));
    if (!library)
        out_cell(t, r->library);
}

static void diff_print_table(struct ez_sess *s, const struct diff_plan *p, struct ez_diff *d)
{
    struct out_table t;
    diff_columns(&t, s, p, d);
    for (size_t i = 0; i < diff_shown(p, d); i++) {
        size_t kept = s->kept.n;
        diff_text_row(&t, p, d, &d->row[i]);
        sess_forget(s, kept);
    }
    out_table_print(&t);
}

/* ---- notes ------------------------------------------------------------------------------ */

static void diff_print_side(struct ez_sess *s, const char *name, const struct diff_side *side)
{
    out_line(s, "%s: %zu run%s, %llu event%s.", name, side->run.n, ez_plural(side->run.n),
             (unsigned long long)side->events, ez_plural(side->events));
    if (side->lost)
        out_line(s, "%s: %llu event%s of %llu run%s %s lost: calls and times are too low.", name,
                 (unsigned long long)side->lost, ez_plural(side->lost),
                 (unsigned long long)side->lossy, ez_plural(side->lossy),
                 side->lost == 1 ? "is" : "are");
    if (side->throttled)
        out_line(s, "%s: functions were throttled in %llu run%s: their times are too low.", name,
                 (unsigned long long)side->throttled, ez_plural(side->throttled));
}

static void diff_print_verdicts(struct ez_sess *s, const struct diff_plan *p,
                                const struct ez_diff *d)
{
    size_t rows = 0, worse = 0, better = 0, unclear = 0, only[3] = { 0 };
    bool calls = p->key == EZ_DIFF_CALLS;
    for (size_t i = 0; i < d->n; i++) {
        const struct ez_diff_row *r = &d->row[i];
        bool more = r->after[p->key] > r->before[p->key];
        if (r->pause)
            continue;
        rows++;
        only[r->only]++;
        worse += r->noise.stands_out && more;
        better += r->noise.stands_out && !more;
        unclear += diff_is_unclear(r);
    }
    if (d->noise_known)
        out_line(s, "%zu row%s: %zu %s, %zu %s, %zu new, %zu gone, %zu within the noise.", rows,
                 ez_plural(rows), worse, calls ? "with more calls" : "slower", better,
                 calls ? "with fewer" : "faster", only[EZ_DIFF_NEW], only[EZ_DIFF_GONE],
                 only[EZ_DIFF_BOTH] - worse - better - unclear);
    if (d->noise_known && unclear)
        out_line(s, "%zu row%s %s unclear: the change may be real. More runs per side decide.",
                 unclear, ez_plural(unclear), unclear == 1 ? "is" : "are");
    if (!d->noise_known)
        out_line(s, "The noise is not known: it needs two runs or more on each side.");
}

/* ---- JSON ------------------------------------------------------------------------------- */

#define DIFF_KEYS                                                                                  \
    "function library rank# pause? verdict total_before_ns# total_after_ns# self_before_ns# "      \
    "self_after_ns# mean_before_ns# mean_after_ns# calls_before# calls_after# change# low# high# " \
    "p#"

static const char *diff_real(struct ez_sess *s, double v)
{
    return isfinite(v) ? sess_format(s, "%.9g", v) : "";
}

static void diff_json_row(struct out_table *t, const struct diff_plan *p, const struct ez_diff *d,
                          struct ez_diff_row *r)
{
    struct ez_sess *s = t->sess;
    bool tested = r->noise.tested;
    if (tested)
        ez_noise_interval(&r->noise);
    out_cell(t, r->function);
    out_cell(t, r->library);
    out_cell(t, r->rank == EZ_NO_RANK ? "" : out_cell_count(s, r->rank));
    out_cell(t, r->pause ? "yes" : "no");
    out_cell(t, diff_verdict(d, r, p->key));
    for (unsigned k = 0; k < EZ_DIFF_KEYS; k++) {
        bool none = k == EZ_DIFF_MEAN; /* The mean is unknown if no call was measured as a whole. */
        out_cell(t, none && r->before[k] <= 0 ? "" : diff_real(s, r->before[k]));
        out_cell(t, none && r->after[k] <= 0 ? "" : diff_real(s, r->after[k]));
    }
    out_cell(t, diff_real(s, ez_diff_change(r, p->key)));
    out_cell(t, tested ? diff_real(s, r->noise.low / r->noise.mean_a) : "");
    out_cell(t, tested ? diff_real(s, r->noise.high / r->noise.mean_a) : "");
    out_cell(t, tested ? diff_real(s, r->noise.p) : "");
}

static void diff_json(struct ez_sess *s, const struct diff_plan *p, struct ez_diff *d)
{
    static const char *const names[] = { "total", "self", "mean", "calls" };
    const struct diff_side *a = &p->side[0], *b = &p->side[1];
    struct out_table t;
    out_table_json(&t, s, "diff", DIFF_KEYS);
    out_fact(&t, "key", names[p->key]);
    out_fact(&t, "before_runs#", out_cell_count(s, a->run.n));
    out_fact(&t, "after_runs#", out_cell_count(s, b->run.n));
    out_fact(&t, "before_events#", out_cell_count(s, a->events));
    out_fact(&t, "after_events#", out_cell_count(s, b->events));
    out_fact(&t, "before_lost#", out_cell_count(s, a->lost));
    out_fact(&t, "after_lost#", out_cell_count(s, b->lost));
    for (size_t i = 0; i < diff_shown(p, d); i++) {
        size_t kept = s->kept.n;
        diff_json_row(&t, p, d, &d->row[i]);
        sess_forget(s, kept);
    }
    out_table_json_end(&t, NULL);
}

void diff_print(struct ez_sess *s, const struct diff_plan *p, struct ez_diff *d)
{
    if (out_json_requested(s)) {
        diff_json(s, p, d);
        return;
    }
    diff_print_table(s, p, d);
    diff_print_side(s, "Before", &p->side[0]);
    diff_print_side(s, "After", &p->side[1]);
    diff_print_verdicts(s, p, d);
}

/* ---- the threshold ---------------------------------------------------------------------- */

enum { NAMED = 3 }; /* maximum number of functions that the error names */

ez_err *diff_check(struct ez_sess *s, const struct diff_plan *p, const struct ez_diff *d)
{
    const char *names = "";
    size_t n = 0;
    if (p->threshold < 0)
        return NULL;
    for (size_t i = 0; i < d->n; i++) {
        const struct ez_diff_row *r = &d->row[i];
        if (!ez_diff_worse(d, r, p->key, p->threshold / 100))
            continue;
        if (n++ < NAMED)
            names = sess_format(s, "%s%s%s", names, *names ? ", " : "",
                                *r->function ? r->function : r->library);
    }
    if (!n)
        return NULL;
    ez_err *e =
        ez_err_new(EZ_E_LIMIT, 0, "%s of %zu row%s grew by more than %g %%: %s%s", heads[p->key], n,
                   ez_plural(n), p->threshold, names, n > NAMED ? ", ..." : "");
    return d->noise_known ? e : ez_err_hint(e, "With one run per side this may be noise");
}
