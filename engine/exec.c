/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.c - what a fresh image needs: at launch, after an exec, at attach. */
#include "engine/target.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "config.h"
#include "engine/guard.h"
#include "engine/pt.h"
#include "engine/stop.h"

static void take_first(const struct ez_sym *s, void *arg)
{
    const struct ez_sym **best = arg;
    if (!*best || (s->kind != EZ_SYM_PLT && (*best)->kind == EZ_SYM_PLT) ||
        (s->kind == (*best)->kind && !s->old && (*best)->old))
        *best = s;
}

uint64_t ez_symbol_addr(struct ez_target *t, const struct ez_module *m, const char *name)
{
    const struct ez_sym *s = NULL;
    (void)t;
    ez_object_find_name(m->obj, name, take_first, &s);
    return s && s->kind != EZ_SYM_PLT ? s->vaddr + m->bias : 0;
}

/* ---- the temporary breakpoint of `start` ------------------------------------------------ */

/* A breakpoint of the processor's that is ours, not the target's: it goes when we die. The
 * descriptor; -1 = there are none (Linux before 5.13, perf_event_paranoid above 2). */
static int break_by_processor(pid_t tid, uint64_t addr)
{
#ifdef HAVE_STRUCT_PERF_EVENT_ATTR_SIGTRAP
    struct perf_event_attr a = { .size = sizeof a,
                                 .type = PERF_TYPE_BREAKPOINT,
                                 .bp_type = HW_BREAKPOINT_X,
                                 .bp_addr = addr,
                                 .bp_len = sizeof(long),
                                 .sample_period = 1,
                                 .exclude_kernel = 1,
                                 .exclude_hv = 1,
                                 .sigtrap = 1,
                                 .remove_on_exec = 1 };
    return (int)syscall(SYS_perf_event_open, &a, tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
#else
    return -1;
#endif
}

/* Where the processor has none a breakpoint instruction, which would outlive us. */
ez_err *ez_temp_bp_set(struct ez_target *t, uint64_t addr)
{
    EZ_TRY(ez_temp_bp_clear(t));
    EZ_TRY(ez_mem_read(t, addr, t->temp_bp_byte, t->arch->trap_len));
    t->temp_bp_fd = break_by_processor(t->pid, addr);
    if (t->temp_bp_fd < 0)
        EZ_TRY(ez_mem_write(t, addr, t->arch->trap, t->arch->trap_len, "stop once at main"));
    else /* we may die between the hit and hearing of it */
        ez_guard_set(t, ez_thread_current(t), &t->temp_bp_guard);
    t->temp_bp = addr;
    return NULL;
}

ez_err *ez_temp_bp_unguard(struct ez_target *t)
{
    struct ez_guard g = t->temp_bp_guard;
    if (t->temp_bp || !g.at || t->state != EZ_STOPPED)
        return NULL;
    t->temp_bp_guard.at = 0;
    return ez_guard_lift(t, &g);
}

void ez_temp_bp_forget(struct ez_target *t)
{
    if (t->temp_bp && t->temp_bp_fd >= 0)
        close(t->temp_bp_fd);
    t->temp_bp_guard.at = 0;
    t->temp_bp = 0;
}

uint64_t ez_temp_bp_pc(const struct ez_target *t)
{
    return t->temp_bp + (t->temp_bp_fd < 0 ? t->arch->trap_len : 0);
}

ez_err *ez_temp_bp_clear(struct ez_target *t)
{
    uint64_t at = t->temp_bp;
    if (!at)
        return NULL;
    t->temp_bp = 0;
    if (t->temp_bp_fd >= 0)
        return close(t->temp_bp_fd), ez_temp_bp_unguard(t);
    return ez_mem_write(t, at, t->temp_bp_byte, t->arch->trap_len,
                        "take the temporary breakpoint away");
}

ez_err *ez_stop_at_main(struct ez_target *t)
{
    struct ez_module *m = ez_module_program(t);
    uint64_t at = m && m->obj ? ez_symbol_addr(t, m, "main") : 0;
    t->want_main = false;
    if (!at)
        return ez_err_hint(ez_err_new(EZ_E_NOTFOUND, 0, "Function \"main\" not defined."),
                           "the program is stripped: use `run`, then `interrupt`");
    return ez_temp_bp_set(t, at);
}

/* At the exec stop the kernel still owes the system call's result, which would overwrite a
 * register of ours: on to the stop before the first instruction. Not by a single step: the
 * trap flag would kill the program if we died here. */
ez_err *ez_exec_finish(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_find(t, t->pid);
    if (!th)
        return ez_err_new(EZ_E_GONE, 0, "process %d is gone", t->pid);
    return ez_thread_border(t, th, "finish the exec");
}

/* ---- images --------------------------------------------------------------------------------- */

ez_err *ez_image_fresh(struct ez_target *t)
{
    ez_sites_clear(t);
    ez_modules_clear(t);
    ez_temp_bp_forget(t);
    t->syscall_at = 0;
    t->mine.n = 0;
    t->first_solib = false;
    EZ_TRY(ez_mem_open(t));
    EZ_TRY(ez_modules_refresh(t));
    struct ez_module *m = ez_module_program(t);
    if (m && m->obj && !t->prog_obj) { /* attached without `file` */
        t->program = ez_strdup(m->path);
        t->prog_obj = m->obj;
    }
    for (size_t i = 0; i < t->module.n; i++)
        t->module.at[i]->fresh = true;
    return NULL;
}

/* Can this eztsh work on the program that runs in the process? */
ez_err *ez_image_known(struct ez_target *t)
{
    struct ez_module *m = ez_module_program(t);
    if (!m || !m->obj || ez_object_machine(m->obj) == t->arch->elf_machine)
        return NULL;
    return ez_err_new(EZ_E_FORMAT, 0,
                      "%s is a %d-bit program for another processor; this eztsh knows %s only",
                      m->path, ez_object_is_64(m->obj) ? 64 : 32, t->arch->name);
}

/* The process stands at its first instruction. Plant what is pending: at once in a
 * static program; else at the loader's first consistent state. */
ez_err *ez_image_launch(struct ez_target *t, bool stop_at_main)
{
    bool hooked = false;
    t->want_main = stop_at_main;
    if (ez_probes_any_pending(t)) {
        if (ez_module_loader(t))
            EZ_TRY(ez_solib_watch(t, &hooked));
        bool watched = t->set.solib_syscalls && ez_module_loader(t);
        if (!hooked && !watched) /* static, or a loader that cannot be hooked */
            EZ_TRY(ez_later(t, ez_probes_pending(t, false)));
    }
    if (stop_at_main && !hooked)
        EZ_TRY(ez_stop_at_main(t));
    t->first_solib = !hooked;
    return NULL;
}

/* The old image's ledger: its trace ends with it. */
void ez_tell_ledger(struct ez_target *t)
{
    struct ez_trace_info i;
    ez_trace_info(t, &i);
    const struct ez_ledger *l = &i.ledger;
    if (l->hits)
        ez_post_note(t,
                     "%s%s%s%lu hits = %lu recorded + %lu filtered + %lu untraced + %lu dropped.",
                     i.path ? "Trace " : "", i.path ? i.path : "", i.path ? ": " : "",
                     (unsigned long)l->hits, (unsigned long)l->recorded, (unsigned long)l->filtered,
                     (unsigned long)l->untraced, (unsigned long)l->dropped);
    t->have_last_stat = false;
    free(t->trace_path);
    t->trace_path = NULL;
}

static void forget_image(struct ez_target *t)
{
    bool counted = t->rt.drain;
    struct ez_event ev = { .kind = EZ_EV_EXEC, .tid = t->pid }; /* it may have ended when told */
    char exe[64], real[4096];
    snprintf(exe, sizeof exe, "/proc/%d/exe", ez_live_tid(t));
    ssize_t n = readlink(exe, real, sizeof real - 1);
    real[n > 0 ? n : 0] = 0;
    ev.text = ez_strdup(real);
    ez_drain_image_ended(t->rt.drain);
    ez_trace_process_ended(t);
    ez_probes_process_ended(t); /* takes the counts: before the rings go */
    ez_rt_down(t);
    if (counted)
        ez_tell_ledger(t);
    ez_post(t, ev);
}

/* The old image is gone with its probes and rings; they are pending in the new one. */
ez_err *ez_image_execed(struct ez_target *t)
{
    struct ez_thread *th = ez_thread_find(t, t->pid);
    enum ez_state was = t->state;
    forget_image(t);
    t->current = t->pid;
    t->state = EZ_STOPPED;
    if (th)
        th->stopped = true;
    EZ_TRY(ez_exec_finish(t));
    EZ_TRY(ez_image_fresh(t));
    ez_err *e = ez_image_known(t);
    if (!e)
        e = ez_image_launch(t, false);
    if (t->state == EZ_NONE || t->plant_later)
        return e;
    if (e) { /* the program goes on, unprobed */
        ez_post_note(t, "Probes could not be planted in the new program: %s", e->msg);
        ez_err_free(e);
    }
    return was == EZ_RUNNING ? ez_world_resume(t, was) : NULL;
}

/* /proc/PID/mem stays with the memory it was opened for: after an exec that is gone. */
bool ez_image_changed(struct ez_target *t)
{
    struct ez_module *m = ez_module_program(t);
    char c;
    return m && ez_mem_read_some(t, m->lo, &c, 1) != 1;
}

/* It exec'ed in the background what we may not trace, a setuid program mostly. */
ez_err *ez_image_lost(struct ez_target *t)
{
    pid_t pid = t->pid;
    ez_drain_image_ended(t->rt.drain);
    ez_process_forget(t);
    ez_tell_ledger(t);
    return ez_err_hint(ez_err_new(EZ_E_PERM, 0,
                                  "Process %d executed a program that you may not trace (setuid?): "
                                  "it goes on without eztsh",
                                  pid),
                       "root may follow it");
}

ez_err *ez_image_replaced(struct ez_target *t)
{
    bool hooked;
    forget_image(t);
    EZ_TRY(ez_image_fresh(t));
    t->first_solib = true;
    if (!ez_probes_any_pending(t))
        return NULL;
    EZ_TRY(ez_image_known(t));
    EZ_TRY(ez_probes_pending(t, true));
    return ez_solib_watch(t, &hooked);
}
