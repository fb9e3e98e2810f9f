/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.c - see dispatch.h. */
#include "shell/dispatch.h"

#include <string.h>

#include "shell/gdb_words.h"
#include "shell/hooks.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/record.h"
#include "shell/settings.h"
#include "shell/sess.h"
#include "shell/wire.h"

static bool dispatch_named(const struct ez_cmd *c, const char *word, size_t len)
{
    return (strlen(c->name) == len && !strncmp(c->name, word, len)) ||
           (c->alias && strlen(c->alias) == len && !strncmp(c->alias, word, len));
}

static ez_err *dispatch_ambiguous(const struct ez_cmd *table, const char *family, const char *word,
                                  size_t len, const struct gdb_word *gdbs)
{
    EZ_FREE char *list = ez_strdup("");
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN || strncmp(c->name, word, len))
            continue;
        char *more = ez_sprintf("%s%s%s", list, *list ? ", " : "", c->name);
        free(list);
        list = more;
    }
    return ez_err_new(EZ_E_ARG, 0, "Ambiguous %scommand \"%.*s\": %s%s%s", family, (int)len, word,
                      list, gdbs ? ", and gdb's " : "", gdbs ? gdbs->name : "");
}

/* Returns the number of letters to change, omit or insert to turn a, which has n letters, into
 * b. */
static size_t dispatch_apart(const char *a, size_t n, const char *b)
{
    size_t m = strlen(b), row[32];
    if (m >= EZ_ARRAY_LEN(row))
        return m;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t before = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = EZ_MIN(EZ_MIN(row[j], row[j - 1]) + 1, change);
        }
    }
    return row[m];
}

static const char *dispatch_meant(const struct ez_cmd *table, const char *word, size_t len)
{
    /* A word of 3 or 4 letters may have one wrong letter, a longer word two. */
    size_t nearest = len < 3 ? 0 : len < 5 ? 2 : 3;
    const char *best = NULL;
    for (const struct ez_cmd *c = table; c->name; c++) {
        size_t far = c->flags & HIDDEN ? len : dispatch_apart(word, len, c->name);
        if (far < nearest) {
            nearest = far;
            best = c->name;
        }
    }
    return best;
}

static ez_err *dispatch_undefined(const struct ez_cmd *table, const char *family, const char *word,
                                  size_t len, const struct gdb_word *gdbs)
{
    const char *best = gdbs ? NULL : dispatch_meant(table, word, len);
    ez_err *e = ez_err_new(EZ_E_ARG, 0, "Undefined %scommand: \"%.*s\".  Try \"help%s%.*s\"",
                           family, (int)len, word, *family ? " " : "",
                           (int)(strlen(family) ? strlen(family) - 1 : 0), family);
    if (best)
        return ez_err_hint(e, "Did you mean \"%s\"?", best);
    if (!gdbs && (!strncmp(family, "set ", 4) || !strncmp(family, "show ", 5)))
        return ez_err_hint(e, "\"show\" lists the settings");
    return gdbs && gdbs->instead ? ez_err_hint(e, "%s", gdbs->instead) : e;
}

ez_err *dispatch_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                      const struct ez_cmd **out)
{
    const struct gdb_word *gdbs =
        !*family == (table == ez_cmds) ? gdb_word_named(family, word, len) : NULL;
    unsigned n = 0;
    *out = NULL;
    for (const struct ez_cmd *c = table; c->name; c++)
        if (dispatch_named(c, word, len)) {
            *out = c;
            return NULL;
        }
    if (gdbs)
        return dispatch_undefined(table, family, word, len, gdbs);
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN || strncmp(c->name, word, len))
            continue;
        *out = c;
        n++;
        if (c->min_abbrev && len >= c->min_abbrev)
            return NULL;
    }
    if (table == ez_cmds)
        gdbs = gdb_word_begins(word, len);
    if (len && (n > 1 || (n && gdbs)))
        return dispatch_ambiguous(table, family, word, len, gdbs);
    return n && len ? NULL : dispatch_undefined(table, family, word, len, gdbs);
}

/* Returns the word at `text` as the name of a subcommand: *len bytes without its quotes, *whole
 * with them. */
static const char *dispatch_sub_word(const char *text, size_t *len, size_t *whole)
{
    *whole = *len = strcspn(text, " \t");
    bool quoted = *len > 2 && (*text == '"' || *text == '\'') && text[*len - 1] == *text;
    *len -= quoted ? 2 : 0;
    return text + quoted;
}

bool dispatch_own_word(const struct ez_cmd *c, const char *text)
{
    size_t len, whole;
    text = dispatch_sub_word(text, &len, &whole);
    if (!(c->flags & OWN_WORDS))
        return false;
    for (const struct ez_cmd *sub = c->sub; sub->name; sub++)
        if (dispatch_named(sub, text, len))
            return false;
    return true;
}

ez_err *dispatch_resolve(const char **text, const struct ez_cmd **out, char **name)
{
    const struct ez_cmd *table = ez_cmds;
    EZ_FREE char *family = ez_strdup("");
    const char *p = lex_skip_blanks(*text);
    do {
        size_t len = lex_name(p), whole = len;
        const char *word = p;
        if (!len && table == ez_set_cmds && *p == '$') { /* set $v = 1 is set variable $v = 1 */
            word = "variable";
            len = strlen(word);
            whole = 0;
        } else if (!len && *family && (*out)->flags & OWN_WORDS)
            word = dispatch_sub_word(p, &len, &whole);
        else if (!len) /* not even a name: the message quotes the whole text */
            whole = len = strcspn(p, " \t");
        EZ_TRY(dispatch_find(table, family, word, len, out));
        p = lex_skip_blanks(p + whole);
        char *longer = ez_sprintf("%s%s ", family, (*out)->name);
        free(family);
        family = longer;
        table = (*out)->sub;
        if ((*out)->options && *p == '-') /* info proc -json */
            break;
    } while (table && *p && *p != '#' && !dispatch_own_word(*out, p));
    *text = p;
    *name = strndup(family, strlen(family) - 1);
    return NULL;
}

/* Checks the preconditions of the command's table entry. */
static ez_err *dispatch_check_state(struct ez_sess *s, const struct ez_cmd *c)
{
    enum ez_state st = ez_target_state(s->target);
    if (c->flags & (NEED_TARGET | NEED_STOPPED) && st == EZ_NONE)
        return ez_err_new(EZ_E_STATE, 0, "The program is not being run");
    if (c->flags & NEED_STOPPED && st != EZ_STOPPED)
        return ez_err_hint(
            ez_err_new(EZ_E_STATE, 0, "Cannot execute this command while the target is running"),
            "\"interrupt\" stops the program");
    return NULL;
}

/* Checks the n operands in argv and the target's state, then runs the command. */
static ez_err *dispatch_checked(struct ez_sess *s, const struct ez_cmd *c, int n, char **argv)
{
    if (n < c->argmin || (c->argmax >= 0 && n > c->argmax))
        return opt_misuse(s);
    EZ_TRY(dispatch_check_state(s, c));
    return c->fn(s, 1 + n, argv);
}

const char *const cmd_tail[] = { "if", "do", "collect", "return", NULL };

static ez_err *dispatch_words(struct ez_sess *s, const struct ez_cmd *c, const char *rest,
                              struct ez_opts *opts)
{
    char **words;
    int n;
    s->run.tail = c->flags & TAIL ? lex_find_word(rest, cmd_tail) : "";
    EZ_FREE char *head = strndup(rest, strlen(rest) - strlen(s->run.tail));
    EZ_TRY(lex_words(head, &words, &n));
    EZ_FREE char **argv = ez_alloc(((size_t)n + 2) * sizeof *argv);
    argv[0] = (char *)opts->command;
    memcpy(argv + 1, words, (size_t)n * sizeof *argv);
    n++;
    ez_err *e = opt_parse(s, opts, &n, argv);
    s->run.json = opt_json(opts);
    if (!e)
        e = dispatch_checked(s, c, n - 1, argv);
    lex_free(words);
    return e;
}

static ez_err *dispatch_raw(struct ez_sess *s, const struct ez_cmd *c, const char *rest,
                            struct ez_opts *opts)
{
    EZ_TRY(opt_parse_line(s, opts, &rest));
    char *argv[] = { (char *)opts->command, *rest ? (char *)rest : NULL, NULL };
    s->run.json = opt_json(opts);
    return dispatch_checked(s, c, *rest != 0, argv);
}

static ez_err *dispatch_command(struct ez_sess *s, const struct ez_cmd *c, char *name,
                                const char *rest)
{
    struct ez_opts opts = { .command = name, .operands = c->usage, .list = c->options };
    const struct ez_opts *outer = s->run.opts; /* `source` runs other commands */
    bool json = s->run.json;
    s->run.opts = &opts;
    s->run.json = false;
    ez_err *e = hooks_members->route(s, c, name, rest) ? hooks_members->command(s, c, name, rest)
                : c->flags & RAW                       ? dispatch_raw(s, c, rest, &opts)
                                                       : dispatch_words(s, c, rest, &opts);
    if (s->wire)
        wire_json_ends(s);
    s->run.opts = outer;
    s->run.json = json;
    return e;
}

static ez_err *dispatch_block(struct ez_sess *s, const char *line)
{
    size_t from = s->kept.n;
    ez_err *e = s->run.block(s, line);
    sess_forget(s, from);
    out_flush(s);
    return ez_err_first(e, out_unwritten(s));
}

uint32_t sess_flags_of(const char *line)
{
    const struct ez_cmd *c;
    const char *word = lex_skip_blanks(line);
    size_t len = lex_name(word);
    return len && ez_err_drop(dispatch_find(ez_cmds, "", word, len, &c)) ? c->flags : 0;
}

const struct ez_cmd *sess_command_of(const char *line)
{
    const struct ez_cmd *c = NULL;
    EZ_FREE char *name = NULL;
    const char *p = lex_skip_blanks(line);
    return lex_name(p) && ez_err_drop(dispatch_resolve(&p, &c, &name)) ? c : NULL;
}

bool sess_is_command(const char *name)
{
    for (const struct ez_cmd *c = ez_cmds; c->name; c++)
        if (dispatch_named(c, name, strlen(name)))
            return true;
    return false;
}

static ez_err *dispatch_hooked(struct ez_sess *s, const struct ez_cmd *c, char *name,
                               const char *text)
{
    EZ_FREE char *verb = strndup(name, strcspn(name, " "));
    EZ_TRY(hooks_words->hook(s, "hook-", verb));
    EZ_TRY(dispatch_command(s, c, name, text));
    return hooks_words->hook(s, "hookpost-", verb);
}

ez_err *sess_after_stop(struct ez_sess *s, ez_err *e)
{
    if (!e && s->program.stopped)
        e = hooks_words->hook(s, "hook-", "stop");
    s->program.stopped = false;
    hooks_call(s, SHELL_STOP_DONE);
    return e;
}

/* Runs a command of the table. */
static ez_err *dispatch_own(struct ez_sess *s, const char *line, const char *text)
{
    const struct ez_cmd *c;
    EZ_FREE char *name = NULL;
    EZ_TRY(dispatch_resolve(&text, &c, &name));
    if (!(c->flags & (MUTATES | NO_REPEAT)))
        s->run.repeat = ez_strdup(line); /* set before the command runs, because `x` changes it */
    size_t from = s->kept.n;
    ez_err *e = dispatch_hooked(s, c, name, text);
    s->out.quit_pager = false;
    e = ez_err_first(e, hooks_ran(s));
    sess_events(s); /* prints the command's events before the prompt */
    sess_forget(s, from);
    return sess_after_stop(s, e);
}

static ez_err *dispatch_line(struct ez_sess *s, const char *line)
{
    const char *text = lex_skip_blanks(line);
    EZ_FREE char *meant = NULL;
    char *other;
    ez_err *e = NULL;
    if (s->run.block)
        return dispatch_block(s, line);
    if (!*text || *text == '#')
        return NULL;
    if (s->ui.trace_commands)
        out_ours(s, "+%s", text);
    free(s->run.repeat);
    s->run.repeat = NULL;
    bool own = true;
    while (own && hooks_words->call(s, text, &other, &e)) {
        own = other; /* an alias, which may name another alias */
        free(meant);
        text = meant = other;
    }
    if (own)
        e = dispatch_own(s, line, text);
    else if (!e)
        s->run.repeat = ez_strdup(line);
    out_flush(s);
    return ez_err_first(e, out_unwritten(s));
}

ez_err *dispatch(struct ez_sess *s, const char *line)
{
    if (!s->run.nested)
        record_line(s, line);
    s->run.nested++;
    ez_err *e = dispatch_line(s, line);
    if (--s->run.nested)
        return e;
    if (!e)
        hooks_call(s, SHELL_LINE_DONE);
    record_ran(s);
    return e;
}

bool dispatch_print(struct ez_sess *s, const char *line)
{
    ez_err *e = dispatch(s, line);
    if (!e)
        return true;
    bool led = e->code == EZ_E_SYS && e->tid;
    s->end.failed++;
    out_error(s, e);
    if (led)
        hooks_call(s, SHELL_CALL_FAILED);
    return false;
}
