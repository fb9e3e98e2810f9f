/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solib.c - notices when libraries are loaded and unloaded, without a trap in the loader. loads.c
 * handles the change.
 *
 * The loader calls an empty function (r_debug.r_brk, `_dl_debug_state`) whenever its list of
 * libraries changes. This function, the *rendezvous*, is one `ret`; the hook's patch covers the
 * `ret` and its padding. The hook's code in the runtime increments loader_seq and, if loader_wait
 * is set, waits until loader_ack has this number. The drain thread notices the change, and wakes
 * the main thread, which stops the target, plants the probes, sets loader_ack, and resumes the
 * target. If the shell is dead, the hook does not wait.
 *
 * At launch the loader reports the first consistent state after relocation and before any
 * constructor. In dlopen it reports before relocation: the new library's text can be patched, but
 * its functions must not be called yet.
 * Tests: tests/procs/libs.sh, tests/e2e/pending.ezt */
#include "engine/target.h"

#include <string.h>

#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/stop.h"
#include "engine/inferior/thread.h"
#include "engine/patch/variant.h"
#include "engine/probe/solib.h"

struct r_debug_head { /* start of struct r_debug (link.h) in the target */
    int version, pad;
    uint64_t map, brk;
    int state; /* 0: consistent */
};

uint64_t ez_solib_debug(struct ez_target *t)
{
    struct ez_module *ld = ez_module_loader(t);
    return ld ? ez_symbol_addr(t, ld, "_r_debug") : 0;
}

bool ez_solib_settled(struct ez_target *t)
{
    uint64_t at = ez_solib_debug(t);
    struct r_debug_head r;
    return !at || ez_mem_read_some(t, at, &r, sizeof r) != sizeof r || r.state == 0;
}

void ez_solib_consistent(struct ez_target *t, bool seen)
{
    t->probes.first_solib = seen;
}

bool ez_solib_awaited(const struct ez_target *t)
{
    return t->inf.state != EZ_NONE && !t->probes.first_solib;
}

/* Returns true if the process has one thread, without a thread pointer yet. Then the loader is
 * still loading the program, whatever r_debug has. */
static bool solib_thread_begins(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_current(t);
    struct ez_regs *r;
    return t->inf.thread.n == 1 && th->stopped && ez_err_drop(ez_thread_regs(th, &r)) &&
           !t->inf.arch->regs.thread_pointer(r);
}

bool ez_solib_begins(struct ez_target *t)
{
    uint64_t at = ez_solib_debug(t);
    struct r_debug_head r;
    return at && ez_mem_read_some(t, at, &r, sizeof r) == sizeof r &&
           (!r.brk || (r.state && solib_thread_begins(t)));
}

uint32_t ez_solib_caught_up(struct ez_target *t, uint32_t seq)
{
    return t->probes.loader_done = seq;
}

bool ez_solib_wait(struct ez_target *t, bool wait)
{
    bool was = t->rt.hdr && t->rt.hdr->loader_wait;
    if (t->rt.hdr)
        t->rt.hdr->loader_wait = wait;
    return was;
}

ez_err *ez_solib_hook(struct ez_target *t, bool *hooked)
{
    struct ez_module *ld = ez_module_loader(t);
    *hooked = false;
    /* a static program loads no libraries; with solib_syscalls, syswatch.c notices libraries */
    if (!ld || t->set.solib_syscalls)
        return NULL;
    EZ_TRY(ez_rt_up(t));
    if (!t->rt.watching) {
        ez_err *e = ez_site_hook(t, ez_symbol_addr(t, ld, "_dl_debug_state"), t->rt.bh->loader);
        if (e && e->code == EZ_E_REFUSED) {
            ez_post_note(t,
                         "Libraries that are loaded later will not be noticed: the function "
                         "_dl_debug_state of %s cannot be hooked (%s).",
                         ld->path, e->msg);
            ez_err_free(e);
            return NULL;
        }
        EZ_TRY(e);
    }
    t->rt.hdr->loader_wait = 1;
    *hooked = true;
    return NULL;
}

ez_err *ez_solib_watch(struct ez_target *t, bool *hooked)
{
    enum ez_state was;
    EZ_TRY(ez_world_stop(t, &was));
    ez_err *e = ez_solib_hook(t, hooked), *r = ez_world_resume(t, was);
    return ez_err_first(e, r);
}

ez_err *ez_probes_watch(struct ez_target *t)
{
    bool hooked;
    return t->inf.state == EZ_NONE || t->probes.holding || !ez_probes_any_pending(t)
               ? NULL
               : ez_solib_watch(t, &hooked);
}
