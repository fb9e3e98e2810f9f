/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help.c - prints help, and writes the command chapter of the manual (help.h).
 * Tests: tests/unit/shell/check_man.sh, tests/unit/shell/check_read.c */
#include "config.h"
#include "shell/help.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "shell/command.h"
#include "shell/hooks.h"
#include "shell/lex.h"
#include "shell/lookup.h"
#include "shell/out.h"
#include "shell/sess.h"

const char help_version[] = PACKAGE_STRING
    "\n"
    "License GPLv3+: GNU GPL version 3 or later <http://gnu.org/licenses/gpl.html>.\n"
    "This is free software: you are free to change and redistribute it.\n"
    "There is NO WARRANTY, to the extent permitted by law.\n";

static const struct class
{
    const char *name, *brief;
} classes[] = {
    [EZ_CLASS_RUN] = { "running", "Start, attach to and run the program" },
    [EZ_CLASS_DATA] = { "data", "Examine and change the program" },
    [EZ_CLASS_PROBE] = { "probes", "Measure functions and plant probes" },
    [EZ_CLASS_TRACE] = { "tracing", "Record and read traces" },
    [EZ_CLASS_JOB] = { "jobs", "Control many processes at one prompt" },
    [EZ_CLASS_SUPPORT] = { "support", "Use the shell itself" },
};

typedef void visit_fn(const struct ez_cmd *c, const char *name, void *arg);

/* Calls fn for each command of the table that is not hidden, with its full name, and right after it
 * for its subcommands. family: the parent's name and a blank, "" at the top level. */
static void help_visit(const struct ez_cmd *table, const char *family, visit_fn *fn, void *arg)
{
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN)
            continue;
        EZ_FREE char *name = ez_sprintf("%s%s", family, c->name);
        fn(c, name, arg);
        EZ_FREE char *deeper = ez_sprintf("%s ", name);
        if (c->sub)
            help_visit(c->sub, deeper, fn, arg);
    }
}

/* Prints a command's name, shortest abbreviation and alias, as in "continue, c, fg", for the first
 * line of its help. */
static void help_names_of(struct ez_sess *s, const struct ez_cmd *c, const char *name)
{
    const char *last = strrchr(name, ' ');
    const char *shrt = c->min_abbrev && c->min_abbrev < strlen(c->name)
                           ? sess_format(s, ", %.*s%.*s", last ? (int)(last + 1 - name) : 0, name,
                                         c->min_abbrev, c->name)
                           : "";
    out_line(s, "%s%s%s%s", name, shrt, c->alias ? ", " : "", c->alias ? c->alias : "");
}

static void help_examples(FILE *f, const char *line)
{
    fputs("Example:\n", f);
    for (size_t n; (n = strcspn(line, "\n")); line += n + (line[n] == '\n'))
        fprintf(f, "  %.*s\n", (int)n, line);
}

/* Returns the part of a command's help that follows usage and options: prose, list, examples,
 * references. The caller frees. */
static char *help_text(const struct ez_cmd *c)
{
    char *text = NULL;
    size_t size;
    EZ_FREE char *list = c->list ? c->list() : NULL;
    FILE *f = open_memstream(&text, &size);
    if (c->help)
        fprintf(f, "%s\n\n", c->help);
    if (list)
        fprintf(f, "%s\n", list);
    help_examples(f, c->examples);
    fprintf(f, "\nSee also: %s", c->see_also);
    fclose(f);
    return text;
}

static void help_on(struct ez_sess *s, const struct ez_cmd *c, const char *name)
{
    help_names_of(s, c, name);
    out_line(s, "%s", c->brief);
    EZ_FREE char *words = opt_usage(c->options, c->usage);
    out_line(s, "Usage: %s%s%s", name, *words ? " " : "", words);
    out_line(s, "%s", "");
    if (c->options) {
        EZ_FREE char *options = opt_help(c->options);
        out_line(s, "Options:");
        out_text(s, options);
        out_line(s, "%s", "");
    }
    EZ_FREE char *text = help_text(c);
    out_text(s, text);
    if (!c->sub)
        return;
    out_line(s, "%s", "");
    out_line(s, "List of %s subcommands:", name);
    out_line(s, "%s", "");
    for (const struct ez_cmd *sub = c->sub; sub->name; sub++)
        if (!(sub->flags & HIDDEN))
            out_line(s, "%s %s -- %s", name, sub->name, sub->brief);
}

/* Calls fn once for each group of options that top-level commands have. */
static void help_groups(void (*fn)(const struct ez_opt_group *g, void *arg), void *arg)
{
    EZ_VEC(const struct ez_opt_group *) seen = { NULL, 0, 0 };
    for (const struct ez_cmd *c = ez_cmds; c->name; c++)
        for (const struct ez_opt *o = c->options; o && o->name; o++) {
            size_t i = 0;
            while (i < seen.n && seen.at[i] != o->group)
                i++;
            if (!o->group || i < seen.n)
                continue;
            EZ_PUSH(&seen, o->group);
            fn(o->group, arg);
        }
    EZ_VEC_FREE(&seen);
}

/* Returns the help on a group of options without its first line. The caller frees. */
static char *help_group_text(const struct ez_opt_group *g)
{
    char *text = NULL;
    size_t size;
    EZ_FREE char *options = opt_group_help(g);
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "Options:\n%s\n%s\n\n", options, g->help);
    help_examples(f, g->examples);
    fclose(f);
    return text;
}

struct wanted_group {
    const char *name;
    const struct ez_opt_group *group;
};

static void help_find_group(const struct ez_opt_group *g, void *arg)
{
    struct wanted_group *w = arg;
    if (!strcmp(g->name, w->name))
        w->group = g;
}

/* Prints the help on a group of options. Returns false if there is no such group. */
static bool help_on_group(struct ez_sess *s, const char *name)
{
    struct wanted_group w = { name, NULL };
    help_groups(help_find_group, &w);
    if (!w.group)
        return false;
    EZ_FREE char *text = help_group_text(w.group);
    out_line(s, "Options that %s.", w.group->brief);
    out_line(s, "%s", "");
    out_text(s, text);
    return true;
}

static void help_overview(struct ez_sess *s)
{
    out_text(s, "List of classes of commands:\n\n");
    for (size_t i = 0; i < EZ_ARRAY_LEN(classes); i++)
        out_line(s, "%s -- %s.", classes[i].name, classes[i].brief);
    out_line(s, "user-defined -- Use your own commands: define, alias.");
    out_text(s, "\nType \"help\" followed by a class name for a list of commands in that class.\n"
                "Type \"help all\" for the list of all commands.\n"
                "Type \"help\" followed by command name for full documentation.\n"
                "Type \"apropos word\" to search for commands related to \"word\".\n"
                "Command name abbreviations are allowed if unambiguous.\n"
                "Options may be abbreviated, too. They may be anywhere before \"--\".\n");
}

static void help_class(struct ez_sess *s, size_t cls)
{
    for (const struct ez_cmd *c = ez_cmds; c->name; c++)
        if (c->cls == cls && !(c->flags & HIDDEN))
            out_line(s, "%s -- %s", c->name, c->brief);
}

static void help_all(struct ez_sess *s)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(classes); i++) {
        out_line(s, "%s", "");
        out_line(s, "Command class: %s", classes[i].name);
        out_line(s, "%s", "");
        help_class(s, i);
    }
}

static void help_user(const char *name, const char *brief, void *arg)
{
    out_line(arg, "%s -- %s", name, brief);
}

static ez_err *cmd_show_version(struct ez_sess *s, int argc, char **argv)
{
    out_text(s, help_version);
    return NULL;
}

const struct ez_cmd command_show_version = {
    .parent = "show",
    .name = "version",
    .usage = "",
    .brief = "Show the version of eztsh.",
    .examples = "show version",
    .see_also = "help",
    OPERANDS(SUPPORT, 0, 0),
    .fn = cmd_show_version,
};

static ez_err *cmd_help(struct ez_sess *s, int argc, char **argv)
{
    const struct ez_cmd *c;
    EZ_FREE char *name = NULL;
    const char *text = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        help_overview(s);
        return NULL;
    }
    for (size_t i = 0; i < EZ_ARRAY_LEN(classes); i++)
        if (!strcmp(text, classes[i].name)) {
            out_text(s, "List of commands:\n\n");
            help_class(s, i);
            return NULL;
        }
    if (!strcmp(text, "user-defined") || !strcmp(text, "aliases")) {
        out_text(s, "List of commands:\n\n");
        hooks_words->names(s, help_user, s);
        return NULL;
    }
    if (!strcmp(text, "all")) {
        help_all(s);
        return NULL;
    }
    if (hooks_words->help(s, text) || help_on_group(s, text))
        return NULL;
    EZ_TRY(lookup_resolve(&text, &c, &name));
    help_on(s, c, name);
    return NULL;
}

const struct ez_cmd command_help = {
    .name = "help",
    .usage = "[COMMAND|CLASS]",
    .brief = "Print help on commands.",
    .examples = "help probe\n"
                "help tracing",
    .see_also = "apropos",
    OPERANDS(SUPPORT, 0, 1),
    .min_abbrev = 1,
    .flags = RAW | TEXT_ONLY | FRONT,
    .fn = cmd_help,
    .complete = comp_command,
};

/* ---- lists ------------------------------------------------------------------------- */

ez_err *cmd_list_sub(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argv[0];
    const struct ez_cmd *c;
    EZ_FREE char *name = NULL;
    EZ_TRY(lookup_resolve(&text, &c, &name));
    out_line(s, "List of %s subcommands:", name);
    out_line(s, "%s", "");
    for (const struct ez_cmd *sub = c->sub; sub->name; sub++)
        if (!(sub->flags & HIDDEN))
            out_line(s, "%s %s -- %s", name, sub->name, sub->brief);
    return NULL;
}

const struct ez_cmd command_info = {
    .name = "info",
    .usage = "TOPIC",
    .brief = "Show the state of the program and its probes.",
    .examples = "info functions ^compute",
    .see_also = "show",
    OPERANDS(DATA, 0, -1),
    .min_abbrev = 1,
    .flags = TEXT_ONLY | FRONT,
    .fn = cmd_list_sub,
};

struct search {
    struct ez_sess *s;
    regex_t re;
    unsigned found;
};

static void help_match_command(const struct ez_cmd *c, const char *name, void *arg)
{
    struct search *q = arg;
    EZ_FREE char *options = c->options ? opt_help(c->options) : ez_strdup("");
    EZ_FREE char *text = help_text(c);
    if (regexec(&q->re, name, 0, NULL, 0) && regexec(&q->re, c->brief, 0, NULL, 0) &&
        regexec(&q->re, text, 0, NULL, 0) && regexec(&q->re, options, 0, NULL, 0))
        return;
    q->found++;
    out_line(q->s, "%s -- %s", name, c->brief);
}

static ez_err *cmd_apropos(struct ez_sess *s, int argc, char **argv)
{
    struct search q = { .s = s };
    EZ_TRY(ez_str_regcomp(&q.re, argv[1], REG_ICASE));
    help_visit(ez_cmds, "", help_match_command, &q);
    regfree(&q.re);
    return NULL;
}

const struct ez_cmd command_apropos = {
    .name = "apropos",
    .usage = "REGEX",
    .brief = "Search for commands that match a regular expression.",
    .help = "The command searches names, one-line descriptions, help texts and options.",
    .examples = "apropos signal",
    .see_also = "help",
    OPERANDS(SUPPORT, 1, 1),
    .flags = RAW | TEXT_ONLY | FRONT,
    .fn = cmd_apropos,
};

/* ---- the manual ---------------------------------------------------------------------- */

/* Escapes the characters that roff interprets: '\' and '-' everywhere, '.' and ''' at the start of
 * a line. */
static void help_roff(FILE *f, const char *text)
{
    bool start = true;
    for (; *text; text++) {
        if (start && (*text == '.' || *text == '\''))
            fputs("\\&", f);
        if (*text == '\\')
            fputs("\\e", f);
        else if (*text == '-')
            fputs("\\-", f);
        else
            putc(*text, f);
        start = *text == '\n';
    }
}

static void help_manual_entry(const struct ez_cmd *c, const char *name, void *arg)
{
    FILE *f = arg;
    if (!strncmp(name, "show ", 5)) /* the entry of `set` has the same help text */
        return;
    fputs(".TP\n.B ", f);
    help_roff(f, name);
    EZ_FREE char *words = opt_usage(c->options, c->usage);
    EZ_FREE char *options = c->options ? opt_help(c->options) : NULL;
    EZ_FREE char *text = help_text(c);
    if (*words) {
        fputs(" \\fR", f);
        help_roff(f, words);
    }
    putc('\n', f);
    help_roff(f, c->brief);
    fputs("\n.RS\n.PP\n.nf\n", f);
    if (options) {
        fputs("Options:\n", f);
        help_roff(f, options);
        putc('\n', f);
    }
    help_roff(f, text);
    if (text[strlen(text) - 1] != '\n')
        putc('\n', f);
    fputs(".fi\n.RE\n", f);
}

static void help_manual_group(const struct ez_opt_group *g, void *arg)
{
    FILE *f = arg;
    EZ_FREE char *text = help_group_text(g);
    fprintf(f, ".SS Options that %s (%s)\n.nf\n", g->brief, g->name);
    help_roff(f, text);
    fputs(".fi\n", f);
}

void help_manual(FILE *f)
{
    fputs(".SH COMMANDS\n", f);
    for (size_t i = 0; i < EZ_ARRAY_LEN(classes); i++) {
        fprintf(f, ".SS %s\n", classes[i].brief);
        for (const struct ez_cmd *c = ez_cmds; c->name; c++) {
            if (c->cls != i || c->flags & HIDDEN)
                continue;
            struct ez_cmd one[2] = { *c, { .name = NULL } };
            help_visit(one, "", help_manual_entry, f);
        }
    }
    help_groups(help_manual_group, f);
}

/* Writes text with Texinfo's special characters escaped. */
static void help_texi(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (strchr("@{}", *text))
            putc('@', f);
        putc(*text, f);
    }
}

static void help_texi_entry(const struct ez_cmd *c, const char *name, void *arg)
{
    FILE *f = arg;
    if (!strncmp(name, "show ", 5))
        return;
    EZ_FREE char *words = opt_usage(c->options, c->usage);
    EZ_FREE char *options = c->options ? opt_help(c->options) : NULL;
    EZ_FREE char *text = help_text(c);
    fputs("@deffn Command {", f);
    help_texi(f, name);
    fputs("} ", f);
    help_texi(f, words);
    putc('\n', f);
    help_texi(f, c->brief);
    fputs("\n@smallexample\n", f);
    if (options) {
        fputs("Options:\n", f);
        help_texi(f, options);
        putc('\n', f);
    }
    help_texi(f, text);
    fputs(text[strlen(text) - 1] == '\n' ? "" : "\n", f);
    fputs("@end smallexample\n@end deffn\n\n", f);
}

static void help_texi_group_menu(const struct ez_opt_group *g, void *arg)
{
    fprintf(arg, "* Options %s::  Options that %s.\n", g->name, g->brief);
}

static void help_texi_group(const struct ez_opt_group *g, void *arg)
{
    FILE *f = arg;
    EZ_FREE char *text = help_group_text(g);
    fprintf(f, "\n@node Options %s\n@section Options that %s (%s)\n\n@smallexample\n", g->name,
            g->brief, g->name);
    help_texi(f, text);
    fputs("@end smallexample\n", f);
}

void help_texinfo(FILE *f)
{
    fputs("@c What eztsh --dump-texinfo prints.\n@menu\n", f);
    for (size_t i = 0; i < EZ_ARRAY_LEN(classes); i++)
        fprintf(f, "* Class %s::  %s.\n", classes[i].name, classes[i].brief);
    help_groups(help_texi_group_menu, f);
    fputs("@end menu\n", f);
    for (size_t i = 0; i < EZ_ARRAY_LEN(classes); i++) {
        fprintf(f, "\n@node Class %s\n@section %s\n\n", classes[i].name, classes[i].brief);
        for (const struct ez_cmd *c = ez_cmds; c->name; c++) {
            if (c->cls != i || c->flags & HIDDEN)
                continue;
            struct ez_cmd one[2] = { *c, { .name = NULL } };
            help_visit(one, "", help_texi_entry, f);
        }
    }
    help_groups(help_texi_group, f);
}
