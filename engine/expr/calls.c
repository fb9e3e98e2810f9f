/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calls.c - finds the calls in a routine's code (routine.h).
 *
 * Instructions are decoded one after another from the routine's begin, because compilers put no
 * data into a function's code. If bytes cannot be decoded, the rest of the routine is skipped.
 * Calls through pointers are not reported, because their targets are unknown.
 *
 * Tests: tests/procs/spec.sh */
#include <string.h>

#include "arch/arch.h"
#include "engine/dwarf/srcline.h"
#include "engine/expr/routine.h"
#include "engine/sym/sym.h"

static void calls_add_found(struct ez_object *obj, uint64_t behind, uint64_t to, bool lines,
                            void (*fn)(const struct ez_routine_call *, void *), void *arg)
{
    const struct ez_sym *s = ez_object_find_addr(obj, to);
    if (!s || s->vaddr != to || *s->name == '*')
        return;
    EZ_FREE char *symbol = ez_strdup(s->name);
    symbol[s->kind == EZ_SYM_PLT ? strcspn(symbol, "@") : strlen(symbol)] = 0;
    struct ez_routine_call c = { .behind = behind,
                                 .to = s->kind == EZ_SYM_PLT ? 0 : to,
                                 .symbol = symbol };
    if (lines)
        ez_srcline_at(obj, behind - 1, &c.file, &c.line);
    fn(&c, arg);
}

void ez_routine_calls_of(struct ez_object *obj, uint64_t begin, uint64_t end, bool lines,
                         void (*fn)(const struct ez_routine_call *, void *), void *arg)
{
    const struct ez_arch *a = ez_arch_host();
    const size_t n = end > begin ? (size_t)(end - begin) : 0;
    EZ_FREE uint8_t *code = ez_alloc(n + 1);
    if (ez_object_read_text(obj, begin, code, n) != n)
        return;
    for (size_t at = 0; at < n;) {
        struct ez_insn in;
        if (!ez_err_drop(a->decode.insn(code + at, n - at, begin + at, &in)) || !in.len)
            return;
        at += in.len;
        if (in.flow == EZ_FLOW_CALL)
            calls_add_found(obj, begin + at, in.target, lines, fn, arg);
    }
}
