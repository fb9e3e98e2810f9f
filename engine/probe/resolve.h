/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resolve.h - finds the addresses of probes. See resolve.c. */
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
/* Resolves the pending probes, and those whose file was rebuilt. held: of the pending ones, only
 * those of the open transaction; otherwise only the others. A probe whose function is missing now
 * is announced, and becomes pending. */
void ez_probes_resolve(struct ez_target *t, bool held);
/* Makes, in each new copy of a library that is loaded several times (dlmopen), a probe for each
 * probe of the other copies. */
void ez_probes_copies(struct ez_target *t);
/* Call before ez_probe_find() for some probes. */
void ez_probes_find_begin(struct ez_target *t);
/* Makes p a copy of an earlier probe with the same location, for the same function in another copy
 * of the file, if there is one. */
void ez_probe_look_copy(struct ez_target *t, struct ez_probe *p);
/* Sets p->addr, the address of the pending probe in this process. Returns false if its file is not
 * loaded. */
bool ez_probe_find(struct ez_target *t, struct ez_probe *p);
/* Finds the function and the variable of a replacement. EZ_E_NOTFOUND: not loaded (yet). */
ez_err *ez_replace_find(struct ez_target *t, const struct ez_probe *p, struct ez_with *out) EZ_WUR;
/* Tells the replacement at `with` of a function with "..." which of p->twins exists. EZ_E_REFUSED:
 * none. */
ez_err *ez_replace_twin(struct ez_target *t, const struct ez_probe *p, uint64_t with) EZ_WUR;
/* Returns true if the symbol that begins at vaddr is an IFUNC's resolver. */
bool ez_is_ifunc(struct ez_object *obj, uint64_t vaddr);

#endif
