/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.h - prints the results of aggregates. */
#ifndef EZ_CMDS_AGGREGATE_H
#define EZ_CMDS_AGGREGATE_H

#include "engine/record/addup.h"

struct ez_sess;

/* Prints the table of one aggregate; arg is the struct ez_sess. */
void aggregates_print(const struct ez_aggregate *a, void *arg);
/* Writes an element of a JSON list; arg is a struct aggregates_json. */
struct aggregates_json {
    struct ez_sess *s;
    unsigned n; /* elements written so far */
};
void aggregates_json(const struct ez_aggregate *a, void *json);

#endif
