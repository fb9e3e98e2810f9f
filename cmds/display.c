/* SPDX-License-Identifier: GPL-3.0-or-later */
/* display.c - `display`, `undisplay`, `info display`: expressions that each stop shows.
 * Tests: tests/procs/moving.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/moves.h"
#include "cmds/parse.h"
#include "cmds/values.h"
#include "shell/out.h"
#include "shell/sess.h"

struct ez_display {
    int number;
    char format;
    char *expr;
};

static ez_err *display_text(struct ez_sess *s, const struct ez_display *d, char **text)
{
    struct ez_value v;
    EZ_TRY(ez_eval(values_of(s), d->expr, NULL, &v));
    *text = ez_value_text(s->values, &v, d->format);
    ez_value_clear(&v);
    return NULL;
}

static const char *display_format(struct ez_sess *s, const struct ez_display *d)
{
    return d->format ? sess_format(s, "/%c ", d->format) : "";
}

static ez_err *display_one(struct ez_sess *s, const struct ez_display *d)
{
    EZ_FREE char *text = NULL;
    EZ_TRY(display_text(s, d, &text));
    out_lines(s, "%d: %s%s = %s", d->number, display_format(s, d), d->expr, text);
    return NULL;
}

/* What has no value where the program stands is left out, as by gdb. */
void display_all(struct ez_sess *s)
{
    for (size_t i = 0; i < s->displays.n; i++)
        ez_err_drop(display_one(s, s->displays.at[i]));
}

static void display_drop(struct ez_sess *s, size_t i)
{
    free(s->displays.at[i]->expr);
    free(s->displays.at[i]);
    for (s->displays.n--; i < s->displays.n; i++)
        s->displays.at[i] = s->displays.at[i + 1];
}

void display_free(struct ez_sess *s)
{
    while (s->displays.n)
        display_drop(s, s->displays.n - 1);
    EZ_VEC_FREE(&s->displays);
}

ez_err *cmd_display(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? parse_skip(argv[1]) : "";
    char format = 0;
    if (!*text) {
        display_all(s);
        return NULL;
    }
    if (*text == '/') {
        format = text[1];
        if (!format || !strchr("xduotacfsz", format) || !isspace((unsigned char)text[2]))
            return ez_err_hint(ez_err_new(EZ_E_ARG, 0, "Undefined output format in \"%s\".", text),
                               "one of x d u o t a c f s z");
        text = parse_skip(text + 2);
    }
    struct ez_display *d = ez_alloc(sizeof *d);
    *d = (struct ez_display){ s->display_number + 1, format, ez_strdup(text) };
    ez_err *e = NULL;
    if (ez_target_state(s->target) == EZ_STOPPED)
        e = display_one(s, d);
    if (e) {
        free(d->expr);
        free(d);
        return e;
    }
    s->display_number++;
    EZ_PUSH(&s->displays, d);
    return NULL;
}

ez_err *cmd_undisplay(struct ez_sess *s, int argc, char **argv)
{
    if (argc == 1 && s->displays.n && sess_query(s, "Delete all auto-display expressions? "))
        while (s->displays.n)
            display_drop(s, s->displays.n - 1);
    for (int i = 1; i < argc; i++) {
        uint64_t n;
        size_t k = 0;
        EZ_TRY(parse_count(argv[i], "a display", &n));
        while (k < s->displays.n && (uint64_t)s->displays.at[k]->number != n)
            k++;
        if (k == s->displays.n)
            return ez_err_new(EZ_E_NOTFOUND, 0, "No display number %s.", argv[i]);
        display_drop(s, k);
    }
    return NULL;
}

ez_err *cmd_info_display(struct ez_sess *s, int argc, char **argv)
{
    struct out_table t;
    out_table_json(&t, s, "display", "number# format expression");
    for (size_t i = 0; t.json && i < s->displays.n; i++) {
        const struct ez_display *d = s->displays.at[i];
        out_row(&t, sess_format(s, "%d", d->number), sess_format(s, "%.1s", &d->format), d->expr,
                NULL);
    }
    bool json = t.json;
    out_table_json_end(&t, NULL);
    if (json)
        return NULL;
    if (!s->displays.n) {
        out_line(s, "There are no auto-display expressions now.");
        return NULL;
    }
    out_line(s, "Auto-display expressions now in effect:");
    out_line(s, "Num Enb Expression");
    for (size_t i = 0; i < s->displays.n; i++)
        out_line(s, "%d:   y  %s%s", s->displays.at[i]->number,
                 display_format(s, s->displays.at[i]), s->displays.at[i]->expr);
    return NULL;
}
