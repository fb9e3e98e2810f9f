/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hooks.c - the list of registered callbacks (hooks.h). */
#include "shell/hooks.h"

#include <stdlib.h>

const struct shell_words *hooks_words;
const struct shell_stops *hooks_stops;
const struct shell_members *hooks_members;

static const struct shell_hooks *hooks_all[HOOKS_MOST];
static size_t hooks_n;

void hooks_add(const struct shell_hooks *hooks)
{
    for (size_t i = 0; i < hooks_n; i++)
        if (hooks_all[i] == hooks)
            return;
    if (hooks_n == HOOKS_MOST)
        abort(); /* a bug: HOOKS_MOST is too small */
    hooks_all[hooks_n++] = hooks;
}

void hooks_set(const struct shell_words *words, const struct shell_stops *stops,
               const struct shell_members *members)
{
    hooks_words = words;
    hooks_stops = stops;
    hooks_members = members;
}

void hooks_call(struct ez_sess *s, enum shell_moment moment)
{
    for (size_t i = 0; i < hooks_n; i++)
        if (hooks_all[i]->at[moment])
            hooks_all[i]->at[moment](s);
}

ez_err *hooks_ran(struct ez_sess *s)
{
    ez_err *e = NULL;
    for (size_t i = 0; i < hooks_n; i++)
        if (hooks_all[i]->ran)
            e = ez_err_first(e, hooks_all[i]->ran(s));
    return e;
}

ez_err *hooks_set_budget(struct ez_sess *s, unsigned percent)
{
    ez_err *e = NULL;
    for (size_t i = 0; i < hooks_n && !e; i++)
        if (hooks_all[i]->set_budget)
            e = hooks_all[i]->set_budget(s, percent);
    return e;
}

size_t hooks_poll(const struct ez_sess *s, struct pollfd *p)
{
    size_t n = 0;
    for (size_t i = 0; i < hooks_n; i++)
        if (hooks_all[i]->fd)
            p[n++] = (struct pollfd){ hooks_all[i]->fd(s), POLLIN, 0 };
    return n;
}

bool hooks_heard(struct ez_sess *s, const struct pollfd *p)
{
    bool any = false;
    for (size_t i = 0; i < hooks_n; i++) {
        if (!hooks_all[i]->fd || !(p++)->revents)
            continue;
        hooks_all[i]->heard(s);
        any = true;
    }
    return any;
}

int hooks_tick_ms(const struct ez_sess *s)
{
    int least = -1;
    for (size_t i = 0; i < hooks_n; i++) {
        int ms = hooks_all[i]->tick_ms ? hooks_all[i]->tick_ms(s) : -1;
        least = least < 0 || (ms >= 0 && ms < least) ? ms : least;
    }
    return least;
}

void hooks_tick(struct ez_sess *s)
{
    for (size_t i = 0; i < hooks_n; i++)
        if (hooks_all[i]->tick && hooks_all[i]->tick_ms(s) >= 0)
            hooks_all[i]->tick(s);
}
