/* SPDX-License-Identifier: GPL-3.0-or-later */
/* node_claim.c - starts a driver for a process (a claim).
 *
 * The request `take` starts these steps; each step is one or more commands to the driver.
 *
 *   ATTACH  runs the settings of `before`, and attaches
 *   EXEC    if the process is eztsh-hold: sends SIGURG, and continues to the user's program
 *   LOOK    if the process had a driver before: counts the probes that the new driver adopted
 *   RULES   if the driver adopted all `keeps` probes: runs each line of `others`, the commands that
 *           do not plant probes. Otherwise runs each line of `rules`, all commands; before that,
 *           if `rules` plants probes, removes the adopted probes. Errors are ignored: in a tree of
 *           processes, a program may lack the functions
 *   LAST    runs `then`: "continue &", or nothing. Its answer is the answer to the request
 *   AHEAD   if there are no rules, and the process had no driver before: reads in advance what the
 *           first probe will need. No request waits for this step
 *
 * An error in a step other than RULES and AHEAD ends the driver.
 * Tests: tests/procs/jobs.sh, tests/procs/job_faults.sh */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/jobs/node.h"

enum { LAST, ATTACH, EXEC, LOOK, RULES, AHEAD };

static void node_claim_send(struct ez_driver *d, long id, int step, const char *command)
{
    ez_err_drop(
        /* an error is ignored: driver_ended() answers in place of an ended driver */
        ez_driver_send(d, id, step, command));
}

static bool node_claim_is_blind(const struct ez_asking *a)
{
    return json_object_get_boolean(ez_json_get(a->request, "blind"));
}

static void node_claim_one(struct ez_node *n, struct ez_asking *a, struct json_object *o)
{
    uint32_t rank = (uint32_t)ez_json_int(o, "rank", 0);
    pid_t pid = (pid_t)ez_json_int(o, "pid", 0);
    struct ez_driver *d;
    ez_err *e = ez_crew_add(&n->crew, rank, pid, &d);
    if (e) {
        struct json_object *failed = ez_driver_error(ez_code_name(e->code), e->msg);
        ez_reply_add(&a->reply, rank, pid, failed);
        json_object_put(failed);
        ez_err_free(e);
        return;
    }
    d->claim = a->reply.id;
    d->held = json_object_get_boolean(ez_json_get(o, "held"));
    d->offered = json_object_get_boolean(ez_json_get(o, "offered"));
    d->rules = ez_strdup(ez_json_text(o, "rules"));
    d->others = ez_strdup(ez_json_text(o, "others"));
    d->probes = strcmp(d->rules, d->others) != 0;
    d->keeps = ez_json_int(o, "keeps", 0);
    /* the state remains BLIND until the driver has attached */
    if (node_claim_is_blind(a))
        d->state = d->reported = EZ_MEMBER_BLIND;
    EZ_FREE char *command =
        ez_sprintf("%s\nmaint wall-offset %lld\nmaint stop-frames off\nattach %d%s",
                   ez_json_text(a->request, "before"), (long long)ez_json_int(o, "wall", 0),
                   (int)pid, d->offered ? " -held" : "");
    node_claim_send(d, a->reply.id, ATTACH, command);
    ez_ranks_add(&a->wait, rank, rank);
}

void ez_node_claim(struct ez_node *n, struct ez_asking *a)
{
    struct json_object *list = ez_json_get(a->request, "members");
    size_t count = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
    for (size_t i = 0; i < count; i++) {
        struct json_object *o = json_object_array_get_idx(list, i);
        struct ez_member *m = ez_roster_put(&n->roster, (uint32_t)ez_json_int(o, "rank", 0));
        m->node = (uint32_t)ez_json_int(o, "node", 0);
        m->pid = (pid_t)ez_json_int(o, "pid", 0);
        if (m->node == n->tree.node)
            node_claim_one(n, a, o);
    }
}

/* Returns true if found, the answer to `info probes`, lists as many probes as the earlier driver
 * had. */
static bool node_claim_found_all(const struct ez_driver *d, struct json_object *found)
{
    struct json_object *rows = ez_json_get(ez_json_get(found, "result"), "rows");
    bool array = json_object_is_type(rows, json_type_array);
    return d->keeps >= 0 && (array ? (int64_t)json_object_array_length(rows) : 0) == d->keeps;
}

/* Adds a line to the answer's output, which says that the probes were planted again. Because equal
 * answers are merged, the line is printed once for all ranks. */
static void node_claim_note_replanted(struct json_object *answer)
{
    struct json_object *output = ez_json_get(answer, "output");
    if (json_object_is_type(output, json_type_array))
        json_object_array_add(output, json_object_new_string("Probes and aggregates were sent "
                                                             "again: they count from 0."));
}

static void node_claim_rules(struct ez_asking *a, struct ez_driver *d, bool kept)
{
    d->begun = true;
    node_claim_send(d, a->reply.id, RULES, "maint stop-frames on");
    d->anew = node_claim_is_blind(a) && !kept && d->probes;
    if (d->anew)
        node_claim_send(d, a->reply.id, RULES, "maint forget-probes");
    EZ_FREE char *rules = ez_strdup(kept ? d->others : d->rules);
    for (char *rest = rules, *line; (line = strsep(&rest, "\n"));)
        if (*line)
            node_claim_send(d, a->reply.id, RULES, line);
    node_claim_send(d, a->reply.id, LAST, ez_json_text(a->request, "then"));
    if (!*d->rules && !node_claim_is_blind(a))
        node_claim_send(d, a->reply.id, AHEAD, "maint read-ahead");
}

/* Ends the claim, and also the driver if the claim failed. Returns false, so that the caller adds
 * the present answer to the reply. */
static bool node_claim_end(struct ez_driver *d, bool failed)
{
    if (failed && d->pid)
        ez_driver_end(d);
    d->claim = 0;
    return false;
}

static bool node_claim_has_ended(pid_t pid)
{
    char path[64];
    size_t n;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    EZ_FREE char *stat = ez_str_load(path, 4096, &n);
    const char *behind = stat ? strrchr(stat, ')') : NULL; /* the name may contain ')', too */
    return !behind || !behind[1] || strchr("ZX", behind[2]);
}

/* Handles a BLIND process that ended before the end of the claim: sends the event "gone", and
 * changes the answer from an error to success. */
static void node_claim_is_gone(struct ez_node *n, struct ez_driver *d, struct json_object *answer)
{
    struct json_object *o = json_object_new_object();
    d->state = EZ_MEMBER_GONE;
    ez_json_put_text(o, "event", "gone");
    ez_node_send_event(n, d, o);
    json_object_object_add(answer, "ok", json_object_new_boolean(true));
    json_object_object_del(answer, "error");
}

/* Replaces the error in the answer by one that says that the program did not begin: eztsh-hold
 * could not start it, or was killed. */
static void node_claim_never_began(struct json_object *answer)
{
    struct json_object *e = ez_driver_error("gone", "The process ended before its program began");
    json_object_object_foreach(e, name, value)
        json_object_object_add(answer, name, json_object_get(value));
    json_object_put(e);
}

bool ez_node_claim_answer(struct ez_node *n, struct ez_driver *d,
                          const struct ez_pending_request *pending, struct json_object *answer)
{
    struct ez_asking *a = ez_node_find_asking(n, pending->request);
    if (pending->step == AHEAD)
        return true;
    if (d->claim != pending->request)
        return false;
    bool good = json_object_get_boolean(ez_json_get(answer, "ok"));
    if (pending->step == RULES)
        return d->pid != 0;
    if (pending->step == LAST || !a || (!good && pending->step == ATTACH)) {
        /* removes the output of the settings that precede the failed attach */
        if (pending->step == ATTACH)
            json_object_object_add(answer, "output", json_object_new_array());
        if (!good && a && node_claim_is_blind(a) && node_claim_has_ended(d->target))
            node_claim_is_gone(n, d, answer);
        else if (!good && pending->step == ATTACH && d->held && node_claim_has_ended(d->target))
            node_claim_never_began(answer);
        if (good && d->anew)
            node_claim_note_replanted(answer);
        return node_claim_end(d, !good);
    }
    d->claimed = true;
    if (pending->step == ATTACH && d->held) {
        kill(d->target, SIGURG);
        node_claim_send(d, a->reply.id, EXEC,
                        "set stop-at-exec on\ncontinue\nset stop-at-exec off");
        return true;
    }
    if (!d->pid) /* the driver has ended; the process may still live */
        return node_claim_end(d, true);
    if (!good || d->state != EZ_MEMBER_STOPPED) {
        node_claim_never_began(answer);
        return node_claim_end(d, true);
    }
    if (pending->step == ATTACH && node_claim_is_blind(a))
        node_claim_send(d, a->reply.id, LOOK, "info probes -json");
    else
        node_claim_rules(a, d, pending->step == LOOK && node_claim_found_all(d, answer));
    return true;
}
