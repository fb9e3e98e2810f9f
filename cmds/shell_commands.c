/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shell_commands.c - `cd`, `echo`, `pwd`, `shell`, `source`: small commands of the shell.
 * Tests: tests/e2e/scripts.ezt, tests/e2e/settings.ezt */
#include <errno.h>
#include <string.h>

#include "cmds/cmd.h"
#include "engine/base/strutil.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *cmd_pwd(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE char *dir = getcwd(NULL, 0);
    if (!dir)
        return ez_err_new(EZ_E_SYS, errno, "Cannot find the working directory");
    out_line(s, "Working directory %s.", dir);
    return NULL;
}

const struct ez_cmd command_pwd = {
    .name = "pwd",
    .usage = "",
    .brief = "Print the working directory.",
    .examples = "pwd",
    .see_also = "cd",
    OPERANDS(SUPPORT, 0, 0),
    .flags = TEXT_ONLY,
    .fn = cmd_pwd,
};

static ez_err *cmd_cd(struct ez_sess *s, int argc, char **argv)
{
    const char *home = getenv("HOME"), *to = argc > 1 ? argv[1] : home ? home : "/";
    to = parse_path(s, to);
    if (chdir(to) < 0)
        return ez_err_new(EZ_E_SYS, 0, "%s: %s", to, strerror(errno));
    return cmd_pwd(s, 1, argv);
}

const struct ez_cmd command_cd = {
    .name = "cd",
    .usage = "[DIR]",
    .brief = "Change the working directory.",
    .help = "Without DIR, change to the home directory. Later programs start in the new\n"
            "directory.",
    .examples = "cd /tmp",
    .see_also = "pwd",
    OPERANDS(SUPPORT, 0, 1),
    .flags = TEXT_ONLY,
    .fn = cmd_cd,
    .complete = comp_file,
};

/* Replaces C escapes. A backslash at the end of the text prints nothing. */
static char *support_unescape(const char *p)
{
    char *out = ez_alloc(strlen(p) + 1), *o = out;
    while (*p)
        if (*p != '\\')
            *o++ = *p++;
        else if (*++p)
            *o++ = (char)ez_str_unescape(p, &p);
    *o = '\0';
    return out;
}

static ez_err *cmd_echo(struct ez_sess *s, int argc, char **argv)
{
    EZ_FREE char *text = support_unescape(argc > 1 ? argv[1] : "");
    out_raw(s, text);
    return NULL;
}

const struct ez_cmd command_echo = {
    .name = "echo",
    .usage = "TEXT",
    .brief = "Print a text with C's escapes.",
    .help = "No newline is added.",
    .examples = "echo planted\\n",
    .see_also = "shell",
    OPERANDS(SUPPORT, 0, 1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_echo,
};

static ez_err *cmd_shell(struct ez_sess *s, int argc, char **argv)
{
    return sess_shell(s, argc > 1 ? argv[1] : NULL);
}

const struct ez_cmd command_shell = {
    .name = "shell",
    .alias = "!",
    .usage = "[COMMAND]",
    .brief = "Run a command in a shell.",
    .help = "Recording continues while the shell runs. Without COMMAND, start an interactive\n"
            "shell. The status of the shell is stored in $_shell_exitcode.",
    .examples = "shell ls -l\n"
                "!date",
    .see_also = "echo",
    OPERANDS(SUPPORT, 0, 1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_shell,
    .complete = comp_file,
};

ez_err *cmd_source(struct ez_sess *s, int argc, char **argv)
{
    return sess_source(s, parse_path(s, argv[1]), opt_given(s, "-v"));
}

const struct ez_cmd command_source = {
    .name = "source",
    .usage = "FILE",
    .brief = "Run the commands in FILE.",
    .help = "At the first error, the command ends.",
    .examples = "source setup.ezt",
    .see_also = "shell, set trace-commands",
    OPERANDS(SUPPORT, 1, 1),
    OPTIONS({ .name = "-v", .meaning = "show each command before it runs" }),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_source,
    .complete = comp_file,
};
