/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_read.c - entries of the debug information, and their keys (dwarf_priv.h). */
#include "config.h"

#ifdef HAVE_LIBDW

#include <unistd.h>

#include "engine/data/dwarf_read.h"

/* Entries of other sections and files are kept in a list, and known by this reader alone. */
static uint64_t dwarfread_make_key(struct dwarf_file *f, const Dwarf_Die *die)
{
    Dwarf_Die same;
    uint64_t off = dwarf_dieoffset((Dwarf_Die *)die), mark = (uint64_t)getpid() & 0xffffff;
    if (dwarf_offdie(f->dw, off, &same) && same.addr == die->addr)
        return off << 2;
    for (size_t i = 0; i < f->others.n; i++)
        if (f->others.at[i].addr == die->addr)
            return mark << 40 | i << 2 | 3;
    EZ_PUSH(&f->others, *die);
    return mark << 40 | (f->others.n - 1) << 2 | 3;
}

uint64_t dwarfread_key(struct dwarf_file *f, const Dwarf_Die *die)
{
    const uint64_t key = dwarfread_make_key(f, die);
    if (f->notes)
        EZ_PUSH(&f->told, key);
    return key;
}

bool dwarfread_die(struct dwarf_file *f, uint64_t key, Dwarf_Die *out)
{
    uint64_t i = (key & 0xffffffffff) >> 2;
    if ((key & 3) != 3)
        return key > 3 && dwarf_offdie(f->dw, key >> 2, out);
    if (key >> 40 != ((uint64_t)getpid() & 0xffffff) || i >= f->others.n)
        return false;
    *out = f->others.at[i];
    return true;
}

bool dwarfread_type_of(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute a;
    return dwarf_attr_integrate(die, DW_AT_type, &a) && dwarf_formref_die(&a, out);
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

bool dwarfread_signed(Dwarf_Attribute *a, int64_t *out)
{
    Dwarf_Word n;
    Dwarf_Sword s;
    switch (dwarf_whatform(a)) {
    case DW_FORM_data1: /* libdw extends their sign; compilers write what is negative as sdata */
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

#endif
