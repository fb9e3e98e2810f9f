/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.c - memory of the session (sess.h): strings that live until the command returns, and the
 * states that commands keep. Tests: tests/unit/shell/check_dispatch.c */
#include <stdarg.h>
#include <stdio.h>

#include "shell/sess.h"

char *sess_keep(struct ez_sess *s, char *heap)
{
    EZ_PUSH(&s->kept, heap);
    return heap;
}

const char *sess_format(struct ez_sess *s, const char *fmt, ...)
{
    char *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0)
        text = ez_strdup("");
    va_end(ap);
    return sess_keep(s, text);
}

void sess_forget(struct ez_sess *s, size_t from)
{
    while (s->kept.n > from)
        free(s->kept.at[--s->kept.n]);
}

void *sess_state(struct ez_sess *s, const struct sess_kind *kind)
{
    for (size_t i = 0; i < s->states.n; i++)
        if (s->states.at[i].kind == kind)
            return s->states.at[i].state;
    struct sess_own own = { kind, ez_alloc(kind->size) };
    EZ_PUSH(&s->states, own);
    return own.state;
}

void sess_free_states(struct ez_sess *s)
{
    while (s->states.n) {
        struct sess_own own = s->states.at[--s->states.n];
        if (own.kind->free)
            own.kind->free(own.state);
        free(own.state);
    }
    EZ_VEC_FREE(&s->states);
}
