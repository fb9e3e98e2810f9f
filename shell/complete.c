/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c - finds the words of a completion (complete.h): commands, options, files, symbols,
 * probes. */
#include "shell/complete.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <readline/readline.h>

#include "engine/sym/sym.h"
#include "shell/command.h"
#include "shell/hooks.h"
#include "shell/lex.h"
#include "shell/lookup.h"
#include "shell/out.h"
#include "shell/sess.h"

#define MAX_WORDS 200 /* maximum number of words, as gdb's max-completions */

void comp_offer(struct ez_comp *c, const char *typed, const char *word)
{
    if (!strncmp(typed, word, strlen(typed)))
        EZ_PUSH(&c->word, ez_strdup(word));
}

static int complete_by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void complete_sort_unique(struct ez_comp *c)
{
    size_t n = 0;
    if (c->word.n)
        qsort(c->word.at, c->word.n, sizeof *c->word.at, complete_by_name);
    for (size_t i = 0; i < c->word.n; i++) {
        if (n && !strcmp(c->word.at[n - 1], c->word.at[i]))
            free(c->word.at[i]);
        else
            c->word.at[n++] = c->word.at[i];
    }
    c->word.n = n;
}

void complete_free(struct ez_comp *c)
{
    for (size_t i = 0; i < c->word.n; i++)
        free(c->word.at[i]);
    EZ_VEC_FREE(&c->word);
}

const char *comp_command_name(const struct ez_comp *c)
{
    return c->command;
}

/* ---- the sources ------------------------------------------------------------------ */

static void complete_offer_table(struct ez_comp *c, const char *typed, const struct ez_cmd *table)
{
    for (; table->name; table++)
        if (!(table->flags & HIDDEN))
            comp_offer(c, typed, table->name);
}

struct offer {
    struct ez_comp *out;
    const char *typed, *prefix;
};

static void complete_offer_user(const char *name, const char *brief, void *arg)
{
    struct offer *o = arg;
    comp_offer(o->out, o->typed, name);
}

/* Adds the commands that are not hidden, and the user's commands and aliases, that begin with
 * `word`. */
static void complete_verbs(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    struct offer o = { out, word, "" };
    complete_offer_table(out, word, ez_cmds);
    hooks_words->names(s, complete_offer_user, &o);
}

void comp_command(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    complete_verbs(s, word, out);
}

void comp_file(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    char *name;
    out->files = true;
    for (int state = 0; (name = rl_filename_completion_function(word, state)); state = 1)
        EZ_PUSH(&out->word, name);
}

static bool complete_is_folder(const char *path)
{
    struct stat st;
    EZ_FREE char *real = *path == '~' ? tilde_expand(path) : ez_strdup(path);
    return !stat(real, &st) && S_ISDIR(st.st_mode);
}

static bool complete_is_trace(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".fxt");
}

/* Adds the names of trace files (.fxt) and of folders that begin with `word`. */
void comp_fxt(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    size_t kept = out->word.n;
    comp_file(s, word, out);
    for (size_t i = kept; i < out->word.n; i++) {
        char *name = out->word.at[i];
        if (complete_is_trace(name) || complete_is_folder(name))
            out->word.at[kept++] = name;
        else
            free(name);
    }
    out->word.n = kept;
}

void comp_pid(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    DIR *d = opendir("/proc");
    struct dirent *e;
    while (d && (e = readdir(d)))
        if (isdigit((unsigned char)*e->d_name))
            comp_offer(out, word, e->d_name);
    if (d)
        closedir(d);
}

static void complete_offer_probe(const struct ez_probe_info *p, void *arg)
{
    struct offer *o = arg;
    char text[16];
    snprintf(text, sizeof text, "%d", p->number);
    comp_offer(o->out, o->typed, text);
}

void comp_probe(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    struct offer o = { out, word, "" };
    ez_probes(s->target, complete_offer_probe, &o);
}

static void complete_offer_symbols(const struct ez_module_info *m, void *arg)
{
    struct offer *o = arg;
    size_t n = 0, len = strlen(o->typed);
    const struct ez_sym *sym = m->obj ? ez_object_syms(m->obj, &n) : NULL;
    for (size_t i = 0; i < n; i++) {
        if (sym[i].kind > EZ_SYM_IFUNC)
            continue;
        const char *name = ez_sym_pretty(&sym[i]);
        if (strpbrk(name, " (")) /* a blank would end the word: adds the mangled name instead */
            name = sym[i].name;
        if (strncmp(name, o->typed, len))
            continue;
        EZ_PUSH(&o->out->word, ez_sprintf("%s%s", o->prefix, name));
    }
}

void comp_symbol(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    struct offer o = { out, word, "" };
    ez_err_drop(ez_modules(s->target, complete_offer_symbols, &o));
}

struct library {
    struct offer o;
    const char *name;
    size_t len;
    bool found;
};

static void complete_offer_from_library(const struct ez_module_info *m, void *arg)
{
    struct library *l = arg;
    const char *base = m->obj ? ez_object_base(m->obj) : "";
    if (!strncmp(base, l->name, l->len) && (!base[l->len] || base[l->len] == '.')) {
        l->found = true;
        complete_offer_symbols(m, &l->o);
    }
}

static void complete_offer_stap(const struct ez_stap_info *p, void *arg)
{
    struct offer *o = arg;
    EZ_FREE char *name = ez_sprintf("%s:%s", p->note->provider, p->note->name);
    comp_offer(o->out, o->typed, name);
}

/* Returns true if the word is the name of a USDT probe: one of the words before it is an option of
 * that meaning. */
static bool complete_is_stap(const char *before)
{
    char **words = NULL;
    int n = 0;
    bool is = false;
    if (ez_err_drop(lex_words(ez_text(before), &words, &n)))
        for (int i = 0; i < n; i++) {
            EZ_FREE char *location = ez_sprintf("%s ", words[i]);
            is |= ez_location_stap(location) != NULL;
        }
    lex_free(words);
    return is;
}

/* Completes `func` or `lib:func`; after -probe-stap, `provider:name`. */
void comp_location(struct ez_sess *s, const char *word, struct ez_comp *out)
{
    if (complete_is_stap(out->before)) {
        struct offer o = { out, word, "" };
        ez_err_drop(ez_staps(s->target, complete_offer_stap, &o));
        return;
    }
    const char *colon = strchr(word, ':');
    if (colon && colon[1] != ':') {
        EZ_FREE char *prefix = ez_strndup(word, (size_t)(colon + 1 - word));
        struct library l = { { out, colon + 1, prefix }, word, (size_t)(colon - word), false };
        ez_err_drop(ez_modules(s->target, complete_offer_from_library, &l));
        return;
    }
    comp_symbol(s, word, out);
}

/* ---- options ----------------------------------------------------------------------- */

/* Adds the options that begin with `typed`, with as many dashes as `typed` has: "--top" for
 * "--t". */
static void complete_options(struct ez_comp *out, const char *typed, const struct ez_opt *list)
{
    const char *dash = !strncmp(typed, "--", 2) ? "-" : "";
    for (const struct ez_opt *o = list; o->name; o++) {
        EZ_FREE char *name = ez_sprintf("%s%s", dash, o->name);
        if (*o->name == '-')
            comp_offer(out, typed, name);
    }
}

static void complete_value(struct ez_sess *s, const char *typed, struct ez_comp *out,
                           const struct ez_opt *o)
{
    for (const struct ez_opt_word *w = o->words; w && w->text; w++)
        if (opt_word_is_first(o->words, w))
            comp_offer(out, typed, w->text);
    if (o->kind == OPT_FILE)
        comp_file(s, typed, out);
    if (o->complete)
        o->complete(s, typed, out);
}

/* Adds the completions of `typed`, the word at the cursor. before: the text between the command's
 * name and that word. */
static void complete_argument(struct ez_sess *s, const struct ez_cmd *c, const char *before,
                              const char *typed, struct ez_comp *out)
{
    char **words = NULL;
    int n = 0;
    struct ez_opt_place p = { .ended = true };
    if (c->options && ez_err_drop(lex_words(before, &words, &n)))
        p = opt_place(c->options, c->flags & OPTIONS_FIRST, words, (size_t)n);
    lex_free(words);
    if (p.value_of) {
        complete_value(s, typed, out, p.value_of);
        return;
    }
    if (*typed == '-' && !p.ended)
        complete_options(out, typed, c->options);
    for (const struct ez_opt *o = c->options; o && o->name && *typed && !p.operands; o++)
        if (o->kind == OPT_WORD && !p.ended)
            comp_offer(out, typed, o->name);
    if (c->complete && *typed != '-')
        c->complete(s, typed, out);
}

/* ---- the line ------------------------------------------------------------------------ */

static size_t complete_word_start(const char *line)
{
    size_t n = strlen(line);
    while (n && !strchr(" \t\"'(,", line[n - 1]))
        n--;
    return n;
}

/* Returns the deepest command that the line names; *rest is the text after its name, *name its full
 * name (heap). Returns NULL if the line names no command, or if the command's name is still being
 * typed; `out` then has the completions of the name. */
static const struct ez_cmd *complete_command(struct ez_sess *s, const char *line, const char **rest,
                                             char **name, struct ez_comp *out)
{
    const struct ez_cmd *table = ez_cmds, *c = NULL;
    const char *p = lex_skip_blanks(line);
    bool names_only = false; /* after "help": completes the name of a command, not its operands */
    while (table) {
        size_t len = lex_name(p);
        if (!p[len]) {
            out->start = (size_t)(p - line);
            if (table == ez_cmds)
                complete_verbs(s, p, out);
            else
                complete_offer_table(out, p, table);
            if (c && c->flags & OWN_WORDS && c->complete && !names_only)
                c->complete(s, p, out);
            return NULL;
        }
        if (c && lookup_own_word(c, p))
            break;
        if (!ez_err_drop(lookup_find(table, "", p, len, &c)))
            return NULL;
        char *longer = ez_sprintf("%s%s%s", *name, **name ? " " : "", c->name);
        free(*name);
        *name = longer;
        p = lex_skip_blanks(p + len);
        names_only |= c->complete == comp_command;
        table = c->complete == comp_command ? ez_cmds : c->sub;
    }
    *rest = p;
    return c;
}

void complete_line(struct ez_sess *s, const char *line, struct ez_comp *out)
{
    const char *rest;
    EZ_FREE char *name = ez_strdup("");
    memset(out, 0, sizeof *out);
    const struct ez_cmd *c = complete_command(s, line, &rest, &name, out);
    if (c) {
        out->start = complete_word_start(line);
        out->command = name;
        const char *typed = line + out->start;
        const char *end = typed; /* end of the words before the typed one; `typed` may begin behind
                                  * a comma or a quote, `end` is behind a blank */
        while (end > rest && !strchr(" \t", end[-1]))
            end--;
        EZ_FREE char *before = ez_strndup(rest, (size_t)(end - rest));
        out->before = before;
        complete_argument(s, c, before, typed, out);
        out->command = out->before = NULL;
    }
    complete_sort_unique(out);
}

static ez_err *cmd_complete(struct ez_sess *s, int argc, char **argv)
{
    struct ez_comp c;
    const char *line = argc > 1 ? argv[1] : "";
    complete_line(s, line, &c);
    for (size_t i = 0; i < c.word.n && i < MAX_WORDS; i++)
        out_line(s, "%.*s%s", (int)c.start, line, c.word.at[i]);
    if (c.word.n > MAX_WORDS)
        out_line(s, "%s *** List may be truncated, max-completions reached. ***", line);
    complete_free(&c);
    return NULL;
}

const struct ez_cmd command_complete = {
    .name = "complete",
    .usage = "TEXT",
    .brief = "List the completions of TEXT, one on each line.",
    .help = "The command prints the completions that the Tab key shows. It is for scripts\n"
            "and editors.",
    .examples = "complete info s",
    .see_also = "help",
    OPERANDS(SUPPORT, 0, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_complete,
};

/* ---- readline --------------------------------------------------------------------------- */

static struct ez_sess *sess;
static struct ez_comp current;

static char *complete_next_word(const char *text, int state)
{
    static size_t i;
    if (!state)
        i = 0;
    return i < current.word.n && i < MAX_WORDS ? ez_strdup(current.word.at[i++]) : NULL;
}

static char **complete_attempt(const char *text, int start, int end)
{
    EZ_FREE char *line = ez_strndup(rl_line_buffer, (size_t)end);
    complete_free(&current);
    complete_line(sess, line, &current);
    rl_attempted_completion_over = 1;
    rl_filename_completion_desired = current.files;
    return rl_completion_matches(text, complete_next_word);
}

void complete_init(struct ez_sess *s)
{
    sess = s;
    rl_attempted_completion_function = complete_attempt;
    rl_completer_word_break_characters = " \t\"'(,";
    rl_basic_word_break_characters = " \t\"'(,";
}
