/* SPDX-License-Identifier: GPL-3.0-or-later */
/* display.c - `display`, `undisplay`, `info display`: expressions that are shown at each stop.
 * Tests: tests/procs/moving.sh */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/run/moves.h"
#include "cmds/data/values.h"
#include "cmds/data/x.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

struct display {
    int number;
    char *format;            /* format as typed, without its slash; "" = none */
    struct x_format examine; /* format to examine memory; letter 0 = display the value itself */
    char *expr;
};

struct displays {
    EZ_VEC(struct display *) v;
    int last; /* number of the newest display; 0 = none yet */
};

static ez_err *display_text(struct ez_sess *s, const struct display *d, char **text)
{
    struct ez_history *values = values_of(s);
    struct ez_value v;
    EZ_TRY(ez_eval(values, d->expr, NULL, &v));
    ez_err *e = ez_value_format(values, &v, *d->format, false, text);
    ez_value_clear(&v);
    return e;
}

/* Returns the letter that `x` has for a unit's size. */
static char display_size(const struct x_format *f)
{
    return f->size == 8 ? 'g' : f->size == 4 ? 'w' : f->size == 2 ? 'h' : 'b';
}

static const char *display_format(struct ez_sess *s, const struct display *d)
{
    const struct x_format *f = &d->examine;
    if (f->letter)
        return sess_format(s, "/%d%c%c ", f->count,
                           f->letter == 'i' || f->letter == 's' ? 'b' : display_size(f), f->letter);
    return *d->format ? sess_format(s, "/%s ", d->format) : "";
}

/* Prints a display of memory: the command, then the output of `x`. */
static ez_err *display_memory(struct ez_sess *s, const struct display *d)
{
    const struct x_format *f = &d->examine;
    bool thing = f->letter == 'i' || f->letter == 's', several = f->count != 1;
    char size[2] = { thing ? '\0' : display_size(f) };
    const char *count = several ? sess_format(s, "%d", f->count) : "";
    uint64_t at;
    EZ_TRY(x_address(s, d->expr, &at));
    const char *head =
        sess_format(s, "%d: x/%s%c%s %s", d->number, count, f->letter, size, d->expr);
    if (!several && f->letter != 'i')
        return x_show(s, sess_format(s, "%s  ", head), f, &at);
    out_line(s, "%s", head);
    return x_show(s, "", f, &at);
}

static ez_err *display_one(struct ez_sess *s, const struct display *d)
{
    EZ_FREE char *text = NULL;
    if (d->examine.letter)
        return display_memory(s, d);
    EZ_TRY(display_text(s, d, &text));
    out_lines(s, "%d: %s%s = %s", d->number, display_format(s, d), d->expr, text);
    return NULL;
}

static void display_drop_one(struct display *d)
{
    free(d->format);
    free(d->expr);
    free(d);
}

static void display_drop(struct displays *all, size_t i)
{
    display_drop_one(all->v.at[i]);
    for (all->v.n--; i < all->v.n; i++)
        all->v.at[i] = all->v.at[i + 1];
}

static void display_free(void *state)
{
    struct displays *all = state;
    while (all->v.n)
        display_drop(all, all->v.n - 1);
    EZ_VEC_FREE(&all->v);
}

static struct displays *display_state(struct ez_sess *s)
{
    static const struct sess_kind kind = { sizeof(struct displays), display_free };
    return sess_state(s, &kind);
}

/* Shows all displays. Omits expressions without a value at the stop, as gdb does. */
void display_all(struct ez_sess *s)
{
    const struct displays *all = display_state(s);
    for (size_t i = 0; i < all->v.n; i++)
        ez_err_drop(display_one(s, all->v.at[i]));
}

/* Parses a format into *d. A single letter is a format of `print`, unless it is a letter of `x`
 * alone (i, s) or a size (b, h, w, g). */
static ez_err *display_parse(const char **text, struct display *d)
{
    static const struct x_format last = { 1, 4, 'x' };
    const char *from = *text + 1;
    *text = from;
    EZ_TRY(x_parse_format(text, &last, &d->examine));
    size_t n = strcspn(from, " \t");
    d->format = ez_strndup(from, n);
    if (n == 1 && isalpha((unsigned char)*from) && !strchr("isbhwg", *from))
        d->examine.letter = 0;
    return NULL;
}

static ez_err *cmd_display(struct ez_sess *s, int argc, char **argv)
{
    const char *text = argc > 1 ? parse_skip(argv[1]) : "";
    if (!*text) {
        display_all(s);
        return NULL;
    }
    struct displays *all = display_state(s);
    struct display one = { .number = all->last + 1 };
    if (*text == '/')
        EZ_TRY(display_parse(&text, &one));
    one.format = one.format ? one.format : ez_strdup("");
    one.expr = ez_strdup(text);
    struct display *d = ez_alloc(sizeof *d);
    *d = one;
    ez_err *e = NULL;
    if (ez_target_readable(s->target))
        e = display_one(s, d);
    if (e) {
        display_drop_one(d);
        return e;
    }
    all->last++;
    EZ_PUSH(&all->v, d);
    return NULL;
}

const struct ez_cmd command_display = {
    .name = "display",
    .usage = "[/FORMAT] [EXPR]",
    .brief = "Show a value at each stop.",
    .help = "Without EXPR, show all values now. A stop does not print an expression that has\n"
            "no value in the selected frame. A format with i, s, a count or a size shows\n"
            "memory, as x does.",
    .examples = "display n\n"
                "display /x flags\n"
                "display /3i $pc",
    .see_also = "undisplay, info display, print",
    OPERANDS(DATA, 0, 1),
    .flags = RAW | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_display,
    .complete = comp_symbol,
};

static ez_err *cmd_undisplay(struct ez_sess *s, int argc, char **argv)
{
    struct displays *all = display_state(s);
    if (argc == 1 && all->v.n && sess_query(s, "Delete all auto-display expressions? "))
        while (all->v.n)
            display_drop(all, all->v.n - 1);
    for (int i = 1; i < argc; i++) {
        uint64_t n;
        size_t k = 0;
        EZ_TRY(parse_count(argv[i], "a display", &n));
        while (k < all->v.n && (uint64_t)all->v.at[k]->number != n)
            k++;
        if (k == all->v.n)
            return ez_err_new(EZ_E_NOTFOUND, 0, "No display number %s", argv[i]);
        display_drop(all, k);
    }
    return NULL;
}

const struct ez_cmd command_undisplay = {
    .name = "undisplay",
    .usage = "[N...]",
    .brief = "Stop showing a value; without numbers, all values.",
    .help = "N is a number of \"info display\".",
    .examples = "undisplay 1",
    .see_also = "display",
    OPERANDS(DATA, 0, -1),
    .flags = NO_REPEAT | TEXT_ONLY,
    .fn = cmd_undisplay,
};

static ez_err *cmd_info_display(struct ez_sess *s, int argc, char **argv)
{
    const struct displays *all = display_state(s);
    struct out_table t;
    out_table_json(&t, s, "display", "number# format expression");
    for (size_t i = 0; t.json && i < all->v.n; i++) {
        const struct display *d = all->v.at[i];
        out_row(&t, sess_format(s, "%d", d->number), d->format, d->expr, NULL);
    }
    bool json = t.json;
    out_table_json_end(&t, NULL);
    if (json)
        return NULL;
    if (!all->v.n) {
        out_line(s, "There are no auto-display expressions now.");
        return NULL;
    }
    out_line(s, "Auto-display expressions now in effect:");
    out_line(s, "Num Enb Expression");
    for (size_t i = 0; i < all->v.n; i++)
        out_line(s, "%d:   y  %s%s", all->v.at[i]->number, display_format(s, all->v.at[i]),
                 all->v.at[i]->expr);
    return NULL;
}

const struct ez_cmd command_info_display = {
    .parent = "info",
    .name = "display",
    .usage = "",
    .brief = "Show the expressions that each stop prints.",
    .examples = "info display",
    .see_also = "display, undisplay",
    OPERANDS(DATA, 0, 0),
    OPTIONS(FOR_PROGRAMS),
    .fn = cmd_info_display,
};
