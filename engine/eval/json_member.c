/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json_member.c - $_json("COMMAND", "PATH"): a value from a command's JSON output.
 *
 * PATH is names separated by dots. In an array, [N] is element N, [NAME=TEXT] the first object
 * whose member has that text, and [NAME~TEXT] the first whose member contains it. A missing or null
 * value is void.
 *
 * Tests: tests/procs/print.sh */
#include <json-c/json.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/eval/eval_priv.h"

void ez_history_answer(struct ez_history *v, ez_answer_fn *answer, void *arg)
{
    v->answer = answer;
    v->answer_arg = arg;
}

static ez_err *json_wrong(const char *path)
{
    return ez_err_new(EZ_E_ARG, 0,
                      "\"%s\" is not a path: NAME, [N], [NAME=TEXT] or [NAME~TEXT] was expected",
                      path);
}

static bool json_matches(struct json_object *row, const char *name, char how, const char *text)
{
    struct json_object *member = NULL;
    json_object_object_get_ex(row, name, &member);
    const char *is = member ? json_object_get_string(member) : "";
    return how == '=' ? !strcmp(is, text) : strstr(is, text) != NULL;
}

/* Sets *out to the element of an array that the text between brackets selects, or to NULL. */
static ez_err *json_pick(struct json_object *rows, char *pick, struct json_object **out)
{
    size_t n = json_object_is_type(rows, json_type_array) ? json_object_array_length(rows) : 0;
    char *text = pick + strcspn(pick, "=~"), how = *text, *end;
    unsigned long long number = strtoull(pick, &end, 10);
    *out = NULL;
    if (!how && (!*pick || *end))
        return json_wrong(pick);
    if (!how)
        *out = number < n ? json_object_array_get_idx(rows, (size_t)number) : NULL;
    else
        *text++ = '\0';
    for (size_t i = 0; how && i < n && !*out; i++)
        if (json_matches(json_object_array_get_idx(rows, i), pick, how, text))
            *out = json_object_array_get_idx(rows, i);
    return NULL;
}

static ez_err *json_follow(struct json_object *o, const char *path, struct json_object **out)
{
    for (const char *p = path; *p && o;) {
        bool picks = *p == '[';
        p += picks || *p == '.';
        size_t n = strcspn(p, picks ? "]" : ".[");
        EZ_FREE char *name = ez_strndup(p, n);
        if (!n || (picks && !p[n]))
            return json_wrong(path);
        if (picks)
            EZ_TRY(json_pick(o, name, &o));
        else if (!json_object_object_get_ex(o, name, &o))
            o = NULL;
        p += n + picks;
    }
    *out = o;
    return NULL;
}

static struct ez_value json_text(const char *text)
{
    char *end;
    uint64_t n = strtoull(text, &end, 16);
    if (!strncmp(text, "0x", 2) && !*end)
        return value_made(ez_type_int(8, false), &n, sizeof n);
    size_t size = strlen(text) + 1;
    return value_made(ez_type_array_of(ez_type_base("char"), size), text, size);
}

static struct ez_value json_value(struct json_object *o)
{
    int64_t n;
    switch (json_object_get_type(o)) {
    case json_type_null:
        return value_made(ez_type_base("void"), NULL, 0);
    case json_type_double:
        return value_made_float(ez_type_base("double"), (long double)json_object_get_double(o));
    case json_type_string:
        return json_text(json_object_get_string(o));
    case json_type_array:
        n = (int64_t)json_object_array_length(o);
        break;
    case json_type_object:
        n = json_object_object_length(o);
        break;
    default:
        n = json_object_get_int64(o);
    }
    return value_made(ez_type_int(8, true), &n, sizeof n);
}

ez_err *json_member(struct ez_history *v, const struct ez_value *arg, struct ez_value *out)
{
    EZ_FREE char *command = NULL, *path = NULL, *text = NULL;
    struct json_object *at = NULL;
    EZ_TRY(ez_value_string(v, &arg[0], &command));
    EZ_TRY(ez_value_string(v, &arg[1], &path));
    if (!v->answer)
        return ez_err_new(EZ_E_STATE, 0, "$_json needs a session that runs commands");
    EZ_TRY(v->answer(v->answer_arg, command, &text));
    struct json_object *o = json_tokener_parse(text);
    if (!o)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "The command \"%s\" printed no JSON", command),
                           "Add the option -json to the command");
    ez_err *e = json_follow(o, path, &at);
    if (!e)
        *out = json_value(at);
    json_object_put(o);
    return e;
}
