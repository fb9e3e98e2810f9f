/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_list.h - the list of probes and rules. See probe_list.c. */
#ifndef EZ_PROBE_PROBE_LIST_H
#define EZ_PROBE_PROBE_LIST_H

#include "engine/probe/probe.h"

/* Makes a probe with a copy of the spec. The target owns the probe. */
struct ez_probe *ez_probe_new(struct ez_target *t, const struct ez_probe_spec *spec);
void ez_probe_free(struct ez_probe *p);
/* Returns true if the user wants the probe to record, and the budget does not throttle the
 * probe. */
bool ez_probe_records(const struct ez_probe *p);
/* Returns true if the spec, or the probe, requests more than counting hits. */
bool ez_spec_has_request(const struct ez_probe_spec *s);
bool ez_probe_has_request(const struct ez_probe *p);
/* Returns the probe with this number, or NULL. */
struct ez_probe *ez_probe_numbered(const struct ez_target *t, int number);
/* Add p, and a copy of *rule, to the lists of the target. From then on the target owns p, and what
 * *rule points to. */
void ez_probe_keep(struct ez_target *t, struct ez_probe *p);
void ez_rule_keep(struct ez_target *t, const struct ez_rule *rule);
void ez_rule_free(struct ez_rule *rule);  /* Frees what the rule points to. */
int ez_probe_number(struct ez_target *t); /* Returns the next free number. */
/* Makes the number of the next probe at least `number`. */
void ez_probe_number_from(struct ez_target *t, int number);
void ez_probe_reason(struct ez_probe *p, const char *text); /* Copies text; NULL: no reason. */
/* Refuses the probe for the reason e, which is freed. */
void ez_probe_refuse(struct ez_probe *p, ez_err *e);
/* Returns the number of the replacement on this site, or 0. */
int ez_replaced_by(const struct ez_target *t, int site);
int ez_probe_family(struct ez_target *t); /* Returns a new family. */
/* Marks p as a copy of the probes of that family (struct ez_probe). */
void ez_probe_copy_of(struct ez_target *t, struct ez_probe *p, int family);
/* Sets counts of the places of p's fragment to 0: those as of the last collection, or, with `all`,
 * all counts (ez_probe.place). */
void ez_probe_forget_places(struct ez_probe *p, bool all);
void ez_probes_forget(struct ez_target *t); /* Drops probes and rules. Numbers begin at 1 again. */
void ez_probes_free(struct ez_target *t);

#endif
