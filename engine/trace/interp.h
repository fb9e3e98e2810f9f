/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.h - interpreters: what events mean.
 *
 * An interpreter turns events into calls of the model (model.h). Each interpreter names the range
 * of codes that it handles. Ranges may overlap: every interpreter whose range holds the code gets
 * the event (EZTrace's plugins, CCGrid'11, section III). The default interpreter uses the trace's
 * own definitions: hits of probes become states named after their function, and events with a
 * meaning definition (fxt_out.h) become what the definition says. Interpreter "mpi" turns messages
 * between processes into links (interp_mpi.c). An event that no interpreter handles becomes a point
 * event "code 0x...".
 *
 * A new interpreter is a file interp_NAME.c and a line in the table of interp.c. Users load their
 * own as shared objects (interp_file.c).
 *
 * Tests: tests/unit/engine/check_model.c, check_mpi.c */
#ifndef EZ_INTERP_H
#define EZ_INTERP_H

#include "engine/trace/inputs.h"
#include "engine/trace/merge.h"

struct ez_interps; /* one instance of each interpreter, on one model */

struct ez_interp {
    const char *name;
    uint64_t first, last; /* range of codes that it may handle, both ends included */
    void *(*create)(struct ez_inputs *all);
    /* May be NULL. Called before any built-in interpreter gets the event, to add items to a state
     * that the event ends. */
    void (*before)(void *self, const struct ez_merged *ev);
    /* Returns false if the interpreter does not handle the event. The model's clock is at the
     * event's time. */
    bool (*event)(void *self, const struct ez_merged *ev);
    void (*destroy)(void *self);
};

extern const struct ez_interp ez_interp_default, ez_interp_mpi;

/* Creates the interpreters. `defs` has the definitions of each input, which may grow. */
struct ez_interps *ez_interps_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n);
/* Calls ez_inputs_roster(). */
void ez_interps_roster(struct ez_interps *all);
void ez_interps_event(struct ez_interps *all, const struct ez_merged *ev);
/* Tells the interpreters that the trace has ended. Returns what they have to tell the user, one
 * message a line, or NULL. The caller frees the result. */
char *ez_interps_finish(struct ez_interps *all);
void ez_interps_destroy(struct ez_interps *all);

#endif
