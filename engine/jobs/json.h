/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - reads and writes members of the JSON objects that nodes send each other.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_JOBS_JSON_H
#define EZ_JOBS_JSON_H

#include <json-c/json.h>

#include "engine/jobs/ranks.h"

/* Read or add member `name` of JSON object o. If the member is missing or has another type,
 * ez_json_text() returns "", ez_json_int() returns `otherwise`, and ez_json_get() returns NULL (if
 * it is missing). ez_json_put_ranks() adds nothing for an empty set. */
const char *ez_json_text(struct json_object *o, const char *name);
int64_t ez_json_int(struct json_object *o, const char *name, int64_t otherwise);
struct json_object *ez_json_get(struct json_object *o, const char *name);
void ez_json_put_text(struct json_object *o, const char *name, const char *text);
void ez_json_put_int(struct json_object *o, const char *name, int64_t v);
void ez_json_put_ranks(struct json_object *o, const char *name, const struct ez_ranks *r);
/* Adds the ranks in member `name` of o, a text such as "0-3,7", to *out; adds none if the member is
 * missing. Returns false if the text is not a list of ranks. */
bool ez_json_ranks(struct json_object *o, const char *name, struct ez_ranks *out);
/* Returns the object as one line, without blanks between tokens; the object owns the text. */
const char *ez_json_line(struct json_object *o);

#endif
