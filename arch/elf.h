/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elf.h - what the processor's object files contain. */
#ifndef EZ_ARCH_ELF_H
#define EZ_ARCH_ELF_H

#include "engine/base/base.h"

/* What the loader puts into a word for a relocation: one bit each, 0: anything else. */
enum ez_reloc_kind {
    EZ_RELOC_RELATIVE = 1,  /* the addend: an address in the file */
    EZ_RELOC_IRELATIVE = 2, /* the result of the IFUNC resolver at the addend */
    EZ_RELOC_SYMBOL = 4,    /* a symbol's address */
};

struct ez_arch_elf {
    int machine; /* EM_X86_64 */
    /* Returns the kinds (enum ez_reloc_kind) of a relocation's type. */
    unsigned (*reloc_kind)(uint32_t type);
    /* Returns true if a PLT slot begins at code[0]. *word: the word through which the slot jumps.
     * The distance of PLT slots is a multiple of plt_align bytes. */
    bool (*plt_slot)(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
    unsigned plt_align;
    /* Follows the start code in code[0..n) straight to its first call or jump. Returns the constant
     * that is the first argument there, or 0 if it is unknown. *to: the destination of the call or
     * jump; 0: unknown. */
    uint64_t (*first_argument)(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
};

#endif
