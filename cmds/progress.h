/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - a progress bar while a trace is read. Ctrl-C ends the reading. */
#ifndef EZ_PROGRESS_H
#define EZ_PROGRESS_H

#include "engine/trace/replay.h"

struct ez_sess;

struct progress {
    struct ez_sess *sess;
    uint64_t start, drawn; /* CLOCK_MONOTONIC, ns */
    bool shown;
};

/* Returns the callback for the engine; `p` must live until progress_end. */
struct ez_progress progress_start(struct progress *p, struct ez_sess *s);
/* Removes the bar. A second call does nothing. */
void progress_end(struct progress *p);

#endif
