/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kept.c - strings of the session that live until the command returns (sess.h). */
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
