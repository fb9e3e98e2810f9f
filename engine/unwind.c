/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwind.c - exceptions and backtraces find their way through our frames.
 *
 * A hook on each unwinder's table look-up (`_Unwind_Find_FDE`) answers for return slots,
 * cells and stubs (rt/rt_hook.c). Without exit probes only a signal that comes inside a stub
 * needs it (a backtrace, an asynchronous cancellation): then a user's entry probe on that
 * function may stay, else it must give way. Detaching takes the hooks away, but calls that are open then
 * return through slots and cells for as long as they like, and may throw. So the tables
 * are registered with the unwinder before, by a call of its own function: only then, for
 * from then on each throw takes a lock there, which a fork may find held for ever.
 * Errors: those of patching; what cannot be registered is said, and nothing else fails.
 * Tests: tests/procs/unwind.sh, tests/fault/check_exits.sh */
#include "engine/target.h"

#include <sys/mman.h>

#define OBJECT_BYTES 96 /* libgcc's `struct object`, and room for what it may become */

static struct ez_probe *users_probe(struct ez_target *t, uint64_t addr)
{
    for (size_t i = 0; i < t->probe.n; i++) {
        struct ez_probe *p = t->probe.at[i];
        if (p->addr == addr && !p->user_disabled && p->state != EZ_PROBE_REFUSED)
            return p;
    }
    return NULL;
}

static ez_err *give_way(struct ez_target *t, uint64_t addr)
{
    unsigned lost;
    struct ez_probe *p;
    int site = ez_site_find(t, addr);
    if (site < 0 || t->site.at[site].current < 0)
        return NULL;
    while ((p = users_probe(t, addr)) && p->site == site) {
        ez_probe_collect(t, p);
        ez_probe_leave(t, p);
        p->site = -1;
        p->state = EZ_PROBE_REFUSED;
        ez_probe_reason(p, "eztsh itself needs this function, since there are exit probes");
        ez_cover_refused(t, p->reason);
        ez_post_note(t, "Probe %d gives way: %s.", p->number, p->reason);
    }
    return ez_patch_apply(t, &(struct ez_change){ site, -1 }, 1, &lost);
}

ez_err *ez_unwind_hooks(struct ez_target *t)
{
    bool hooked;
    for (size_t i = 0; i < t->module.n; i++) {
        struct ez_module *m = t->module.at[i];
        if (m->unwind_hooked || !m->obj)
            continue;
        uint64_t find = ez_symbol_addr(t, m, "_Unwind_Find_FDE");
        if (find && !t->rt.exits && users_probe(t, find))
            continue;
        m->unwind_hooked = true;
        if (!find || !ez_symbol_addr(t, m, "__register_frame_info"))
            continue;
        EZ_TRY(give_way(t, find));
        ez_err *e = ez_site_hook(t, find, t->rt.bh->unwind);
        if (e && e->code == EZ_E_GONE)
            return e;
        if (e)
            ez_post_note(t, "Exceptions cannot pass exit probes in %s: %s.", m->path, e->msg);
        ez_err_free(e);
    }
    return ez_solib_hook(t, &hooked); /* an unwinder may be loaded at the first throw */
}

/* Calls that were seen to begin and not to return: open, or left by longjmp. */
static bool calls_open(struct ez_target *t)
{
    for (size_t i = 0; i < t->site.n; i++) {
        const struct ez_site *s = &t->site.at[i];
        for (size_t k = 0; k < s->variant.n; k++) {
            uint64_t in, out;
            ez_drain_counts(t->rt.drain, s->variant.at[k].id, &in, &out);
            if (s->variant.at[k].flags & EZ_ROW_EXIT && in != out)
                return true;
        }
    }
    return false;
}

/* The blob's table, and that of each kit. `room`: of an object for each. */
static ez_err *tell(struct ez_target *t, uint64_t reg, uint64_t room)
{
    for (unsigned i = 0; i <= t->rt.nkits; i++) {
        uint64_t table = i ? t->rt.kit[i - 1].base : t->rt.blob + t->rt.bh->eh_frame, none;
        struct ez_thread *th = ez_inject_thread(t);
        if (!th)
            return ez_err_new(EZ_E_GONE, 0, "no live thread to call it with");
        EZ_TRY(ez_inject_call(t, th, reg, (uint64_t[]){ table, room + i * OBJECT_BYTES }, 2, &none,
                              true, "tell an unwinder of open calls"));
    }
    return NULL;
}

static ez_err *leave(struct ez_target *t, struct ez_module *m)
{
    uint64_t room, reg = m->obj ? ez_symbol_addr(t, m, "__register_frame_info") : 0;
    if (!m->unwind_hooked || !reg)
        return NULL;
    EZ_TRY(ez_inject_mmap(t, 0, EZ_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0,
                          &room, "make room for an unwinder's tables"));
    return tell(t, reg, room);
}

ez_err *ez_unwind_leave(struct ez_target *t)
{
    if (!t->rt.up || !calls_open(t))
        return NULL;
    for (size_t i = 0; i < t->module.n; i++) {
        struct ez_module *m = t->module.at[i];
        ez_err *e = leave(t, m);
        if (e && (e->code == EZ_E_GONE || t->state == EZ_NONE))
            return e;
        if (e)
            ez_post_note(t, "Exceptions cannot pass calls that are open now in %s: %s.", m->path,
                         e->msg);
        ez_err_free(e);
    }
    return NULL;
}
