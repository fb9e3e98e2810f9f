/* SPDX-License-Identifier: GPL-3.0-or-later */
/* front.c - makes a line for the dispatcher from the words behind `eztsh` (front.h).
 * Tests: tests/unit/shell/check_options.c, tests/unit/shell/check_front.sh */
#include "shell/front.h"

#include <string.h>

#include "shell/command.h"
#include "shell/lex.h"
#include "shell/lookup.h"

/* Returns the command or the deepest subcommand that the first words name. *n receives the number
 * of these words. */
static const struct ez_cmd *front_deepest(char *const *words, size_t *n)
{
    const struct ez_cmd *c = command_front(words[0]), *sub;
    *n = 1;
    while (c->sub && words[*n] && !lookup_own_word(c, words[*n]) &&
           ez_err_drop(lookup_find(c->sub, "", words[*n], strlen(words[*n]), &sub))) {
        c = sub;
        ++*n;
    }
    return c;
}

/* Returns true if one of the words is --help, at a position where the command may have options. */
static bool front_asks_help(const struct ez_cmd *c, char *const *words)
{
    static const struct ez_opt none[] = { { .name = NULL } };
    const struct ez_opt *list = c->options ? c->options : none;
    for (size_t i = 0; words[i]; i++) {
        struct ez_opt_place p = opt_place(list, c->flags & OPTIONS_FIRST, words, i);
        if (p.ended)
            return false;
        if (!p.value_of && (!strcmp(words[i], "--help") || !strcmp(words[i], "-help")))
            return true;
    }
    return false;
}

static void front_append(char **line, const char *word)
{
    char *longer = ez_sprintf("%s%s%s", *line, **line ? " " : "", word);
    free(*line);
    *line = longer;
}

char *front_line(char *const *words)
{
    size_t n;
    const struct ez_cmd *c = front_deepest(words, &n);
    bool help = front_asks_help(c, words + n);
    char *line = ez_strdup(help ? "help" : "");
    for (size_t i = 0; help ? i < n : words[i] != NULL; i++) {
        EZ_FREE char *quoted = c->flags & RAW ? ez_strdup(words[i]) : lex_quote(words[i]);
        front_append(&line, quoted);
    }
    return line;
}

void front_list(FILE *f)
{
    for (const struct ez_cmd *c = ez_cmds; c && c->name; c++)
        if (c->flags & FRONT && !(c->flags & HIDDEN))
            fprintf(f, "  %-9s %s\n", c->name, c->brief);
}

static const char *front_operands(const struct ez_cmd *c)
{
    return c->complete == comp_fxt       ? "fxt"
           : c->complete == comp_file    ? "file"
           : c->complete == comp_pid     ? "pid"
           : c->complete == comp_command ? "command"
                                         : "-";
}

static const char *front_value(const struct ez_opt *o)
{
    return o->kind == OPT_FLAG || o->kind == OPT_WORD ? "-"
           : o->kind == OPT_FILE                      ? "file"
           : o->words                                 ? "words"
                                                      : "text";
}

static void front_option(FILE *f, const struct ez_cmd *c, const struct ez_opt *o)
{
    fprintf(f, "option\t%s\t%s\t%s\t", c->name, o->name, front_value(o));
    for (const struct ez_opt_word *w = o->words; w && w->text; w++)
        if (opt_word_is_first(o->words, w))
            fprintf(f, "%s%s", w == o->words ? "" : " ", w->text);
    fprintf(f, "\t%.*s\n", (int)strcspn(o->meaning, "\n"), o->meaning);
}

void front_completion(FILE *f)
{
    for (const struct ez_cmd *c = ez_cmds; c && c->name; c++) {
        if (!(c->flags & FRONT) || c->flags & HIDDEN)
            continue;
        fprintf(f, "command\t%s\t%s\t%s\t%s\n", c->name, front_operands(c),
                c->flags & OPTIONS_FIRST ? "first" : "any", c->brief);
        for (const struct ez_opt *o = c->options; o && o->name; o++)
            front_option(f, c, o);
    }
}
