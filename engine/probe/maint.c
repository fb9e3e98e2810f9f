/* SPDX-License-Identifier: GPL-3.0-or-later */
/* maint.c - makes deliberate faults, for developers and for lessons: see "help maint".
 * Tests: tests/procs/bisect.sh */
#include "engine/base/fault.h"
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/probe/probe_list.h"

/* Overwrites the relocated code in the site's trampolines by a jump to the instruction behind the
 * patch region, so that the program skips the relocated instructions. ez_settings.corrupt requests
 * the same fault in later trampolines. */
static ez_err *maint_spoil_site(struct ez_target *t, const struct ez_site *s)
{
    uint8_t jump[16];
    for (size_t i = 0; i < s->variant.n; i++) {
        const struct ez_variant *v = &s->variant.at[i];
        if (!v->back)
            continue;
        EZ_TRY(t->inf.arch->jump.write(v->relocated, v->lands, jump));
        EZ_TRY(ez_mem_write(t, v->relocated, jump, (size_t)t->inf.arch->jump.len,
                            "spoil relocated code on purpose"));
    }
    return NULL;
}

ez_err *ez_maint_spoil(struct ez_target *t, int number)
{
    const struct ez_probe *p = ez_probe_numbered(t, number);
    bool there = p && p->site >= 0 && t->inf.state == EZ_STOPPED;
    return there ? maint_spoil_site(t, &t->patcher.site.at[p->site]) : NULL;
}

ez_err *ez_maint_fail_ptrace(unsigned long nth)
{
    return ez_fault_next(nth)
               ? NULL
               : ez_err_new(EZ_E_STATE, 0, "This eztsh was built without --enable-fault-injection");
}
