/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model_priv.h - what model.c, model_defs.c and model_pause.c share; for them alone. */
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
    struct ez_hash names, titles; /* hash of a name, of a container's name -> index  */
    struct ez_hash subjects;      /* hash of a subject -> index                      */
    struct ez_hash var;           /* (container, name) -> values                     */
    EZ_VEC(struct variable) values;
    struct ez_hash deep;   /* (container, name) -> frames below the shallow ones      */
    struct ez_hash by_key; /* (name, key) of open links -> links                    */
    EZ_VEC(struct link) links;
    EZ_VEC(size_t) free_links;
};

struct ez_pause {    /* the pauses of a container that had one, or a gap               */
    uint32_t shown;  /* the pause on top of its stack; EZ_NONE_IDX = none           */
    enum ez_off off; /* why the thread does not run, since off_ns                   */
    uint64_t off_ns;
    uint64_t gap_ns; /* when the gap began                                          */
    bool gap, had_gap;
    EZ_VEC(uint32_t) wait; /* of each wait: the height of the stack when it began   */
};

/* Push and pop a state on top of the stack, without regard to pauses. */
void model_enter(struct ez_model *m, uint32_t container, uint32_t name, struct ez_about about);
void model_leave(struct ez_model *m, uint32_t container, enum ez_end how, bool cut,
                 const struct ez_event_data *data);

void model_pause_enter(struct ez_model *m, uint32_t container);
void model_pause_put(struct ez_model *m, uint32_t container);
/* Before a change of the stack, the pause on top of it is taken off; after the change it is
 * put back. Most threads never have a pause. */
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
void model_pause_end(struct ez_model *m, uint32_t container); /* of the trace            */
bool model_had_gap(const struct ez_container *c);
void model_pause_free(struct ez_pause *p);

#endif
