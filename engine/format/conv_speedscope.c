/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_speedscope.c - speedscope's own JSON: https://www.speedscope.app/file-format-schema.json
 *
 *   frames    the functions and the pauses, shared by all profiles; `file` is the source file, or
 *             the library if the trace has no source line of the function
 *   profiles  one "evented" profile for each thread, and for each process with states of its own:
 *             an event O when a state begins, and C when it ends
 *
 * In all profiles, times are whole nanoseconds since the start of the trace, so that threads can be
 * compared. JavaScript represents these numbers exactly up to 104 days. Pauses and gaps are frames.
 * The format does not contain how calls ended, point events, variables, links and collected values.
 *
 * The events of a profile are one array, but the model gives the items of all threads in the order
 * of time. So events go to a spool (engine/base/spool.h) in the output's folder, and `close` writes
 * one profile after the other.
 *
 * Tests: tests/unit/format/check_formats.c, tests/trace/speedscope.sh */
#include <stdlib.h>
#include <string.h>

#include "engine/format/conv.h"
#include "engine/format/conv_label.h"
#include "engine/base/json.h"
#include "engine/base/outfile.h"
#include "engine/base/spool.h"

struct speedscope_event { /* as it is stored in the spool */
    uint64_t ns;
    uint32_t frame;
    uint32_t open; /* 1 or 0; a bool would leave undefined bytes in the file */
};

struct speedscope {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_spool *spool;
    struct ez_json json;    /* text that is not written to the file yet */
    uint64_t end_ns;        /* time of the last item */
    EZ_VEC(uint32_t) frame; /* index: name; number of its frame plus 1, or 0 if it has none */
    EZ_VEC(uint32_t) name;  /* index: frame; its name */
    EZ_VEC(bool) used;      /* index: container; true if the container had a state */
};

/* ---- items -------------------------------------------------------------------------- */

static uint32_t speedscope_frame(struct speedscope *s, uint32_t name)
{
    while (s->frame.n <= name)
        EZ_PUSH(&s->frame, 0u);
    if (!s->frame.at[name]) {
        EZ_PUSH(&s->name, name);
        s->frame.at[name] = (uint32_t)s->name.n;
    }
    return s->frame.at[name] - 1;
}

static ez_err *speedscope_item(void *arg, const struct ez_item *it)
{
    struct speedscope *s = arg;
    s->end_ns = EZ_MAX(s->end_ns, it->ns);
    if (it->kind != EZ_I_PUSH && it->kind != EZ_I_POP)
        return NULL;
    while (s->used.n <= it->container)
        EZ_PUSH(&s->used, false);
    s->used.at[it->container] = true;
    struct speedscope_event ev = { .ns = it->ns,
                                   .frame = speedscope_frame(s, it->name),
                                   .open = it->kind == EZ_I_PUSH };
    return ez_spool_put(s->spool, it->container, &ev, sizeof ev);
}

/* ---- writing ------------------------------------------------------------------------ */

static void speedscope_put_frames(struct speedscope *s)
{
    struct ez_json *j = &s->json;
    ez_json_begin(j, "shared", '{');
    ez_json_begin(j, "frames", '[');
    for (size_t i = 0; i < s->name.n; i++) {
        const struct ez_name *n = &s->m->name.at[s->name.at[i]];
        ez_json_next_line(j, 0);
        ez_json_begin(j, NULL, '{');
        ez_json_add_text(j, "name", n->text);
        if (n->file || *n->group)
            ez_json_add_text(j, "file", n->file ? n->file : n->group);
        if (n->file)
            ez_json_add_uint(j, "line", n->line);
        ez_json_end(j, '}');
    }
    ez_json_end(j, ']');
    ez_json_end(j, '}');
}

static ez_err *speedscope_put_events(void *arg, const char *records, size_t n)
{
    struct speedscope *s = arg;
    struct speedscope_event ev;
    for (const char *p = records; p < records + n; p += sizeof ev) {
        memcpy(&ev, p, sizeof ev);
        ez_json_next_line(&s->json, 0);
        ez_json_begin(&s->json, NULL, '{');
        ez_json_add_text(&s->json, "type", ev.open ? "O" : "C");
        ez_json_add_uint(&s->json, "frame", ev.frame);
        ez_json_add_uint(&s->json, "at", ev.ns);
        ez_json_end(&s->json, '}');
    }
    ez_outfile_json(s->f, &s->json);
    return ez_outfile_good(s->f) ? NULL : ez_outfile_error(s->f);
}

static ez_err *speedscope_put_profile(struct speedscope *s, uint32_t container)
{
    struct ez_json *j = &s->json;
    EZ_FREE char *label = ez_conv_label(s->m, container);
    ez_json_next_line(j, 0);
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "type", "evented");
    ez_json_add_text(j, "name", label);
    ez_json_add_text(j, "unit", "nanoseconds");
    ez_json_add_uint(j, "startValue", s->m->from_ns);
    ez_json_add_uint(j, "endValue", EZ_MAX(s->end_ns, s->m->from_ns));
    ez_json_begin(j, "events", '[');
    EZ_TRY(ez_spool_each(s->spool, container, speedscope_put_events, s));
    ez_json_end(j, ']');
    ez_json_end(j, '}');
    return NULL;
}

struct speedscope_place {
    uint64_t place;
    uint32_t container;
};

static int speedscope_compare(const void *a, const void *b)
{
    const struct speedscope_place *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->container < y->container ? -1 : x->container > y->container;
}

/* Writes the profiles in the order of ez_model_place(). speedscope refuses a file without a
 * profile, so a trace without states gets an empty profile. */
static ez_err *speedscope_put_profiles(struct speedscope *s)
{
    EZ_FREE struct speedscope_place *order = ez_alloc((s->used.n + 1) * sizeof *order);
    size_t n = 0;
    for (uint32_t i = 0; i < s->used.n; i++)
        if (s->used.at[i])
            order[n++] = (struct speedscope_place){ ez_model_place(s->m, i), i };
    if (!n)
        order[n++] = (struct speedscope_place){ 0, 0 };
    qsort(order, n, sizeof *order, speedscope_compare);
    ez_json_begin(&s->json, "profiles", '[');
    for (size_t i = 0; i < n; i++)
        EZ_TRY(speedscope_put_profile(s, order[i].container));
    ez_json_end(&s->json, ']');
    return NULL;
}

static ez_err *speedscope_close(struct ez_sink *sink)
{
    struct speedscope *s = (struct speedscope *)sink;
    struct ez_json *j = &s->json;
    ez_json_begin(j, NULL, '{');
    ez_json_add_text(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
    ez_json_add_text(j, "exporter", "eztsh");
    ez_json_add_text(j, "name", s->m->container.at[0].name);
    speedscope_put_frames(s);
    EZ_TRY(speedscope_put_profiles(s));
    ez_json_end(j, '}');
    ez_outfile_json(s->f, j);
    ez_outfile_write(s->f, "\n", 1);
    return ez_outfile_commit(s->f);
}

/* ---- begin and end ------------------------------------------------------------------ */

static ez_err *speedscope_open(const struct ez_format *f, const struct ez_model *m,
                               const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    struct ez_spool *spool;
    EZ_TRY(ez_outfile_open(out->path, out->gzip, &file));
    const char *slash = strrchr(out->path, '/');
    EZ_FREE char *folder =
        slash ? ez_sprintf("%.*s/", (int)(slash - out->path), out->path) : ez_strdup(".");
    ez_err *e = ez_spool_open(folder, out->path, &spool);
    if (e) {
        ez_outfile_destroy(file);
        return e;
    }
    struct speedscope *s = ez_alloc(sizeof *s);
    *s = (struct speedscope){
        .sink = { .format = f }, .m = m, .f = file, .spool = spool, .json.compact = true
    };
    *sink = &s->sink;
    return NULL;
}

static void speedscope_destroy(struct ez_sink *sink)
{
    struct speedscope *s = (struct speedscope *)sink;
    if (!s)
        return;
    ez_json_free(&s->json);
    EZ_VEC_FREE(&s->frame);
    EZ_VEC_FREE(&s->name);
    EZ_VEC_FREE(&s->used);
    ez_spool_close(s->spool);
    free(s->sink.notice);
    ez_outfile_destroy(s->f);
    free(s);
}

const struct ez_format ez_conv_speedscope = {
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .brief = "calls of each thread, for speedscope",
    .gzip = true,
    .open = speedscope_open,
    .item = speedscope_item,
    .close = speedscope_close,
    .destroy = speedscope_destroy,
};
