/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opt.c - parses options and makes their texts for usage and help (opt.h). */
#include "shell/opt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "shell/gdb_words.h"
#include "shell/parse_word.h"
#include "shell/sess.h"

#define HELP_COLUMNS 80
/* minimum number of letters of an abbreviation; a single letter is a full name */
#define LEAST_LETTERS 2

static bool opt_dashed(const char *word)
{
    word += *word == '-' && word[1] == '-';
    return *word == '-' && isalpha((unsigned char)word[1]);
}

static bool opt_has_value(const struct ez_opt *o)
{
    return o->kind != OPT_FLAG && o->kind != OPT_WORD;
}

/* ---- texts --------------------------------------------------------------------------- */

static void opt_append(char **text, const char *more, const char *end)
{
    char *longer = ez_sprintf("%s%s%s", *text, more, end);
    free(*text);
    *text = longer;
}

bool opt_word_is_first(const struct ez_opt_word *words, const struct ez_opt_word *w)
{
    for (const struct ez_opt_word *o = words; o < w; o++)
        if (o->value == w->value)
            return false;
    return true;
}

static char *opt_join_words(const struct ez_opt_word *words, const char *between, const char *last)
{
    char *text = ez_strdup("");
    const struct ez_opt_word *before = NULL;
    for (const struct ez_opt_word *w = words; w->text; w++) {
        if (!opt_word_is_first(words, w))
            continue;
        if (before)
            opt_append(&text, *text ? between : "", before->text);
        before = w;
    }
    if (before)
        opt_append(&text, *text ? last : "", before->text);
    return text;
}

char *opt_words(const struct ez_opt_word *words)
{
    return opt_join_words(words, ", ", " or ");
}

/* Returns an option's name and its value for usage: "-top N". The caller frees. */
static char *opt_synopsis(const struct ez_opt *o)
{
    if (!opt_has_value(o))
        return ez_strdup(o->name);
    EZ_FREE char *words = o->value ? NULL : opt_join_words(o->words, "|", "|");
    return ez_sprintf("%s %s", o->name, words ? words : o->value);
}

/* Returns true if an option before `o` in the list belongs to the group of `o`. */
static bool opt_group_began(const struct ez_opt *list, const struct ez_opt *o)
{
    for (; list < o; list++)
        if (list->group == o->group)
            return true;
    return false;
}

/* Returns the group's name in capitals, as it stands in usage. */
static char *opt_group_name(const struct ez_opt_group *group)
{
    char *name = ez_strdup(group->name);
    for (char *p = name; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    return name;
}

char *opt_usage(const struct ez_opt *list, const char *operands)
{
    char *text = ez_strdup("");
    for (const struct ez_opt *o = list; o && o->name; o++) {
        if (o->group && opt_group_began(list, o))
            continue;
        EZ_FREE char *one = o->group ? opt_group_name(o->group) : opt_synopsis(o);
        opt_append(&text, o->instead ? "|" : *text ? " [" : "[", one);
        if (!o[1].instead)
            opt_append(&text, o->many ? "]..." : "]", "");
    }
    opt_append(&text, *text && *operands ? " " : "", operands);
    return text;
}

/* Appends an option's lines to *text: its name in a column of `width`, behind it words and meaning,
 * filled to HELP_COLUMNS. */
static void opt_describe(char **text, size_t width, const char *name, const char *words,
                         const char *meaning)
{
    EZ_FREE char *copy = ez_sprintf("%s%s%s", words, *words ? ": " : "", meaning);
    EZ_FREE char *line = ez_sprintf("  %-*s ", (int)width, name);
    for (char *rest = copy, *word; (word = strsep(&rest, " \n"));) {
        if (strlen(line) > width + 3 && strlen(line) + 1 + strlen(word) > HELP_COLUMNS) {
            opt_append(text, line, "\n");
            free(line);
            line = ez_sprintf("  %*s ", (int)width, "");
        }
        opt_append(&line, " ", word);
    }
    opt_append(text, line, "\n");
}

/* Returns the name of the option's group if the option has a group other than `inside`; otherwise
 * the option's name and value. The caller frees. */
static char *opt_title(const struct ez_opt *o, const struct ez_opt_group *inside)
{
    return o->group && o->group != inside ? opt_group_name(o->group) : opt_synopsis(o);
}

/* Returns the help on a list of options. inside: the group whose options have a line each; any
 * other group has one line for all its options. The caller frees. */
static char *opt_help_of(const struct ez_opt *list, const struct ez_opt_group *inside)
{
    char *text = ez_strdup("");
    size_t width = 0;
    for (const struct ez_opt *o = list; o->name; o++) {
        EZ_FREE char *name = opt_title(o, inside);
        width = EZ_MAX(width, strlen(name));
    }
    for (const struct ez_opt *o = list; o->name; o++) {
        if (o->group != inside && opt_group_began(list, o))
            continue;
        EZ_FREE char *name = opt_title(o, inside);
        EZ_FREE char *words = o->words && o->value ? opt_words(o->words) : ez_strdup("");
        EZ_FREE char *group = o->group && o->group != inside
                                  ? ez_sprintf("%s (\"help %s\")", o->group->brief, o->group->name)
                                  : NULL;
        opt_describe(&text, width, name, words, group ? group : o->meaning);
    }
    return text;
}

char *opt_help(const struct ez_opt *list)
{
    return opt_help_of(list, NULL);
}

char *opt_group_help(const struct ez_opt_group *group)
{
    return opt_help_of(group->list, group);
}

/* Returns the names of the options that begin with `word`, as "-count, -record". */
static char *opt_matches(const struct ez_opt *list, const char *word)
{
    struct ez_opt_word names[OPT_MOST + 1] = { { NULL, 0 } };
    unsigned n = 0;
    for (const struct ez_opt *o = list; o->name; o++)
        if (!strncmp(o->name, word, strlen(word))) {
            names[n] = (struct ez_opt_word){ o->name, n };
            n++;
        }
    return opt_join_words(names, ", ", ", ");
}

/* Returns the names of the options that begin with "-", and of all groups, as "-count, -record and
 * those of "help filters"". */
static char *opt_all(const struct ez_opt *list)
{
    struct ez_opt_word names[OPT_MOST + 1] = { { NULL, 0 } };
    char *text[OPT_MOST];
    unsigned n = 0;
    for (const struct ez_opt *o = list; o->name; o++) {
        if (*o->name != '-' || (o->group && opt_group_began(list, o)))
            continue;
        text[n] =
            o->group ? ez_sprintf("those of \"help %s\"", o->group->name) : ez_strdup(o->name);
        names[n] = (struct ez_opt_word){ text[n], n };
        n++;
    }
    char *all = opt_join_words(names, ", ", " and ");
    while (n)
        free(text[--n]);
    return all;
}

/* ---- words -------------------------------------------------------------------------- */

/* Returns the option that `word` names in full, else the only one that it abbreviates by at least
 * LEAST_LETTERS letters. Returns NULL if there is none; *several is true if several begin with
 * `word`. */
static const struct ez_opt *opt_find(const struct ez_opt *list, const char *word, bool *several)
{
    const struct ez_opt *found = NULL;
    word += word[1] == '-';
    *several = false;
    for (const struct ez_opt *o = list; o->name; o++) {
        if (!strcmp(o->name, word))
            return o;
        if (o->whole || strncmp(o->name, word, strlen(word)))
            continue;
        *several |= found != NULL;
        found = o;
    }
    return *several || strlen(word) < 1 + LEAST_LETTERS ? NULL : found;
}

static const struct ez_opt *opt_find_word(const struct ez_opt *list, const char *word)
{
    for (const struct ez_opt *o = list; o->name; o++)
        if (o->kind == OPT_WORD && !strcmp(o->name, word))
            return o;
    return NULL;
}

enum opt_is { OPT_IS_OPERAND, OPT_IS_OPTION, OPT_IS_WRONG, OPT_IS_END };

/* Returns the kind of `word`; p says what the words before it are. *o receives the option, or
 * NULL. */
static enum opt_is opt_classify(const struct ez_opt *list, const struct ez_opt_place *p,
                                const char *word, const struct ez_opt **o)
{
    bool several;
    *o = NULL;
    if (p->ended)
        return OPT_IS_OPERAND;
    if (!strcmp(word, "--"))
        return OPT_IS_END;
    if (opt_dashed(word)) {
        *o = opt_find(list, word, &several);
        return *o ? OPT_IS_OPTION : OPT_IS_WRONG;
    }
    *o = p->operands ? NULL : opt_find_word(list, word);
    return *o ? OPT_IS_OPTION : OPT_IS_OPERAND;
}

static void opt_pass(struct ez_opt_place *p, bool first, enum opt_is is)
{
    p->operands |= is == OPT_IS_OPERAND;
    p->ended |= is == OPT_IS_END || (first && is == OPT_IS_OPERAND);
}

struct ez_opt_place opt_place(const struct ez_opt *list, bool first, char *const *word, size_t n)
{
    struct ez_opt_place p = { NULL, false, false };
    const struct ez_opt *o;
    for (size_t i = 0; i < n; i++) {
        opt_pass(&p, first, opt_classify(list, &p, word[i], &o));
        if (o && opt_has_value(o) && ++i == n)
            p.value_of = o;
    }
    return p;
}

/* ---- values ------------------------------------------------------------------------- */

static ez_err *opt_parse_word(const struct ez_opt *o, const char *text, size_t n, uint64_t *value)
{
    for (const struct ez_opt_word *w = o->words; w->text; w++)
        if (strlen(w->text) == n && !strncmp(w->text, text, n)) {
            *value |= w->value;
            return NULL;
        }
    EZ_FREE char *words = opt_words(o->words);
    return ez_err_hint(
        ez_err_new(EZ_E_ARG, 0, "Invalid value \"%.*s\" for %s", (int)n, text, o->name),
        "The values are %s", words);
}

static ez_err *opt_parse_words(const struct ez_opt *o, const char *text, uint64_t *value)
{
    do {
        size_t n = strcspn(text, ",");
        EZ_TRY(opt_parse_word(o, text, n, value));
        text += n + (text[n] == ',');
    } while (*text);
    return NULL;
}

static ez_err *opt_missing(const struct ez_opt *o)
{
    const char *what = o->kind == OPT_NUMBER ? "a number"
                       : o->kind == OPT_TIME ? "a time"
                       : o->kind == OPT_FILE ? "a file"
                       : o->words            ? "a value"
                                             : o->value;
    EZ_FREE char *words = o->words ? opt_words(o->words) : NULL;
    ez_err *e = ez_err_new(EZ_E_ARG, 0, "%s needs %s", o->name, what);
    if (words)
        return ez_err_hint(e, "The values are %s", words);
    return o->kind == OPT_TIME ? ez_err_hint(e, "Write 1.5s, 300ms, 20us or 7ns") : e;
}

static ez_err *opt_time(const struct ez_opt *o, const char *text, uint64_t *ns)
{
    ez_err *e = parse_time(text, ns);
    return e ? ez_err_wrap(e, "%s", o->name) : NULL;
}

static ez_err *opt_value(struct ez_sess *s, const struct ez_opt *o, const char **text, uint64_t *v)
{
    if (!opt_has_value(o))
        return NULL;
    if (!*text)
        return opt_missing(o);
    switch (o->kind) {
    case OPT_NUMBER:
        return parse_count(*text, o->name, v);
    case OPT_TIME:
        return opt_time(o, *text, v);
    case OPT_SIZE:
        return parse_size(*text, v);
    case OPT_ONE_OF:
        *v = 0;
        return opt_parse_word(o, *text, strlen(*text), v);
    case OPT_SOME_OF:
        return opt_parse_words(o, *text, v);
    case OPT_FILE:
        *text = parse_path(s, *text);
        return NULL;
    default:
        return NULL;
    }
}

/* Replaces *list, a NULL-terminated array, by a copy with `text` appended. The copy lives until the
 * command returns. */
static void opt_add_text(struct ez_sess *s, const char ***list, const char *text)
{
    size_t n = 0;
    while (*list && (*list)[n])
        n++;
    const char **longer = ez_alloc((n + 2) * sizeof *longer);
    for (size_t i = 0; i < n; i++)
        longer[i] = (*list)[i];
    longer[n] = text;
    sess_keep(s, (char *)longer);
    *list = longer;
}

static ez_err *opt_parse_value(struct ez_sess *s, struct ez_opts *out, const struct ez_opt *o,
                               const char *text)
{
    size_t i = (size_t)(o - out->list), first = i, end = i + 1;
    if (o->group && opt_has_value(o) && out->at[i].text)
        return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "%s was given twice", o->name),
                           "A regular expression has alternatives: \"a|b\"; a list has commas; "
                           "-where has && and ||");
    while (out->list[first].instead)
        first--;
    while (out->list[end].instead)
        end++;
    for (size_t k = first; k < end; k++)
        out->at[k].text = NULL;
    EZ_TRY(opt_value(s, o, &text, &out->at[i].number));
    out->at[i].text = opt_has_value(o) ? text : o->name;
    if (o->many)
        opt_add_text(s, &out->at[i].texts, text);
    return NULL;
}

static ez_err *opt_wrong(const struct ez_opts *o, const char *word)
{
    bool several;
    opt_find(o->list, word, &several);
    const struct gdb_word *tool = tool_option(o->command, word);
    if (several && !tool) {
        EZ_FREE char *matches = opt_matches(o->list, word + (word[1] == '-'));
        return ez_err_new(EZ_E_ARG, 0, "Ambiguous option \"%s\": %s", word, matches);
    }
    ez_err *e = ez_err_new(EZ_E_ARG, 0, "%s has no option \"%s\"", o->command, word);
    if (tool)
        return ez_err_hint(e, "%s", tool->instead);
    EZ_FREE char *names = opt_all(o->list);
    const char *are = strchr(names, ' ') ? "options are" : "option is";
    return *o->operands ? ez_err_hint(e, "The %s %s. Write -- %s to use this word as an operand",
                                      are, names, word)
                        : ez_err_hint(e, "The %s %s", are, names);
}

ez_err *opt_parse(struct ez_sess *s, struct ez_opts *opts, int *argc, char **argv)
{
    struct ez_opt_place p = { NULL, false, false };
    int n = 1;
    if (!opts->list)
        return NULL;
    for (int i = 1; i < *argc; i++) {
        const struct ez_opt *o;
        enum opt_is is = opt_classify(opts->list, &p, argv[i], &o);
        opt_pass(&p, opts->first, is);
        if (is == OPT_IS_WRONG)
            return opt_wrong(opts, argv[i]);
        if (is == OPT_IS_OPERAND)
            argv[n++] = argv[i];
        if (!o)
            continue;
        EZ_TRY(opt_parse_value(s, opts, o, argv[i + opt_has_value(o)]));
        i += opt_has_value(o);
    }
    *argc = n;
    argv[n] = NULL;
    return NULL;
}

/* Returns the option without a value whose whole name is the last word of `text`, behind other
 * words; NULL if none. *n: length of the text before that word, without the blanks between. */
static const struct ez_opt *opt_last(const struct ez_opts *opts, const char *text, size_t *n)
{
    size_t end = strlen(text), at;
    while (end && strchr(" \t", text[end - 1]))
        end--;
    for (at = end; at && !strchr(" \t", text[at - 1]);)
        at--;
    for (*n = at; *n && strchr(" \t", text[*n - 1]);)
        --*n;
    for (const struct ez_opt *o = opts->list; *n && o->name; o++)
        if (!opt_has_value(o) && *o->name == '-' && strlen(o->name) == end - at &&
            !strncmp(o->name, text + at, end - at))
            return o;
    return NULL;
}

static ez_err *opt_parse_end(struct ez_sess *s, struct ez_opts *opts, const char **text)
{
    const struct ez_opt *o;
    size_t n;
    while (opts->list && (o = opt_last(opts, *text, &n))) {
        EZ_TRY(opt_parse_value(s, opts, o, NULL));
        *text = sess_keep(s, ez_strndup(*text, n));
    }
    return NULL;
}

ez_err *opt_parse_line(struct ez_sess *s, struct ez_opts *opts, const char **text)
{
    while (opts->list && **text == '-') {
        size_t n = strcspn(*text, " \t");
        char *argv[] = { NULL, sess_keep(s, ez_strndup(*text, n)), NULL };
        bool ends = !strcmp(argv[1], "--");
        int argc = 2;
        if (!ends && !opt_dashed(argv[1]))
            break;
        if (!ends)
            EZ_TRY(opt_parse(s, opts, &argc, argv));
        *text = parse_skip(*text + n);
        if (ends)
            return NULL;
    }
    return opt_parse_end(s, opts, text);
}

/* ---- the given options --------------------------------------------------------------- */

static size_t opt_index(const struct ez_sess *s, const char *name)
{
    for (const struct ez_opt *o = s->run.opts->list; o && o->name; o++)
        if (!strcmp(o->name, name))
            return (size_t)(o - s->run.opts->list);
    abort(); /* a bug: the command asks for an option that its table does not list */
}

bool opt_given(const struct ez_sess *s, const char *name)
{
    return s->run.opts->at[opt_index(s, name)].text != NULL;
}

uint64_t opt_number(const struct ez_sess *s, const char *name, uint64_t if_not_given)
{
    size_t i = opt_index(s, name);
    return s->run.opts->at[i].text ? s->run.opts->at[i].number : if_not_given;
}

const char *opt_text(const struct ez_sess *s, const char *name)
{
    return s->run.opts->at[opt_index(s, name)].text;
}

const char *const *opt_texts(const struct ez_sess *s, const char *name)
{
    static const char *const none[] = { NULL };
    const char *const *texts = s->run.opts->at[opt_index(s, name)].texts;
    return texts ? texts : none;
}

bool opt_json(const struct ez_opts *opts)
{
    for (const struct ez_opt *o = opts->list; o && o->name; o++)
        if (!strcmp(o->name, "-json"))
            return opts->at[o - opts->list].text != NULL;
    return false;
}

ez_err *opt_misuse(const struct ez_sess *s)
{
    EZ_FREE char *words = opt_usage(s->run.opts->list, s->run.opts->operands);
    return ez_err_gdb(EZ_E_ARG, "Usage: %s%s%s", s->run.opts->command, *words ? " " : "", words);
}
