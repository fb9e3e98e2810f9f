/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe_list.c - the list of probes and rules: their numbers, what they own, their end. What probes
 * do is probe.c's. */
#include "engine/target.h"

#include <stdlib.h>

int ez_probe_number(struct ez_target *t)
{
    return t->probes.next_number++;
}

void ez_probe_number_from(struct ez_target *t, int number)
{
    t->probes.next_number = EZ_MAX(t->probes.next_number, number);
}

void ez_probe_keep(struct ez_target *t, struct ez_probe *p)
{
    EZ_PUSH(&t->probes.probe, p);
}

void ez_rule_keep(struct ez_target *t, const struct ez_rule *rule)
{
    EZ_PUSH(&t->probes.rule, *rule);
}

struct ez_probe *ez_probe_new(struct ez_target *t, enum ez_probe_kind kind, bool record,
                              const char *location)
{
    struct ez_probe *p = ez_alloc(sizeof *p);
    p->number = ez_probe_number(t);
    p->kind = kind;
    p->record = record;
    p->location = ez_strdup(location);
    p->site = -1;
    ez_probe_keep(t, p);
    return p;
}

void ez_probe_free(struct ez_probe *p)
{
    free(p->location);
    free(p->reason);
    free(p->object_path);
    free(p->function);
    free(p->library);
    free(p->file);
    free(p);
}

void ez_probe_reason(struct ez_probe *p, const char *text)
{
    free(p->reason);
    p->reason = text ? ez_strdup(text) : NULL;
}

void ez_probes_forget(struct ez_target *t)
{
    for (size_t i = 0; i < t->probes.probe.n; i++)
        ez_probe_free(t->probes.probe.at[i]);
    for (size_t i = 0; i < t->probes.rule.n; i++)
        free(t->probes.rule.at[i].spec);
    t->probes.probe.n = t->probes.rule.n = 0;
    t->probes.next_number = 1;
}

void ez_probes_free(struct ez_target *t)
{
    ez_probes_forget(t);
    EZ_VEC_FREE(&t->probes.probe);
    EZ_VEC_FREE(&t->probes.rule);
    ez_cover_free(t);
}
