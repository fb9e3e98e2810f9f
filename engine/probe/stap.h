/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stap.h - USDT probes as locations. See stap.c. */
#ifndef EZ_PROBE_STAP_H
#define EZ_PROBE_STAP_H

#include "engine/probe/probe.h"

struct ez_stap;

/* Interface of stap.c: */
/* A search for the places that a location names: ez_stap_search_begin(), whose text, the names of the
 * location, it changes and uses; ez_stap_in_module() for each module, which calls fn for each place;
 * ez_stap_search_end(), which returns EZ_E_NOTFOUND if there is no place, and EZ_E_REFUSED if a note
 * is damaged. */
struct ez_stap_search {
    struct ez_stap_name {
        const char *object, *provider, *name; /* NULL = any */
    } want;
    ez_locate_fn *fn;
    void *arg;
    bool found;
    ez_err *e;
};
void ez_stap_search_begin(struct ez_stap_search *q, char *text);
void ez_stap_in_module(const struct ez_module_info *m, void *search);
ez_err *ez_stap_search_end(const struct ez_stap_search *q) EZ_WUR;
/* Returns EZ_E_ARG if the location of a USDT probe has no name or an empty part. */
ez_err *ez_stap_check(const char *location) EZ_WUR;
/* Returns the USDT probe of file `obj` at vaddr that the location names, or NULL. */
const struct ez_stap *ez_stap_named(struct ez_object *obj, const char *location, uint64_t vaddr);
/* Returns the USDT probe that p is on; NULL if p's location names none, or p is not resolved. */
const struct ez_stap *ez_stap_of(const struct ez_probe *p);

/* Interface of semaphore.c: */
/* Increments the counters of the USDT probes on which planted probes are, and decrements those that
 * this shell incremented and no planted probe needs. */
ez_err *ez_semaphores_settle(struct ez_target *t) EZ_WUR;
/* Adds the counter of the USDT probe at addr, on which a breakpoint is, to those that breakpoints
 * need; with location NULL, forgets all of them. ez_semaphores_settle() increments them. */
void ez_semaphores_of_breaks(struct ez_target *t, const char *location, uint64_t addr);
/* Decrements all counters that this shell incremented. The target must be stopped. */
ez_err *ez_semaphores_lower_all(struct ez_target *t) EZ_WUR;
/* Forgets the increment of p's counter, without a write: p's library was unloaded. */
void ez_semaphore_unloaded(struct ez_target *t, const struct ez_probe *p);
void ez_semaphores_forget(
    struct ez_target *t); /* The process has ended, or another shell has it. */
/* Undoes the increments that an earlier shell left, by its journal at address `journal` of the
 * target, EZ_SEMAPHORES rows. The target must be stopped. */
ez_err *ez_semaphores_recover(struct ez_target *t, uint64_t journal) EZ_WUR;
/* Returns EZ_E_REFUSED if p's counter cannot be incremented in this process. */
ez_err *ez_semaphore_check(struct ez_target *t, const struct ez_probe *p) EZ_WUR;

#endif
