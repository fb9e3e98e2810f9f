/* SPDX-License-Identifier: GPL-3.0-or-later */
/* semaphore.c - the counters of USDT probes.
 *
 * Many programs prepare the arguments of a USDT probe only while its counter, 16 bits in the program's
 * data, is not 0. Each tool that watches the probe increments the counter once, and decrements it at
 * its end. This shell holds one increment of each counter that a planted probe needs.
 *
 * Breakpoints of this shell need the counters, too, while the program runs.
 *
 * The journal (struct ez_semaphore in the shared memory) describes each change before it is made, so
 * that the next shell can undo the increments of a killed one. An increment is made after its probe
 * is planted, and undone before the last probe is removed. So the increments of a killed shell exist
 * only together with patches, by which the next shell notices them.
 *
 * A forked child inherits the value: its increments are undone where its patches are removed
 * (engine/process/inherit.c).
 * Tests: tests/procs/usdt.sh, tests/unit/process/check_adopt.c */
#include "engine/probe/stap.h"

#include <string.h>

#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/sym/sym.h"
#include "engine/target.h"

/* ---- one counter ----------------------------------------------------------------------------- */

static ez_err *semaphore_read(struct ez_target *t, uint64_t at, uint16_t *out)
{
    return ez_mem_read(t, at, out, sizeof *out);
}

static ez_err *semaphore_write(struct ez_target *t, uint64_t at, uint16_t value, const char *why)
{
    return ez_mem_write(t, at, &value, sizeof value, why);
}

/* Returns the address of the USDT probe's counter; 0 if it has none. s may be NULL. */
static uint64_t semaphore_at(const struct ez_stap *s, uint64_t bias)
{
    return s && s->semaphore && !s->is_damaged ? s->semaphore + bias : 0;
}

/* Returns the address of the counter of the USDT probe that p is on; 0 if it has none. */
static uint64_t semaphore_of(const struct ez_probe *p)
{
    return p->addr ? semaphore_at(ez_stap_of(p), p->bias) : 0;
}

static int semaphore_slot(const struct ez_target *t, uint64_t at)
{
    for (size_t i = 0; i < t->probes.semaphore.n; i++)
        if (t->probes.semaphore.at[i].addr == at)
            return (int)i;
    return -1;
}

/* Returns a row of the journal that no counter uses, or -1. */
static int semaphore_free_row(const struct ez_target *t)
{
    bool used[EZ_SEMAPHORES] = { false };
    for (size_t i = 0; i < t->probes.semaphore.n; i++)
        used[t->probes.semaphore.at[i].row] = true;
    for (int i = 0; i < EZ_SEMAPHORES; i++)
        if (!used[i])
            return i;
    return -1;
}

/* Sets a row of the journal. A breakpoint alone maps no shared memory: then there is no journal. */
static void semaphore_note(struct ez_target *t, int row, struct ez_semaphore what)
{
    volatile struct ez_semaphore *j = t->rt.semaphores ? &t->rt.semaphores[row] : NULL;
    if (!j)
        return;
    j->state = 0; /* the row is not valid while it changes */
    j->before = what.before;
    j->addr = what.addr;
    j->state = what.state;
}

static void semaphore_drop(struct ez_target *t, size_t i)
{
    struct ez_raised *all = t->probes.semaphore.at;
    semaphore_note(t, all[i].row, (struct ez_semaphore){ .addr = 0 });
    all[i] = all[--t->probes.semaphore.n];
}

static ez_err *semaphore_raise(struct ez_target *t, uint64_t at)
{
    uint16_t value;
    const int row = semaphore_free_row(t);
    if (row < 0)
        return ez_err_new(EZ_E_LIMIT, 0, "A process has room for %d semaphores of USDT probes",
                          EZ_SEMAPHORES);
    EZ_TRY(semaphore_read(t, at, &value));
    if (value == UINT16_MAX)
        return ez_err_new(EZ_E_LIMIT, 0, "The semaphore at 0x%llx has its largest value",
                          (unsigned long long)at);
    struct ez_semaphore now = { .addr = at, .before = value, .state = EZ_SEMAPHORE_RAISING };
    semaphore_note(t, row, now);
    EZ_PUSH(&t->probes.semaphore, ((struct ez_raised){ at, row }));
    ez_err *e =
        semaphore_write(t, at, (uint16_t)(value + 1), "increment the semaphore of a USDT probe");
    now.state = EZ_SEMAPHORE_RAISED;
    if (e)
        semaphore_drop(t, t->probes.semaphore.n - 1);
    else
        semaphore_note(t, row, now);
    return e;
}

/* Undoes the increment with index i. If the program has set its counter to 0, the increment is gone
 * already. */
static ez_err *semaphore_lower(struct ez_target *t, size_t i)
{
    const struct ez_raised r = t->probes.semaphore.at[i];
    uint16_t value;
    EZ_TRY(semaphore_read(t, r.addr, &value));
    if (value) {
        semaphore_note(t, r.row,
                       (struct ez_semaphore){
                           .addr = r.addr, .before = value, .state = EZ_SEMAPHORE_LOWERING });
        EZ_TRY(semaphore_write(t, r.addr, (uint16_t)(value - 1),
                               "decrement the semaphore of a USDT probe"));
    }
    semaphore_drop(t, i);
    return NULL;
}

/* ---- all counters ---------------------------------------------------------------------------- */

/* Adds the counter at address `at`, if that is not 0, to the wanted ones, and increments it if this
 * shell has not yet done so. */
static ez_err *semaphore_want(struct ez_target *t, struct ez_hash *wanted, uint64_t at)
{
    if (at)
        ez_hash_put(wanted, at, 1);
    return at && semaphore_slot(t, at) < 0 ? semaphore_raise(t, at) : NULL;
}

ez_err *ez_semaphores_settle(struct ez_target *t)
{
    struct ez_hash wanted = { 0 };
    size_t known;
    ez_err *e = NULL;
    for (size_t i = 0; i < t->probes.probe.n && !e; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        e = semaphore_want(t, &wanted, p->state == EZ_PROBE_ARMED ? semaphore_of(p) : 0);
    }
    for (size_t i = 0; i < t->probes.break_semaphore.n && !e; i++)
        e = semaphore_want(t, &wanted, t->probes.break_semaphore.at[i]);
    for (size_t i = e ? 0 : t->probes.semaphore.n; i-- > 0;)
        if (!ez_hash_get(&wanted, t->probes.semaphore.at[i].addr, &known))
            e = ez_err_first(e, semaphore_lower(t, i));
    ez_hash_free(&wanted);
    return e;
}

void ez_semaphores_of_breaks(struct ez_target *t, const char *location, uint64_t addr)
{
    const struct ez_module *m = location ? ez_module_at(t, addr) : NULL;
    const struct ez_stap *s = m && m->obj ? ez_stap_named(m->obj, location, addr - m->bias) : NULL;
    if (!location)
        t->probes.break_semaphore.n = 0;
    const uint64_t at = semaphore_at(s, m ? m->bias : 0);
    if (at)
        EZ_PUSH(&t->probes.break_semaphore, at);
}

ez_err *ez_semaphores_lower_all(struct ez_target *t)
{
    while (t->probes.semaphore.n)
        EZ_TRY(semaphore_lower(t, t->probes.semaphore.n - 1));
    return NULL;
}

ez_err *ez_semaphore_check(struct ez_target *t, const struct ez_probe *p)
{
    const uint64_t at = semaphore_of(p);
    uint16_t value;
    if (!at || semaphore_slot(t, at) >= 0)
        return NULL;
    if (!ez_err_drop(semaphore_read(t, at, &value)))
        return ez_err_new(EZ_E_REFUSED, 0, "its semaphore cannot be read");
    return value < UINT16_MAX && semaphore_free_row(t) >= 0
               ? NULL
               : ez_err_new(EZ_E_REFUSED, 0, "its semaphore cannot be incremented");
}

void ez_semaphore_unloaded(struct ez_target *t, const struct ez_probe *p)
{
    const uint64_t at = semaphore_of(p);
    const int i = at ? semaphore_slot(t, at) : -1;
    if (i >= 0)
        semaphore_drop(t, (size_t)i);
}

void ez_semaphores_forget(struct ez_target *t)
{
    t->probes.semaphore.n = t->probes.break_semaphore.n = 0;
}

/* ---- after another shell --------------------------------------------------------------------- */

/* Returns true if the counter of some USDT probe of a loaded file is at address `at`. The target can
 * write the journal, so other addresses are not changed. */
static bool semaphore_is_one(struct ez_target *t, uint64_t at)
{
    const struct ez_module *m = ez_module_at(t, at);
    size_t n = 0;
    const struct ez_stap *all = m && m->obj ? ez_object_staps(m->obj, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (semaphore_at(&all[i], m->bias) == at)
            return true;
    return false;
}

/* Returns true if the earlier shell had incremented the counter, and not decremented it, when it
 * ended. */
static bool semaphore_was_raised(const struct ez_semaphore *j, uint16_t value)
{
    switch (j->state) {
    case EZ_SEMAPHORE_RAISING:
        return value == (uint16_t)(j->before + 1);
    case EZ_SEMAPHORE_LOWERING:
        return value == j->before;
    default:
        return j->state == EZ_SEMAPHORE_RAISED;
    }
}

ez_err *ez_semaphores_recover(struct ez_target *t, uint64_t journal)
{
    static const struct ez_semaphore none = { .addr = 0 };
    struct ez_semaphore row[EZ_SEMAPHORES];
    EZ_TRY(ez_mem_read(t, journal, row, sizeof row));
    for (size_t i = 0; i < EZ_SEMAPHORES; i++) {
        uint16_t value;
        if (!row[i].state || !semaphore_is_one(t, row[i].addr))
            continue;
        EZ_TRY(semaphore_read(t, row[i].addr, &value));
        if (value && semaphore_was_raised(&row[i], value))
            EZ_TRY(semaphore_write(t, row[i].addr, (uint16_t)(value - 1),
                                   "decrement a semaphore that an earlier eztsh incremented"));
        EZ_TRY(ez_mem_write(t, journal + i * sizeof none, &none, sizeof none,
                            "mark a decremented semaphore in the journal"));
    }
    return NULL;
}
