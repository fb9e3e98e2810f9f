/* SPDX-License-Identifier: GPL-3.0-or-later */
/* slowest.h - the slowest single calls of a trace, with their values and the longest state inside
 * each call.
 *
 * Durations are those of `stats`: without waits for the trace. Calls whose begin or end is missing
 * have no known duration, and are only counted. Pauses are not calls. Memory is used only for the
 * kept calls and the open calls.
 *
 * Tests: tests/unit/trace/check_slowest.c */
#ifndef EZ_SLOWEST_H
#define EZ_SLOWEST_H

#include "engine/trace/model.h"

struct ez_slow_call {
    uint64_t start_ns, ns, self_ns; /* start_ns: since the first event of the trace */
    uint32_t container, name;
    uint32_t depth; /* number of states around the call */
    /* name of the state around the call, even if a filter hides it; EZ_NONE_IDX: none */
    uint32_t caller;
    uint32_t below;    /* name of the longest call or sleep directly in this call, or EZ_NONE_IDX */
    uint64_t below_ns; /* duration of `below` */
    bool unwound;      /* an exception or a longjmp left the call */
    char *arguments, *result; /* values collected at the entry and at the exit; NULL if none */
};

struct ez_slowest {
    struct ez_slow_call *call; /* valid after ez_slowest_sort: the slowest first */
    size_t n;
    uint64_t cut;         /* number of calls whose begin or end is missing */
    uint64_t cut_ns;      /* the longest of these calls lasted at least this long */
    uint32_t cut_longest; /* name of the function of that longest call */
};

/* most: maximum number of calls to keep, at least 1. The model must outlive the result. */
struct ez_slowest *ez_slowest_create(const struct ez_model *m, size_t most);
/* Adds an item. The function is an ez_item_fn, and slowest a struct ez_slowest. */
ez_err *ez_slowest_item(void *slowest, const struct ez_item *it);
/* Sorts the calls. Calls of equal duration are sorted by their start. Call once, after the last
 * item. */
void ez_slowest_sort(struct ez_slowest *s);
void ez_slowest_free(struct ez_slowest *s);

#endif
