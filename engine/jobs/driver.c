/* SPDX-License-Identifier: GPL-3.0-or-later */
/* driver.c - starts an eztsh for one process, sends it commands and reads its answers (driver.h).
 * Tests: tests/procs/jobs.sh */
#include "engine/jobs/driver.h"

#include "engine/jobs/reply.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "engine/base/child.h"

#define BOX_MOST (1 << 20) /* maximum bytes of unread commands */

/* Executes the driver in the forked child. The driver inherits `keep`, the write end of the pipe
 * that is its input, so that its input never ends. If a daemon is killed, the kernel first closes
 * the daemon's write end, and then kills the drivers (PR_SET_PDEATHSIG). Without `keep`, the
 * driver's input would end, and the driver would remove its probes before it is killed. */
static void driver_child(int in, int keep, int out, pid_t parent, const char *eztsh)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0); /* so that only the shell gets Ctrl-C, and decides which members to interrupt */
    /* A resource manager sends SIGTERM to all processes that it started. Only the daemon handles it
     * (node.c). */
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 && dup(keep) >= 0)
        execl(eztsh, "eztsh", "-nx", "-q", "--interpreter=json", (char *)NULL);
    _exit(127);
}

ez_err *ez_driver_begin(struct ez_driver *d, const char *eztsh)
{
    int to[2], from[2];
    pid_t parent = getpid();
    if (pipe2(to, O_CLOEXEC) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a pipe to the driver of rank %u",
                          d->rank);
    if (pipe2(from, O_CLOEXEC) < 0) {
        close(to[0]);
        close(to[1]);
        return ez_err_new(EZ_E_SYS, errno, "Cannot create a pipe from the driver of rank %u",
                          d->rank);
    }
    d->pid = fork();
    if (!d->pid)
        driver_child(to[0], to[1], from[1], parent, eztsh);
    close(to[0]);
    close(from[1]);
    d->in = to[1];
    d->out = from[0];
    fcntl(d->in, F_SETFL, O_NONBLOCK);
    fcntl(d->out, F_SETFL, O_NONBLOCK);
    return d->pid > 0 ? NULL
                      : ez_err_new(EZ_E_SYS, errno, "Cannot start the driver of rank %u", d->rank);
}

ez_err *ez_driver_send(struct ez_driver *d, long request, int step, const char *command)
{
    struct json_object *o = json_object_new_object();
    json_object_object_add(o, "id", json_object_new_int64(request));
    json_object_object_add(o, "command", json_object_new_string(command));
    EZ_FREE char *line = ez_sprintf("%s\n", json_object_to_json_string_ext(o, 0));
    json_object_put(o);
    size_t n = strlen(line);
    if (!d->pid)
        return ez_err_new(EZ_E_GONE, 0, "The driver of the rank has ended");
    if (d->box.text.n > BOX_MOST)
        return ez_err_new(
            EZ_E_LIMIT, 0,
            "The driver of the rank is busy with earlier commands and accepts no further command");
    if (!ez_outbox_send(&d->box, d->in, line, n))
        return ez_err_new(EZ_E_GONE, 0, "The driver of the rank has ended");
    struct ez_pending_request a = { request, step };
    EZ_PUSH(&d->pending, a);
    return NULL;
}

struct json_object *ez_driver_error(const char *code, const char *message)
{
    struct json_object *o = json_object_new_object(), *e = json_object_new_object();
    json_object_object_add(o, "ok", json_object_new_boolean(false));
    json_object_object_add(e, "code", json_object_new_string(code));
    json_object_object_add(e, "message", json_object_new_string(message));
    json_object_object_add(e, "hint", NULL);
    json_object_object_add(o, "error", e);
    json_object_object_add(o, "output", json_object_new_array());
    json_object_object_add(o, "state", json_object_new_string("blind"));
    return o;
}

/* Updates the process's state from an answer or an event. Events before the event "exited" have the
 * state "none", too, so only an answer with this state means that the process was released. */
static void driver_note_state(struct ez_driver *d, struct json_object *o)
{
    const char *state = ez_json_text(o, "state"), *event = ez_json_text(o, "event");
    if (!strcmp(event, "exited"))
        d->state = EZ_MEMBER_EXITED;
    else if (!strcmp(event, "killed"))
        d->state = EZ_MEMBER_KILLED;
    else if (!strcmp(event, "gone"))
        d->state = EZ_MEMBER_GONE;
    else if (!strcmp(state, "running"))
        d->state = EZ_MEMBER_RUNNING;
    else if (!strcmp(state, "stopped"))
        d->state = EZ_MEMBER_STOPPED;
    else if (!strcmp(state, "none") && !*event && d->claimed && 1u << d->state & EZ_MEMBER_LIVE)
        d->state = EZ_MEMBER_LEFT;
    if (!strcmp(event, "exited"))
        d->status = (int)ez_json_int(o, "status", 0);
}

static void driver_line(struct ez_driver *d, const char *line, ez_driver_fn *fn, void *arg)
{
    struct json_object *o = json_tokener_parse(line), *id;
    driver_note_state(d, o);
    if (!json_object_object_get_ex(o, "id", &id)) {
        if (o)
            fn(d, NULL, o, arg);
    } else if (id && d->pending.n) { /* an answer whose id is null, that to "quit", is skipped */
        struct ez_pending_request first = d->pending.at[0];
        memmove(d->pending.at, d->pending.at + 1, --d->pending.n * sizeof first);
        json_object_object_del(o, "id");
        fn(d, &first, o, arg);
    }
    json_object_put(o);
}

static void driver_ended(struct ez_driver *d, ez_driver_fn *fn, void *arg)
{
    int status;
    ez_child_ended(d->pid, true, &status);
    d->pid = 0;
    /* `in` is closed if ez_driver_end() was called */
    if (1u << d->state & (EZ_MEMBER_LIVE | 1u << EZ_MEMBER_HELD))
        d->state = d->in < 0 ? EZ_MEMBER_LEFT : EZ_MEMBER_BLIND;
    if (d->in >= 0)
        close(d->in);
    close(d->out);
    d->in = d->out = -1;
    for (size_t i = 0; i < d->pending.n; i++) {
        struct json_object *o = ez_driver_error("gone", "The driver of the rank has ended");
        fn(d, &d->pending.at[i], o, arg);
        json_object_put(o);
    }
    d->pending.n = 0;
    struct json_object *o = json_object_new_object();
    ez_json_put_text(o, "event", d->state == EZ_MEMBER_BLIND ? "blind" : "let-go");
    fn(d, NULL, o, arg);
    json_object_put(o);
}

void ez_driver_read(struct ez_driver *d, ez_driver_fn *fn, void *arg)
{
    char buf[65536];
    ssize_t n;
    if (d->in >= 0)
        ez_outbox_flush(&d->box, d->in);
    while (d->pid && (n = read(d->out, buf, sizeof buf)) != 0) {
        if (n < 0) {
            if (errno == EINTR)
                continue;
            return;
        }
        for (ssize_t i = 0; i < n; i++) {
            EZ_PUSH(&d->got, buf[i] == '\n' ? '\0' : buf[i]);
            if (buf[i] != '\n')
                continue;
            driver_line(d, d->got.at, fn, arg);
            d->got.n = 0;
        }
    }
    if (d->pid)
        driver_ended(d, fn, arg);
}

void ez_driver_interrupt(struct ez_driver *d)
{
    if (d->pid)
        kill(d->pid, SIGINT);
}

void ez_driver_end(struct ez_driver *d)
{
    static const char quit[] = "{\"command\": \"quit\"}\n";
    if (!d->pid || d->in < 0)
        return;
    /* A driver with unread commands would not read `quit` soon, so SIGHUP ends it. */
    if (d->box.text.n || write(d->in, quit, sizeof quit - 1) != sizeof quit - 1)
        kill(d->pid, SIGHUP);
    close(d->in);
    d->in = -1;
}

void ez_driver_free(struct ez_driver *d)
{
    if (d->in >= 0)
        close(d->in);
    if (d->out >= 0)
        close(d->out);
    free(d->rules);
    free(d->others);
    EZ_VEC_FREE(&d->pending);
    EZ_VEC_FREE(&d->got);
    EZ_VEC_FREE(&d->box.text);
}
