/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c - reads a script from BEGIN_MODULE to END_MODULE (script.h). */
#include "modules/compiler/script.h"

#include <string.h>

#include "modules/compiler/token.h"

#define SCRIPT_FUNCTIONS 10000

static void script_free_function(struct ez_tpl_function *f)
{
    for (size_t i = 0; i < f->params.n; i++)
        free(f->params.at[i].name);
    for (size_t i = 0; i < f->cmds.n; i++)
        free(f->cmds.at[i].text);
    EZ_VEC_FREE(&f->params);
    EZ_VEC_FREE(&f->cmds);
    free(f->name);
    free(f->symbol);
}

void ez_script_deinit(struct ez_script *s)
{
    for (size_t i = 0; i < s->functions.n; i++)
        script_free_function(&s->functions.at[i]);
    for (size_t i = 0; i < s->cflags.n; i++)
        free(s->cflags.at[i]);
    for (size_t i = 0; i < s->ldflags.n; i++)
        free(s->ldflags.at[i]);
    for (size_t i = 0; i < s->counters.n; i++)
        free(s->counters.at[i]);
    EZ_VEC_FREE(&s->functions);
    EZ_VEC_FREE(&s->cflags);
    EZ_VEC_FREE(&s->ldflags);
    EZ_VEC_FREE(&s->counters);
    EZ_VEC_FREE(&s->includes);
    free(s->name);
    free(s->desc);
    *s = (struct ez_script){ 0 };
}

/* Skips, after an error, to the next line, or to an earlier word that begins another part. */
static void script_next_line(struct ez_script *s, size_t from)
{
    size_t end = ez_src_line_end(s->t, EZ_MAX(s->at, from));
    while (s->at < end) {
        struct ez_token k = ez_token_peek(s->t, s->at);
        if (k.p.at >= end || (ez_token_reserved(s->t, k) && k.p.at > from))
            return;
        s->at = k.p.at + k.p.n;
    }
}

/* Reads a prototype and its commands. Reads the commands even if the prototype is wrong, because
 * they may have errors of their own. */
static void script_function(struct ez_script *s)
{
    struct ez_tpl_function f = { 0 };
    size_t from = ez_token_peek(s->t, s->at).p.at;
    bool good = ez_proto_read(s, &f);
    if (!good)
        script_next_line(s, from);
    struct ez_token k = ez_token_peek(s->t, s->at);
    if (ez_token_is(s->t, k, "BEGIN"))
        ez_body_read(s, &f);
    if (good && s->functions.n == SCRIPT_FUNCTIONS) {
        ez_src_error(s->t, f.at, "more than %d functions", SCRIPT_FUNCTIONS);
        s->at = s->t->n;
    }
    if (good && s->functions.n < SCRIPT_FUNCTIONS)
        EZ_PUSH(&s->functions, f);
    else
        script_free_function(&f);
}

/* Handles a word that is not allowed at this place: reports an error and skips the word. Returns
 * false if the word is allowed. */
static bool script_misplaced(struct ez_script *s, struct ez_token k)
{
    int n = (int)EZ_MIN(k.p.n, (size_t)60);
    const char *word = s->t->text + k.p.at;
    if (ez_token_is(s->t, k, "BEGIN")) {
        struct ez_tpl_function lost = { 0 };
        ez_src_error(s->t, k.p.at, "BEGIN without the prototype of a function before it");
        ez_body_read(s, &lost);
        script_free_function(&lost);
        return true;
    }
    if (ez_body_command(s->t, k.p))
        ez_src_error(s->t, k.p.at, "%.*s outside BEGIN and END", n, word);
    else if (ez_token_is(s->t, k, "BEGIN_MODULE"))
        ez_src_error(s->t, k.p.at, "a second BEGIN_MODULE: a script is one module");
    else if (ez_token_reserved(s->t, k) && !ez_token_is(s->t, k, "BEGIN_INCLUDE") &&
             !ez_token_is(s->t, k, "BEGIN_CFLAGS") && !ez_token_is(s->t, k, "BEGIN_LDFLAGS"))
        ez_src_error(s->t, k.p.at, "%.*s without BEGIN%.*s", n, word, n - 3, word + 3);
    else
        return false;
    s->at = k.p.at + k.p.n;
    script_next_line(s, k.p.at);
    return true;
}

static void script_frame(struct ez_script *s)
{
    struct ez_token k = ez_token_peek(s->t, s->at);
    if (!ez_token_is(s->t, k, "BEGIN_MODULE"))
        ez_token_unfit(s->t, k, "BEGIN_MODULE");
    else
        s->at = k.p.at + k.p.n;
}

void ez_script_read(struct ez_script *s, struct ez_src *t)
{
    *s = (struct ez_script){ .t = t };
    script_frame(s);
    for (;;) {
        struct ez_token k = ez_token_peek(t, s->at);
        if (k.kind == EZ_TOK_END) {
            ez_src_error(t, t->n, "END_MODULE was expected");
            break;
        }
        if (ez_token_is(t, k, "END_MODULE")) {
            s->at = k.p.at + k.p.n;
            k = ez_token_peek(t, s->at);
            if (k.kind != EZ_TOK_END)
                ez_src_error(t, k.p.at, "nothing may follow END_MODULE");
            break;
        }
        if (!script_misplaced(s, k) && !ez_header_read(s))
            script_function(s);
        if (t->errors > 4 * EZ_SRC_ERRORS)
            break;
    }
    ez_script_verify(s);
}
