/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core_notes.c - the notes of a core file: see core.h. The formats are the kernel's (elf(5),
 * sys/procfs.h).
 * Tests: tests/procs/core.sh */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>

#include "engine/base/strutil.h"
#include "engine/inferior/pt.h"
#include "engine/probe/why.h"
#include "engine/process/core.h"
#include "engine/target.h"
#include "engine/inferior/maps.h"
#include "engine/inferior/thread.h"

static void core_add(struct ez_core_bytes *out, const void *bytes, size_t n)
{
    EZ_RESERVE(out, n);
    memcpy(out->at + out->n, bytes, n);
    out->n += n;
}

static void core_align(struct ez_core_bytes *out)
{
    static const char zero[4];
    core_add(out, zero, -out->n & 3);
}

static void core_note(struct ez_core_bytes *out, const char *owner, uint32_t type, const void *desc,
                      size_t n)
{
    Elf64_Nhdr h = { (Elf64_Word)strlen(owner) + 1, (Elf64_Word)n, type };
    core_add(out, &h, sizeof h);
    core_add(out, owner, h.n_namesz);
    core_align(out);
    core_add(out, desc, n);
    core_align(out);
}

/* ---- threads --------------------------------------------------------------------------- */

/* Returns the pc that the thread would have without probes. */
static uint64_t core_pc(struct ez_target *t, uint64_t pc)
{
    ez_addr origin, before;
    int probe;
    bool moved = ez_trampoline_origin(t, ez_addr_of(pc), &origin, &probe) && origin.v;
    bool inside = moved && ez_trampoline_origin(t, ez_addr_of(pc - 1), &before, &probe) &&
                  /* pc is inside the copy of an instruction of which relocation made several */
                  before.v == origin.v;
    return moved && !inside ? origin.v : pc;
}

/* Sets *out to the thread's registers as they would be without probes. If the thread waits in the
 * runtime at a `do stop`, these are the registers that its trampoline saved. */
static ez_err *core_registers(struct ez_target *t, struct ez_thread *th, struct ez_regs *out)
{
    struct ez_regs *live;
    EZ_TRY(ez_thread_regs(th, &live));
    *out = t->probes.held.tid == th->tid && t->probes.held.shown ? t->probes.held.regs : *live;
    t->inf.arch->regs.set_pc(out, core_pc(t, t->inf.arch->regs.pc(out)));
    return NULL;
}

static ez_err *core_thread_status(struct ez_target *t, struct ez_thread *th,
                                  struct ez_core_bytes *out)
{
    struct ez_proc_status s;
    struct ez_regs r;
    struct elf_prstatus p = { .pr_fpvalid = 1 };
    EZ_TRY(core_registers(t, th, &r));
    ez_proc_status(t->inf.pid, th->tid, &s);
    p.pr_info.si_signo = p.pr_cursig = (short)th->sig;
    p.pr_sigpend = s.pending;
    EZ_TRY(pt_getsigmask(th->tid, &s.blocked, "write a core file"));
    p.pr_sighold = s.blocked;
    p.pr_pid = th->tid;
    p.pr_ppid = (pid_t)s.parent;
    memcpy(&p.pr_reg, r.word, EZ_MIN(sizeof p.pr_reg, t->inf.arch->regs.size));
    core_note(out, "CORE", NT_PRSTATUS, &p, sizeof p);
    return NULL;
}

static ez_err *core_regset(struct ez_thread *th, int what, const char *owner,
                           struct ez_core_bytes *out)
{
    EZ_FREE uint8_t *buf = ez_alloc(EZ_EXTENDED_MOST);
    size_t n = EZ_EXTENDED_MOST;
    EZ_TRY(pt_getregset(th->tid, what, buf, &n, "write a core file"));
    core_note(out, owner, (uint32_t)what, buf, n);
    return NULL;
}

static ez_err *core_thread(struct ez_target *t, struct ez_thread *th, struct ez_core_bytes *out)
{
    int extended = t->inf.arch->regs.extended_regset;
    EZ_TRY(core_thread_status(t, th, out));
    EZ_TRY(core_regset(th, NT_FPREGSET, "CORE", out));
    if (extended != NT_FPREGSET)
        EZ_TRY(core_regset(th, extended, "LINUX", out));
    siginfo_t si = { .si_signo = 0 };
    if (th->has_info)
        si = th->info;
    else
        ez_err_drop(pt_getsiginfo(th->tid, &si, "write a core file"));
    if (si.si_signo)
        core_note(out, "CORE", NT_SIGINFO, &si, sizeof si);
    return NULL;
}

/* ---- the process ------------------------------------------------------------------------ */

static char *core_proc_file(pid_t pid, const char *name, size_t most, size_t *n)
{
    char path[64];
    *n = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return ez_str_load(path, most, n);
}

static void core_process(struct ez_target *t, struct ez_core_bytes *out)
{
    struct elf_prpsinfo p = { .pr_pid = t->inf.pid };
    struct ez_proc_status s;
    size_t n;
    ez_proc_status(t->inf.pid, 0, &s);
    EZ_FREE char *stat = core_proc_file(t->inf.pid, "stat", 4096, &n);
    EZ_FREE char *args = core_proc_file(t->inf.pid, "cmdline", 1 << 16, &n);
    const char *rest = stat ? strrchr(stat, ')') : NULL;
    unsigned long flags = 0;
    long nice = 0;
    p.pr_sname = 'R';
    if (rest)
        sscanf(rest + 1, " %c %d %d %d %*d %*d %lu %*u %*u %*u %*u %*u %*u %*d %*d %*d %ld",
               &p.pr_sname, &p.pr_ppid, &p.pr_pgrp, &p.pr_sid, &flags, &nice);
    const char *state = strchr("RSDTZW", p.pr_sname);
    p.pr_state = state ? (char)(state - "RSDTZW") : 0;
    p.pr_state = p.pr_sname == 't' ? 3 : p.pr_state; /* a ptrace stop becomes state T */
    p.pr_zomb = p.pr_sname == 'Z';
    p.pr_nice = (char)nice;
    p.pr_flag = flags;
    p.pr_uid = (__typeof__(p.pr_uid))s.uid;
    snprintf(p.pr_fname, sizeof p.pr_fname, "%.15s", s.comm);
    for (size_t i = 0; args && i < n && i < sizeof p.pr_psargs - 1; i++)
        p.pr_psargs[i] = args[i] || i + 1 == n ? args[i] : ' ';
    core_note(out, "CORE", NT_PRPSINFO, &p, sizeof p);
}

static void core_auxv(struct ez_target *t, struct ez_core_bytes *out)
{
    size_t n;
    EZ_FREE char *auxv = core_proc_file(t->inf.pid, "auxv", 1 << 16, &n);
    if (auxv)
        core_note(out, "CORE", NT_AUXV, auxv, n);
}

static bool core_is_wanted_map(const struct ez_map *m)
{
    return *m->name == '/' && !ez_map_is_ours(m);
}

/* Writes NT_FILE: the number of mappings and the page size; for each mapping its start, end and
 * file offset (in pages); then the names. */
static void core_files(const struct ez_maps *maps, struct ez_core_bytes *out)
{
    struct ez_core_bytes desc = { 0 };
    uint64_t head[2] = { 0, ez_page() };
    core_add(&desc, head, sizeof head);
    for (size_t i = 0; i < maps->map.n; i++) {
        const struct ez_map *m = &maps->map.at[i];
        const uint64_t row[3] = { m->lo, m->hi, m->offset / ez_page() };
        if (!core_is_wanted_map(m))
            continue;
        core_add(&desc, row, sizeof row);
        head[0]++;
    }
    for (size_t i = 0; i < maps->map.n; i++)
        if (core_is_wanted_map(&maps->map.at[i]))
            core_add(&desc, maps->map.at[i].name, strlen(maps->map.at[i].name) + 1);
    memcpy(desc.at, head, sizeof head);
    core_note(out, "CORE", NT_FILE, desc.at, desc.n);
    EZ_VEC_FREE(&desc);
}

ez_err *ez_core_notes(struct ez_target *t, const struct ez_maps *maps, struct ez_core_bytes *out)
{
    struct ez_thread *now = ez_thread_current(t);
    core_process(t, out);
    if (now)
        EZ_TRY(core_thread(t, now, out));
    core_auxv(t, out);
    core_files(maps, out);
    for (size_t i = 0; i < t->inf.thread.n; i++)
        if (t->inf.thread.at[i] != now && t->inf.thread.at[i]->stopped)
            EZ_TRY(core_thread(t, t->inf.thread.at[i], out));
    return NULL;
}
