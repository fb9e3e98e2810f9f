/* SPDX-License-Identifier: GPL-3.0-or-later */
/* condition.h - the condition of `-where`, which is evaluated for each call of a trace.
 *
 * Variables in a condition are the values that probes collected, by the names under which they were
 * collected, and
 *
 *   duration ns; for a call that was measured only in part, the known part
 *   thread, process   the number and the name
 *   rank unknown if the process has no rank
 *   depth number of calls in which the call is nested
 *   function, library   texts
 *
 * A value that was collected at the exit replaces the value of that name from the entry. If the
 * condition needs a value that a call does not have, the condition is false for the call.
 *
 * Tests: tests/unit/trace/check_filter.c */
#ifndef EZ_CONDITION_H
#define EZ_CONDITION_H

#include "engine/expr/plain.h"
#include "engine/trace/model.h"

struct ez_condition;
/* The collected values of an open call that the condition needs. */
struct ez_kept_values {
    EZ_VEC(struct ez_plain) at; /* the texts are owned */
};

/* Parses a condition. Returns EZ_E_ARG. */
ez_err *ez_condition_parse(const char *text, struct ez_condition **out) EZ_WUR;
/* Returns true if the condition can be evaluated only at the end of a call. */
bool ez_condition_is_late(const struct ez_condition *c);
/* Returns true if a variable of the condition is a collected value. */
bool ez_condition_needs_values(const struct ez_condition *c);
/* Returns true if the result depends only on the thread, the name, the depth and the class of the
 * duration: the class says which of the condition's numbers the duration exceeds or equals. */
bool ez_condition_has_classes(const struct ez_condition *c);
/* Returns the class of the item's duration; 0 for an item other than a POP. */
uint32_t ez_condition_class(const struct ez_condition *c, const struct ez_item *it);
/* Adds the values of an event to the values of its call; a later value replaces an earlier one. d
 * may be NULL. */
void ez_condition_keep(struct ez_condition *c, const struct ez_event_data *d,
                       struct ez_kept_values *values);
/* Removes the values, and keeps their memory for the next call. */
void ez_kept_values_clear(struct ez_kept_values *values);
void ez_kept_values_free(struct ez_kept_values *values);
/* Evaluates the condition for a PUSH, POP or EVENT, and sets *out. depth: number of calls in which
 * the item is nested. */
ez_err *ez_condition_holds(const struct ez_condition *c, const struct ez_model *m,
                           const struct ez_item *it, uint32_t depth,
                           const struct ez_kept_values *values, bool *out) EZ_WUR;
/* Returns EZ_E_NOTFOUND if a variable of the condition is a collected value that no event had. */
ez_err *ez_condition_missing(const struct ez_condition *c) EZ_WUR;
void ez_condition_free(struct ez_condition *c);

#endif
