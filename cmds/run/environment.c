/* SPDX-License-Identifier: GPL-3.0-or-later */
/* environment.c - `set|show|unset environment`, `set|show cwd`, `tty`: the environment in which
 * `run` starts the program.
 * Tests: tests/procs/moving.sh */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns "NAME=VALUE", or "NAME" alone if the variable is removed; NULL if eztsh's own value
 * applies. */
static const char *environment_of(struct ez_sess *s, const char *name, size_t len)
{
    for (size_t i = 0; i < s->env.n; i++)
        if (!strncmp(s->env.at[i], name, len) && (!s->env.at[i][len] || s->env.at[i][len] == '='))
            return s->env.at[i];
    return NULL;
}

static void environment_change(struct ez_sess *s, char *entry)
{
    size_t len = strcspn(entry, "=");
    for (size_t i = 0; i < s->env.n; i++)
        if (environment_of(s, entry, len) == s->env.at[i]) {
            free(s->env.at[i]);
            s->env.at[i] = entry;
            return;
        }
    EZ_PUSH(&s->env, entry);
}

/* Parses NAME = VALUE, NAME=VALUE, NAME VALUE. NAME alone sets an empty value. */
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
    environment_change(s, ez_sprintf("%.*s=%s", (int)len, name, value));
    return NULL;
}

static const char help_environment[] =
    "The environment of eztsh does not change. The next run of the program uses the\n"
    "changes.";
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
    if (argc > 1) {
        environment_change(s, ez_strdup(argv[1]));
        return NULL;
    }
    if (!sess_query(s, "Delete all environment variables? "))
        return NULL;
    for (size_t i = 0; i < s->env.n; i++)
        s->env.at[i][strcspn(s->env.at[i], "=")] = '\0';
    for (char **e = environ; *e; e++)
        environment_change(s, strndup(*e, strcspn(*e, "=")));
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
    if (argc > 1) {
        const char *entry = environment_of(s, argv[1], strlen(argv[1]));
        const char *value = entry ? strchr(entry, '=') : NULL;
        const char *own = entry ? NULL : getenv(argv[1]);
        if (value || own)
            out_line(s, "%s = %s", argv[1], value ? value + 1 : own);
        else
            out_line(s, "Environment variable \"%s\" not defined.", argv[1]);
        return NULL;
    }
    for (char **e = environ; *e; e++)
        if (!environment_of(s, *e, strcspn(*e, "=")))
            environment_show(s, *e);
    for (size_t i = 0; i < s->env.n; i++)
        environment_show(s, s->env.at[i]);
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
    environment_put(&s->cwd, s, argc, argv);
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
    if (s->cwd)
        out_line(s,
                 "Current working directory that will be used when starting the inferior is "
                 "\"%s\".",
                 s->cwd);
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
    environment_put(&s->tty, s, argc, argv);
    return NULL;
}

const struct ez_cmd command_unset = {
    .name = "unset",
    .usage = "",
    .brief = "Remove a setting of the program.",
    .examples = "unset environment LD_PRELOAD",
    .see_also = "set environment",
    OPERANDS(RUN, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_tty = {
    .name = "tty",
    .usage = "[FILE]",
    .brief = "Set the terminal of the programs that run starts.",
    .help = "The terminal becomes standard input, output and error of the program.\n"
            "Redirections of \"run\" go before. Without FILE the program uses the terminal of\n"
            "eztsh.",
    .examples = "tty /dev/pts/3",
    .see_also = "run, set environment",
    OPERANDS(RUN, 0, 1),
    .flags = NO_REPEAT | HERE | TEXT_ONLY,
    .fn = cmd_tty,
    .complete = comp_file,
};
