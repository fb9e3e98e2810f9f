/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_startup.c - recognises functions of the startup files, which the compiler links into each
 * program (gcc -nostartfiles omits them): crt1.o, crti.o, crtbegin.o and crtn.o.
 *
 * Why: "all functions of the program" are those that the user wrote.
 *
 * How: by structure where the file has it. _start is the entry point; _init and _fini fill the
 * sections .init and .fini; the helpers of crtbegin.o are the local symbols that follow the symbol
 * of their source file. The C library's other helpers are known by name.
 *
 * Tests: tests/unit/sym/check_sym.c, tests/procs/record.sh */
#include "engine/sym/sym_priv.h"

#include <string.h>

static bool startup_is_one_of(const char *name, const char *const *list)
{
    while (*list && strcmp(name, *list))
        list++;
    return *list;
}

bool sym_startup_source(const char *file)
{
    static const char *const source[] = { "crtstuff.c", /* libgcc */
                                          "crtbegin.c", /* compiler-rt */
                                          NULL };
    return startup_is_one_of(file, source);
}

bool ez_sym_is_startup(const struct ez_sym *s)
{
    static const char *const glibc[] = { "_dl_relocate_static_pie", "__libc_csu_init",
                                         "__libc_csu_fini", "call_weak_fn", NULL };
    const struct ez_object *o = s->obj;
    if (s->startup || (o->is_exec && s->vaddr == o->elf.entry))
        return true;
    const struct code_section *in = sym_section(o, s->vaddr);
    return in && (!strcmp(in->name, ".init") || !strcmp(in->name, ".fini") ||
                  startup_is_one_of(s->name, glibc));
}
