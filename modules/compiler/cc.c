/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cc.c - runs the C compiler and reads its messages (cc.h). */
#include "modules/compiler/cc.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/tool.h"

#define CC_LINES 10 /* maximum number of messages without a place in the script that are returned */

typedef EZ_VEC(char *) cc_words;

static void cc_arguments(const struct ez_cc *cc, cc_words *v)
{
    static const char *const always[] = { "-std=gnu11",
                                          "-O2",
                                          "-fPIC",
                                          "-fvisibility=hidden",
                                          "-fexceptions",
                                          "-fdiagnostics-color=never",
                                          "-Werror=implicit-function-declaration" };
    const struct ez_script *s = cc->c->s;
    const char *program = getenv("EZT_CC");
    EZ_PUSH(v, ez_strdup(program && *program ? program : "cc"));
    for (size_t i = 0; i < EZ_ARRAY_LEN(always); i++)
        EZ_PUSH(v, ez_strdup(always[i]));
    EZ_PUSH(v, ez_sprintf("-I%s", cc->include));
    EZ_PUSH(v, ez_sprintf("-I%s", cc->home));
    for (size_t i = 0; i < s->cflags.n; i++)
        EZ_PUSH(v, ez_strdup(s->cflags.at[i]));
    if (cc->object) {
        EZ_PUSH(v, ez_strdup("-shared"));
        EZ_PUSH(v, ez_strdup("-Wl,-z,now"));
        EZ_PUSH(v, ez_strdup("-o"));
        EZ_PUSH(v, ez_strdup(cc->object));
    } else {
        EZ_PUSH(v, ez_strdup("-fsyntax-only"));
    }
    EZ_PUSH(v, ez_strdup("-x"));
    EZ_PUSH(v, ez_strdup("c"));
    EZ_PUSH(v, ez_strdup("-"));
    EZ_PUSH(v, ez_strdup("-x"));
    EZ_PUSH(v, ez_strdup("none"));
    for (size_t i = 0; cc->object && i < s->ldflags.n; i++)
        EZ_PUSH(v, ez_strdup(s->ldflags.at[i]));
    EZ_PUSH(v, NULL);
}

static void cc_free_words(cc_words *v)
{
    for (size_t i = 0; i < v->n; i++)
        free(v->at[i]);
    EZ_VEC_FREE(v);
}

/* ---- messages -------------------------------------------------------------------------------- */

struct cc_said {
    const struct ez_emit *c;
    struct ez_src *t;
    char *rest;           /* messages without a place in the script */
    unsigned lines, from; /* from: the line of the C that includes the header in question */
    /* an error inside a macro's definition; the compiler's next note names the place at which
     * the macro is used */
    char *pending;
};

static void cc_raw(struct cc_said *s, const char *text)
{
    if (!text || ++s->lines > CC_LINES)
        return;
    EZ_FREE char *plain = ez_str_ours(text), *before = s->rest;
    s->rest = ez_sprintf("%s%s\n", before, plain);
}

/* Adds a message about a place of the C to the corresponding place of the script. Returns false if
 * there is none. */
static bool cc_place(struct cc_said *s, unsigned line, unsigned col, const char *message)
{
    size_t at = ez_emit_origin(s->c, line, col);
    if (at == SIZE_MAX)
        return false;
    const char *text = strstr(message, "error: "), *warning = strstr(message, "warning: ");
    if (warning && (!text || warning < text))
        ez_src_warn(s->t, at, "%s", warning + strlen("warning: "));
    else
        ez_src_error(s->t, at, "%s", text ? text + strlen("error: ") : message);
    return true;
}

/* Reads one line of messages, such as "<stdin>:12:5: error: text", or the same with a header's
 * name. */
static void cc_line(struct cc_said *s, char *text)
{
    unsigned line = 0, col = 0;
    bool ours = sscanf(text, "<stdin>:%u:%u: ", &line, &col) == 2;
    if (sscanf(text, "In file included from <stdin>:%u", &line) == 1)
        s->from = line;
    if (!*text || *text == ' ' || strstr(text, ": In function ") || strstr(text, " generated.") ||
        !strncmp(text, "In file ", 8) || strstr(text, ": At top level"))
        return;
    if (strstr(text, ": note: ")) {
        if (s->pending && ours && cc_place(s, line, col, s->pending))
            s->pending = NULL;
        return;
    }
    cc_raw(s, s->pending);
    s->pending = NULL;
    bool said = strstr(text, "error: ") || strstr(text, "warning: ");
    if (said && ours && cc_place(s, line, col, text))
        s->from = 0;
    else if (said && !ours && s->from && cc_place(s, s->from, 1, text))
        return;
    else if (said && !ours && !strstr(text, "ld: "))
        s->pending = text;
    else
        cc_raw(s, text);
}

static void cc_listen(const struct ez_cc *cc, struct ez_src *t, char *all, char **said)
{
    struct cc_said s = { .c = cc->c, .t = t, .rest = ez_strdup("") };
    char *rest = all;
    for (char *line; (line = strsep(&rest, "\n"));)
        cc_line(&s, line);
    cc_raw(&s, s.pending);
    *said = s.rest;
}

ez_err *ez_cc_run(const struct ez_cc *cc, struct ez_src *t, bool *good, char **said)
{
    cc_words argv = { 0 };
    EZ_FREE char *all = NULL;
    cc_arguments(cc, &argv);
    const struct ez_tool tool = { .what = "the C compiler",
                                  .hint = "Install gcc or clang, or name another in EZT_CC",
                                  .argv = (const char *const *)argv.at,
                                  .text = cc->c->out.at,
                                  .n = cc->c->out.n,
                                  .folder = cc->home };
    ez_err *e = ez_tool_run(&tool, good, &all);
    if (all)
        cc_listen(cc, t, all, said);
    cc_free_words(&argv);
    return e;
}
