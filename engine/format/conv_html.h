/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conv_html.h - shared by conv_html.c, which collects the data of `report`, and conv_html_data.c,
 * which writes them as JSON. The head of report/page.js describes the JSON. */
#ifndef EZ_CONV_HTML_H
#define EZ_CONV_HTML_H

#include "engine/format/conv.h"
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
    EZ_HTML_WINDOW_CALLS = 1000000, /* larger, because a window is requested to see all of it */
    EZ_HTML_SLICES = 2000,
    EZ_HTML_FRAMES = 20000,
    EZ_HTML_THREADS = 1000,
    EZ_HTML_ROWS = 5000,
    EZ_HTML_KEYS = 200, /* rows of an aggregate */
    EZ_HTML_TRACKS = 64,
    EZ_HTML_WINDOW_TRACKS = 4096
};

struct ez_html_call {
    uint64_t start_ns, ns;
    uint32_t container, name, depth;
    uint32_t mark; /* bits: 1 unwound, 2 without an exit, 4 measured in part */
    char *values;  /* text of what a probe collected; owned, or NULL */
};
struct ez_html_count { /* numbers of calls (no pauses) in a slice */
    uint64_t begun, ended;
};

struct ez_html {
    struct ez_sink sink;
    const struct ez_model *m;
    struct ez_outfile *f;
    struct ez_json json; /* what the file does not have yet */
    char *d3;
    struct ez_stats *stats;
    struct ez_timeline *timeline;
    struct ez_stacks stacks;
    struct ez_marks marks;
    /* the kept calls by length; the shortest is dropped first */
    struct ez_heap shortest;
    EZ_VEC(struct ez_html_call) call;
    struct ez_conv_values values;
    size_t most_calls;
    uint32_t most_buffers;
    unsigned slices; /* at most EZ_HTML_SLICES, and at least a nanosecond each */
    struct ez_html_count in_slice[EZ_HTML_SLICES];
    EZ_VEC(uint32_t) depth;  /* by container: depth of the deepest call */
    uint64_t from_ns, to_ns; /* time range of the picture */
    uint64_t calls, too_deep;
};

/* Writes the data. Call after the last item. */
void ez_html_data(struct ez_html *h);
void ez_html_adds(struct ez_html *h); /* conv_html_adds.c: writes the aggregates */

#endif
