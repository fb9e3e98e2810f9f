/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node.c - a daemon: sends requests to drivers and child nodes, and merges their answers
 * (node.h). */
#include "engine/jobs/node.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "engine/base/now.h"
#include "engine/record/job.h"

#define MS 1000000ull
#define NEWS_NS (10 * MS) /* time in ns for which events are collected before they are sent */
#define LEVEL_MS 100      /* a node's timeout is this many ms shorter than its parent's */
#define FDS 1026
#define TERM_NS (1000 * MS)
#define LOST_S 5

/* ---- requests -------------------------------------------------------------------------------- */

static struct json_object *node_self(struct ez_node *n)
{
    struct json_object *o = json_object_new_object();
    struct ez_job here = { 0 };
    gethostname(here.host, sizeof here.host - 1);
    ez_json_put_int(o, "node", n->tree.node);
    ez_json_put_int(o, "fanout", n->tree.fanout);
    ez_json_put_text(o, "host", here.host);
    return o;
}

struct node_search {
    struct ez_node *n;
    struct ez_asking *a;
};

static void node_found(const struct ez_found *f, void *arg)
{
    struct node_search *s = arg;
    struct json_object *o = node_self(s->n);
    ez_json_put_int(o, "pid", f->pid);
    if (f->rank != EZ_NO_RANK)
        ez_json_put_int(o, "rank", f->rank);
    if (f->size)
        ez_json_put_int(o, "size", f->size);
    json_object_object_add(o, "held", json_object_new_boolean(f->held));
    ez_json_put_text(o, "program", f->program);
    ez_node_put_member(s->a, o);
}

static void node_search_processes(struct ez_node *n, struct ez_asking *a)
{
    struct node_search s = { n, a };
    struct json_object *table = ez_json_get(a->request, "table"); /* [[rank, pid], ...] */
    uid_t user = (uid_t)ez_json_int(a->request, "user", (int64_t)geteuid());
    size_t count =
        json_object_is_type(table, json_type_array) ? json_object_array_length(table) : 0;
    for (size_t i = 0; i < count; i++) {
        struct json_object *one = json_object_array_get_idx(table, i);
        if (json_object_is_type(one, json_type_array) && json_object_array_length(one) == 2)
            ez_crew_look((pid_t)json_object_get_int(json_object_array_get_idx(one, 1)),
                         (uint32_t)json_object_get_int64(json_object_array_get_idx(one, 0)), user,
                         node_found, &s);
    }
    if (table)
        return;
    const char *token = ez_json_text(a->request, "token");
    const struct ez_crew_query q = { *token ? token : NULL,
                                     (pid_t)ez_json_int(a->request, "launcher", 0), user };
    ez_crew_search(&q, node_found, &s);
}

static void node_command(struct ez_node *n, struct ez_asking *a, const char *command)
{
    struct ez_ranks ranks = { 0 };
    ez_json_ranks(a->request, "ranks", &ranks);
    for (size_t i = 0; i < n->crew.driver.n; i++) {
        struct ez_driver *d = n->crew.driver.at[i];
        if (!d->pid || !ez_ranks_has(&ranks, d->rank))
            continue;
        ez_err *e = ez_driver_send(d, a->reply.id, 0, command);
        if (!e) {
            ez_ranks_add(&a->wait, d->rank, d->rank);
            continue;
        }
        struct json_object *o = ez_driver_error(ez_code_name(e->code), e->msg);
        ez_reply_add(&a->reply, d->rank, d->target, o);
        json_object_put(o);
        ez_err_free(e);
    }
    ez_ranks_free(&ranks);
}

static void node_each_driver(struct ez_node *n, struct ez_asking *a,
                             void (*fn)(struct ez_driver *d))
{
    struct ez_ranks ranks = { 0 };
    ez_json_ranks(a->request, "ranks", &ranks);
    for (size_t i = 0; i < n->crew.driver.n; i++)
        if (ez_ranks_has(&ranks, n->crew.driver.at[i]->rank))
            fn(n->crew.driver.at[i]);
    ez_ranks_free(&ranks);
}

static void node_do(struct ez_node *n, struct ez_asking *a)
{
    const char *what = ez_json_text(a->request, "do");
    if (!strcmp(what, "hello"))
        ez_node_put_member(a, node_self(n));
    else if (!strcmp(what, "find"))
        node_search_processes(n, a);
    else if (!strcmp(what, "take"))
        ez_node_claim(n, a);
    else if (!strcmp(what, "command"))
        node_command(n, a, ez_json_text(a->request, "command"));
    else if (!strcmp(what, "window"))
        node_command(n, a, "info aggregates -json");
    else if (!strcmp(what, "stats"))
        node_command(n, a, "stats -json");
    else if (!strcmp(what, "read"))
        ez_node_read(n, a);
    else if (!strcmp(what, "clock"))
        ez_node_clock(n, a);
    else if (!strcmp(what, "interrupt"))
        node_each_driver(n, a, ez_driver_interrupt);
    else if (!strcmp(what, "let-go"))
        node_each_driver(n, a, ez_driver_end);
    else if (!strcmp(what, "end"))
        n->end = true;
    else if (!strcmp(what, "lost"))
        n->end = n->lost = true;
}

static void node_request(struct ez_node *n, const char *line)
{
    struct json_object *o = json_tokener_parse(line);
    struct ez_asking *a = ez_alloc(sizeof *a);
    if (!json_object_is_type(o, json_type_object)) {
        json_object_put(o);
        free(a);
        return;
    }
    int64_t ms = ez_json_int(o, "ms", 10000);
    a->request = o;
    a->reply.id = (long)ez_json_int(o, "id", 0);
    a->reply.most = (unsigned)ez_json_int(o, "most", EZ_GROUPS_MOST);
    a->deadline = ez_now_ns() + (uint64_t)EZ_MAX(ms, 1) * MS;
    ez_json_put_int(o, "ms", EZ_MAX(ms - LEVEL_MS, ms / 2));
    for (EZ_EACH_CHILD(c, &n->tree)) {
        ez_tree_send(&n->tree, (uint32_t)c, ez_json_line(o));
        ez_ranks_add(&a->children, (uint32_t)c, (uint32_t)c);
    }
    EZ_PUSH(&n->asking, a);
    node_do(n, a);
    ez_node_check(n, a);
}

/* Handles a reply or events from the child node `from`. */
static void node_reply(struct ez_node *n, uint32_t from, const char *line)
{
    struct json_object *o = json_tokener_parse(line);
    struct ez_reply r;
    struct ez_asking *a = ez_node_find_asking(n, (long)ez_json_int(o, "id", -1));
    unsigned most = a ? a->reply.most : 0;
    bool good = ez_err_drop(ez_reply_from_json(o, most, &r));
    json_object_put(o);
    if (!good)
        return;
    ez_node_states(n->news.state, r.state);
    ez_node_news(n);
    if (!a) { /* events, or a reply after the deadline, whose answers are sent as events */
        ez_reply_merge(&n->news, &r);
        return;
    }
    struct ez_ranks child = { 0 };
    ez_ranks_add(&child, from, from);
    ez_ranks_remove(&a->children, &child);
    ez_ranks_free(&child);
    a->reply.sums.operation = ez_node_operation;
    a->reply.sums.arg = n;
    ez_reply_merge(&a->reply, &r);
    ez_node_check(n, a);
}

/* ---- input from drivers ---------------------------------------------------------------------- */

static bool node_is_news(const char *event)
{
    static const char *const reported[] = { "stopped", "exited",  "killed", "gone",       "signal",
                                            "exec",    "probe",   "trace",  "trace-lost", "line",
                                            "note",    "message", "forked", "blind" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(reported); i++)
        if (!strcmp(event, reported[i]))
            return true;
    return false;
}

/* Returns true for a note of a process that was not eztsh-hold: it may report probes that an
 * earlier shell left in the process, so it is sent to the parent even during the claim. */
static bool node_is_found(const struct ez_driver *d, struct json_object *event)
{
    return !d->held && !strcmp(ez_json_text(event, "event"), "note");
}

static void node_answered(struct ez_node *n, struct ez_driver *d,
                          const struct ez_pending_request *pending, struct json_object *answer)
{
    struct ez_asking *a = ez_node_find_asking(n, pending->request);
    struct ez_ranks one = { 0 };
    if (ez_node_claim_answer(n, d, pending, answer))
        return;
    ez_node_note_state(n, d);
    if (!a) { /* the request was answered at its deadline, without this rank */
        ez_json_put_text(answer, "event", "late");
        ez_reply_add(&n->news, d->rank, d->target, answer);
        ez_node_news(n);
        return;
    }
    if (!strcmp(ez_json_text(a->request, "do"), "window"))
        ez_node_window(n, a, d->rank, answer);
    else if (!strcmp(ez_json_text(a->request, "do"), "stats"))
        ez_node_stats(a, d->rank, answer);
    else
        ez_reply_add(&a->reply, d->rank, d->target, answer);
    ez_ranks_add(&one, d->rank, d->rank);
    ez_ranks_remove(&a->wait, &one);
    ez_ranks_free(&one);
    ez_node_check(n, a);
}

static void node_heard(struct ez_driver *d, const struct ez_pending_request *pending,
                       struct json_object *o, void *arg)
{
    struct ez_node *n = arg;
    ez_node_note_state(n, d);
    if (pending) {
        node_answered(n, d, pending, o);
    } else if (node_is_news(ez_json_text(o, "event")) && (d->begun || node_is_found(d, o))) {
        ez_reply_add(&n->news, d->rank, d->target, o);
        ez_node_news(n);
    }
}

/* ---- SIGTERM --------------------------------------------------------------------------------- */

static volatile sig_atomic_t node_termed;

static void node_on_term(int sig)
{
    node_termed = sig;
}

/* Handles SIGTERM. When the last rank of an allocation has ended, Slurm sends SIGTERM to the
 * daemons, and SIGKILL half a minute later. In this time the shell requests the results. So SIGTERM
 * ends a daemon only if a second later one of its drivers still has a live rank. The daemon then
 * kills itself with SIGKILL, so that the rank keeps its probes. */
static void node_look_at_term(struct ez_node *n, uint64_t now)
{
    if (node_termed && !n->termed)
        n->termed = now;
    if (!n->termed || now - n->termed < TERM_NS)
        return;
    for (size_t i = 0; i < n->crew.driver.n; i++)
        if (1u << n->crew.driver.at[i]->state & EZ_MEMBER_LIVE)
            raise(SIGKILL);
    n->termed = node_termed = 0;
}

/* ---- the loop -------------------------------------------------------------------------------- */

static void node_read_input(struct ez_node *n)
{
    char buf[65536];
    ssize_t r = read(STDIN_FILENO, buf, sizeof buf);
    if (r == 0 || (r < 0 && errno != EAGAIN && errno != EINTR))
        node_request(n, "{\"id\": -1, \"do\": \"lost\"}");
    for (ssize_t i = 0; i < r; i++) {
        EZ_PUSH(&n->input, buf[i] == '\n' ? '\0' : buf[i]);
        if (buf[i] != '\n')
            continue;
        node_request(n, n->input.at);
        n->input.n = 0;
    }
}

static bool node_read_messages(struct ez_node *n)
{
    uint32_t from;
    bool any = false;
    for (char *line; (line = ez_tree_receive(&n->tree, &from)); any = true) {
        if (ez_node_clock_message(n, from, line))
            ;
        else if (n->tree.node && from == ez_tree_parent(&n->tree, n->tree.node))
            node_request(n, line);
        else
            node_reply(n, from, line);
        free(line);
    }
    return any;
}

static void node_look_at_clock(struct ez_node *n)
{
    uint64_t now = ez_now_ns();
    for (size_t i = n->asking.n; i-- > 0;)
        if (i < n->asking.n && n->asking.at[i]->deadline <= now)
            ez_node_give_up(n, n->asking.at[i]);
    if (n->news_since && now - n->news_since >= NEWS_NS)
        ez_node_send_news(n);
    node_look_at_term(n, now);
}

static uint64_t node_sleep_ns(struct ez_node *n, uint64_t last)
{
    uint64_t now = ez_now_ns(), until = UINT64_MAX;
    for (size_t i = 0; i < n->asking.n; i++)
        until = EZ_MIN(until, n->asking.at[i]->deadline);
    if (n->news_since)
        until = EZ_MIN(until, n->news_since + NEWS_NS);
    if (n->termed)
        until = EZ_MIN(until, n->termed + TERM_NS);
    uint64_t ns = until == UINT64_MAX ? until : until > now ? until - now : 0;
    return EZ_MIN(ns, ez_tree_patience(&n->tree, now - last));
}

static void node_loop(struct ez_node *n)
{
    struct pollfd *fds = ez_alloc(FDS * sizeof *fds);
    uint64_t last = ez_now_ns();
    while (!n->end) {
        bool root = !n->tree.node;
        fds[0] = (struct pollfd){ root ? STDIN_FILENO : -1, POLLIN, 0 };
        fds[1] = (struct pollfd){ root && n->output.n ? STDOUT_FILENO : -1, POLLOUT, 0 };
        size_t count = 2 + ez_crew_poll_fds(&n->crew, fds + 2, FDS - 2);
        uint64_t ns = node_sleep_ns(n, last);
        struct timespec ts = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
        int ready = ppoll(fds, count, ns == UINT64_MAX ? NULL : &ts, NULL);
        if (ready > 0 && fds[0].revents)
            node_read_input(n);
        if (ready > 0 && fds[1].revents)
            ez_node_flush(n);
        if (ready > 0)
            ez_crew_read(&n->crew);
        if (node_read_messages(n) || ready > 0)
            last = ez_now_ns();
        node_look_at_clock(n);
    }
    free(fds);
}

/* Kills the drivers, so that their processes keep the probes. SIGALRM ends the daemon if
 * MPI_Finalize hangs because MPI's launcher was killed. */
static void node_lose_drivers(struct ez_node *n)
{
    for (size_t i = 0; i < n->crew.driver.n; i++)
        if (n->crew.driver.at[i]->pid > 0)
            kill(n->crew.driver.at[i]->pid, SIGKILL);
    alarm(LOST_S);
}

static void node_free(struct ez_node *n)
{
    for (size_t i = 0; i < n->asking.n; i++)
        ez_node_free_asking(n->asking.at[i]);
    for (size_t i = 0; i < n->ops.n; i++) {
        ez_operation_close(&n->ops.at[i].op);
        free(n->ops.at[i].name);
    }
    EZ_VEC_FREE(&n->asking);
    EZ_VEC_FREE(&n->ops);
    EZ_VEC_FREE(&n->input);
    EZ_VEC_FREE(&n->output);
    ez_reply_free(&n->news);
    ez_roster_free(&n->roster);
}

ez_err *ez_node_run(int argc, char **argv, const char *eztsh)
{
    struct ez_node n = { .news = { .most = 0 } };
    EZ_TRY(ez_tree_begin(&n.tree, &argc, &argv));
    n.crew = (struct ez_crew){ .eztsh = ez_strdup(eztsh), .fn = node_heard, .arg = &n };
    signal(SIGPIPE, SIG_IGN);
    if (getenv("SLURM_JOB_ID"))
        signal(SIGTERM, node_on_term);
    prctl(PR_SET_TIMERSLACK, 1000);
    if (!n.tree.node) {
        fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
        fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
    }
    node_loop(&n);
    if (n.lost)
        node_lose_drivers(&n);
    ez_crew_end(&n.crew);
    ez_node_flush(&n);
    ez_tree_end(&n.tree);
    node_free(&n);
    return NULL;
}
