/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elf.h - what the processor's object files contain. */
#ifndef EZ_ARCH_ELF_H
#define EZ_ARCH_ELF_H

#include "engine/base/base.h"

/* What the loader writes into the word that a relocation names. Single bits; 0 = something else. */
enum ez_reloc_kind {
    EZ_RELOC_RELATIVE = 1,  /* the load address plus the addend, which is a file address */
    EZ_RELOC_IRELATIVE = 2, /* the result of the IFUNC resolver whose file address is the addend */
    EZ_RELOC_SYMBOL = 4,    /* a symbol's address */
};

struct ez_arch_elf {
    int machine; /* EM_X86_64 */
    /* Returns the kinds (enum ez_reloc_kind) that a relocation of this type (R_*) has. */
    unsigned (*reloc_kind)(uint32_t type);
    /* Returns true if a PLT slot begins at code[0]. *word: address of the GOT word through which
     * the slot jumps. Slots are a multiple of plt_align bytes apart. */
    bool (*plt_slot)(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
    unsigned plt_align;
    /* Follows the program's start code in code[0..n) to its first call or jump. Returns the first
     * argument of that call if it is a constant, else 0. *to: where the call or jump leads; 0 =
     * unknown. */
    uint64_t (*first_argument)(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
};

#endif
