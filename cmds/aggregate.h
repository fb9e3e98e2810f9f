/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.h - printing what aggregates found. */
#ifndef EZ_CMDS_AGGREGATE_H
#define EZ_CMDS_AGGREGATE_H

#include "engine/ring/addup.h"

struct ez_sess;

/* The table of one; arg is the struct ez_sess. */
void aggregates_print(const struct ez_aggregate *a, void *arg);
/* An element of a JSON list; arg is a struct aggregates_json. */
struct aggregates_json {
    struct ez_sess *s;
    unsigned n; /* elements that were written                                         */
};
void aggregates_json(const struct ez_aggregate *a, void *json);

#endif
