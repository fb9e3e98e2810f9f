/* SPDX-License-Identifier: GPL-3.0-or-later */
/* aggregate.h - prints the results of aggregates. */
#ifndef EZ_CMDS_AGGREGATE_H
#define EZ_CMDS_AGGREGATE_H

#include "engine/record/addup.h"

struct ez_sess;

/* Prints the results of one aggregate as a table. A callback: arg is the struct ez_sess. */
void aggregates_print(const struct ez_aggregate *a, void *arg);
/* Adds the results of one aggregate to an array. A callback: json is a struct ez_json. */
void aggregates_json(const struct ez_aggregate *a, void *json);

#endif
