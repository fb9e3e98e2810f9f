/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frames.c - keeps trace frames in memory: the events of tracepoints since the last tstart, in the
 * order of time (lines.c calls ez_frames_add() in this order). The descriptions of the events are
 * kept, too, because frames outlive the process.
 *
 * Tests: tests/procs/tracepoints.sh */
#include "engine/target.h"

#include <stdlib.h>
#include <string.h>

#include "engine/record/fxt_out.h"

#define FRAMES_MOST ((uint64_t)EZ_FRAMES_MIB << 20)

void ez_frames_define(struct ez_target *t, uint32_t id, int number, uint64_t func,
                      uint64_t file_addr, const char *items)
{
    struct ez_frame_def def = { .number = number,
                                .addr = func,
                                .file_addr = file_addr,
                                .process = t->tracing.frames.process,
                                .items = ez_strdup(items) };
    ez_hash_put(&t->tracing.frames.by_id, id, t->tracing.frames.def.n);
    EZ_PUSH(&t->tracing.frames.def, def);
    ez_drain_prints(t->tracing.drain, id);
}

void ez_frames_add(struct ez_target *t, const uint64_t *event)
{
    struct ez_frames *f = &t->tracing.frames;
    size_t n = ez_fxt_words(event), def;
    if (!ez_hash_get(&f->by_id, ((event[2] >> 8) - EZ_C_PROBE) / 2, &def) || event[0] < f->since)
        return;
    if ((f->word.n + n) * sizeof *event > FRAMES_MOST) {
        f->lost++;
        return;
    }
    struct ez_frame_at at = { .word = f->word.n,
                              .def = def,
                              .ns = ez_drain_ns(t->tracing.drain, event[0]) };
    EZ_PUSH(&f->at, at);
    EZ_APPEND(&f->word, event, n);
}

void ez_frames_begin(struct ez_target *t)
{
    struct ez_frames *f = &t->tracing.frames;
    struct ez_instant now = { .tick = 0 };
    if (t->tracing.drain)
        ez_drain_instant(t->tracing.drain, &now);
    f->at.n = f->word.n = 0;
    f->lost = 0;
    f->since = now.tick;
}

void ez_frames_process_ended(struct ez_target *t)
{
    t->tracing.frames.process++; /* ids that are defined later belong to another process */
    t->tracing.frames.since = 0;
    ez_hash_free(&t->tracing.frames.by_id);
}

void ez_frames_free(struct ez_target *t)
{
    struct ez_frames *f = &t->tracing.frames;
    for (size_t i = 0; i < f->def.n; i++)
        free(f->def.at[i].items);
    EZ_VEC_FREE(&f->def);
    ez_hash_free(&f->by_id);
    EZ_VEC_FREE(&f->at);
    EZ_VEC_FREE(&f->word);
}

struct frames_values {
    ez_frame_fn *fn;
    void *arg;
};

static void frames_value(void *arg, const struct ez_item_value *v, const char *text)
{
    struct frames_values *q = arg;
    q->fn(v->item->name, text, q->arg);
}

bool ez_frame_read(struct ez_target *t, size_t i, struct ez_frame_info *out, ez_frame_fn *fn,
                   void *arg)
{
    struct ez_frames *f = &t->tracing.frames;
    if (i >= f->at.n)
        return false;
    const struct ez_frame_def *def = &f->def.at[f->at.at[i].def];
    const uint64_t *event = f->word.at + f->at.at[i].word;
    const void *drain = def->process == f->process ? t->tracing.drain : NULL;
    *out = (struct ez_frame_info){ .number = def->number,
                                   .addr = drain ? def->addr : def->file_addr,
                                   .ns = f->at.at[i].ns,
                                   .tid = event[1] };
    if (!fn || !*def->items)
        return true;
    struct ez_items items;
    struct frames_values q = { fn, arg };
    ez_items_parse(def->items, &items);
    ez_event_data_each(&(struct ez_event_data){ .items = &items,
                                                .word = event + 3,
                                                .n = (unsigned)(event[2] & 0xff) - 1,
                                                .symbol = drain ? ez_drain_symbol : NULL,
                                                .symbol_arg = drain },
                       frames_value, &q);
    ez_items_free(&items);
    return true;
}
