/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_line.c - the row of a line table to which an instruction belongs, as gdb reads the table.
 * Tests: tests/procs/moving.sh */
#include "config.h"

#ifdef HAVE_LIBDW

#include <string.h>

#include "engine/base/hash.h"
#include "engine/base/strutil.h"
#include "engine/data/dwarf_read.h"

static Dwarf_Addr dwarfline_addr(Dwarf_Lines *rows, size_t i)
{
    Dwarf_Addr at = 0;
    return dwarf_lineaddr(dwarf_onesrcline(rows, i), &at) ? 0 : at;
}

/* The last row at or before pc; n = there is none. */
static size_t dwarfline_find(Dwarf_Lines *rows, size_t n, uint64_t pc)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (dwarfline_addr(rows, mid) <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? lo - 1 : n;
}

static bool dwarfline_same(Dwarf_Line *a, Dwarf_Line *b)
{
    int la = 0, lb = 0;
    bool end = false;
    const char *fa = dwarf_linesrc(a, NULL, NULL), *fb = dwarf_linesrc(b, NULL, NULL);
    return !dwarf_lineno(a, &la) && !dwarf_lineno(b, &lb) && la == lb &&
           !dwarf_lineendsequence(a, &end) && !end && fa && fb && !strcmp(fa, fb);
}

/* gdb leaves a row out that goes on with the line of the rows before it, if one of them is one of several
 * blocks of the line (it has a discriminator). */
static bool dwarfline_goes_on(Dwarf_Lines *rows, size_t i)
{
    unsigned block = 0;
    for (size_t k = i; k > 0 && i - k < 64; k--) {
        Dwarf_Line *row = dwarf_onesrcline(rows, k);
        bool same = dwarfline_same(dwarf_onesrcline(rows, k - 1), row);
        if (k == i && !same)
            return false;
        if (!dwarf_linediscriminator(row, &block) && block)
            return true;
        if (!same)
            return false;
    }
    return false;
}

/* Of rows at one address gdb takes the last, or else one that begins a statement. */
static size_t dwarfline_statement(Dwarf_Lines *rows, size_t k, bool *statement)
{
    for (size_t i = k;; i--) {
        dwarf_linebeginstatement(dwarf_onesrcline(rows, i), statement);
        if (*statement)
            return i;
        if (!i || dwarfline_addr(rows, i - 1) != dwarfline_addr(rows, k))
            return k;
    }
}

void dwarfline_tell(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    Dwarf_Lines *rows;
    Dwarf_Attribute by;
    size_t n;
    int line = 0;
    bool end = true, statement = false;
    if (!u || dwarf_getsrclines(&u->die, &rows, &n))
        return;
    size_t k = dwarfline_find(rows, n, pc);
    if (k + 1 >= n || dwarf_lineendsequence(dwarf_onesrcline(rows, k), &end) || end)
        return;
    size_t next = k + 1;
    while (k > 0 && dwarfline_goes_on(rows, k))
        k--;
    while (next + 1 < n && dwarfline_goes_on(rows, next))
        next++;
    Dwarf_Line *row = dwarf_onesrcline(rows, dwarfline_statement(rows, k, &statement));
    const char *producer = dwarf_attr(&u->die, DW_AT_producer, &by) ? dwarf_formstring(&by) : NULL;
    const char *name = dwarf_linesrc(row, NULL, NULL);
    dwarf_lineno(row, &line);
    dwarftell_number(a, dwarfline_addr(rows, k));
    dwarftell_number(a, dwarfline_addr(rows, next));
    dwarftell_number(a, (uint64_t)line);
    dwarftell_number(a, statement);
    dwarftell_number(a, name ? ez_hash_key(EZ_HASH_SEED, ez_base_name(name)) : 0);
    dwarftell_number(a, producer && strstr(producer, "clang"));
}

#endif
