/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter_list.h - lists of threads, processes or ranks as the user types them: "0,4-7,worker".
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

/* Parses a list; NULL is an empty list. `what` names the elements in errors. names: elements may be
 * names. Returns EZ_E_ARG. */
ez_err *filter_list_parse(struct filter_list *list, const char *text, const char *what,
                          bool names) EZ_WUR;
/* Returns true if the list contains the number, or the name, or the last word of a name that ends
 * with " NUMBER": "worker" for the thread 4243 with the name "rank 3: worker 4243". name: NULL if
 * there is no name. Marks matching elements as found. */
bool filter_list_has(struct filter_list *list, uint64_t number, const char *name);
/* Returns EZ_E_NOTFOUND if an element of the list was never found by filter_list_has(). part: only
 * a time span of the trace was read. */
ez_err *filter_list_missing(const struct filter_list *list, bool part) EZ_WUR;
/* Marks the elements that were found in `other`, a list parsed from the same text. */
void filter_list_join(struct filter_list *list, const struct filter_list *other);
void filter_list_free(struct filter_list *list);

#endif
