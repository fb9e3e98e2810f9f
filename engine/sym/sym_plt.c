/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_plt.c - names of PLT slots, by the relocations of the words from which they load their
 * destinations.
 *
 * Why: a call of another library's function goes to its PLT slot first. Disassembly and addresses
 * show the function's name.
 *
 * How: each slot jumps to the address in a word of the GOT. The word's relocation names the symbol
 * whose address the loader writes into the word.
 *
 * Errors: none; a slot without a relocation has no name.
 *
 * Source: psABI, "Procedure Linkage Table".
 *
 * Tests: tests/unit/sym/check_sym.c ("plt") */
#include "engine/sym/sym_priv.h"

#include <inttypes.h>
#include <string.h>

#include "arch/arch.h"

struct slot {
    uint64_t va, word; /* addresses of the slot and of its word in the GOT */
};

struct slots {
    EZ_VEC(struct slot) at; /* sorted by word */
};

bool symplt_section(const struct code_section *s)
{
    return !strncmp(s->name, ".plt", 4) || !strncmp(s->name, ".iplt", 5);
}

static void sym_plt_find_slots(struct ez_object *o, const struct code_section *c, struct slots *s)
{
    const struct ez_arch *arch = ez_arch_host();
    const uint64_t size = c->end - c->start;
    const uint8_t *code = ez_foreign_part(o->elf.file, c->offset, size);
    struct slot new;
    for (uint64_t i = 0; code && i < size; i += arch->elf.plt_align) {
        new.va = c->start + i;
        if (arch->elf.plt_slot(code + i, size - i, new.va, &new.word))
            EZ_PUSH(&s->at, new);
    }
}

static int sym_by_word(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    return x->word < y->word ? -1 : x->word > y->word;
}

static void sym_name_slot(struct ez_object *o, uint64_t va, char *name)
{
    struct ez_sym s = { .vaddr = va, .kind = EZ_SYM_PLT, .local = true, .obj = o };
    s.name = sym_keep(o, name);
    EZ_PUSH(&o->syms, s);
}

struct naming {
    struct ez_object *o;
    const struct slots *s;
};

static void sym_plt_explain(const struct ez_dynreloc *r, void *arg)
{
    const struct naming *n = arg;
    const struct slots *s = n->s;
    size_t i = EZ_UPTO(s->at.at, s->at.n, word, r->at);
    while (i-- && s->at.at[i].word == r->at) {
        const char *name = ez_dynreloc_name(r);
        if (r->kind == EZ_RELOC_IRELATIVE)
            sym_name_slot(n->o, s->at.at[i].va, ez_sprintf("*ABS*+0x%" PRIx64 "@plt", r->addend));
        else if (*name)
            sym_name_slot(n->o, s->at.at[i].va, ez_sprintf("%s@plt", name));
    }
}

void symplt_read(struct ez_object *o)
{
    struct slots s = { 0 };
    if (o->elf.machine != ez_arch_host()->elf.machine || !elf_section(&o->elf, SHT_DYNSYM))
        return;
    for (size_t i = 0; i < o->code.n; i++)
        if (symplt_section(&o->code.at[i]))
            sym_plt_find_slots(o, &o->code.at[i], &s);
    ez_sort(s.at.at, s.at.n, sizeof *s.at.at, sym_by_word);
    if (s.at.n)
        ez_object_relocs(o, EZ_RELOC_IRELATIVE | EZ_RELOC_SYMBOL, sym_plt_explain,
                         &(struct naming){ o, &s });
    EZ_VEC_FREE(&s.at);
}
