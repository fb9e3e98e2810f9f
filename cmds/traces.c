/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.c - see traces.h. */
#include "cmds/traces.h"

#include <string.h>

#include "shell/out.h"
#include "shell/sess.h"

ez_err *traces_word(struct ez_sess *s, struct traces *t, char **word, int *used)
{
    bool from = !strcmp(word[0], "-from");
    *used = 1;
    if (word[0][0] != '-')
        return parse_files(s, word[0], &t->file);
    *used = from || !strcmp(word[0], "-to") ? 2 : 0;
    if (!*used)
        return NULL;
    if (!word[1])
        return ez_err_new(EZ_E_ARG, 0, "%s needs a time.", word[0]);
    return parse_time(word[1], from ? &t->from : &t->to);
}

ez_err *traces_done(struct ez_sess *s, struct traces *t)
{
    struct ez_trace_info info = { 0 };
    if (t->from >= t->to)
        return ez_err_new(EZ_E_ARG, 0, "Nothing between %s and %s.", out_time(s, t->from),
                          out_time(s, t->to));
    if (t->file.n)
        return NULL;
    ez_trace_info(s->target, &info); /* what is in the rings goes to the file */
    if (!info.path || info.wanted)
        return ez_err_hint(ez_err_new(EZ_E_STATE, 0, "There is no trace yet"), "name a FILE.fxt");
    EZ_PUSH(&t->file, sess_keep(s, ez_strdup(info.path)));
    return NULL;
}

ez_err *traces_open(const struct traces *t, const struct ez_progress *progress,
                    struct ez_replay **out)
{
    EZ_TRY(ez_replay_open(t->file.at, t->file.n, progress, out));
    return t->from || t->to < UINT64_MAX ? ez_replay_window(*out, t->from, t->to) : NULL;
}

void traces_free(struct traces *t)
{
    parse_list_free(&t->file);
}
