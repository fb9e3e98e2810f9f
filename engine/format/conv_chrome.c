/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_chrome.c - the Trace Event Format: JSON for ui.perfetto.dev and chrome://tracing.
 *
 *   state     B and E, both with the state's name, because readers pair them by name. E has
 *             args.complete = false if the exit is missing, args.unwound = true if
 *             the call did not return, args.cut = true if only a part of the call was measured
 *   event     i, scope t, p or g by the level of its container; args.NAME, by the names of the
 *             module's words, or args.arg0, args.arg1 without names. Numbers above 2^53 are
 *             strings, addresses and other hexadecimal words are strings "0x1f"
 *   values    collected by a probe are args.NAME of B, E and i: numbers that a double represents
 *             exactly are numbers, other integers and addresses are strings; booleans are true and
 *             false; texts are strings without quotes, with "..." if they were cut; all other
 *             values are strings, as `events` shows them
 *   variable  C; counters belong to processes in this format, so the name of a thread's counter
 *             ends with the thread's name
 *   link      s and f, bound to the state in which the link starts or ends; args as of an event
 *             (of an MPI message: bytes, tag, communicator)
 *   names     M: process_name, thread_name, sort indexes; with a meaningless time, because
 *             speedscope refuses a file that has an event without a time
 *
 * Times are microseconds with three decimals: exact to the nanosecond. pid and tid are the real
 * ids. If another process of the trace has the same pid (on another machine, or earlier), or the
 * pid is impossible, pid is a number above all real pids. The same holds for tids. The tid of
 * events of a process as a whole is always such a number. The text of an event consists mostly of
 * two parts, one for its name and one for its container. Each part is made once.
 *
 * Tests: tests/unit/format/check_formats.c */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "engine/format/conv.h"
#include "engine/format/conv_ids.h"
#include "engine/format/conv_values.h"
#include "engine/format/conv_words.h"
#include "engine/base/hash.h"
#include "engine/base/json.h"
#include "engine/base/outfile.h"
#include "engine/base/strutil.h"

#define CHUNK (16u << 10) /* JSON is written to the file when it has so many bytes */

struct place {            /* a container */
    struct ez_json where; /* members of an event: "pid":1,"tid":2,"ts": */
    struct ez_conv_place ids;
    bool described; /* the container's metadata is written, so it may have events */
};

struct label { /* the first members of events with this name: {"name":"f","cat":"lib","ph":"B" */
    struct ez_json begin, end;
};

struct chrome {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_json json; /* text that is not written to the file yet */
    struct ez_conv_places ids;
    EZ_VEC(struct place) place;
    EZ_VEC(struct label) label;
};

/* Begins an event on a new line. */
static struct ez_json *chrome_begin(struct chrome *s)
{
    ez_json_next_line(&s->json, 0);
    ez_json_begin(&s->json, NULL, '{');
    return &s->json;
}

/* ---- containers ----------------------------------------------------------------- */

/* Begins a metadata event, up to the start of "args". */
static struct ez_json *chrome_metadata(struct chrome *s, const struct place *p, const char *name)
{
    struct ez_json *j = chrome_begin(s);
    ez_json_add_text(j, "ph", "M");
    ez_json_add_uint(j, "ts", 0);
    ez_json_add_uint(j, "pid", p->ids.pid);
    ez_json_add_uint(j, "tid", p->ids.tid);
    ez_json_add_text(j, "name", name);
    ez_json_begin(j, "args", '{');
    return j;
}

static void chrome_end_metadata(struct ez_json *j)
{
    ez_json_end(j, '}');
    ez_json_end(j, '}');
}

/* Writes the name and the sort index of a process or a thread. */
static void chrome_describe(struct chrome *s, const struct place *p, bool process, const char *name,
                            uint32_t sort)
{
    struct ez_json *j = chrome_metadata(s, p, process ? "process_name" : "thread_name");
    ez_json_add_text(j, "name", name);
    chrome_end_metadata(j);
    chrome_metadata(s, p, process ? "process_sort_index" : "thread_sort_index");
    ez_json_add_uint(j, "sort_index", sort);
    chrome_end_metadata(j);
}

/* Writes host and job of a process as its label, which viewers show beside the process's name. */
static void chrome_label_process(struct chrome *s, const struct place *p,
                                 const struct ez_container *c)
{
    EZ_FREE char *text =
        ez_sprintf("%s%s%s", c->host, c->job ? ", job " : "", c->job ? c->job : "");
    struct ez_json *j = chrome_metadata(s, p, "process_labels");
    ez_json_add_text(j, "labels", text);
    chrome_end_metadata(j);
}

static void chrome_make_place(struct chrome *s, uint32_t i)
{
    struct place p = { .where = { .compact = true }, .ids = ez_conv_place(&s->ids, s->m, i) };
    ez_json_add_uint(&p.where, "pid", p.ids.pid);
    ez_json_add_uint(&p.where, "tid", p.ids.tid);
    ez_json_add_key(&p.where, "ts");
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
    const struct ez_container *c = &s->m->container.at[i];
    switch (c->level) {
    case EZ_L_THREAD:
        chrome_describe(s, p, false, c->name, i);
        p->described = true;
        break;
    case EZ_L_PROCESS:
        chrome_describe(s, p, true, c->name, i);
        if (c->host)
            chrome_label_process(s, p, c);
        break;
    case EZ_L_HOST:    /* hosts are written as labels of processes */
    case EZ_L_PROGRAM: /* chrome_emit_whole() writes the program if it has events of its own */
        break;
    }
}

/* Defines a thread "(whole process)" for events that belong to a process, or to the program. */
static void chrome_emit_whole(struct chrome *s, uint32_t i)
{
    struct place *p = &s->place.at[i];
    const struct ez_container *c = &s->m->container.at[i];
    p->described = true;
    if (c->level < EZ_L_PROCESS)
        chrome_describe(s, p, true, c->name, i);
    chrome_describe(s, p, false, "(whole process)", i);
}

/* ---- names ---------------------------------------------------------------------- */

static struct ez_json chrome_phase(const struct ez_name *n, const char *phase)
{
    struct ez_json j = { .compact = true };
    ez_json_begin(&j, NULL, '{');
    ez_json_add_text(&j, "name", n->text);
    ez_json_add_text(&j, "cat", n->group);
    ez_json_add_text(&j, "ph", phase);
    return j;
}

static void chrome_make_label(struct chrome *s, const struct ez_name *n)
{
    struct label l = { .begin.text = NULL };
    switch (n->kind) {
    case EZ_N_STATE:
        l = (struct label){ chrome_phase(n, "B"), chrome_phase(n, "E") };
        break;
    case EZ_N_EVENT:
        l.begin = chrome_phase(n, "i");
        break;
    case EZ_N_LINK:
        l = (struct label){ chrome_phase(n, "s"), chrome_phase(n, "f") };
        ez_json_add_text(&l.end, "bp", "e");
        break;
    case EZ_N_VAR: /* A counter has no label here, because its name also depends on the thread. */
        break;
    }
    EZ_PUSH(&s->label, l);
}

static const struct label *chrome_label(struct chrome *s, uint32_t i)
{
    while (s->label.n <= i)
        chrome_make_label(s, &s->m->name.at[s->label.n]);
    return &s->label.at[i];
}

/* ---- what happens ---------------------------------------------------------------- */

/* Begins an event, up to and including its time. */
static void chrome_stamp(struct chrome *s, const struct ez_json *head, const struct ez_item *it)
{
    struct ez_json *j = &s->json;
    ez_json_next_line(j, 0);
    ez_json_add_part(j, head);
    ez_json_add_part(j, &s->place.at[it->container].where);
    ez_json_add_us(j, NULL, it->ns);
}

/* ---- the args of an event ---- */

#define EXACT (1ll << 53) /* JavaScript represents all integers up to this number exactly */

static void chrome_add_word(struct ez_json *j, const char *key, enum ez_word_type type, uint64_t v)
{
    bool negative = type == EZ_W_INT && (int64_t)v < 0;
    double d;
    memcpy(&d, &v, sizeof d);
    if (type == EZ_W_DOUBLE) {
        ez_json_add_real(j, key, d);
    } else if (type == EZ_W_HEX || type == EZ_W_CODE || type == EZ_W_DATA) {
        ez_json_add_hex(j, key, v);
    } else if (negative && (int64_t)v > -EXACT) {
        ez_json_add_int(j, key, (int64_t)v);
    } else if (v < EXACT) {
        ez_json_add_uint(j, key, v);
    } else {
        EZ_FREE char *digits =
            negative ? ez_sprintf("%lld", (long long)v) : ez_sprintf("%llu", (unsigned long long)v);
        ez_json_add_text(j, key, digits);
    }
}

/* Writes the item's arguments, if it has any, and ends the event. */
static void chrome_put_words(struct ez_json *j, const struct ez_item *it)
{
    char plain[16];
    bool rest = false;
    if (it->narg)
        ez_json_begin(j, "args", '{');
    for (unsigned i = 0; i < it->narg && !rest; i++) {
        const char *key = ez_conv_word_name(it, i, plain);
        enum ez_word_type type = ez_conv_word_type(it, i);
        rest = type == EZ_W_TEXT || type == EZ_W_NAME;
        EZ_FREE char *text = rest ? ez_conv_word_rest(it, i) : NULL;
        if (rest)
            ez_json_add_text(j, key, text);
        else
            chrome_add_word(j, key, type, it->arg[i]);
    }
    if (it->narg)
        ez_json_end(j, '}');
    ez_json_end(j, '}');
}

/* Returns true if the text that `events` shows for the value is also valid JSON for that value. */
static bool chrome_is_json(const struct ez_item_value *v)
{
    double d;
    int64_t i = v->n ? (int64_t)v->word[0] : 0;
    enum ez_item_type type = v->item->type;
    bool good = v->state == EZ_V_GOOD;
    if (good && type == EZ_IT_BOOL && (uint64_t)i < 2)
        return true;
    if (good && type == EZ_IT_INT && i >= -EXACT && i <= EXACT)
        return true;
    if (good && type == EZ_IT_UINT && (uint64_t)i <= EXACT)
        return true;
    return (type == EZ_IT_FLOAT || type == EZ_IT_DOUBLE) && ez_item_number(v, &d) && isfinite(d);
}

struct args { /* state while the member "args" of an event is written */
    struct ez_json *json;
    bool any;
};

static struct ez_json *chrome_args(struct args *a)
{
    if (!a->any)
        ez_json_begin(a->json, "args", '{');
    a->any = true;
    return a->json;
}

static void chrome_put_value(void *arg, const struct ez_item_value *v, const char *text)
{
    struct ez_json *j = chrome_args(arg);
    if (chrome_is_json(v)) {
        ez_json_add_raw(j, v->item->name, text);
        return;
    }
    EZ_FREE char *string = ez_conv_string(v, text);
    ez_json_add_text(j, v->item->name, string);
}

/* Ends the event, and "args" if chrome_args() began it. */
static void chrome_end_args(const struct args *a)
{
    if (a->any)
        ez_json_end(a->json, '}');
    ez_json_end(a->json, '}');
}

/* ---- events ---- */

static void chrome_put_push(struct chrome *s, const struct ez_item *it)
{
    struct args a = { &s->json, false };
    chrome_stamp(s, &chrome_label(s, it->name)->begin, it);
    ez_event_data_each(it->data, chrome_put_value, &a);
    chrome_end_args(&a);
}

static void chrome_put_event(struct chrome *s, const struct ez_item *it)
{
    static const char *const scope[] = {
        [EZ_L_PROGRAM] = "g", [EZ_L_HOST] = "g", [EZ_L_PROCESS] = "p", [EZ_L_THREAD] = "t"
    };
    struct args a = { &s->json, false };
    chrome_stamp(s, &chrome_label(s, it->name)->begin, it);
    ez_json_add_text(&s->json, "s", scope[s->m->container.at[it->container].level]);
    ez_event_data_each(it->data, chrome_put_value, &a);
    if (a.any)
        chrome_end_args(&a);
    else
        chrome_put_words(&s->json, it);
}

static void chrome_put_pop(struct chrome *s, const struct ez_item *it)
{
    struct args a = { &s->json, false };
    chrome_stamp(s, &chrome_label(s, it->name)->end, it);
    if (it->end == EZ_END_UNKNOWN)
        ez_json_add_bool(chrome_args(&a), "complete", false);
    if (it->end == EZ_END_UNWOUND)
        ez_json_add_bool(chrome_args(&a), "unwound", true);
    if (it->cut)
        ez_json_add_bool(chrome_args(&a), "cut", true);
    ez_event_data_each(it->data, chrome_put_value, &a);
    chrome_end_args(&a);
}

static void chrome_put_variable(struct chrome *s, const struct ez_item *it)
{
    const char *name = s->m->name.at[it->name].text;
    const struct ez_container *c = &s->m->container.at[it->container];
    EZ_FREE char *of_thread = c->level == EZ_L_THREAD ? ez_sprintf("%s [%s]", name, c->name) : NULL;
    struct ez_json *j = chrome_begin(s);
    ez_json_add_text(j, "ph", "C");
    ez_json_add_text(j, "name", of_thread ? of_thread : name);
    ez_json_add_part(j, &s->place.at[it->container].where);
    ez_json_add_us(j, NULL, it->ns);
    ez_json_begin(j, "args", '{');
    if (isfinite(it->value))
        ez_json_add_real(j, "value", it->value);
    ez_json_end(j, '}');
    ez_json_end(j, '}');
}

/* Writes one end of a link. Viewers distinguish flows by category, name and a hexadecimal id, but
 * some viewers by the id alone. So the id combines the link's key with the number of its name. */
static void chrome_put_link(struct chrome *s, const struct ez_item *it)
{
    const struct label *l = chrome_label(s, it->name);
    chrome_stamp(s, it->kind == EZ_I_LINK_START ? &l->begin : &l->end, it);
    ez_json_add_hex(&s->json, "id", it->key + it->name * 0x9e3779b97f4a7c15u);
    chrome_put_words(&s->json, it);
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
    case EZ_I_REQUEST:
    case EZ_I_SAMPLE:
        break;
    }
    if (s->json.n < CHUNK)
        return NULL;
    ez_outfile_json(s->f, &s->json);
    return ez_outfile_good(s->f) ? NULL : ez_outfile_error(s->f);
}

/* ---- begin and end ---------------------------------------------------------------- */

static ez_err *chrome_open(const struct ez_format *f, const struct ez_model *m,
                           const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out->path, out->gzip, &file));
    struct chrome *s = ez_alloc(sizeof *s);
    *s = (struct chrome){ .sink = { .format = f }, .m = m, .f = file, .json.compact = true };
    ez_json_begin(&s->json, NULL, '{');
    ez_json_add_text(&s->json, "displayTimeUnit", "ns");
    ez_json_begin(&s->json, "traceEvents", '[');
    *sink = &s->sink;
    return NULL;
}

static ez_err *chrome_close(struct ez_sink *sink)
{
    struct chrome *s = (struct chrome *)sink;
    EZ_FREE char *start = ez_sprintf("%llu", (unsigned long long)s->m->start_real_ns);
    ez_json_next_line(&s->json, 0);
    ez_json_end(&s->json, ']');
    ez_json_begin(&s->json, "otherData", '{');
    ez_json_add_text(&s->json, "start_real_ns", start);
    ez_json_end(&s->json, '}');
    ez_json_end(&s->json, '}');
    ez_outfile_json(s->f, &s->json);
    ez_outfile_puts(s->f, "\n");
    return ez_outfile_commit(s->f);
}

static void chrome_destroy(struct ez_sink *sink)
{
    struct chrome *s = (struct chrome *)sink;
    if (!s)
        return;
    for (size_t i = 0; i < s->place.n; i++)
        ez_json_free(&s->place.at[i].where);
    for (size_t i = 0; i < s->label.n; i++) {
        ez_json_free(&s->label.at[i].begin);
        ez_json_free(&s->label.at[i].end);
    }
    ez_json_free(&s->json);
    EZ_VEC_FREE(&s->place);
    EZ_VEC_FREE(&s->label);
    ez_conv_places_free(&s->ids);
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
