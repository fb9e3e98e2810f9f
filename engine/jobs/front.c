/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.c - sends the shell's requests to the daemons, reads replies, and keeps the list of members
 * (front.h). */
#include "engine/jobs/front.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "engine/base/now.h"

static void front_set(char **to, const char *text)
{
    char *copy = ez_strdup(text);
    free(*to);
    *to = copy;
}

/* ---- begin and end --------------------------------------------------------------------------- */

struct ez_front *ez_front_create(const unsigned *timeout_s)
{
    uint64_t random = 0;
    struct ez_front *f = ez_alloc(sizeof *f);
    f->in = f->out = -1;
    f->timeout_s = timeout_s;
    f->before = ez_strdup("");
    if (getrandom(&random, sizeof random, 0) != sizeof random)
        random = ez_now_ns() ^ (uint64_t)getpid() << 40;
    f->token = ez_sprintf("%d-%016llx", (int)getpid(), (unsigned long long)random);
    return f;
}

void ez_front_nodes(struct ez_front *f, const struct ez_reply *r)
{
    size_t n = r->members ? json_object_array_length(r->members) : 0;
    for (size_t i = 0; i < f->host.n; i++)
        free(f->host.at[i]);
    f->host.n = 0;
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&f->host, NULL);
    for (size_t i = 0; i < n; i++) {
        struct json_object *o = json_object_array_get_idx(r->members, i);
        uint64_t node = (uint64_t)ez_json_int(o, "node", 0);
        f->fanout = (unsigned)ez_json_int(o, "fanout", 1);
        if (node < n && !f->host.at[node])
            f->host.at[node] = ez_strdup(ez_json_text(o, "host"));
    }
    for (size_t i = 0; i < n; i++)
        if (!f->host.at[i])
            f->host.at[i] = ez_strdup("");
    f->nodes = (unsigned)n;
}

/* The reply has each node's offset to its parent. The offset to node 0 is the sum along the path,
 * computed in the order of node numbers, because a parent has a smaller number than its
 * children. */
void ez_front_clocks(struct ez_front *f, const struct ez_reply *r)
{
    size_t n = r->members ? json_object_array_length(r->members) : 0;
    EZ_VEC_FREE(&f->wall);
    for (size_t i = 0; i < f->host.n; i++)
        EZ_PUSH(&f->wall, 0);
    for (size_t i = 0; i < n; i++) {
        struct json_object *o = json_object_array_get_idx(r->members, i);
        uint64_t node = (uint64_t)ez_json_int(o, "node", 0);
        if (node < f->wall.n)
            f->wall.at[node] = ez_json_int(o, "offset", 0);
    }
    for (size_t i = 1; i < f->wall.n && f->fanout; i++)
        f->wall.at[i] += f->wall.at[(i - 1) / f->fanout];
}

/* Sends the request "end", upon which all drivers remove their probes and release their processes.
 * If the daemons' input ended without this request, the probes would stay. */
static void front_notify_end(struct ez_front *f)
{
    static const char end[] = "{\"id\": -1, \"do\": \"end\"}\n";
    if (f->in >= 0)
        /* may stay unsent if the daemon hangs */
        ez_outbox_send(&f->box, f->in, end, sizeof end - 1);
}

static void front_clear_replies(struct ez_front *f)
{
    for (size_t i = 0; i < f->reply.n; i++)
        ez_reply_free(&f->reply.at[i]);
    EZ_VEC_FREE(&f->reply);
}

static void front_free_traced(struct ez_traced *t)
{
    for (size_t i = 0; i < t->copy.n; i++)
        free(t->copy.at[i]);
    EZ_VEC_FREE(&t->copy);
    free(t->path);
    free(t->here);
}

void ez_front_free(struct ez_front *f)
{
    if (!f)
        return;
    front_notify_end(f);
    ez_front_wait_tool(f);
    front_clear_replies(f);
    for (size_t i = 0; i < f->host.n; i++)
        free(f->host.at[i]);
    EZ_VEC_FREE(&f->host);
    EZ_VEC_FREE(&f->wall);
    for (size_t i = 0; i < f->trace.n; i++)
        front_free_traced(&f->trace.at[i]);
    EZ_VEC_FREE(&f->trace);
    EZ_VEC_FREE(&f->got);
    EZ_VEC_FREE(&f->box.text);
    ez_roster_free(&f->roster);
    ez_contexts_free(&f->contexts);
    free(f->token);
    free(f->dir);
    free(f->tool_name);
    free(f->before);
    for (size_t i = 0; i < f->replayed.n; i++) {
        free(f->replayed.at[i].line);
        ez_ranks_free(&f->replayed.at[i].ranks);
    }
    EZ_VEC_FREE(&f->replayed);
    free(f);
}

/* ---- requests -------------------------------------------------------------------------------- */

ez_err *ez_front_request(struct ez_front *f, const char *what, struct json_object *request,
                         long *id)
{
    struct json_object *o = request ? request : json_object_new_object();
    *id = ++f->last_id;
    ez_json_put_int(o, "id", *id);
    ez_json_put_text(o, "do", what);
    if (!ez_json_get(o, "ms"))
        ez_json_put_int(o, "ms", *f->timeout_s * 1000);
    f->last_ms = (unsigned)ez_json_int(o, "ms", 0);
    EZ_FREE char *line = ez_sprintf("%s\n", ez_json_line(o));
    json_object_put(o);
    return f->in >= 0 && ez_outbox_send(&f->box, f->in, line, strlen(line)) ? NULL
                                                                            : ez_front_ended(f);
}

ez_err *ez_front_command(struct ez_front *f, const struct ez_ranks *ranks, const char *command,
                         bool each, long *id)
{
    struct json_object *o = json_object_new_object();
    ez_json_put_ranks(o, "ranks", ranks);
    ez_json_put_text(o, "command", command);
    ez_json_put_int(o, "most", each ? 0 : EZ_GROUPS_MOST);
    return ez_front_request(f, "command", o, id);
}

bool ez_front_reply(struct ez_front *f, long id, struct ez_reply *out)
{
    for (size_t i = 0; i < f->reply.n; i++) {
        if (f->reply.at[i].id != id)
            continue;
        *out = f->reply.at[i];
        f->reply.at[i] = f->reply.at[--f->reply.n];
        return true;
    }
    return false;
}

/* ---- input from the daemons ------------------------------------------------------------------ */

static void front_states(struct ez_front *f, const struct ez_reply *r)
{
    for (size_t i = 0; i < f->roster.member.n; i++) {
        struct ez_member *m = &f->roster.member.at[i];
        for (size_t k = 0; k <= EZ_MEMBER_BLIND; k++)
            if (ez_ranks_has(&r->state[k], m->rank))
                m->state = (enum ez_member_state)k;
    }
}

/* Adds, `times` times, the accounting in an event: of a program that a member has replaced by an
 * exec. */
static void front_accounting(struct ez_front *f, struct json_object *accounting, uint64_t times)
{
    f->ended.hits += times * (uint64_t)ez_json_int(accounting, "hits", 0);
    f->ended.recorded += times * (uint64_t)ez_json_int(accounting, "recorded", 0);
    f->ended.filtered += times * (uint64_t)ez_json_int(accounting, "filtered", 0);
    f->ended.untraced += times * (uint64_t)ez_json_int(accounting, "untraced", 0);
    f->ended.dropped += times * (uint64_t)ez_json_int(accounting, "dropped", 0);
    f->ended.overwritten += times * (uint64_t)ez_json_int(accounting, "overwritten", 0);
}

void ez_front_note_trace(struct ez_front *f, uint32_t rank, const char *path, const char *dir)
{
    struct ez_traced t = { .rank = rank, .path = ez_strdup(path) };
    t.here = *path == '/' || !dir ? ez_strdup(path) : ez_sprintf("%s/%s", dir, path);
    EZ_PUSH(&f->trace, t);
}

static void front_member_event(struct ez_front *f, struct ez_member *m, struct json_object *o)
{
    const char *event = ez_json_text(o, "event");
    if (!strcmp(event, "exited"))
        m->status = (int)ez_json_int(o, "status", 0);
    else if (!strcmp(event, "exec"))
        front_set(&m->program, ez_json_text(o, "text"));
    else if (!strcmp(event, "trace"))
        ez_front_note_trace(f, m->rank, ez_json_text(o, "text"), f->dir);
}

/* Stores what an event reports for its members: the accounting of replaced programs, the exit
 * status, the program, or the trace's name. */
static void front_event(struct ez_front *f, const struct ez_group *g)
{
    struct json_object *o = json_tokener_parse(g->text);
    front_accounting(f, ez_json_get(o, "ledger"), ez_ranks_count(&g->ranks));
    for (size_t i = 0; i < f->roster.member.n; i++)
        if (ez_ranks_has(&g->ranks, f->roster.member.at[i].rank))
            front_member_event(f, &f->roster.member.at[i], o);
    json_object_put(o);
}

static void front_line(struct ez_front *f, const char *line)
{
    struct json_object *o = json_tokener_parse(line);
    struct ez_reply r;
    bool good = o && ez_err_drop(ez_reply_from_json(o, 0, &r));
    json_object_put(o);
    if (!good)
        return;
    front_states(f, &r);
    if (r.id) {
        EZ_PUSH(&f->reply, r);
        return;
    }
    for (size_t i = 0; i < r.group.n; i++)
        front_event(f, &r.group.at[i]);
    if (f->news)
        f->news(&r, f->arg);
    ez_reply_free(&r);
}

/* Returns the rules that apply to a rank, one in each line, oldest first; the caller frees the
 * text. others: skips the rules that plant probes. */
static char *front_rules(const struct ez_front *f, uint32_t rank, bool others)
{
    EZ_VEC(char) text = { 0 };
    for (size_t i = 0; i < f->replayed.n; i++) {
        const struct ez_replayed *x = &f->replayed.at[i];
        if ((others && x->probe) || !(x->all || ez_ranks_has(&x->ranks, rank)))
            continue;
        EZ_APPEND(&text, x->line, strlen(x->line));
        EZ_PUSH(&text, '\n');
    }
    EZ_PUSH(&text, '\0');
    return text.at;
}

static ez_err *front_gone(struct ez_front *f)
{
    unsigned blind = 0;
    bool anew = false, probes = false;
    ez_front_wait_tool(f);
    for (size_t i = 0; i < f->replayed.n; i++)
        probes |= f->replayed.at[i].probe;
    for (size_t i = 0; i < f->roster.member.n; i++)
        if (1u << f->roster.member.at[i].state & EZ_MEMBER_LIVE) {
            f->roster.member.at[i].state = EZ_MEMBER_BLIND;
            anew |= probes && f->roster.member.at[i].keeps < 0;
            blind++;
        }
    /* The daemons did not start, or Slurm ended them after the ranks. The next request returns the
     * error. */
    if (!blind)
        return NULL;
    return ez_err_hint(
        ez_err_new(EZ_E_GONE, 0, "The daemons have ended: %u process%s run%s on, unobserved", blind,
                   blind == 1 ? "" : "es", blind == 1 ? "s" : ""),
        anew ? "\"job reattach\" takes the processes over and sends their probes and aggregates "
               "again, which then count from 0"
             : "Their probes go on counting; \"job reattach\" takes the processes over");
}

ez_err *ez_front_read(struct ez_front *f)
{
    char buf[65536];
    ssize_t n;
    if (f->out < 0)
        return NULL;
    /* errors are ignored, because read() below detects the daemon's end */
    ez_outbox_flush(&f->box, f->in);
    while ((n = read(f->out, buf, sizeof buf)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return NULL;
        for (ssize_t i = 0; i < n; i++) {
            EZ_PUSH(&f->got, buf[i] == '\n' ? '\0' : buf[i]);
            if (buf[i] != '\n')
                continue;
            if (*f->got.at == '{') /* other lines are output of the daemons' launcher */
                front_line(f, f->got.at);
            f->got.n = 0;
        }
    }
    return front_gone(f);
}

/* ---- members --------------------------------------------------------------------------------- */

static struct ez_member *front_of_pid(struct ez_front *f, const char *host, pid_t pid)
{
    for (size_t i = 0; i < f->roster.member.n; i++)
        if (f->roster.member.at[i].pid == pid && !strcmp(f->roster.member.at[i].host, host))
            return &f->roster.member.at[i];
    return NULL;
}

/* Returns the number of the node that gets a process: of the n nodes on the process's host, the one
 * with the index rank % n; 0 if n is 0. */
static uint32_t front_share(const struct ez_front *f, const char *host, uint32_t rank)
{
    uint32_t n = 0, found = 0;
    for (size_t i = 0; i < f->host.n; i++)
        n += !strcmp(f->host.at[i], host);
    for (size_t i = 0, k = 0; i < f->host.n && n; i++)
        if (!strcmp(f->host.at[i], host) && k++ == rank % n)
            found = (uint32_t)i;
    return found;
}

size_t ez_front_found(struct ez_front *f, const struct ez_reply *r)
{
    size_t n = r->members ? json_object_array_length(r->members) : 0, fresh = 0;
    for (size_t i = 0; i < n; i++) {
        struct json_object *o = json_object_array_get_idx(r->members, i);
        const char *host = ez_json_text(o, "host");
        pid_t pid = (pid_t)ez_json_int(o, "pid", 0);
        if (front_of_pid(f, host, pid))
            continue;
        uint32_t next =
            f->roster.member.n ? f->roster.member.at[f->roster.member.n - 1].rank + 1 : f->tree;
        int64_t rank = f->tree ? next : ez_json_int(o, "rank", next);
        /* a child process that inherited the rank of its parent */
        if (ez_roster_find(&f->roster, (uint32_t)rank))
            continue;
        struct ez_member *m = ez_roster_put(&f->roster, (uint32_t)rank);
        m->pid = pid;
        f->size = EZ_MAX(f->size, (unsigned)ez_json_int(o, "size", 0));
        m->held = json_object_get_boolean(ez_json_get(o, "held"));
        m->state = EZ_MEMBER_HELD;
        m->node = front_share(f, host, m->rank);
        front_set(&m->host, host);
        front_set(&m->program, ez_json_text(o, "program"));
        fresh++;
    }
    ez_roster_count_local(&f->roster);
    return fresh;
}

static void front_put_rules(const struct ez_front *f, const struct ez_member *m,
                            struct json_object *o)
{
    EZ_FREE char *all = front_rules(f, m->rank, false), *others = front_rules(f, m->rank, true);
    ez_json_put_text(o, "rules", all);
    ez_json_put_text(o, "others", others);
    ez_json_put_int(o, "keeps", m->keeps);
}

ez_err *ez_front_claim(struct ez_front *f, const struct ez_ranks *ranks, enum ez_claim which,
                       const char *then, long *id)
{
    bool blind = which != EZ_CLAIM_HELD;
    struct json_object *o = json_object_new_object(), *list = json_object_new_array();
    for (EZ_EACH_RANK(rank, ranks)) {
        struct ez_member *m = ez_roster_find(&f->roster, (uint32_t)rank);
        struct json_object *one = json_object_new_object();
        if (!m || m->state != (blind ? EZ_MEMBER_BLIND : EZ_MEMBER_HELD))
            continue;
        ez_json_put_int(one, "rank", m->rank);
        ez_json_put_int(one, "pid", m->pid);
        ez_json_put_int(one, "node", m->node);
        if (m->node < f->wall.n)
            ez_json_put_int(one, "wall", f->wall.at[m->node]);
        json_object_object_add(one, "held", json_object_new_boolean(m->held && !blind));
        json_object_object_add(one, "offered", json_object_new_boolean(m->parent && !blind));
        if (which != EZ_CLAIM_TO_RELEASE)
            front_put_rules(f, m, one);
        json_object_array_add(list, one);
    }
    json_object_object_add(o, "members", list);
    ez_json_put_ranks(o, "ranks", ranks);
    json_object_object_add(o, "blind", json_object_new_boolean(blind));
    ez_json_put_text(o, "before", f->before);
    ez_json_put_text(o, "then", then);
    ez_json_put_int(o, "ms", EZ_MAX(*f->timeout_s * 1000, 60000u));
    return ez_front_request(f, "take", o, id);
}

void ez_front_add_rule(struct ez_front *f, const char *line, bool probe,
                       const struct ez_ranks *ranks)
{
    struct ez_replayed x = { .line = ez_strdup(line), .probe = probe, .all = !ranks };
    if (ranks)
        ez_ranks_copy(&x.ranks, ranks);
    EZ_PUSH(&f->replayed, x);
}
