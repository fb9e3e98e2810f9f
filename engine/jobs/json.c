/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - reads and writes members of JSON objects (json.h). */
#include "engine/jobs/json.h"

struct json_object *ez_json_get(struct json_object *o, const char *name)
{
    struct json_object *v;
    return json_object_is_type(o, json_type_object) && json_object_object_get_ex(o, name, &v)
               ? v
               : NULL;
}

const char *ez_json_text(struct json_object *o, const char *name)
{
    struct json_object *v = ez_json_get(o, name);
    return json_object_is_type(v, json_type_string) ? json_object_get_string(v) : "";
}

int64_t ez_json_int(struct json_object *o, const char *name, int64_t otherwise)
{
    struct json_object *v = ez_json_get(o, name);
    return json_object_is_type(v, json_type_int) ? json_object_get_int64(v) : otherwise;
}

void ez_json_put_text(struct json_object *o, const char *name, const char *text)
{
    json_object_object_add(o, name, json_object_new_string(text));
}

void ez_json_put_int(struct json_object *o, const char *name, int64_t v)
{
    json_object_object_add(o, name, json_object_new_int64(v));
}

void ez_json_put_ranks(struct json_object *o, const char *name, const struct ez_ranks *r)
{
    EZ_FREE char *text = ez_ranks_text(r);
    if (*text)
        ez_json_put_text(o, name, text);
}

bool ez_json_ranks(struct json_object *o, const char *name, struct ez_ranks *out)
{
    const char *text = ez_json_text(o, name);
    return !*text || ez_err_drop(ez_ranks_parse(text, out));
}

const char *ez_json_line(struct json_object *o)
{
    return json_object_to_json_string_ext(o,
                                          JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
}
