/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_perfetto.c - TrackEvents in protocol buffers: for ui.perfetto.dev and trace_processor.
 *
 *   state     a slice: SLICE_BEGIN with name and category (the library), SLICE_END. The end has the
 *             annotation complete = false if the exit is missing, unwound = true if the call did
 *             not return, cut = true if only a part of the call was measured
 *             If the trace has the function's source line, the begin refers to a SourceLocation
 *   event     INSTANT; the words of a module's event are the annotation `arg`, an array
 *   values    collected by a probe are annotations of begin, end and instant, by name: numbers,
 *             addresses and booleans with their type, all others as texts, as `events` shows them
 *   variable  a counter track below the track of its container; the values are doubles
 *   link      two INSTANTs with the link's name, the first with flow_ids, the second with
 *             terminating_flow_ids; both have `arg` (for an MPI message: bytes, tag, communicator)
 *   tracks    processes with pid, name, host and job; threads; a track with a name for the program
 *             or a host, if it has events of its own
 *
 * Times are nanoseconds since the first event; a ClockSnapshot has the time of day of time 0.
 * The numbers of processes and threads are as in Trace Event JSON (conv_ids.h). Samples of counters
 * are not written.
 *
 * All packets are one sequence. A text is written once, together with the first packet that needs
 * it, and later packets refer to it by number. Each packet is written when it is made, so memory
 * does not grow with the trace. This is possible because the format allows a repeated field to be
 * written in parts: each packet is written as a Trace with one packet.
 *
 * Tests: tests/unit/format/check_proto.c, tests/trace/formats.sh */
#include "config.h"

#include "engine/format/conv.h"

#ifdef HAVE_PROTOBUF_C
#include <string.h>

#include "engine/base/outfile.h"
#include "engine/base/strutil.h"
#include "engine/format/conv_ids.h"
#include "engine/format/conv_values.h"
#include "engine/format/proto/perfetto.pb-c.h"

#define CHUNK (16u << 10) /* the buffer is written to the file when it has so many bytes */
/* Upper limit of the size of a packet without annotations, interned data and descriptors. */
#define SMALL 128

enum { SEQUENCE = 1, FORGETS = 1, NEEDS = 2, REALTIME = 1, BOOTTIME = 6 };

typedef Perfetto__DebugAnnotation note;

struct texts { /* the texts of one list in InternedData */
    struct ez_conv_texts known;
    size_t written; /* number of texts that have been written */
};

struct label {         /* a name */
    uint64_t name;     /* iid of the text; 0 = not set yet */
    uint64_t category; /* iid of the library; 0 = no library */
    bool located;      /* the source location is written; its iid is the name's index + 1 */
};

struct perfetto {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    EZ_VEC(uint8_t) bytes; /* packets that are not written to the file yet */
    struct ez_conv_places place;
    /* index: container; the container's track is written, so it may have events */
    EZ_VEC(bool) described;
    struct texts names, categories, items;
    EZ_VEC(struct label) label;
    /* container and name -> number from which the uuid of the counter's track follows */
    struct ez_hash counters;
    /* the event that is being made, with its annotations */
    Perfetto__TracePacket packet;
    Perfetto__TrackEvent event;
    /* the source location to write together with the event; NULL = none */
    const struct ez_name *source;
    EZ_VEC(note) note;
    EZ_VEC(note *) notes;
    EZ_VEC(note) word; /* elements of `arg` */
    EZ_VEC(note *) words;
    EZ_VEC(char *) owned; /* texts of annotations */
};

/* ---- packets -------------------------------------------------------------------------------- */

static void perfetto_flush(struct perfetto *s)
{
    ez_outfile_write(s->f, s->bytes.at, s->bytes.n);
    s->bytes.n = 0;
}

static void perfetto_write(struct perfetto *s, Perfetto__TracePacket *packet, bool small)
{
    Perfetto__Trace part = PERFETTO__TRACE__INIT;
    part.n_packet = 1;
    part.packet = &packet;
    EZ_RESERVE(&s->bytes, small ? SMALL : perfetto__trace__get_packed_size(&part));
    s->bytes.n += perfetto__trace__pack(&part, s->bytes.at + s->bytes.n);
    if (s->bytes.n >= CHUNK)
        perfetto_flush(s);
}

static uint64_t perfetto_intern(struct texts *t, const char *text)
{
    return ez_conv_text(&t->known, text) + 1;
}

/* Sets *list to the texts that are not written yet, and marks these texts as written. Returns their
 * number. The caller frees the list, which is one allocation; it is not set if the number is 0. */
static size_t perfetto_fresh(struct texts *t, Perfetto__InternedText ***list)
{
    size_t n = t->known.at.n - t->written;
    if (!n)
        return 0;
    *list = ez_alloc(n * (sizeof **list + sizeof ***list));
    Perfetto__InternedText *text = (Perfetto__InternedText *)(*list + n);
    for (size_t i = 0; i < n; i++) {
        perfetto__interned_text__init(&text[i]);
        text[i].has_iid = true;
        text[i].iid = t->written + i + 1;
        text[i].name = t->known.at.at[t->written + i];
        (*list)[i] = &text[i];
    }
    t->written += n;
    return n;
}

static bool perfetto_has_fresh(const struct texts *t)
{
    return t->written < t->known.at.n;
}

/* Writes the event, together with its texts and its source location that are not written yet. */
static void perfetto_write_event(struct perfetto *s)
{
    bool fresh = s->source || perfetto_has_fresh(&s->names) || perfetto_has_fresh(&s->categories) ||
                 perfetto_has_fresh(&s->items);
    if (!fresh) {
        perfetto_write(s, &s->packet, !s->event.n_debug_annotations);
        return;
    }
    Perfetto__InternedData data = PERFETTO__INTERNED_DATA__INIT;
    data.n_event_names = perfetto_fresh(&s->names, &data.event_names);
    data.n_event_categories = perfetto_fresh(&s->categories, &data.event_categories);
    data.n_debug_annotation_names = perfetto_fresh(&s->items, &data.debug_annotation_names);
    Perfetto__SourceLocation place = PERFETTO__SOURCE_LOCATION__INIT, *places = &place;
    if (s->source) {
        place.has_iid = place.has_line_number = true;
        place.iid = s->event.source_location_iid;
        place.file_name = s->source->file;
        place.function_name = s->source->text;
        place.line_number = s->source->line;
        data.n_source_locations = 1;
        data.source_locations = &places;
    }
    s->packet.interned_data = &data;
    perfetto_write(s, &s->packet, false);
    s->packet.interned_data = NULL;
    s->source = NULL;
    free(data.event_names);
    free(data.event_categories);
    free(data.debug_annotation_names);
}

/* ---- tracks --------------------------------------------------------------------------------- */

static uint64_t perfetto_track(uint32_t container)
{
    return 2 * (uint64_t)container + 2; /* counters have odd numbers */
}

static void perfetto_write_track(struct perfetto *s, Perfetto__TrackDescriptor *track,
                                 uint64_t uuid)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    track->has_uuid = true;
    track->uuid = uuid;
    packet.has_trusted_packet_sequence_id = true;
    packet.trusted_packet_sequence_id = SEQUENCE;
    packet.track_descriptor = track;
    perfetto_write(s, &packet, false);
}

static void perfetto_describe_process(struct perfetto *s, uint32_t i, char *name)
{
    const struct ez_container *c = &s->m->container.at[i];
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
    EZ_FREE char *host = c->host ? ez_str_plain(c->host, "", 0) : NULL;
    EZ_FREE char *job = c->job ? ez_sprintf("job %s", c->job) : NULL;
    EZ_FREE char *job_line = job ? ez_str_plain(job, "", 0) : NULL;
    char *labels[2];
    if (host)
        labels[process.n_process_labels++] = host;
    if (job_line)
        labels[process.n_process_labels++] = job_line;
    process.process_labels = labels;
    process.has_pid = true;
    process.pid = (int32_t)ez_conv_place(&s->place, s->m, i).pid;
    process.process_name = name;
    track.process = &process;
    perfetto_write_track(s, &track, perfetto_track(i));
}

static void perfetto_describe_thread(struct perfetto *s, uint32_t i, char *name)
{
    const struct ez_container *c = &s->m->container.at[i];
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;
    struct ez_conv_place ids = ez_conv_place(&s->place, s->m, i);
    thread.has_pid = thread.has_tid = true;
    thread.pid = (int32_t)ids.pid;
    thread.tid = (int32_t)ids.tid;
    thread.thread_name = name;
    track.thread = &thread;
    track.has_parent_uuid = true;
    track.parent_uuid = perfetto_track(c->parent);
    perfetto_write_track(s, &track, perfetto_track(i));
}

static void perfetto_describe(struct perfetto *s, uint32_t i)
{
    const struct ez_container *c = &s->m->container.at[i];
    EZ_FREE char *name = ez_str_plain(c->name, "", 0);
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    switch (c->level) {
    case EZ_L_THREAD:
        perfetto_describe_thread(s, i, name);
        break;
    case EZ_L_PROCESS:
        perfetto_describe_process(s, i, name);
        break;
    case EZ_L_HOST:
    case EZ_L_PROGRAM:
        track.name = name;
        perfetto_write_track(s, &track, perfetto_track(i));
        break;
    }
    s->described.at[i] = true;
}

static bool perfetto_is_described(struct perfetto *s, uint32_t i)
{
    while (s->described.n <= i)
        EZ_PUSH(&s->described, false);
    return s->described.at[i];
}

/* Returns the uuid of a counter's track, and writes the track if it is new. */
static uint64_t perfetto_counter(struct perfetto *s, const struct ez_item *it)
{
    size_t n = s->counters.n;
    size_t i = ez_hash_put(&s->counters, (uint64_t)it->container << 32 | it->name, n);
    uint64_t uuid = 2 * (uint64_t)i + 1;
    if (i != n)
        return uuid;
    Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
    Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
    EZ_FREE char *name = ez_str_plain(s->m->name.at[it->name].text, "", 0);
    track.name = name;
    track.counter = &counter;
    track.has_parent_uuid = true;
    track.parent_uuid = perfetto_track(it->container);
    perfetto_write_track(s, &track, uuid);
    return uuid;
}

/* ---- annotations ---------------------------------------------------------------------------- */

/* Adds an annotation without a value. The caller sets the value before the next annotation is
 * added. */
static note *perfetto_note(struct perfetto *s, const char *name)
{
    static const note none = PERFETTO__DEBUG_ANNOTATION__INIT;
    EZ_PUSH(&s->note, none);
    note *n = &s->note.at[s->note.n - 1];
    n->has_name_iid = true;
    n->name_iid = perfetto_intern(&s->items, name);
    return n;
}

static void perfetto_note_bool(struct perfetto *s, const char *name, bool value)
{
    note *n = perfetto_note(s, name);
    n->has_bool_value = true;
    n->bool_value = value;
}

/* Sets the annotation to the value. Returns false if the format has no such type or the value is
 * not valid. */
static bool perfetto_set_number(note *n, const struct ez_item_value *v)
{
    uint64_t word = v->n ? v->word[0] : 0;
    enum ez_item_type type = v->item->type;
    if (v->state != EZ_V_GOOD)
        return false;
    if (type == EZ_IT_BOOL && word < 2) {
        n->has_bool_value = true;
        n->bool_value = word != 0;
    } else if (type == EZ_IT_INT) {
        n->has_int_value = true;
        n->int_value = (int64_t)word;
    } else if (type == EZ_IT_UINT) {
        n->has_uint_value = true;
        n->uint_value = word;
    } else if (type == EZ_IT_HEX || type == EZ_IT_PTR) {
        n->has_pointer_value = true;
        n->pointer_value = word;
    } else if (type == EZ_IT_FLOAT || type == EZ_IT_DOUBLE) {
        n->has_double_value = ez_item_number(v, &n->double_value);
        return n->has_double_value;
    } else {
        return false;
    }
    return true;
}

static void perfetto_note_value(void *arg, const struct ez_item_value *v, const char *text)
{
    struct perfetto *s = arg;
    note *n = perfetto_note(s, v->item->name);
    if (perfetto_set_number(n, v))
        return;
    EZ_FREE char *string = ez_conv_string(v, text);
    n->string_value = ez_str_plain(string, "", 0);
    EZ_PUSH(&s->owned, n->string_value);
}

/* Adds the item's arguments, if it has any, as an array. */
static void perfetto_note_words(struct perfetto *s, const struct ez_item *it)
{
    note word = PERFETTO__DEBUG_ANNOTATION__INIT;
    if (!it->narg)
        return;
    word.has_uint_value = true;
    for (unsigned i = 0; i < it->narg; i++) {
        word.uint_value = it->arg[i];
        EZ_PUSH(&s->word, word);
    }
    for (size_t i = 0; i < s->word.n; i++)
        EZ_PUSH(&s->words, &s->word.at[i]);
    note *n = perfetto_note(s, "arg");
    n->n_array_values = s->words.n;
    n->array_values = s->words.at;
}

/* Writes the event with its annotations, and removes the annotations. */
static void perfetto_write_noted(struct perfetto *s)
{
    for (size_t i = 0; i < s->note.n; i++)
        EZ_PUSH(&s->notes, &s->note.at[i]);
    s->event.n_debug_annotations = s->notes.n;
    s->event.debug_annotations = s->notes.at;
    if (s->notes.n)
        s->packet.sequence_flags |= NEEDS;
    s->packet.has_sequence_flags = s->packet.sequence_flags != 0;
    perfetto_write_event(s);
    for (size_t i = 0; i < s->owned.n; i++)
        free(s->owned.at[i]);
    s->note.n = s->notes.n = s->word.n = s->words.n = s->owned.n = 0;
}

/* ---- events --------------------------------------------------------------------------------- */

static const struct label *perfetto_label(struct perfetto *s, uint32_t name)
{
    while (s->label.n <= name) {
        struct label none = { 0, 0, false };
        EZ_PUSH(&s->label, none);
    }
    struct label *l = &s->label.at[name];
    const struct ez_name *n = &s->m->name.at[name];
    if (!l->name) {
        l->name = perfetto_intern(&s->names, n->text);
        l->category = *n->group ? perfetto_intern(&s->categories, n->group) : 0;
    }
    return l;
}

static void perfetto_begin(struct perfetto *s, const struct ez_item *it,
                           Perfetto__TrackEvent__Type type, uint64_t track)
{
    static const Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    static const Perfetto__TrackEvent event = PERFETTO__TRACK_EVENT__INIT;
    s->packet = packet;
    s->packet.has_timestamp = s->packet.has_trusted_packet_sequence_id = true;
    s->packet.timestamp = it->ns;
    s->packet.trusted_packet_sequence_id = SEQUENCE;
    s->packet.track_event = &s->event;
    s->event = event;
    s->event.has_type = s->event.has_track_uuid = true;
    s->event.type = type;
    s->event.track_uuid = track;
}

/* Sets the event's name, and *category to its category. The caller keeps *category until the event
 * is written. */
static void perfetto_name(struct perfetto *s, const struct ez_item *it, uint64_t *category)
{
    const struct label *l = perfetto_label(s, it->name);
    s->packet.sequence_flags = NEEDS;
    s->event.has_name_iid = true;
    s->event.name_iid = l->name;
    *category = l->category;
    s->event.n_category_iids = l->category != 0;
    s->event.category_iids = category;
}

/* Makes the event refer to the place of its function in the source. */
static void perfetto_locate(struct perfetto *s, uint32_t name)
{
    const struct ez_name *n = &s->m->name.at[name];
    if (!n->file)
        return;
    s->event.has_source_location_iid = true;
    s->event.source_location_iid = (uint64_t)name + 1;
    s->source = s->label.at[name].located ? NULL : n;
    s->label.at[name].located = true;
}

static void perfetto_put_named(struct perfetto *s, const struct ez_item *it)
{
    bool begins = it->kind == EZ_I_PUSH;
    uint64_t category, flow = it->kind == EZ_I_LINK_START || it->kind == EZ_I_LINK_END
                                  ? it->key + it->name * 0x9e3779b97f4a7c15u
                                  : 0;
    perfetto_begin(s, it,
                   begins ? PERFETTO__TRACK_EVENT__TYPE__SLICE_BEGIN
                          : PERFETTO__TRACK_EVENT__TYPE__INSTANT,
                   perfetto_track(it->container));
    perfetto_name(s, it, &category);
    if (it->kind == EZ_I_PUSH || it->kind == EZ_I_EVENT)
        perfetto_locate(s, it->name);
    if (it->kind == EZ_I_LINK_START) {
        s->event.n_flow_ids = 1;
        s->event.flow_ids = &flow;
    } else if (it->kind == EZ_I_LINK_END) {
        s->event.n_terminating_flow_ids = 1;
        s->event.terminating_flow_ids = &flow;
    }
    ez_event_data_each(it->data, perfetto_note_value, s);
    if (!begins && !s->note.n)
        perfetto_note_words(s, it);
    perfetto_write_noted(s);
}

static void perfetto_put_pop(struct perfetto *s, const struct ez_item *it)
{
    perfetto_begin(s, it, PERFETTO__TRACK_EVENT__TYPE__SLICE_END, perfetto_track(it->container));
    if (it->end == EZ_END_UNKNOWN)
        perfetto_note_bool(s, "complete", false);
    if (it->end == EZ_END_UNWOUND)
        perfetto_note_bool(s, "unwound", true);
    if (it->cut)
        perfetto_note_bool(s, "cut", true);
    ez_event_data_each(it->data, perfetto_note_value, s);
    perfetto_write_noted(s);
}

static void perfetto_put_variable(struct perfetto *s, const struct ez_item *it)
{
    perfetto_begin(s, it, PERFETTO__TRACK_EVENT__TYPE__COUNTER, perfetto_counter(s, it));
    s->event.has_double_counter_value = true;
    s->event.double_counter_value = it->value;
    perfetto_write_noted(s);
}

static ez_err *perfetto_item(void *arg, const struct ez_item *it)
{
    struct perfetto *s = arg;
    bool happens = it->kind > EZ_I_NAME && it->kind < EZ_I_CONTAINER_END;
    if (happens && !perfetto_is_described(s, it->container))
        perfetto_describe(s, it->container);
    switch (it->kind) {
    case EZ_I_CONTAINER:
        if (s->m->container.at[it->container].level >= EZ_L_PROCESS &&
            !perfetto_is_described(s, it->container))
            perfetto_describe(s, it->container);
        break;
    case EZ_I_PUSH:
    case EZ_I_EVENT:
    case EZ_I_LINK_START:
    case EZ_I_LINK_END:
        perfetto_put_named(s, it);
        break;
    case EZ_I_POP:
        perfetto_put_pop(s, it);
        break;
    case EZ_I_VAR:
        perfetto_put_variable(s, it);
        break;
    case EZ_I_NAME:
    case EZ_I_CONTAINER_END:
    case EZ_I_REQUEST:
    case EZ_I_SAMPLE:
        break;
    }
    return ez_outfile_good(s->f) ? NULL : ez_outfile_error(s->f);
}

/* ---- begin and end -------------------------------------------------------------------------- */

/* Writes the packet that begins the sequence, with the time of day of time 0. */
static void perfetto_write_head(struct perfetto *s)
{
    Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
    Perfetto__ClockSnapshot clocks = PERFETTO__CLOCK_SNAPSHOT__INIT;
    Perfetto__Clock clock[2] = { PERFETTO__CLOCK__INIT, PERFETTO__CLOCK__INIT };
    Perfetto__Clock *both[2] = { &clock[0], &clock[1] };
    clock[0].has_clock_id = clock[0].has_timestamp = true;
    clock[0].clock_id = BOOTTIME;
    clock[1].has_clock_id = clock[1].has_timestamp = true;
    clock[1].clock_id = REALTIME;
    clock[1].timestamp = s->m->start_real_ns;
    clocks.n_clocks = 2;
    clocks.clocks = both;
    packet.has_trusted_packet_sequence_id = packet.has_sequence_flags = true;
    packet.trusted_packet_sequence_id = SEQUENCE;
    packet.sequence_flags = FORGETS;
    packet.has_first_packet_on_sequence = packet.first_packet_on_sequence = true;
    if (s->m->start_real_ns)
        packet.clock_snapshot = &clocks;
    perfetto_write(s, &packet, false);
}

static ez_err *perfetto_open(const struct ez_format *f, const struct ez_model *m,
                             const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ez_outfile *file;
    EZ_TRY(ez_outfile_open(out->path, out->gzip, &file));
    struct perfetto *s = ez_alloc(sizeof *s);
    *s = (struct perfetto){ .sink = { .format = f }, .m = m, .f = file };
    perfetto_write_head(s);
    *sink = &s->sink;
    return NULL;
}

static ez_err *perfetto_close(struct ez_sink *sink)
{
    struct perfetto *s = (struct perfetto *)sink;
    perfetto_flush(s);
    return ez_outfile_commit(s->f);
}

static void perfetto_destroy(struct ez_sink *sink)
{
    struct perfetto *s = (struct perfetto *)sink;
    if (!s)
        return;
    ez_conv_texts_free(&s->names.known);
    ez_conv_texts_free(&s->categories.known);
    ez_conv_texts_free(&s->items.known);
    EZ_VEC_FREE(&s->bytes);
    EZ_VEC_FREE(&s->described);
    ez_conv_places_free(&s->place);
    EZ_VEC_FREE(&s->label);
    EZ_VEC_FREE(&s->note);
    EZ_VEC_FREE(&s->notes);
    EZ_VEC_FREE(&s->word);
    EZ_VEC_FREE(&s->words);
    EZ_VEC_FREE(&s->owned);
    ez_hash_free(&s->counters);
    ez_outfile_destroy(s->f);
    free(s);
}

#else /* built without protobuf-c: the format is listed, but `open` returns an error */

static ez_err *perfetto_open(const struct ez_format *f, const struct ez_model *m,
                             const struct ez_conv_out *out, struct ez_sink **sink)
{
    return ez_conv_not_built("protobuf-c", "libprotobuf-c-dev and protobuf-c-compiler",
                             "protobuf-c-devel");
}

static ez_err *perfetto_item(void *arg, const struct ez_item *it)
{
    return NULL;
}

static ez_err *perfetto_close(struct ez_sink *sink)
{
    return NULL;
}

static void perfetto_destroy(struct ez_sink *sink)
{
}

#endif

const struct ez_format ez_conv_perfetto = {
    .name = "perfetto",
    .suffix = ".pftrace",
    .brief = "TrackEvents in protocol buffers, for Perfetto",
    .collected = true,
    .gzip = true,
    .open = perfetto_open,
    .item = perfetto_item,
    .close = perfetto_close,
    .destroy = perfetto_destroy,
};
