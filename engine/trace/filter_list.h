/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter_list.h - lists of threads, processes or ranks: "0,4-7,worker".
 * Tests: tests/unit/trace/check_filter.c */
#ifndef EZ_FILTER_LIST_H
#define EZ_FILTER_LIST_H

#include "engine/base/base.h"
#include "engine/base/err.h"

struct filter_list {
    const char *what; /* "thread" */
    struct filter_list_item *at;
    size_t n;
};

/* Parses a list; NULL is an empty one. `what` names the elements in errors. Returns EZ_E_ARG. */
ez_err *filter_list_parse(struct filter_list *list, const char *text, const char *what,
                          bool names) EZ_WUR;
/* Returns whether the list has the number, or the name without that number: "worker" for
 * "rank 3: worker 4243". name: NULL if there is none. */
bool filter_list_has(struct filter_list *list, uint64_t number, const char *name);
/* Returns EZ_E_NOTFOUND if filter_list_has() never found an element of the list. part: only a part of
 * the trace was read. */
ez_err *filter_list_missing(const struct filter_list *list, bool part) EZ_WUR;
/* Marks the elements that `other` found. `other` is a list made of the same text. */
void filter_list_join(struct filter_list *list, const struct filter_list *other);
void filter_list_free(struct filter_list *list);

#endif
