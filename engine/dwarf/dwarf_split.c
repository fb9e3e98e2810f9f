/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_split.c - lists the units of a file, and opens the .dwo files that contain the entries of
 * split units (dwarf_read.h).
 *
 * A split unit is a skeleton in the program's file, with the addresses of its code and the name of
 * a .dwo file; its entries are in the .dwo file. That file, or the unit's part of a package
 * (dwarf_pack.c), is opened on demand. libdw connects a skeleton only with a .dwo file that libdw
 * itself opens by name. Since the reader cannot open files, an open() by libdw returns the
 * descriptor that the shell has sent, whatever the name (engine/base/confine.h).
 *
 * A skeleton and a .dwo file belong together if their ids are equal. If the file is missing, the
 * unit has no entries.
 *
 * Tests: tests/procs/split.sh */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/confine.h"
#include "engine/base/jail.h"
#include "engine/dwarf/dwarf_dwo.h"

/* ---- .dwo files ------------------------------------------------------------------------------ */

static const char *dwarfsplit_text(Dwarf_Die *die, unsigned name, unsigned older)
{
    Dwarf_Attribute a;
    const char *text = dwarf_attr(die, name, &a) || (older && dwarf_attr(die, older, &a))
                           ? dwarf_formstring(&a)
                           : NULL;
    return text ? text : "";
}

/* Returns why the .dwo file `fd` cannot be used for the unit whose id is `id`;
 * DWARF_TROUBLE_MISSING = the file can be used. */
static enum dwarf_trouble dwarfsplit_judge(int fd, uint64_t id)
{
    Dwarf *dw = dwarf_begin(fd, DWARF_C_READ);
    Dwarf_CU *cu = NULL;
    enum dwarf_trouble trouble = DWARF_TROUBLE_DAMAGED;
    uint8_t kind = 0;
    uint64_t its = 0;
    while (dw && trouble != DWARF_TROUBLE_MISSING &&
           !dwarf_get_units(dw, cu, &cu, NULL, &kind, NULL, NULL)) {
        if (kind != DW_UT_split_compile ||
            dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &its, NULL, NULL))
            continue;
        trouble = its == id ? DWARF_TROUBLE_MISSING : DWARF_TROUBLE_OTHER;
    }
    dwarf_end(dw);
    return trouble;
}

/* Connects the skeleton with its entries in the .dwo file `fd`, and closes `fd`. Returns false if
 * libdw does not accept the file. */
static bool dwarfsplit_link(struct dwarf_unit *u, int fd)
{
    Dwarf_Die split = { .addr = NULL };
    ez_confine_serve(fd);
    bool good =
        !dwarf_cu_info(u->skeleton.cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) && split.addr;
    ez_confine_serve(-1);
    close(fd);
    if (good)
        u->die = split;
    return good;
}

/* Finds the unit's entries in the package, or else in a .dwo file that the shell finds. If there
 * are none, sends the user a note. */
static void dwarfsplit_find(struct dwarf_unit *u, struct dwarf_want *w, uint64_t id)
{
    uint64_t place = 0, at = 0;
    int fd = dwarfpack_cut(u->file, id);
    enum dwarf_trouble trouble = DWARF_TROUBLE_MISSING;
    if (fd >= 0 && dwarfsplit_link(u, fd))
        return;
    for (; (fd = dwarfwant_file(w, &place)) >= 0; w->n = place + 1) {
        fd = dwarfdwo_plain(fd);
        enum dwarf_trouble its = dwarfsplit_judge(fd, id);
        if (its == DWARF_TROUBLE_MISSING && dwarfsplit_link(u, fd))
            return;
        if (its != DWARF_TROUBLE_MISSING)
            close(fd);
        if (trouble == DWARF_TROUBLE_MISSING) {
            trouble = its == DWARF_TROUBLE_MISSING ? DWARF_TROUBLE_DAMAGED : its;
            at = place;
        }
    }
    if (trouble != DWARF_TROUBLE_MISSING || !dwarfpack_emit(u->file))
        dwarfwant_note(w, at, trouble);
}

/* Lists the type units in the file with the unit's entries. */
static void dwarfsplit_list_types(struct dwarf_unit *u)
{
    Dwarf *dw = dwarf_cu_getdwarf(u->die.cu);
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    uint8_t kind = 0;
    ez_hash_put(&u->file->by_dwarf, (uint64_t)(uintptr_t)dw, (size_t)(u - u->file->unit.at));
    while (!dwarf_get_units(dw, cu, &cu, NULL, &kind, &die, NULL)) {
        if (kind != DW_UT_split_type && kind != DW_UT_type)
            continue;
        struct dwarf_unit *t = ez_alloc(sizeof *t);
        *t = (struct dwarf_unit){ .die = die, .file = u->file };
        EZ_PUSH(&u->types, t);
    }
}

void dwarfsplit_ready(struct dwarf_unit *u)
{
    struct dwarf_want w = { .what = DWARF_WANT_DWO };
    Dwarf_CU *of = u->skeleton.cu;
    uint64_t id = 0;
    if (!u->skeleton.addr || u->opened)
        return;
    u->opened = true;
    ez_jail_live_on();
    snprintf(w.folder, sizeof w.folder, "%s", dwarfsplit_text(&u->die, DW_AT_comp_dir, 0));
    snprintf(w.name, sizeof w.name, "%s",
             dwarfsplit_text(&u->die, DW_AT_dwo_name, DW_AT_GNU_dwo_name));
    if (dwarf_cu_info(of, NULL, NULL, NULL, NULL, &id, NULL, NULL))
        return;
    dwarfsplit_find(u, &w, id);
    if (u->die.cu != of)
        dwarfsplit_list_types(u);
    ez_jail_live_on();
}

struct dwarf_unit *dwarfsplit_unit_of(struct dwarf_file *f, Dwarf_Die *die)
{
    Dwarf_Die top;
    size_t i;
    if (!dwarf_diecu(die, &top, NULL, NULL))
        return NULL;
    struct dwarf_unit *u =
        ez_hash_get(&f->by_unit, (uint64_t)(uintptr_t)top.addr, &i) ? &f->unit.at[i]
        : ez_hash_get(&f->by_dwarf, (uint64_t)(uintptr_t)dwarf_cu_getdwarf(top.cu), &i)
            ? &f->unit.at[i]
            : NULL;
    if (!u || u->die.addr == top.addr)
        return u;
    for (i = 0; i < u->types.n; i++)
        if (u->types.at[i]->die.addr == top.addr)
            return u->types.at[i];
    return NULL;
}

/* ---- units ----------------------------------------------------------------------------------- */

static void dwarfsplit_list(struct dwarf_file *f, Dwarf *dw)
{
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    uint8_t kind = 0;
    while (!dwarf_get_units(dw, cu, &cu, NULL, &kind, &die, NULL)) {
        ez_hash_put(&f->by_unit, (uint64_t)(uintptr_t)die.addr, f->unit.n);
        struct dwarf_unit u = { .die = die, .file = f };
        if (kind == DW_UT_skeleton)
            u.skeleton = die;
        f->has_parts |= kind == DW_UT_partial;
        EZ_PUSH(&f->unit, u);
    }
}

void dwarfsplit_units(struct dwarf_file *f)
{
    if (f->listed)
        return;
    f->listed = true;
    dwarfalt_open(f);
    dwarfsplit_list(f, f->dw);
    if (f->alt)
        dwarfsplit_list(f, f->alt);
    if (f->has_parts)
        dwarfalt_note_languages(f);
}
