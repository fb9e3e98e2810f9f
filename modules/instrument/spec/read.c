/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c - reads a specification, clause by clause (spec.h).
 *
 * A clause is one line; a backslash at its end joins the next line. After an error in a clause,
 * reading continues in the line after it, so that one run reports the errors of several clauses.
 * Tests: tests/unit/modules/check_spec.c, tests/fuzz/fuzz_spec.c */
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "modules/instrument/spec/words.h"

enum read_attr {
    READ_FILE,
    READ_ROUTINE,
    READ_LANG,
    READ_CODE,
    READ_LINE,
    READ_CALL,
    READ_ATTRS,
};

static const char *const read_attrs[READ_ATTRS] = { "file", "routine", "lang",
                                                    "code", "line",    "call" };

struct read {
    struct ez_spec *s;
    struct ez_src *t;
    size_t at;
    struct ez_spec_clause c;
    size_t attr_at[READ_ATTRS]; /* place of each attribute in the text, + 1; 0 = missing */
    size_t word_at, loop_at;    /* place of the words that name the point, + 1; 0 = missing */
    bool loops;                 /* the word is TAU's `loops` */
    enum ez_spec_point word;
};

/* ---- parts of lines -------------------------------------------------------------------------- */

/* If p is a backslash at the end of a line, returns the length of both; else 0. */
static size_t read_joint(const char *p)
{
    return p[0] != '\\' ? 0 : p[1] == '\n' ? 2 : p[1] == '\r' && p[2] == '\n' ? 3 : 0;
}

/* Skips blanks, and a comment, which ends the line. */
static void read_blank(struct read *r)
{
    const char *p = r->t->text;
    size_t n;
    for (;;)
        if (p[r->at] && strchr(" \t\r\f\v", p[r->at]))
            r->at++;
        else if ((n = read_joint(p + r->at)))
            r->at += n;
        else
            break;
    if (p[r->at] == '#')
        r->at = ez_src_line_end(r->t, r->at);
}

static bool read_ended(const struct read *r)
{
    return r->at >= r->t->n || r->t->text[r->at] == '\n';
}

static struct ez_piece read_word(struct read *r)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    struct ez_piece p = { r->at, strspn(r->t->text + r->at, letters) };
    r->at += p.n;
    return p;
}

/* Returns the offset of the quote that closes the text at r->at; SIZE_MAX after reporting an
 * error. */
static size_t read_text_end(struct read *r)
{
    const char *p = r->t->text;
    size_t i = r->at + 1;
    while (i < r->t->n && p[i] != '"' && p[i] != '\n')
        i += read_joint(p + i)                              ? read_joint(p + i)
             : p[i] == '\\' && p[i + 1] && p[i + 1] != '\n' ? 2
                                                            : 1;
    if (p[i] == '"')
        return i;
    ez_src_error(r->t, r->at, "the quote is not closed on its line");
    return SIZE_MAX;
}

/* Reads a text in quotes, and returns it with its escapes resolved. *raw: the text between the
 * quotes as written. Returns NULL after reporting an error. The caller frees. */
static char *read_text(struct read *r, struct ez_piece *raw)
{
    const char *text = r->t->text, *p, *next;
    if (text[r->at] != '"') {
        ez_src_error(r->t, r->at, "a text in double quotes was expected");
        return NULL;
    }
    size_t end = read_text_end(r), n = 0;
    if (end == SIZE_MAX)
        return NULL;
    *raw = (struct ez_piece){ r->at + 1, end - r->at - 1 };
    char *out = ez_alloc(raw->n + 1);
    bool good = true;
    for (p = text + raw->at; p < text + end; p = next) {
        next = p + (read_joint(p) ? read_joint(p) : 1);
        if (read_joint(p))
            continue;
        unsigned char c = (unsigned char)*p;
        if (c == '\\') {
            if (!strchr("abfnrtv\\\"'?01234567x", p[1])) {
                ez_src_error(r->t, (size_t)(p - text),
                             "C has no escape \\%c: write \\\\ for a backslash", p[1]);
                good = false;
            }
            c = ez_str_unescape(p + 1, &next);
        }
        if (!c || c == EZ_SPEC_FROM || c == EZ_SPEC_BACK) {
            ez_src_error(
                r->t, (size_t)(p - text),
                c ? "the bytes 036 and 037 cannot be in a text: in a literal of C write \\\\036"
                  : "a zero byte ends every text: it cannot be in one");
            good = false;
        }
        out[n++] = (char)c;
    }
    out[n] = 0;
    r->at = end + 1;
    if (good)
        return out;
    free(out);
    return NULL;
}

unsigned ez_spec_code_line(const struct ez_spec_clause *c, size_t i)
{
    const char *p = c->t->text + c->raw.at, *end = p + c->raw.n, *next;
    if (!c->raw.n)
        return ez_src_line(c->t, c->at);
    for (; p < end && i; p = next) {
        next = p + (read_joint(p) ? read_joint(p) : 1);
        i -= *p == '\\' && !read_joint(p) && ez_str_unescape(p + 1, &next) == '\n';
    }
    while (p < end && read_joint(p))
        p += read_joint(p);
    return ez_src_line(c->t, (size_t)(p - c->t->text));
}

/* ---- attributes ------------------------------------------------------------------------------------- */

static bool read_pattern(struct read *r, struct ez_spec_pattern *p, bool negated, bool regex)
{
    struct ez_piece raw;
    char *text = read_text(r, &raw);
    if (!text)
        return false;
    if (!*text) {
        ez_src_error(r->t, raw.at, "the text is empty: nothing has that name");
        free(text);
        return false;
    }
    *p = (struct ez_spec_pattern){ .text = text, .negated = negated };
    if (!regex)
        return true;
    ez_err *e = ez_str_regcomp(&p->re, text, 0);
    if (e) {
        ez_src_error(r->t, raw.at, "%s", e->msg);
        ez_err_free(e);
        return false;
    }
    p->regex = true;
    return true;
}

static bool read_langs(struct read *r)
{
    struct ez_piece raw;
    EZ_FREE char *text = read_text(r, &raw);
    bool good = text != NULL;
    r->c.langs = 0;
    for (const char *p = text; good && p; p = *p ? p + 1 : NULL) {
        p += strspn(p, " \t");
        size_t n = strcspn(p, ", \t");
        unsigned lang = ez_spec_lang_of(p, n);
        p += n + strspn(p + n, " \t");
        good = lang && (!*p || *p == ',');
        r->c.langs |= lang;
    }
    if (text && !good)
        ez_src_error(r->t, raw.at, "a list of c, c++ and fortran was expected");
    return good;
}

static bool read_line(struct read *r)
{
    size_t n = strspn(r->t->text + r->at, "0123456789");
    unsigned long line = n && n < 9 ? strtoul(r->t->text + r->at, NULL, 10) : 0;
    if (!line)
        ez_src_error(r->t, r->at, "the number of a line, from 1, was expected");
    r->c.line = (unsigned)line;
    r->at += n;
    return line != 0;
}

static bool read_value(struct read *r, enum read_attr attr, bool negated, bool regex)
{
    switch (attr) {
    case READ_FILE:
        return read_pattern(r, &r->c.file, negated, regex);
    case READ_ROUTINE:
        return read_pattern(r, &r->c.routine, negated, regex);
    case READ_CALL:
        return read_pattern(r, &r->c.callee, negated, regex);
    case READ_LANG:
        return read_langs(r);
    case READ_LINE:
        return read_line(r);
    default:
        r->c.code = read_text(r, &r->c.raw);
        return r->c.code != NULL;
    }
}

/* Reads the '=', "~=", "!=" or "!~=" after an attribute's name, and its value. */
static bool read_attribute(struct read *r, enum read_attr attr, size_t at)
{
    read_blank(r);
    const char *p = r->t->text + r->at;
    bool negated = *p == '!', regex = p[negated] == '~';
    if (p[negated + regex] != '=') {
        ez_src_error(r->t, r->at, "'=' was expected behind %s", read_attrs[attr]);
        return false;
    }
    if ((negated || regex) && attr != READ_FILE && attr != READ_ROUTINE && attr != READ_CALL) {
        ez_src_error(r->t, r->at, "%s takes '=' alone", read_attrs[attr]);
        return false;
    }
    if (r->attr_at[attr]) {
        ez_src_error(r->t, at, "a second %s", read_attrs[attr]);
        return false;
    }
    r->attr_at[attr] = at + 1;
    r->at += (size_t)negated + regex + 1;
    read_blank(r);
    return read_value(r, attr, negated, regex);
}

/* ---- clauses ------------------------------------------------------------------------------------------ */

/* Reads a word that names a point or a part of it: entry, loop, ... */
static bool read_point(struct read *r, struct ez_piece w)
{
    static const enum ez_spec_point words[] = { EZ_SPEC_DECL, EZ_SPEC_INIT,  EZ_SPEC_ENTRY,
                                                EZ_SPEC_EXIT, EZ_SPEC_ABORT, EZ_SPEC_THROW,
                                                EZ_SPEC_CATCH };
    size_t *at = &r->word_at;
    r->loops |= ez_piece_is(r->t, w, "loops");
    bool known = r->loops || ez_piece_is(r->t, w, "loop");
    if (known)
        at = &r->loop_at;
    for (size_t i = 0; !known && i < EZ_ARRAY_LEN(words); i++)
        if ((known = ez_piece_is(r->t, w, ez_spec_point_name(words[i])))) {
            if (!r->word_at)
                r->word = words[i];
        }
    if (!known) {
        ez_src_error(r->t, w.at,
                     "%.*s is not a clause: the clauses are entry, exit, decl, abort, init, loop, "
                     "throw, catch, and rules with file and line",
                     (int)EZ_MIN(w.n, (size_t)40), r->t->text + w.at);
        return false;
    }
    if (*at) {
        ez_src_error(r->t, w.at, "a clause has one point: %.*s is a second", (int)w.n,
                     r->t->text + w.at);
        return false;
    }
    *at = w.at + 1;
    return true;
}

/* Finds the point that the words of the clause name together. Returns false after reporting what
 * does not fit. */
static bool read_resolve(struct read *r)
{
    static const char *const none[] = { [EZ_SPEC_FILE] =
                                            "a rule with file and line takes no routine",
                                        [EZ_SPEC_INIT] =
                                            "init takes no routine: it is the main program's" };
    const size_t *attr = r->attr_at;
    bool edge = r->word_at && (r->word == EZ_SPEC_ENTRY || r->word == EZ_SPEC_EXIT);
    enum ez_spec_point p = r->word_at ? r->word : EZ_SPEC_FILE;
    if (r->loop_at)
        p = r->word == EZ_SPEC_ENTRY ? EZ_SPEC_LOOP_ENTRY : EZ_SPEC_LOOP_EXIT;
    else if (attr[READ_CALL])
        p = r->word == EZ_SPEC_ENTRY ? EZ_SPEC_CALL_ENTRY : EZ_SPEC_CALL_EXIT;
    r->c.point = p;
    if (r->loop_at && attr[READ_CALL])
        ez_src_error(r->t, attr[READ_CALL] - 1, "loop and call are two points");
    else if (r->loop_at && !edge)
        ez_src_error(r->t, r->loop_at - 1, "loop needs entry or exit: loop entry code=\"...\"");
    else if (attr[READ_CALL] && !edge)
        ez_src_error(r->t, attr[READ_CALL] - 1,
                     "call needs entry or exit: entry call=\"NAME\" code=\"...\"");
    else if (p == EZ_SPEC_FILE && !attr[READ_LINE])
        ez_src_error(r->t, r->c.at, "a clause needs a point, such as entry, or both file and line");
    else if (p != EZ_SPEC_FILE && attr[READ_LINE] && p != EZ_SPEC_DECL && p != EZ_SPEC_ENTRY &&
             p != EZ_SPEC_EXIT && p != EZ_SPEC_ABORT)
        ez_src_error(r->t, attr[READ_LINE] - 1,
                     "line belongs to rules with file, and to decl, entry, exit and abort");
    else if (attr[READ_ROUTINE] && (p == EZ_SPEC_FILE || p == EZ_SPEC_INIT))
        ez_src_error(r->t, attr[READ_ROUTINE] - 1, "%s", none[p]);
    else if (!attr[READ_CODE])
        ez_src_error(r->t, r->c.at, "the clause has no code");
    else
        return true;
    return false;
}

/* Checks that the code's keywords are allowed at the point. */
static void read_keywords(struct read *r)
{
    const struct ez_spec_clause *c = &r->c;
    char buf[16];
    const char *text = r->t->text;
    for (size_t i = c->raw.at, n; i < c->raw.at + c->raw.n; i += n ? n : 1) {
        n = 0;
        if (text[i] != '@')
            continue;
        enum ez_spec_word w = ez_spec_word(text + i, &n);
        if (w == EZ_SPEC_WORDS && n)
            ez_src_warn(r->t, i, "there is no keyword %.*s: this text is inserted unchanged",
                        (int)EZ_MIN(n, (size_t)60), text + i);
        else if (w == EZ_SPEC_WORDS)
            continue;
        else if (!(ez_spec_keywords[w].points & (1u << c->point)))
            ez_src_error(r->t, i, "%.*s may not stand in %s", (int)n, text + i,
                         c->point == EZ_SPEC_FILE ? "a rule with file and line"
                                                  : ez_spec_point_name(c->point));
        else if (!(ez_spec_keywords[w].langs & c->langs))
            ez_src_error(r->t, i, "%.*s is for %s alone", (int)n, text + i,
                         ez_spec_lang_names(ez_spec_keywords[w].langs, buf));
    }
}

/* Checks that the braces in the code are balanced, except in Fortran, and in a rule with file and
 * line, because one rule may open a brace that another rule closes. */
static void read_braces(struct read *r)
{
    const struct ez_spec_clause *c = &r->c;
    const char brace =
        c->point == EZ_SPEC_FILE || c->langs == EZ_SPEC_FORTRAN ? 0 : ez_spec_unbalanced(c->code);
    if (brace)
        ez_src_error(r->t, c->raw.at, "'%c' in the code %s: the braces of a clause are balanced",
                     brace, brace == '{' ? "is not closed" : "closes nothing");
}

/* Handles TAU's `loops routine="f"`, which has no code and only selects loops. Returns true if the
 * clause is one. */
static bool read_selects(struct read *r)
{
    const size_t *attr = r->attr_at;
    if (!r->loops || r->word_at || attr[READ_CODE] || attr[READ_LINE] || attr[READ_CALL])
        return false;
    /* The list owns these strings now. */
    EZ_PUSH(&r->s->loops, ((struct ez_spec_loops){ r->c.langs, r->c.file, r->c.routine }));
    return true;
}

/* Skips a line for TAU's own measurement, which its first word shows. Returns true if the line was
 * such a line. */
static bool read_foreign(struct read *r)
{
    static const char *const words[] = { "io",    "memory", "phase",  "timer",
                                         "param", "static", "dynamic" };
    const size_t at = r->at;
    const struct ez_piece w = read_word(r);
    for (size_t i = 0; i < EZ_ARRAY_LEN(words); i++)
        if (ez_piece_is(r->t, w, words[i])) {
            ez_src_warn(r->t, at,
                        "%s is for TAU's own measurement, and has no code: the line does nothing",
                        words[i]);
            return true;
        }
    r->at = at;
    return false;
}

static void read_pass(struct read *r)
{
    while (!read_ended(r)) /* Skips the lines that backslashes join with the line, too. */
        r->at += read_joint(r->t->text + r->at) ? read_joint(r->t->text + r->at) : 1;
}

static void read_drop(struct ez_spec_clause *c)
{
    ez_spec_pattern_deinit(&c->file);
    ez_spec_pattern_deinit(&c->routine);
    ez_spec_pattern_deinit(&c->callee);
    free(c->code);
}

static bool read_part(struct read *r)
{
    struct ez_piece w = read_word(r);
    if (!w.n) {
        ez_src_error(r->t, r->at, "a word was expected, such as entry or code");
        return false;
    }
    for (unsigned i = 0; i < READ_ATTRS; i++)
        if (ez_piece_is(r->t, w, read_attrs[i]))
            return read_attribute(r, i, w.at);
    return read_point(r, w);
}

static void read_clause(struct read *r)
{
    bool good = true;
    r->c = (struct ez_spec_clause){ .t = r->t, .at = r->at, .langs = EZ_SPEC_ALL };
    r->word_at = r->loop_at = 0;
    r->loops = false;
    memset(r->attr_at, 0, sizeof r->attr_at);
    if (read_foreign(r)) {
        read_pass(r);
        return;
    }
    for (; good && !read_ended(r); read_blank(r))
        good = read_part(r);
    if (good && read_selects(r))
        return;
    if (good && read_resolve(r)) {
        read_keywords(r);
        read_braces(r);
        EZ_PUSH(&r->s->clauses, r->c);
        return;
    }
    read_drop(&r->c);
    read_pass(r);
}

void ez_spec_read(struct ez_spec *s, struct ez_src *t)
{
    struct read r = { .s = s, .t = t };
    for (; r.at < t->n; r.at += r.at < t->n) {
        read_blank(&r);
        if (!read_ended(&r) && !ez_spec_read_list(s, t, &r.at))
            read_clause(&r);
    }
}

void ez_spec_deinit(struct ez_spec *s)
{
    for (size_t i = 0; i < s->clauses.n; i++)
        read_drop(&s->clauses.at[i]);
    EZ_VEC_FREE(&s->clauses);
    for (size_t i = 0; i < s->loops.n; i++) {
        ez_spec_pattern_deinit(&s->loops.at[i].file);
        ez_spec_pattern_deinit(&s->loops.at[i].routine);
    }
    EZ_VEC_FREE(&s->loops);
    for (unsigned k = 0; k < EZ_SPEC_LISTS; k++) {
        for (size_t i = 0; i < s->lists[k].n; i++)
            ez_spec_pattern_deinit(&s->lists[k].at[i]);
        EZ_VEC_FREE(&s->lists[k]);
    }
    *s = (struct ez_spec){ 0 };
}
