/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wire.c - writes the objects of the machine interface (wire.h). */
#include "shell/wire.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/base/vec.h"
#include "engine/ezt.h"
#include "shell/ending.h"
#include "shell/hooks.h"
#include "shell/out.h"
#include "shell/sess.h"

struct ez_wire {
    FILE *to;
    struct ez_json out;    /* object being written */
    EZ_VEC(char *) line;   /* lines printed since the last object */
    EZ_VEC(char *) result; /* output of commands with -json, each a JSON value */
    EZ_VEC(char) json;     /* JSON output of the running command */
    EZ_VEC(char) rest;     /* printed bytes after the last newline */
    bool held;             /* an event is being printed, whose lines are kept apart from the running
                            * command's */
    bool in_request;       /* a request is running */
    int probe, spec;       /* newest probe and specification when the request began */
};

/* ---- objects --------------------------------------------------------------------------------- */

static void wire_members(struct ez_wire *w, const char *name, const char *text)
{
    ez_json_add_text(&w->out, name, text && *text ? text : NULL);
}

static struct ez_json *wire_open(struct ez_wire *w, const char *event)
{
    ez_json_begin(&w->out, NULL, '{');
    if (event)
        ez_json_add_text(&w->out, "event", event);
    return &w->out;
}

static void wire_drop(struct ez_wire *w)
{
    for (size_t i = 0; i < w->line.n; i++)
        free(w->line.at[i]);
    for (size_t i = 0; i < w->result.n; i++)
        free(w->result.at[i]);
    EZ_VEC_FREE(&w->line);
    EZ_VEC_FREE(&w->result);
    EZ_VEC_FREE(&w->json);
}

static void wire_put_output(struct ez_wire *w)
{
    if (w->rest.n) {
        EZ_PUSH(&w->rest, '\0');
        EZ_PUSH(&w->line, w->rest.at);
        memset(&w->rest, 0, sizeof w->rest);
    }
    ez_json_begin(&w->out, "output", '[');
    for (size_t i = 0; i < w->line.n; i++)
        ez_json_add_text(&w->out, NULL, w->line.at[i]);
    ez_json_end(&w->out, ']');
}

/* Writes the results of commands with -json. They have no newlines, because an object is one line:
 * wire_line() has put blanks in their place. */
static void wire_put_results(struct ez_wire *w)
{
    size_t n = w->result.n;
    if (n > 1)
        ez_json_begin(&w->out, "results", '[');
    for (size_t i = 0; i < n; i++)
        ez_json_add_raw(&w->out, n > 1 ? NULL : "result", w->result.at[i]);
    if (n > 1)
        ez_json_end(&w->out, ']');
}

/* Writes a member `name` with the first and the last number that the request assigned. before, now:
 * newest number before the request, and now. */
static void wire_put_created(struct ez_wire *w, const char *name, int before, int now)
{
    if (now <= before)
        return;
    ez_json_begin(&w->out, name, '[');
    ez_json_add_int(&w->out, NULL, before + 1);
    ez_json_add_int(&w->out, NULL, now);
    ez_json_end(&w->out, ']');
}

static int wire_write(struct ez_wire *w)
{
    ez_json_end(&w->out, '}');
    fprintf(w->to, "%s\n", w->out.text);
    ez_json_free(&w->out);
    return fflush(w->to);
}

static void wire_close(struct ez_sess *s)
{
    static const char *const state[] = {
        [EZ_NONE] = "none",          [EZ_STOPPED] = "stopped", [EZ_RUNNING] = "running",
        [EZ_BACKGROUND] = "running", [EZ_CORE] = "core",
    };
    enum ez_state now = s->target ? ez_target_state(s->target) : EZ_NONE;
    if (now == EZ_NONE)
        now = hooks_members->state(s);
    ez_json_add_text(&s->wire->out, "state", state[now]);
    if (wire_write(s->wire))
        ending_unread(s, errno);
}

/* ---- output ---------------------------------------------------------------------------------- */

void wire_line(struct ez_sess *s, const char *line)
{
    struct ez_wire *w = s->wire;
    if (!s->run.json || w->held) {
        wire_raw(s, line);
        wire_raw(s, "\n");
        return;
    }
    for (const char *p = line; *p; p++)
        EZ_PUSH(&w->json, *p);
    EZ_PUSH(&w->json, ' ');
}

void wire_raw(struct ez_sess *s, const char *text)
{
    struct ez_wire *w = s->wire;
    for (; *text; text++) {
        EZ_PUSH(&w->rest, *text == '\n' ? '\0' : *text);
        if (*text != '\n')
            continue;
        EZ_PUSH(&w->line, w->rest.at);
        memset(&w->rest, 0, sizeof w->rest);
    }
}

void wire_message(struct ez_sess *s, const char *text)
{
    wire_open(s->wire, "message");
    wire_members(s->wire, "text", text);
    wire_close(s);
}

static bool wire_is_json(const char *text)
{
    enum json_tokener_error bad;
    struct json_object *o = json_tokener_parse_verbose(text, &bad);
    json_object_put(o);
    return bad == json_tokener_success;
}

void wire_json_ends(struct ez_sess *s)
{
    struct ez_wire *w = s->wire;
    if (!w->json.n)
        return;
    EZ_PUSH(&w->json, '\0');
    if (wire_is_json(w->json.at))
        EZ_PUSH(&w->result, ez_strdup(w->json.at));
    else
        EZ_PUSH(&w->line, ez_strdup(w->json.at));
    EZ_VEC_FREE(&w->json);
}

/* ---- events ---------------------------------------------------------------------------------- */

void wire_event_begins(struct ez_sess *s, struct ez_wire_held *held)
{
    struct ez_wire *w = s->wire;
    *held = (struct ez_wire_held){ w->line.at, w->line.n, w->held };
    memset(&w->line, 0, sizeof w->line);
    w->held = true;
}

static const char *const wire_events[] = {
    [EZ_EV_STOPPED] = "stopped",
    [EZ_EV_EXITED] = "exited",
    [EZ_EV_SIGNALED] = "killed",
    [EZ_EV_GONE] = "gone",
    [EZ_EV_PASSED] = "signal",
    [EZ_EV_THREAD_NEW] = "thread-created",
    [EZ_EV_THREAD_END] = "thread-exited",
    [EZ_EV_EXEC] = "exec",
    [EZ_EV_LIB_LOADED] = "library-loaded",
    [EZ_EV_LIB_UNLOADED] = "library-unloaded",
    [EZ_EV_PROBE] = "probe",
    [EZ_EV_TRACE] = "trace",
    [EZ_EV_LINE] = "line",
    [EZ_EV_NOTE] = "note",
    [EZ_EV_FORKED] = "forked",
    [EZ_EV_TRACE_LOST] = "trace-lost",
};

static void wire_put_accounting(struct ez_json *out, const struct ez_accounting *l)
{
    ez_json_begin(out, "ledger", '{');
    ez_json_add_uint(out, "hits", l->hits);
    ez_json_add_uint(out, "recorded", l->recorded);
    ez_json_add_uint(out, "filtered", l->filtered);
    ez_json_add_uint(out, "untraced", l->untraced);
    ez_json_add_uint(out, "dropped", l->dropped);
    ez_json_add_uint(out, "overwritten", l->overwritten);
    ez_json_end(out, '}');
}

static void wire_put_event(struct ez_sess *s, const struct ez_event *ev, const struct ez_stop *stop)
{
    const char *name = (size_t)ev->kind < EZ_ARRAY_LEN(wire_events) ? wire_events[ev->kind] : NULL;
    struct ez_json *out = wire_open(s->wire, name ? name : "other");
    if (ev->kind == EZ_EV_FORKED) {
        ez_json_add_int(out, "child", ev->tid);
        ez_json_add_int(out, "parent", ev->number);
        ez_json_add_text(out, "how", ev->status ? "vfork" : "fork");
        return;
    }
    if (stop)
        wire_members(s->wire, "reason", stop->reason);
    if (ev->tid)
        ez_json_add_int(out, "thread", ev->tid);
    if (ev->sig)
        wire_members(s->wire, "signal", out_signal(s, ev->sig));
    if (ev->kind == EZ_EV_EXITED)
        ez_json_add_int(out, "status", ev->status);
    if (ev->kind == EZ_EV_PROBE)
        ez_json_add_bool(out, "refused", ev->status);
    if (ev->number)
        ez_json_add_int(out, "number", ev->number);
    if (stop && stop->place)
        ez_json_add_uint(out, "place", stop->place);
    if (ev->addr)
        wire_members(s->wire, "address", out_addr(s, ev->addr));
    if (stop && stop->file) {
        wire_members(s->wire, "file", stop->file);
        ez_json_add_uint(out, "line", stop->line);
    }
    if (ev->text)
        wire_members(s->wire, "text", ev->text);
    if (ev->accounting)
        wire_put_accounting(out, ev->accounting);
}

static void wire_event_over(struct ez_wire *w, struct ez_wire_held *held)
{
    w->line.at = held->line;
    w->line.n = w->line.cap = held->n;
    w->held = held->json;
}

void wire_event_ends(struct ez_sess *s, const struct ez_event *ev, const struct ez_stop *stop,
                     struct ez_wire_held *held)
{
    struct ez_wire *w = s->wire;
    wire_put_event(s, ev, stop);
    wire_put_output(w);
    wire_close(s);
    for (size_t i = 0; i < w->line.n; i++)
        free(w->line.at[i]);
    EZ_VEC_FREE(&w->line);
    wire_event_over(w, held);
}

void wire_event_is_none(struct ez_sess *s, struct ez_wire_held *held)
{
    struct ez_wire *w = s->wire;
    char **line = w->line.at;
    size_t n = w->line.n;
    wire_event_over(w, held);
    for (size_t i = 0; i < n; i++)
        EZ_PUSH(&w->line, line[i]);
    free(line);
}

void wire_event_is_note(struct ez_sess *s, struct ez_wire_held *held)
{
    if (s->wire->line.n)
        wire_event_ends(s, &(struct ez_event){ .kind = EZ_EV_NOTE }, NULL, held);
    else
        wire_event_is_none(s, held);
}

void wire_between(struct ez_sess *s)
{
    struct ez_wire *w = s->wire;
    if (!w || w->in_request || (!w->line.n && !w->rest.n))
        return;
    wire_open(w, "note");
    wire_put_output(w);
    wire_close(s);
    wire_drop(w);
}

/* ---- answers --------------------------------------------------------------------------------- */

void wire_answer(struct ez_sess *s, const char *id, ez_err *e)
{
    struct ez_wire *w = s->wire;
    w->in_request = false;
    wire_json_ends(s);
    struct ez_json *out = wire_open(w, NULL);
    ez_json_add_raw(out, "id", id);
    ez_json_add_bool(out, "ok", !e);
    if (e) {
        s->end.failed++;
        ez_json_begin(out, "error", '{');
        ez_json_add_text(out, "code", ez_code_name(e->code));
        wire_members(w, "message", e->msg);
        wire_members(w, "hint", e->hint);
        ez_json_end(out, '}');
    }
    wire_put_output(w);
    wire_put_results(w);
    if (!e && s->target) {
        wire_put_created(w, "created", w->probe, ez_probe_newest(s->target));
        wire_put_created(w, "specifications", w->spec, ez_spec_newest(s->target));
    }
    wire_close(s);
    wire_drop(w);
    ez_err_free(e);
}

void wire_begin_request(struct ez_sess *s)
{
    struct ez_wire *w = s->wire;
    w->in_request = true;
    w->probe = s->target ? ez_probe_newest(s->target) : 0;
    w->spec = s->target ? ez_spec_newest(s->target) : 0;
}

/* ---- begin and end --------------------------------------------------------------------------- */

ez_err *wire_begin(struct ez_sess *s)
{
    int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
        out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    EZ_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    FILE *to = out < 0 ? NULL : fdopen(out, "w");
    if (in < 0 || null < 0 || !to || dup2(null, STDIN_FILENO) < 0 ||
        dup2(fcntl(STDERR_FILENO, F_GETFD) < 0 ? null : STDERR_FILENO, STDOUT_FILENO) < 0)
        return ez_err_new(EZ_E_SYS, errno, "Cannot use standard input and output");
    s->wire = ez_alloc(sizeof *s->wire);
    s->wire->to = to;
    s->in.fd = in;
    s->in.ahead = ez_alloc(sizeof *s->in.ahead);
    struct ez_json *hello = wire_open(s->wire, "hello");
    ez_json_add_text(hello, "schema", "eztsh-machine-1");
    ez_json_add_text(hello, "version", PACKAGE_VERSION);
    ez_json_add_int(hello, "pid", getpid());
    wire_close(s);
    return NULL;
}

void wire_ready(struct ez_sess *s)
{
    wire_open(s->wire, "ready");
    wire_put_output(s->wire);
    wire_close(s);
    wire_drop(s->wire);
}

void wire_end(struct ez_sess *s, int status)
{
    struct ez_wire *w = s->wire;
    if (!w)
        return;
    ez_json_add_int(wire_open(w, "bye"), "status", status);
    wire_put_output(w);
    wire_write(w);
    fclose(w->to);
    wire_drop(w);
    EZ_VEC_FREE(&w->rest);
    free(w);
    free(s->in.ahead);
    s->in.ahead = NULL;
    s->wire = NULL;
}
