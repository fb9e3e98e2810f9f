/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_pprof.c - a profile for `pprof`: the distinct stacks of each thread, with calls and times.
 *
 *   calls/count         number of calls (or of pauses) with this stack; a point event is a call
 *                       without duration, as in `stats`
 *   wall/nanoseconds    self time of the innermost function or pause; `pprof` shows this value by
 *                       default. So the cumulated time of a function is its total time
 *   pauses/nanoseconds  self time of the innermost frame if it is a pause, otherwise 0
 *   labels              process, thread and rank, as texts: readers drop a number that is 0
 *   mappings            the libraries of the functions, without addresses
 *
 * The file is always compressed with gzip, as readers expect. The format does not contain when a
 * call was, how calls ended, the values of variables, links and collected values. Pauses that eztsh
 * caused are in no stack. The size of the tree of distinct stacks is limited
 * (engine/trace/stacks.h).
 *
 * A Profile can be written in parts, because readers join the lists of all parts. So each part is
 * small.
 *
 * Tests: tests/unit/format/check_proto.c, tests/trace/formats.sh */
#include "config.h"

#include "engine/format/conv.h"

#ifdef HAVE_PROTOBUF_C
#include <stdio.h>

#include "engine/base/outfile.h"
#include "engine/format/conv_ids.h"
#include "engine/format/proto/pprof.pb-c.h"
#include "engine/trace/stacks.h"

enum { VALUES = 3, MOST_LABELS = 3 };

struct pprof {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_stacks stacks;
    struct ez_conv_texts texts; /* the string table */
    struct ez_hash located;     /* ids of locations that are written */
    struct ez_hash mapped;      /* ids of mappings that are written */
    EZ_VEC(uint64_t) path;
    EZ_VEC(uint8_t) bytes;
};

static ez_err *pprof_item(void *arg, const struct ez_item *it)
{
    struct pprof *s = arg;
    return ez_stacks_item(&s->stacks, it);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void pprof_write(struct pprof *s, const Pprof__Profile *part)
{
    s->bytes.n = 0;
    EZ_RESERVE(&s->bytes, pprof__profile__get_packed_size(part));
    ez_outfile_write(s->f, s->bytes.at, pprof__profile__pack(part, s->bytes.at));
}

/* Changes the text to one printable line, and returns its index in the string table. */
static int64_t pprof_text(struct pprof *s, const char *text)
{
    return (int64_t)ez_conv_text(&s->texts, text);
}

/* Returns the id of the library's mapping, and writes the mapping if it is new. */
static uint64_t pprof_mapping(struct pprof *s, const char *library)
{
    if (!*library)
        return 0;
    Pprof__Mapping map = PPROF__MAPPING__INIT, *maps = &map;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    map.filename = pprof_text(s, library);
    map.id = (uint64_t)map.filename;
    map.has_functions = true;
    size_t n = s->mapped.n;
    if (ez_hash_put(&s->mapped, map.id, n) == n) {
        part.n_mapping = 1;
        part.mapping = &maps;
        pprof_write(s, &part);
    }
    return map.id;
}

static void pprof_write_location(struct pprof *s, uint64_t id, uint32_t label)
{
    Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
    Pprof__Line line = PPROF__LINE__INIT, *lines = &line;
    Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    if (label != EZ_STACKS_MORE)
        location.mapping_id = pprof_mapping(s, s->m->name.at[label].group);
    function.id = line.function_id = location.id = id;
    function.name = function.system_name = pprof_text(s, ez_stacks_label(&s->stacks, label));
    if (label != EZ_STACKS_MORE && s->m->name.at[label].file) {
        function.filename = pprof_text(s, s->m->name.at[label].file);
        function.start_line = line.line = s->m->name.at[label].line;
    }
    location.n_line = part.n_location = part.n_function = 1;
    location.line = &lines;
    part.location = &locations;
    part.function = &functions;
    pprof_write(s, &part);
}

/* Returns the id of the frame's location, and writes the location if it is new. */
static uint64_t pprof_location(struct pprof *s, uint32_t label)
{
    uint64_t id = (uint64_t)label + 1;
    size_t n = s->located.n;
    if (ez_hash_put(&s->located, id, n) == n)
        pprof_write_location(s, id, label);
    return id;
}

/* ---- samples -------------------------------------------------------------------------------- */

static void pprof_label(struct pprof *s, Pprof__Sample *sample, const char *key, const char *text)
{
    Pprof__Label *l = sample->label[sample->n_label++];
    pprof__label__init(l);
    l->key = pprof_text(s, key);
    l->str = pprof_text(s, text);
}

/* Adds labels to a sample: process, thread and rank of the container at the root of its stack. */
static void pprof_label_all(struct pprof *s, Pprof__Sample *sample, uint32_t container)
{
    const struct ez_container *c = &s->m->container.at[container];
    const struct ez_container *process = ez_model_process(s->m, container);
    char rank[16];
    if (process)
        pprof_label(s, sample, "process", process->name);
    if (c->level == EZ_L_THREAD)
        pprof_label(s, sample, "thread", c->name);
    if (!process || process->rank == EZ_NO_RANK)
        return;
    snprintf(rank, sizeof rank, "%u", process->rank);
    pprof_label(s, sample, "rank", rank);
}

static void pprof_write_sample(struct pprof *s, uint32_t leaf)
{
    const struct ez_stack_node *node = s->stacks.node.at;
    Pprof__Label label[MOST_LABELS], *labels[MOST_LABELS] = { &label[0], &label[1], &label[2] };
    Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    uint32_t what = node[leaf].label, i = leaf;
    bool pause = what != EZ_STACKS_MORE && s->m->name.at[what].pause != EZ_P_NONE;
    int64_t self = (int64_t)node[leaf].self_ns;
    int64_t value[VALUES] = { (int64_t)node[leaf].calls, self, pause ? self : 0 };
    s->path.n = 0;
    for (; node[i].label == EZ_STACKS_MORE || !(node[i].label & EZ_STACKS_CONTAINER);
         i = node[i].parent)
        EZ_PUSH(&s->path, pprof_location(s, node[i].label));
    sample.label = labels;
    pprof_label_all(s, &sample, node[i].label & ~EZ_STACKS_CONTAINER);
    sample.n_location_id = s->path.n;
    sample.location_id = s->path.at;
    sample.n_value = VALUES;
    sample.value = value;
    part.n_sample = 1;
    part.sample = &samples;
    pprof_write(s, &part);
}

static void pprof_write_samples(struct pprof *s)
{
    for (size_t i = 0; i < s->stacks.node.n && ez_outfile_good(s->f); i++) {
        const struct ez_stack_node *n = &s->stacks.node.at[i];
        if (n->calls || n->self_ns)
            pprof_write_sample(s, (uint32_t)i);
    }
}

/* ---- begin and end -------------------------------------------------------------------------- */

static void pprof_write_head(struct pprof *s)
{
    static const char *const name[VALUES][2] = { { "calls", "count" },
                                                 { "wall", "nanoseconds" },
                                                 { "pauses", "nanoseconds" } };
    Pprof__ValueType type[VALUES], *types[VALUES];
    Pprof__Profile part = PPROF__PROFILE__INIT;
    pprof_text(s, "");
    for (unsigned i = 0; i < VALUES; i++) {
        types[i] = &type[i];
        pprof__value_type__init(types[i]);
        type[i].type = pprof_text(s, name[i][0]);
        type[i].unit = pprof_text(s, name[i][1]);
    }
    part.n_sample_type = VALUES;
    part.sample_type = types;
    part.default_sample_type = type[1].type;
    part.time_nanos = (int64_t)s->m->start_real_ns;
    part.duration_nanos = (int64_t)s->m->now;
    pprof_write(s, &part);
}

static ez_err *pprof_close(struct ez_sink *sink)
{
    struct pprof *s = (struct pprof *)sink;
    Pprof__Profile texts = PPROF__PROFILE__INIT;
    pprof_write_head(s);
    pprof_write_samples(s);
    texts.n_string_table = s->texts.at.n;
    texts.string_table = s->texts.at.at;
    pprof_write(s, &texts);
    if (s->stacks.more_ns)
        sink->notice = ez_sprintf("%llu ns are in stacks beyond the maximum number of stacks: they "
                                  "are listed by function only, below [more]",
                                  (unsigned long long)s->stacks.more_ns);
    return ez_outfile_commit(s->f);
}

static ez_err *pprof_open(const struct ez_format *f, const struct ez_model *m,
                          const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out->path, true, &file));
    struct pprof *s = ez_alloc(sizeof *s);
    *s = (struct pprof){ .sink = { .format = f }, .m = m, .f = file };
    ez_stacks_init(&s->stacks, m, true);
    s->stacks.points = true;
    *sink = &s->sink;
    return NULL;
}

static void pprof_destroy(struct ez_sink *sink)
{
    struct pprof *s = (struct pprof *)sink;
    if (!s)
        return;
    ez_conv_texts_free(&s->texts);
    EZ_VEC_FREE(&s->path);
    EZ_VEC_FREE(&s->bytes);
    ez_hash_free(&s->located);
    ez_hash_free(&s->mapped);
    ez_stacks_free(&s->stacks);
    free(s->sink.notice);
    ez_outfile_destroy(s->f);
    free(s);
}

#else /* built without protobuf-c: the format is listed, but `open` returns an error */

static ez_err *pprof_open(const struct ez_format *f, const struct ez_model *m,
                          const struct ez_conv_out *out, struct ez_sink **sink)
{
    return ez_conv_not_built("protobuf-c", "libprotobuf-c-dev and protobuf-c-compiler",
                             "protobuf-c-devel");
}

static ez_err *pprof_item(void *arg, const struct ez_item *it)
{
    return NULL;
}

static ez_err *pprof_close(struct ez_sink *sink)
{
    return NULL;
}

static void pprof_destroy(struct ez_sink *sink)
{
}

#endif

const struct ez_format ez_conv_pprof = {
    .name = "pprof",
    .suffix = ".pb.gz",
    .brief = "stacks with calls and self times, for go tool pprof",
    .compressed = true,
    .open = pprof_open,
    .item = pprof_item,
    .close = pprof_close,
    .destroy = pprof_destroy,
};
