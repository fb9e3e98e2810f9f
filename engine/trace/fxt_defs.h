/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fxt_defs.h - the definition events of a trace (fxt_out.h), collected while the trace is read. */
#ifndef EZ_FXT_DEFS_H
#define EZ_FXT_DEFS_H

#include "engine/trace/calib.h"
#include "engine/trace/fxt_in.h"
#include "engine/record/addup.h"
#include "engine/record/fxt_out.h"
#include "engine/record/items.h"
#include "engine/record/job.h"
#include "engine/record/words.h"
#include "engine/base/hash.h"
#include "engine/base/vec.h"

enum { EZ_ACCOUNTING = 12 };

struct ez_fxt_probe {
    uint32_t id, flags; /* flags: bits EZ_ROW_* */
    uint64_t addr;
    char *function, *library; /* one allocation for both */
    uint64_t entries, exits;  /* numbers of hits that were counted but not recorded */
};
struct ez_fxt_thread {
    uint64_t tid;
    char *name; /* the last name that the trace defines for the thread; "" if unknown */
};
struct ez_fxt_meaning {
    uint64_t code;
    enum ez_action action;
    unsigned level;
    bool is_double;     /* argument 0 of the events is a double, not an i64 */
    char *name, *group; /* one allocation for both */
    struct ez_words words;
};
struct ez_fxt_symbol {
    uint64_t addr;
    char *name;
    bool shared; /* another address has the same name */
};
struct ez_fxt_source { /* where the function at an address is in the source */
    uint64_t addr;
    char *file;
    unsigned line, last; /* last: 0 = unknown */
};
struct ez_fxt_items { /* items of a probe's events */
    uint64_t code;
    struct ez_items items;
};
struct ez_fxt_adds { /* a table of an aggregate, with its rows (fxt_adds.c) */
    uint64_t table, number, begin;
    enum ez_adds adds;
    char *function, *value, *key; /* one allocation for all three */
    enum ez_item_type key_type;
    struct ez_addup_sum sum;
};
struct ez_fxt_throttle { /* a tick at which recording of a function stopped or resumed */
    uint64_t addr, tick;
    bool on;
    char *function, *library; /* one allocation for both */
};
struct ez_fxt_module {
    uint64_t id;
    char *name, *desc; /* one allocation for both */
};

struct ez_fxt_defs {
    EZ_VEC(struct ez_fxt_probe) probes;
    EZ_VEC(struct ez_fxt_thread) threads;
    EZ_VEC(struct ez_fxt_meaning) meanings;
    EZ_VEC(struct ez_fxt_module) modules;
    EZ_VEC(struct ez_fxt_symbol) symbols;
    EZ_VEC(struct ez_fxt_source) sources;
    EZ_VEC(struct ez_fxt_items) items;
    EZ_VEC(struct ez_calibration) clocks;
    EZ_VEC(struct ez_fxt_adds) adds;
    EZ_VEC(struct ez_fxt_throttle) throttles; /* in the order of the file */
    EZ_VEC(uint64_t) begun;                   /* words of EZ_DEF_TEXT events: beginning of the text
                                               * of the next definition */
    size_t histograms;                        /* number of histograms in `adds` */
    /* indexes of probes, threads, meanings, symbols, items */
    struct ez_hash by_id, by_tid, by_code, by_addr, items_by_code;
    struct ez_hash source_by_addr; /* index in `sources` */
    struct ez_hash by_symbol;      /* hash of a symbol's name -> index in `symbols` */
    uint64_t ticks_per_s;          /* 0 if unknown */
    uint64_t pid;
    char *program, *host; /* one allocation, or NULL */
    char *job;            /* NULL if the process has no rank; "" if its job has no name */
    uint32_t rank, ranks; /* rank in `job`, and number of ranks; ranks 0 means unknown */
    bool has_accounting;
    /* the arguments of EZ_DEF_ACCOUNTING (fxt_out.h); arguments that an older file lacks are 0 */
    uint64_t accounting[EZ_ACCOUNTING];
};

/* Adds the content of a definition event to d. */
void ez_fxt_defs_learn(struct ez_fxt_defs *d, const struct ez_fxt_event *ev);
/* Ids of probes count up from 0. An id above this limit can only come from a damaged file, so
 * tables by id are never larger. */
#define EZ_FXT_MAX_ID (1 << 22)
/* Return the index of a probe in d->probes, or of a thread in d->threads. If the file has not
 * defined the probe or the thread, add it, without a name. */
size_t ez_fxt_defs_probe(struct ez_fxt_defs *d, uint32_t id);
size_t ez_fxt_defs_thread(struct ez_fxt_defs *d, uint64_t tid);
/* Returns true if ev is a definition event, of fxt_out.h or of a later version of it. */
static inline bool ez_fxt_is_def(const struct ez_fxt_event *ev)
{
    return ev->code - EZ_C_DEF < 0x100;
}
/* Returns true if ev is an event of a thread (EZ_C_THREAD: a wait, a gap, a switch, a signal). */
static inline bool ez_fxt_is_thread(const struct ez_fxt_event *ev)
{
    return ev->code - EZ_C_THREAD < 0x100;
}

/* Returns true if the probe records entries and exits, so that its hits are begins and ends of
 * calls. Hits of other probes are points (EVENTs). */
static inline bool ez_fxt_is_call(const struct ez_fxt_probe *p)
{
    const uint32_t both = EZ_ROW_REC_ENTRY | EZ_ROW_REC_EXIT;
    return (p->flags & both) == both;
}
/* Returns true if a hit with this code and these arguments is an exit that is not a return (an
 * exception, a longjmp). */
static inline bool ez_fxt_is_unwound(uint64_t code, unsigned narg, const uint64_t *arg)
{
    return code & 1 && narg == 1 && arg[0] == EZ_EXIT_UNWOUND;
}

/* fxt_adds.c: handles the definitions of aggregates (EZ_DEF_ADDS, EZ_DEF_ADDED, EZ_DEF_BUCKETS). */
void ez_fxt_adds_learn(struct ez_fxt_defs *d, enum ez_def kind, const struct ez_fxt_event *ev);
void ez_fxt_adds_free(struct ez_fxt_defs *d);

/* Returns the items of the events with this code, or NULL if the file defines none. */
const struct ez_items *ez_fxt_defs_items(const struct ez_fxt_defs *d, uint64_t code);

/* Returns the name of the symbol at a code address, or NULL. defs: a struct ez_fxt_defs. */
const char *ez_fxt_defs_symbol(const void *defs, uint64_t addr);

void ez_fxt_defs_free(struct ez_fxt_defs *d);

#endif
