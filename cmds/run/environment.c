/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environment.c - `set|show|unset environment`, `set|show cwd`, `tty`: the environment in which
 * `run` starts the program.
 * Tests: tests/procs/moving.sh */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run/environment.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static void environment_free(void *state)
{
    struct environment *e = state;
    for (size_t i = 0; i < e->change.n; i++)
        free(e->change.at[i]);
    EZ_VEC_FREE(&e->change);
    free(e->cwd);
    free(e->tty);
}

struct environment *environment_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct environment), environment_free };
    return sess_state(s, &kind);
}

/* Returns the change that the user made to a variable: "NAME=VALUE", or "NAME" if it is removed.
 * NULL: the user did not change the variable, so the value of eztsh's environment applies. */
static const char *environment_of(const struct environment *own, const char *name, size_t len)
{
    for (size_t i = 0; i < own->change.n; i++)
        if (!strncmp(own->change.at[i], name, len) &&
            (!own->change.at[i][len] || own->change.at[i][len] == '='))
            return own->change.at[i];
    return NULL;
}

static void environment_change(struct environment *own, char *entry)
{
    size_t len = strcspn(entry, "=");
    for (size_t i = 0; i < own->change.n; i++)
        if (environment_of(own, entry, len) == own->change.at[i]) {
            free(own->change.at[i]);
            own->change.at[i] = entry;
            return;
        }
    EZ_PUSH(&own->change, entry);
}

/* The command set environment NAME = VALUE, NAME=VALUE, NAME VALUE; NAME alone sets an empty
 * value. */
static ez_err *cmd_set_environment(struct ez_sess *s, int argc, char **argv)
{
    const char *name = argc > 1 ? parse_skip(argv[1]) : "";
    size_t len = strcspn(name, " \t=");
    const char *value = parse_skip(name + len);
    if (!len)
        return ez_err_new(EZ_E_ARG, 0, "Argument required (environment variable and value)");
    if (*value == '=')
        value = parse_skip(value + 1);
    if (!*value)
        out_line(s, "Setting environment variable \"%.*s\" to null value.", (int)len, name);
    environment_change(environment_state(s), ez_sprintf("%.*s=%s", (int)len, name, value));
    return NULL;
}

static const char help_environment[] =
    "The environment of eztsh does not change. A change applies from the next run of\n"
    "the program on.";
static const char examples_environment[] = "set environment OMP_NUM_THREADS = 4\n"
                                           "unset environment LD_PRELOAD\n"
                                           "show environment PATH";
static const char see_also_environment[] = "run, set cwd, tty";

const struct ez_cmd command_set_environment = {
    .parent = "set",
    .name = "environment",
    .usage = "NAME [=] [VALUE]",
    .brief = "Set an environment variable of the program.",
    .help = help_environment,
    .examples = examples_environment,
    .see_also = see_also_environment,
    OPERANDS(RUN, 0, 1),
    .flags = RAW | NO_REPEAT,
    .fn = cmd_set_environment,
};

static ez_err *cmd_unset_environment(struct ez_sess *s, int argc, char **argv)
{
    struct environment *own = environment_state(s);
    if (argc > 1) {
        environment_change(own, ez_strdup(argv[1]));
        return NULL;
    }
    if (!sess_query(s, "Delete all environment variables? "))
        return NULL;
    for (size_t i = 0; i < own->change.n; i++)
        own->change.at[i][strcspn(own->change.at[i], "=")] = '\0';
    for (char **e = environ; *e; e++)
        environment_change(own, ez_strndup(*e, strcspn(*e, "=")));
    return NULL;
}

const struct ez_cmd command_unset_environment = {
    .parent = "unset",
    .name = "environment",
    .usage = "[NAME]",
    .brief = "Remove an environment variable of the program, or all.",
    .help = help_environment,
    .examples = examples_environment,
    .see_also = see_also_environment,
    OPERANDS(RUN, 0, 1),
    .flags = NO_REPEAT,
    .fn = cmd_unset_environment,
};

static void environment_show(struct ez_sess *s, const char *entry)
{
    const char *value = strchr(entry, '=');
    if (value)
        out_line(s, "%s", entry);
}

static ez_err *cmd_show_environment(struct ez_sess *s, int argc, char **argv)
{
    const struct environment *own = environment_state(s);
    if (argc > 1) {
        const char *entry = environment_of(own, argv[1], strlen(argv[1]));
        const char *value = entry ? strchr(entry, '=') : NULL;
        const char *own = entry ? NULL : getenv(argv[1]);
        if (value || own)
            out_line(s, "%s = %s", argv[1], value ? value + 1 : own);
        else
            out_line(s, "Environment variable \"%s\" not defined.", argv[1]);
        return NULL;
    }
    for (char **e = environ; *e; e++)
        if (!environment_of(own, *e, strcspn(*e, "=")))
            environment_show(s, *e);
    for (size_t i = 0; i < own->change.n; i++)
        environment_show(s, own->change.at[i]);
    return NULL;
}

const struct ez_cmd command_show_environment = {
    .parent = "show",
    .name = "environment",
    .usage = "[NAME]",
    .brief = "Show the environment of the program.",
    .help = help_environment,
    .examples = examples_environment,
    .see_also = see_also_environment,
    OPERANDS(RUN, 0, 1),
    .fn = cmd_show_environment,
};

static void environment_put(char **to, struct ez_sess *s, int argc, char **argv)
{
    free(*to);
    *to = argc > 1 && *argv[1] ? ez_strdup(parse_path(s, argv[1])) : NULL;
}

static ez_err *cmd_set_cwd(struct ez_sess *s, int argc, char **argv)
{
    environment_put(&environment_state(s)->cwd, s, argc, argv);
    return NULL;
}

static const char help_cwd[] =
    "The directory is used from the next run on. The default is the directory of\n"
    "eztsh.";

const struct ez_cmd command_set_cwd = {
    .parent = "set",
    .name = "cwd",
    .usage = "[DIR]",
    .brief = "Set the directory in which the program starts.",
    .help = help_cwd,
    .examples = "set cwd /tmp",
    .see_also = "cd, run, set environment",
    OPERANDS(RUN, 0, 1),
    .fn = cmd_set_cwd,
    .complete = comp_file,
};

static ez_err *cmd_show_cwd(struct ez_sess *s, int argc, char **argv)
{
    const char *cwd = environment_state(s)->cwd;
    if (cwd)
        out_line(s,
                 "Current working directory that will be used when starting the inferior is "
                 "\"%s\".",
                 cwd);
    else
        out_line(s, "You have not set the inferior's current working directory: it is eztsh's.");
    return NULL;
}

const struct ez_cmd command_show_cwd = {
    .parent = "show",
    .name = "cwd",
    .usage = "",
    .brief = "Show the directory in which the program starts.",
    .help = help_cwd,
    .examples = "show cwd",
    .see_also = "cd, run, set environment",
    OPERANDS(RUN, 0, 0),
    .fn = cmd_show_cwd,
};

static ez_err *cmd_tty(struct ez_sess *s, int argc, char **argv)
{
    environment_put(&environment_state(s)->tty, s, argc, argv);
    return NULL;
}

const struct ez_cmd command_unset = {
    .name = "unset",
    .usage = "",
    .brief = "Remove environment variables of the program.",
    .examples = "unset environment LD_PRELOAD",
    .see_also = "set environment",
    OPERANDS(RUN, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_tty = {
    .name = "tty",
    .usage = "[FILE]",
    .brief = "Set the terminal of programs that \"run\" starts.",
    .help = "The terminal becomes standard input, output and error of the program.\n"
            "Redirections of \"run\" have precedence. Without FILE the program uses eztsh's\n"
            "standard input, output and error.",
    .examples = "tty /dev/pts/3",
    .see_also = "run, set environment",
    OPERANDS(RUN, 0, 1),
    .flags = NO_REPEAT | HERE | TEXT_ONLY,
    .fn = cmd_tty,
    .complete = comp_file,
};
