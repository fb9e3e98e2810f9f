/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html.h - the data of `report`. conv_html.c collects the data, and conv_html_data.c and
 * conv_html_adds.c write them as JSON. The head of report/page.js describes the JSON. */
#ifndef EZ_CONV_HTML_H
#define EZ_CONV_HTML_H

#include "engine/format/conv.h"
#include "engine/format/conv_html_chunks.h"
#include "engine/format/conv_html_links.h"
#include "engine/format/conv_values.h"
#include "engine/base/heap.h"
#include "engine/base/json.h"
#include "engine/trace/columns.h"
#include "engine/trace/marks.h"
#include "engine/base/outfile.h"
#include "engine/trace/stacks.h"
#include "engine/trace/timeline.h"

enum {
    EZ_HTML_CALLS = 40000,
    EZ_HTML_WINDOW_CALLS = 1000000, /* larger, because a user requests a window to see all calls */
    EZ_HTML_SLICES = 2000,
    EZ_HTML_FRAMES = 20000,
    EZ_HTML_THREADS = 1000,
    EZ_HTML_ROWS = 5000,
    EZ_HTML_KEYS = 200, /* maximum number of rows of an aggregate */
    EZ_HTML_TRACKS = 64,
    EZ_HTML_WINDOW_TRACKS = 4096,
    EZ_HTML_BYTES = 64 << 20 /* maximum bytes of the chunks in the page */
};

struct ez_html_call {
    uint64_t start_ns, ns;
    uint32_t container, name, depth;
    uint32_t mark; /* ez_chunks_mark() */
    char *values;  /* text of the values that a probe collected; owned, or NULL */
};
/* number of calls, without pauses, that began in a slice, and number that ended in it */
struct ez_html_count {
    uint64_t begun, ended;
};

struct ez_html_time {            /* time in the states of a container */
    uint64_t work_ns, paused_ns; /* in calls, and in pauses */
};

struct ez_html {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_json json; /* text that is not written to the file yet */
    char *d3, *compared; /* both owned. compared: JSON about another run, or NULL */
    struct ez_stats *stats;
    struct ez_timeline *timeline;
    struct ez_stacks stacks;
    struct ez_marks marks;
    struct ez_chunks *chunks;
    struct ez_html_links links;
    /* heap of the kept calls, with the shortest call first */
    struct ez_heap shortest;
    EZ_VEC(struct ez_html_call) call;
    struct ez_conv_values values;
    size_t most_calls;
    uint32_t most_buffers;
    unsigned slices; /* at most EZ_HTML_SLICES; a slice is not shorter than a nanosecond */
    struct ez_html_count in_slice[EZ_HTML_SLICES];
    /* index: container; greatest number of nested calls */
    EZ_VEC(uint32_t) depth;
    EZ_VEC(struct ez_html_time) time; /* index: container */
    uint64_t from_ns, to_ns;          /* time range of the picture */
    uint64_t calls, too_deep;
};

/* Writes all data to the file. Call this function after the last item. */
void ez_html_data(struct ez_html *h);
void ez_html_places(struct ez_html *h); /* conv_html_places.c: adds containers and roles */
void ez_html_adds(struct ez_html *h);   /* conv_html_adds.c: adds the aggregates to h->json */

#endif
