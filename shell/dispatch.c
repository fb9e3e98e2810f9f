/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.c - see dispatch.h. */
#include "shell/dispatch.h"

#include <string.h>

#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

static bool named(const struct ez_cmd *c, const char *word, size_t len)
{
    return (strlen(c->name) == len && !strncmp(c->name, word, len)) ||
           (c->alias && strlen(c->alias) == len && !strncmp(c->alias, word, len));
}

static ez_err *ambiguous(const struct ez_cmd *table, const char *family, const char *word,
                         size_t len)
{
    EZ_FREE char *list = ez_strdup("");
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN || strncmp(c->name, word, len))
            continue;
        char *more = ez_sprintf("%s%s%s", list, *list ? ", " : "", c->name);
        free(list);
        list = more;
    }
    return ez_err_new(EZ_E_ARG, 0, "Ambiguous %scommand \"%.*s\": %s.", family, (int)len, word,
                      list);
}

ez_err *dispatch_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                      const struct ez_cmd **out)
{
    const struct ez_cmd *prefix = NULL;
    unsigned n = 0;
    for (const struct ez_cmd *c = table; c->name; c++)
        if (named(c, word, len)) {
            *out = c;
            return NULL;
        }
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN || strncmp(c->name, word, len))
            continue;
        prefix = c;
        n++;
        if (c->min_abbrev && len >= c->min_abbrev) {
            n = 1;
            break;
        }
    }
    *out = prefix;
    if (n == 1 && len)
        return NULL;
    if (n > 1 && len)
        return ambiguous(table, family, word, len);
    return ez_err_new(EZ_E_ARG, 0, "Undefined %scommand: \"%.*s\".  Try \"help%s%.*s\".", family,
                      (int)len, word, *family ? " " : "",
                      (int)(strlen(family) ? strlen(family) - 1 : 0), family);
}

ez_err *dispatch_resolve(const char **text, const struct ez_cmd **out, char **name)
{
    const struct ez_cmd *table = ez_cmds;
    EZ_FREE char *family = ez_strdup("");
    const char *p = lex_skip_blanks(*text);
    do {
        size_t len = lex_name(p);
        if (!len) /* nothing that could be a name: quote what stands there */
            len = strcspn(p, " \t");
        EZ_TRY(dispatch_find(table, family, p, len, out));
        p = lex_skip_blanks(p + len);
        char *longer = ez_sprintf("%s%s ", family, (*out)->name);
        free(family);
        family = longer;
        table = (*out)->sub;
    } while (table && *p && *p != '#');
    *text = p;
    *name = strndup(family, strlen(family) - 1);
    return NULL;
}

/* What the table says must hold before the command may run. */
static ez_err *check_state(struct ez_sess *s, const struct ez_cmd *c)
{
    enum ez_state st = ez_target_state(s->target);
    if (c->flags & (NEED_TARGET | NEED_STOPPED) && st == EZ_NONE)
        return ez_err_new(EZ_E_STATE, 0, "The program is not being run.");
    if (c->flags & NEED_STOPPED && st != EZ_STOPPED)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Cannot execute this command while the target is running."),
            "\"interrupt\" stops it");
    return NULL;
}

static ez_err *usage(const struct ez_cmd *c, const char *name)
{
    return ez_err_new(EZ_E_ARG, 0, "Usage: %s%s%s", name, *c->usage ? " " : "", c->usage);
}

static ez_err *invoke(struct ez_sess *s, const struct ez_cmd *c, char *name, const char *rest)
{
    char **words = NULL;
    int n = 0;
    if (c->flags & RAW) {
        char *raw[] = { name, (char *)rest, NULL };
        n = *rest ? 1 : 0;
        raw[1] = n ? raw[1] : NULL;
        if (n < c->argmin)
            return usage(c, name);
        EZ_TRY(check_state(s, c));
        return c->fn(s, 1 + n, raw);
    }
    EZ_TRY(lex_words(rest, &words, &n));
    ez_err *e = NULL;
    if (n < c->argmin || (c->argmax >= 0 && n > c->argmax))
        e = usage(c, name);
    if (!e)
        e = check_state(s, c);
    if (!e) {
        char **argv = ez_alloc(((size_t)n + 2) * sizeof *argv);
        argv[0] = name;
        memcpy(argv + 1, words, (size_t)n * sizeof *argv);
        e = c->fn(s, n + 1, argv);
        free(argv);
    }
    lex_free(words);
    return e;
}

ez_err *dispatch(struct ez_sess *s, const char *line)
{
    const struct ez_cmd *c;
    const char *text = lex_skip_blanks(line);
    EZ_FREE char *name = NULL;
    if (!*text || *text == '#')
        return NULL;
    if (s->ui.trace_commands)
        out_line(s, "+%s", text);
    free(s->repeat);
    s->repeat = NULL;
    EZ_TRY(dispatch_resolve(&text, &c, &name));
    if (!(c->flags & (MUTATES | NO_REPEAT)))
        s->repeat = ez_strdup(line); /* before it runs: `x` and `list` change it */
    size_t from = s->kept.n;
    ez_err *e = invoke(s, c, name, text);
    s->quit_pager = false;
    sess_events(s); /* what the command made happen is told before the prompt */
    sess_forget(s, from);
    out_flush(s);
    return e;
}

bool dispatch_print(struct ez_sess *s, const char *line)
{
    ez_err *e = dispatch(s, line);
    if (!e)
        return true;
    s->failed++;
    out_error(s, e);
    return false;
}
