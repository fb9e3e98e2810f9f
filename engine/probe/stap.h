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

#endif
