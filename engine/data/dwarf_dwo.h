/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_dwo.h - the sections of .dwo files, and such a file in memory: for dwarf_split.c and dwarf_pack.c. */
#ifndef EZ_DWARF_DWO_H
#define EZ_DWARF_DWO_H

#include "engine/data/dwarf_read.h"

enum dwo_section {
    DWO_INFO,
    DWO_TYPES,
    DWO_ABBREV,
    DWO_LINE,
    DWO_LOC,
    DWO_LOCLISTS,
    DWO_STR_OFFSETS,
    DWO_MACINFO,
    DWO_MACRO,
    DWO_RNGLISTS,
    DWO_UNITS, /* a package shares the sections up to here out to units                */
    DWO_STR = DWO_UNITS,
    DWO_FILE, /* these are not in a .dwo file                                      */
    DWO_CU_INDEX = DWO_FILE,
    DWO_TU_INDEX,
    DWO_ALL
};
struct dwo_bytes {
    const uint8_t *at;
    size_t n;
};
struct dwarf_dwo {
    int machine;
    EZ_VEC(uint8_t) section[DWO_FILE];
    bool bad; /* it cannot be made                                                     */
};

/* The machine of an ELF file for 64 bits, lowest byte first; 0 = it is another file. */
int dwarfdwo_machine(Elf *elf);
/* Calls fn for each of these sections. */
void dwarfdwo_each(Elf *elf, void (*fn)(enum dwo_section s, struct dwo_bytes bytes, void *arg),
                   void *arg);
/* Appends bytes; returns where they begin. */
size_t dwarfdwo_add(struct dwarf_dwo *d, enum dwo_section s, const uint8_t *at, size_t n);
void dwarfdwo_set_32(struct dwarf_dwo *d, enum dwo_section s, size_t at, size_t v);
/* A descriptor of the file; -1 = there is none. */
int dwarfdwo_file(const struct dwarf_dwo *d);
void dwarfdwo_free(struct dwarf_dwo *d);
/* The .dwo file that is in another file: where that has sections of one name (gcc has one for each unit of types), they
 * are one; sections of other kinds are left out (-gsplit-dwarf=single). Closes fd, unless it can be taken as it is. */
int dwarfdwo_plain(int fd);

#endif
