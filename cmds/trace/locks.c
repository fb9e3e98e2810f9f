/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locks.c - `info locks`: which locks threads waited for, and who held them meanwhile.
 * Tests: tests/unit/shell/check_read.c, tests/procs/locks.sh */
#include "engine/trace/locks.h"

#include <string.h>

#include "cmds/cmd.h"
#include "cmds/probe/repaired.h"
#include "cmds/progress.h"
#include "cmds/trace/traces.h"
#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "shell/out.h"
#include "shell/sess.h"

#define LOCKS_ROWS 10 /* default of -rows */

struct locks_view {
    struct ez_sess *s;
    const struct ez_model *m;
    const struct ez_locks *l;
    size_t n;    /* number of locks to print, from the first lock on */
    size_t rows; /* maximum number of holders, and of pairs, of each lock */
    bool wide, processes;
};

/* Returns the lock's variable or address, with the process if there are several. */
static const char *locks_text(const struct locks_view *v, const struct ez_lock *k)
{
    const char *text = v->m->subject.at[k->subject].text;
    if (!v->processes)
        return text;
    return sess_format(v->s, "%s (%s)", text, v->m->container.at[k->process].name);
}

/* ---- the tables --------------------------------------------------------------------------- */

static void locks_print_locks(const struct locks_view *v)
{
    struct ez_sess *s = v->s;
    struct out_table t;
    bool busy = false;
    for (size_t i = 0; i < v->n; i++)
        busy |= v->l->lock[i].busy > 0;
    out_table_init(&t, s, "~Lock", "~Kind", ">Taken", busy ? ">Busy" : "", ">Waits", ">Waited",
                   ">Max wait", ">Held", ">Max hold", NULL);
    t.wide = v->wide;
    t.leaves_out = !v->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_lock *k = &v->l->lock[i];
        size_t kept = s->kept.n;
        out_row(&t, locks_text(v, k), k->kind, out_count(s, k->taken),
                busy ? out_count(s, k->busy) : "", out_count(s, k->waits),
                out_time(s, k->waited_ns), out_time(s, k->longest_ns), out_time(s, k->held_ns),
                out_time(s, k->longest_held_ns), NULL);
        sess_forget(s, kept);
    }
    out_table_print(&t);
}

static const char *locks_share(struct ez_sess *s, uint64_t part, uint64_t of)
{
    return of ? sess_format(s, "%.1f", 100 * (double)part / (double)of) : "-";
}

static void locks_holder_row(struct out_table *t, const struct locks_view *v,
                             const struct ez_lock *k, const struct ez_lock_holder *h)
{
    struct ez_sess *s = v->s;
    size_t kept = s->kept.n;
    out_row(t, locks_text(v, k), v->m->container.at[h->container].name,
            h->function == EZ_NONE_IDX ? "-" : v->m->name.at[h->function].text,
            out_count(s, h->times), out_time(s, h->held_ns), out_time(s, h->blocked_ns),
            locks_share(s, h->blocked_ns, k->waited_ns), NULL);
    sess_forget(s, kept);
}

/* Returns the number of holders of the lock for which other threads waited. */
static size_t locks_blocking(const struct ez_lock *k)
{
    size_t n = 0;
    while (n < k->holders && k->holder[n].blocked_ns)
        n++;
    return n;
}

/* Prints how many rows the second table lacks. */
static void locks_print_left(const struct locks_view *v, size_t left, uint64_t ns)
{
    if (left)
        out_line(v->s, "%zu more row%s, with %s of waits (-rows 0 prints all).", left,
                 ez_plural(left), out_time(v->s, ns));
}

/* Prints who held each lock while others waited for it. */
static void locks_print_holders(const struct locks_view *v)
{
    struct ez_sess *s = v->s;
    struct out_table t;
    bool any = false;
    size_t left = 0;
    uint64_t left_ns = 0;
    out_table_init(&t, s, "~Lock", "~Held by thread", "~In", ">Times", ">Held", ">Others waited",
                   ">%", NULL);
    t.wide = v->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_lock *k = &v->l->lock[i];
        size_t n = locks_blocking(k);
        for (size_t h = 0; h < EZ_MIN(n, v->rows); h++)
            locks_holder_row(&t, v, k, &k->holder[h]);
        for (size_t h = v->rows; h < n; h++, left++)
            left_ns += k->holder[h].blocked_ns;
        if (k->nobody_ns)
            out_row(&t, locks_text(v, k), "nobody", "-", "-", "-", out_time(s, k->nobody_ns),
                    locks_share(s, k->nobody_ns, k->waited_ns), NULL);
        any |= k->waited_ns > 0;
    }
    if (!any) {
        out_table_drop(&t);
        return;
    }
    out_line(s, "%s", "");
    out_table_print(&t);
    locks_print_left(v, left, left_ns);
}

/* Prints which thread waited for which. */
static void locks_print_waits(const struct locks_view *v)
{
    struct ez_sess *s = v->s;
    struct out_table t;
    size_t rows = 0, left = 0;
    uint64_t left_ns = 0;
    out_table_init(&t, s, "~Lock", "~Waiting thread", "~Held by thread", ">Waits", ">Waited",
                   ">Max wait", NULL);
    t.wide = v->wide;
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_lock *k = &v->l->lock[i];
        rows += k->pairs;
        for (size_t n = v->rows; n < k->pairs; n++, left++)
            left_ns += k->pair[n].waited_ns;
        for (size_t n = 0; n < EZ_MIN(k->pairs, v->rows); n++) {
            const struct ez_lock_pair *p = &k->pair[n];
            size_t kept = s->kept.n;
            out_row(&t, locks_text(v, k), v->m->container.at[p->waiter].name,
                    p->holder == EZ_NONE_IDX ? "nobody" : v->m->container.at[p->holder].name,
                    out_count(s, p->waits), out_time(s, p->waited_ns), out_time(s, p->longest_ns),
                    NULL);
            sess_forget(s, kept);
        }
    }
    if (!rows) {
        out_table_drop(&t);
        return;
    }
    out_line(s, "%s", "");
    out_table_print(&t);
    locks_print_left(v, left, left_ns);
}

static void locks_print_notes(const struct locks_view *v)
{
    uint64_t open = 0, taken = 0;
    size_t others = v->l->n - v->n;
    for (size_t i = 0; i < v->l->n; i++) {
        open += v->l->lock[i].open;
        taken += i >= v->n ? v->l->lock[i].taken : 0;
    }
    if (open)
        out_line(v->s, "%llu wait%s did not end in the trace.", (unsigned long long)open,
                 ez_plural(open));
    if (others)
        out_line(v->s, "%zu more lock%s, taken %llu time%s (-all).", others, ez_plural(others),
                 (unsigned long long)taken, ez_plural(taken));
}

static void locks_print(struct locks_view *v, const struct ez_replay *r)
{
    if (v->n)
        locks_print_locks(v);
    else
        out_line(v->s, "No thread waited for a lock.");
    (opt_given(v->s, "-waits") ? locks_print_waits : locks_print_holders)(v);
    locks_print_notes(v);
    print_repaired(v->s, ez_replay_sum(r));
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static const char *locks_json_holders(const struct locks_view *v, const struct ez_lock *k)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '[');
    for (size_t i = 0; i < EZ_MIN(k->holders, v->rows); i++) {
        const struct ez_lock_holder *h = &k->holder[i];
        ez_json_begin(&j, NULL, '{');
        ez_json_add_text(&j, "thread", v->m->container.at[h->container].name);
        ez_json_add_uint(&j, "tid", v->m->container.at[h->container].tid);
        ez_json_add_text(&j, "function",
                         h->function == EZ_NONE_IDX ? NULL : v->m->name.at[h->function].text);
        ez_json_add_uint(&j, "times", h->times);
        ez_json_add_uint(&j, "held_ns", h->held_ns);
        ez_json_add_uint(&j, "blocked_ns", h->blocked_ns);
        ez_json_end(&j, '}');
    }
    ez_json_end(&j, ']');
    const char *text = sess_format(v->s, "%s", j.text);
    ez_json_free(&j);
    return text;
}

static const char *locks_json_pairs(const struct locks_view *v, const struct ez_lock *k)
{
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '[');
    for (size_t i = 0; i < EZ_MIN(k->pairs, v->rows); i++) {
        const struct ez_lock_pair *p = &k->pair[i];
        const struct ez_container *waiter = &v->m->container.at[p->waiter];
        const struct ez_container *holder =
            p->holder == EZ_NONE_IDX ? NULL : &v->m->container.at[p->holder];
        ez_json_begin(&j, NULL, '{');
        ez_json_add_text(&j, "thread", waiter->name);
        ez_json_add_uint(&j, "tid", waiter->tid);
        ez_json_add_text(&j, "holder", holder ? holder->name : NULL);
        if (holder)
            ez_json_add_uint(&j, "holder_tid", holder->tid);
        else
            ez_json_add_raw(&j, "holder_tid", "null");
        ez_json_add_uint(&j, "waits", p->waits);
        ez_json_add_uint(&j, "waited_ns", p->waited_ns);
        ez_json_add_uint(&j, "longest_ns", p->longest_ns);
        ez_json_end(&j, '}');
    }
    ez_json_end(&j, ']');
    const char *text = sess_format(v->s, "%s", j.text);
    ez_json_free(&j);
    return text;
}

static void locks_json(const struct locks_view *v)
{
    struct ez_sess *s = v->s;
    struct out_table t;
    out_table_json(&t, s, "locks",
                   "lock process kind taken# busy# held_ns# longest_held_ns# waits# waited_ns# "
                   "longest_ns# longest_start_ns# longest_thread open# nobody_ns# holders! "
                   "more_holders# pairs! more_pairs#");
    for (size_t i = 0; i < v->n; i++) {
        const struct ez_lock *k = &v->l->lock[i];
        size_t kept = s->kept.n;
        out_row(
            &t, v->m->subject.at[k->subject].text, v->m->container.at[k->process].name, k->kind,
            out_cell_count(s, k->taken), out_cell_count(s, k->busy), out_cell_count(s, k->held_ns),
            out_cell_count(s, k->longest_held_ns), out_cell_count(s, k->waits),
            out_cell_count(s, k->waited_ns), out_cell_count(s, k->longest_ns),
            k->waits ? out_cell_count(s, k->longest_start_ns) : "",
            k->waits ? v->m->container.at[k->longest_thread].name : "", out_cell_count(s, k->open),
            out_cell_count(s, k->nobody_ns), locks_json_holders(v, k),
            out_cell_count(s, k->holders - EZ_MIN(k->holders, v->rows)), locks_json_pairs(v, k),
            out_cell_count(s, k->pairs - EZ_MIN(k->pairs, v->rows)), NULL);
        sess_forget(s, kept);
    }
    out_table_json_end(&t, NULL);
}

/* ---- the command ---------------------------------------------------------------------------- */

static size_t locks_shown(struct ez_sess *s, const struct ez_locks *l)
{
    uint64_t top = opt_number(s, "-top", 0);
    size_t n = 0;
    while (n < l->n && l->lock[n].waits)
        n++;
    if (opt_given(s, "-all") || out_json_requested(s))
        n = l->n;
    return top ? (size_t)EZ_MIN(top, n) : n;
}

static ez_err *locks_show(struct ez_sess *s, const struct ez_replay *r, struct ez_locks *l)
{
    struct locks_view v = {
        .s = s, .m = ez_replay_model(r), .l = l, .wide = opt_given(s, "-wide")
    };
    size_t processes = 0;
    bool any = false;
    for (size_t i = 0; i < v.m->subject.n; i++)
        any |= !strcmp(v.m->subject.at[i].kind, EZ_LOCK_KIND);
    if (!any)
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "The trace has no data about locks"),
                           "Load module pthread before the run: \"module load pthread\", or "
                           "eztsh -m pthread; module openmp records locks of OpenMP");
    for (size_t i = 0; i < v.m->container.n; i++)
        processes += v.m->container.at[i].level == EZ_L_PROCESS;
    v.processes = processes > 1;
    ez_locks_sort(l);
    v.n = locks_shown(s, l);
    v.rows = (size_t)opt_number(s, "-rows", LOCKS_ROWS);
    v.rows = v.rows ? v.rows : SIZE_MAX;
    if (out_json_requested(s))
        locks_json(&v);
    else
        locks_print(&v, r);
    return NULL;
}

static ez_err *cmd_info_locks(struct ez_sess *s, int argc, char **argv)
{
    EZ_CLEANUP(traces_free) struct traces p = { .file = { NULL, 0, 0 } };
    struct ez_replay *r = NULL;
    struct ez_locks *l = NULL;
    struct progress bar;
    EZ_TRY(traces_read(s, &p, argc - 1, argv + 1));
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&p, &progress, &r);
    if (!e) {
        l = ez_locks_create(ez_replay_model(r), opt_given(s, "-waits") || out_json_requested(s));
        e = ez_replay_run(r, ez_locks_item, l, &progress);
    }
    progress_end(&bar);
    if (!e)
        e = locks_show(s, r, l);
    ez_locks_free(l);
    ez_replay_close(r);
    return e;
}

const struct ez_cmd command_info_locks = {
    .parent = "info",
    .name = "locks",
    .usage = "[FILE.fxt...]",
    .brief = "List locks that threads waited for, and who held them.",
    .help = "The trace needs the events of module pthread or openmp. The first table has the\n"
            "locks, the longest waited for first: how often each lock was acquired and\n"
            "waited for, how often a trylock failed (Busy), and how long the lock was held.\n"
            "\n"
            "The second table has the threads that held a lock while others waited, and the\n"
            "innermost recorded function in which they acquired the lock (only probed\n"
            "functions are recorded). Others waited is the sum over the waiting threads; %\n"
            "is the share of Waited. \"nobody\" is the time between the release of a lock and\n"
            "the moment at which the next thread has it.\n"
            "\n"
            "With -waits the second table shows which thread waited for which: Waits counts\n"
            "the waits during which the holder had the lock; Max wait is the longest time\n"
            "that a single wait spent on this holder. With and without -waits, the second\n"
            "table has the 10 rows of each lock with the most waiting time (-rows).",
    .examples = "info locks\n"
                "info locks app-4242.fxt -top 3\n"
                "info locks app-4242.fxt -waits\n"
                "info locks app-4242.fxt -from 1s -to 2s -json",
    .see_also = "module, stats, timeline",
    OPERANDS(TRACE, 0, -1),
    OPTIONS({ .name = "-top",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print the first N locks only" },
            { .name = "-all", .meaning = "also print locks that no thread waited for" },
            { .name = "-rows",
              .kind = OPT_NUMBER,
              .value = "N",
              .meaning = "print N rows of the second table for each lock; 0: all" },
            { .name = "-waits", .meaning = "print which thread waited for which" }, FOR_PROGRAMS,
            WIDE, FILTERS),
    .flags = HERE | FRONT,
    .fn = cmd_info_locks,
    .complete = comp_fxt,
};
