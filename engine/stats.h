/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - calls, total and mean time per function, read back from a trace. */
#ifndef EZ_STATS_H
#define EZ_STATS_H

#include "engine/base.h"
#include "engine/err.h"

struct ez_stat_row {
    const char *function, *library;
    uint64_t calls;                    /* entries seen                                */
    uint64_t matched;                  /* exits whose entry was seen                  */
    uint64_t total_ns, min_ns, max_ns; /* over matched, callees included        */
};
struct ez_stats {
    struct ez_stat_row *row; /* by total time, largest first                    */
    size_t n;
    uint64_t events;    /* probe events                                    */
    uint64_t unmatched; /* entries without exit and exits without entry    */
    uint64_t span_ns;   /* first to last event                             */
    bool has_ledger;
    uint64_t hits, recorded, filtered, untraced, dropped, unhooked, torn;
    char *damage; /* why reading ended early, or NULL                */
};
/* A damaged end is no error as long as one event could be read: see `damage`. */
ez_err *ez_stats_read(const char *path, struct ez_stats **out) EZ_WUR;
void ez_stats_free(struct ez_stats *s);

#endif
