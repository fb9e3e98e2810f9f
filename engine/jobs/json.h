/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h - members of the JSON objects that nodes send each other.
 * Tests: tests/unit/jobs/check_reply.c */
#ifndef EZ_JOBS_JSON_H
#define EZ_JOBS_JSON_H

#include <json-c/json.h>

#include "engine/jobs/ranks.h"

/* Access members of JSON objects. A missing member, or one of another type, yields the given
 * value, "" or NULL. */
const char *ez_json_text(struct json_object *o, const char *name);
int64_t ez_json_int(struct json_object *o, const char *name, int64_t otherwise);
struct json_object *ez_json_get(struct json_object *o, const char *name);
void ez_json_put_text(struct json_object *o, const char *name, const char *text);
void ez_json_put_int(struct json_object *o, const char *name, int64_t v);
void ez_json_put_ranks(struct json_object *o, const char *name, const struct ez_ranks *r);
/* Adds the ranks that the text `name` of o lists. Returns false if it is no list. */
bool ez_json_ranks(struct json_object *o, const char *name, struct ez_ranks *out);
/* Returns one line without blanks between tokens; the object owns the text. */
const char *ez_json_line(struct json_object *o);

#endif
