/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_fde.c - finds functions in a file without a symbol table.
 *
 * Why: a stripped program still has .eh_frame for its unwinder, with an entry (FDE) for each
 * function's address and length. libbfd has no interface for that.
 *
 * Input: the file; o->syms sorted, with all named symbols.
 *
 * Output: o->syms gets the functions that no symbol covers, as local functions `fde_ADDRESS` (file
 * address, hexadecimal), the program's entry point as `_start`, and the `main` that the entry point
 * names. The caller sorts again.
 *
 * Entries in a PLT section and signal trampolines are skipped. Some entries become EZ_SYM_COLD:
 * they end the function before them, and `probe` refuses them.
 *   - Entries at whose first instruction the CFA is not where a call leaves it: unlikely parts of
 *     functions, which are reached by jumps, and slots of a PLT whose section has no name.
 *   - Entries to whose first instruction the code of the entry before jumps conditionally, and no
 *     third code branches, if the two codes are not neighbours. The compiler writes the entry of an
 *     unlikely part directly after its function's. An unlikely part that is reached in another way
 *     looks like a function and is treated as one. A function that only the function before it
 *     calls, by a conditional tail call (clang -Os), looks like an unlikely part.
 *
 * Errors: none; damaged entries, and entries in an encoding that no linker writes, are skipped.
 *
 * Invariant: no byte outside of the section and of the file's code is read, and the time is linear
 * in their size.
 *
 * Source: LSB 5.0 chapter 10.6; DWARF 5, section 6.4.
 *
 * Tests: tests/unit/sym/check_fde.c, tests/procs/stripped.sh */
#include "engine/sym/sym_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "engine/base/hash.h"
#include "engine/sym/names.h"

#define CFI_MOST 256 /* bytes of a CIE's rules that are read; keeps the time linear */

/* DW_EH_PE_* */
enum { PE_ABS = 0, PE_PCREL = 0x10, PE_OMIT = 0xff };

struct cursor {
    const uint8_t *at, *end;
    bool bad; /* the bytes ended too early or have an unknown form */
};

struct cie {
    uint64_t offset; /* offset in the section; ~0 before the first read */
    bool usable, has_aug, is_signal;
    uint8_t encoding, lsda; /* DW_EH_PE_* of addresses, and of the table of landing pads */
    int64_t data_align;
    const uint8_t *rules;
    size_t nrules;
};

struct range {
    uint64_t va, size;
};

struct part {                   /* an entry that may be an unlikely part */
    size_t found;               /* index in `found` */
    struct range function, own; /* code of the entry before, and its own code */
    bool elsewhere;             /* other code branches to it, too */
};

struct fde;
struct frames {
    struct ez_object *o;
    const uint8_t *data;
    size_t size;
    uint64_t va;
    bool zero_ends;        /* the section's size is unknown; an entry of length zero is its end */
    struct cie cie;        /* the CIE that was read last: neighbouring entries share it */
    struct range previous; /* code of the entry that was read last */
    uint64_t to_scan;      /* bytes that may still be searched for jumps to parts */
    EZ_VEC(struct part) parts;
    struct ez_hash parts_by; /* address -> index in `parts` */
    void (*note)(struct frames *f, const struct fde *e);
    EZ_VEC(struct ez_sym) found;
};

struct fde {
    const struct cie *cie;
    uint64_t va, size;
    bool lands;          /* the function has a table of landing pads */
    struct cursor rules; /* rules of the FDE, which follow those of the CIE */
};

struct cfa {
    uint64_t reg, offset;
    bool known;
};

/* ---- numbers ----------------------------------------------------------------------------- */

static uint64_t sym_fde_get(struct cursor *c, size_t n)
{
    uint64_t v = 0;
    if ((size_t)(c->end - c->at) < n) {
        c->bad = true;
        return 0;
    }
    memcpy(&v, c->at, n);
    c->at += n;
    return v;
}

static uint64_t sym_get_leb(struct cursor *c, bool is_signed)
{
    uint64_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t b = (uint8_t)sym_fde_get(c, 1);
        if (c->bad || shift > 63) {
            c->bad = true;
            return 0;
        }
        v |= (uint64_t)(b & 0x7f) << shift;
        if (b & 0x80)
            continue;
        return is_signed && b & 0x40 && shift < 57 ? v | ~0ull << (shift + 7) : v;
    }
}

static void sym_fde_skip(struct cursor *c, uint64_t n)
{
    if (n > (uint64_t)(c->end - c->at))
        c->bad = true;
    else
        c->at += n;
}

/* Reads a number in a format of DW_EH_PE_*, without adding its base. */
static uint64_t sym_get_value(struct cursor *c, uint8_t encoding)
{
    switch (encoding & 15) {
    case 0x00: /* a pointer */
    case 0x04:
    case 0x0c:
        return sym_fde_get(c, 8);
    case 0x01:
        return sym_get_leb(c, false);
    case 0x02:
        return sym_fde_get(c, 2);
    case 0x03:
        return sym_fde_get(c, 4);
    case 0x09:
        return sym_get_leb(c, true);
    case 0x0a:
        return (uint64_t)(int64_t)(int16_t)sym_fde_get(c, 2);
    case 0x0b:
        return (uint64_t)(int64_t)(int32_t)sym_fde_get(c, 4);
    }
    c->bad = true;
    return 0;
}

/* ---- rules for the first instruction --------------------------------------------------------- */

static void sym_skip_block(struct cursor *c)
{
    sym_fde_skip(c, sym_get_leb(c, false));
}

static void sym_rule_of_cfa(struct cursor *c, uint8_t op, int64_t data_align, struct cfa *cfa)
{
    bool factored = op == 0x12 || op == 0x13; /* _sf: times the data alignment */
    if (op == 0x0f) {                         /* an expression */
        cfa->known = false;
        sym_skip_block(c);
        return;
    }
    if (op == 0x0c || op == 0x0d || op == 0x12) {
        cfa->reg = sym_get_leb(c, false);
        cfa->known = true;
    }
    if (op != 0x0d)
        cfa->offset =
            factored ? sym_get_leb(c, true) * (uint64_t)data_align : sym_get_leb(c, false);
}

/* Skips a rule for a register, by the operands of its opcode. */
static void sym_rule_of_register(struct cursor *c, uint8_t op)
{
    switch (op) {
    case 0x00: /* nop */
    case 0x0a: /* remember, restore the state */
    case 0x0b:
    case 0x2d: /* window_save, or negate_ra_state */
        break;
    case 0x06: /* one number */
    case 0x07:
    case 0x08:
    case 0x2e:
        sym_get_leb(c, false);
        break;
    case 0x05: /* two numbers */
    case 0x09:
    case 0x11:
    case 0x14:
    case 0x15:
    case 0x2f:
        sym_get_leb(c, false);
        sym_get_leb(c, false);
        break;
    case 0x10: /* a number and a block */
    case 0x16:
        sym_get_leb(c, false);
        sym_skip_block(c);
        break;
    default:
        c->bad = true;
    }
}

/* Executes the rules that are valid at the first instruction, and sets *cfa by them. */
static void sym_run_rules(struct cursor *c, int64_t data_align, struct cfa *cfa)
{
    while (!c->bad && c->at < c->end) {
        uint8_t op = (uint8_t)sym_fde_get(c, 1);
        if (op >> 6 == 1 || (op >= 1 && op <= 4)) /* advance_loc*, set_loc */
            return;
        if (op >> 6 == 2)
            sym_get_leb(c, false);
        else if (op >> 6 == 0 && ((op >= 0x0c && op <= 0x0f) || op == 0x12 || op == 0x13))
            sym_rule_of_cfa(c, op, data_align, cfa);
        else if (op >> 6 == 0)
            sym_rule_of_register(c, op);
    }
}

/* Returns whether the CFA at the first instruction is where a call leaves it. */
static bool sym_starts_like_called(const struct fde *e)
{
    const struct ez_arch *arch = ez_arch_host();
    const struct cie *cie = e->cie;
    struct cfa cfa = { 0 };
    struct cursor first = { cie->rules, cie->rules + cie->nrules, false }, then = e->rules;
    sym_run_rules(&first, cie->data_align, &cfa);
    sym_run_rules(&then, cie->data_align, &cfa);
    return !first.bad && !then.bad && cfa.known && cfa.reg == arch->abi.entry_cfa_reg &&
           cfa.offset == arch->abi.entry_cfa_offset;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Reads the augmentation by its letters ("zPLR"): the encodings of addresses and of the pointer to
 * the table of landing pads, and whether it is a signal frame. Skips other data. */
static void sym_read_augmentation(struct cursor *c, const char *letters, struct cie *cie)
{
    for (; *letters; letters++) {
        uint8_t encoding;
        switch (*letters) {
        case 'R':
            cie->encoding = (uint8_t)sym_fde_get(c, 1);
            break;
        case 'L':
            cie->lsda = (uint8_t)sym_fde_get(c, 1);
            break;
        case 'P':
            encoding = (uint8_t)sym_fde_get(c, 1);
            if ((encoding & 0x70) == 0x50) /* aligned */
                c->bad = true;
            sym_get_value(c, encoding);
            break;
        case 'S':
            cie->is_signal = true;
            break;
        case 'B':
            break;
        default:
            /* The letter is unknown, so the caller skips the rest of the data by its length. */
            return;
        }
    }
}

static void sym_read_cie(struct cursor c, struct cie *cie)
{
    uint8_t version = (uint8_t)sym_fde_get(&c, 1);
    const char *letters = (const char *)c.at;
    const uint8_t *nul = memchr(c.at, 0, EZ_MIN((size_t)(c.end - c.at), (size_t)16));
    if (c.bad || !nul || (version != 1 && version != 3 && version != 4))
        return;
    c.at = nul + 1;
    /* two bytes: the size of an address, 8, and that of a segment selector, 0 */
    if (version == 4 && sym_fde_get(&c, 2) != 8)
        return;
    sym_get_leb(&c, false);
    cie->data_align = (int64_t)sym_get_leb(&c, true);
    if (version == 1)
        sym_fde_get(&c, 1);
    else
        sym_get_leb(&c, false);
    if (*letters == 'z') {
        uint64_t n = sym_get_leb(&c, false);
        struct cursor aug = c;
        sym_fde_skip(&c, n);
        if (c.bad)
            return;
        aug.end = c.at;
        cie->has_aug = true;
        sym_read_augmentation(&aug, letters + 1, cie);
        c.bad |= aug.bad;
    } else if (*letters) {
        return;
    }
    cie->rules = c.at;
    cie->nrules = EZ_MIN((size_t)(c.end - c.at), (size_t)CFI_MOST);
    cie->usable = !c.bad;
}

/* Sets *c to the entry at `off` of the section, behind the entry's length. Returns false if no
 * entry is at `off`. */
static bool sym_fde_entry_at(const struct frames *f, uint64_t off, struct cursor *c)
{
    *c = (struct cursor){ f->data + off, f->data + f->size, false };
    uint64_t n = sym_fde_get(c, 4);
    if (n == 0xffffffff)
        n = sym_fde_get(c, 8);
    if (c->bad || n > (uint64_t)(c->end - c->at))
        return false;
    c->end = c->at + n;
    return true;
}

static const struct cie *sym_cie_at(struct frames *f, uint64_t off)
{
    struct cursor c;
    if (f->cie.offset == off)
        return &f->cie;
    f->cie = (struct cie){ .offset = off, .lsda = PE_OMIT };
    if (off < f->size && sym_fde_entry_at(f, off, &c) && !sym_fde_get(&c, 4) && !c.bad)
        sym_read_cie(c, &f->cie);
    return &f->cie;
}

/* ---- unlikely parts -------------------------------------------------------------------------- */

/* a function that begins at most so many bytes after another one is its neighbour */
enum { NEIGHBOUR = 64 };

struct branches { /* places that may be branches to an address */
    uint64_t target;
    EZ_VEC(uint64_t) at;
};

static bool sym_is_target(uint64_t target, void *arg)
{
    return target == ((struct branches *)arg)->target;
}

static void sym_note_branch(uint64_t source, uint64_t target, void *arg)
{
    (void)target;
    EZ_PUSH(&((struct branches *)arg)->at, source);
}

/* Returns whether one of the branches is a conditional jump. Its opcode may follow prefixes, so the
 * instruction is found from the start of the code. */
static bool sym_one_is_conditional(const struct branches *b, const struct range *in,
                                   const uint8_t *code)
{
    const struct ez_arch_decode *decode = &ez_arch_host()->decode;
    struct ez_insn insn;
    size_t at = 0;
    for (size_t i = 0; i < b->at.n && at < in->size; i++) {
        size_t len = 0, wanted = (size_t)(b->at.at[i] - in->va);
        while (at < in->size && (len = decode->length(code + at, in->size - at)) &&
               at + len <= wanted)
            at += len;
        if (!len) /* an instruction that is not known */
            return false;
        ez_err *e = decode->insn(code + at, in->size - at, in->va + at, &insn);
        bool found = !e && insn.flow == EZ_FLOW_JCC && insn.target == b->target;
        ez_err_drop(e);
        if (found)
            return true;
    }
    return false;
}

/* Returns whether the code of the previous entry jumps conditionally to the start of this one's, as
 * a function does to its unlikely part. Returns false for neighbours, because a jump to the next
 * function may be a tail call. to_scan keeps all searches together shorter than the file. */
static bool sym_may_be_part(struct frames *f, const struct fde *e)
{
    const struct ez_arch_scan *scan = &ez_arch_host()->scan;
    const struct range *p = &f->previous;
    struct branches b = { .target = e->va };
    size_t n = 0;
    if (!scan->branches || !scan->far_branches || !p->size || e->va - p->va < p->size + NEIGHBOUR)
        return false;
    if (p->size > f->to_scan)
        return false;
    f->to_scan -= p->size;
    const uint8_t *code = elf_at(&f->o->elf, p->va, p->size, &n);
    if (!code || n < p->size)
        return false;
    scan->branches(code, n, p->va, sym_is_target, sym_note_branch, &b);
    bool is = sym_one_is_conditional(&b, p, code);
    EZ_VEC_FREE(&b.at);
    return is;
}

static void sym_add_part(struct frames *f, const struct fde *e)
{
    struct part p = { f->found.n, f->previous, { e->va, e->size }, false };
    ez_hash_put(&f->parts_by, e->va, f->parts.n);
    EZ_PUSH(&f->parts, p);
}

static bool sym_is_part_at(uint64_t target, void *frames)
{
    size_t i;
    return ez_hash_get(&((struct frames *)frames)->parts_by, target, &i);
}

static bool sym_within(const struct range *r, uint64_t va)
{
    return va - r->va < r->size;
}

static void sym_note_far(uint64_t source, uint64_t target, void *frames)
{
    struct frames *f = frames;
    size_t i;
    if (!ez_hash_get(&f->parts_by, target, &i))
        return;
    struct part *p = &f->parts.at[i];
    p->elsewhere |= !sym_within(&p->function, source) && !sym_within(&p->own, source);
}

/* Decides which of the possible parts are parts. Only its function, and the part itself, branch to
 * a part. */
static void sym_decide_parts(struct frames *f)
{
    size_t i, n;
    for (size_t k = 0; f->parts.n && k < f->o->code.n; k++) {
        const struct code_section *c = &f->o->code.at[k];
        const uint8_t *code = elf_at(&f->o->elf, c->start, c->end - c->start, &n);
        if (code)
            ez_arch_host()->scan.far_branches(code, n, c->start, sym_is_part_at, sym_note_far, f);
    }
    for (size_t k = 0; k < f->parts.n; k++) {
        const struct part *p = &f->parts.at[k];
        if (ez_hash_get(&f->parts_by, p->own.va, &i) && !f->parts.at[i].elsewhere)
            f->found.at[p->found].kind = EZ_SYM_COLD;
    }
    EZ_VEC_FREE(&f->parts);
    ez_hash_free(&f->parts_by);
}

static void sym_note_start(struct frames *f, const struct fde *e)
{
    const uint64_t va = e->va, size = e->size;
    const struct code_section *s = sym_section(f->o, va);
    const struct ez_sym *known = ez_object_find_addr(f->o, va);
    if (!s || !size || size > s->end - va || symplt_section(s))
        return;
    if (known && (known->vaddr == va || va - known->vaddr < known->size))
        return;
    const bool called = sym_starts_like_called(e);
    if (called && sym_may_be_part(f, e))
        sym_add_part(f, e);
    struct ez_sym new = { .vaddr = va,
                          .size = size,
                          .kind = called ? EZ_SYM_FUNC : EZ_SYM_COLD,
                          .local = true,
                          .unnamed = true,
                          .obj = f->o };
    EZ_PUSH(&f->found, new);
}

static void sym_read_fde(struct frames *f, struct cursor c, uint64_t id, uint64_t id_at)
{
    const struct cie *cie = id <= id_at ? sym_cie_at(f, id_at - id) : NULL;
    if (!cie || !cie->usable || cie->is_signal || (cie->encoding & 0xf0 & ~PE_PCREL))
        return;
    uint64_t here = f->va + (uint64_t)(c.at - f->data);
    struct fde e = { .cie = cie };
    e.va = sym_get_value(&c, cie->encoding) + (cie->encoding & PE_PCREL ? here : 0);
    e.size = sym_get_value(&c, cie->encoding & 15);
    if (cie->has_aug) {
        uint64_t n = sym_get_leb(&c, false);
        struct cursor aug = c;
        sym_fde_skip(&c, n);
        e.lands = n && cie->lsda != PE_OMIT && sym_get_value(&aug, cie->lsda);
    }
    e.rules = c;
    if (c.bad)
        return;
    f->note(f, &e);
    f->previous = (struct range){ e.va, e.size };
}

static void sym_read_entries(struct frames *f)
{
    for (uint64_t off = 0; off + 4 <= f->size;) {
        struct cursor c;
        if (!sym_fde_entry_at(f, off, &c) || (f->zero_ends && c.at == c.end))
            return;
        off = (uint64_t)(c.end - f->data);
        uint64_t id_at = (uint64_t)(c.at - f->data);
        /* A length of zero marks the end of the part from one input file of the linker. */
        if (c.end - c.at < 4)
            continue;
        uint64_t id = sym_fde_get(&c, 4);
        if (id)
            sym_read_fde(f, c, id, id_at);
    }
}

/* ---- the section, and the names -------------------------------------------------------------- */

static bool sym_by_section(const struct elf_file *e, struct frames *f)
{
    const Elf64_Shdr *sh = elf_named(e, ".eh_frame");
    f->data = elf_data(e, sh, &f->size);
    f->va = sh ? sh->sh_addr : 0;
    return f->data != NULL;
}

/* Finds .eh_frame in a file without section headers, by its address in .eh_frame_hdr. */
static bool sym_by_header(const struct elf_file *e, struct frames *f)
{
    for (size_t i = 0; i < e->nph; i++) {
        size_t size;
        uint64_t va = e->ph[i].p_vaddr;
        if (e->ph[i].p_type != PT_GNU_EH_FRAME)
            continue;
        const uint8_t *p = elf_at(e, va, 64, &size);
        if (!p || size < 12 || p[0] != 1 || (p[1] & 0xf0 & ~PE_PCREL))
            return false;
        struct cursor c = { p + 4, p + size, false };
        f->va = sym_get_value(&c, p[1]) + (p[1] & PE_PCREL ? va + 4 : 0);
        f->data = c.bad ? NULL : elf_at(e, f->va, SIZE_MAX, &f->size);
        f->zero_ends = true;
        return f->data != NULL;
    }
    return false;
}

/* Appends the functions that were found to the table. The names of all of them are in one block. */
static void sym_add_found(struct frames *f)
{
    enum { NAME_MOST = sizeof "fde_" + 16 };
    const uint64_t entry = f->o->is_exec ? f->o->elf.entry : 0, main = sym_main(f->o);
    char *text = f->found.n ? sym_keep(f->o, ez_alloc(f->found.n * NAME_MOST)) : NULL;
    for (size_t i = 0; i < f->found.n; i++, text += NAME_MOST) {
        struct ez_sym *s = &f->found.at[i];
        const bool starts = entry && s->vaddr == entry, is_main = main && s->vaddr == main;
        snprintf(text, NAME_MOST, is_main ? "main" : starts ? "_start" : "fde_%" PRIx64, s->vaddr);
        s->name = text;
        s->unnamed = !is_main;
        EZ_PUSH(&f->o->syms, *s);
    }
    EZ_VEC_FREE(&f->found);
}

/* Returns whether unnamed functions of the file may be functions for which names.c refuses probes
 * or exit probes. Such functions exist in static programs, and in files that export such a
 * function. */
static bool sym_has_denied(const struct ez_object *o)
{
    if (o->is_exec && !o->interp)
        return true;
    for (size_t i = 0; i < o->ncode; i++) {
        const struct ez_sym *s = &o->syms.at[i];
        if (s->kind != EZ_SYM_PLT && s->vaddr != o->elf.entry &&
            (ez_exit_denied(s->name) || ez_probe_denied(s->name)))
            return true;
    }
    return false;
}

static void sym_fde_read_all(struct frames *f)
{
    const struct elf_file *e = &f->o->elf;
    if (e->machine == ez_arch_host()->elf.machine && (sym_by_section(e, f) || sym_by_header(e, f)))
        sym_read_entries(f);
}

bool symfde_read(struct ez_object *o)
{
    struct frames f = { .o = o,
                        .cie = { .offset = ~0ull },
                        .to_scan = o->elf.file ? ez_foreign_id(o->elf.file)->size : 0,
                        .note = sym_note_start };
    sym_fde_read_all(&f);
    sym_decide_parts(&f);
    bool some = f.found.n > 0;
    o->guarded = some && sym_has_denied(o);
    sym_add_found(&f);
    return some;
}

/* ---- landing pads ---------------------------------------------------------------------------- */

static void sym_note_landing(struct frames *f, const struct fde *e)
{
    struct landing l = { e->va, e->va + e->size };
    if (e->lands)
        EZ_PUSH(&f->o->landing, l);
}

static int sym_fde_by_start(const void *a, const void *b)
{
    const struct landing *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

bool ez_object_lands(struct ez_object *o, uint64_t start, uint64_t end)
{
    if (!o->landing_known) {
        struct frames f = { .o = o, .cie = { .offset = ~0ull }, .note = sym_note_landing };
        sym_fde_read_all(&f);
        ez_sort(o->landing.at, o->landing.n, sizeof *o->landing.at, sym_fde_by_start);
        o->landing_known = true;
    }
    size_t n = EZ_UPTO(o->landing.at, o->landing.n, end, start);
    return n < o->landing.n && o->landing.at[n].start < end;
}
