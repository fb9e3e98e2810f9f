/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resolve.h - finds the addresses of probes. See resolve.c. */
#ifndef EZ_PROBE_RESOLVE_H
#define EZ_PROBE_RESOLVE_H

#include "engine/probe/probe.h"

/* An address that a LOCATION names, in the process or, without a process, in the program's file.
 * sym: the symbol that contains the address, or NULL. */
struct ez_place {
    uint64_t addr;
    const struct ez_sym *sym;
};
struct ez_places {
    struct ez_place *at;
    size_t n, cap;
};
/* Finds all addresses that the location names. The caller frees out->at. */
ez_err *ez_places(struct ez_target *t, const char *location, struct ez_places *out) EZ_WUR;
/* Sets the fields of p that describe its function: symbol s at addr in module m. m NULL: there is
 * no process. */
void ez_probe_resolved(struct ez_target *t, struct ez_probe *p, const struct ez_sym *s,
                       const struct ez_module *m, uint64_t addr);
/* Resolves pending probes, and all probes whose file was rebuilt. held true: only those pending
 * probes that belong to the open transaction; held false: only those that do not. If the function
 * of a probe no longer exists, posts a note, and the probe becomes pending. */
void ez_probes_resolve(struct ez_target *t, bool held);
/* If a library is loaded several times (dlmopen), creates in each new copy a copy of each planted
 * probe in the other copies, except replacements, probes at *ADDR, and probes of rules and
 * specifications. */
void ez_probes_copies(struct ez_target *t);
/* Call once before a series of calls of ez_probe_find(). */
void ez_probes_find_begin(struct ez_target *t);
/* Makes p a copy of an earlier probe with the same location, for the same function in another copy
 * of the file, if there is one. */
void ez_probe_look_copy(struct ez_target *t, struct ez_probe *p);
/* Sets p->addr, the address of the pending probe in this process. Returns false if the probe cannot
 * be planted yet, because its file or its replacing function is not loaded or not ready. */
bool ez_probe_find(struct ez_target *t, struct ez_probe *p);
/* Sets *out to the addresses of the replacing function and of the variable for the original.
 * EZ_E_NOTFOUND: the replacing function is not loaded. */
ez_err *ez_replace_find(struct ez_target *t, const struct ez_probe *p, struct ez_with *out) EZ_WUR;
/* For a replacement p of a variadic function: p->spec.twins is the name of a variable and those of
 * equivalent functions that take a va_list. Writes the address of the first of these functions that
 * exists to the variable, in the module of the replacing function (address with). EZ_E_REFUSED:
 * none exists. */
ez_err *ez_replace_twin(struct ez_target *t, const struct ez_probe *p, uint64_t with) EZ_WUR;
/* Returns true if the symbol that begins at vaddr is an IFUNC's resolver. */
bool ez_is_ifunc(struct ez_object *obj, uint64_t vaddr);

#endif
