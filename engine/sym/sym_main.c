/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sym_main.c - finds main in a program without a symbol table.
 *
 * Why: users begin with `start` and `probe main`, and distributions strip their programs.
 *
 * How: the entry point is in the C library's start-up file, which passes main's address to the
 * library as the first argument: glibc's directly, musl's after a call of its own function.
 *
 * Errors: none; returns 0 for programs that start differently (Go). The caller checks that a
 * function begins at the result.
 *
 * Tests: tests/procs/stripped.sh */
#include "engine/sym/sym_priv.h"

#include "arch/arch.h"

#define LOOK 128 /* bytes; start-up code is shorter */

uint64_t sym_main(const struct ez_object *o)
{
    const struct ez_arch *arch = ez_arch_host();
    uint64_t at = o->is_exec && o->elf.machine == arch->elf.machine ? o->elf.entry : 0;
    for (int calls = 0; at && calls < 2; calls++) {
        size_t n;
        const uint8_t *code = elf_at(&o->elf, at, LOOK, &n);
        if (!code)
            return 0;
        uint64_t to, main = arch->elf.first_argument(code, n, at, &to);
        if (sym_section(o, main))
            return main;
        at = to;
    }
    return 0;
}
