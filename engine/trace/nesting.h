/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nesting.h - the items of a model as the lines of a nested listing, as `uftrace replay` has them.
 *
 * A call inside which nothing happened is one line, EZ_NEST_LEAF; every other call is two lines,
 * EZ_NEST_OPEN and EZ_NEST_CLOSE. Lines are in the order of time; a leaf is where its call began.
 * So lines after an entry wait until the thread's next item. At most EZ_NEST_MOST lines wait. If
 * more would wait, the oldest entry becomes an EZ_NEST_OPEN.
 *
 * Tests: tests/unit/trace/check_nesting.c */
#ifndef EZ_NESTING_H
#define EZ_NESTING_H

#include "engine/trace/model.h"

enum { EZ_NEST_MOST = 16384 };

enum ez_nest_kind { EZ_NEST_OPEN, EZ_NEST_LEAF, EZ_NEST_CLOSE, EZ_NEST_POINT };

struct ez_nest_line {
    enum ez_nest_kind kind;
    enum ez_item_kind item; /* kind of a POINT: EZ_I_EVENT, EZ_I_VAR, EZ_I_LINK_START or _END */
    uint32_t container, name;
    uint32_t caller;  /* name of the state around this one; EZ_NONE_IDX if there is none */
    uint32_t depth;   /* number of open lines of the container around this line */
    uint32_t subject; /* EZ_NONE_IDX if there is none */
    uint64_t ns;      /* time of the line: for a CLOSE the exit, else the entry or the event */
    /* LEAF, CLOSE */
    uint64_t spent_ns;
    enum ez_end end;
    bool cut;
    /* Collected values as text: those of the entry or the event, those of the exit, and $ret.
     * NULL if there are none. A CLOSE has `values` of its entry only if entries are kept. */
    char *values, *after, *result;
    /* POINT */
    uint32_t peer; /* container at the other end of a link; EZ_NONE_IDX if unknown */
    double value;  /* value of a variable */
    uint64_t arg[3];
    unsigned narg; /* arguments that the item had; `arg` has at most 3 */
};

/* Receives a line, which is valid during the call. An error ends the listing. */
typedef ez_err *ez_nest_fn(void *arg, const struct ez_nest_line *line);

struct ez_nesting;

/* values: collect the texts of values. flat: emit no OPEN, and no LEAF; each call is a CLOSE when
 * it ends, with the values of its entry. The model must outlive the listing. */
struct ez_nesting *ez_nesting_create(const struct ez_model *m, bool values, bool flat,
                                     ez_nest_fn *fn, void *arg);
/* Adds an item. An ez_item_fn whose arg is the struct ez_nesting. */
ez_err *ez_nesting_item(void *nesting, const struct ez_item *it) EZ_WUR;
/* Emits all lines that wait. Entries whose exit did not come yet are OPEN. */
ez_err *ez_nesting_flush(struct ez_nesting *n) EZ_WUR;
void ez_nesting_free(struct ez_nesting *n);

#endif
