/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwind.c - lets exceptions and backtraces pass through eztsh's frames.
 *
 * A hook on each unwinder's table look-up (`_Unwind_Find_FDE`) returns the tables for return
 * trampolines, return thunks and trampolines (engine/rt/rt_hook.c). eztsh does not register a table
 * with the unwinder, because then each throw would lock a mutex of the unwinder, which may stay
 * locked for ever in a forked child. Without exit probes, the hook is needed only if a signal
 * arrives inside a trampoline (for a backtrace, or an asynchronous cancellation), so a user's entry
 * probe on `_Unwind_Find_FDE` may stay instead of the hook. With exit probes, the user's probe is
 * removed. Detaching removes the hooks, unless calls of probed functions are open: these calls
 * return later through return trampolines or return thunks, and exceptions may unwind them. So the
 * hooks stay, and the next shell adopts them (adopt.c).
 * Tests: tests/procs/unwind.sh, tests/fault/check_exits.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/patch/variant.h"
#include "engine/probe/carry.h"
#include "engine/probe/coverage.h"
#include "engine/probe/probe_list.h"
#include "engine/probe/solib.h"
#include "engine/probe/unwind.h"

#include <string.h>

#define LOOK_UP "_Unwind_Find_FDE"

static bool unwind_users_probe_at(struct ez_target *t, uint64_t addr)
{
    for (size_t i = 0; i < t->probes.probe.n; i++) {
        const struct ez_probe *p = t->probes.probe.at[i];
        if (p->addr == addr && !p->user_disabled && p->state != EZ_PROBE_REFUSED)
            return true;
    }
    return false;
}

/* Removes the user's probes on the look-up function at address find, which must get a hook: without
 * the hook the next throw would end the program. */
static ez_err *unwind_make_way(struct ez_target *t, uint64_t find)
{
    EZ_VEC(struct ez_probe *) v = { 0 };
    const char *why = ez_hook_wanted(LOOK_UP);
    int site = ez_site_find(t, find);
    for (size_t i = 0; site >= 0 && i < t->probes.probe.n; i++)
        if (t->probes.probe.at[i]->site == site && t->probes.probe.at[i]->state == EZ_PROBE_ARMED)
            EZ_PUSH(&v, t->probes.probe.at[i]);
    for (size_t i = 0; i < v.n; i++) {
        ez_probe_collect(t, v.at[i]);
        ez_probe_leave(t, v.at[i]);
        v.at[i]->state = EZ_PROBE_REFUSED;
        ez_probe_reason(v.at[i], why);
        ez_cover_refused(t, why, 0);
        ez_post_note(t, "Probe %d (" LOOK_UP ") is no longer planted, because of exit probes: %s.",
                     v.at[i]->number, why);
    }
    ez_err *e = v.n ? ez_probes_apply(t, v.at, v.n) : NULL;
    for (size_t i = 0; i < v.n; i++)
        v.at[i]->site = -1;
    EZ_VEC_FREE(&v);
    return e;
}

/* Adds the module's unwinder to the list in the runtime's state. The runtime's personality routines
 * call the _Unwind_GetCFA of the unwinder that calls them, to determine which frame is left
 * (engine/rt/rt_left.c). Removes unwinders that were unloaded, because another library may be at
 * their addresses. Does not write unchanged entries, because threads may be throwing. */
static ez_err *unwind_name(struct ez_target *t, const struct ez_module *m)
{
    const uint64_t at = t->rt.blob + EZ_RT_STATE + offsetof(struct rt_state, unwinder);
    struct rt_unwinder named[EZ_UNWINDERS],
        next = { ez_symbol_addr(t, m, "_Unwind_GetCFA"), m->lo, m->hi };
    EZ_TRY(ez_mem_read(t, at, named, sizeof named));
    for (size_t i = 0; i < EZ_UNWINDERS; i++) {
        const struct ez_module *of = ez_module_at(t, named[i].get_cfa);
        if (of && of != m && of->lo == named[i].lo && of->hi == named[i].hi)
            continue;
        if (memcmp(&named[i], &next, sizeof next))
            EZ_TRY(ez_mem_write(t, at + i * sizeof next, &next, sizeof next,
                                "give the runtime the address of an unwinder"));
        next = (struct rt_unwinder){ 0, 0, 0 };
    }
    return NULL;
}

ez_err *ez_unwind_hooks(struct ez_target *t)
{
    bool hooked;
    for (size_t i = 0; i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->unwind_hooked || !m->obj)
            continue;
        uint64_t find = ez_symbol_addr(t, m, LOOK_UP);
        if (find && !t->probes.exits && unwind_users_probe_at(t, find))
            continue;
        m->unwind_hooked = true;
        /* the function is not libgcc's */
        if (!find || !ez_symbol_addr(t, m, "__register_frame_info"))
            continue;
        ez_err *e = unwind_make_way(t, find);
        if (!e)
            e = unwind_name(t, m);
        if (!e)
            e = ez_site_hook(t, find, t->rt.bh->unwind);
        if (e && e->code == EZ_E_GONE)
            return e;
        if (e && t->probes.exits)
            ez_post_note(t,
                         "Exceptions that %s unwinds cannot pass functions with exit probes: %s.",
                         m->path, e->msg);
        ez_err_free(e);
    }
    return ez_solib_hook(t, &hooked); /* an unwinder may be loaded at the first throw */
}

bool ez_unwind_is_hook(struct ez_target *t, uint64_t func)
{
    const struct ez_module *m = ez_module_at(t, func);
    return m && m->obj && func == ez_symbol_addr(t, m, LOOK_UP);
}

bool ez_unwind_stays(struct ez_target *t, const struct ez_site *s)
{
    return s->hook && ez_unwind_is_hook(t, s->func) && ez_calls_open(t);
}

void ez_unwind_left(struct ez_target *t)
{
    for (size_t i = 0; i < t->patcher.site.n; i++) {
        const struct ez_site *s = &t->patcher.site.at[i];
        if (ez_site_planted(s) && !s->lost && ez_unwind_stays(t, s))
            ez_post_note(
                t, "%s keeps a hook of eztsh: calls of probed functions are open, and may throw.",
                s->mod->path);
    }
}
