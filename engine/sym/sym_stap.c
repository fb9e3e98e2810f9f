/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_stap.c - USDT probes: the notes that the header sys/sdt.h of systemtap puts into a file.
 *
 * Each note of the section .note.stapsdt describes one place in the code: its address, the counter
 * that tells the program that somebody watches (the semaphore), and, as text, the provider, the
 * name, and the operands of the arguments. If prelink has moved the file, the addresses in the notes
 * are too low by the distance between .stapsdt.base and the address of this section that the note
 * has.
 *
 * The file is foreign: a note that does not fit into the section, or whose texts do not end or are
 * not printable, is left out. A place outside of code, or a counter outside of writable data, sets
 * `is_damaged`.
 * Tests: tests/unit/sym/check_stap.c, tests/fuzz/fuzz_stap.c */
#include "engine/sym/sym_priv.h"

#include <ctype.h>
#include <string.h>

#include "engine/base/strutil.h"

#define STAP_TYPE 3          /* n_type of the notes */
#define STAP_MOST (1u << 16) /* maximum number of notes that are read of a file */

struct stap_words {
    uint64_t vaddr, base, semaphore;
};

/* Returns the text at *at, whose bytes `is` accepts, and moves *at behind its NUL. Returns NULL if
 * the text does not end before `end`. */
static const char *stap_text(const char **at, const char *end, int (*is)(int))
{
    const char *text = *at, *nul = memchr(text, 0, (size_t)(end - text));
    for (const char *p = text; nul && p < nul; p++)
        if (!is((unsigned char)*p))
            return NULL;
    *at = nul ? nul + 1 : end;
    return nul ? text : NULL;
}

static int stap_is_of_name(int c)
{
    return isgraph(c) && c != ':';
}

/* Returns whether the n bytes at vaddr are in a segment that the program can write. */
static bool stap_is_writable(const struct ez_object *o, uint64_t vaddr, uint64_t n)
{
    for (size_t i = 0; i < o->elf.nph; i++) {
        const Elf64_Phdr *p = &o->elf.ph[i];
        if (p->p_type == PT_LOAD && p->p_flags & PF_W && p->p_memsz >= n &&
            vaddr - p->p_vaddr <= p->p_memsz - n)
            return true;
    }
    return false;
}

/* Reads the description of a note, its n bytes at desc. base: address of .stapsdt.base, or 0. */
static bool stap_describe(const struct ez_object *o, const uint8_t *desc, size_t n, uint64_t base,
                          struct ez_stap *out)
{
    struct stap_words w;
    if (n < sizeof w)
        return false;
    memcpy(&w, desc, sizeof w);
    const char *at = (const char *)desc + sizeof w, *end = (const char *)desc + n;
    const uint64_t moved = base ? base - w.base : 0;
    out->provider = stap_text(&at, end, stap_is_of_name);
    out->name = out->provider ? stap_text(&at, end, stap_is_of_name) : NULL;
    out->arguments = out->name ? stap_text(&at, end, isprint) : NULL;
    if (!out->arguments || !*out->provider || !*out->name)
        return false;
    if (!strcmp(out->arguments, ":")) /* how older headers say that there are none */
        out->arguments = "";
    out->vaddr = w.vaddr + moved;
    out->semaphore = w.semaphore ? w.semaphore + moved : 0;
    out->is_damaged =
        !sym_section(o, out->vaddr) ||
        (out->semaphore && !stap_is_writable(o, out->semaphore, EZ_STAP_SEMAPHORE_BYTES));
    return true;
}

int ez_stap_compare(const struct ez_stap *a, const struct ez_stap *b)
{
    int c = strcmp(a->provider, b->provider);
    return c ? c : strcmp(a->name, b->name);
}

static int stap_by_name(const void *a, const void *b)
{
    const struct ez_stap *x = a, *y = b;
    const int c = ez_stap_compare(x, y);
    return c ? c : x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

static void stap_read(struct ez_object *o)
{
    size_t size;
    const uint8_t *p = elf_data(&o->elf, elf_named(&o->elf, ".note.stapsdt"), &size);
    const Elf64_Shdr *moved = elf_named(&o->elf, ".stapsdt.base");
    struct ez_stap stap;
    for (struct elf_note n; o->stap.n < STAP_MOST && elf_next_note(&p, &size, &n);)
        if (n.type == STAP_TYPE && n.owner_bytes == sizeof "stapsdt" &&
            !memcmp(n.owner, "stapsdt", sizeof "stapsdt") &&
            stap_describe(o, n.desc, n.desc_bytes, moved ? moved->sh_addr : 0, &stap))
            EZ_PUSH(&o->stap, stap);
    if (o->stap.n)
        qsort(o->stap.at, o->stap.n, sizeof *o->stap.at, stap_by_name);
}

const struct ez_stap *ez_object_staps(struct ez_object *o, size_t *n)
{
    if (!o->stap_known)
        stap_read(o);
    o->stap_known = true;
    *n = o->stap.n;
    return o->stap.at;
}

const struct ez_stap *ez_object_stap_at(struct ez_object *o, uint64_t vaddr)
{
    size_t n;
    const struct ez_stap *all = ez_object_staps(o, &n);
    for (size_t i = 0; i < n; i++)
        if (all[i].vaddr == vaddr)
            return &all[i];
    return NULL;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Parses "N@OPERAND" in text[0..len): N is the size in bytes, negative for a signed value, with an f
 * for a floating-point number. Without it, the value is a word. */
static bool stap_argument(const char *text, size_t len, struct ez_stap_argument *out)
{
    const char *at = memchr(text, '@', len), *p = text;
    *out = (struct ez_stap_argument){ .bytes = 8, .operand = text, .len = len };
    if (!at)
        return len;
    out->operand = at + 1;
    out->len = len - (size_t)(at + 1 - text);
    out->is_signed = *p == '-';
    p += out->is_signed;
    out->bytes = p < at && isdigit((unsigned char)*p) ? (unsigned)(*p++ - '0') : 0;
    out->is_float = p < at && *p == 'f';
    p += out->is_float;
    bool fits = out->bytes == 1 || out->bytes == 2 || out->bytes == 4 || out->bytes == 8;
    return p == at && fits && out->len && (!out->is_float || (!out->is_signed && out->bytes >= 4));
}

/* Returns the length of the argument at p: up to a blank outside of parentheses. */
static size_t stap_argument_len(const char *p)
{
    size_t n = 0;
    for (bool in = false; p[n] && (in || p[n] != ' '); n++)
        in = (in || p[n] == '(') && p[n] != ')';
    return n;
}

unsigned ez_stap_argument(const struct ez_stap *s, unsigned i, struct ez_stap_argument *out)
{
    unsigned n = 0;
    for (const char *p = s->arguments + strspn(s->arguments, " "); *p && n < EZ_STAP_ARGUMENTS;
         n++) {
        const size_t len = stap_argument_len(p);
        if (n == i && !stap_argument(p, len, out))
            *out = (struct ez_stap_argument){ .operand = p, .len = len };
        p += len;
        p += strspn(p, " ");
    }
    return n;
}
