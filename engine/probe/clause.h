/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clause.h - probes with conditions and data. See clause.c. */
#ifndef EZ_PROBE_CLAUSE_H
#define EZ_PROBE_CLAUSE_H

#include "engine/probe/probe.h"

/* Returns an error if the request (condition, data) of the new, resolved probe does not compile.
 * Sets p->missing. */
ez_err *ez_probe_check_request(struct ez_target *t, struct ez_probe *p) EZ_WUR;
/* Compiles the probe's request, and adds it to the site as a clause. flags: EZ_ROW_*. If the
 * request does not compile, the error is EZ_E_REFUSED or EZ_E_LIMIT. */
ez_err *ez_probe_join_clause(struct ez_target *t, struct ez_probe *p, int site, int flags) EZ_WUR;
/* Reads the counts of the probe's clause or, if the probe has no clause, of its site and the site's
 * recording clauses. */
void ez_probe_counts(struct ez_target *t, const struct ez_probe *p, struct ez_clause_counts *out);

#endif
