/* SPDX-License-Identifier: GPL-3.0-or-later */
/* top_screen.c - the keys of `top` on the whole terminal.
 * Tests: tests/trace/screen.sh */
#include <string.h>

#include "cmds/trace/top.h"
#include "engine/base/now.h"
#include "shell/out.h"
#include "shell/screen.h"
#include "shell/sess.h"

enum { POLL_MS = 400 };

/* Keeps the selected row in the table, and on the screen. */
static void top_select(struct top *t, size_t row)
{
    unsigned lines = top_lines();
    t->selected = t->table->n ? EZ_MIN(row, t->table->n - 1) : 0;
    if (t->selected < t->first)
        t->first = t->selected;
    if (lines && t->selected >= t->first + lines)
        t->first = t->selected - lines + 1;
}

static void top_sort_by(struct top *t, enum ez_interval_sort sort)
{
    t->sort = sort;
    t->first = 0;
    top_table(t);
    top_select(t, 0);
}

static void top_group_by(struct top *t, enum ez_interval_by by)
{
    t->by = t->by == by ? EZ_INTERVAL_FUNCTION : by;
    t->first = 0;
    top_table(t);
    top_select(t, 0);
}

/* ---- the filter ----------------------------------------------------------------------- */

static void top_parse_filter(struct top *t)
{
    ez_err *e = top_filter(t, t->typed);
    t->typing = false;
    if (e)
        t->note = sess_keep(t->s, ez_err_text(e));
    ez_err_free(e);
    t->first = 0;
    top_table(t);
    top_select(t, 0);
}

static void top_type(struct top *t, int key)
{
    size_t n = strlen(t->typed);
    if (key == SCREEN_ENTER)
        top_parse_filter(t);
    else if (key == SCREEN_ESCAPE)
        t->typing = false;
    else if (key == SCREEN_BACKSPACE && n)
        t->typed[n - 1] = 0;
    else if (key >= ' ' && key < 0x100 && key != 0x7f && n + 1 < sizeof t->typed)
        t->typed[n] = (char)key, t->typed[n + 1] = 0;
}

/* ---- keys ----------------------------------------------------------------------------- */

static bool top_sort_key(struct top *t, int key)
{
    static const struct {
        int key;
        enum ez_interval_sort sort;
    } keys[] = { { 'R', EZ_INTERVAL_RATE },  { 'C', EZ_INTERVAL_CALLS }, { 'P', EZ_INTERVAL_SELF },
                 { 'T', EZ_INTERVAL_TOTAL }, { 'A', EZ_INTERVAL_MEAN },  { 'M', EZ_INTERVAL_MAX },
                 { 'N', EZ_INTERVAL_NAME } };
    for (size_t i = 0; i < EZ_ARRAY_LEN(keys); i++)
        if (keys[i].key == key) {
            top_sort_by(t, keys[i].sort);
            return true;
        }
    if (key != '<' && key != '>' && key != 's')
        return false;
    unsigned step = key == '<' ? EZ_INTERVAL_SORTS - 1 : 1;
    top_sort_by(t, (enum ez_interval_sort)((t->sort + step) % EZ_INTERVAL_SORTS));
    return true;
}

static void top_move(struct top *t, int key)
{
    size_t page = EZ_MAX(top_lines(), 1u), at = t->selected;
    if (key == SCREEN_UP)
        top_select(t, at ? at - 1 : 0);
    else if (key == SCREEN_DOWN)
        top_select(t, at + 1);
    else if (key == SCREEN_PAGE_UP)
        top_select(t, at > page ? at - page : 0);
    else if (key == SCREEN_PAGE_DOWN)
        top_select(t, at + page);
    else if (key == SCREEN_HOME)
        top_select(t, 0);
    else if (key == SCREEN_END)
        top_select(t, SIZE_MAX);
}

/* Returns false if the key ends top. */
static bool top_press(struct top *t, int key)
{
    t->note = NULL;
    if (t->typing) {
        top_type(t, key);
    } else if (t->help) {
        t->help = false;
    } else if (key == 'q') {
        return false;
    } else if (key == '?' || key == 'h') {
        t->help = true;
    } else if (key == '/') {
        t->typing = true;
        *t->typed = 0;
    } else if (key == 't') {
        top_group_by(t, EZ_INTERVAL_THREAD);
    } else if (key == 'r') {
        top_group_by(t, EZ_INTERVAL_PROCESS);
    } else if (key == 'z') {
        ez_intervals_zero(t->table);
        top_table(t);
        top_select(t, 0);
    } else if (!top_sort_key(t, key)) {
        top_move(t, key);
    }
    return true;
}

ez_err *top_screen(struct top *t)
{
    uint64_t next = ez_now_ns();
    bool shared = t->of_target && out_shares_terminal(t->s);
    for (int key = SCREEN_DRAW; key != SCREEN_ENDS;) {
        uint64_t now = ez_now_ns();
        if (now >= next) {
            EZ_TRY(top_poll(t, POLL_MS));
            now = ez_now_ns();
            next = t->behind ? now : now + t->every_ns;
        }
        if (key == SCREEN_DRAW || key == SCREEN_NONE || top_press(t, key)) {
            top_select(t, t->selected);
            top_draw(t);
            screen_show(shared);
        } else {
            break;
        }
        key = screen_key(t->s, next > now ? (int)((next - now + 999999) / 1000000) : 0);
    }
    return NULL;
}
