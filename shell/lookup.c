/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lookup.c - finds commands by exact names, prefixes and near misses (lookup.h). */
#include "shell/lookup.h"

#include <string.h>

#include "shell/gdb_words.h"
#include "shell/lex.h"
#include "shell/sess.h"

static bool lookup_named(const struct ez_cmd *c, const char *word, size_t len)
{
    return (strlen(c->name) == len && !strncmp(c->name, word, len)) ||
           (c->alias && strlen(c->alias) == len && !strncmp(c->alias, word, len));
}

static ez_err *lookup_ambiguous(const struct ez_cmd *table, const char *family, const char *word,
                                size_t len, const struct gdb_word *gdbs)
{
    EZ_FREE char *list = ez_strdup("");
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN || strncmp(c->name, word, len))
            continue;
        char *more = ez_sprintf("%s%s%s", list, *list ? ", " : "", c->name);
        free(list);
        list = more;
    }
    return ez_err_new(EZ_E_ARG, 0, "Ambiguous %scommand \"%.*s\": %s%s%s", family, (int)len, word,
                      list, gdbs ? ", and gdb's " : "", gdbs ? gdbs->name : "");
}

/* Returns the edit distance between `a`, which has n letters, and b: how many letters must be
 * changed, omitted or inserted. For a b of 32 letters or more, returns the length of b. */
static size_t lookup_apart(const char *a, size_t n, const char *b)
{
    size_t m = strlen(b), row[32];
    if (m >= EZ_ARRAY_LEN(row))
        return m;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t before = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = before + (a[i - 1] != b[j - 1]);
            before = row[j];
            row[j] = EZ_MIN(EZ_MIN(row[j], row[j - 1]) + 1, change);
        }
    }
    return row[m];
}

static const char *lookup_meant(const struct ez_cmd *table, const char *word, size_t len)
{
    /* A word of 3 or 4 letters may have one wrong letter, a longer word two. */
    size_t nearest = len < 3 ? 0 : len < 5 ? 2 : 3;
    const char *best = NULL;
    for (const struct ez_cmd *c = table; c->name; c++) {
        size_t far = c->flags & HIDDEN ? len : lookup_apart(word, len, c->name);
        if (far < nearest) {
            nearest = far;
            best = c->name;
        }
    }
    return best;
}

static ez_err *lookup_undefined(const struct ez_cmd *table, const char *family, const char *word,
                                size_t len, const struct gdb_word *gdbs)
{
    const char *best = gdbs ? NULL : lookup_meant(table, word, len);
    ez_err *e = ez_err_new(EZ_E_ARG, 0, "Undefined %scommand: \"%.*s\".  Try \"help%s%.*s\"",
                           family, (int)len, word, *family ? " " : "",
                           (int)(strlen(family) ? strlen(family) - 1 : 0), family);
    if (best)
        return ez_err_hint(e, "Did you mean \"%s\"?", best);
    if (!gdbs && (!strncmp(family, "set ", 4) || !strncmp(family, "show ", 5)))
        return ez_err_hint(e, "\"show\" lists the settings");
    return gdbs && gdbs->instead ? ez_err_hint(e, "%s", gdbs->instead) : e;
}

ez_err *lookup_find(const struct ez_cmd *table, const char *family, const char *word, size_t len,
                    const struct ez_cmd **out)
{
    const struct gdb_word *gdbs =
        !*family == (table == ez_cmds) ? gdb_word_named(family, word, len) : NULL;
    unsigned n = 0;
    *out = NULL;
    for (const struct ez_cmd *c = table; c->name; c++)
        if (lookup_named(c, word, len)) {
            *out = c;
            return NULL;
        }
    if (gdbs)
        return lookup_undefined(table, family, word, len, gdbs);
    for (const struct ez_cmd *c = table; c->name; c++) {
        if (c->flags & HIDDEN || strncmp(c->name, word, len))
            continue;
        *out = c;
        n++;
        if (c->min_abbrev && len >= c->min_abbrev)
            return NULL;
    }
    if (table == ez_cmds)
        gdbs = gdb_word_begins(word, len);
    if (len && (n > 1 || (n && gdbs)))
        return lookup_ambiguous(table, family, word, len, gdbs);
    return n && len ? NULL : lookup_undefined(table, family, word, len, gdbs);
}

/* Returns the start of the word at `text` without its quotes, to be compared with subcommands. *len
 * is its length without quotes, *whole with quotes, in bytes. */
static const char *lookup_sub_word(const char *text, size_t *len, size_t *whole)
{
    *whole = *len = strcspn(text, " \t");
    bool quoted = *len > 2 && (*text == '"' || *text == '\'') && text[*len - 1] == *text;
    *len -= quoted ? 2 : 0;
    return text + quoted;
}

bool lookup_own_word(const struct ez_cmd *c, const char *text)
{
    size_t len, whole;
    text = lookup_sub_word(text, &len, &whole);
    if (!(c->flags & OWN_WORDS))
        return false;
    for (const struct ez_cmd *sub = c->sub; sub->name; sub++)
        if (lookup_named(sub, text, len))
            return false;
    return true;
}

ez_err *lookup_resolve(const char **text, const struct ez_cmd **out, char **name)
{
    /* in: the command whose subcommands are in `table` */
    const struct ez_cmd *table = ez_cmds, *in = NULL;
    EZ_FREE char *family = ez_strdup("");
    const char *p = lex_skip_blanks(*text);
    do {
        size_t len = lex_name(p), whole = len;
        const char *word = p;
        if (!len && in && in->flags & ASSIGNS && *p == '$') {
            word = "variable"; /* `set $v = 1` means `set variable $v = 1` */
            len = strlen(word);
            whole = 0;
        } else if (!len && in && in->flags & OWN_WORDS)
            word = lookup_sub_word(p, &len, &whole);
        else if (!len) /* no name follows, so the error quotes the text up to the next blank */
            whole = len = strcspn(p, " \t");
        EZ_TRY(lookup_find(table, family, word, len, &in));
        EZ_ASSUME(in);
        p = lex_skip_blanks(p + whole);
        char *longer = ez_sprintf("%s%s ", family, in->name);
        free(family);
        family = longer;
        table = in->sub;
        if (in->options && *p == '-') /* an option follows the name, as in `info proc -json` */
            break;
    } while (table && *p && *p != '#' && !lookup_own_word(in, p));
    *text = p;
    *out = in;
    *name = ez_strndup(family, strlen(family) - 1);
    return NULL;
}

uint32_t sess_flags_of(const char *line)
{
    const struct ez_cmd *c;
    const char *word = lex_skip_blanks(line);
    size_t len = lex_name(word);
    return len && ez_err_drop(lookup_find(ez_cmds, "", word, len, &c)) ? c->flags : 0;
}

const struct ez_cmd *sess_command_of(const char *line)
{
    const struct ez_cmd *c = NULL;
    EZ_FREE char *name = NULL;
    const char *p = lex_skip_blanks(line);
    return lex_name(p) && ez_err_drop(lookup_resolve(&p, &c, &name)) ? c : NULL;
}

bool sess_is_command(const char *name)
{
    for (const struct ez_cmd *c = ez_cmds; c->name; c++)
        if (lookup_named(c, name, strlen(name)))
            return true;
    return false;
}
