/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_chrome.c - the Trace Event Format: JSON for ui.perfetto.dev and chrome://tracing.
 *
 *   state     B and E, both with the name, by which readers pair them. E has
 *             args.complete = false if the exit is missing, args.unwound = true if
 *             the call did not return, args.cut = true if only a part of the call was measured
 *   event     i, scope t, p or g by the level of its container; args.arg
 *   values    collected by a probe are args.NAME of B, E and i: numbers that a double represents
 *             exactly are numbers, other integers and addresses are strings; booleans; texts are
 *             strings without quotes, with "..." if they continue; all else is the string that
 *             `events` shows
 *   variable  C; counters belong to processes in this format, so a thread's counter has the
 *             thread's name after its own
 *   link      s and f, bound to the state around each end; args.arg (for an MPI message:
 *             bytes, tag, communicator)
 *   names     M: process_name, thread_name, sort indexes; with a meaningless time, because
 *             speedscope refuses a file with an event without a time
 *
 * Times are microseconds with three decimals: exact to the nanosecond. pid is the real pid, unless
 * another process of the trace has it (on another machine, or earlier) or it is impossible. Then,
 * and for events of a process as a whole, pid is a number above all real ones. An event consists of
 * two texts that are made once (for its name and its container) and a time.
 *
 * Tests: tests/unit/engine/check_formats.c */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/format/conv.h"
#include "engine/format/conv_values.h"
#include "engine/base/hash.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"

#define MAX_PID (1u << 22) /* the kernel's PID_MAX_LIMIT */

struct text {
    char *p;
    size_t n;
};

struct place {         /* texts of a container */
    struct text where; /* ,"pid":1,"tid":2,"ts": */
    struct text name;  /* a JSON string */
    uint32_t pid, tid;
    bool described; /* its metadata is written; that of whole processes is written on demand */
};

struct label { /* the text for a name of the model: {"name":"f","cat":"lib","ph":"B" */
    struct text begin, end;
};

struct chrome {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    bool comma;
    struct ez_hash used; /* used pids, and used tids by pid */
    EZ_VEC(struct place) place;
    EZ_VEC(struct label) label;
};

static struct text chrome_text_of(char *p)
{
    return (struct text){ p, strlen(p) };
}

static void chrome_put(struct chrome *s, struct text t)
{
    ez_outfile_write(s->f, t.p, t.n);
}

static void chrome_next(struct chrome *s)
{
    ez_outfile_write(s->f, ",\n", s->comma ? 2 : 0);
    s->comma = true;
}

/* ---- containers ----------------------------------------------------------------- */

/* Returns a number that no other process or thread has: the real one if possible. */
static uint32_t chrome_number(struct chrome *s, uint64_t space, uint64_t real, uint32_t container)
{
    uint64_t key = space << 32 | real;
    if (real && real <= MAX_PID && ez_hash_put(&s->used, key, container) == container)
        return (uint32_t)real;
    return MAX_PID + 1 + container;
}

static void chrome_metadata(struct chrome *s, const struct place *p, const char *what,
                            const char *name, uint32_t sort)
{
    chrome_next(s);
    ez_outfile_printf(
        s->f, "{\"ph\":\"M\",\"ts\":0,\"pid\":%u,\"tid\":%u,\"name\":\"%s_name\",\"args\":{",
        p->pid, p->tid, what);
    ez_outfile_printf(s->f, "\"name\":%s}}", name);
    chrome_next(s);
    ez_outfile_printf(
        s->f,
        "{\"ph\":\"M\",\"ts\":0,\"pid\":%u,\"tid\":%u,\"name\":\"%s_sort_index\",\"args\":{"
        "\"sort_index\":%u}}",
        p->pid, p->tid, what, sort);
}

/* Writes a process's label, which viewers show beside its name. */
static void chrome_label_process(struct chrome *s, const struct place *p,
                                 const struct ez_container *c)
{
    EZ_FREE char *plain =
        ez_sprintf("%s%s%s", c->host, c->job ? ", job " : "", c->job ? c->job : "");
    EZ_FREE char *text = ez_json_quote(plain);
    chrome_next(s);
    ez_outfile_printf(s->f,
                      "{\"ph\":\"M\",\"ts\":0,\"pid\":%u,\"tid\":%u,\"name\":\"process_labels\","
                      "\"args\":{\"labels\":%s}}",
                      p->pid, p->tid, text);
}

static void chrome_make_place(struct chrome *s, uint32_t i)
{
    const struct ez_container *c = &s->m->container.at[i];
    struct place p = { .name = chrome_text_of(ez_json_quote(c->name)) };
    bool in_process = c->level == EZ_L_THREAD && c->parent < i;
    p.pid = in_process ? s->place.at[c->parent].pid : chrome_number(s, 0, c->pid, i);
    p.tid = in_process ? chrome_number(s, (uint64_t)p.pid, c->tid, i) : MAX_PID + 1 + i;
    p.where = chrome_text_of(ez_sprintf(",\"pid\":%u,\"tid\":%u,\"ts\":", p.pid, p.tid));
    EZ_PUSH(&s->place, p);
}

static struct place *chrome_place(struct chrome *s, uint32_t i)
{
    while (s->place.n <= i)
        chrome_make_place(s, (uint32_t)s->place.n);
    return &s->place.at[i];
}

static void chrome_emit_container(struct chrome *s, uint32_t i)
{
    struct place *p = chrome_place(s, i);
    switch (s->m->container.at[i].level) {
    case EZ_L_THREAD:
        chrome_metadata(s, p, "thread", p->name.p, i);
        p->described = true;
        break;
    case EZ_L_PROCESS:
        chrome_metadata(s, p, "process", p->name.p, i);
        if (s->m->container.at[i].host)
            chrome_label_process(s, p, &s->m->container.at[i]);
        break;
    case EZ_L_HOST:    /* a host is a label of its processes */
    case EZ_L_PROGRAM: /* the program has a line only if it has events */
        break;
    }
}

/* Gives a process or the program a line for events of the whole. */
static void chrome_emit_whole(struct chrome *s, uint32_t i)
{
    struct place *p = &s->place.at[i];
    p->described = true;
    if (s->m->container.at[i].level < EZ_L_PROCESS)
        chrome_metadata(s, p, "process", p->name.p, i);
    chrome_metadata(s, p, "thread", "\"(whole process)\"", i);
}

/* ---- names ---------------------------------------------------------------------- */

static void chrome_make_label(struct chrome *s, const struct ez_name *n)
{
    static const char *const phase[][2] = {
        [EZ_N_STATE] = { "B", "E" },
        [EZ_N_EVENT] = { "i", "" },
        [EZ_N_VAR] = { "C", "" },
        [EZ_N_LINK] = { "s", "f\",\"bp\":\"e" },
    };
    static const char *const form = "{\"name\":%s,\"cat\":%s,\"ph\":\"%s\"";
    EZ_FREE char *name = ez_json_quote(n->text), *cat = ez_json_quote(n->group);
    struct label l;
    if (n->kind == EZ_N_VAR) /* the name's string is not closed yet */
        l = (struct label){ chrome_text_of(ez_sprintf("{\"ph\":\"C\",\"name\":%.*s",
                                                      (int)strlen(name) - 1, name)),
                            chrome_text_of(ez_strdup("")) };
    else
        l = (struct label){ chrome_text_of(ez_sprintf(form, name, cat, phase[n->kind][0])),
                            chrome_text_of(ez_sprintf(form, name, cat, phase[n->kind][1])) };
    EZ_PUSH(&s->label, l);
}

static const struct label *chrome_label(struct chrome *s, uint32_t i)
{
    while (s->label.n <= i)
        chrome_make_label(s, &s->m->name.at[s->label.n]);
    return &s->label.at[i];
}

/* ---- what happens ---------------------------------------------------------------- */

static void chrome_stamp(struct chrome *s, struct text head, const struct ez_item *it)
{
    chrome_next(s);
    chrome_put(s, head);
    chrome_put(s, s->place.at[it->container].where);
    ez_outfile_us(s->f, it->ns);
}

/* Ends an event. JavaScript's numbers are exact up to 2^53; larger arguments are written as
 * strings. */
static void chrome_put_args(struct chrome *s, const struct ez_item *it)
{
    if (it->narg)
        ez_outfile_puts(s->f, ",\"args\":{\"arg\":");
    for (unsigned i = 0; i < it->narg; i++)
        ez_outfile_printf(s->f, it->arg[i] >> 53 ? "%c\"%llu\"" : "%c%llu", i ? ',' : '[',
                          (unsigned long long)it->arg[i]);
    ez_outfile_puts(s->f, it->narg ? "]}}" : "}");
}

/* ---- what probes collected ---- */

#define EXACT (1ll << 53)

/* Returns a value as JSON; `text` is what `events` shows. */
static char *chrome_json(const struct ez_item_value *v, const char *text)
{
    double d;
    int64_t i = v->n ? (int64_t)v->word[0] : 0;
    enum ez_item_type type = v->item->type;
    bool good = v->state == EZ_V_GOOD;
    if (good && type == EZ_IT_BOOL && (uint64_t)i < 2)
        return ez_strdup(text);
    if (good && type == EZ_IT_INT && i >= -EXACT && i <= EXACT)
        return ez_strdup(text);
    if (good && type == EZ_IT_UINT && (uint64_t)i <= EXACT)
        return ez_strdup(text);
    if ((type == EZ_IT_FLOAT || type == EZ_IT_DOUBLE) && ez_item_number(v, &d) && isfinite(d))
        return ez_strdup(text);
    EZ_FREE char *string = ez_conv_string(v, text);
    return ez_json_quote(string);
}

struct args { /* members of an event's args so far */
    struct chrome *s;
    bool any;
};

static void chrome_arg(struct args *a, const char *name, const char *json)
{
    EZ_FREE char *key = ez_json_quote(name);
    ez_outfile_puts(a->s->f, a->any ? "," : ",\"args\":{");
    ez_outfile_puts(a->s->f, key);
    ez_outfile_puts(a->s->f, ":");
    ez_outfile_puts(a->s->f, json);
    a->any = true;
}

static void chrome_put_value(void *arg, const struct ez_item_value *v, const char *text)
{
    EZ_FREE char *json = chrome_json(v, text);
    chrome_arg(arg, v->item->name, json);
}

/* Ends the event. The first of the args opened them. */
static void chrome_end_args(const struct args *a)
{
    ez_outfile_puts(a->s->f, a->any ? "}}" : "}");
}

static void chrome_put_push(struct chrome *s, const struct ez_item *it)
{
    struct args a = { s, false };
    chrome_stamp(s, chrome_label(s, it->name)->begin, it);
    ez_event_data_each(it->data, chrome_put_value, &a);
    chrome_end_args(&a);
}

static void chrome_put_event(struct chrome *s, const struct ez_item *it)
{
    static const char scope[] = {
        [EZ_L_PROGRAM] = 'g', [EZ_L_HOST] = 'g', [EZ_L_PROCESS] = 'p', [EZ_L_THREAD] = 't'
    };
    chrome_stamp(s, chrome_label(s, it->name)->begin, it);
    ez_outfile_printf(s->f, ",\"s\":\"%c\"", scope[s->m->container.at[it->container].level]);
    struct args a = { s, false };
    ez_event_data_each(it->data, chrome_put_value, &a);
    if (a.any)
        chrome_end_args(&a);
    else
        chrome_put_args(s, it);
}

static void chrome_put_pop(struct chrome *s, const struct ez_item *it)
{
    struct args a = { s, false };
    chrome_stamp(s, chrome_label(s, it->name)->end, it);
    if (it->end == EZ_END_UNKNOWN)
        chrome_arg(&a, "complete", "false");
    if (it->end == EZ_END_UNWOUND)
        chrome_arg(&a, "unwound", "true");
    if (it->cut)
        chrome_arg(&a, "cut", "true");
    ez_event_data_each(it->data, chrome_put_value, &a);
    chrome_end_args(&a);
}

static void chrome_put_variable(struct chrome *s, const struct ez_item *it)
{
    const struct place *p = &s->place.at[it->container];
    bool whole = s->m->container.at[it->container].level != EZ_L_THREAD;
    chrome_next(s);
    chrome_put(s, chrome_label(s, it->name)->begin);
    if (!whole) {
        ez_outfile_write(s->f, " [", 2);
        ez_outfile_write(s->f, p->name.p + 1, p->name.n - 2);
        ez_outfile_write(s->f, "]", 1);
    }
    ez_outfile_write(s->f, "\"", 1);
    chrome_put(s, p->where);
    ez_outfile_us(s->f, it->ns);
    if (it->value >= 0 && it->value < 1e15 && it->value == (double)(uint64_t)it->value) {
        ez_outfile_puts(s->f, ",\"args\":{\"value\":");
        ez_outfile_u64(s->f, (uint64_t)it->value);
        ez_outfile_write(s->f, "}}", 2);
    } else if (it->value - it->value == 0)
        ez_outfile_printf(s->f, ",\"args\":{\"value\":%.17g}}", it->value);
    else /* JSON has neither infinity nor NaN */
        ez_outfile_puts(s->f, ",\"args\":{}}");
}

/* Writes a link. Viewers distinguish flows by category, name and a hexadecimal id, some by the id
 * alone, so the id includes the name's number, by a product that makes no two ids equal. */
static void chrome_put_link(struct chrome *s, const struct ez_item *it)
{
    const struct label *l = chrome_label(s, it->name);
    chrome_stamp(s, it->kind == EZ_I_LINK_START ? l->begin : l->end, it);
    ez_outfile_printf(s->f, ",\"id\":\"0x%llx\"",
                      (unsigned long long)(it->key + it->name * 0x9e3779b97f4a7c15u));
    chrome_put_args(s, it);
}

static ez_err *chrome_item(void *arg, const struct ez_item *it)
{
    struct chrome *s = arg;
    bool happens = it->kind > EZ_I_NAME && it->kind < EZ_I_CONTAINER_END;
    if (happens && !chrome_place(s, it->container)->described)
        chrome_emit_whole(s, it->container);
    switch (it->kind) {
    case EZ_I_CONTAINER:
        chrome_emit_container(s, it->container);
        break;
    case EZ_I_PUSH:
        chrome_put_push(s, it);
        break;
    case EZ_I_POP:
        chrome_put_pop(s, it);
        break;
    case EZ_I_EVENT:
        chrome_put_event(s, it);
        break;
    case EZ_I_VAR:
        chrome_put_variable(s, it);
        break;
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        chrome_put_link(s, it);
        break;
    case EZ_I_NAME:
    case EZ_I_CONTAINER_END:
    case EZ_I_SAMPLE:
        break;
    }
    return ez_outfile_good(s->f) ? NULL : ez_outfile_error(s->f);
}

/* ---- begin and end ---------------------------------------------------------------- */

static ez_err *chrome_open(const struct ez_format *f, const struct ez_model *m, const char *out,
                           bool gzip, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out, gzip, &file));
    struct chrome *s = ez_alloc(sizeof *s);
    *s = (struct chrome){ .sink = { .format = f }, .m = m, .f = file };
    ez_outfile_puts(file, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    *sink = &s->sink;
    return NULL;
}

static ez_err *chrome_close(struct ez_sink *sink)
{
    struct chrome *s = (struct chrome *)sink;
    ez_outfile_printf(s->f, "\n],\"otherData\":{\"start_real_ns\":\"%llu\"}}\n",
                      (unsigned long long)s->m->start_real_ns);
    return ez_outfile_commit(s->f);
}

static void chrome_destroy(struct ez_sink *sink)
{
    struct chrome *s = (struct chrome *)sink;
    if (!s)
        return;
    for (size_t i = 0; i < s->place.n; i++) {
        free(s->place.at[i].where.p);
        free(s->place.at[i].name.p);
    }
    for (size_t i = 0; i < s->label.n; i++) {
        free(s->label.at[i].begin.p);
        free(s->label.at[i].end.p);
    }
    EZ_VEC_FREE(&s->place);
    EZ_VEC_FREE(&s->label);
    ez_hash_free(&s->used);
    ez_outfile_destroy(s->f);
    free(s);
}

const struct ez_format ez_conv_chrome = {
    .name = "chrome",
    .suffix = ".json",
    .brief = "Trace Event JSON, for Perfetto and chrome://tracing",
    .collected = true,
    .gzip = true,
    .open = chrome_open,
    .item = chrome_item,
    .close = chrome_close,
    .destroy = chrome_destroy,
};
