/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elf.h - the parts of ELF files that depend on the processor: relocations, PLT, start code. */
#ifndef EZ_ARCH_ELF_H
#define EZ_ARCH_ELF_H

#include "engine/base/base.h"

/* What the loader writes into the word at r_offset of a relocation. The values can be combined; 0 =
 * something else. */
enum ez_reloc_kind {
    EZ_RELOC_RELATIVE = 1,  /* the load address plus the addend, which is a file address */
    EZ_RELOC_IRELATIVE = 2, /* the result of the IFUNC resolver whose file address is the addend */
    EZ_RELOC_SYMBOL = 4,    /* the address of the relocation's symbol */
};

struct ez_arch_elf {
    int machine; /* EM_X86_64 */
    /* Returns the kind of a relocation of type R_*, as enum ez_reloc_kind; 0 = none of these. */
    unsigned (*reloc_kind)(uint32_t type);
    /* Returns true if a PLT slot begins at code[0], whose address is va; sets *word to the address
     * of the GOT word that contains the slot's destination. The distance of two slots is a multiple
     * of plt_align bytes. */
    bool (*plt_slot)(const uint8_t *code, size_t n, uint64_t va, uint64_t *word);
    unsigned plt_align;
    /* Decodes the program's start code, code[0..n) at address va, to its first call or jump.
     * Returns the call's first argument if the code sets it to a constant or an address, else 0.
     * Sets *to to the target of the call or jump; 0 = unknown. */
    uint64_t (*first_argument)(const uint8_t *code, size_t n, uint64_t va, uint64_t *to);
};

#endif
