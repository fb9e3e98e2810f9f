/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html.h - what conv_html.c, which collects the data of `report`, and conv_html_data.c,
 * which writes them as JSON, share. The head of report/page.js describes the JSON. */
#ifndef EZ_CONV_HTML_H
#define EZ_CONV_HTML_H

#include "engine/format/conv.h"
#include "engine/format/conv_values.h"
#include "engine/base/heap.h"
#include "engine/trace/columns.h"
#include "engine/trace/marks.h"
#include "engine/base/outfile.h"
#include "engine/trace/stacks.h"
#include "engine/trace/timeline.h"

enum {
    EZ_HTML_CALLS = 40000,
    EZ_HTML_WINDOW_CALLS = 1000000, /* a window is asked for to see all of it       */
    EZ_HTML_SLICES = 2000,
    EZ_HTML_FRAMES = 20000,
    EZ_HTML_THREADS = 1000,
    EZ_HTML_ROWS = 5000,
    EZ_HTML_KEYS = 200, /* of an aggregate                                   */
    EZ_HTML_TRACKS = 64,
    EZ_HTML_WINDOW_TRACKS = 4096
};

struct ez_html_call {
    uint64_t start_ns, ns;
    uint32_t container, name, depth;
    uint32_t mark; /* 1 unwound, 2 its exit was not seen, 4 only a part of it was seen */
    char *values;  /* what a probe collected, as text; owned, NULL = nothing          */
};
struct ez_html_count { /* of calls (no pauses), by slice                            */
    uint64_t begun, ended;
};

struct ez_html {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    char *d3;
    struct ez_stats *stats;
    struct ez_timeline *timeline;
    struct ez_stacks stacks;
    struct ez_marks marks;
    /* the calls that are kept, by length: the shortest is dropped first */
    struct ez_heap shortest;
    EZ_VEC(struct ez_html_call) call;
    struct ez_conv_values values;
    size_t most_calls;
    uint32_t most_buffers;
    unsigned slices; /* EZ_HTML_SLICES at most, and a nanosecond each at least */
    struct ez_html_count in_slice[EZ_HTML_SLICES];
    EZ_VEC(uint32_t) depth;  /* by container: the deepest call                     */
    uint64_t from_ns, to_ns; /* the time that the picture shows                     */
    uint64_t calls, too_deep;
};

/* Writes the data; to be called after the last item. */
void ez_html_data(struct ez_html *h);
void ez_html_adds(struct ez_html *h); /* conv_html_adds.c: what aggregates found */

#endif
