/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_priv.h - data and functions that only the files model*.c share. */
#ifndef EZ_MODEL_PRIV_H
#define EZ_MODEL_PRIV_H

#include "engine/base/hash.h"
#include "engine/trace/model.h"

struct link {
    uint64_t key;
    uint32_t container, name;
    bool open, emitted;
};
struct variable {
    uint32_t container, name;
    double value;
};

struct ez_model_priv {
    struct ez_hash names, titles; /* names: hash of a name -> index; titles: hash of a container's
                                   * name -> index */
    struct ez_hash subjects;      /* hash of a subject -> index */
    struct ez_hash var;           /* (container, name) -> index in `values` */
    EZ_VEC(struct variable) values;
    struct ez_hash deep;   /* (container, name) -> number of open frames deeper than SHALLOW */
    struct ez_hash by_key; /* (name, key) of an open link -> index in `links` */
    EZ_VEC(struct link) links;
    EZ_VEC(size_t) free_links;
};

struct ez_pause {    /* state of a container that had a pause or a gap */
    uint32_t shown;  /* name of the pause that is the innermost state, or EZ_NONE_IDX */
    enum ez_off off; /* reason why the thread has not been running since off_ns */
    uint64_t off_ns;
    uint64_t gap_ns; /* time in ns at which the gap began; valid if `gap` */
    bool gap, had_gap;
    EZ_VEC(uint32_t) wait; /* for each open wait, the number of states on the stack at its begin */
};

/* model_item.c. model_emit_item() first emits the item's container and name, if they were not
 * emitted yet, and then the item. */
void model_emit(struct ez_model *m, const struct ez_item *it);
void model_emit_container(struct ez_model *m, uint32_t i);
void model_emit_item(struct ez_model *m, struct ez_item *it);
/* Returns true if a state with this name is open in the container. */
bool model_is_open(const struct ez_model *m, uint32_t container, uint32_t name);
/* Push a state, and pop the innermost state. The caller has hidden the thread's pause
 * (model_pause_hide()). */
void model_enter(struct ez_model *m, uint32_t container, uint32_t name, const uint64_t *arg,
                 unsigned narg, struct ez_about about);
void model_leave(struct ez_model *m, uint32_t container, enum ez_end how, bool cut,
                 const struct ez_event_data *data);

void model_pause_enter(struct ez_model *m, uint32_t container);
void model_pause_put(struct ez_model *m, uint32_t container);
/* model_pause_hide() pops the thread's pause before a change of its stack; model_pause_show()
 * pushes it again after the change. Most threads never have a pause. */
static inline void model_pause_hide(struct ez_model *m, uint32_t container)
{
    if (m->container.at[container].pause)
        model_pause_enter(m, container);
}
static inline void model_pause_show(struct ez_model *m, uint32_t container)
{
    if (m->container.at[container].pause)
        model_pause_put(m, container);
}
/* Ends the pauses of a container at the end of the trace, or, with `cut`, of the window. */
void model_pause_end(struct ez_model *m, uint32_t container, bool cut);
bool model_had_gap(const struct ez_container *c);
void model_pause_free(struct ez_pause *p);

#endif
