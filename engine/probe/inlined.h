/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inlined.h - inlined instances of functions as locations. See inlined.c. */
#ifndef EZ_PROBE_INLINED_H
#define EZ_PROBE_INLINED_H

#include "engine/probe/probe.h"

struct ez_inlined_search {     /* a search for the instances that a location names */
    bool all;                  /* call fn also for instances that cannot be counted exactly */
    const char *object, *name; /* object NULL: the program */
    ez_locate_fn *fn;
    void *arg;
    unsigned n[EZ_INLINED_COUNT]; /* how many instances of each kind were found */
};
/* Searches one module. search: a struct ez_inlined_search. */
void ez_inlined_in_module(const struct ez_module_info *m, void *search);

#endif
