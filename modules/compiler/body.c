/* SPDX-License-Identifier: GPL-3.0-or-later */
/* body.c - reads the commands between BEGIN and END, with their texts and values.
 * Tests: tests/unit/modules/check_script.c */
#include <string.h>
#include <strings.h>

#include "modules/compiler/script.h"
#include "modules/compiler/token.h"

#define BODY_TEXT 255 /* maximum number of bytes of a text */
#define BODY_DEPTH 32 /* maximum nesting of IFs */
#define BODY_MOST 10000

static const struct body_word {
    const char *name;
    bool text, value;
} words[] = {
    /* Names of the commands, indexed by enum ez_tpl_kind. */
    [EZ_TPL_ADD_VAR] = { "ADD_VAR", true, true },
    [EZ_TPL_CALL] = { "CALL_FUNC", false, false },
    [EZ_TPL_COUNTERS] = { "COUNTERS", false, false },
    [EZ_TPL_ELSE] = { "ELSE", false, false },
    [EZ_TPL_END_IF] = { "END_IF", false, false },
    [EZ_TPL_EVENT] = { "EVENT", true, false },
    [EZ_TPL_IF] = { "IF", false, true },
    [EZ_TPL_POP] = { "POP_STATE", false, false },
    [EZ_TPL_PUSH] = { "PUSH_STATE", true, false },
    [EZ_TPL_RECORD] = { "RECORD_STATE", true, false },
    [EZ_TPL_SET] = { "SET_STATE", true, false },
    [EZ_TPL_SET_VAR] = { "SET_VAR", true, true },
    [EZ_TPL_SUB_VAR] = { "SUB_VAR", true, true },
};

bool ez_body_command(const struct ez_src *t, struct ez_piece word)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (ez_piece_is(t, word, words[i].name))
            return true;
    return ez_piece_is(t, word, "PAPI");
}

/* ---- texts ---------------------------------------------------------------------------- */

char *ez_body_text(struct ez_src *t, size_t *at)
{
    struct ez_token k = ez_token_peek(t, *at);
    if (k.kind != EZ_TOK_TEXT) {
        ez_token_unfit(t, k, "a text in quotes");
        return NULL;
    }
    *at = k.p.at + k.p.n;
    char *out = ez_alloc(k.p.n), *o = out;
    size_t i = k.p.at + 1, end = *at - 1;
    const char *wrong = end - i > BODY_TEXT ? "a text of more than 255 bytes"
                        : end == i          ? "the text is empty"
                                            : NULL;
    for (; i < end && !wrong; i++) {
        unsigned char c = (unsigned char)t->text[i];
        if (c == '\\' && !strchr("\"\\", t->text[i + 1]))
            wrong = "in a text, a backslash stands before a quote or a backslash alone";
        else if (c == '\\')
            c = (unsigned char)t->text[++i];
        if (c < ' ' || c == 0x7f)
            wrong = "a text has no tabs or other control characters";
        *o++ = (char)c;
    }
    if (!wrong)
        return out;
    ez_src_error(t, end == k.p.at + 1 ? k.p.at : i - (i > k.p.at + 1), "%s", wrong);
    free(out);
    return NULL;
}

/* ---- commands ----------------------------------------------------------------------------- */

struct body {
    struct ez_script *s;
    struct ez_src *t;
    struct ez_tpl_function *f;
    size_t depth;
    struct {
        size_t at;
        bool in_else;
    } open[BODY_DEPTH];
};

static bool body_accepts(struct body *b, const char *sign)
{
    struct ez_token k = ez_token_peek(b->t, b->s->at);
    if (!ez_token_is(b->t, k, sign))
        return false;
    b->s->at = k.p.at + k.p.n;
    return true;
}

static bool body_wants(struct body *b, const char *sign, const char *as)
{
    if (body_accepts(b, sign))
        return true;
    ez_token_unfit(b->t, ez_token_peek(b->t, b->s->at), as);
    return false;
}

/* Reads the hardware events of COUNTERS. */
static bool body_events(struct body *b)
{
    if (ez_token_peek(b->t, b->s->at).kind != EZ_TOK_TEXT)
        return true;
    char *text = ez_body_text(b->t, &b->s->at);
    if (text)
        EZ_PUSH(&b->s->counters, text);
    return text;
}

/* Reads "(...)" after the name of a command. */
static bool body_args(struct body *b, const struct body_word *w, struct ez_tpl_cmd *cmd)
{
    if (cmd->kind == EZ_TPL_COUNTERS)
        return !body_accepts(b, "(") || (body_events(b) && body_wants(b, ")", "')'"));
    if (!w->text && !w->value)
        return !body_accepts(b, "(") || body_wants(b, ")", "')'");
    if (!body_wants(b, "(", "'('"))
        return false;
    if (w->text && !(cmd->text = ez_body_text(b->t, &b->s->at)))
        return false;
    if (w->text && w->value && !body_wants(b, ",", "',' and a value"))
        return false;
    if (w->value && !ez_expr_read(b->t, &b->s->at, &cmd->expr))
        return false;
    return body_wants(b, ")", "')'");
}

/* Checks that IF, ELSE and END_IF match, and that CALL_FUNC and COUNTERS are in no IF; sets the
 * command's depth. Returns false if the command does not fit. */
static bool body_nest(struct body *b, struct ez_tpl_cmd *cmd)
{
    cmd->depth = (unsigned)b->depth;
    if (cmd->kind == EZ_TPL_IF) {
        if (b->depth == BODY_DEPTH) {
            ez_src_error(b->t, cmd->at, "more than %d IFs, one in the other", BODY_DEPTH);
            return false;
        }
        b->open[b->depth].at = cmd->at;
        b->open[b->depth++].in_else = false;
    } else if (cmd->kind == EZ_TPL_ELSE || cmd->kind == EZ_TPL_END_IF) {
        const char *name = words[cmd->kind].name;
        if (!b->depth || (cmd->kind == EZ_TPL_ELSE && b->open[b->depth - 1].in_else)) {
            ez_src_error(b->t, cmd->at, b->depth ? "a second %s" : "%s without IF", name);
            return false;
        }
        cmd->depth--;
        b->open[b->depth - 1].in_else = true;
        b->depth -= cmd->kind == EZ_TPL_END_IF;
    } else if (cmd->kind == EZ_TPL_CALL && b->depth) {
        ez_src_error(b->t, cmd->at, "CALL_FUNC inside IF: the function is always called, once");
        return false;
    } else if (cmd->kind == EZ_TPL_COUNTERS && b->depth) {
        ez_src_error(b->t, cmd->at, "COUNTERS inside IF: counters are measured for the whole call");
        return false;
    }
    return true;
}

static void body_unknown(struct body *b, struct ez_token k)
{
    int n = (int)EZ_MIN(k.p.n, (size_t)60);
    const char *word = b->t->text + k.p.at;
    if (k.kind != EZ_TOK_WORD) {
        ez_token_unfit(b->t, k, "a command");
        return;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (!strncasecmp(words[i].name, word, k.p.n) && strlen(words[i].name) == k.p.n) {
            ez_src_error(b->t, k.p.at, "unknown command %.*s: write %s", n, word, words[i].name);
            return;
        }
    ez_src_error(b->t, k.p.at, "unknown command %.*s", n, word);
}

/* Reads one command. Skips the rest of its line after an error. */
static void body_command(struct body *b)
{
    struct ez_token k = ez_token_next(b->t, &b->s->at);
    struct ez_tpl_cmd cmd = { .at = k.p.at };
    size_t i = 0;
    while (i < EZ_ARRAY_LEN(words) && !ez_token_is(b->t, k, words[i].name))
        i++;
    if (ez_token_is(b->t, k, "PAPI")) /* the command's name in EZTrace's scripts */
        i = EZ_TPL_COUNTERS;
    cmd.kind = (enum ez_tpl_kind)i;
    bool known = i < EZ_ARRAY_LEN(words);
    if (!known)
        body_unknown(b, k);
    if (!known || !body_args(b, &words[i], &cmd)) {
        b->s->at = EZ_MAX(b->s->at, ez_src_line_end(b->t, b->s->at));
        if (!known || cmd.kind != EZ_TPL_IF) {
            free(cmd.text);
            return;
        }
    }
    body_accepts(b, ";");
    if (b->f->cmds.n == BODY_MOST)
        ez_src_error(b->t, cmd.at, "more than %d commands", BODY_MOST);
    if (b->f->cmds.n >= BODY_MOST || !body_nest(b, &cmd)) {
        free(cmd.text);
        return;
    }
    EZ_PUSH(&b->f->cmds, cmd);
}

void ez_body_read(struct ez_script *s, struct ez_tpl_function *f)
{
    struct body b = { .s = s, .t = s->t, .f = f };
    size_t begin = ez_token_next(s->t, &s->at).p.at;
    for (;;) {
        struct ez_token k = ez_token_peek(s->t, s->at);
        if (ez_token_is(s->t, k, "END")) {
            s->at = k.p.at + k.p.n;
            break;
        }
        if (k.kind == EZ_TOK_END || (ez_token_reserved(s->t, k) && !ez_body_command(s->t, k.p))) {
            ez_src_error(s->t, begin, "this BEGIN has no END");
            return;
        }
        body_command(&b);
    }
    while (b.depth)
        ez_src_error(s->t, b.open[--b.depth].at, "this IF has no END_IF");
}
