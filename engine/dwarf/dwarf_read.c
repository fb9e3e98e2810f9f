/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_read.c - entries of the debug information and their keys (dwarf_priv.h).
 * Tests: tests/unit/dwarf/check_dwarf.c */
#include <unistd.h>

#include "engine/dwarf/dwarf_read.h"

/* The lowest two bits of a key give its kind. */
enum { KEY_OWN, KEY_SPLIT = 2, KEY_OTHER = 3 };
/* KEY_SPLIT: takes the place of a unit's number for the file made by dwz */
#define KEY_ALT 0xffffffu

/* Returns the key of an entry that is in the .dwo file of a unit, or in the file made by dwz; 0 for
 * other entries. */
static uint64_t dwarfread_split_key(const struct dwarf_file *f, const Dwarf_Die *die)
{
    Dwarf *in = dwarf_cu_getdwarf(die->cu);
    Dwarf_Die same;
    const uint64_t off = dwarf_dieoffset((Dwarf_Die *)die);
    size_t unit = KEY_ALT;
    if (in != f->alt &&
        (!ez_hash_get(&f->by_dwarf, (uint64_t)(uintptr_t)in, &unit) || unit >= KEY_ALT))
        return 0;
    bool has = off >> 38 == 0 && dwarf_offdie(in, off, &same) && same.addr == die->addr;
    return has ? (uint64_t)unit << 40 | off << 2 | KEY_SPLIT : 0;
}

static bool dwarfread_split_die(struct dwarf_file *f, uint64_t key, Dwarf_Die *out)
{
    const uint64_t unit = key >> 40, off = (key & 0xffffffffff) >> 2;
    if (unit == KEY_ALT)
        return f->alt && dwarf_offdie(f->alt, off, out);
    if (unit >= f->unit.n)
        return false;
    struct dwarf_unit *u = &f->unit.at[unit];
    dwarfsplit_ready(u);
    return u->skeleton.addr && u->die.addr != u->skeleton.addr &&
           dwarf_offdie(dwarf_cu_getdwarf(u->die.cu), off, out);
}

/* Returns the key of an entry. The key of an entry that is neither in .debug_info nor in the .dwo
 * file of a unit nor in f->alt is an index in f->others, so it is valid only in this process. */
static uint64_t dwarfread_make_key(struct dwarf_file *f, const Dwarf_Die *die)
{
    Dwarf_Die same;
    uint64_t off = dwarf_dieoffset((Dwarf_Die *)die), mark = (uint64_t)getpid() & 0xffffff;
    if (dwarf_offdie(f->dw, off, &same) && same.addr == die->addr)
        return off << 2;
    const uint64_t split = dwarfread_split_key(f, die);
    if (split)
        return split;
    const size_t n = f->others.n, i = ez_hash_put(&f->by_other, (uint64_t)(uintptr_t)die->addr, n);
    if (i == n)
        EZ_PUSH(&f->others, *die);
    return mark << 40 | i << 2 | KEY_OTHER;
}

uint64_t dwarfread_key(struct dwarf_file *f, const Dwarf_Die *die)
{
    const uint64_t key = dwarfread_make_key(f, die);
    if (f->notes)
        EZ_PUSH(&f->sent, key);
    return key;
}

bool dwarfread_die(struct dwarf_file *f, uint64_t key, Dwarf_Die *out)
{
    uint64_t i = (key & 0xffffffffff) >> 2;
    if ((key & 3) == KEY_SPLIT)
        return dwarfread_split_die(f, key, out);
    if ((key & 3) != KEY_OTHER)
        return key > 3 && dwarf_offdie(f->dw, key >> 2, out);
    if (key >> 40 != ((uint64_t)getpid() & 0xffffff) || i >= f->others.n)
        return false;
    *out = f->others.at[i];
    return true;
}

void dwarfread_whole(Dwarf_Die *die)
{
    Dwarf_Attribute signature;
    Dwarf_Die whole;
    if (dwarf_attr(die, DW_AT_signature, &signature) && dwarf_formref_die(&signature, &whole))
        *die = whole;
}

bool dwarfread_type_of(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    if (!dwarf_attr_integrate(die, DW_AT_type, &a) || !dwarf_formref_die(&a, out))
        return false;
    dwarfread_whole(out);
    return true;
}

uint64_t dwarfread_number(Dwarf_Die *die, unsigned attribute, uint64_t otherwise)
{
    Dwarf_Attribute a;
    Dwarf_Word n;
    bool flag;
    if (!dwarf_attr_integrate(die, attribute, &a))
        return otherwise;
    if (!dwarf_formudata(&a, &n))
        return n;
    return dwarf_formflag(&a, &flag) ? otherwise : flag;
}

const char *dwarfread_file(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Die unit;
    Dwarf_Files *files;
    size_t n;
    const uint64_t number = dwarfread_number(die, attribute, UINT64_MAX);
    return number != UINT64_MAX && dwarf_diecu(die, &unit, NULL, NULL) &&
                   !dwarf_getsrcfiles(&unit, &files, &n) && number < n
               ? dwarf_filesrc(files, number, NULL, NULL)
               : NULL;
}

bool dwarfread_signed(Dwarf_Attribute *a, int64_t *out)
{
    Dwarf_Word n;
    Dwarf_Sword s;
    switch (dwarf_whatform(a)) {
    /* libdw sign-extends these forms, although compilers write negative values as sdata */
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
        *out = dwarf_formudata(a, &n) ? 0 : (int64_t)n;
        return true;
    }
    if (dwarf_formsdata(a, &s))
        return false;
    *out = s;
    return true;
}
