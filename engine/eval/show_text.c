/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_text.c - shows strings and addresses like gdb (eval_priv.h).
 * Tests: tests/unit/eval/check_eval.c, tests/procs/print.sh */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/strutil.h"
#include "engine/eval/eval_priv.h"
#include "engine/target.h"
#include "engine/inferior/inferior.h"
#include "engine/record/items.h"

struct show show_begin(struct ez_history *v, char format)
{
    unsigned most = v->t->set.print_elements;
    most = most && most < SHOW_UNLIMITED ? most : SHOW_UNLIMITED;
    return (struct show){
        .v = v, .format = format, .most = most, .left = most, .pretty = v->t->set.print_pretty
    };
}

void show_add(struct show *s, const char *fmt, ...)
{
    char small[256];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    EZ_RESERVE(&s->text, (size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(s->text.at + s->text.n, (size_t)n + 1, fmt, ap);
    va_end(ap);
    s->text.n += (size_t)n;
}

void show_item(struct show *s, enum ez_item_type type, const uint64_t *word, unsigned n)
{
    const struct ez_data_item item = { "", type, "", 0 };
    const struct ez_item_value v = { .item = &item, .word = word, .n = n };
    EZ_FREE char *text = ez_item_text(&v, NULL);
    show_add(s, "%s", text);
}

void show_wrong(struct show *s, const char *why)
{
    s->wrong = s->wrong ? s->wrong : ez_err_new(EZ_E_ARG, 0, "%s", why);
}

size_t show_character(struct show *s, const uint8_t *c, size_t left, char quote)
{
    static const char from[] = "\a\b\f\n\r\t\v", to[] = "abfnrtv";
    unsigned char four[5] = { 0 };
    uint32_t cp;
    memcpy(four, c, EZ_MIN(left, 4ul));
    const char *k = *c ? strchr(from, *c) : NULL;
    size_t n = *c >= 0x80 ? ez_utf8_decode(four, &cp) : 0;
    if (n > 1 && cp >= 0xa0)
        show_add(s, "%.*s", (int)n, (const char *)c);
    else if (k)
        show_add(s, "\\%c", to[k - from]);
    else if (*c == quote || *c == '\\')
        show_add(s, "\\%c", *c);
    else if (*c >= 0x20 && *c < 0x7f)
        show_add(s, "%c", *c);
    else
        show_add(s, "\\%03o", *c);
    return n > 1 && cp >= 0xa0 ? n : 1;
}

void show_string(struct show *s, const uint8_t *c, size_t n, bool more)
{
    bool open = false, any = false;
    unsigned shown = 0;
    const char quote = s->fortran ? '\'' : '"';
    size_t i = 0;
    while (i < n && shown < s->most) {
        size_t run = 1;
        while (i + run < n && c[i + run] == c[i])
            run++;
        if (run > SHOW_REPEATS) {
            if (open)
                show_add(s, "%c", quote);
            show_add(s, "%s'", any ? ", " : "");
            show_character(s, c + i, 1, '\'');
            show_add(s, "' <repeats %zu times>", run);
            open = false;
            shown += SHOW_REPEATS;
            i += run;
        } else {
            if (!open)
                show_add(s, "%s%c", any ? ", " : "", quote);
            open = true;
            shown++;
            i += show_character(s, c + i, n - i, quote);
        }
        any = true;
    }
    if (!any)
        show_add(s, "%c", quote);
    if (open || !any)
        show_add(s, "%c", quote);
    if (more || i < n)
        show_add(s, "...");
}

static void show_any_text(struct show *s, char prefix, const uint8_t *c, size_t n, size_t size)
{
    if (prefix)
        show_wide_string(s, prefix, c, n, size, n == s->most);
    else
        show_string(s, c, n, n == s->most);
}

void show_pointed(struct show *s, uint64_t at, char prefix, size_t size)
{
    EZ_FREE uint8_t *c = ez_alloc(s->most * size);
    bool good;
    size_t n = value_read(s->v->t, at, c, s->most, size, &good);
    /* like gdb, show the NUL of a Fortran string, too */
    bool ended = good && n < s->most && s->fortran && !prefix;
    if (n || good)
        show_any_text(s, prefix, c, n + ended, size);
    if (!good)
        show_add(s, "<error: Cannot access memory at address 0x%llx>",
                 (unsigned long long)(at + n * size));
}

ez_err *ez_text_at(struct ez_history *v, uint64_t at, unsigned size, size_t *n, char **out)
{
    struct show s = show_begin(v, 0);
    struct eval ev = { .v = v, .t = v->t };
    EZ_FREE uint8_t *c = ez_alloc(s.most * size);
    bool good;
    names_begin(&ev); /* sets the language of the frame, whose notation is used */
    s.fortran = ev.scope.is_fortran && size == 1;
    names_end(&ev);
    size_t len = value_read(v->t, at, c, s.most, size, &good);
    if (!len && !good)
        return ez_read(v->t, ez_addr_of(at), c, 1);
    *n = (len + (len < s.most)) * size;
    show_any_text(&s,
                  size == 2   ? 'u'
                  : size == 4 ? 'U'
                              : 0,
                  c, len + (s.fortran && len < s.most), size);
    EZ_PUSH(&s.text, 0);
    *out = s.text.at;
    return NULL;
}

void show_address(struct show *s, uint64_t at)
{
    uint64_t off = 0;
    struct ez_module_info m;
    const struct ez_sym *sym = ez_symbolize_any(s->v->t, ez_addr_of(at), &off, &m);
    show_add(s, "0x%llx", (unsigned long long)at);
    if (sym && off)
        show_add(s, " <%s+%llu>", ez_sym_pretty(sym), (unsigned long long)off);
    else if (sym)
        show_add(s, " <%s>", ez_sym_pretty(sym));
}
