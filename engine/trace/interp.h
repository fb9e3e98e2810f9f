/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.h - what events mean.
 *
 * An interpreter turns events into the words of the model. Each one names the codes
 * it understands; several may understand the same one in their own ways (EZTrace's
 * plugins, CCGrid'13, section III), and every one of them is asked. The default
 * interpreter knows what a trace says about itself: probes become states named after
 * their function, events with a meaning definition (fxt_out.h) become what that says,
 * and what nobody explained becomes a point event "code 0x...".
 * A new one: a file interp_NAME.c and a line in the table of interp.c.
 * Tests: tests/unit/engine/check_model.c */
#ifndef EZ_INTERP_H
#define EZ_INTERP_H

#include "engine/trace/merge.h"
#include "engine/trace/model.h"

struct ez_interps; /* one instance of each, on one model */

struct ez_interp {
    const char *name;
    uint64_t first, last; /* codes it may understand                              */
    void *(*create)(struct ez_interps *all);
    /* False: it means nothing to me. The model's clock stands at the event's time. */
    bool (*event)(void *self, const struct ez_merged *ev);
    void (*destroy)(void *self);
};

extern const struct ez_interp ez_interp_default;

/* defs: of each input; they may grow. */
struct ez_interps *ez_interps_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n);
/* Inputs that are ranks, or of several hosts: define their hosts and processes now, in the
 * order of the inputs (model.h). Their definitions must be complete. */
void ez_interps_roster(struct ez_interps *all);
void ez_interps_event(struct ez_interps *all, const struct ez_merged *ev);
void ez_interps_destroy(struct ez_interps *all);

/* ---- for interpreters ---- */
struct ez_model *ez_interps_model(struct ez_interps *all);
struct ez_fxt_defs *ez_interps_defs(struct ez_interps *all, uint32_t input);
/* Containers, made when first asked for. */
uint32_t ez_interps_process(struct ez_interps *all, uint32_t input);
uint32_t ez_interps_thread(struct ez_interps *all, uint32_t input, uint64_t tid);

#endif
