/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_fit.c - adapts the runtime to the libc of the process: to the offsets in the thread control
 * block of the thread's id, and of two words that the runtime may use.
 * Tests: tests/unit/patch/check_alone.c, tests/procs/libs.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/thread.h"

#include <string.h>

/* Returns the offset of a field in the thread control block, which a symbol of libc describes for
 * libthread_db: size in bits, number of elements, offset. Returns 0 if it is unknown. */
static uint32_t fit_field(struct ez_target *t, const char *symbol, uint32_t bits)
{
    for (size_t i = 0; i < t->inf.module.n; i++) {
        const struct ez_module *m = t->inf.module.at[i];
        uint64_t at = m->obj ? ez_symbol_addr(t, m, symbol) : 0;
        uint32_t desc[3];
        if (at && ez_mem_read_some(t, at, desc, sizeof desc) == sizeof desc && desc[0] == bits &&
            desc[2] < 4096)
            return desc[2];
    }
    return 0;
}

uint32_t ez_rt_list_offset(struct ez_target *t)
{
    return fit_field(t, "_thread_db_pthread_list", 128);
}

/* Returns the offset of a thread's id in the thread control block (in a static program of glibc: a
 * constant), or 0 if it is unknown. If it is known, the runtime also uses two words of the control
 * block; if not, every hit gets the thread's id by a system call. */
uint32_t ez_rt_tid_offset(struct ez_target *t)
{
    uint32_t at = fit_field(t, "_thread_db_pthread_tid", 32);
    if (at)
        return at;
    struct ez_module *prog = ez_module_program(t);
    if (prog && prog->obj && !ez_object_interp(prog->obj) &&
        (ez_symbol_addr(t, prog, "__libc_setup_tls") ||
         ez_symbol_addr(t, prog, "__nptl_initial_report_events")))
        return t->inf.arch->rt->static_tid;
    return 0;
}

void ez_rt_adapt(struct ez_target *t, uint32_t tid_off, uint32_t cookie)
{
    uint8_t *img = t->rt.image;
    const struct ez_blob_hdr *h = t->rt.bh;
    struct ez_rt_places at = {
        .tid = (const uint32_t *)(img + h->fs_tid),
        .ntid = (h->fs_tid_end - h->fs_tid) / 4,
        .key = (const uint32_t *)(img + h->fs_key),
        .nkey = (h->fs_key_end - h->fs_key) / 4,
        .cookie = (const uint32_t *)(img + h->cookie),
        .ncookie = (h->cookie_end - h->cookie) / 4,
    };
    t->inf.arch->rt->adapt(img, &at, tid_off, cookie);
    const struct ez_alt *alt = (const void *)(img + h->mono),
                        *end = (const void *)(img + h->mono_end);
    for (; t->tracing.mono && alt < end; alt++)
        memcpy(img + alt->at, alt->code, alt->len);
}

/* Trampolines access memory relative to the thread pointer, which is 0 until libc sets it. Sets the
 * thread pointer of threads where it is 0 to a page of the runtime. */
static ez_err *rt_stand_in_tcb(struct ez_target *t)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_regs *live, r;
        EZ_TRY(ez_thread_regs(t->inf.thread.at[i], &live));
        if (t->inf.arch->regs.thread_pointer(live))
            continue;
        r = *live;
        t->inf.arch->regs.set_thread_pointer(&r, t->rt.blob + EZ_RT_TCB);
        EZ_TRY(ez_thread_set_regs(t->inf.thread.at[i], &r));
    }
    return NULL;
}

/* Not a part of ez_rt_up(), because at launch the loader's hook, which does not depend on libc's
 * layout, is planted before libc is loaded. Trampolines of probes depend on the layout. */
ez_err *ez_rt_fit(struct ez_target *t)
{
    struct ez_runtime *rt = &t->rt;
    EZ_TRY(ez_rt_up(t));
    if (rt->fitted)
        return NULL;
    uint32_t tid_off = ez_rt_tid_offset(t);
    ez_rt_adapt(t, tid_off, rt->cookie);
    EZ_TRY(ez_mem_write(t, rt->blob, rt->image, rt->image_size, "adapt the runtime to the libc"));
    EZ_TRY(ez_rt_write_state(t, tid_off));
    EZ_TRY(rt_stand_in_tcb(t));
    rt->fitted = true;
    return NULL;
}

bool ez_rt_libc_known(struct ez_target *t)
{
    return t->rt.fitted || ez_rt_tid_offset(t) != 0;
}
