/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user.c - commands of the user: `define`, `document`, `alias`, `show user`, and hooks.
 *
 * The dispatcher looks up the first word of a line among these commands first (user_call). A hook
 * is a command named hook-NAME, which runs before NAME, or hookpost-NAME, which runs after it.
 * hook-stop runs when the program stops.
 * Tests: tests/e2e/flow.ezt */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/flow.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

/* ---- names ----------------------------------------------------------------------------------- */

struct user_cmd {
    char *name;
    char *doc;   /* NULL = none */
    char *alias; /* text of the command that an alias runs; NULL = the command runs `body` */
    struct flow_lines body;
};

struct user {
    EZ_VEC(struct user_cmd *) v;
    struct user_cmd *defining; /* command whose lines are being typed; owned */
    bool hooked;               /* a hook runs at this moment, so no other hook runs */
};

static void user_clear(struct user_cmd *u)
{
    if (!u)
        return;
    free(u->name);
    free(u->doc);
    free(u->alias);
    flow_lines_clear(&u->body);
    free(u);
}

static void user_free(void *state)
{
    struct user *own = state;
    for (size_t i = 0; i < own->v.n; i++)
        user_clear(own->v.at[i]);
    EZ_VEC_FREE(&own->v);
    user_clear(own->defining);
}

static struct user *user_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct user), user_free };
    return sess_state(s, &kind);
}

static struct user_cmd *user_named(struct ez_sess *s, const char *name, size_t len)
{
    const struct user *own = user_state(s);
    for (size_t i = 0; i < own->v.n; i++) {
        struct user_cmd *u = own->v.at[i];
        if (strlen(u->name) == len && !strncmp(u->name, name, len))
            return u;
    }
    return NULL;
}

static int user_by_name(const void *a, const void *b)
{
    return strcmp((*(struct user_cmd *const *)a)->name, (*(struct user_cmd *const *)b)->name);
}

/* Adds a command. If one of that name exists, replaces it and keeps its `doc`. */
static void user_add(struct user *own, struct user_cmd *u)
{
    for (size_t i = 0; i < own->v.n; i++) {
        struct user_cmd *old = own->v.at[i];
        if (strcmp(old->name, u->name))
            continue;
        if (!u->doc) {
            u->doc = old->doc;
            old->doc = NULL;
        }
        user_clear(old);
        own->v.at[i] = u;
        return;
    }
    EZ_PUSH(&own->v, u);
    qsort(own->v.at, own->v.n, sizeof *own->v.at, user_by_name);
}

void user_names(struct ez_sess *s, void (*fn)(const char *name, const char *brief, void *arg),
                void *arg)
{
    const struct user *own = user_state(s);
    for (size_t i = 0; i < own->v.n; i++) {
        const struct user_cmd *u = own->v.at[i];
        const char *doc = u->doc ? u->doc : u->alias ? u->alias : "User-defined.";
        fn(u->name, sess_format(s, "%.*s", (int)strcspn(doc, "\n"), doc), arg);
    }
}

/* ---- define, document ------------------------------------------------------------------------ */

static ez_err *user_defined(struct ez_sess *s, struct flow_lines *l)
{
    struct user *own = user_state(s);
    struct user_cmd *u = own->defining;
    own->defining = NULL;
    u->body = *l;
    *l = (struct flow_lines){ 0 };
    user_add(own, u);
    return NULL;
}

static ez_err *user_documented(struct ez_sess *s, struct flow_lines *l)
{
    struct user *own = user_state(s);
    struct user_cmd *u = own->defining, *to = user_named(s, u->name, strlen(u->name));
    own->defining = NULL;
    char *text = ez_strdup("");
    for (size_t i = 0; i < l->line.n; i++) {
        char *more = ez_sprintf("%s%s\n", text, l->line.at[i]);
        free(text);
        text = more;
    }
    if (to) {
        free(to->doc);
        to->doc = text;
    } else {
        free(text);
    }
    user_clear(u);
    return NULL;
}

/* Parses the name after `define` or `document`. */
static ez_err *user_parse_name(int argc, char **argv, const char **name, size_t *n)
{
    *name = argc > 1 ? argv[1] : "";
    *n = lex_name(*name);
    if (!**name)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (name of command to define)");
    if (!*n || *lex_skip_blanks(*name + *n))
        return ez_err_gdb(EZ_E_ARG, "Junk in argument list: \"%s\"", *name + *n);
    return NULL;
}

/* Returns true for hook-NAME without a command NAME. */
static bool user_hooks_nothing(struct ez_sess *s, const char *name, size_t n)
{
    size_t skip = !strncmp(name, "hook-", 5) ? 5 : !strncmp(name, "hookpost-", 9) ? 9 : 0;
    EZ_FREE char *to = ez_strndup(name + skip, n - skip);
    return skip && strcmp(to, "stop") && !user_named(s, to, strlen(to)) && !sess_is_command(to);
}

static void user_begin(struct ez_sess *s, const char *name, size_t n)
{
    struct user *own = user_state(s);
    user_clear(own->defining);
    own->defining = ez_alloc(sizeof *own->defining);
    own->defining->name = ez_strndup(name, n);
}

static ez_err *cmd_define(struct ez_sess *s, int argc, char **argv)
{
    const char *name;
    size_t n;
    EZ_TRY(user_parse_name(argc, argv, &name, &n));
    EZ_FREE char *word = ez_strndup(name, n);
    if (user_named(s, name, n)) {
        if (!sess_query(s, "Redefine command \"%s\"? ", word))
            return ez_err_new(EZ_E_STATE, 0, "Command \"%s\" not redefined", word);
    } else if (sess_is_command(word) &&
               !sess_query(s, "Really redefine built-in command \"%s\"? ", word)) {
        return ez_err_new(EZ_E_STATE, 0, "Command \"%s\" not redefined", word);
    }
    if (user_hooks_nothing(s, name, n)) {
        out_warning(s, "Your new `%s' command does not hook any existing command.", word);
        if (!sess_query(s, "Proceed? "))
            return ez_err_new(EZ_E_STATE, 0, "Not confirmed");
    }
    user_begin(s, name, n);
    flow_read(s, false, sess_format(s, "Type commands for definition of \"%s\".", word),
              user_defined);
    return NULL;
}

const struct ez_cmd command_define = {
    .name = "define",
    .usage = "NAME",
    .brief = "Define a command: the lines up to \"end\".",
    .help = "The lines run when NAME is typed. In the lines $arg0, $arg1, ... are the words\n"
            "behind NAME, $arg* is all of them, and $argc is their number. Write \\$arg0 for\n"
            "an argument of a probed function; $arg0 also stays if NAME is called without\n"
            "that word.\n"
            "\n"
            "A command hook-NAME runs before the command NAME, hookpost-NAME after it.\n"
            "hook-stop runs when the program stops.",
    .examples = "define each\n"
                "  probe entry $arg0 collect $args\n"
                "  info probes\n"
                "end\n"
                "each compute",
    .see_also = "document, alias, if, while, show user, source",
    OPERANDS(SUPPORT, 0, -1),
    .flags = RAW | NO_REPEAT | BLOCK | TEXT_ONLY,
    .fn = cmd_define,
    .complete = comp_command,
};

static ez_err *cmd_document(struct ez_sess *s, int argc, char **argv)
{
    const char *name;
    size_t n;
    EZ_TRY(user_parse_name(argc, argv, &name, &n));
    if (!user_named(s, name, n)) {
        EZ_FREE char *word = ez_strndup(name, n);
        if (sess_is_command(word))
            return ez_err_new(EZ_E_ARG, 0, "Command \"%s\" is built-in", word);
        return ez_err_new(EZ_E_ARG, 0, "Undefined command: \"%s\".  Try \"help\"", word);
    }
    user_begin(s, name, n);
    flow_read(s, true, sess_format(s, "Type documentation for \"%.*s\".", (int)n, name),
              user_documented);
    return NULL;
}

const struct ez_cmd command_document = {
    .name = "document",
    .usage = "NAME",
    .brief = "Document a user-defined command: the lines up to \"end\".",
    .help = "The lines are what \"help NAME\" prints.",
    .examples = "document each\n"
                "Record each call of FUNC with its arguments.\n"
                "end",
    .see_also = "define, help",
    OPERANDS(SUPPORT, 0, -1),
    .flags = RAW | NO_REPEAT | BLOCK | TEXT_ONLY,
    .fn = cmd_document,
    .complete = comp_command,
};

/* The command alias [-a] [--] NAME = COMMAND [ARGUMENT...]. */
static ez_err *cmd_alias(struct ez_sess *s, int argc, char **argv)
{
    static const char usage[] = "Usage: alias [-a] [--] NAME = COMMAND [ARGUMENT...]";
    const char *p = argc > 1 ? argv[1] : "", *is = strchr(p, '=');
    while (*p == '-' && (p[1] == 'a' || p[1] == '-') && (!p[2] || isspace((unsigned char)p[2])))
        p = lex_skip_blanks(p + 2);
    size_t n = lex_name(p);
    if (!n || !is || lex_skip_blanks(p + n) != is || !*lex_skip_blanks(is + 1))
        return ez_err_gdb(EZ_E_ARG, "%s", usage);
    EZ_FREE char *name = ez_strndup(p, n);
    const char *to = lex_skip_blanks(is + 1);
    size_t len = lex_name(to);
    if (user_named(s, p, n) || sess_is_command(name))
        return ez_err_gdb(EZ_E_ARG, "Alias already exists: %s", name);
    EZ_FREE char *first = ez_strndup(to, len);
    if (!user_named(s, to, lex_name(to)) && !sess_is_command(first))
        return ez_err_gdb(EZ_E_ARG, "Invalid command to alias to: %s", to);
    struct user_cmd *u = ez_alloc(sizeof *u);
    *u = (struct user_cmd){ .name = ez_strdup(name), .alias = ez_strdup(to) };
    user_add(user_state(s), u);
    return NULL;
}

const struct ez_cmd command_alias = {
    .name = "alias",
    .usage = "NAME = COMMAND [ARG...]",
    .brief = "Give a command another name.",
    .help = "NAME is short for COMMAND with the ARGs. Words after NAME are appended.",
    .examples = "alias lf = info functions\n"
                "alias hot = stats -top 10 -sort self",
    .see_also = "define, show user",
    OPERANDS(SUPPORT, 0, -1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_alias,
    .complete = comp_command,
};

/* ---- calls ----------------------------------------------------------------------------------- */

/* Splits p into words. The words keep their quotes, because they are inserted into other lines. */
static struct flow_words user_words(const char *p)
{
    EZ_VEC(char *) word = { 0 };
    while (*(p = lex_skip_blanks(p))) {
        const char *from = p;
        char quote = 0;
        for (; *p && (quote || !isspace((unsigned char)*p)); p++)
            quote = quote ? *p == quote ? 0 : quote : strchr("'\"", *p) ? *p : 0;
        EZ_PUSH(&word, ez_strndup(from, (size_t)(p - from)));
    }
    EZ_PUSH(&word, NULL);
    return (struct flow_words){ word.at, (int)word.n - 1 };
}

static ez_err *user_run(struct ez_sess *s, struct user_cmd *u, const char *rest)
{
    struct flow_words words = user_words(rest);
    struct flow_lines body = { 0 }; /* the command may be redefined while it runs */
    for (size_t i = 0; i < u->body.line.n; i++)
        EZ_PUSH(&body.line, ez_strdup(u->body.line.at[i]));
    ez_err *e = flow_call(s, &body, words);
    flow_lines_clear(&body);
    lex_free(words.at);
    return e;
}

bool user_call(struct ez_sess *s, const char *text, char **other, ez_err **e)
{
    size_t n = lex_name(text);
    struct user_cmd *u = n ? user_named(s, text, n) : NULL;
    *other = NULL;
    if (!u)
        return false;
    if (u->alias) {
        *other = ez_sprintf("%s%s", u->alias, text + n);
        return true;
    }
    EZ_FREE char *name = ez_strdup(u->name); /* a copy, because the command may redefine itself
                                              * while it runs */
    *e = user_hook(s, "hook-", name);
    if (!*e && (u = user_named(s, name, n)))
        *e = user_run(s, u, text + n);
    if (!*e)
        *e = user_hook(s, "hookpost-", name);
    return true;
}

ez_err *user_hook(struct ez_sess *s, const char *before, const char *name)
{
    EZ_FREE char *hook = ez_sprintf("%s%s", before, name);
    struct user *own = user_state(s);
    struct user_cmd *u = user_named(s, hook, strlen(hook));
    if (!u || own->hooked)
        return NULL;
    own->hooked = true;
    ez_err *e = user_run(s, u, "");
    own->hooked = false;
    return e;
}

/* ---- listing --------------------------------------------------------------------------------- */

static void user_show(struct ez_sess *s, const struct user_cmd *u)
{
    if (u->alias) {
        out_line(s, "Alias \"%s\" = %s", u->name, u->alias);
        return;
    }
    out_line(s, "User command \"%s\":", u->name);
    unsigned depth = 1;
    for (size_t i = 0; i < u->body.line.n; i++) {
        const char *line = u->body.line.at[i] + strspn(u->body.line.at[i], " \t");
        bool otherwise = flow_is(line, "else");
        depth -= (otherwise || flow_ends(line)) && depth > 1;
        out_ours(s, "%*s%s", 2 * (int)depth, "", line);
        depth += otherwise || flow_begins(line);
    }
    out_line(s, "%s", "");
}

static ez_err *cmd_show_user(struct ez_sess *s, int argc, char **argv)
{
    if (argc > 1) {
        const struct user_cmd *u = user_named(s, argv[1], strlen(argv[1]));
        if (!u)
            return ez_err_new(EZ_E_NOTFOUND, 0, "Not a user command");
        user_show(s, u);
        return NULL;
    }
    const struct user *own = user_state(s);
    for (size_t i = 0; i < own->v.n; i++)
        user_show(s, own->v.at[i]);
    return NULL;
}

const struct ez_cmd command_show_user = {
    .parent = "show",
    .name = "user",
    .usage = "[NAME]",
    .brief = "Show the user-defined commands.",
    .examples = "show user each",
    .see_also = "define, document, alias",
    OPERANDS(SUPPORT, 0, 1),
    .fn = cmd_show_user,
};

bool user_help(struct ez_sess *s, const char *name)
{
    const struct user_cmd *u = user_named(s, name, strlen(name));
    if (!u)
        return false;
    if (u->alias)
        out_line(s, "%s is an alias of \"%s\".", u->name, u->alias);
    else
        out_text(s, u->doc ? u->doc : "User-defined.\n");
    return true;
}
