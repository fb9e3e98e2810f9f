/* SPDX-License-Identifier: GPL-3.0-or-later */
/* marks.h - collects the point events, links and variables of a trace, which pictures show besides
 * calls.
 *
 * Memory is limited. At most EZ_MARKS_MOST points and as many links are kept: if there are more,
 * only every second, then every fourth, and so on, evenly over the trace. For variables, the time
 * is divided into equal slices, and the minimum and the maximum in each slice are kept. Only the
 * first EZ_MARKS_VARS variables are kept.
 *
 * Tests: tests/unit/trace/check_stats.c, tests/trace/report.sh */
#ifndef EZ_MARKS_H
#define EZ_MARKS_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

enum { EZ_MARKS_MOST = 5000, EZ_MARKS_VARS = 100 };

struct ez_marks_few { /* all: number of marks in the trace; every `stride`-th mark is kept */
    uint64_t all, stride;
};
struct ez_marks_point {
    uint64_t ns;
    uint32_t container, name;
    char *values; /* text of the values that a probe collected; owned, or NULL */
};
struct ez_marks_link {
    uint64_t start_ns, end_ns;
    uint32_t from, to, name;
};
struct ez_marks_var {
    uint32_t container, name;
    unsigned first, at; /* slices in which the variable got its first and its newest value */
    double value;       /* the newest value */
    struct ez_marks_range {
        double lo, hi;
    } * slice; /* slice[i] is for slice number first + i */
};

struct ez_marks {
    uint64_t from_ns, span_ns;
    unsigned slices;
    EZ_VEC(struct ez_marks_point) point;
    /* open: links that have not ended yet; by_key: key of such a link -> index in `open` */
    EZ_VEC(struct ez_marks_link) link, open;
    EZ_VEC(struct ez_marks_var) var;
    struct ez_marks_few points, links;
    uint64_t vars;
    struct ez_hash by_key, by_var;
    EZ_VEC(size_t) free_links;
};

/* Prepares *k for times in [from, to), in ns, divided into `slices` slices. */
void ez_marks_init(struct ez_marks *k, uint64_t from, uint64_t to, unsigned slices);
/* Adds an item to the marks. The function is an ez_item_fn, and marks a struct ez_marks. */
ez_err *ez_marks_item(void *marks, const struct ez_item *it);
/* Extends the newest value of each variable to the last slice. Call after the last item. */
void ez_marks_finish(struct ez_marks *k);
void ez_marks_free(struct ez_marks *k);

#endif
