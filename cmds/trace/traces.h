/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.h - the trace files that a command reads, and the period of time that it selects. */
#ifndef EZ_TRACES_H
#define EZ_TRACES_H

#include "shell/parse_word.h"
#include "engine/trace/replay.h"

/* The options -from and -to, for commands that use traces_parse(). */
/* clang-format off */
#define WINDOW                                                                                     \
    { .name = "-from", .kind = OPT_TIME, .value = "T",                                             \
      .meaning = "begin at this time since the first event: 1.5s, 20us" },                         \
    { .name = "-to", .kind = OPT_TIME, .value = "T", .meaning = "end at this time" }
/* clang-format on */

struct traces {
    struct parse_list file;
    uint64_t from, to; /* ns since the first event; to UINT64_MAX = the end */
};

/* Finds the traces that n words name, and the part that -from and -to choose. */
ez_err *traces_parse(struct ez_sess *s, struct traces *t, int n, char **words) EZ_WUR;
/* As traces_parse, but without words uses the trace that is being written, or the last one. */
ez_err *traces_read(struct ez_sess *s, struct traces *t, int n, char **words) EZ_WUR;
/* Returns true if the chosen part is less than the whole. */
bool traces_window(const struct traces *t);
/* Opens the traces to replay the selected period. The caller closes the replay, also after an
 * error. */
ez_err *traces_open(const struct traces *t, const struct ez_progress *progress,
                    struct ez_replay **out) EZ_WUR;
void traces_free(struct traces *t);

#endif
