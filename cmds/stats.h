/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - what the user asked of `stats`. */
#ifndef EZ_CMDS_STATS_H
#define EZ_CMDS_STATS_H

#include "cmds/traces.h"
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
    const char *of; /* the kind of subjects to tell apart, or the item that names them; or NULL */
    uint64_t top;   /* 0 = all */
    struct traces in;
    bool processes; /* known once they were read: there are several               */
};

struct stats_tables { /* of one reading */
    struct ez_stats *st;
    struct ez_vars *v;
    struct ez_samples *c;
    struct ez_values *values;
    const struct ez_adds_all *adds; /* the replay's                                */
};

/* How many rows to show, from the first on. */
size_t stats_rows(const struct stats_plan *p, const struct ez_stats *st);
/* The rows (stats_rows.c), as a table: most: columns of a line; 0 = the terminal's, or any number if there is none. */
void stats_print_rows(struct ez_sess *s, const struct stats_plan *p, const struct ez_stats *st,
                      unsigned most);
void stats_json_rows(struct ez_sess *s, struct ez_json *j, const struct stats_plan *p,
                     const struct ez_stats *st);
/* "Lock" of "lock". */
const char *stats_heading(struct ez_sess *s, const char *kind);
/* `stats -messages` (stats_messages.c) */
ez_err *stats_messages(struct ez_sess *s, const struct stats_plan *p);
void stats_json(struct ez_sess *s, const struct stats_plan *p, const struct ez_trace_sum *t,
                const struct stats_tables *all);
/* Rows, each on a line of its own: an array of them, and the object of one. */
void stats_json_rows_begin(struct ez_json *j, const char *key);
void stats_json_rows_end(struct ez_json *j);
void stats_json_row(struct ez_json *j);
void stats_print_vars(struct ez_sess *s, const struct stats_plan *p, const struct ez_vars *v);
void stats_json_vars(struct ez_json *j, const struct ez_vars *v);
void stats_print_samples(struct ez_sess *s, const struct ez_samples *c);
void stats_json_samples(struct ez_json *j, const struct ez_samples *c);
void stats_print_values(struct ez_sess *s, const struct stats_plan *p, const struct ez_values *v);
void stats_json_values(struct ez_json *j, const struct ez_values *v);
/* What aggregates found (stats_values.c). */
void stats_print_adds(struct ez_sess *s, const struct ez_adds_all *all);
void stats_json_adds(struct ez_sess *s, const struct ez_adds_all *all);
/* The names of all items, "fd, buf". */
const char *stats_items(struct ez_sess *s, const struct ez_values *v);

#endif
