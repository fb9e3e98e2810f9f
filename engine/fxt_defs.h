/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_defs.h - what a trace says about itself: the definition events of
 * fxt_out.h, collected while a trace is read. */
#ifndef EZ_FXT_DEFS_H
#define EZ_FXT_DEFS_H

#include "engine/fxt_in.h"
#include "engine/fxt_out.h"
#include "engine/map.h"
#include "engine/vec.h"

struct ez_fxt_probe {
    uint32_t id, flags; /* EZ_ROW_*                                            */
    uint64_t addr;
    char *function, *library; /* one allocation                                */
};
struct ez_fxt_thread {
    uint64_t tid;
    char *name; /* the last one; "" = unknown                                  */
};
struct ez_fxt_clock {
    uint64_t tick, real_ns, mono_ns;
};

struct ez_fxt_defs {
    EZ_VEC(struct ez_fxt_probe) probes;
    EZ_VEC(struct ez_fxt_thread) threads;
    struct ez_map by_id, by_tid;       /* indexes of the above                       */
    EZ_VEC(struct ez_fxt_clock) clock; /* ticks rise strictly, times never fall    */
    uint64_t ticks_per_s;              /* 0 = unknown                                       */
    uint64_t pid;
    char *program, *host; /* one allocation, or NULL                           */
    bool has_ledger;
    uint64_t ledger[7]; /* hits, recorded, filtered, untraced, dropped, unhooked, torn */
};

/* A probe event: which id, which side. */
static inline bool ez_fxt_is_probe(const struct ez_fxt_event *ev, uint32_t *id, bool *exit)
{
    uint64_t c = ev->code - EZ_C_PROBE;
    *id = (uint32_t)(c >> 1);
    *exit = c & 1;
    return ev->code >= EZ_C_PROBE && c < 0x1000000 && ev->narg == 0;
}

/* Learn from an event if it is a definition; anything else is left alone. */
void ez_fxt_defs_learn(struct ez_fxt_defs *d, const struct ez_fxt_event *ev);
/* Index in probes or threads; one that was never defined is added unnamed. */
size_t ez_fxt_defs_probe(struct ez_fxt_defs *d, uint32_t id);
size_t ez_fxt_defs_thread(struct ez_fxt_defs *d, uint64_t tid);
/* Nanoseconds a tick takes: from the clock events, else the schema, else 1. */
double ez_fxt_defs_ns_per_tick(const struct ez_fxt_defs *d);
/* The moment of a tick, in nanoseconds from the first clock event (or tick 0): between
 * two clock events by their own rate. Never falls as ticks rise. */
double ez_fxt_defs_ns(const struct ez_fxt_defs *d, uint64_t tick);
void ez_fxt_defs_free(struct ez_fxt_defs *d);

#endif
