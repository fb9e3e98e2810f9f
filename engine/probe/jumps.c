/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jumps.c - plants hooks on functions that leave calls without a return (such as longjmp), that
 * switch stacks, that libc calls at a thread's end (engine/rt/rt_left.c), or that end the program.
 *
 * Hooks on functions that end the program are planted with the first probe that has code for the
 * program's end, the other hooks with the first probe that records exits, or runs code at them. A
 * user's probe on such a function shares the hook's trampoline (EZ_ROW_JUMP). If longjmp has no
 * hook, the drain detects only at the thread's next recorded call that calls were left
 * (engine/record/calls.h).
 * Tests: tests/procs/left.sh */
#include "engine/target.h"
#include "engine/inferior/image.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/queue.h"
#include "engine/inferior/thread.h"
#include "engine/patch/variant.h"

static const struct jump {
    const char *name;
    unsigned glibc, musl; /* kind of hook in this libc (EZ_JUMP_*); 0: no hook */
} jumps[] = {
    { "longjmp", EZ_JUMP_MANGLED, EZ_JUMP_PLAIN },
    { "_longjmp", EZ_JUMP_MANGLED, EZ_JUMP_PLAIN },
    { "siglongjmp", EZ_JUMP_MANGLED, EZ_JUMP_PLAIN },
    { "__longjmp_chk", EZ_JUMP_MANGLED, 0 },
    { "setcontext", EZ_JUMP_CONTEXT, 0 },
    { "swapcontext", EZ_JUMP_SWAP, 0 },
    { "__call_tls_dtors", EZ_JUMP_END, 0 },
    /* used for a static program that lacks __call_tls_dtors */
    { "__nptl_deallocate_tsd", EZ_JUMP_END, 0 },
};

/* Functions that end the program. The first C_ENDS are in the C library, the others in Fortran's
 * library. */
enum { C_ENDS = 5 };
static const char *const ends[] = {
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "_gfortran_stop_numeric",
    "_gfortran_stop_string",
    "_gfortran_error_stop_numeric",
    "_gfortran_error_stop_string",
};

/* Functions of `jumps` are hooked only in glibc and musl: the layout of another library's jmp_buf
 * is unknown. */
static bool jumps_is_glibc(struct ez_target *t, const struct ez_module *m)
{
    return ez_symbol_addr(t, m, "gnu_get_libc_version") ||
           ez_symbol_addr(t, m, "__libc_siglongjmp");
}

static bool jumps_is_musl(struct ez_target *t, const struct ez_module *m)
{
    return ez_symbol_addr(t, m, "__libc_start_main") && ez_symbol_addr(t, m, "__sigsetjmp");
}

/* Returns e if the process has ended. Otherwise frees e, and if it is an error posts a note that
 * hooks cannot be planted. lost: the first part of the note. */
static ez_err *jumps_lack(struct ez_target *t, const char *lost, ez_err *e)
{
    if (e && e->code == EZ_E_GONE)
        return e;
    if (e)
        ez_post_note(t, "%s: %s.", lost, e->msg);
    ez_err_free(e);
    return NULL;
}

static ez_err *jumps_hook(struct ez_target *t, uint64_t at, unsigned kind, const char *lost,
                          struct ez_changes *out)
{
    return jumps_lack(t, lost, at ? ez_site_jump(t, at, kind, out) : NULL);
}

static ez_err *jumps_hook_all(struct ez_target *t, const struct ez_module *m, bool glibc,
                              struct ez_changes *out)
{
    for (size_t i = 0; i < EZ_ARRAY_LEN(jumps); i++) {
        unsigned kind = glibc ? jumps[i].glibc : jumps[i].musl;
        uint64_t at = kind ? ez_symbol_addr(t, m, jumps[i].name) : 0;
        EZ_FREE char *lost = ez_sprintf(
            "%s cannot be hooked, so calls that it leaves end late in the trace", jumps[i].name);
        EZ_TRY(jumps_hook(t, at, kind, lost, out));
    }
    return NULL;
}

static ez_err *jumps_hook_ends(struct ez_target *t, struct ez_changes *out)
{
    for (size_t i = 0; t->probes.aborts && i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->ends_hooked || !m->obj)
            continue;
        bool libc = jumps_is_glibc(t, m) || jumps_is_musl(t, m);
        for (size_t k = libc ? 0 : C_ENDS; k < EZ_ARRAY_LEN(ends); k++) {
            EZ_FREE char *lost =
                ez_sprintf("%s cannot be hooked, so no abort code runs before it", ends[k]);
            EZ_TRY(jumps_hook(t, ez_symbol_addr(t, m, ends[k]), EZ_JUMP_ABORT, lost, out));
        }
        m->ends_hooked = true;
    }
    return NULL;
}

static ez_err *jumps_prepare(struct ez_target *t, struct ez_changes *out)
{
    EZ_TRY(jumps_hook_ends(t, out));
    for (size_t i = 0; t->probes.calls && i < t->inf.module.n; i++) {
        struct ez_module *m = t->inf.module.at[i];
        if (m->jumps_hooked || !m->obj)
            continue;
        m->jumps_hooked = true;
        bool glibc = jumps_is_glibc(t, m);
        if (glibc || jumps_is_musl(t, m))
            EZ_TRY(jumps_hook_all(t, m, glibc, out));
    }
    return NULL;
}

/* Returns true for the modules whose text the first probe needs: the program, and those that may
 * get hooks of this file, unwind.c or solib.c. */
static bool jumps_will_read(struct ez_target *t, const struct ez_module *m)
{
    return m->is_program || jumps_is_glibc(t, m) || jumps_is_musl(t, m) ||
           ez_symbol_addr(t, m, "_Unwind_Find_FDE") || ez_symbol_addr(t, m, "_dl_debug_state");
}

ez_err *ez_read_ahead(struct ez_target *t)
{
    EZ_TRY(ez_need_process(t));
    EZ_TRY(ez_modules_refresh(t));
    for (size_t i = 0; i < t->inf.module.n; i++)
        if (t->inf.module.at[i]->obj && jumps_will_read(t, t->inf.module.at[i]))
            ez_err_drop(ez_module_text(t, t->inf.module.at[i]));
    return NULL;
}

ez_err *ez_jump_hooks(struct ez_target *t)
{
    struct ez_changes hooks = { 0 };
    ez_err *e = jumps_prepare(t, &hooks);
    if (!e)
        e = jumps_lack(
            t, "longjmp and such cannot be hooked, so calls that they leave end late in the trace",
            ez_site_jumps_plant(t, &hooks));
    EZ_VEC_FREE(&hooks);
    return e;
}
