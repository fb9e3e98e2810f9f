/* SPDX-License-Identifier: GPL-3.0-or-later */
/* inspect.c - threads, registers and instructions of a target.
 * Tests: tests/e2e/threads.ezt, tests/e2e/messages.ezt */
#include "engine/target.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "engine/inferior/corefile.h"
#include "engine/inferior/pt.h"
#include "engine/inferior/stop.h"
#include "engine/process/session.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/thread.h"
#include "engine/patch/alloc.h"
#include "engine/probe/act.h"

static void inspect_read_comm(pid_t pid, pid_t tid, char comm[17])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", pid, tid);
    FILE *f = fopen(path, "re");
    comm[0] = 0;
    if (!f)
        return;
    if (fgets(comm, 17, f))
        comm[strcspn(comm, "\n")] = 0;
    fclose(f);
}

ez_err *ez_thread_own_regs(struct ez_target *t, struct ez_thread *th, const struct ez_regs **r)
{
    struct ez_regs *own;
    *r = ez_held_regs(t, th->tid);
    if (*r)
        return NULL;
    EZ_TRY(ez_thread_regs(th, &own));
    *r = own;
    return NULL;
}

/* A core file has no names of threads. */
static ez_err *inspect_core_threads(struct ez_target *t,
                                    void (*fn)(const struct ez_thread_info *, void *), void *arg)
{
    for (size_t i = 0; i < t->inf.thread.n; i++) {
        struct ez_thread *th = t->inf.thread.at[i];
        const struct ez_regs *r;
        struct ez_thread_info info = { .number = (unsigned)i + 1,
                                       .tid = th->tid,
                                       .current = th->tid == t->inf.current };
        EZ_TRY(ez_thread_own_regs(t, th, &r));
        info.pc = t->inf.arch->regs.pc(r);
        fn(&info, arg);
    }
    return NULL;
}

ez_err *ez_threads(struct ez_target *t, void (*fn)(const struct ez_thread_info *, void *),
                   void *arg)
{
    char path[64];
    struct dirent *d;
    unsigned number = 0;
    if (t->inf.core)
        return inspect_core_threads(t, fn, arg);
    EZ_TRY(ez_need_process(t));
    snprintf(path, sizeof path, "/proc/%d/task", t->inf.pid);
    DIR *dir = opendir(path);
    if (!dir)
        return ez_err_new(EZ_E_GONE, 0, "Process %d is gone", t->inf.pid);
    while ((d = readdir(dir))) {
        struct ez_thread_info info = { .tid = atoi(d->d_name) };
        struct ez_thread *th = ez_thread_find(t, info.tid);
        const struct ez_regs *r;
        if (info.tid <= 0 || ez_is_zombie(t->inf.pid, info.tid))
            continue;
        info.number = ++number;
        info.current = info.tid == t->inf.current;
        inspect_read_comm(t->inf.pid, info.tid, info.comm);
        if (th && th->stopped && ez_err_drop(ez_thread_own_regs(t, th, &r)))
            info.pc = t->inf.arch->regs.pc(r);
        fn(&info, arg);
    }
    closedir(dir);
    return NULL;
}

ez_err *ez_select_thread(struct ez_target *t, pid_t tid)
{
    EZ_TRY(ez_need_readable(t));
    if (!ez_thread_find(t, tid))
        return ez_err_gdb(EZ_E_NOTFOUND, "Unknown thread %d.", tid);
    ez_thread_select(t, tid);
    t->session.frame.number = 0;
    return NULL;
}

/* ---- frames, registers ----------------------------------------------------------------------- */

void ez_frame_select(struct ez_target *t, unsigned number, const struct ez_regs *regs, bool exact)
{
    ez_frame_select_in(t, number, regs, exact, 0);
}

void ez_frame_select_in(struct ez_target *t, unsigned number, const struct ez_regs *regs,
                        bool exact, unsigned inside)
{
    t->session.frame.number = number;
    t->session.frame.inside = inside;
    t->session.frame.own = !regs;
    t->session.frame.exact = exact;
    t->session.frame.tid = t->inf.current;
    t->session.frame.resumes = pt_resumes();
    if (regs)
        t->session.frame.regs = *regs;
}

unsigned ez_frame_selected(const struct ez_target *t)
{
    bool stands = ez_target_readable(t) && t->session.frame.tid == t->inf.current &&
                  t->session.frame.resumes == pt_resumes();
    return stands ? t->session.frame.number : 0;
}

unsigned ez_frame_inside(const struct ez_target *t)
{
    return ez_frame_selected(t) ? t->session.frame.inside : 0;
}

bool ez_frame_own(const struct ez_target *t)
{
    return !ez_frame_selected(t) || t->session.frame.own;
}

void ez_frame_enter(struct ez_target *t, bool is)
{
    const struct ez_regs *r;
    t->session.entered.tid = 0;
    if (!is || !ez_err_drop(ez_thread_own_regs(t, ez_thread_current(t), &r)))
        return;
    t->session.entered.tid = t->inf.current;
    t->session.entered.pc = t->inf.arch->regs.pc(r);
    t->session.entered.sp = t->inf.arch->regs.sp(r);
}

bool ez_frame_entered(struct ez_target *t)
{
    const struct ez_regs *r;
    return t->session.entered.tid == t->inf.current &&
           ez_err_drop(ez_thread_own_regs(t, ez_thread_current(t), &r)) &&
           t->inf.arch->regs.pc(r) == t->session.entered.pc &&
           t->inf.arch->regs.sp(r) == t->session.entered.sp;
}

ez_err *ez_frame_regs(struct ez_target *t, const struct ez_regs **r, bool *exact)
{
    *exact = true;
    if (t->inf.state == EZ_NONE)
        return ez_err_gdb(EZ_E_STATE, "The program has no registers now.");
    EZ_TRY(ez_need_readable(t));
    if (ez_frame_own(t))
        return ez_thread_own_regs(t, ez_thread_current(t), r);
    *exact = t->session.frame.exact;
    *r = &t->session.frame.regs;
    return NULL;
}

static ez_err *inspect_current_regs(struct ez_target *t, const struct ez_regs **r)
{
    bool exact;
    return ez_frame_regs(t, r, &exact);
}

ez_err *ez_registers(struct ez_target *t, void (*fn)(const char *, uint64_t, size_t, void *),
                     void *arg)
{
    const struct ez_regs *r = NULL;
    EZ_TRY(inspect_current_regs(t, &r));
    for (size_t i = 0; i < t->inf.arch->regs.n; i++)
        fn(t->inf.arch->regs.desc[i].name, ez_reg_get(r, &t->inf.arch->regs.desc[i]),
           t->inf.arch->regs.desc[i].size, arg);
    return NULL;
}

ez_err *ez_register(struct ez_target *t, const char *name, uint64_t *value)
{
    const struct ez_regs *r = NULL;
    EZ_TRY(inspect_current_regs(t, &r));
    if (!strcmp(name, "pc")) {
        *value = t->inf.arch->regs.pc(r);
        return NULL;
    }
    if (!strcmp(name, "sp")) {
        *value = t->inf.arch->regs.sp(r);
        return NULL;
    }
    for (size_t i = 0; i < t->inf.arch->regs.n; i++) {
        if (strcmp(t->inf.arch->regs.desc[i].name, name))
            continue;
        *value = ez_reg_get(r, &t->inf.arch->regs.desc[i]);
        return NULL;
    }
    return ez_err_gdb(EZ_E_NOTFOUND, "Invalid register `%s'", name);
}

ez_err *ez_auxv_each(struct ez_target *t, void (*fn)(uint64_t, uint64_t, void *), void *arg)
{
    char path[64];
    size_t n = 0;
    snprintf(path, sizeof path, "/proc/%d/auxv", t->inf.pid);
    const uint8_t *core = t->inf.core ? ez_corefile_auxv(t->inf.core, &n) : NULL;
    EZ_FREE char *text = ez_target_live(t) ? ez_str_load(path, 1 << 16, &n) : NULL;
    const uint8_t *vector = core ? core : (const uint8_t *)text;
    if (!vector || !n)
        return ez_err_gdb(EZ_E_STATE, "The program has no auxiliary information now.");
    for (size_t i = 0; i + 16 <= n; i += 16) {
        uint64_t pair[2];
        memcpy(pair, vector + i, sizeof pair);
        fn(pair[0], pair[1], arg);
        if (!pair[0])
            break;
    }
    return NULL;
}

ez_err *ez_pc(struct ez_target *t, ez_addr *pc)
{
    const struct ez_regs *r = NULL;
    EZ_TRY(inspect_current_regs(t, &r));
    *pc = ez_addr_of(t->inf.arch->regs.pc(r));
    return NULL;
}

ez_err *ez_mappings(struct ez_target *t, void (*fn)(const struct ez_map *, void *), void *arg)
{
    struct ez_maps maps;
    if (!t->inf.core)
        EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_maps_of(t, &maps));
    for (size_t i = 0; i < maps.map.n; i++) {
        struct ez_map m = maps.map.at[i];
        const struct ez_runtime *rt = &t->rt;
        if (rt->up && m.lo >= rt->blob && m.hi <= rt->blob + EZ_RT_SIZE)
            m.name = "[eztsh: runtime]";
        else if (rt->up && m.lo >= rt->ctls && m.hi <= rt->ctls + rt->ctls_size)
            m.name = "[eztsh: control]";
        else if (rt->up && m.lo >= rt->seg && m.hi <= rt->seg + rt->seg_size)
            m.name = "[eztsh: rings]";
        else if (ez_trampoline_owns(t, m.lo, m.hi))
            m.name = "[eztsh: trampolines]";
        for (size_t k = 0; k < t->session.mine.n; k++)
            if (m.lo >= t->session.mine.at[k].lo && m.hi <= t->session.mine.at[k].hi)
                m.name = "[eztsh: mmap]";
        fn(&m, arg);
    }
    ez_maps_free(&maps);
    return NULL;
}
