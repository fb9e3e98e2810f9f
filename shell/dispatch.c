/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dispatch.c - finds the command of a line and runs its function (dispatch.h). */
#include "shell/dispatch.h"

#include <string.h>

#include "shell/hooks.h"
#include "shell/lex.h"
#include "shell/lookup.h"
#include "shell/out.h"
#include "shell/record.h"
#include "shell/sess.h"
#include "shell/wire.h"

/* Returns an error if the command needs a live or a stopped process and the target has none. */
static ez_err *dispatch_check_state(struct ez_sess *s, const struct ez_cmd *c)
{
    enum ez_state st = ez_target_state(s->target);
    if (c->flags & OR_CORE && st == EZ_CORE)
        return NULL;
    if (c->flags & (NEED_TARGET | NEED_STOPPED) && (st == EZ_NONE || st == EZ_CORE))
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
    EZ_FREE char *head = ez_strndup(rest, strlen(rest) - strlen(s->run.tail));
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
    struct ez_opts opts = {
        .command = name, .operands = c->usage, .list = c->options, .first = c->flags & OPTIONS_FIRST
    };
    /* The options are restored at the end, because a command may run other commands (`source`). */
    const struct ez_opts *outer = s->run.opts;
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

static ez_err *dispatch_hooked(struct ez_sess *s, const struct ez_cmd *c, char *name,
                               const char *text)
{
    EZ_FREE char *verb = ez_strndup(name, strcspn(name, " "));
    EZ_TRY(hooks_words->hook(s, "hook-", verb));
    EZ_TRY(dispatch_command(s, c, name, text));
    return hooks_words->hook(s, "hookpost-", verb);
}

/* Runs a built-in command. `line`: the line as typed; `text`: the line with aliases replaced. */
static ez_err *dispatch_own(struct ez_sess *s, const char *line, const char *text)
{
    const struct ez_cmd *c;
    EZ_FREE char *name = NULL;
    EZ_TRY(lookup_resolve(&text, &c, &name));
    if (!(c->flags & (MUTATES | NO_REPEAT)))
        s->run.repeat =
            /* Set before the command runs, because the command "x" replaces the line to repeat. */
            ez_strdup(line);
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
