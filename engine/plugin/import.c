/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import.c - resolves the references of a loaded object (the code of fragments) to functions and
 * variables that the program does not export.
 *
 * The references are weak symbols. The target's loader does not find them, and writes zeros at
 * their relocations. The shell finds the symbols in the program's file or, if it has none, in any
 * module, and overwrites these zeros with their addresses.
 * Tests: tests/procs/spec.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define IMPORT_MOST (1u << 20) /* maximum number of relocations in a table */

struct import {
    struct ez_target *t;
    const struct ez_module *m;
    uint64_t rela[2], bytes[2], symbols, strings;
};

/* Returns the absolute address for an address in the dynamic section, which glibc's loader makes
 * absolute and musl's leaves relative to the load bias. */
static uint64_t import_address(const struct import *i, uint64_t at)
{
    return at + (at < i->m->bias ? i->m->bias : 0);
}

static void import_dynamic(struct import *i)
{
    Elf64_Dyn d;
    uint64_t at = ez_object_dynamic(i->m->obj) + i->m->bias;
    for (; ez_mem_read_some(i->t, at, &d, sizeof d) == sizeof d && d.d_tag != DT_NULL;
         at += sizeof d) {
        uint64_t *to = d.d_tag == DT_RELA     ? &i->rela[0]
                       : d.d_tag == DT_JMPREL ? &i->rela[1]
                       : d.d_tag == DT_SYMTAB ? &i->symbols
                       : d.d_tag == DT_STRTAB ? &i->strings
                                              : NULL;
        if (to)
            *to = import_address(i, d.d_un.d_ptr);
        else if (d.d_tag == DT_RELASZ)
            i->bytes[0] = d.d_un.d_val;
        else if (d.d_tag == DT_PLTRELSZ)
            i->bytes[1] = d.d_un.d_val;
    }
}

struct import_match {
    const struct ez_sym *best;
    bool many; /* another symbol matches as well as `best` */
};

static void import_match(const struct ez_sym *s, void *arg)
{
    struct import_match *m = arg;
    if (s->kind != EZ_SYM_FUNC && s->kind != EZ_SYM_DATA)
        return;
    if (!m->best || (m->best->local && !s->local))
        *m = (struct import_match){ .best = s };
    else if (m->best->local == s->local && m->best->vaddr != s->vaddr)
        m->many = true;
}

/* Sets *at to the address of the symbol in the program or, if it has none, in any module; 0 if
 * there is none. EZ_E_ARG: several symbols of the program match equally well. */
static ez_err *import_find(struct ez_target *t, const char *name, uint64_t *at)
{
    const struct ez_module *program = ez_module_program(t);
    struct import_match m = { .best = NULL };
    const size_t n = strlen(EZT_FRAGMENT_STATIC);
    if (program && !strncmp(name, EZT_FRAGMENT_STATIC, n)) {
        *at = strtoull(name + n, NULL, 16) + program->bias;
        return NULL;
    }
    if (program && program->obj)
        ez_object_find_name(program->obj, name, import_match, &m);
    if (m.many)
        return ez_err_new(
            EZ_E_ARG, 0,
            "The code refers to '%s', but the program has several symbols of that name", name);
    *at = m.best ? m.best->vaddr + program->bias : ez_symbol_in_any(t, name);
    return NULL;
}

static ez_err *import_one(const struct import *i, const Elf64_Rela *r)
{
    Elf64_Sym sym;
    char name[1024];
    uint64_t word, place = i->m->bias + r->r_offset, value;
    uint64_t at = i->symbols + ELF64_R_SYM(r->r_info) * sizeof sym;
    if (!ELF64_R_SYM(r->r_info) || ez_mem_read_some(i->t, at, &sym, sizeof sym) != sizeof sym ||
        sym.st_shndx != SHN_UNDEF || ELF64_ST_BIND(sym.st_info) != STB_WEAK ||
        ez_mem_read_some(i->t, place, &word, sizeof word) != sizeof word || word)
        return NULL;
    EZ_TRY(ez_mem_read_string(i->t, i->strings + sym.st_name, name, sizeof name));
    EZ_TRY(import_find(i->t, name, &value));
    if (!value)
        return NULL;
    value += (uint64_t)r->r_addend;
    return ez_mem_write(i->t, place, &value, sizeof value, "connect a fragment to the program");
}

ez_err *ez_import(struct ez_target *t, const struct ez_module *m)
{
    struct import i = { .t = t, .m = m };
    Elf64_Rela r;
    import_dynamic(&i);
    for (unsigned k = 0; k < 2 && i.symbols && i.strings; k++)
        for (uint64_t n = 0; n < EZ_MIN(i.bytes[k] / sizeof r, (uint64_t)IMPORT_MOST); n++) {
            EZ_TRY(ez_mem_read(t, i.rela[k] + n * sizeof r, &r, sizeof r));
            EZ_TRY(import_one(&i, &r));
        }
    return NULL;
}
