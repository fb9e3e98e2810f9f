/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h - probes as the user has them, with numbers, states and reasons;
 * planted one by one, in bulk, or pending until a library comes. The states are in target.h,
 * which includes this; what probes ask of the code is in site.h. */
#ifndef EZ_PROBE_H
#define EZ_PROBE_H

/* probe.c */
struct ez_probe *ez_probe_new(struct ez_target *t, enum ez_probe_kind kind, bool record,
                              const char *location);
void ez_probe_free(struct ez_probe *p);
void ez_probe_reason(struct ez_probe *p, const char *text); /* NULL = none        */

/* resolve.c */
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
/* Where what waits, or stands in a file that was built anew, is now; `held`: the probes of the
 * open transaction, else the others. What is gone is posted and waits. */
void ez_probes_resolve(struct ez_target *t, bool held);
/* Where does a pending probe stand in this process? false = nowhere yet. */
bool ez_probe_find(struct ez_target *t, struct ez_probe *p);
/* Is the symbol that begins there a resolver? */
bool ez_is_ifunc(struct ez_object *obj, uint64_t vaddr);

/* coverage.c */
void ez_cover_reason(const char *reason, char *cut, size_t size); /* without addresses */
void ez_cover_refused(struct ez_target *t, const char *reason);
void ez_cover_removed(struct ez_target *t, uint64_t n);
void ez_cover_ended(struct ez_target *t); /* before the sites go */
void ez_cover_free(struct ez_target *t);

/* transact.c */
void ez_hold(struct ez_target *t, size_t from); /* probes from that index on */

/* verdict.c */
/* May such a probe stand at *addr (an IFUNC's becomes the address of what its resolver
 * chose)? The reason against it is an error, mostly EZ_E_REFUSED; *site is set once the
 * bytes are judged, else -1. Writes nothing. */
ez_err *ez_verdict(struct ez_target *t, enum ez_probe_kind kind, uint64_t *addr, int *site) EZ_WUR;
/* The same of an entry probe by this strategy alone. */
ez_err *ez_verdict_by(struct ez_target *t, uint64_t addr, enum ez_strategy strategy) EZ_WUR;
/* Its parts, as planting asks for them. An IFUNC's address becomes that of what its resolver
 * chose; then all but the exits, by the strategies `more` too; the exits last. */
ez_err *ez_verdict_ifunc(struct ez_target *t, uint64_t *addr) EZ_WUR;
ez_err *ez_verdict_site(struct ez_target *t, enum ez_probe_kind kind, unsigned more, uint64_t addr,
                        int *site) EZ_WUR;
ez_err *ez_verdict_exit(struct ez_target *t, struct ez_site *s, enum ez_probe_kind kind) EZ_WUR;

/* arm.c */
void ez_probe_collect(struct ez_target *t, struct ez_probe *p); /* take the counts  */
void ez_probe_leave(struct ez_target *t, struct ez_probe *p);   /* want nothing     */
/* Bring the sites of these probes in line with what is wanted. World stopped. */
ez_err *ez_probes_apply(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* Plant all these probes (resolved, with a site each). A probe that is refused gets
 * state REFUSED and its reason. In three steps, of which only the first and the last need
 * the world stopped, so that a target may run while thousands of stubs are made: */
ez_err *ez_arm_ready(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
ez_err *ez_arm_plan(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
ez_err *ez_arm_write(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR; /* stopped */
/* All three, with the stops they need, whose length is added to *stopped_ms. */
ez_err *ez_arm_live(struct ez_target *t, struct ez_probe **p, size_t n, double *stopped_ms) EZ_WUR;
/* All three. World stopped. */
ez_err *ez_probes_arm(struct ez_target *t, struct ez_probe **p, size_t n) EZ_WUR;
/* The symbol that begins at addr; NULL = none (probe *ADDR inside a function). */
const struct ez_sym *ez_begins_at(struct ez_target *t, uint64_t addr);
int ez_probe_flags(enum ez_probe_kind kind, bool record);
/* Resolve and plant what is pending, and what rules match in files that came since. */
ez_err *ez_probes_pending(struct ez_target *t, bool announce) EZ_WUR;
void ez_probes_process_ended(struct ez_target *t);
ez_err *ez_probes_unplant_all(struct ez_target *t) EZ_WUR; /* world stopped       */
bool ez_probes_any_pending(struct ez_target *t);
/* See libraries come, if any waits for them and no transaction holds it back. */
ez_err *ez_probes_watch(struct ez_target *t) EZ_WUR;
/* announce.c: of probes that waited; of those that are armed, only if asked for */
void ez_probes_announce(struct ez_target *t, struct ez_probe **p, size_t n, bool armed);
/* Probes in a library that was unloaded wait for its return. */
void ez_probes_unloaded(struct ez_target *t);
void ez_rules_unmatched(struct ez_target *t); /* say which found nothing       */

/* bulk.c */
/* Plant these, and what rules match that they were not applied to yet: all or, after an error,
 * nothing. Announces what became of them, as ez_probes_announce(). World stopped. */
ez_err *ez_bulk_pending(struct ez_target *t, struct ez_probe **p, size_t n, bool announce) EZ_WUR;
void ez_bulk_reason(struct ez_bulk *b, const char *reason);
void ez_bulk_sort(struct ez_bulk *b); /* once all reasons are counted */
void ez_bulk_announce(struct ez_target *t, const struct ez_bulk *b);

#endif
