/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_messages.c - `stats -messages`: messages and bytes by pair of processes.
 * Tests: tests/procs/mpi.sh */
#include "cmds/cmd.h"
#include "shell/opt.h"
#include "cmds/progress.h"
#include "cmds/probe/repaired.h"
#include "cmds/trace/stats.h"
#include "engine/base/json.h"
#include "engine/trace/messages.h"
#include "shell/out.h"
#include "shell/sess.h"

static void messages_close(struct ez_replay **r)
{
    ez_replay_close(*r);
}

static void messages_free(struct ez_messages **m)
{
    ez_messages_free(*m);
}

static void messages_row(struct out_table *t, struct ez_sess *s, const char *from, const char *to,
                         const struct ez_message_row *r)
{
    out_row(t, from, to, out_count(s, r->messages), out_count(s, r->bytes), out_count(s, r->least),
            out_count(s, r->bytes / r->messages), out_count(s, r->most), out_time(s, r->least_ns),
            out_time(s, r->total_ns / r->messages), out_time(s, r->most_ns), NULL);
}

static void messages_print(struct ez_sess *s, const struct stats_plan *p, struct ez_messages *m,
                           struct ez_replay *r)
{
    const struct ez_model *model = ez_replay_model(r);
    struct out_table t;
    if (!m->n) {
        out_line(s, "No messages.");
    } else {
        out_table_init(&t, s, "~From", "~To", ">Messages", ">Bytes", ">Min", ">Mean", ">Max",
                       ">Min time", ">Mean", ">Max", NULL);
        t.wide = p->wide;
        t.leaves_out = !p->wide;
        for (size_t i = 0; i < m->n && (!p->top || i < p->top); i++)
            messages_row(&t, s, model->container.at[m->row[i].from].name,
                         model->container.at[m->row[i].to].name, &m->row[i]);
        if (m->n > 1)
            messages_row(&t, s, "all", "", &m->all);
        out_table_print(&t);
    }
    print_repaired(s, ez_replay_sum(r));
}

static void messages_json_rank(struct ez_json *j, const char *key, const struct ez_container *c)
{
    if (c->rank == EZ_NO_RANK)
        ez_json_add_text(j, key, NULL);
    else
        ez_json_add_uint(j, key, c->rank);
}

static void messages_json_row(struct ez_json *j, const struct ez_model *m,
                              const struct ez_message_row *r)
{
    const struct ez_container *from = &m->container.at[r->from], *to = &m->container.at[r->to];
    stats_json_row(j);
    ez_json_add_text(j, "from", from->name);
    ez_json_add_text(j, "to", to->name);
    messages_json_rank(j, "from_rank", from);
    messages_json_rank(j, "to_rank", to);
    ez_json_add_uint(j, "messages", r->messages);
    ez_json_add_uint(j, "bytes", r->bytes);
    ez_json_add_uint(j, "min", r->least);
    ez_json_add_uint(j, "max", r->most);
    ez_json_add_uint(j, "total_ns", r->total_ns);
    ez_json_add_uint(j, "min_ns", r->least_ns);
    ez_json_add_uint(j, "max_ns", r->most_ns);
    ez_json_end(j, '}');
}

static void messages_json(struct ez_sess *s, const struct stats_plan *p, struct ez_messages *m,
                          struct ez_replay *r)
{
    const struct ez_model_count *c = &ez_replay_sum(r)->count;
    size_t n = p->top ? EZ_MIN((size_t)p->top, m->n) : m->n;
    struct ez_json j = { .text = NULL };
    ez_json_begin(&j, NULL, '{');
    ez_json_next_line(&j, 2);
    ez_json_add_text(&j, "schema", "eztsh-messages-1");
    ez_json_next_line(&j, 2);
    ez_json_add_uint(&j, "unpaired_links", c->unpaired_links);
    ez_json_add_uint(&j, "unsure_links", c->unsure_links);
    ez_json_add_uint(&j, "late_processes", c->late_processes);
    ez_json_add_uint(&j, "twin_processes", c->twin_processes);
    stats_json_rows_begin(&j, "messages");
    for (size_t i = 0; i < n; i++)
        messages_json_row(&j, ez_replay_model(r), &m->row[i]);
    stats_json_rows_end(&j);
    ez_json_next_line(&j, 0);
    ez_json_end(&j, '}');
    out_json(s, &j);
}

ez_err *stats_messages(struct ez_sess *s, const struct stats_plan *p)
{
    EZ_CLEANUP(messages_close) struct ez_replay *r = NULL;
    EZ_CLEANUP(messages_free) struct ez_messages *m = NULL;
    struct progress bar;
    if (p->live || p->graph || p->of || opt_given(s, "-by") || opt_given(s, "-sort"))
        return ez_err_new(EZ_E_ARG, 0,
                          "-messages cannot be used with -by, -of, -sort, -live or -graph: it is a "
                          "table of its own");
    struct ez_progress progress = progress_start(&bar, s);
    ez_err *e = traces_open(&p->in, &progress, &r);
    if (!e) {
        m = ez_messages_create(ez_replay_model(r));
        e = ez_replay_run(r, ez_messages_item, m, &progress);
    }
    progress_end(&bar);
    if (e)
        return e;
    ez_messages_sort(m);
    if (p->json)
        messages_json(s, p, m, r);
    else
        messages_print(s, p, m, r);
    return NULL;
}
