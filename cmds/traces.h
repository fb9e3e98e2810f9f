/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.h - which traces a command reads, and what part of them. */
#ifndef EZ_TRACES_H
#define EZ_TRACES_H

#include "cmds/parse.h"
#include "engine/trace/replay.h"

struct traces {
    struct parse_list file;
    uint64_t from, to; /* ns since the first event; to UINT64_MAX = the end       */
};

/* A word that is a file, or -from or -to with the value behind it; *used = words taken, 0 =
 * it is none of these. */
ez_err *traces_word(struct ez_sess *s, struct traces *t, char **word, int *used) EZ_WUR;
/* All words were seen. No file: the trace that is being written, or the last one. */
ez_err *traces_done(struct ez_sess *s, struct traces *t) EZ_WUR;
/* Opens them, to be told of that part. Close the replay also after an error. */
ez_err *traces_open(const struct traces *t, const struct ez_progress *progress,
                    struct ez_replay **out) EZ_WUR;
void traces_free(struct traces *t);

#endif
