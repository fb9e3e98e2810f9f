/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_blocks.c - the blocks around an instruction, and which of them belong to one frame
 * (dwarf_read.h).
 *
 * In the debug information, an inlined function is a block of the function that contains the code.
 * For the user it is a frame of its own: names inside it do not see the variables around it.
 * dwarfblocks_around() finds the blocks for lists of calls, of variables and of names.
 *
 * Tests: tests/procs/inlined.sh */
#include <string.h>
#include <time.h>

#include "engine/dwarf/dwarf.h"
#include "engine/dwarf/dwarf_read.h"

#define DEEPEST 1024 /* maximum depth of nested blocks */
#define DEEPEST_INLINED 64
#define LOOK (CLOCKS_PER_SEC * 3 / 2) /* maximum processor time to search all units */

/* Finds the function of the unit that has code at pc. */
static bool dwarfblocks_function(struct dwarf_unit *u, uint64_t pc, Dwarf_Die *out)
{
    dwarfindex_unit(u);
    for (size_t i = 0; i < u->entry.n; i++)
        if (u->entry.at[i].begin && dwarf_haspc(&u->entry.at[i].die, pc) > 0) {
            *out = u->entry.at[i].die;
            return true;
        }
    /* gcc puts the entry of a lambda inside the entry of the function that contains the lambda. */
    dwarfindex_inner_functions(u);
    for (size_t i = 0; i < u->inner.n; i++)
        if (dwarf_haspc(&u->inner.at[i].die, pc) > 0) {
            *out = u->inner.at[i].die;
            return true;
        }
    return false;
}

/* Finds the direct child block of `in` that has code at pc. */
static bool dwarfblocks_next(Dwarf_Die *in, uint64_t pc, Dwarf_Die *out)
{
    if (dwarf_child(in, out))
        return false;
    do {
        int tag = dwarf_tag(out);
        if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
            dwarf_haspc(out, pc) > 0)
            return true;
    } while (!dwarf_siblingof(out, out));
    return false;
}

static bool dwarfblocks_is_inlined(const struct dwarf_blocks *b, size_t i)
{
    return dwarf_tag(&b->die.at[i]) == DW_TAG_inlined_subroutine;
}

bool dwarfblocks_around(struct dwarf_file *f, uint64_t pc, struct dwarf_blocks *out)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    Dwarf_Die die;
    *out = (struct dwarf_blocks){ .from = 0 };
    if (!u || !dwarfblocks_function(u, pc, &die))
        return false;
    do
        EZ_PUSH(&out->die, die);
    while (out->die.n < DEEPEST && dwarfblocks_next(&out->die.at[out->die.n - 1], pc, &die));
    out->to = out->die.n;
    for (out->from = out->to - 1; out->from && !dwarfblocks_is_inlined(out, out->from);)
        out->from--;
    return true;
}

/* Moves to the frame into which the present frame's function is inlined. Returns false if that
 * function is not inlined. */
static bool dwarfblocks_out(struct dwarf_blocks *b)
{
    if (!b->from)
        return false;
    b->to = b->from--;
    while (b->from && !dwarfblocks_is_inlined(b, b->from))
        b->from--;
    return true;
}

bool dwarfblocks_frame(struct dwarf_file *f, uint64_t pc, uint64_t inside, struct dwarf_blocks *out)
{
    bool good = dwarfblocks_around(f, pc, out);
    for (; good && inside; inside--)
        good = dwarfblocks_out(out);
    return good;
}

/* Returns whether the block begins at pc, by gdb's rule: pc is its first instruction, or the block
 * does not have the address pc - 1. */
static bool dwarfblocks_begins(Dwarf_Die *die, uint64_t pc)
{
    Dwarf_Addr base, lo, hi;
    return (dwarf_ranges(die, 0, &base, &lo, &hi) > 0 && lo == pc) || dwarf_haspc(die, pc - 1) <= 0;
}

/* Emits the file in which an inlined function is called. */
static void dwarfblocks_emit_file(struct dwarf_answer *a, Dwarf_Die *die)
{
    Dwarf_Die unit;
    const char *file = dwarfread_file(die, DW_AT_call_file);
    bool has = file && dwarf_diecu(die, &unit, NULL, NULL);
    dwarfline_emit_file(a, has ? &unit : NULL, has ? file : NULL);
}

void dwarfblocks_emit_name(struct dwarf_file *f, struct dwarf_answer *a, Dwarf_Die *die)
{
    Dwarf_Attribute at;
    Dwarf_Die of = *die;
    const char *name = dwarf_diename(die);
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &at) ||
        dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &at)) {
        dwarf_answer_text(a, dwarf_formstring(&at));
        return;
    }
    if (dwarf_attr(die, DW_AT_abstract_origin, &at))
        dwarf_formref_die(&at, &of);
    /* With LTO, the abstract entry may be in another unit. */
    struct dwarf_unit *u = name ? dwarfsplit_unit_of(f, &of) : NULL;
    if (u)
        dwarfindex_unit(u);
    EZ_FREE char *full = ez_sprintf("%s%s", u ? dwarfindex_within(u, &of) : "", name ? name : "");
    dwarf_answer_text(a, full);
}

/* Emits each function active at pc, the innermost first: 1, its key, its name, whether it begins at
 * pc, and file and line of the call (empty and 0 if it is not inlined). Then emits 0. */
void dwarfblocks_emit(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc)
{
    struct dwarf_blocks b;
    if (dwarfblocks_around(f, pc, &b)) {
        do {
            Dwarf_Die *die = &b.die.at[b.from];
            dwarf_answer_number(a, 1);
            dwarf_answer_number(a, dwarfread_key(f, die));
            dwarfblocks_emit_name(f, a, die);
            dwarf_answer_number(a, dwarfblocks_begins(die, pc));
            dwarfblocks_emit_file(a, die);
            dwarf_answer_number(a, dwarfread_number(die, DW_AT_call_line, 0));
        } while (dwarfblocks_out(&b));
        dwarf_answer_number(a, 0);
    }
    EZ_VEC_FREE(&b.die);
}

/* Returns whether the function `of` (an abstract entry) is inlined somewhere in the block. */
static bool dwarfblocks_has(Dwarf_Die *in, const Dwarf_Die *of, unsigned depth)
{
    Dwarf_Die die, origin;
    Dwarf_Attribute at;
    if (depth > DEEPEST_INLINED || dwarf_child(in, &die))
        return false;
    do {
        int tag = dwarf_tag(&die);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        if (inlined && dwarf_attr(&die, DW_AT_abstract_origin, &at) &&
            dwarf_formref_die(&at, &origin) && origin.addr == of->addr)
            return true;
        if ((inlined || tag == DW_TAG_lexical_block) && dwarfblocks_has(&die, of, depth + 1))
            return true;
    } while (!dwarf_siblingof(&die, &die));
    return false;
}

/* Emits the functions of the unit into which the function that begins at pc is inlined: for each, 1
 * and its name. Then emits 0. */
void dwarfblocks_emit_inlined(struct dwarf_file *f, struct dwarf_answer *a, uint64_t pc)
{
    struct dwarf_unit *u = dwarfindex_unit_at(f, pc);
    struct dwarf_entry *e = u ? dwarfindex_function_at(u, pc) : NULL;
    Dwarf_Attribute at;
    Dwarf_Die of;
    if (!e || !dwarf_attr(&e->die, DW_AT_abstract_origin, &at) || !dwarf_formref_die(&at, &of))
        return;
    for (size_t i = 0; i < u->entry.n; i++)
        if (u->entry.at[i].begin && dwarfblocks_has(&u->entry.at[i].die, &of, 0)) {
            dwarf_answer_number(a, 1);
            dwarfblocks_emit_name(f, a, &u->entry.at[i].die);
        }
    dwarf_answer_number(a, 0);
}

static bool dwarfblocks_is_named(const struct dwarf_entry *e, const char *name)
{
    EZ_FREE char *full = ez_sprintf("%s%s", e->within, e->name ? e->name : "");
    return e->tag == DW_TAG_subprogram && e->name && !e->begin &&
           dwarf_hasattr((Dwarf_Die *)&e->die, DW_AT_inline) &&
           (!strcmp(e->name, name) || !strcmp(full, name));
}

/* Calls fn for each pair of a function called `name` that is inlined (of) and a function with code
 * (in) of the same unit, until too much processor time has passed; then emits 0. */
static void dwarfblocks_each_named(struct dwarf_file *f, struct dwarf_answer *a, const char *name,
                                   void (*fn)(struct dwarf_answer *a, struct dwarf_entry *in,
                                              const Dwarf_Die *of))
{
    const clock_t end = clock() + LOOK;
    for (size_t k = 0; k < f->unit.n && clock() < end; k++) {
        struct dwarf_unit *u = &f->unit.at[k];
        const bool was = u->indexed;
        dwarfindex_unit(u);
        for (size_t i = 0; i < u->entry.n; i++)
            for (size_t j = 0; dwarfblocks_is_named(&u->entry.at[i], name) && j < u->entry.n; j++)
                if (u->entry.at[j].begin)
                    fn(a, &u->entry.at[j], &u->entry.at[i].die);
        if (!was)
            dwarfindex_forget(u);
    }
    dwarf_answer_number(a, 0);
}

static void dwarfblocks_emit_begin(struct dwarf_answer *a, struct dwarf_entry *in,
                                   const Dwarf_Die *of)
{
    if (!dwarfblocks_has(&in->die, of, 0))
        return;
    dwarf_answer_number(a, 1);
    dwarf_answer_number(a, in->begin);
}

/* Emits the functions into which functions called `name` are inlined: for each, 1 and its first
 * address. Then emits 0. */
void dwarfblocks_emit_within(struct dwarf_file *f, struct dwarf_answer *a, const char *name)
{
    dwarfblocks_each_named(f, a, name, dwarfblocks_emit_begin);
}

/* Emits the number of address ranges of an entry, then each range. */
static void dwarfblocks_emit_ranges(struct dwarf_answer *a, Dwarf_Die *die)
{
    Dwarf_Addr base = 0, lo[EZ_DWARF_PIECES], hi[EZ_DWARF_PIECES];
    ptrdiff_t at = 0;
    unsigned n = 0;
    while (n < EZ_DWARF_PIECES && (at = dwarf_ranges(die, at, &base, &lo[n], &hi[n])) > 0)
        n += hi[n] > lo[n];
    dwarf_answer_number(a, n);
    for (unsigned i = 0; i < n; i++) {
        dwarf_answer_number(a, lo[i]);
        dwarf_answer_number(a, hi[i]);
    }
}

/* Returns the address at which an inlined instance begins: gcc states it; clang's instances in one
 * piece begin with their lowest address. 0 = unknown. */
static uint64_t dwarfblocks_entry(Dwarf_Die *die)
{
    Dwarf_Addr at = 0;
    bool stated = dwarf_hasattr(die, DW_AT_entry_pc) ||
                  (dwarf_hasattr(die, DW_AT_low_pc) && dwarf_hasattr(die, DW_AT_high_pc));
    return stated && !dwarf_entrypc(die, &at) ? at : 0;
}

/* Emits the inlined instances of `of` (an abstract entry) in the block `in` of a function: for each, 1, its
 * entry, its ranges, and the function's ranges. */
static void dwarfblocks_emit_instances_in(struct dwarf_answer *a, Dwarf_Die *in,
                                          const Dwarf_Die *of, Dwarf_Die *function, unsigned depth)
{
    Dwarf_Die die, origin;
    Dwarf_Attribute at;
    if (depth > DEEPEST_INLINED || dwarf_child(in, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        bool inlined = tag == DW_TAG_inlined_subroutine;
        if (inlined && dwarf_attr(&die, DW_AT_abstract_origin, &at) &&
            dwarf_formref_die(&at, &origin) && origin.addr == of->addr) {
            dwarf_answer_number(a, 1);
            dwarf_answer_number(a, dwarfblocks_entry(&die));
            dwarfblocks_emit_ranges(a, &die);
            dwarfblocks_emit_ranges(a, function);
        }
        if (inlined || tag == DW_TAG_lexical_block)
            dwarfblocks_emit_instances_in(a, &die, of, function, depth + 1);
    } while (!dwarf_siblingof(&die, &die));
}

static void dwarfblocks_emit_entry(struct dwarf_answer *a, struct dwarf_entry *in,
                                   const Dwarf_Die *of)
{
    dwarfblocks_emit_instances_in(a, &in->die, of, &in->die, 0);
}

/* Emits the instances of all inlined functions called `name`, then 0. */
void dwarfblocks_emit_instances(struct dwarf_file *f, struct dwarf_answer *a, const char *name)
{
    dwarfblocks_each_named(f, a, name, dwarfblocks_emit_entry);
}
