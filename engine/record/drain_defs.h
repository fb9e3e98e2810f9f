/* SPDX-License-Identifier: GPL-3.0-or-later */
/* drain_defs.h - definitions, which the main thread queues for the trace. */
#ifndef EZ_DRAIN_DEFS_H
#define EZ_DRAIN_DEFS_H

#include <pthread.h>

#include "engine/base/hash.h"
#include "engine/base/vec.h"
#include "engine/record/drain.h"
#include "engine/record/fxt_out.h"

struct drain_def { /* EZ_DEF_PROBE (id, flags, address), EZ_DEF_MODULE, EZ_DEF_MEANING, ... */
    enum ez_def kind;
    uint64_t arg[4];
    size_t narg;
    char *text; /* "function\0library", "name\0group\0words" */
    size_t len;
};

struct drain_defs {
    pthread_mutex_t lock; /* guards all fields except `written` and `exits` */
    EZ_VEC(struct drain_def) all;
    EZ_VEC(size_t) adds;  /* indexes of EZ_DEF_ADDS in `all` */
    struct ez_hash texts; /* kind and first argument of symbols and items -> index in `all` */
    size_t written;       /* number of definitions that were written to the open trace */
    uint8_t *exits;       /* per id: 1 if its exits are recorded; sparse */
};

void drain_defs_begin(struct ez_drain *d);
void drain_defs_free(struct ez_drain *d);
void drain_defs_again(struct ez_drain *d); /* Queues all definitions again for a new trace. */
/* Copies up to `most` definitions that the trace does not have yet, and returns their number. The
 * caller uses the copies without the lock, so that the main thread does not wait. */
size_t drain_defs_pop(struct ez_drain *d, struct drain_def *def, size_t most);
/* Sets whether calls of the id are tracked, because both their entries and their exits are
 * recorded. drain_defs_pop() calls this function for each EZ_DEF_PROBE. */
void drain_defs_follow(struct ez_drain *d, uint32_t id, bool exits);

#endif
