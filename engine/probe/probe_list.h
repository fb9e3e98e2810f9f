/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_list.h - the list of probes and rules. See probe_list.c. */
#ifndef EZ_PROBE_PROBE_LIST_H
#define EZ_PROBE_PROBE_LIST_H

#include "engine/probe/probe.h"

/* Creates a probe with a copy of the spec, and adds it to the target's list. The target owns the
 * probe. */
struct ez_probe *ez_probe_new(struct ez_target *t, const struct ez_probe_spec *spec);
void ez_probe_free(struct ez_probe *p);
/* Returns true if the user requested recording, and the budget does not throttle the probe. */
bool ez_probe_records(const struct ez_probe *p);
/* Return true if the spec, or the probe, requests more than counting and recording hits, so that it
 * needs a clause. */
bool ez_spec_has_request(const struct ez_probe_spec *s);
bool ez_probe_has_request(const struct ez_probe *p);
/* Returns the probe with this number, or NULL. */
struct ez_probe *ez_probe_numbered(const struct ez_target *t, int number);
/* Add p, or a copy of *rule, to the target's list. From then on the target owns p, and the memory
 * that *rule points to. */
void ez_probe_keep(struct ez_target *t, struct ez_probe *p);
void ez_rule_keep(struct ez_target *t, const struct ez_rule *rule);
void ez_rule_free(struct ez_rule *rule);  /* Frees the memory that *rule points to. */
int ez_probe_number(struct ez_target *t); /* Allocates the next probe number. */
/* Makes the number of the next probe at least `number`. */
void ez_probe_number_from(struct ez_target *t, int number);
/* Sets p->reason to a copy of text; NULL: no reason. */
void ez_probe_reason(struct ez_probe *p, const char *text);
/* Sets the probe's state to EZ_PROBE_REFUSED, and its reason and hint to those of e. Frees e. */
void ez_probe_refuse(struct ez_probe *p, ez_err *e);
/* Returns the number of the replacement on the site with this index, or 0. */
int ez_replaced_by(const struct ez_target *t, int site);
int ez_probe_family(struct ez_target *t); /* Allocates a family number (ez_probe.family). */
/* Marks p as a copy of a probe of this family (ez_probe.copy). */
void ez_probe_copy_of(struct ez_target *t, struct ez_probe *p, int family);
/* Resets the second half of p->place (the counters at the last ez_probe_collect()) to 0 or, if
 * `all` is true, both halves. */
void ez_probe_forget_places(struct ez_probe *p, bool all);
/* Drops all probes and rules. The next probe gets number 1. */
void ez_probes_forget(struct ez_target *t);
void ez_probes_free(struct ez_target *t);

#endif
