/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_priv.h - shared by the files model*.c only. */
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
    struct ez_hash names, titles; /* hash of a name, of a container's name -> index */
    struct ez_hash subjects;      /* hash of a subject -> index */
    struct ez_hash var;           /* (container, name) -> values */
    EZ_VEC(struct variable) values;
    struct ez_hash deep;   /* (container, name) -> frames below the shallow ones */
    struct ez_hash by_key; /* (name, key) of open links -> links */
    EZ_VEC(struct link) links;
    EZ_VEC(size_t) free_links;
};

struct ez_pause {    /* pauses of a container that had a pause or a gap */
    uint32_t shown;  /* pause on top of its stack, or EZ_NONE_IDX */
    enum ez_off off; /* reason why the thread does not run since off_ns */
    uint64_t off_ns;
    uint64_t gap_ns; /* begin of the gap */
    bool gap, had_gap;
    EZ_VEC(uint32_t) wait; /* for each wait, the height of the stack at its begin */
};

/* model_item.c. model_emit_item() emits an item, and before it the container and the name that it
 * refers to. */
void model_emit(struct ez_model *m, const struct ez_item *it);
void model_emit_container(struct ez_model *m, uint32_t i);
void model_emit_item(struct ez_model *m, struct ez_item *it);
/* Returns true if a state of that name is on the stack. */
bool model_is_open(const struct ez_model *m, uint32_t container, uint32_t name);
/* Push and pop a state on top of the stack, without regard to pauses. */
void model_enter(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
void model_leave(struct ez_model *m, uint32_t container, enum ez_end how, bool cut,
                 const struct ez_event_data *data);

void model_pause_enter(struct ez_model *m, uint32_t container);
void model_pause_put(struct ez_model *m, uint32_t container);
/* Take the pause off the top of the stack before the stack changes, and put it back after the
 * change. Most threads never have a pause. */
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
void model_pause_end(struct ez_model *m, uint32_t container); /* at the end of the trace */
bool model_had_gap(const struct ez_container *c);
void model_pause_free(struct ez_pause *p);

#endif
