/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_defs.h - what a trace says about itself: the definition events of
 * fxt_out.h, collected while a trace is read. */
#ifndef EZ_FXT_DEFS_H
#define EZ_FXT_DEFS_H

#include "engine/trace/calib.h"
#include "engine/trace/fxt_in.h"
#include "engine/ring/addup.h"
#include "engine/ring/fxt_out.h"
#include "engine/ring/items.h"
#include "engine/ring/job.h"
#include "engine/ring/words.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"

enum { EZ_ACCOUNTING = 12 };

struct ez_fxt_probe {
    uint32_t id, flags; /* EZ_ROW_*                                            */
    uint64_t addr;
    char *function, *library; /* one allocation                                */
    uint64_t entries, exits;  /* hits that were only counted, not recorded      */
};
struct ez_fxt_thread {
    uint64_t tid;
    char *name; /* the last name; "" = unknown                                 */
};
struct ez_fxt_meaning {
    uint64_t code;
    enum ez_action action;
    unsigned level;
    bool is_double;     /* word 0 of the events is a double, not an i64        */
    char *name, *group; /* one allocation                                      */
    struct ez_words words;
};
struct ez_fxt_symbol {
    uint64_t addr;
    char *name;
};
struct ez_fxt_items { /* of a probe's events                                      */
    uint64_t code;
    struct ez_items items;
};
struct ez_fxt_adds { /* an aggregate, and what it found (fxt_adds.c)              */
    uint64_t table, number, begin;
    enum ez_adds adds;
    char *function, *value, *key; /* one allocation                                */
    enum ez_item_type key_type;
    struct ez_addup_sum sum;
};
struct
    ez_fxt_throttle { /* calls of a function are only counted, or recorded again, from a tick on */
    uint64_t addr, tick;
    bool on;
    char *function, *library; /* one allocation                                 */
};
struct ez_fxt_module {
    uint64_t id;
    char *name, *desc; /* one allocation                                       */
};

struct ez_fxt_defs {
    EZ_VEC(struct ez_fxt_probe) probes;
    EZ_VEC(struct ez_fxt_thread) threads;
    EZ_VEC(struct ez_fxt_meaning) meanings;
    EZ_VEC(struct ez_fxt_module) modules;
    EZ_VEC(struct ez_fxt_symbol) symbols;
    EZ_VEC(struct ez_fxt_items) items;
    EZ_VEC(struct ez_calibration) clocks;
    EZ_VEC(struct ez_fxt_adds) adds;
    EZ_VEC(struct ez_fxt_throttle) throttles; /* as they happened                  */
    EZ_VEC(uint64_t) begun;                   /* of the next definition's text (EZ_DEF_TEXT) */
    size_t histograms; /* of all of `adds`                                    */
    /* indexes of probes, threads, meanings, symbols, items */
    struct ez_hash by_id, by_tid, by_code, by_addr, items_by_code;
    uint64_t ticks_per_s; /* 0 = unknown                                       */
    uint64_t pid;
    char *program, *host; /* one allocation, or NULL                           */
    char *job;            /* NULL = the process has no rank; "" = its job has no name */
    uint32_t rank, ranks; /* in that job; ranks 0 = unknown                     */
    bool has_accounting;
    uint64_t accounting[EZ_ACCOUNTING]; /* as in fxt_out.h; 0 = the file is older than that field */
};

/* Takes what a definition event says into d. */
void ez_fxt_defs_learn(struct ez_fxt_defs *d, const struct ez_fxt_event *ev);
/* The index in probes or threads; a probe or thread that was never defined is added unnamed. */
size_t ez_fxt_defs_probe(struct ez_fxt_defs *d, uint32_t id);
size_t ez_fxt_defs_thread(struct ez_fxt_defs *d, uint64_t tid);
/* Is it a definition event of fxt_out.h, known to this version or not? */
static inline bool ez_fxt_is_def(const struct ez_fxt_event *ev)
{
    return ev->code - EZ_C_DEF < 0x100;
}
/* Is it an event of a thread and of no function (a wait, a gap, a switch)? */
static inline bool ez_fxt_is_thread(const struct ez_fxt_event *ev)
{
    return ev->code - EZ_C_THREAD < 0x100;
}

/* fxt_adds.c: the same for what is told of aggregates, whose kinds are EZ_DEF_ADDS and behind. */
void ez_fxt_adds_learn(struct ez_fxt_defs *d, enum ez_def kind, const struct ez_fxt_event *ev);
void ez_fxt_adds_free(struct ez_fxt_defs *d);

/* What the words of a probe's events of that code are, NULL = not known. */
const struct ez_items *ez_fxt_defs_items(const struct ez_fxt_defs *d, uint64_t code);

/* The name of an address in code; NULL = it has none. */
const char *ez_fxt_defs_symbol(const void *defs, uint64_t addr);

void ez_fxt_defs_free(struct ez_fxt_defs *d);

#endif
