/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_list.h - the list of probes and rules. See probe_list.c. */
#ifndef EZ_PROBE_PROBE_LIST_H
#define EZ_PROBE_PROBE_LIST_H

#include "engine/probe/probe.h"

struct ez_probe *ez_probe_new(struct ez_target *t, const struct ez_probe_spec *spec); /* copies */
void ez_probe_free(struct ez_probe *p);
bool ez_probe_records(const struct ez_probe *p); /* it is to, and the budget lets it */
struct ez_probe *ez_probe_numbered(const struct ez_target *t, int number); /* or NULL */
/* P, and what *rule points to, are the target's from now on. */
void ez_probe_keep(struct ez_target *t, struct ez_probe *p);
void ez_rule_keep(struct ez_target *t, const struct ez_rule *rule);
void ez_rule_free(struct ez_rule *rule);                    /* what it points to */
int ez_probe_number(struct ez_target *t);                   /* the next free one */
void ez_probe_number_from(struct ez_target *t, int number); /* the next is not below */
void ez_probe_reason(struct ez_probe *p, const char *text); /* NULL = none        */
/* The number of the replacement on this site, 0 = none. */
int ez_replaced_by(const struct ez_target *t, int site);
int ez_probe_family(struct ez_target *t); /* a new one */
/* P becomes a copy of those of a family. */
void ez_probe_copy_of(struct ez_target *t, struct ez_probe *p, int family);
/* What was counted of the places of its fragment, when it was enabled, and (`all`) ever. */
void ez_probe_forget_places(struct ez_probe *p, bool all);
void ez_probes_forget(struct ez_target *t); /* probes and rules; numbers begin at 1 */
void ez_probes_free(struct ez_target *t);

#endif
