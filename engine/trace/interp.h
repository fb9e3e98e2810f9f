/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interp.h - interpreters: code that translates the events of a trace into items of the model.
 *
 * An interpreter calls functions of the model (model.h) for an event. Each interpreter has a range
 * of event codes. Ranges may overlap: every interpreter whose range contains the code gets the
 * event (EZTrace's plugins, CCGrid'11, section III). The default interpreter uses the trace's own
 * definitions: hits of probes become states named after their function, and events with a meaning
 * definition (fxt_out.h) become states, variables, links or points, as the definition says.
 * Interpreter "mpi" turns messages between processes into links (interp_mpi.c). An event that no
 * interpreter handles becomes a point event "gpu event 5" (event 5 of the module gpu) or "code
 * 0x...".
 *
 * To add an interpreter, add a file interp_NAME.c and a line in the table of interp.c. Interpreters
 * of users are shared objects (interp_file.c).
 *
 * Tests: tests/unit/trace/check_model.c, tests/unit/trace/check_mpi.c */
#ifndef EZ_INTERP_H
#define EZ_INTERP_H

#include "engine/trace/inputs.h"
#include "engine/trace/merge.h"

struct ez_interps; /* one instance of each interpreter; all of them fill the same model */

struct ez_interp {
    const char *name;
    uint64_t first, last; /* range of codes that the interpreter may handle, both ends included */
    void *(*create)(struct ez_inputs *all);
    /* Called before the event function of any built-in interpreter, so that items can still be
     * added to a state that the event ends. May be NULL. */
    void (*before)(void *self, const struct ez_merged *ev);
    /* Handles an event. Returns false if the interpreter does not handle such events. The model's
     * clock has the event's time. */
    bool (*event)(void *self, const struct ez_merged *ev);
    void (*destroy)(void *self);
};

extern const struct ez_interp ez_interp_default, ez_interp_mpi;

/* Creates the interpreters. defs: the definitions of each of the n inputs. */
struct ez_interps *ez_interps_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n);
/* Calls ez_inputs_rename(). */
void ez_interps_rename(struct ez_interps *all, uint32_t input, uint64_t tid);
/* Calls ez_inputs_roster(). */
void ez_interps_roster(struct ez_interps *all);
/* Returns the inputs that all interpreters share. */
struct ez_inputs *ez_interps_inputs(struct ez_interps *all);
/* Returns true if interpreters of users are loaded, which may emit any items at any event. */
bool ez_interps_of_users(const struct ez_interps *all);
void ez_interps_event(struct ez_interps *all, const struct ez_merged *ev);
/* Call after the last event. Returns the interpreters' messages to the user, one a line, or NULL.
 * The caller frees the result. */
char *ez_interps_finish(struct ez_interps *all);
void ez_interps_destroy(struct ez_interps *all);

#endif
