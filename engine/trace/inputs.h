/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inputs.h - the inputs (trace files) of a replay, for interpreters: the definitions of each file,
 * and the model's containers for the file's process and threads.
 *
 * Tests: tests/unit/trace/check_model.c */
#ifndef EZ_INPUTS_H
#define EZ_INPUTS_H

#include "engine/trace/fxt_defs.h"
#include "engine/trace/model.h"

struct ez_inputs;

/* Creates the inputs. defs: the definitions of each of the n files, borrowed; in a live trace,
 * definitions are added to them later. */
struct ez_inputs *ez_inputs_create(struct ez_model *m, struct ez_fxt_defs **defs, size_t n);
void ez_inputs_destroy(struct ez_inputs *all);
struct ez_model *ez_inputs_model(struct ez_inputs *all);
size_t ez_inputs_count(const struct ez_inputs *all);
struct ez_fxt_defs *ez_inputs_defs(struct ez_inputs *all, uint32_t input);
/* If the inputs have ranks or come from several hosts, creates the containers of all hosts and
 * processes, in the order of the inputs (model.h). Call when the definitions are complete. */
void ez_inputs_roster(struct ez_inputs *all);
/* Return the container of a process or a thread. The first call creates the container. */
uint32_t ez_inputs_process(struct ez_inputs *all, uint32_t input);
uint32_t ez_inputs_thread(struct ez_inputs *all, uint32_t input, uint64_t tid);
/* Returns the model's name of a probe's function, with its place in the source. kind: EZ_N_STATE if
 * the probe's hits are calls, EZ_N_EVENT if they are points. */
uint32_t ez_inputs_function(struct ez_model *m, const struct ez_fxt_defs *d,
                            const struct ez_fxt_probe *p, enum ez_name_kind kind);
/* Renames the thread's container, if it has one, to the name that its definition has now. */
void ez_inputs_rename(struct ez_inputs *all, uint32_t input, uint64_t tid);

#endif
