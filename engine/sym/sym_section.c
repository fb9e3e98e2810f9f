/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_section.c - finds the code section of an address, and keeps generated names: functions that
 * several files of the room use.
 * Tests: tests/unit/sym/check_sym.c */
#include "engine/sym/sym_priv.h"

char *sym_keep(struct ez_object *o, char *s)
{
    EZ_PUSH(&o->strings, s);
    return s;
}

const struct code_section *sym_section(const struct ez_object *o, uint64_t vaddr)
{
    for (size_t i = 0; i < o->code.n; i++)
        if (vaddr >= o->code.at[i].start && vaddr < o->code.at[i].end)
            return &o->code.at[i];
    return NULL;
}
