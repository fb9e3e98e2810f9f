/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - the parsed options of `stats`, and its output. */
#ifndef EZ_CMDS_STATS_H
#define EZ_CMDS_STATS_H

#include "cmds/trace/traces.h"
#include "engine/trace/samples.h"
#include "engine/trace/stats.h"
#include "engine/trace/values.h"
#include "engine/trace/vars.h"

struct ez_json;
struct ez_sess;

struct stats_plan {
    unsigned by;
    enum ez_stats_sort sort;
    bool json, graph, live, once, wide;
    const char *of; /* value of -of: a kind of subject, or a collected item, that rows are split by;
                     * NULL = none */
    uint64_t top;   /* maximum rows; 0 = all */
    struct traces in;
    bool processes; /* the trace has several processes; known after reading */
};

struct stats_tables { /* results of one reading */
    struct ez_stats *st;
    struct ez_vars *v;
    struct ez_samples *c;
    struct ez_values *values;
    const struct ez_adds_all *adds; /* aggregates in the trace; the replay owns them */
};

/* Returns the number of rows to show, from the first on. */
size_t stats_rows(const struct stats_plan *p, const struct ez_stats *st);
/* Prints the rows as a table (stats_rows.c). most: maximum width of a line; 0 = the terminal's, or
 * no limit without a terminal. */
void stats_print_rows(struct ez_sess *s, const struct stats_plan *p, const struct ez_stats *st,
                      unsigned most);
void stats_json_rows(struct ez_sess *s, struct ez_json *j, const struct stats_plan *p,
                     const struct ez_stats *st);
/* Returns the kind with a capital, as a heading: "Lock" for "lock". Lives until the command
 * returns. */
const char *stats_heading(struct ez_sess *s, const char *kind);
/* Runs `stats -messages` (stats_messages.c). */
ez_err *stats_messages(struct ez_sess *s, const struct stats_plan *p);
/* Runs `stats -slowest` (stats_slowest.c). */
ez_err *stats_slowest(struct ez_sess *s, const struct stats_plan *p);
void stats_json(struct ez_sess *s, const struct stats_plan *p, const struct ez_trace_sum *t,
                const struct stats_tables *all);
/* Begin and end an array of rows, and begin the object of a row, on a line of its own
 * (stats_rows.c). ez_json_end() ends the object. */
void stats_json_rows_begin(struct ez_json *j, const char *key);
void stats_json_rows_end(struct ez_json *j);
void stats_json_row(struct ez_json *j);
void stats_print_vars(struct ez_sess *s, const struct stats_plan *p, const struct ez_vars *v);
void stats_json_vars(struct ez_json *j, const struct ez_vars *v);
void stats_print_samples(struct ez_sess *s, const struct ez_samples *c);
void stats_json_samples(struct ez_json *j, const struct ez_samples *c);
void stats_print_values(struct ez_sess *s, const struct stats_plan *p, const struct ez_values *v);
void stats_json_values(struct ez_json *j, const struct ez_values *v);
/* Print the results of aggregates (stats_values.c). */
void stats_print_adds(struct ez_sess *s, const struct ez_adds_all *all);
void stats_json_adds(struct ez_json *j, const struct ez_adds_all *all);
/* Returns the names of all collected items, "fd, buf". Lives until the command returns. */
const char *stats_items(struct ez_sess *s, const struct ez_values *v);

#endif
