/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_messages.c - `stats -messages`: messages and bytes by pair of processes. */
#include "cmds/cmd.h"
#include "shell/opt.h"
#include "cmds/progress.h"
#include "cmds/probe/repaired.h"
#include "cmds/trace/stats.h"
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

static const char *messages_number(struct ez_sess *s, uint64_t n)
{
    return sess_format(s, "%llu", (unsigned long long)n);
}

static void messages_row(struct out_table *t, struct ez_sess *s, const char *from, const char *to,
                         const struct ez_message_row *r)
{
    out_row(t, from, to, messages_number(s, r->messages), messages_number(s, r->bytes),
            messages_number(s, r->least), messages_number(s, r->bytes / r->messages),
            messages_number(s, r->most), out_time(s, r->least_ns),
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
        for (size_t i = 0; i < m->n && (!p->top || i < p->top); i++)
            messages_row(&t, s, model->container.at[m->row[i].from].name,
                         model->container.at[m->row[i].to].name, &m->row[i]);
        if (m->n > 1)
            messages_row(&t, s, "all", "", &m->all);
        out_table_print(&t);
    }
    print_repaired(s, ez_replay_sum(r));
}

static const char *messages_rank(struct ez_sess *s, const struct ez_container *c)
{
    return c->rank == EZ_NO_RANK ? "null" : sess_format(s, "%u", c->rank);
}

static void messages_json(struct ez_sess *s, const struct stats_plan *p, struct ez_messages *m,
                          struct ez_replay *r)
{
    const struct ez_model *model = ez_replay_model(r);
    const struct ez_model_count *c = &ez_replay_sum(r)->count;
    size_t n = p->top ? EZ_MIN((size_t)p->top, m->n) : m->n;
    out_ours(s, "{");
    out_ours(s, "  \"schema\": \"eztsh-messages-1\",");
    out_ours(s,
             "  \"unpaired_links\": %llu, \"unsure_links\": %llu, \"late_processes\": %llu, "
             "\"twin_processes\": %llu,",
             (unsigned long long)c->unpaired_links, (unsigned long long)c->unsure_links,
             (unsigned long long)c->late_processes, (unsigned long long)c->twin_processes);
    out_ours(s, "  \"messages\": [");
    for (size_t i = 0; i < n; i++) {
        const struct ez_message_row *w = &m->row[i];
        const struct ez_container *from = &model->container.at[w->from];
        const struct ez_container *to = &model->container.at[w->to];
        out_ours(s,
                 "    {\"from\": %s, \"to\": %s, \"from_rank\": %s, \"to_rank\": %s, "
                 "\"messages\": %llu, \"bytes\": %llu, \"min\": %llu, \"max\": %llu, "
                 "\"total_ns\": %llu, \"min_ns\": %llu, \"max_ns\": %llu}%s",
                 out_json(s, from->name), out_json(s, to->name), messages_rank(s, from),
                 messages_rank(s, to), (unsigned long long)w->messages,
                 (unsigned long long)w->bytes, (unsigned long long)w->least,
                 (unsigned long long)w->most, (unsigned long long)w->total_ns,
                 (unsigned long long)w->least_ns, (unsigned long long)w->most_ns,
                 i + 1 < n ? "," : "");
    }
    out_ours(s, "  ]");
    out_ours(s, "}");
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
