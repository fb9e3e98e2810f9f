/* SPDX-License-Identifier: GPL-3.0-or-later */
/* why_draw.c - draws a probe (why_draw.h). Tests: tests/procs/draw.sh */
#include "cmds/probe/why_draw.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "shell/out.h"
#include "shell/sess.h"

#define INNER 58 /* columns inside a box */

static const struct draw {
    const char *across, *down, *corner[4]; /* corners: top left, top right, bottom left, right */
    const char *right, *left;              /* arrow heads */
} draw_lines = { "\u2500",
                 "\u2502",
                 { "\u250c", "\u2510", "\u2514", "\u2518" },
                 "\u25ba",
                 "\u25c4" },
  draw_plain = { "-", "|", { "+", "+", "+", "+" }, ">", "<" };

/* Chooses Unicode or ASCII lines by the locale. As setlocale(LC_CTYPE, "") does, uses the first of
 * LC_ALL, LC_CTYPE and LANG that is set and not empty. */
static const struct draw *draw_by_locale(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < EZ_ARRAY_LEN(names); i++) {
        const char *v = getenv(names[i]);
        if (v && *v)
            return strcasestr(v, "utf-8") || strcasestr(v, "utf8") ? &draw_lines : &draw_plain;
    }
    return &draw_plain;
}

/* Draws the top or the bottom border of a box. */
static void draw_edge(struct ez_sess *s, const struct draw *d, const char *left, bool top,
                      const char *right)
{
    char line[3 * (INNER + 2) + 1] = "";
    for (unsigned i = 0; i < INNER + 2; i++)
        strcat(line, d->across);
    out_line(s, "%s%s%s%s%s", left, d->corner[top ? 0 : 2], line, d->corner[top ? 1 : 3], right);
}

static void draw_row(struct ez_sess *s, const struct draw *d, const char *left, const char *text,
                     const char *right)
{
    out_line(s, "%s%s %-*.*s %s%s", left, d->down, INNER, INNER, text, d->down, right);
}

/* Draws the box with the function's first bytes. back: also draws an arrow from the trampoline back
 * to the function. */
static void draw_function(struct ez_sess *s, const struct draw *d, const struct ez_why *w,
                          bool back)
{
    const char *bar = sess_format(s, "  %s", d->down),
               *on = back ? sess_format(s, " %s   ", d->down) : "     ";
    const char *in = sess_format(s, " %s%s%s%s", d->across, d->across, d->across, d->right);
    const char *out = sess_format(s, "%s%s%s", d->across, d->across, d->corner[1]);
    const char *again = sess_format(s, " %s%s%s%s", d->corner[0], d->across, d->across, d->right);
    out_line(s, "     %s:", w->name);
    draw_edge(s, d, "     ", true, "");
    if (w->site != w->func)
        draw_row(s, d, in, sess_format(s, "%s  (stays: calls land here)", out_addr(s, w->func)),
                 "");
    draw_row(s, d, w->site != w->func ? "     " : in,
             sess_format(s, "%s  %s to %s", out_addr(s, w->site), ez_strategy(w->strategy)->name,
                         out_addr(s, w->island ? w->island : w->trampoline)),
             out);
    if (w->island)
        draw_row(s, d, "     ",
                 sess_format(s, "    an island there leads on to %s", out_addr(s, w->trampoline)),
                 bar);
    draw_row(s, d, back ? again : "     ",
             sess_format(s, "%s  the rest of the function", out_addr(s, w->site + w->covered)),
             bar);
    draw_edge(s, d, on, false, bar);
}

/* Draws the box of the trampoline with the relocated instructions. back: also draws an arrow from
 * the trampoline back to the function. */
static void draw_trampoline(struct ez_sess *s, const struct draw *d, const struct ez_why *w,
                            bool back)
{
    const char *on = back ? sess_format(s, " %s   ", d->down) : "     ";
    const char *come = sess_format(s, "%s%s%s", d->left, d->across, d->corner[3]);
    const char *leave = sess_format(s, " %s%s%s%s", d->corner[2], d->across, d->across, d->across);
    struct ez_disassembled in;
    out_line(s, "%strampoline and replay:%*s%s", on, INNER - 16, "", d->down);
    draw_edge(s, d, on, true, sess_format(s, "  %s", d->down));
    draw_row(s, d, on,
             sess_format(s, "%s  counts, records; exit: %s", out_addr(s, w->trampoline),
                         *w->exit ? "not followed" : w->exit_mode),
             come);
    for (uint64_t at = w->relocated; at < w->relocated + w->relocated_len; at += in.len) {
        if (!ez_err_drop(ez_disassemble(s->target, ez_addr_of(at), false, &in)) || !in.len)
            break;
        bool last = at + in.len >= w->relocated + w->relocated_len;
        draw_row(s, d, last && back ? leave : on,
                 sess_format(s, "%s  %s", out_addr(s, at), in.text), "");
        on = last ? "     " : on;
    }
    draw_edge(s, d, "     ", false, "");
}

/* Returns true if the relocated code ends with a jump to the instruction after the patch region. */
static bool draw_comes_back(struct ez_sess *s, const struct ez_why *w)
{
    struct ez_disassembled in = { .len = 0 };
    uint64_t at = w->relocated;
    for (; at < w->relocated + w->relocated_len; at += in.len)
        if (!ez_err_drop(ez_disassemble(s->target, ez_addr_of(at), false, &in)) || !in.len)
            return false;
    const char *to = out_addr(s, w->site + w->covered);
    return strstr(in.text, to) != NULL;
}

void why_draw(struct ez_sess *s, const struct ez_why *w)
{
    const struct draw *d = draw_by_locale();
    if (!w->planted || w->with || !w->relocated_len)
        return;
    bool back = draw_comes_back(s, w);
    draw_function(s, d, w, back);
    draw_trampoline(s, d, w, back);
}
