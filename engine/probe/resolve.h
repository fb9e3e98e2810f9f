/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resolve.h - finds where probes stand. See resolve.c. */
#ifndef EZ_PROBE_RESOLVE_H
#define EZ_PROBE_RESOLVE_H

#include "engine/probe/probe.h"

struct ez_place {
    uint64_t addr;
    const struct ez_sym *sym;
};
struct ez_places {
    struct ez_place *at;
    size_t n, cap;
};
ez_err *ez_places(struct ez_target *t, const char *location, struct ez_places *out) EZ_WUR;
void ez_probe_resolved(struct ez_target *t, struct ez_probe *p, const struct ez_sym *s,
                       const struct ez_module *m, uint64_t addr);
/* Resolve the probes that wait, and those whose file was built anew. `held`: of the waiting ones,
 * those of the open transaction, else the others. A probe whose function is gone is announced
 * and waits. */
void ez_probes_resolve(struct ez_target *t, bool held);
/* A library may be loaded several times (dlmopen): makes a probe in each new copy for each probe of the others. */
void ez_probes_copies(struct ez_target *t);
/* Before ez_probe_find() for some probes. */
void ez_probes_find_begin(struct ez_target *t);
/* Is there an earlier probe of p's location for the same function in another copy of the file? Then p becomes its copy. */
void ez_probe_look_copy(struct ez_target *t, struct ez_probe *p);
/* Set p->addr, where the pending probe stands in this process; false = its file is not loaded. */
bool ez_probe_find(struct ez_target *t, struct ez_probe *p);
/* Where the function and the variable of a replacement are. EZ_E_NOTFOUND: not loaded (yet). */
ez_err *ez_replace_find(struct ez_target *t, const struct ez_probe *p, struct ez_with *out) EZ_WUR;
/* Of a function with "...": its replacement at `with` is told which of p->twins there is. EZ_E_REFUSED: none. */
ez_err *ez_replace_twin(struct ez_target *t, const struct ez_probe *p, uint64_t with) EZ_WUR;
/* Is the symbol that begins at vaddr an IFUNC's resolver? */
bool ez_is_ifunc(struct ez_object *obj, uint64_t vaddr);

#endif
