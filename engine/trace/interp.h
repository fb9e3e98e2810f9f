/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.h - what events mean.
 *
 * An interpreter turns events into calls of the model (model.h). Each interpreter names the
 * codes that it understands; several may understand the same code in their own ways
 * (EZTrace's plugins, CCGrid'11, section III), and each of them is asked. The default
 * interpreter knows what a trace says about itself: hits of probes become states named after
 * their function, and events with a meaning definition (fxt_out.h) become what that says.
 * An event that no interpreter knows becomes a point event "code 0x...".
 * Interpreter "mpi" tells messages between processes as links (interp_mpi.c).
 * A new interpreter takes a file interp_NAME.c and a line in the table of interp.c; users bring
 * theirs as shared objects (interp_file.c).
 * Tests: tests/unit/engine/check_model.c, check_mpi.c */
#ifndef EZ_INTERP_H
#define EZ_INTERP_H

#include "engine/trace/merge.h"
#include "engine/trace/model.h"

struct ez_interps; /* one instance of each, on one model */

struct ez_interp {
    const char *name;
    uint64_t first, last; /* the codes that it may understand                     */
    void *(*create)(struct ez_interps *all);
    /* NULL, or asked before any interpreter is told the event: what belongs into a state that
     * the event ends. */
    void (*before)(void *self, const struct ez_merged *ev);
    /* False = the interpreter does not know the event. The model's clock is at the event's
     * time. */
    bool (*event)(void *self, const struct ez_merged *ev);
    void (*destroy)(void *self);
};

extern const struct ez_interp ez_interp_default, ez_interp_mpi;

/* defs: the definitions of each input, which may grow. */
struct ez_interps *ez_interps_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n);
/* If inputs are ranks or come from several hosts: defines their hosts and processes now, in
 * the order of the inputs (model.h). Their definitions must be complete. */
void ez_interps_roster(struct ez_interps *all);
void ez_interps_event(struct ez_interps *all, const struct ez_merged *ev);
/* The trace is over. The answer is what the user should know about interpreters, lines, or NULL;
 * the caller frees it. */
char *ez_interps_finish(struct ez_interps *all);
void ez_interps_destroy(struct ez_interps *all);

/* ---- for interpreters ---- */
struct ez_model *ez_interps_model(struct ez_interps *all);
size_t ez_interps_inputs(const struct ez_interps *all);
struct ez_fxt_defs *ez_interps_defs(struct ez_interps *all, uint32_t input);
/* The container of a process or thread; the first call makes it. */
uint32_t ez_interps_process(struct ez_interps *all, uint32_t input);
uint32_t ez_interps_thread(struct ez_interps *all, uint32_t input, uint64_t tid);

#endif
