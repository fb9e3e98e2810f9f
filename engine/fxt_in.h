/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_in.h - read a FxT file, ours or another writer's, bounded and streaming.
 *
 * Never libfxt's reader (it exits the process on damaged files). Reads raw64
 * event blocks; everything after the last whole record is ignored and reported. */
#ifndef EZ_FXT_IN_H
#define EZ_FXT_IN_H

#include "engine/base.h"
#include "engine/err.h"

struct ez_fxt_in;

struct ez_fxt_event {
    uint64_t tick, tid, code; /* code without the argument count               */
    unsigned narg;
    const uint64_t *arg; /* valid until the next call                     */
};

ez_err *ez_fxt_in_open(const char *path, struct ez_fxt_in **out) EZ_WUR;
/* *got false = the end. EZ_E_FORMAT on a damaged record (with its offset). */
ez_err *ez_fxt_in_next(struct ez_fxt_in *f, struct ez_fxt_event *ev, bool *got) EZ_WUR;
void ez_fxt_in_close(struct ez_fxt_in *f);

#endif
