/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec_info.c - lists specifications: routines, clauses, hits (ezt_specs.h).
 *
 * A hit of a routine is a call for which the fragment ran. The routine's probe counts all calls,
 * and the calls for which the fragment did not run.
 * Tests: tests/procs/spec.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/probe/carry.h"
#include "engine/probe/probe_list.h"

#include <stdlib.h>
#include <string.h>

ez_err *ez_spec_numbered(const struct ez_target *t, int number, struct ez_loaded_spec **out)
{
    for (size_t i = 0; i < t->plugins.spec.n; i++)
        if ((*out = t->plugins.spec.at[i])->number == number)
            return NULL;
    return ez_err_new(EZ_E_NOTFOUND, 0, "No specification number %d", number);
}

struct ez_probe **ez_spec_probes(const struct ez_target *t, const struct ez_loaded_spec *s)
{
    struct ez_probe **by = ez_alloc((s->routine.n + 1) * sizeof *by);
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        struct ez_probe *p = t->probes.probe.at[i];
        if (p->spec.fragment.spec == s->number && !p->spec.fragment.callee &&
            p->spec.fragment.routine < s->routine.n)
            by[p->spec.fragment.routine] = p;
    }
    return by;
}

void ez_specs(struct ez_target *t, void (*fn)(const struct ez_spec_info *, void *), void *arg)
{
    for (size_t i = 0; i < t->plugins.spec.n; i++) {
        const struct ez_loaded_spec *s = t->plugins.spec.at[i];
        struct ez_spec_info info = { .number = s->number,
                                     .name = s->name,
                                     .path = s->path,
                                     .there = s->there,
                                     .problem = s->refused,
                                     .routines = (unsigned)s->routine.n };
        EZ_FREE struct ez_probe **probe = ez_spec_probes(t, s);
        for (size_t k = 0; k < s->routine.n; k++) {
            const struct ez_probe *p = probe[k];
            info.planted += p && p->state == EZ_PROBE_ARMED;
            info.pending += p && p->state == EZ_PROBE_PENDING;
            info.disabled += p && p->state == EZ_PROBE_DISABLED;
            info.refused += s->routine.at[k].why != NULL;
            info.refused += p && (p->state == EZ_PROBE_REFUSED || p->state == EZ_PROBE_LOST);
        }
        fn(&info, arg);
    }
}

static const char *specinfo_state(const struct ez_loaded_routine *r, const struct ez_probe *p)
{
    static const char *const text[] = { [EZ_PROBE_PENDING] = "pending",
                                        [EZ_PROBE_ARMED] = "planted",
                                        [EZ_PROBE_DISABLED] = "disabled",
                                        [EZ_PROBE_REFUSED] = "refused",
                                        [EZ_PROBE_LOST] = "lost" };
    return r->why ? "left alone" : p ? text[p->state] : "deleted";
}

/* Returns a copy of the specification's rows in the process, or zeros if they cannot be read. The
 * caller frees it. */
static struct ezt_fragment *specinfo_rows(struct ez_target *t, const struct ez_loaded_spec *s)
{
    const size_t bytes = s->rows * sizeof(struct ezt_fragment);
    struct ezt_fragment *row = ez_alloc(bytes + 1);
    if (s->there && ez_mem_read_some(t, s->table, row, bytes) != bytes)
        memset(row, 0, bytes);
    return row;
}

static struct ez_spec_routine_info specinfo_describe(struct ez_target *t,
                                                     const struct ez_loaded_routine *r,
                                                     struct ez_probe *p,
                                                     const struct ezt_fragment *row)
{
    static const struct ezt_fragment nothing;
    const volatile uint64_t *n = (r->why ? &nothing : &row[r->row])->count;
    if (p)
        ez_probe_collect(t, p);
    return (struct ez_spec_routine_info){ .probe = r->probe,
                                          .function = r->function,
                                          .file = r->file,
                                          .line = r->line,
                                          .state = specinfo_state(r, p),
                                          .reason = r->why           ? r->why
                                                    : p && p->reason ? p->reason
                                                                     : "",
                                          .note = r->note,
                                          .entries = p ? p->entries : 0,
                                          .exits = p ? p->exits : 0,
                                          .nested = n[EZT_NESTED],
                                          .recursed = p ? p->ran.recursed : 0,
                                          .no_room = n[EZT_NO_ROOM],
                                          .without = p ? p->ran.without : 0,
                                          .unordered = p ? p->ran.unordered : 0,
                                          .left = p ? p->ran.left : 0,
                                          .ends = p ? p->ran.ends : 0 };
}

/* Calls fn for a function that routines call at places with code, if its probe was refused or
 * lost. */
static void specinfo_callee(struct ez_target *t, const struct ez_loaded_callee *c,
                            void (*fn)(const struct ez_spec_routine_info *, void *), void *arg)
{
    const struct ez_probe *p = ez_probe_numbered(t, c->probe);
    EZ_FREE char *name = ez_sprintf("%s %s",
                                    c->when == EZT_THERE    ? "a return of"
                                    : c->when == EZT_BEHIND ? "behind calls of"
                                                            : "before calls of",
                                    c->name);
    if (p && (p->state == EZ_PROBE_REFUSED || p->state == EZ_PROBE_LOST))
        fn(&(struct ez_spec_routine_info){ .probe = c->probe,
                                           .function = name,
                                           .file = p->library ? p->library : "",
                                           .state = "refused",
                                           .reason = p->reason ? p->reason : "" },
           arg);
}

ez_err *ez_spec_routines(struct ez_target *t, int number,
                         void (*fn)(const struct ez_spec_routine_info *, void *), void *arg)
{
    struct ez_loaded_spec *s = NULL;
    EZ_TRY(ez_spec_numbered(t, number, &s));
    EZ_FREE struct ezt_fragment *row = specinfo_rows(t, s);
    EZ_FREE struct ez_probe **probe = ez_spec_probes(t, s);
    for (size_t i = 0; i < s->routine.n; i++) {
        const struct ez_spec_routine_info info =
            specinfo_describe(t, &s->routine.at[i], probe[i], row);
        fn(&info, arg);
    }
    for (size_t i = 0; i < s->callee.n; i++)
        specinfo_callee(t, &s->callee.at[i], fn, arg);
    return NULL;
}

/* Returns an array with three counts for each row: the entries, exits and program ends for which
 * the code ran (index: EZ_SPEC_ENTRIES, ...). The caller frees it. */
static uint64_t (*specinfo_counts(struct ez_target *t, const struct ez_loaded_spec *s))[3]
{
    EZ_FREE struct ezt_fragment *row = specinfo_rows(t, s);
    EZ_FREE struct ez_probe **probe = ez_spec_probes(t, s);
    uint64_t(*n)[3] = ez_alloc((s->rows + 1) * sizeof *n);
    for (size_t i = 0; i < s->routine.n; i++) {
        const struct ez_loaded_routine *r = &s->routine.at[i];
        const struct ez_spec_routine_info info = specinfo_describe(t, r, probe[i], row);
        if (r->why)
            continue;
        const uint64_t ran = info.entries - EZ_MIN(info.without, info.entries);
        n[r->row][EZ_SPEC_ENTRIES] = ran;
        n[r->row][EZ_SPEC_EXITS] = info.exits - EZ_MIN(info.without + info.unordered, info.exits);
        n[r->row][EZ_SPEC_ENDS] = info.ends;
    }
    return n;
}

/* Returns the number of runs of the code at a place. ez_probe_collect() must have updated the
 * probe. */
static uint64_t specinfo_place(const struct ez_loaded_spec *s, struct ez_probe **probe,
                               const struct ez_spec_place *at)
{
    for (size_t i = 0; i < s->routine.n; i++)
        if (!s->routine.at[i].why && s->routine.at[i].row == at->row && probe[i] &&
            at->number < probe[i]->spec.fragment.places)
            return probe[i]->place[2 * at->number + at->behind];
    return 0;
}

ez_err *ez_spec_clauses(struct ez_target *t, int number,
                        void (*fn)(const struct ez_spec_clause_info *, void *), void *arg)
{
    struct ez_loaded_spec *s = NULL;
    EZ_TRY(ez_spec_numbered(t, number, &s));
    uint64_t(*n)[3] = specinfo_counts(t, s);
    EZ_FREE struct ez_probe **probe = ez_spec_probes(t, s);
    for (size_t i = 0; i < s->clause.n; i++) {
        const struct ez_loaded_clause *c = &s->clause.at[i];
        struct ez_spec_clause_info info = { .text = c->text,
                                            .place = c->place,
                                            .why = c->why,
                                            .note = c->note,
                                            .routines = c->routines,
                                            .counted = c->counted != EZ_SPEC_NOTHING };
        for (size_t k = 0; k < c->row.n && info.counted && c->counted != EZ_SPEC_PLACES; k++)
            info.hits += n[c->row.at[k]][c->counted];
        for (size_t k = 0; k < c->inside.n; k++)
            info.hits += specinfo_place(s, probe, &c->inside.at[k]);
        fn(&info, arg);
    }
    free(n);
    return NULL;
}
