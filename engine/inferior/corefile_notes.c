/* SPDX-License-Identifier: GPL-3.0-or-later */
/* corefile_notes.c - the notes of a core file: threads, registers, the auxiliary vector, the mapped
 * files. The formats are the kernel's (elf(5), sys/procfs.h).
 * Tests: tests/procs/corefile.sh, tests/fuzz/fuzz_core.c */
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/procfs.h>

#include "engine/base/strutil.h"
#include "engine/inferior/corefile_priv.h"

/* limits, because ids and names are looked up one by one */
#define THREADS_MOST 32768
#define NAMES_MOST 8192

struct core_note {
    uint32_t type;
    const char *owner; /* not necessarily terminated */
    size_t nowner;
    const uint8_t *at;
    size_t n;
};

static bool notes_owner(const struct core_note *d, const char *owner)
{
    size_t n = strlen(owner);
    return d->nowner >= n && d->nowner <= n + 1 && !memcmp(d->owner, owner, n);
}

/* A thread's notes follow its NT_PRSTATUS. */
static struct ez_core_thread *notes_thread(struct ez_corefile *c)
{
    return c->thread.n ? &c->thread.at[c->thread.n - 1] : NULL;
}

static void notes_status(struct ez_corefile *c, const struct core_note *d)
{
    struct elf_prstatus p;
    struct ez_core_thread th = { .tid = 0 };
    if (d->n < offsetof(struct elf_prstatus, pr_reg) + c->arch->regs.size) {
        corefile_damaged(c, "the registers of a thread are incomplete");
        return;
    }
    memset(&p, 0, sizeof p);
    memcpy(&p, d->at, EZ_MIN(d->n, sizeof p));
    th.tid = p.pr_pid;
    th.sig = p.pr_cursig > 0 && p.pr_cursig < NSIG ? p.pr_cursig : 0;
    memcpy(th.regs.word, &p.pr_reg, EZ_MIN(sizeof p.pr_reg, c->arch->regs.size));
    if (th.tid <= 0 || c->thread.n >= THREADS_MOST || ez_corefile_thread(c, th.tid)) {
        corefile_damaged(c, "the id of a thread is impossible: %d", (int)th.tid);
        return;
    }
    EZ_PUSH(&c->thread, th);
}

static void notes_extended(struct ez_corefile *c, const struct core_note *d)
{
    struct ez_core_thread *th = notes_thread(c);
    /* the other register sets begin with the same fields as the largest one */
    if (th && d->n > th->nextended) {
        th->extended = d->at;
        th->nextended = EZ_MIN(d->n, (size_t)EZ_EXTENDED_MOST);
    }
}

static void notes_siginfo(struct ez_corefile *c, const struct core_note *d)
{
    struct ez_core_thread *th = notes_thread(c);
    if (!th || d->n < sizeof th->info)
        return;
    memcpy(&th->info, d->at, sizeof th->info);
    th->has_info = true;
}

static void notes_process(struct ez_corefile *c, const struct core_note *d)
{
    struct elf_prpsinfo p;
    if (d->n < sizeof p)
        return;
    memcpy(&p, d->at, sizeof p);
    c->pid = p.pr_pid;
    snprintf(c->command, sizeof c->command, "%.*s", (int)sizeof p.pr_psargs, p.pr_psargs);
    for (size_t n = strlen(c->command); n && c->command[n - 1] == ' ';)
        c->command[--n] = 0; /* the kernel puts a blank after the last argument */
}

static size_t notes_name(struct ez_corefile *c, const char *name)
{
    size_t n = c->name.n;
    if (n && !strcmp(c->name.at[n - 1].name, name)) /* the mappings of a file are neighbours */
        return n - 1;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(c->name.at[i].name, name))
            return i;
    EZ_PUSH(&c->name, ((struct core_name){ .name = ez_strdup(name) }));
    return n;
}

/* NT_FILE: the number of mappings and the page size; for each mapping its start, end and file
 * offset (in pages); then the names. */
static void notes_files(struct ez_corefile *c, const struct core_note *d)
{
    uint64_t head[2], row[3];
    if (d->n < sizeof head || c->mapping.n)
        return;
    memcpy(head, d->at, sizeof head);
    size_t room = (d->n - sizeof head) / (sizeof row + 1);
    if (head[0] > room || !head[1] || head[1] > 1 << 24) {
        corefile_damaged(c, "the list of mapped files is incomplete");
        return;
    }
    const char *name = (const char *)d->at + sizeof head + head[0] * sizeof row;
    const char *end = (const char *)d->at + d->n;
    uint64_t last = 0;
    for (uint64_t i = 0; i < head[0]; i++) {
        const char *stop = memchr(name, 0, (size_t)(end - name));
        memcpy(row, d->at + sizeof head + i * sizeof row, sizeof row);
        if (!stop || c->name.n > NAMES_MOST || row[0] < last || row[1] <= row[0] ||
            row[2] > UINT64_MAX / head[1]) {
            corefile_damaged(c, "the list of mapped files is damaged");
            return;
        }
        last = row[1];
        EZ_PUSH(&c->mapping,
                ((struct core_mapping){ row[0], row[1], row[2] * head[1], notes_name(c, name) }));
        name = stop + 1;
    }
}

static void notes_one(struct ez_corefile *c, const struct core_note *d)
{
    bool core = notes_owner(d, "CORE"), kernel = notes_owner(d, "LINUX");
    if (core && d->type == NT_PRSTATUS)
        notes_status(c, d);
    else if ((core && d->type == NT_FPREGSET) ||
             (kernel && d->type == (uint32_t)c->arch->regs.extended_regset))
        notes_extended(c, d);
    else if (core && d->type == NT_SIGINFO)
        notes_siginfo(c, d);
    else if (core && d->type == NT_PRPSINFO)
        notes_process(c, d);
    else if (core && d->type == NT_FILE)
        notes_files(c, d);
    else if (core && d->type == NT_AUXV && !c->auxv) {
        c->auxv = d->at;
        c->nauxv = d->n;
    }
}

void corefile_notes(struct ez_corefile *c, const uint8_t *note, size_t n)
{
    Elf64_Nhdr h;
    size_t at = 0;
    while (n - at >= sizeof h) {
        memcpy(&h, note + at, sizeof h);
        at += sizeof h;
        uint64_t owner = EZ_ROUND_UP((uint64_t)h.n_namesz, 4);
        uint64_t desc = EZ_ROUND_UP((uint64_t)h.n_descsz, 4);
        /* the padding after the last note may be missing */
        if (owner > n - at || h.n_descsz > n - at - owner) {
            corefile_damaged(c, "the notes are cut off");
            return;
        }
        notes_one(c, &(struct core_note){ h.n_type, (const char *)note + at, h.n_namesz,
                                          note + at + owner, h.n_descsz });
        at += (size_t)EZ_MIN(owner + desc, n - at);
    }
}
