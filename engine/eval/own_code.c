/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own_code.c - recognizes eztsh's own code in the target, and finds the unwind tables for this
 * code.
 *
 * The runtime has tables for all its code, including return slots and return thunks, for the
 * program's own unwinder (engine/rt/rt_hook.c). With the rows for return slots, an unwinder finds
 * the true return address. This file makes two ELF images in memory, of the runtime and of the
 * first page of its return thunks, whose tables are read like those of any library. A trampoline is
 * a copy of a template, so the template's rows apply to it; for the relocated instructions in the
 * trampoline, the function's rows apply.
 *
 * Tests: tests/procs/bt.sh */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/base/foreign.h"
#include "engine/eval/eval_priv.h"
#include "engine/probe/why.h"
#include "engine/target.h"
#include "engine/patch/alloc.h"

#define AT 0x1000  /* offset of the code in the made ELF image, in which addresses equal offsets */
#define HEAD 0x200 /* offset of .eh_frame_hdr in the made ELF image */

/* The header of .eh_frame_hdr, without a search table. */
struct own_code_head {
    uint8_t version, pointer, count, entries;
    int32_t table;
};

static bool own_code_write(int fd, const uint8_t *code, size_t n, uint64_t table)
{
    Elf64_Ehdr eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
                      .e_type = ET_DYN,
                      .e_machine = (Elf64_Half)ez_arch_host()->elf.machine,
                      .e_version = EV_CURRENT,
                      .e_phoff = sizeof eh,
                      .e_ehsize = sizeof eh,
                      .e_phentsize = sizeof(Elf64_Phdr),
                      .e_phnum = 2 };
    struct own_code_head head = { 1, 0x1b, 0xff, 0xff, (int32_t)(AT + table) - (HEAD + 4) };
    Elf64_Phdr ph[2] = {
        { PT_LOAD, PF_R | PF_X, 0, 0, 0, AT + n, AT + n, 0x1000 },
        { PT_GNU_EH_FRAME, PF_R, HEAD, HEAD, HEAD, sizeof head, sizeof head, 4 },
    };
    return pwrite(fd, &eh, sizeof eh, 0) == sizeof eh &&
           pwrite(fd, ph, sizeof ph, sizeof eh) == sizeof ph &&
           pwrite(fd, &head, sizeof head, HEAD) == sizeof head &&
           pwrite(fd, code, n, AT) == (ssize_t)n;
}

static struct ez_dwarf_table *own_code_table(struct ez_history *v, unsigned which)
{
    const struct ez_runtime *rt = &v->t->rt;
    const struct ez_blob_hdr *h = rt->bh;
    struct ez_dwarf_table *out = &v->ours[which].table;
    char path[40];
    if (out->file || v->ours[which].failed)
        return out;
    int fd = memfd_create("eztsh", MFD_CLOEXEC);
    bool good =
        fd >= 0 && (which ? own_code_write(fd, rt->image + h->pool, h->pool_end - h->pool, 0)
                          : own_code_write(fd, rt->image, rt->image_size, h->eh_frame));
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (!good || !ez_err_drop(ez_foreign_open(path, "eztsh", &out->file)))
        out->file = NULL;
    v->ours[which].fd = fd;
    v->ours[which].failed = !out->file;
    return out;
}

void own_code_end(struct ez_history *v)
{
    for (unsigned i = 0; i < EZ_ARRAY_LEN(v->ours); i++) {
        if (v->ours[i].table.file)
            close(v->ours[i].fd);
        ez_foreign_close(v->ours[i].table.file);
        ez_dwarf_memo_free(v->ours[i].table.memo);
    }
}

/* Finds the trampoline, a copy of a template, that contains pc, and sets *out, with func = the
 * probed instruction. Returns false if pc is in no such copy, for example in relocated
 * instructions. */
static bool own_code_in_template(struct eval *ev, uint64_t pc, struct own_code *out)
{
    const struct ez_blob_hdr *h = ev->t->rt.bh;
    for (size_t i = 0; i < ev->t->patcher.site.n; i++) {
        const struct ez_site *s = &ev->t->patcher.site.at[i];
        for (size_t k = 0; k < s->variant.n; k++) {
            const struct ez_variant *v = &s->variant.at[k];
            if (pc < v->trampoline || pc >= v->relocated)
                continue;
            int kind = ez_template_of(v->flags & ~EZ_RETIRED);
            uint64_t in = pc - v->trampoline, len = h->tmpl_end[kind] - h->tmpl[kind];
            out->table = own_code_table(ev->v, 0);
            out->vaddr = AT + (in < len ? h->tmpl[kind] + in : h->keep_in + in - len);
            out->func = s->addr;
            return true;
        }
    }
    return false;
}

bool ez_eval_own_code(struct ez_history *v, uint64_t pc, uint64_t *at)
{
    struct eval ev = { .v = v, .t = v->t };
    struct own_code o;
    bool ours = own_code_at(&ev, pc, &o);
    *at = ours && !o.table ? o.copied : 0;
    return ours;
}

bool own_code_at(struct eval *ev, uint64_t pc, struct own_code *out)
{
    const struct ez_runtime *rt = &ev->t->rt;
    ez_addr origin;
    int probe;
    *out = (struct own_code){ .table = NULL };
    if (!rt->up)
        return false;
    if (pc - rt->blob < EZ_RT_SIZE) {
        out->table = own_code_table(ev->v, 0);
        out->vaddr = AT + pc - rt->blob;
        return true;
    }
    for (unsigned i = 0; i < rt->npools; i++)
        if (pc - rt->pool[i].base < EZ_POOL_SIZE) {
            out->table = own_code_table(ev->v, 1);
            out->vaddr = AT + pc - rt->pool[i].base;
            return true;
        }
    if (!ez_trampoline_owns(ev->t, pc, pc + 1))
        return false;
    if (own_code_in_template(ev, pc, out))
        return true;
    if (!ez_trampoline_origin(ev->t, ez_addr_of(pc), &origin, &probe) || !origin.v)
        return false;
    out->copied = origin.v;
    return true;
}
