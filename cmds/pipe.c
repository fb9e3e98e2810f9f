/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pipe.c - `pipe COMMAND | SHELL_COMMAND`: sends a command's output to a program.
 * Tests: tests/e2e/flow.ezt */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cmds/cmd.h"
#include "shell/lex.h"
#include "shell/out.h"
#include "shell/sess.h"

/* Returns the word that separates the two commands: WORD of "-d WORD" at the beginning of *text, or
 * "|". Moves *text past "-d WORD". */
static const char *pipe_delimiter(struct ez_sess *s, const char **text)
{
    if (strncmp(*text, "-d", 2) || !strchr(" \t", (*text)[2]) || !(*text)[2])
        return "|";
    const char *word = lex_skip_blanks(*text + 2);
    size_t n = strcspn(word, " \t");
    *text = lex_skip_blanks(word + n);
    return sess_format(s, "%.*s", (int)n, word);
}

static ez_err *cmd_pipe(struct ez_sess *s, int argc, char **argv)
{
    static const char usage[] = "Usage: pipe [-d WORD] COMMAND | SHELL_COMMAND";
    const char *text = argc > 1 ? argv[1] : "", *between = pipe_delimiter(s, &text);
    const char *at = *between ? strstr(text, between) : NULL;
    if (!at || at == text || !*lex_skip_blanks(at + strlen(between)))
        return ez_err_gdb(EZ_E_ARG, "%s", usage);
    const char *end = at;
    while (end > text && strchr(" \t", end[-1]))
        end--;
    EZ_FREE char *line = ez_strndup(text, (size_t)(end - text));
    return sess_pipe(s, line, lex_skip_blanks(at + strlen(between)));
}

const struct ez_cmd command_pipe = {
    .name = "pipe",
    .alias = "|",
    .usage = "COMMAND | SHELL_COMMAND",
    .brief = "Send the output of a command to a program.",
    .help = "The output of COMMAND is the input of SHELL_COMMAND. -d WORD makes WORD the\n"
            "separator in place of \"|\", for a COMMAND that contains \"|\". $_shell_exitcode\n"
            "receives the status of SHELL_COMMAND.",
    .examples = "pipe info functions | grep -c alloc\n"
                "| stats | head -5\n"
                "pipe -d ! print a | b ! cat",
    .see_also = "shell, set logging",
    OPERANDS(SUPPORT, 0, -1),
    .flags = RAW | TEXT_ONLY,
    .fn = cmd_pipe,
    .complete = comp_command,
};
