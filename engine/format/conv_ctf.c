/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_ctf.c - the Common Trace Format 1.8, for babeltrace2 and Trace Compass. The output is a
 * folder.
 *
 * libbabeltrace2 writes the folder: a graph has a source, which is this file, and the sink
 * `sink.ctf.fs` of its plugin ctf. The graph pulls messages from its source, but the model gives
 * its items to this file one by one. So the messages wait in a queue of fixed length. When the
 * queue is full, ctf_turn() runs the graph until the queue is empty.
 *
 *   state     the events "LIBRARY:NAME_entry" and "LIBRARY:NAME_exit", as LTTng names those of a
 *             function. The exit has the field `end` ("unwound", or "missing" if the trace has no
 *             exit), and `cut` = 1 if only a part of the call was measured
 *   event     "GROUP:NAME"; the words of a module's event are fields, by their names
 *   values    collected by a probe are fields of the entry, exit or event: numbers as numbers, all
 *             others as texts, as `events` shows them
 *   variable  "GROUP:NAME" with the field `value`, a double, in the context of its container
 *   link      "NAME_start" and "NAME_end" with the same `link`; an MPI message has its words as
 *             fields
 *   threads   the event "eztsh:thread" with the names of the thread, its process and its host
 *
 * Each event has the context fields vpid and vtid, as with LTTng. A field's name has only the
 * characters of a C identifier. One stream has all events in the order of time; a packet has at
 * most PACKET events. The clock counts nanoseconds, and its offset is the time of day of time 0.
 * Samples of counters are not written.
 *
 * Tests: tests/trace/ctf.sh, tests/trace/formats.sh */
#include "config.h"

#include "engine/format/conv.h"

#ifdef HAVE_BABELTRACE2
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <babeltrace2/babeltrace.h>

#include "engine/base/outdir.h"
#include "engine/base/strutil.h"
#include "engine/format/conv_ids.h"
#include "engine/format/conv_values.h"
#include "engine/format/conv_words.h"

enum { QUEUE = 1024, PACKET = 50000 }; /* messages; events */
#define INNER "new"
static const char *const ctf_file[] = { "metadata", "stream" }; /* of the sink */

struct field { /* a field in the payload of the event that is being made */
    char name[64];
    enum field_type { UINT = 'u', SINT = 'i', HEX = 'x', REAL = 'd', TEXT = 's' } type;
    uint64_t word; /* UINT, SINT, HEX; the bits of a REAL */
    char *text;    /* TEXT; owned */
};

struct ctf {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outdir dir;
    bt_graph *graph;
    bt_self_message_iterator *iterator; /* of the source; NULL before the graph's first run */
    const bt_message *queue[QUEUE];
    size_t queued, sent; /* number of messages in the queue, and how many of them the sink took */
    bool ended;          /* no more messages follow those in the queue */
    bool broken;         /* the graph returned an error */
    bt_trace_class *trace_class;
    bt_clock_class *clock;
    bt_stream_class *stream_class;
    bt_trace *trace;
    bt_stream *stream;
    bt_packet *packet; /* the open packet, or NULL */
    size_t in_packet;  /* number of events in `packet` */
    uint64_t last_ns;
    struct ez_hash index; /* name, kind and fields -> number of the event class */
    EZ_VEC(bt_event_class *) class;
    /* texts that consist of the names and types of an event's fields */
    struct ez_conv_texts shapes;
    EZ_VEC(char) shape; /* of the event that is being made */
    struct ez_conv_places place;
    /* index: container; the event "eztsh:thread" of the container is written */
    EZ_VEC(bool) described;
    EZ_VEC(struct field) field;
    ez_err *err; /* the first error; owned */
};

/* ---- errors --------------------------------------------------------------------------------- */

/* Stores the error unless an earlier one is stored. Returns false. */
static bool ctf_fail(struct ctf *s, int why, const char *what)
{
    if (!s->err)
        s->err =
            ez_err_new(EZ_E_SYS, why, "%s: libbabeltrace2 cannot write CTF: %s", s->dir.path, what);
    if (s->broken)
        s->err = ez_err_hint(s->err, "The file system may be full");
    return false;
}

/* Stores the library's error unless an earlier one is stored. The library's message is a sentence
 * and details; the details are cut off, because a user does not need them. The kernel's error is in
 * errno. Returns false. */
static bool ctf_failed(struct ctf *s)
{
    int why = errno;
    const bt_error *error = bt_current_thread_take_error();
    const char *cause = error && bt_error_get_cause_count(error)
                            ? bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0))
                            : "Unknown error";
    EZ_FREE char *line = ez_str_plain(cause, "", 0);
    line[strcspn(line, ":.")] = 0;
    ctf_fail(s, why, line);
    if (error)
        bt_error_release(error);
    return false;
}

static ez_err *ctf_pop_error(struct ctf *s)
{
    ez_err *e = s->err;
    s->err = NULL;
    return e;
}

/* ---- the source ----------------------------------------------------------------------------- */

static bt_message_iterator_class_next_method_status ctf_next(bt_self_message_iterator *iterator,
                                                             bt_message_array_const messages,
                                                             uint64_t most, uint64_t *count)
{
    struct ctf *s = bt_self_component_get_data(bt_self_message_iterator_borrow_component(iterator));
    size_t n = EZ_MIN((size_t)most, s->queued - s->sent);
    if (!n)
        return s->ended ? BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END
                        : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_AGAIN;
    for (size_t i = 0; i < n; i++)
        messages[i] = s->queue[s->sent + i];
    s->sent += n;
    *count = n;
    return BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK;
}

static bt_message_iterator_class_initialize_method_status
ctf_iterate(bt_self_message_iterator *iterator, bt_self_message_iterator_configuration *unused,
            bt_self_component_port_output *port)
{
    struct ctf *s = bt_self_component_get_data(bt_self_message_iterator_borrow_component(iterator));
    s->iterator = iterator;
    return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

/* Defines the context of all events: vpid and vtid. */
static bool ctf_define_context(struct ctf *s)
{
    static const char *const name[] = { "vpid", "vtid" };
    bt_field_class *context = bt_field_class_structure_create(s->trace_class);
    bool good = context != NULL;
    for (size_t i = 0; good && i < EZ_ARRAY_LEN(name); i++) {
        bt_field_class *id = bt_field_class_integer_unsigned_create(s->trace_class);
        if (id)
            bt_field_class_integer_set_field_value_range(id, 32);
        good = id && !bt_field_class_structure_append_member(context, name[i], id);
        bt_field_class_put_ref(id);
    }
    good = good && !bt_stream_class_set_event_common_context_field_class(s->stream_class, context);
    bt_field_class_put_ref(context);
    return good;
}

static bool ctf_define(struct ctf *s, bt_self_component *self)
{
    s->trace_class = bt_trace_class_create(self);
    s->clock = bt_clock_class_create(self);
    s->stream_class = s->trace_class ? bt_stream_class_create(s->trace_class) : NULL;
    if (!s->clock || !s->stream_class ||
        bt_stream_class_set_default_clock_class(s->stream_class, s->clock))
        return false;
    bt_clock_class_set_frequency(s->clock, 1000000000);
    bt_clock_class_set_offset(s->clock, (int64_t)(s->m->start_real_ns / 1000000000),
                              s->m->start_real_ns % 1000000000);
    bt_stream_class_set_supports_packets(s->stream_class, BT_TRUE, BT_TRUE, BT_TRUE);
    if (bt_clock_class_set_name(s->clock, "realtime") || !ctf_define_context(s))
        return false;
    s->trace = bt_trace_create(s->trace_class);
    s->stream = s->trace ? bt_stream_create(s->stream_class, s->trace) : NULL;
    return s->stream && !bt_trace_set_environment_entry_string(s->trace, "tracer_name", "eztsh");
}

static bt_component_class_initialize_method_status
ctf_initialize(bt_self_component_source *source, bt_self_component_source_configuration *unused,
               const bt_value *params, void *arg)
{
    bt_self_component *self = bt_self_component_source_as_self_component(source);
    bt_self_component_set_data(self, arg);
    bool good = ctf_define(arg, self) &&
                !bt_self_component_source_add_output_port(source, "out", NULL, NULL);
    return good ? BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK
                : BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
}

/* ---- the graph ------------------------------------------------------------------------------ */

static const bt_component_source *ctf_add_source(struct ctf *s)
{
    const bt_component_source *source = NULL;
    bt_message_iterator_class *iterators = bt_message_iterator_class_create(ctf_next);
    bt_component_class_source *c =
        iterators ? bt_component_class_source_create("model", iterators) : NULL;
    bool good = c && !bt_message_iterator_class_set_initialize_method(iterators, ctf_iterate) &&
                !bt_component_class_source_set_initialize_method(c, ctf_initialize) &&
                !bt_graph_add_source_component_with_initialize_method_data(
                    s->graph, c, "model", NULL, s, BT_LOGGING_LEVEL_NONE, &source);
    bt_component_class_source_put_ref(c);
    bt_message_iterator_class_put_ref(iterators);
    return good ? source : NULL;
}

/* Returns the path of the folder that the sink makes, inside the temporary folder. The sink accepts
 * no folder that already exists. */
static char *ctf_inner(const struct ctf *s)
{
    return ez_sprintf("%s/" INNER, s->dir.tmp);
}

static const bt_component_sink *ctf_add_sink(struct ctf *s)
{
    const bt_component_sink *sink = NULL;
    const bt_plugin *plugin = NULL;
    if (bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &plugin)) {
        ctf_fail(s, 0, "its plugin \"ctf\" is missing");
        return NULL;
    }
    const bt_component_class_sink *c =
        bt_plugin_borrow_sink_component_class_by_name_const(plugin, "fs");
    bt_value *params = bt_value_map_create();
    EZ_FREE char *inner = ctf_inner(s);
    bool good =
        c && params && !bt_value_map_insert_string_entry(params, "path", inner) &&
        !bt_value_map_insert_bool_entry(params, "assume-single-trace", BT_TRUE) &&
        !bt_value_map_insert_bool_entry(params, "quiet", BT_TRUE) &&
        /* since 2.1 the sink writes CTF 2 by default; 2.0 knows only 1.8, and not this parameter */
        (!bt_version_get_minor() ||
         !bt_value_map_insert_string_entry(params, "ctf-version", "1")) &&
        !bt_graph_add_sink_component(s->graph, c, "file", params, BT_LOGGING_LEVEL_NONE, &sink);
    bt_value_put_ref(params);
    bt_plugin_put_ref(plugin);
    return good ? sink : NULL;
}

/* Runs the graph until the sink has taken all messages in the queue. */
static bool ctf_turn(struct ctf *s)
{
    bt_graph_run_once_status status;
    errno = 0;
    do
        status = bt_graph_run_once(s->graph);
    while (status == BT_GRAPH_RUN_ONCE_STATUS_OK && (s->sent < s->queued || s->ended));
    if (status != BT_GRAPH_RUN_ONCE_STATUS_OK && status != BT_GRAPH_RUN_ONCE_STATUS_AGAIN &&
        status != BT_GRAPH_RUN_ONCE_STATUS_END) {
        s->broken = true;
        return ctf_failed(s);
    }
    s->queued = s->sent = 0;
    return true;
}

static bool ctf_make_graph(struct ctf *s)
{
    s->graph = bt_graph_create(0);
    const bt_component_source *source = s->graph ? ctf_add_source(s) : NULL;
    const bt_component_sink *sink = source ? ctf_add_sink(s) : NULL;
    bool good =
        sink && !bt_graph_connect_ports(
                    s->graph, bt_component_source_borrow_output_port_by_index_const(source, 0),
                    bt_component_sink_borrow_input_port_by_index_const(sink, 0), NULL);
    return good ? ctf_turn(s) : ctf_failed(s);
}

/* Puts a message into the queue, which takes ownership of the message. Runs the graph if the queue
 * is full. */
static bool ctf_put(struct ctf *s, const bt_message *message)
{
    if (!message)
        return ctf_failed(s);
    s->queue[s->queued++] = message;
    return s->queued < QUEUE || ctf_turn(s);
}

/* ---- packets and events --------------------------------------------------------------------- */

static bool ctf_end_packet(struct ctf *s)
{
    bool good = !s->packet || ctf_put(s, bt_message_packet_end_create_with_default_clock_snapshot(
                                             s->iterator, s->packet, s->last_ns));
    bt_packet_put_ref(s->packet);
    s->packet = NULL;
    return good;
}

static bool ctf_begin_packet(struct ctf *s)
{
    if (s->packet && s->in_packet < PACKET)
        return true;
    if (!ctf_end_packet(s))
        return false;
    s->in_packet = 0;
    s->packet = bt_packet_create(s->stream);
    return s->packet ? ctf_put(s, bt_message_packet_beginning_create_with_default_clock_snapshot(
                                      s->iterator, s->packet, s->last_ns))
                     : ctf_failed(s);
}

static bt_field_class *ctf_field_class(struct ctf *s, enum field_type type)
{
    bt_field_class *c = NULL;
    switch (type) {
    case UINT:
        return bt_field_class_integer_unsigned_create(s->trace_class);
    case SINT:
        return bt_field_class_integer_signed_create(s->trace_class);
    case HEX:
        c = bt_field_class_integer_unsigned_create(s->trace_class);
        if (c)
            bt_field_class_integer_set_preferred_display_base(
                c, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
        return c;
    case REAL:
        return bt_field_class_real_double_precision_create(s->trace_class);
    case TEXT:
        return bt_field_class_string_create(s->trace_class);
    }
    return c;
}

/* Makes an event class with this name and with the fields of the event that is being made. */
static bt_event_class *ctf_make_class(struct ctf *s, const char *name)
{
    bt_event_class *c = bt_event_class_create(s->stream_class);
    bt_field_class *payload = bt_field_class_structure_create(s->trace_class);
    bool good = c && payload && !bt_event_class_set_name(c, name);
    for (size_t i = 0; good && i < s->field.n; i++) {
        bt_field_class *f = ctf_field_class(s, s->field.at[i].type);
        good = f && !bt_field_class_structure_append_member(payload, s->field.at[i].name, f);
        bt_field_class_put_ref(f);
    }
    good = good && !bt_event_class_set_payload_field_class(c, payload);
    bt_field_class_put_ref(payload);
    if (good)
        return c;
    bt_event_class_put_ref(c);
    return NULL;
}

/* Returns a number that identifies the names and types of the fields; 0 if there are no fields. */
static uint64_t ctf_shape(struct ctf *s)
{
    if (!s->field.n)
        return 0;
    s->shape.n = 0;
    for (size_t i = 0; i < s->field.n; i++) {
        const struct field *f = &s->field.at[i];
        EZ_PUSH(&s->shape, (char)f->type);
        EZ_APPEND(&s->shape, f->name, strlen(f->name));
        EZ_PUSH(&s->shape, ' ');
    }
    EZ_PUSH(&s->shape, '\0');
    return ez_conv_text(&s->shapes, s->shape.at) + 1;
}

/* What follows the model's name in the name of an event. THREAD: the event is "eztsh:thread". */
enum suffix { ENTRY, EXIT, PLAIN, START, END, THREAD };

static bt_event_class *ctf_class(struct ctf *s, uint32_t name, enum suffix suffix)
{
    static const char *const end[] = { "_entry", "_exit", "", "_start", "_end", "" };
    uint64_t key = (ctf_shape(s) << 3 | suffix) << 32 | name;
    size_t i = ez_hash_put(&s->index, key, s->class.n);
    if (i < s->class.n)
        return s->class.at[i];
    const struct ez_name *n = suffix == THREAD ? NULL : &s->m->name.at[name];
    EZ_FREE char *whole =
        n ? ez_sprintf("%s%s%s%s", n->group, *n->group ? ":" : "", n->text, end[suffix])
          : ez_strdup("eztsh:thread");
    EZ_FREE char *line = ez_str_plain(whole, "", 0);
    EZ_PUSH(&s->class, ctf_make_class(s, line));
    return s->class.at[i];
}

static void ctf_set(bt_field *field, const struct field *f)
{
    double d;
    switch (f->type) {
    case UINT:
    case HEX:
        bt_field_integer_unsigned_set_value(field, f->word);
        break;
    case SINT:
        bt_field_integer_signed_set_value(field, (int64_t)f->word);
        break;
    case REAL:
        memcpy(&d, &f->word, sizeof d);
        bt_field_real_double_precision_set_value(field, d);
        break;
    case TEXT:
        break;
    }
}

/* Sets the fields of the event. Returns false if the library reports an error. */
static bool ctf_set_fields(struct ctf *s, bt_event *event, struct ez_conv_place p)
{
    bt_field *context = bt_event_borrow_common_context_field(event),
             *payload = bt_event_borrow_payload_field(event);
    bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(context, 0),
                                        p.pid);
    bt_field_integer_unsigned_set_value(bt_field_structure_borrow_member_field_by_index(context, 1),
                                        p.tid);
    for (size_t i = 0; i < s->field.n; i++) {
        const struct field *f = &s->field.at[i];
        bt_field *field = bt_field_structure_borrow_member_field_by_index(payload, i);
        ctf_set(field, f);
        if (f->type == TEXT && bt_field_string_set_value(field, f->text))
            return false;
    }
    return true;
}

/* Writes the event that is being made, and removes its fields from s->field. */
static bool ctf_write(struct ctf *s, uint32_t container, uint32_t name, enum suffix suffix)
{
    const struct ez_conv_place p = ez_conv_place(&s->place, s->m, container);
    if (!ctf_begin_packet(s))
        return false;
    bt_event_class *c = ctf_class(s, name, suffix);
    bt_message *message = c ? bt_message_event_create_with_packet_and_default_clock_snapshot(
                                  s->iterator, c, s->packet, s->last_ns)
                            : NULL;
    bool good = message && ctf_set_fields(s, bt_message_event_borrow_event(message), p);
    for (size_t i = 0; i < s->field.n; i++)
        free(s->field.at[i].text);
    s->field.n = 0;
    s->in_packet++;
    if (good)
        return ctf_put(s, message);
    bt_message_put_ref(message);
    return ctf_failed(s);
}

/* ---- fields --------------------------------------------------------------------------------- */

static bool ctf_has_field(const struct ctf *s, const char *name)
{
    for (size_t i = 0; i < s->field.n; i++)
        if (!strcmp(s->field.at[i].name, name))
            return true;
    return false;
}

/* Adds a field without a value; the caller sets the value. Changes the name to a C identifier that
 * no other field of the event has. */
static struct field *ctf_field(struct ctf *s, const char *name, enum field_type type)
{
    struct field f = { .type = type };
    size_t n = 0;
    if (isdigit((unsigned char)*name) || !*name)
        f.name[n++] = '_';
    for (; *name && n < sizeof f.name - 8; name++)
        f.name[n++] = isalnum((unsigned char)*name) && isascii(*name) ? *name : '_';
    for (unsigned i = 2; ctf_has_field(s, f.name); i++)
        snprintf(f.name + n, sizeof f.name - n, "_%u", i);
    EZ_PUSH(&s->field, f);
    return &s->field.at[s->field.n - 1];
}

static void ctf_field_text(struct ctf *s, const char *name, const char *text)
{
    ctf_field(s, name, TEXT)->text = ez_str_plain(text, "", 0);
}

static void ctf_field_double(struct ctf *s, const char *name, double d)
{
    struct field *f = ctf_field(s, name, REAL);
    memcpy(&f->word, &d, sizeof d);
}

static void ctf_field_value(void *arg, const struct ez_item_value *v, const char *text)
{
    struct ctf *s = arg;
    enum ez_item_type type = v->item->type;
    bool good = v->state == EZ_V_GOOD && v->n;
    double d;
    if (good && (type == EZ_IT_INT || type == EZ_IT_UINT)) {
        ctf_field(s, v->item->name, type == EZ_IT_INT ? SINT : UINT)->word = v->word[0];
    } else if (good && (type == EZ_IT_HEX || type == EZ_IT_PTR)) {
        ctf_field(s, v->item->name, HEX)->word = v->word[0];
    } else if ((type == EZ_IT_FLOAT || type == EZ_IT_DOUBLE) && ez_item_number(v, &d)) {
        ctf_field_double(s, v->item->name, d);
    } else {
        EZ_FREE char *string = ez_conv_string(v, text);
        ctf_field_text(s, v->item->name, string);
    }
}

/* Adds the words of a module's event. */
static void ctf_field_words(struct ctf *s, const struct ez_item *it)
{
    char plain[16];
    for (unsigned i = 0; i < it->narg; i++) {
        const char *name = ez_conv_word_name(it, i, plain);
        switch (ez_conv_word_type(it, i)) {
        case EZ_W_TEXT:
        case EZ_W_NAME:
            ctf_field(s, name, TEXT)->text = ez_conv_word_rest(it, i);
            return;
        case EZ_W_DOUBLE:
            ctf_field(s, name, REAL)->word = it->arg[i];
            break;
        case EZ_W_INT:
            ctf_field(s, name, SINT)->word = it->arg[i];
            break;
        case EZ_W_HEX:
        case EZ_W_CODE:
        case EZ_W_DATA:
            ctf_field(s, name, HEX)->word = it->arg[i];
            break;
        case EZ_W_UINT:
        case EZ_W_TYPES:
            ctf_field(s, name, UINT)->word = it->arg[i];
            break;
        }
    }
}

/* ---- items ---------------------------------------------------------------------------------- */

/* Writes the event "eztsh:thread", which names a container, unless it is written already. */
static bool ctf_describe(struct ctf *s, uint32_t i)
{
    const struct ez_container *c = &s->m->container.at[i];
    const struct ez_container *process = ez_model_process(s->m, i);
    while (s->described.n <= i)
        EZ_PUSH(&s->described, false);
    if (s->described.at[i])
        return true;
    s->described.at[i] = true;
    ctf_field_text(s, "name", c->name);
    ctf_field_text(s, "process", process ? process->name : "");
    ctf_field_text(s, "host", process && process->host ? process->host : "");
    return ctf_write(s, i, 0, THREAD);
}

static void ctf_field_end(struct ctf *s, const struct ez_item *it)
{
    if (it->end != EZ_END_RETURN)
        ctf_field_text(s, "end", it->end == EZ_END_UNWOUND ? "unwound" : "missing");
    if (it->cut)
        ctf_field(s, "cut", UINT)->word = 1;
}

static bool ctf_put_item(struct ctf *s, const struct ez_item *it)
{
    static const enum suffix suffixes[] = {
        [EZ_I_PUSH] = ENTRY, [EZ_I_POP] = EXIT,         [EZ_I_EVENT] = PLAIN,
        [EZ_I_VAR] = PLAIN,  [EZ_I_LINK_START] = START, [EZ_I_LINK_END] = END,
    };
    bool link = it->kind == EZ_I_LINK_START || it->kind == EZ_I_LINK_END;
    if (!ctf_describe(s, it->container))
        return false;
    if (it->kind == EZ_I_POP)
        ctf_field_end(s, it);
    if (it->kind == EZ_I_VAR)
        ctf_field_double(s, "value", it->value);
    if (link)
        ctf_field(s, "link", HEX)->word = it->key;
    ez_event_data_each(it->data, ctf_field_value, s);
    if (link || (it->kind == EZ_I_EVENT && !s->field.n))
        ctf_field_words(s, it);
    return ctf_write(s, it->container, it->name, suffixes[it->kind]);
}

static ez_err *ctf_item(void *arg, const struct ez_item *it)
{
    struct ctf *s = arg;
    bool good = true;
    s->last_ns = it->ns;
    if (it->kind > EZ_I_NAME && it->kind < EZ_I_CONTAINER_END)
        good = ctf_put_item(s, it);
    return good ? NULL : ctf_pop_error(s);
}

/* ---- begin and end -------------------------------------------------------------------------- */

static bool ctf_is_trace(const char *name, bool folder)
{
    const char *file = strncmp(name, INNER "/", sizeof INNER) ? name : name + sizeof INNER;
    bool known = false;
    for (size_t i = 0; i < EZ_ARRAY_LEN(ctf_file); i++)
        known |= !strcmp(file, ctf_file[i]);
    return folder ? !strcmp(name, INNER) : known;
}

/* Moves the sink's files to the folder of the output. */
static ez_err *ctf_move(struct ctf *s)
{
    EZ_FREE char *inner = ctf_inner(s);
    for (size_t i = 0; i < EZ_ARRAY_LEN(ctf_file); i++) {
        EZ_FREE char *from = ez_sprintf("%s/%s", inner, ctf_file[i]);
        EZ_FREE char *to = ez_sprintf("%s/%s", s->dir.tmp, ctf_file[i]);
        if (rename(from, to))
            return ez_err_new(EZ_E_SYS, errno, "Cannot write %s", s->dir.path);
    }
    return rmdir(inner) ? ez_err_new(EZ_E_SYS, errno, "Cannot write %s", s->dir.path) : NULL;
}

/* Ends the stream, and runs the graph until the sink has taken all messages. */
static bool ctf_finish(struct ctf *s)
{
    bool good =
        ctf_end_packet(s) && ctf_put(s, bt_message_stream_end_create(s->iterator, s->stream));
    s->ended = true;
    return good && ctf_turn(s);
}

static void ctf_destroy(struct ez_sink *sink)
{
    struct ctf *s = (struct ctf *)sink;
    if (!s)
        return;
    /* The sink of libbabeltrace2 2.0.4 crashes if it is freed before its stream ends, or after an
     * error. So the graph is not freed in these cases. */
    bool freed = !s->iterator || (!s->broken && (s->ended || ctf_finish(s)));
    for (size_t i = s->sent; i < s->queued; i++)
        bt_message_put_ref(s->queue[i]);
    for (size_t i = 0; i < s->field.n; i++)
        free(s->field.at[i].text);
    for (size_t i = 0; i < s->class.n; i++)
        bt_event_class_put_ref(s->class.at[i]);
    bt_packet_put_ref(s->packet);
    bt_stream_put_ref(s->stream);
    bt_trace_put_ref(s->trace);
    bt_stream_class_put_ref(s->stream_class);
    bt_clock_class_put_ref(s->clock);
    bt_trace_class_put_ref(s->trace_class);
    if (freed)
        bt_graph_put_ref(s->graph);
    EZ_VEC_FREE(&s->field);
    EZ_VEC_FREE(&s->shape);
    EZ_VEC_FREE(&s->class);
    EZ_VEC_FREE(&s->described);
    ez_conv_places_free(&s->place);
    ez_conv_texts_free(&s->shapes);
    ez_hash_free(&s->index);
    ez_outdir_close(&s->dir);
    ez_err_free(s->err);
    free(s);
}

static ez_err *ctf_open(const struct ez_format *f, const struct ez_model *m,
                        const struct ez_conv_out *out, struct ez_sink **sink)
{
    struct ctf *s = ez_alloc(sizeof *s);
    s->sink.format = f;
    s->m = m;
    ez_err *e = ez_outdir_open(&s->dir, out->path, "a CTF trace", ctf_is_trace);
    if (e) {
        free(s);
        return e;
    }
    if (!ctf_make_graph(s) ||
        !ctf_put(s, bt_message_stream_beginning_create(s->iterator, s->stream))) {
        e = ctf_pop_error(s);
        ctf_destroy(&s->sink);
        return e;
    }
    *sink = &s->sink;
    return NULL;
}

/* Returns true if the metadata are complete. The sink writes the metadata when the graph is freed,
 * and reports no error. So this function checks that each event class has a block. */
static bool ctf_has_metadata(struct ctf *s)
{
    EZ_FREE char *inner = ctf_inner(s);
    EZ_FREE char *path = ez_sprintf("%s/%s", inner, ctf_file[0]);
    char line[4096], last[4096] = "";
    size_t n = 0;
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        n += !strcmp(line, "event {\n");
        if (*line != '\n')
            memcpy(last, line, sizeof last);
    }
    if (f)
        fclose(f);
    return (f && n == s->class.n && !strcmp(last, "};\n")) ||
           ctf_fail(s, 0, "the metadata are incomplete");
}

static ez_err *ctf_close(struct ez_sink *sink)
{
    struct ctf *s = (struct ctf *)sink;
    if (!ctf_finish(s))
        return ctf_pop_error(s);
    bt_graph_put_ref(s->graph); /* the sink writes the metadata and closes its files */
    s->graph = NULL;
    if (!ctf_has_metadata(s))
        return ctf_pop_error(s);
    EZ_TRY(ctf_move(s));
    return ez_outdir_commit(&s->dir);
}

#else /* built without libbabeltrace2: the format is listed, but `open` returns an error */

static ez_err *ctf_open(const struct ez_format *f, const struct ez_model *m,
                        const struct ez_conv_out *out, struct ez_sink **sink)
{
    return ez_conv_not_built("libbabeltrace2", "libbabeltrace2-dev", "libbabeltrace2-devel");
}

static ez_err *ctf_item(void *arg, const struct ez_item *it)
{
    return NULL;
}

static ez_err *ctf_close(struct ez_sink *sink)
{
    return NULL;
}

static void ctf_destroy(struct ez_sink *sink)
{
}

#endif

const struct ez_format ez_conv_ctf = {
    .name = "ctf",
    .suffix = ".ctf",
    .brief = "Common Trace Format, a folder, for babeltrace2 and Trace Compass",
    .collected = true,
    .folder = true,
    .open = ctf_open,
    .item = ctf_item,
    .close = ctf_close,
    .destroy = ctf_destroy,
};
