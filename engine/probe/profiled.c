/* SPDX-License-Identifier: GPL-3.0-or-later */
/* profiled.c - keeps the call graph of programs that are compiled for gprof (gcc -pg).
 *
 * Each function of such a program calls mcount or __fentry__, which reads the function's return
 * address and calls __mcount_internal(return address, address in the function). An exit probe
 * replaces the return address by that of a return trampoline, which is outside the program's code,
 * so glibc would ignore the call. A hook on __mcount_internal replaces the argument by the original
 * return address (engine/rt/rt_hook.c). In most libraries __mcount_internal has no symbol, so it is
 * found as the function that mcount calls. A return thunk has no original return address, so
 * functions of such a program do not use call-through (engine/patch/prove.c).
 * Errors: a note for each mcount that cannot be hooked; EZ_E_GONE.
 * Tests: tests/procs/unwind.sh */
#include "engine/target.h"
#include "engine/inferior/mem.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/patch/variant.h"

#define INSNS_MOST 32 /* maximum number of mcount's instructions up to its call */

/* Sets *out to the function that the code at address `at` (mcount) calls first, or to 0 if there is
 * no direct call. */
static ez_err *profiled_called_by(struct ez_target *t, uint64_t at, uint64_t *out)
{
    uint8_t code[EZ_MAX_INSN];
    *out = 0;
    for (unsigned i = 0; i < INSNS_MOST && !*out; i++) {
        struct ez_insn in;
        EZ_TRY(ez_mem_read(t, at, code, sizeof code));
        EZ_TRY(t->inf.arch->decode.insn(code, sizeof code, at, &in));
        if (in.flow == EZ_FLOW_CALL)
            *out = in.target;
        at += in.len;
    }
    return NULL;
}

static ez_err *profiled_hook(struct ez_target *t, const struct ez_module *m)
{
    static const char *const name[] = { "mcount", "_mcount", "__fentry__" };
    uint64_t at = 0, notes;
    for (size_t i = 0; i < EZ_ARRAY_LEN(name) && !at; i++)
        at = ez_symbol_addr(t, m, name[i]);
    if (!at)
        return NULL;
    EZ_TRY(profiled_called_by(t, at, &notes));
    return notes ? ez_site_hook(t, notes, t->rt.bh->profile)
                 : ez_err_new(EZ_E_STATE, 0, "The mcount of the program is not that of glibc");
}

ez_err *ez_profiled_hooks(struct ez_target *t)
{
    const struct ez_module *program = ez_module_program(t);
    bool profiled = program && t->probes.exits && ez_module_profiled(t, program);
    for (size_t i = 0; profiled && i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->profile_hooked || !m->obj)
            continue;
        m->profile_hooked = true;
        ez_err *e = profiled_hook(t, m);
        if (e && e->code == EZ_E_GONE)
            return e;
        if (e)
            ez_post_note(
                t,
                "Note: %s is compiled for gprof. Its call graph will lack the callers of "
                "functions with exit probes: %s. Entry probes (\"probe entry\") do no harm.",
                ez_base_name(program->path), e->msg);
        ez_err_free(e);
    }
    return NULL;
}
