/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show.c - writes a specification in a canonical form (spec.h).
 * Tests: tests/unit/modules/check_spec.c, tests/fuzz/fuzz_spec.c */
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/spec/words.h"

struct show {
    EZ_VEC(char) out;
};

static void show_put(struct show *w, const char *text)
{
    EZ_APPEND(&w->out, text, strlen(text));
}

/* Writes NAME="text", with the escapes that reading resolves. */
static void show_text(struct show *w, const char *name, const char *op, const char *text)
{
    char octal[8];
    show_put(w, " ");
    show_put(w, name);
    show_put(w, op);
    show_put(w, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '\n' || c == '\t') {
            EZ_PUSH(&w->out, '\\');
            EZ_PUSH(&w->out, c == '\n' ? 'n' : c == '\t' ? 't' : *text);
        } else if (c < ' ' || c == 0x7f) {
            snprintf(octal, sizeof octal, "\\%03o", c);
            show_put(w, octal);
        } else {
            EZ_PUSH(&w->out, *text);
        }
    }
    show_put(w, "\"");
}

static void show_pattern(struct show *w, const char *name, const struct ez_spec_pattern *p)
{
    static const char *const ops[] = { "=", "~=", "!=", "!~=" };
    if (p->text)
        show_text(w, name, ops[p->regex + 2 * p->negated], p->text);
}

/* Writes the clause without its code. */
static void show_where(struct show *w, const struct ez_spec_clause *c)
{
    char buf[16], line[24];
    size_t begin = w->out.n;
    bool call = c->point == EZ_SPEC_CALL_ENTRY || c->point == EZ_SPEC_CALL_EXIT;
    if (c->point != EZ_SPEC_FILE)
        show_put(w, call ? ez_spec_point_name(c->point) + strlen("call ")
                         : ez_spec_point_name(c->point));
    show_pattern(w, "call", &c->callee);
    show_pattern(w, "file", &c->file);
    if (c->line) {
        snprintf(line, sizeof line, " line=%u", c->line);
        show_put(w, line);
    }
    show_pattern(w, "routine", &c->routine);
    if (c->langs != EZ_SPEC_ALL)
        show_text(w, "lang", "=", ez_spec_lang_names(c->langs, buf));
    if (w->out.n > begin && w->out.at[begin] == ' ')
        memmove(w->out.at + begin, w->out.at + begin + 1, --w->out.n - begin);
}

static void show_clause(struct show *w, const struct ez_spec_clause *c)
{
    show_where(w, c);
    show_text(w, "code", "=", c->code);
    show_put(w, "\n");
}

char *ez_spec_show_where(const struct ez_spec_clause *c)
{
    struct show w = { 0 };
    show_where(&w, c);
    EZ_PUSH(&w.out, 0);
    return w.out.at;
}

static void show_list(struct show *w, const char *name, const struct ez_spec_pattern *p, size_t n)
{
    if (!n)
        return;
    EZ_FREE char *begin = ez_sprintf("BEGIN_%s\n", name), *end = ez_sprintf("END_%s\n", name);
    show_put(w, begin);
    for (size_t i = 0; i < n; i++) {
        /* Without quotes, reading the line again would not give the same text. */
        bool quoted = strchr("#\"", *p[i].text) || strchr(" \t\r\f\v", *p[i].text) ||
                      strchr(" \t\r\f\v", p[i].text[strlen(p[i].text) - 1]) ||
                      !strncmp(p[i].text, "BEGIN_", 6) || !strncmp(p[i].text, "END_", 4);
        EZ_FREE char *line = ez_sprintf(quoted ? "\"%s\"\n" : "%s\n", p[i].text);
        show_put(w, line);
    }
    show_put(w, end);
}

static void show_loops(struct show *w, const struct ez_spec_loops *l)
{
    char buf[16];
    show_put(w, "loops");
    show_pattern(w, "file", &l->file);
    show_pattern(w, "routine", &l->routine);
    if (l->langs != EZ_SPEC_ALL)
        show_text(w, "lang", "=", ez_spec_lang_names(l->langs, buf));
    show_put(w, "\n");
}

char *ez_spec_show(const struct ez_spec *s)
{
    struct show w = { 0 };
    for (unsigned k = 0; k < EZ_SPEC_LISTS; k++)
        show_list(&w, ez_spec_list_names[k], s->lists[k].at, s->lists[k].n);
    for (size_t i = 0; i < s->loops.n; i++)
        show_loops(&w, &s->loops.at[i]);
    for (size_t i = 0; i < s->clauses.n; i++)
        show_clause(&w, &s->clauses.at[i]);
    EZ_PUSH(&w.out, 0);
    return w.out.at;
}
