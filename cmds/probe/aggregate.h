/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.h - prints the results of aggregates. */
#ifndef EZ_CMDS_AGGREGATE_H
#define EZ_CMDS_AGGREGATE_H

#include "engine/record/addup.h"

struct ez_sess;

/* Prints the table of one aggregate; arg is the struct ez_sess. */
void aggregates_print(const struct ez_aggregate *a, void *arg);
/* Adds an element to an array of aggregates; json is a struct ez_json. */
void aggregates_json(const struct ez_aggregate *a, void *json);

#endif
