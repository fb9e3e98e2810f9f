/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nesting.h - makes the lines of a nested listing, like those of `uftrace replay`, from the items
 * of a model.
 *
 * A call without any item inside it is one line, EZ_NEST_LEAF; every other call is two lines,
 * EZ_NEST_OPEN and EZ_NEST_CLOSE. Lines are in the order of time; the time of a leaf is that of its
 * entry. So the lines from an entry on wait until the next item of the entry's thread. At most
 * EZ_NEST_MOST lines wait. If more lines would wait, the oldest entry becomes an EZ_NEST_OPEN.
 *
 * Tests: tests/unit/trace/check_nesting.c */
#ifndef EZ_NESTING_H
#define EZ_NESTING_H

#include "engine/trace/model.h"

enum { EZ_NEST_MOST = 16384 };

enum ez_nest_kind { EZ_NEST_OPEN, EZ_NEST_LEAF, EZ_NEST_CLOSE, EZ_NEST_POINT };

struct ez_nest_line {
    enum ez_nest_kind kind;
    /* kind of the line's item; of a POINT: EZ_I_EVENT, EZ_I_VAR, EZ_I_LINK_START or
     * EZ_I_LINK_END */
    enum ez_item_kind item;
    uint32_t container, name;
    uint32_t caller;  /* name of the state around this line; EZ_NONE_IDX if there is none */
    uint32_t depth;   /* number of open states of the container around this line */
    uint32_t subject; /* EZ_NONE_IDX if there is none */
    /* time of the line: of a CLOSE the time of the exit, else that of the entry or the event */
    uint64_t ns;
    /* LEAF, CLOSE */
    uint64_t spent_ns;
    enum ez_end end;
    bool cut;
    /* Collected values as text, or NULL. values: of the entry or the event; a CLOSE has them only
     * in a flat listing. after: of the exit, without the result. result: $ret or $fret. */
    char *values, *after, *result;
    /* POINT */
    uint32_t peer; /* container at the other end of a link; EZ_NONE_IDX if unknown */
    double value;  /* value of a variable */
    uint64_t arg[3];
    unsigned narg; /* number of arguments of the item; `arg` has the first 3 */
};

/* Called for each line, which is valid during the call. An error ends the listing. */
typedef ez_err *ez_nest_fn(void *arg, const struct ez_nest_line *line);

struct ez_nesting;

/* Creates a listing. values: lines get the texts of collected values. flat: there are no OPEN and
 * no LEAF lines; each call is a CLOSE line at its end, with the values of its entry. The model must
 * outlive the listing. */
struct ez_nesting *ez_nesting_create(const struct ez_model *m, bool values, bool flat,
                                     ez_nest_fn *fn, void *arg);
/* Adds an item. The function is an ez_item_fn, and nesting a struct ez_nesting. */
ez_err *ez_nesting_item(void *nesting, const struct ez_item *it) EZ_WUR;
/* Emits all lines that wait. Entries whose calls have not ended yet become OPEN lines. */
ez_err *ez_nesting_flush(struct ez_nesting *n) EZ_WUR;
void ez_nesting_free(struct ez_nesting *n);

#endif
