/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dwarf_pack.c - makes a .dwo file in memory from the part of one unit in a package of .dwo files
 * (.dwp), for dwarf_split.c.
 *
 * The package has an index with the bytes of each unit in each section. A type unit is in the
 * package only once, although several units refer to it, and needs the abbreviation and string
 * offset tables of the .dwo file from which it came. So these tables are appended to those of the
 * made file. To tell the type unit where its string offsets begin, DW_AT_str_offsets_base is added
 * to the abbreviation of its first entry, as a constant in the abbreviation, so that no byte of the
 * entries moves. The strings are shared by all units of the package; only those in use are copied.
 *
 * libdw supports packages from version 0.192 on, but opens only a package beside the program.
 *
 * Source: DWARF 5, 7.3.5; for version 4, GNU's format (version 2 of the index).
 *
 * Tests: tests/procs/split.sh */
#include <string.h>
#include <unistd.h>

#include "engine/base/hash.h"
#include "engine/dwarf/dwarf_dwo.h"

#define MOST_TYPES 65536

/* The section that a column of the index describes, by the column's number in the file; DWO_UNITS =
 * none. */
static const enum dwo_section pack_column[2][9] = {
    { DWO_UNITS, DWO_INFO, DWO_TYPES, DWO_ABBREV, DWO_LINE, DWO_LOC, DWO_STR_OFFSETS, DWO_MACINFO,
      DWO_MACRO }, /* version 2 */
    { DWO_UNITS, DWO_INFO, DWO_UNITS, DWO_ABBREV, DWO_LINE, DWO_LOCLISTS, DWO_STR_OFFSETS,
      DWO_MACRO, DWO_RNGLISTS }, /* version 5 */
};

struct pack_index {
    unsigned version; /* 0 if the package has no such index */
    uint32_t columns, units, slots;
    const uint8_t *sig, *row, *column, *offset, *size;
};
struct dwarf_pack {
    Elf *elf;
    int machine;
    struct dwo_bytes section[DWO_ALL];
    struct pack_index cu, tu;
    struct dwarf_want file; /* the request to the shell that found the package */
    uint64_t place;
    /* why the package cannot be used; DWARF_TROUBLE_MISSING = the package can be used */
    enum dwarf_trouble trouble;
    /* for a quick test whether bytes may be a type id: a bit for each value of an id's low 16
     * bits */
    uint8_t begins[8192];
};

static uint32_t pack_32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static uint64_t pack_64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* ---- the index ------------------------------------------------------------------------------- */

static bool dwarfpack_read_index(struct dwo_bytes s, struct pack_index *x)
{
    *x = (struct pack_index){ .version = 0 };
    if (s.n < 16)
        return false;
    const unsigned version = pack_32(s.at) == 2 ? 2 : pack_32(s.at) & 0xffff;
    x->columns = pack_32(s.at + 4);
    x->units = pack_32(s.at + 8);
    x->slots = pack_32(s.at + 12);
    uint64_t hash = 12ull * x->slots, cells = 4ull * x->columns * x->units;
    if ((version != 2 && version != 5) || x->columns > 16 || x->slots & (x->slots - 1) ||
        16 + hash + 4ull * x->columns + 2 * cells > s.n)
        return false;
    x->sig = s.at + 16;
    x->row = x->sig + 8ul * x->slots;
    x->column = x->row + 4ul * x->slots;
    x->offset = x->column + 4ul * x->columns;
    x->size = x->offset + cells;
    x->version = version;
    return true;
}

/* Returns the number of the row for a unit's id, counted from 1, or 0 if the index does not have
 * the id. */
static uint32_t dwarfpack_row(const struct pack_index *x, uint64_t id)
{
    const uint32_t mask = x->slots - 1;
    uint32_t at = (uint32_t)id & mask, step = ((uint32_t)(id >> 32) & mask) | 1;
    for (uint32_t i = 0; x->version && i < x->slots; i++, at = (at + step) & mask) {
        uint32_t row = pack_32(x->row + 4ul * at);
        if (!row || row > x->units)
            return 0;
        if (pack_64(x->sig + 8ul * at) == id)
            return row;
    }
    return 0;
}

/* Finds the bytes of the unit in row `row` in each section. Returns false if the index is
 * damaged. */
static bool dwarfpack_parts(const struct dwarf_pack *p, const struct pack_index *x, uint32_t row,
                            struct dwo_bytes out[DWO_UNITS])
{
    memset(out, 0, DWO_UNITS * sizeof *out);
    for (uint32_t c = 0; c < x->columns; c++) {
        const uint32_t what = pack_32(x->column + 4ul * c);
        const size_t cell = 4 * ((row - 1) * (size_t)x->columns + c);
        const uint64_t at = pack_32(x->offset + cell), n = pack_32(x->size + cell);
        enum dwo_section s =
            what < EZ_ARRAY_LEN(pack_column[0]) ? pack_column[x->version == 5][what] : DWO_UNITS;
        if (s == DWO_UNITS)
            continue;
        if (at > p->section[s].n || n > p->section[s].n - at)
            return false;
        out[s] = (struct dwo_bytes){ p->section[s].at + at, n };
    }
    return out[DWO_ABBREV].n && (out[DWO_INFO].n || out[DWO_TYPES].n);
}

/* ---- opening it ------------------------------------------------------------------------------ */

static void dwarfpack_section(enum dwo_section s, struct dwo_bytes bytes, void *arg)
{
    ((struct dwarf_pack *)arg)->section[s] = bytes;
}

static enum dwarf_trouble dwarfpack_read(struct dwarf_pack *p)
{
    p->machine = dwarfdwo_machine(p->elf);
    if (!p->machine)
        return DWARF_TROUBLE_FORMAT;
    dwarfdwo_each(p->elf, dwarfpack_section, p);
    if (!dwarfpack_read_index(p->section[DWO_CU_INDEX], &p->cu))
        return DWARF_TROUBLE_FORMAT;
    dwarfpack_read_index(p->section[DWO_TU_INDEX], &p->tu);
    for (uint32_t i = 0; p->tu.version && i < p->tu.slots; i++) {
        const uint64_t id = pack_64(p->tu.sig + 8ul * i);
        p->begins[(id & 0xffff) / 8] |= (uint8_t)(1 << (id & 7));
    }
    return DWARF_TROUBLE_MISSING;
}

/* Opens the first package that is readable. If no package is readable, returns the first one, whose
 * `trouble` says why. Returns NULL if there is no package. */
static struct dwarf_pack *dwarfpack_open(void)
{
    struct dwarf_want w = { .what = DWARF_WANT_PACK };
    struct dwarf_pack *first = NULL;
    uint64_t place = 0;
    int fd;
    for (; (fd = dwarfwant_file(&w, &place)) >= 0; w.n = place + 1) {
        struct dwarf_pack *p = ez_alloc(sizeof *p);
        *p = (struct dwarf_pack){ .elf = elf_begin(fd, ELF_C_READ_MMAP, NULL),
                                  .file = w,
                                  .place = place };
        p->trouble = dwarfpack_read(p);
        if (p->trouble == DWARF_TROUBLE_MISSING)
            return p;
        elf_end(p->elf);
        close(fd);
        if (first)
            free(p);
        else
            first = p;
    }
    return first;
}

/* ---- making the part of a unit --------------------------------------------------------------- */

struct pack_out {
    const struct dwarf_pack *p;
    struct dwarf_dwo dwo;
    struct ez_hash string; /* offset of a string in the package -> offset in the part */
    struct ez_hash used;   /* index rows of types that were added or will be */
    struct ez_hash tables; /* abbreviation tables that were made for type units */
    EZ_VEC(uint32_t) row;  /* index rows of types still to be added */
};

static size_t dwarfpack_string(struct pack_out *o, uint64_t at)
{
    const struct dwo_bytes all = o->p->section[DWO_STR];
    const uint8_t *nul = at < all.n ? memchr(all.at + at, 0, all.n - at) : NULL;
    const size_t fresh = o->dwo.section[DWO_STR].n;
    if (!nul)
        return 0; /* the empty string */
    const size_t to = ez_hash_put(&o->string, at, fresh);
    if (to == fresh)
        dwarfdwo_add(&o->dwo, DWO_STR, all.at + at, (size_t)(nul + 1 - all.at) - at);
    return to;
}

/* Appends a string offset table. Returns the offset of its first entry. */
static size_t dwarfpack_strings(struct pack_out *o, const struct dwo_bytes *in, unsigned version)
{
    const size_t head = version == 5 ? 8 : 0;
    const size_t was = dwarfdwo_add(&o->dwo, DWO_STR_OFFSETS, in->at, in->n);
    if (version == 5 && in->n && (in->n < head || pack_32(in->at) == 0xffffffff))
        o->dwo.bad = true; /* 64-bit DWARF has another layout */
    for (size_t i = head; !o->dwo.bad && i + 4 <= in->n; i += 4)
        dwarfdwo_set_32(&o->dwo, DWO_STR_OFFSETS, was + i,
                        dwarfpack_string(o, pack_32(in->at + i)));
    return was + head;
}

/* Adds the types to which the entries in `in` refer to o->row. Any 8 bytes that equal the id of a
 * type count as a reference. */
static void dwarfpack_refers(struct pack_out *o, const struct dwo_bytes *in)
{
    for (size_t i = 0; o->p->tu.version && i + 8 <= in->n; i++) {
        const uint64_t id = pack_64(in->at + i);
        if (!(o->p->begins[(id & 0xffff) / 8] & 1 << (id & 7)))
            continue;
        const uint32_t row = dwarfpack_row(&o->p->tu, id);
        const size_t n = o->used.n;
        if (row && n < MOST_TYPES && ez_hash_put(&o->used, row, n) == n)
            EZ_PUSH(&o->row, row);
    }
}

static uint64_t dwarfpack_number(struct dwo_bytes *b)
{
    uint64_t v = 0;
    for (unsigned shift = 0; b->n; shift += 7) {
        const uint8_t byte = *b->at++;
        b->n--;
        if (shift < 64)
            v |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            break;
    }
    return v;
}

/* Skips the attributes of an abbreviation. Leaves `b` at the two zeros that end them. Returns false
 * if the zeros are missing. */
static bool dwarfpack_attributes(struct dwo_bytes *b)
{
    while (b->n >= 2) {
        if (!b->at[0] && !b->at[1])
            return true;
        dwarfpack_number(b);
        if (dwarfpack_number(b) == DW_FORM_implicit_const)
            dwarfpack_number(b);
    }
    return false;
}

/* Copies an abbreviation table. Adds DW_AT_str_offsets_base, with the value `strings`, to the
 * abbreviation whose code is `code`. Returns the offset of the copy. */
static size_t dwarfpack_abbreviations(struct pack_out *o, struct dwo_bytes table, uint64_t code,
                                      size_t strings)
{
    uint8_t base[] = { DW_AT_str_offsets_base, DW_FORM_implicit_const, 0, 0, 0, 0, 0 };
    struct dwo_bytes b = table;
    const size_t was = o->dwo.section[DWO_ABBREV].n;
    for (unsigned i = 0; i < 5; i++)
        base[2 + i] = (uint8_t)((strings >> 7 * i & 0x7f) | (i < 4 ? 0x80 : 0));
    while (b.n && *b.at) {
        const uint64_t its = dwarfpack_number(&b);
        dwarfpack_number(&b); /* the tag */
        if (b.n) {
            b.at++; /* Skips the flag for children. */
            b.n--;
        }
        if (!dwarfpack_attributes(&b)) {
            o->dwo.bad = true;
            return was;
        }
        if (its != code) {
            b.at += 2;
            b.n -= 2;
            continue;
        }
        dwarfdwo_add(&o->dwo, DWO_ABBREV, table.at, (size_t)(b.at - table.at));
        dwarfdwo_add(&o->dwo, DWO_ABBREV, base, sizeof base);
        dwarfdwo_add(&o->dwo, DWO_ABBREV, b.at, b.n);
        return was;
    }
    o->dwo.bad = true;
    return was;
}

/* Adds a type unit. */
static void dwarfpack_type(struct pack_out *o, uint32_t row)
{
    struct dwo_bytes part[DWO_UNITS];
    const struct pack_index *x = &o->p->tu;
    if (!dwarfpack_parts(o->p, x, row, part)) {
        o->dwo.bad = true;
        return;
    }
    const enum dwo_section s = part[DWO_TYPES].n ? DWO_TYPES : DWO_INFO;
    const size_t at = x->version == 5 ? 8 : 6, head = x->version == 5 ? 24 : 23;
    if (part[s].n <= head || pack_32(part[s].at) == 0xffffffff ||
        pack_32(part[s].at + at) >= part[DWO_ABBREV].n) {
        o->dwo.bad = true;
        return;
    }
    struct dwo_bytes first = { part[s].at + head, part[s].n - head }, table = part[DWO_ABBREV];
    const uint64_t code = dwarfpack_number(&first);
    table.at += pack_32(part[s].at + at);
    table.n -= pack_32(part[s].at + at);
    /* Type units share a made table if they have the same abbreviations, the same string offset
     * table, and the same abbreviation code of the first entry. */
    const uint64_t key = ez_hash_pair(ez_hash_pair((uint64_t)(uintptr_t)table.at, code),
                                      (uint64_t)(uintptr_t)part[DWO_STR_OFFSETS].at);
    const size_t fresh = o->dwo.section[DWO_ABBREV].n, to = ez_hash_put(&o->tables, key, fresh);
    if (to == fresh)
        dwarfpack_abbreviations(o, table, code,
                                dwarfpack_strings(o, &part[DWO_STR_OFFSETS], x->version));
    dwarfdwo_set_32(&o->dwo, s, dwarfdwo_add(&o->dwo, s, part[s].at, part[s].n) + at, to);
    dwarfpack_refers(o, &part[s]);
}

static void dwarfpack_unit(struct pack_out *o, const struct dwo_bytes part[DWO_UNITS])
{
    static const uint8_t empty[1];
    dwarfdwo_add(&o->dwo, DWO_STR, empty, sizeof empty);
    for (enum dwo_section s = 0; s < DWO_UNITS; s++)
        if (s != DWO_STR_OFFSETS)
            dwarfdwo_add(&o->dwo, s, part[s].at, part[s].n);
    dwarfpack_strings(o, &part[DWO_STR_OFFSETS], o->p->cu.version);
    dwarfpack_refers(o, &part[DWO_INFO]);
    while (o->row.n && !o->dwo.bad)
        dwarfpack_type(o, o->row.at[--o->row.n]);
}

int dwarfpack_cut(struct dwarf_file *f, uint64_t id)
{
    struct dwo_bytes part[DWO_UNITS];
    if (!f->package_read)
        f->pack = dwarfpack_open();
    f->package_read = true;
    struct dwarf_pack *p = f->pack;
    if (!p || p->trouble != DWARF_TROUBLE_MISSING)
        return -1;
    const uint32_t row = dwarfpack_row(&p->cu, id);
    if (!row)
        return -1;
    struct pack_out o = { .p = p, .dwo = { .machine = p->machine } };
    o.dwo.bad = !dwarfpack_parts(p, &p->cu, row, part);
    if (!o.dwo.bad)
        dwarfpack_unit(&o, part);
    const int fd = dwarfdwo_file(&o.dwo);
    if (fd < 0)
        dwarfwant_note(&p->file, p->place, DWARF_TROUBLE_DAMAGED);
    dwarfdwo_free(&o.dwo);
    ez_hash_free(&o.string);
    ez_hash_free(&o.used);
    ez_hash_free(&o.tables);
    EZ_VEC_FREE(&o.row);
    return fd;
}

bool dwarfpack_emit(struct dwarf_file *f)
{
    if (!f->pack)
        return false;
    const enum dwarf_trouble its = f->pack->trouble;
    dwarfwant_note(&f->pack->file, f->pack->place,
                   its == DWARF_TROUBLE_MISSING ? DWARF_TROUBLE_OTHER : its);
    return true;
}
