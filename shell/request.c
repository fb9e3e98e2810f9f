/* SPDX-License-Identifier: GPL-3.0-or-later */
/* request.c - parses requests and runs their commands (request.h). Tests: tests/procs/machine.sh */
#include "shell/request.h"

#include <stdio.h>
#include <string.h>

#include <json-c/json.h>

#include "engine/base/json.h"
#include "engine/base/strutil.h"
#include "engine/ezt.h"
#include "shell/dispatch.h"
#include "shell/loop.h"
#include "shell/sess.h"
#include "shell/wire.h"

#define MAX_LINE (64 * 1024) /* maximum bytes of a request */

/* Runs the lines of a request's command. If they leave a block open, ends the block and returns an
 * error, because later requests would become the block's lines. */
static ez_err *request_run(struct ez_sess *s, char *command)
{
    ez_err *e = NULL;
    for (char *rest = command, *line; !e && (line = strsep(&rest, "\n")) && !s->end.quit;)
        e = dispatch(s, line);
    bool open = s->run.block;
    s->run.block = NULL;
    if (e || !open)
        return e;
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "A command with lines up to \"end\" must be one request"),
        "Put all lines into \"command\", separated by newlines");
}

struct request_token { /* the id's bytes in the request; n 0 = not found */
    size_t at, n;
};

/* Returns the length in bytes of the JSON integer, or of the JSON string with its quotes, at p; 0
 * if there is neither. */
static size_t request_length(const char *p)
{
    size_t n = 1;
    if (*p == '"') {
        while (p[n] && p[n] != '"')
            n += 1 + (p[n] == '\\' && p[n + 1]);
        return p[n] ? n + 1 : 0;
    }
    n = *p == '-';
    size_t digits = strspn(p + n, "0123456789");
    bool ends = strchr(" \t\r,}", p[n + digits]); /* the digits end the number only if such a
                                                   * character, or the end of the line, follows */
    return digits && ends && (p[n] != '0' || digits == 1) ? n + digits : 0;
}

/* Returns the position of the value of "id" in the line, a JSON object; that of the last "id" if
 * there are several. Finds no value if a name of that object has escapes, if there are comments, or
 * if the value is no integer or string, or has control characters. */
static struct request_token request_find_id(const char *line)
{
    struct request_token found = { 0, 0 };
    int depth = 0;
    for (const char *p = line; *p; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p == '/') /* a comment, which json-c accepts */
            return (struct request_token){ 0, 0 };
        size_t n = *p == '"' ? request_length(p) : 0;
        const char *behind = p + n + strspn(p + n, " \t\r");
        if (depth == 1 && n && *behind == ':') {
            const char *value = behind + 1 + strspn(behind + 1, " \t\r");
            if (memchr(p, '\\', n))
                return (struct request_token){ 0, 0 };
            if (n == 4 && !memcmp(p, "\"id\"", n))
                found = (struct request_token){ (size_t)(value - line), request_length(value) };
        }
        if (n)
            p += n - 1;
    }
    for (size_t i = 0; i < found.n; i++)
        if ((unsigned char)line[found.at + i] < ' ')
            found.n = 0;
    return found;
}

/* Returns the id for the answer, byte for byte as sent if possible; "null" if the request has none;
 * NULL if it is neither a string nor an integer. The caller frees. */
static char *request_id(const char *line, const struct request_token *seen,
                        struct json_object *request)
{
    struct json_object *id;
    if (!json_object_object_get_ex(request, "id", &id) || !id)
        return ez_strdup("null");
    if (!json_object_is_type(id, json_type_int) && !json_object_is_type(id, json_type_string))
        return NULL;
    return seen->n ? ez_strndup(line + seen->at, seen->n)
                   : ez_strdup(json_object_to_json_string_ext(id, JSON_C_TO_STRING_PLAIN));
}

/* Parses the request, and sets *bad, which is json_tokener_success if there is no error. The caller
 * releases the result. An id may be a number of any size, but json-c refuses or changes large
 * numbers, so a 0 replaces the id in the text for json-c. The text is ASCII only, because json-c
 * 0.18 in strict mode rejects other bytes. */
static struct json_object *request_read(const char *line, const struct request_token *id,
                                        enum json_tokener_error *bad)
{
    EZ_FREE char *text = ez_strdup(line);
    if (id->n && text[id->at] != '"') {
        memset(text + id->at, ' ', id->n);
        text[id->at] = '0';
    }
    EZ_FREE char *ascii = ez_json_ascii(text);
    *bad = json_tokener_error_parse_utf8_string;
    if (!ascii)
        return NULL;
    struct json_tokener *t = json_tokener_new();
    json_tokener_set_flags(t, JSON_TOKENER_STRICT);
    /* The length includes the zero byte, which tells the parser that the text is complete. */
    struct json_object *o = json_tokener_parse_ex(t, ascii, (int)strlen(ascii) + 1);
    *bad = json_tokener_get_error(t);
    json_tokener_free(t);
    return o;
}

static ez_err *request_parse(const char *line, struct json_object **request, char **id,
                             const char **command)
{
    struct json_object *text;
    enum json_tokener_error bad;
    const struct request_token seen = request_find_id(line);
    *request = request_read(line, &seen, &bad);
    if (bad != json_tokener_success)
        return ez_err_new(EZ_E_ARG, 0, "A request must be one JSON object on one line: %s",
                          json_tokener_error_desc(bad));
    if (!json_object_is_type(*request, json_type_object))
        return ez_err_new(EZ_E_ARG, 0, "A request must be a JSON object");
    char *echo = request_id(line, &seen, *request);
    if (!echo)
        return ez_err_new(EZ_E_ARG, 0, "\"id\" must be an integer or a string");
    free(*id);
    *id = echo;
    if (!json_object_object_get_ex(*request, "command", &text) ||
        !json_object_is_type(text, json_type_string))
        return ez_err_hint(
            ez_err_new(EZ_E_ARG, 0, "A request needs a \"command\", which is a string"),
            "Write {\"id\": 1, \"command\": \"info probes -json\"}");
    *command = json_object_get_string(text);
    if (strlen(*command) != (size_t)json_object_get_string_len(text))
        return ez_err_new(EZ_E_ARG, 0, "A command must not contain a zero byte");
    return NULL;
}

static void request_handle(struct ez_sess *s, const char *line)
{
    struct json_object *request = NULL;
    const char *command = NULL;
    char *id = ez_strdup("null");
    ez_err *e = request_parse(line, &request, &id, &command);
    if (!e) {
        EZ_FREE char *copy = ez_strdup(command);
        sess_uninterrupt(s);
        wire_begin_request(s);
        e = request_run(s, copy);
    }
    wire_answer(s, id, e);
    free(id);
    json_object_put(request);
}

void request_serve(struct ez_sess *s)
{
    static char line[MAX_LINE];
    bool whole;
    wire_ready(s);
    while (!s->end.quit) {
        if (loop_read_line(s, line, sizeof line, &whole)) {
            if (!whole)
                wire_answer(
                    s, "null",
                    ez_err_new(EZ_E_ARG, 0, "A request must have less than %d bytes", MAX_LINE));
            else if (line[strspn(line, " \t\r")])
                request_handle(s, line);
        } else if (!s->end.interrupted) {
            return;
        }
        /* A SIGINT may arrive between two requests. The shell discards the signal, because
         * SIGINT stops only a running request. */
        sess_uninterrupt(s);
    }
}
