/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs_tree.c - what daemons do to data on its way (paper 004, section 5): the tree (tree_mpi.c), replies and sums (reply.c,
 * reduce.c) are those of eztsh; in place of node.c and of drivers are tasks, EZ_TASKS for each daemon, which send
 * M messages of an integer each when they are told to. See jobs_front.py, which tells them.
 *
 *   raw     each value is a message to the front end, as in DPCL without aggregation
 *   batch   what came within 10 ms is one message: events of eztsh's
 *   wave    the Ith values of all tasks are one message, their sum; DPCL with aggregation
 *   vector  the sums of all are one message: a window of eztsh's
 *   ping    an answer of each daemon, merged: what a command costs the tree
 *
 * EZ_WORK_US: a daemon's work with a value of a task, as a pause of so many microseconds. Daemons that share a few processors
 * then stand for those of a machine where each has one of its own, much slower than the front end's (paper 004's). */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "engine/base/now.h"
#include "engine/jobs/node.h"

#define BATCH_NS 10000000ull

struct value {
    uint32_t task, i;
};

struct wave { /* the Ith values */
    struct ez_reply reply;
    unsigned tasks, children;
};

static struct {
    struct ez_tree tree;
    unsigned tasks, messages, children, work_us;
    int from;    /* of the tasks */
    int to[512]; /* each task    */
    long id;
    char mode; /* its first letter */
    struct wave *wave;
    struct ez_reply news;
    uint64_t news_since;
    bool end;
} w;

static void work_task(uint32_t task, int in, int out)
{
    uint32_t messages;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (read(in, &messages, sizeof messages) == sizeof messages)
        for (struct value v = { task, 0 }; v.i < messages; v.i++)
            if (write(out, &v, sizeof v) != sizeof v)
                break;
    _exit(0);
}

static void work_begin_tasks(void)
{
    int values[2], commands[2];
    if (pipe(values) < 0)
        abort();
    w.from = values[0];
    for (unsigned i = 0; i < w.tasks; i++) {
        if (pipe(commands) < 0)
            abort();
        w.to[i] = commands[1];
        if (!fork())
            work_task(i, commands[0], values[1]);
        close(commands[0]);
    }
    fcntl(w.from, F_SETFL, O_NONBLOCK);
}

static void work_up(const char *line)
{
    if (w.tree.node) {
        ez_tree_send(&w.tree, ez_tree_parent(&w.tree, w.tree.node), line);
        return;
    }
    printf("%s\n", line);
}

static void work_tell(struct ez_reply *r)
{
    struct json_object *o = ez_reply_to_json(r);
    work_up(ez_json_line(o));
    json_object_put(o);
    ez_reply_free(r);
}

static struct wave *work_wave(long id)
{
    long i = w.mode == 'w' ? id - 1 : 0;
    return w.wave && i >= 0 && i < (long)w.messages ? &w.wave[i] : NULL;
}

static void work_check_wave(struct wave *v, long id)
{
    unsigned each = w.mode == 'v' ? w.messages : w.mode == 'p' ? 0 : 1;
    if (v->children == w.children && v->tasks == w.tasks * each) {
        v->reply.id = id;
        work_tell(&v->reply);
    }
}

/* A value as `info aggregates -json` tells it. */
static void work_add(struct wave *v, struct value x)
{
    EZ_FREE char *text =
        ez_sprintf("{\"aggregates\":[{\"aggregate\":\"sum\",\"function\":\"f\",\"value\":\"v\","
                   "\"by\":\"\",\"rows\":[{\"key\":\"%u\",\"hits\":1,\"sum\":%u,\"min\":%u,"
                   "\"max\":%u}]}]}",
                   x.i, x.i, x.i, x.i);
    struct json_object *o = json_tokener_parse(text);
    ez_sums_add(&v->reply.sums, w.tree.node * w.tasks + x.task, o, NULL, 0);
    json_object_put(o);
    v->tasks++;
}

static void work_value(struct value x)
{
    struct ez_reply one = { .most = 0 }, *r = w.mode == 'b' ? &w.news : &one;
    if (w.work_us)
        nanosleep(&(struct timespec){ .tv_nsec = w.work_us * 1000l }, NULL);
    if (w.mode == 'w' || w.mode == 'v') {
        struct wave *v = work_wave(x.i + 1);
        if (!v)
            return;
        work_add(v, x);
        work_check_wave(v, w.mode == 'w' ? x.i + 1 : 1);
        return;
    }
    EZ_FREE char *text = ez_sprintf("%u", x.i);
    struct json_object *o = json_object_new_object();
    ez_json_put_text(o, "event", "value");
    ez_json_put_text(o, "text", text);
    ez_reply_add(r, w.tree.node * w.tasks + x.task, 0, o);
    json_object_put(o);
    if (r == &one)
        work_tell(r);
    else if (!w.news_since)
        w.news_since = ez_now_ns();
}

static void work_request(const char *line)
{
    struct json_object *o = json_tokener_parse(line);
    for (EZ_EACH_CHILD(c, &w.tree))
        ez_tree_send(&w.tree, (uint32_t)c, line);
    w.end = !strcmp(ez_json_text(o, "do"), "end");
    w.mode = *ez_json_text(o, "mode");
    w.messages = (unsigned)ez_json_int(o, "m", 1);
    json_object_put(o);
    free(w.wave);
    w.wave = ez_alloc(w.messages * sizeof *w.wave);
    if (w.mode == 'p')
        work_check_wave(w.wave, 1);
    for (unsigned i = 0; i < w.tasks && !w.end && w.mode != 'p'; i++)
        if (write(w.to[i], &w.messages, sizeof w.messages) < 0)
            w.end = true;
}

static void work_reply(const char *line)
{
    struct ez_reply r;
    if (w.mode == 'r') {
        work_up(line);
        return;
    }
    struct json_object *o = json_tokener_parse(line);
    bool good = ez_err_drop(ez_reply_from_json(o, 0, &r));
    json_object_put(o);
    if (!good)
        return;
    struct wave *v = work_wave(r.id);
    if (w.mode == 'b') {
        ez_reply_merge(&w.news, &r);
        w.news_since = w.news_since ? w.news_since : ez_now_ns();
    } else if (v) {
        long id = r.id;
        ez_reply_merge(&v->reply, &r);
        v->children++;
        work_check_wave(v, id);
    }
}

static bool work_tree(void)
{
    uint32_t from;
    bool any = false;
    for (char *line; (line = ez_tree_receive(&w.tree, &from)); any = true) {
        if (w.tree.node && from == ez_tree_parent(&w.tree, w.tree.node))
            work_request(line);
        else
            work_reply(line);
        free(line);
    }
    return any;
}

static bool work_tasks(void)
{
    struct value x[64];
    ssize_t n = read(w.from, x, sizeof x);
    for (ssize_t i = 0; i < n / (ssize_t)sizeof *x; i++)
        work_value(x[i]);
    return n > 0;
}

static bool work_input(void)
{
    static char line[4096];
    static size_t have;
    ssize_t n = w.tree.node ? -1 : read(STDIN_FILENO, line + have, sizeof line - 1 - have);
    if (!n)
        work_request("{\"do\":\"end\"}");
    if (n <= 0)
        return !n;
    have += (size_t)n;
    line[have] = 0;
    if (line[have - 1] != '\n')
        return true;
    have = 0;
    work_request(line);
    return true;
}

static void work_loop(void)
{
    uint64_t last = ez_now_ns();
    while (!w.end) {
        struct pollfd fds[] = { { w.from, POLLIN, 0 }, { w.tree.node ? -1 : 0, POLLIN, 0 } };
        uint64_t ns = ez_tree_patience(&w.tree, ez_now_ns() - last);
        if (w.news_since)
            ns = EZ_MIN(ns, BATCH_NS / 10);
        ppoll(fds, 2, &(struct timespec){ .tv_nsec = (long)ns }, NULL);
        bool any = work_input() | work_tasks() | work_tree();
        if (any)
            last = ez_now_ns();
        if (w.news_since && ez_now_ns() - w.news_since >= BATCH_NS) {
            w.news_since = 0;
            work_tell(&w.news);
        }
        fflush(stdout);
    }
}

/* In place of node.c's. */
ez_err *ez_node_run(int argc, char **argv, const char *eztsh)
{
    const char *tasks = getenv("EZ_TASKS"), *work = getenv("EZ_WORK_US");
    (void)eztsh;
    w.work_us = work ? EZ_MIN((unsigned)atoi(work), 900000u) : 0;
    w.tasks = tasks ? EZ_MIN((unsigned)atoi(tasks), (unsigned)EZ_ARRAY_LEN(w.to)) : 1;
    work_begin_tasks();
    EZ_TRY(ez_tree_begin(&w.tree, &argc, &argv));
    prctl(PR_SET_TIMERSLACK, 1000);
    for (EZ_EACH_CHILD(c, &w.tree))
        w.children++;
    if (!w.tree.node) {
        fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
        printf("{\"ready\":%u}\n", w.tree.nodes);
    }
    work_loop();
    ez_tree_end(&w.tree);
    return NULL;
}
