/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_dwo.h - reads the sections of .dwo files, and makes .dwo files in memory; for dwarf_split.c
 * and dwarf_pack.c. */
#ifndef EZ_DWARF_DWO_H
#define EZ_DWARF_DWO_H

#include "engine/dwarf/dwarf_read.h"

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
    DWO_UNITS, /* in a package, each of the sections above is divided among the units */
    DWO_STR = DWO_UNITS,
    DWO_FILE, /* the sections below are in packages only */
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
    bool bad; /* the file cannot be made */
};

/* Returns the machine of a 64-bit little-endian ELF file, or 0 for any other file. */
int dwarfdwo_machine(Elf *elf);
/* Calls fn for each section of enum dwo_section that the file has. */
void dwarfdwo_each(Elf *elf, void (*fn)(enum dwo_section s, struct dwo_bytes bytes, void *arg),
                   void *arg);
/* Appends n bytes to section s. Returns their offset in the section. */
size_t dwarfdwo_add(struct dwarf_dwo *d, enum dwo_section s, const uint8_t *at, size_t n);
void dwarfdwo_set_32(struct dwarf_dwo *d, enum dwo_section s, size_t at, size_t v);
/* Writes the .dwo file to memory. Returns a descriptor of the file, or -1. */
int dwarfdwo_file(const struct dwarf_dwo *d);
void dwarfdwo_free(struct dwarf_dwo *d);
/* Extracts the .dwo file inside another file (-gsplit-dwarf=single). Joins sections of equal name
 * (gcc has one for each type unit) and drops other sections. Returns a descriptor of the extracted
 * file and closes fd; returns fd if there is nothing to extract or the extraction fails. */
int dwarfdwo_plain(int fd);

#endif
