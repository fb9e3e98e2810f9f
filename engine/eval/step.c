/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step.c - finds a frame's caller.
 *
 * libdw's own unwinder (libdwfl) cannot be used, because it walks all frames of a thread at once.
 * It knows only modules that are files, and ends at the first return address that eztsh replaced.
 * Here one row of an unwind table is read at a time, and each return address is looked up in
 * eztsh's own code first (own_code.c). The process that reads debug information reads the rows
 * (engine/dwarf/dwarf_row.c). The operations of a row are executed here, on the registers and the
 * memory of the stopped target (place.c).
 *
 * As in gdb, a register for which a row has no rule has the same value in the caller. If there is
 * no row: at a function's first instruction and in the PLT, the return address is on top of the
 * stack; elsewhere the frame pointer is used, if it leads to code.
 *
 * Tests: tests/procs/bt.sh */
#include <stdio.h>
#include <string.h>

#include "engine/eval/eval_priv.h"
#include "engine/dwarf/dwarf.h"
#include "engine/inferior/inferior.h"
#include "engine/target.h"
#include "engine/inferior/maps.h"

static void step_put(struct ez_regs *r, unsigned dwarf, uint64_t v)
{
    const struct ez_reg_desc *d = register_numbered(dwarf);
    if (d)
        ez_reg_set(r, d, v);
}

static enum step step_unreadable(uint64_t at, char **why)
{
    *why = ez_sprintf("Cannot access memory at address 0x%llx", (unsigned long long)at);
    return STEP_WRONG;
}

/* ---- without a row --------------------------------------------------------------------------- */

static bool step_is_code(struct eval *ev, uint64_t at)
{
    if (!ev->maps) {
        ev->maps = ez_alloc(sizeof *ev->maps);
        ez_err_drop(ez_maps_of(ev->t, ev->maps));
    }
    for (size_t i = 0; i < ev->maps->map.n; i++) {
        const struct ez_map *m = &ev->maps->map.at[i];
        if (at >= m->lo && at < m->hi)
            return m->perm[2] == 'x';
    }
    return false;
}

void step_end(struct eval *ev)
{
    if (ev->maps)
        ez_maps_free(ev->maps);
    free(ev->maps);
    ev->maps = NULL;
}

/* Finds the caller of a frame that has only its return address on the stack, at the stack
 * pointer. */
static enum step step_by_call(struct eval *ev, struct ez_stack_frame *in,
                              struct ez_stack_frame *out, char **why)
{
    const struct ez_arch *a = ev->t->inf.arch;
    uint64_t sp = a->regs.sp(in->regs);
    if (!ez_err_drop(eval_read(ev, sp, &out->pc, 8)))
        return step_unreadable(sp, why);
    in->cfa = sp + a->abi.entry_cfa_offset;
    step_put(out->regs, a->abi.convention->sp, in->cfa);
    return STEP_MADE;
}

static enum step step_by_pointer(struct eval *ev, struct ez_stack_frame *in,
                                 struct ez_stack_frame *out)
{
    const struct ez_arch *a = ev->t->inf.arch;
    const struct ez_reg_desc *fp = register_numbered(a->abi.convention->fp);
    uint64_t pair[2], at = fp ? ez_reg_get(in->regs, fp) : 0;
    if (at < a->regs.sp(in->regs) || !ez_err_drop(eval_read(ev, at, pair, sizeof pair)) ||
        !step_is_code(ev, pair[1]))
        return STEP_END;
    in->cfa = at + sizeof pair;
    out->pc = pair[1];
    step_put(out->regs, a->abi.convention->fp, pair[0]);
    step_put(out->regs, a->abi.convention->sp, in->cfa);
    return STEP_MADE;
}

static enum step step_without(struct eval *ev, struct ez_stack_frame *in,
                              struct ez_stack_frame *out, char **why)
{
    uint64_t off = 1;
    const struct ez_sym *sym = ez_symbolize(ev->t, ez_addr_of(in->pc - !in->exact), &off, NULL);
    bool begins = sym && !off && in->exact;
    if (!ev->t->inf.arch->abi.entry_cfa_offset)
        return STEP_END;
    if (begins || (sym && sym->kind == EZ_SYM_PLT) || (in->exact && !step_is_code(ev, in->pc)))
        return step_by_call(ev, in, out, why);
    return step_by_pointer(ev, in, out);
}

/* ---- by a row -------------------------------------------------------------------------------- */

static enum step step_by_row(struct eval *ev, struct ez_stack_frame *in, struct ez_stack_frame *out,
                             struct ez_dwarf_row *row, char **why)
{
    const struct ez_arch *a = ev->t->inf.arch;
    unsigned n = a->abi.convention->nnames, sp = a->abi.convention->sp;
    uint64_t v;
    in->signal = row->signal;
    if (row->ra >= EZ_DWARF_COLUMNS || row->kept[row->ra] == DWARF_KEPT_NOT)
        return STEP_END;
    ev->cfa_state = EVAL_CFA_NONE; /* computing the frame address must not use the frame address */
    if (!place_cfa(ev, &row->cfa, &in->cfa)) {
        *why = ez_strdup("the unwind table cannot be followed");
        return STEP_WRONG;
    }
    ev->cfa = in->cfa;
    ev->cfa_state = EVAL_CFA_KNOWN;
    if (row->kept[row->ra] != DWARF_KEPT_AT || !place_word(ev, &row->at[row->ra], &out->pc))
        return step_unreadable(in->cfa - a->abi.entry_cfa_offset, why);
    for (unsigned i = 0; i < n; i++)
        if (row->kept[i] == DWARF_KEPT_AT && place_word(ev, &row->at[i], &v))
            step_put(out->regs, i, v);
        else if (i == sp)
            step_put(out->regs, sp, in->cfa);
    return STEP_MADE;
}

/* Finds the row for the frame's instruction. Sets ev->here.bias to the load address of the file
 * that has the row. Returns false if there is no row. */
static bool step_find_row(struct eval *ev, const struct ez_stack_frame *in,
                          const struct own_code *ours, struct ez_dwarf_row *row)
{
    uint64_t at = in->pc - !in->exact;
    unsigned n = ev->t->inf.arch->abi.convention->nnames + 1;
    *row = (struct ez_dwarf_row){ .signal = false };
    ev->here.bias = 0;
    if (ours && ours->table)
        return ez_dwarf_row(ours->table, ours->vaddr + !in->exact, !in->exact, n, row);
    at = ours ? ours->copied : at;
    struct ez_module_info m = { 0 };
    struct ez_dwarf_table *table[2] = { NULL };
    uint64_t off;
    /* reads the module's file, which is done on demand */
    ez_symbolize(ev->t, ez_addr_of(at), &off, &m);
    if (!m.obj)
        return false;
    ev->here.bias = m.bias;
    ez_dwarf_tables(m.obj, table);
    for (unsigned i = 0; i < EZ_ARRAY_LEN(table); i++) {
        if (ez_dwarf_row(table[i], at + !in->exact - m.bias, !in->exact, n, row))
            return true;
        ez_dwarf_row_free(row);
    }
    return false;
}

enum step step_out(struct eval *ev, struct ez_stack_frame *in, const struct own_code *ours,
                   struct ez_stack_frame *out, char **why)
{
    struct ez_dwarf_row row;
    const struct ez_arch *a = ev->t->inf.arch;
    *why = NULL;
    *out = (struct ez_stack_frame){ .regs = ez_alloc(sizeof *out->regs) };
    *out->regs = *in->regs;
    ev->regs = in->regs;
    ev->pc = ev->look = in->pc;
    ev->at_entry = false;
    enum step s = STEP_END;
    if (a->abi.convention) {
        in->guessed = !step_find_row(ev, in, ours, &row);
        s = in->guessed ? step_without(ev, in, out, why) : step_by_row(ev, in, out, &row, why);
        ez_dwarf_row_free(&row);
    }
    a->regs.set_pc(out->regs, out->pc);
    out->exact = in->signal;
    if (s == STEP_MADE && !out->pc)
        s = STEP_END;
    return s;
}

/* Computes the canonical frame address by unwind tables. */
static bool step_cfa_of_row(struct eval *ev, uint64_t *out)
{
    struct ez_dwarf_row row = { .signal = false };
    struct ez_stack_frame in = { .pc = ev->pc, .exact = ev->look == ev->pc };
    struct own_code at, *ours = own_code_at(ev, ev->look, &at) ? &at : NULL;
    uint64_t bias = ev->here.bias;
    bool good = ev->regs && ev->t->inf.arch->abi.convention && step_find_row(ev, &in, ours, &row) &&
                place_cfa(ev, &row.cfa, out);
    ez_dwarf_row_free(&row);
    ev->here.bias = bias;
    return good;
}

bool step_cfa(struct eval *ev, uint64_t *out)
{
    const struct ez_arch *a = ev->t->inf.arch;
    if (ev->cfa_state == EVAL_CFA_NEW) {
        /* computing the frame address must not use the frame address */
        ev->cfa_state = EVAL_CFA_NONE;
        bool known = ev->regs && (ev->at_entry || step_cfa_of_row(ev, &ev->cfa));
        if (known && ev->at_entry)
            ev->cfa = a->regs.sp(ev->regs) + a->abi.entry_cfa_offset;
        if (known)
            ev->cfa_state = EVAL_CFA_KNOWN;
    }
    *out = ev->cfa;
    return ev->cfa_state == EVAL_CFA_KNOWN;
}

bool step_is_last(struct eval *ev, uint64_t at)
{
    struct ez_module_info m = { 0 };
    uint64_t off;
    const struct ez_sym *s = ez_symbolize(ev->t, ez_addr_of(at), &off, &m);
    return s && m.is_program && !strcmp(s->name, "main");
}

/* ---- registers saved by a frame -------------------------------------------------------------- */

/* Returns the column of a register in unwind tables; for the program counter, the column of the
 * return address. */
static unsigned step_column(const struct ez_arch *a, const struct ez_reg_desc *d,
                            const struct ez_dwarf_row *row)
{
    if (d->as == EZ_REG_CODE)
        return row->ra;
    for (unsigned i = 0; i < a->abi.convention->nnames; i++)
        if (!strcmp(a->abi.convention->name[i], d->name))
            return i;
    return EZ_DWARF_COLUMNS;
}

void ez_frame_saved(struct ez_history *v, const struct ez_stack_frame *f,
                    void (*fn)(const char *name, uint64_t at, void *arg), void *arg)
{
    struct eval ev = { .v = v, .t = v->t, .regs = f->regs, .pc = f->pc, .look = f->pc };
    struct ez_dwarf_row row = { .signal = false };
    const struct ez_arch *a = v->t->inf.arch;
    struct own_code at, *ours = own_code_at(&ev, f->pc - !f->exact, &at) ? &at : NULL;
    bool known = a->abi.convention && f->regs && step_find_row(&ev, f, ours, &row);
    ev.cfa_state = EVAL_CFA_NONE;
    if (known && place_cfa(&ev, &row.cfa, &ev.cfa))
        ev.cfa_state = EVAL_CFA_KNOWN;
    for (size_t i = 0; i < a->regs.n && ev.cfa_state == EVAL_CFA_KNOWN; i++) {
        unsigned k = step_column(a, &a->regs.desc[i], &row);
        uint64_t where;
        if (k < EZ_DWARF_COLUMNS && row.kept[k] == DWARF_KEPT_AT &&
            place_memory(&ev, &row.at[k], &where))
            fn(a->regs.desc[i].name, where, arg);
    }
    ez_dwarf_row_free(&row);
    step_end(&ev);
}

bool step_caller(struct eval *ev, struct ez_stack_frame *out)
{
    struct eval walk = { .v = ev->v, .t = ev->t };
    struct ez_stack_frame in = { .pc = ev->pc, .exact = ev->look == ev->pc };
    struct own_code at, *ours = own_code_at(&walk, ev->look, &at) ? &at : NULL;
    bool made;
    in.regs = ez_alloc(sizeof *in.regs);
    *in.regs = *ev->regs;
    do {
        char *why = NULL;
        made = step_out(&walk, &in, ours, out, &why) == STEP_MADE && !in.signal;
        free(why);
        free(in.regs);
        in = *out;
        ours = own_code_at(&walk, out->pc - !out->exact, &at) ? &at : NULL;
    } while (made && ours);
    step_end(&walk);
    if (!made)
        free(out->regs);
    return made;
}
