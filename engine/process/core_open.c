/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core_open.c - makes a core file the target, and drops it again. engine/inferior/corefile.c reads
 * the file.
 *
 * In the state EZ_CORE ez_need_process() and ez_need_stopped() fail, so nothing that a process is
 * needed for runs; what only reads asks ez_need_readable().
 * Tests: tests/procs/corefile.sh */
#include <elf.h>
#include <string.h>

#include "engine/base/foreign.h"
#include "engine/inferior/begin.h"
#include "engine/inferior/corefile.h"
#include "engine/inferior/modules.h"
#include "engine/inferior/objects.h"
#include "engine/inferior/progress.h"
#include "engine/inferior/queue.h"
#include "engine/process/session.h"

/* Posts the warnings about what does not fit together. */
static void core_warn(struct ez_target *t, bool fits)
{
    const char *damage = ez_corefile_damage(t->inf.core);
    if (damage)
        ez_post_note(t, "warning: %s is damaged: %s.", ez_corefile_path(t->inf.core), damage);
    if (!fits)
        ez_post_note(t, "warning: core file may not match specified executable file.");
}

/* Reads the modules; the user's program is taken for the mapped one. */
static ez_err *core_modules(struct ez_target *t)
{
    uint64_t phdr = ez_auxv_of(t, AT_PHDR);
    bool fits = !t->inf.program || ez_corefile_take(t->inf.core, phdr, t->inf.program);
    core_warn(t, fits);
    EZ_TRY(ez_modules_refresh(t));
    struct ez_module *m = ez_module_program(t);
    if (m && m->obj && !t->inf.program)
        ez_inferior_program(t, ez_object_path(m->obj), m->obj);
    return ez_core_runtime(t);
}

ez_err *ez_core_open(struct ez_target *t, const char *path, const struct ez_core_folders *in)
{
    struct ez_corefile *core;
    if (ez_target_live(t))
        return ez_err_new(EZ_E_STATE, 0, "The program is being debugged already");
    EZ_TRY(ez_corefile_open(path, t->inf.arch, &core));
    ez_core_close(t);
    ez_corefile_search(core, in->sysroot, in->libraries);
    ez_inferior_core(t, core);
    ez_progress_begin(t);
    ez_err *e = ez_progress_end(t, core_modules(t));
    if (e)
        ez_core_close(t);
    return e;
}

bool ez_core_is(const char *path)
{
    struct ez_foreign *file;
    Elf64_Ehdr eh = { 0 };
    /* the first fields are the same in files of 32 bits; the rest may be cut off */
    const size_t n = offsetof(Elf64_Ehdr, e_machine);
    if (!ez_err_drop(ez_foreign_open(path, path, &file)))
        return false;
    bool is = ez_foreign_read(file, 0, &eh, n) == n && !memcmp(eh.e_ident, ELFMAG, SELFMAG) &&
              eh.e_type == ET_CORE;
    ez_foreign_close(file);
    return is;
}

void ez_core_close(struct ez_target *t)
{
    if (t->inf.core)
        ez_process_forget(t);
}

void ez_core_info(const struct ez_target *t, struct ez_core_info *out)
{
    size_t n;
    *out = (struct ez_core_info){ .path = NULL };
    if (!t->inf.core)
        return;
    const struct ez_core_thread *th = ez_corefile_threads(t->inf.core, &n);
    *out = (struct ez_core_info){ ez_corefile_path(t->inf.core), ez_corefile_command(t->inf.core),
                                  0, t->inf.pid };
    for (size_t i = 0; i < n && !out->sig; i++)
        out->sig = th[i].sig;
}
