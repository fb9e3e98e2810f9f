/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unloaded.c - keeps unloaded libraries, in case they are loaded again.
 *
 * A program that loads and closes a library again and again (plugins, iconv, NSS) almost always
 * gets the library at the same address. The file is the same, so all stored results about its text
 * are valid again: its branches, the patch regions of its functions, their trampolines and ids.
 * Only the patches are gone: the text in memory is the file's, and eztsh compares it before it
 * writes a jump. A library at another address, or with a changed file, counts as a new module.
 *
 * Invariant: t->inf.gone has the KEPT modules that were unloaded last, each with its object. A site
 * of such a module has it in `gone`, and its `mod` is NULL.
 * Tests: tests/procs/libs.sh, tests/unit/inferior/check_places.c */
#include "engine/target.h"
#include "engine/inferior/unloaded.h"

#include <string.h>

enum { KEPT = 16 };

void ez_module_free(struct ez_module *m)
{
    if (m->text)
        ez_text_destroy(m->text);
    free(m->image);
    free(m->funcs);
    EZ_VEC_FREE(&m->pointer);
    EZ_VEC_FREE(&m->cs);
    EZ_VEC_FREE(&m->rule);
    free(m->path);
    free(m->mapped);
    free(m);
}

static void unloaded_drop(struct ez_target *t, size_t i)
{
    t->inf.ops->dropped(t, t->inf.gone.at[i]);
    ez_module_free(t->inf.gone.at[i]);
    memmove(&t->inf.gone.at[i], &t->inf.gone.at[i + 1],
            (--t->inf.gone.n - i) * sizeof *t->inf.gone.at);
}

void ez_module_gone(struct ez_target *t, struct ez_module *m)
{
    t->inf.ops->unloaded(t, m);
    EZ_PUSH(&t->inf.gone, m);
    if (!m->obj)
        unloaded_drop(t, t->inf.gone.n - 1);
    else if (t->inf.gone.n > KEPT)
        unloaded_drop(t, 0);
}

struct ez_module *ez_module_again(struct ez_target *t, struct ez_module *m)
{
    size_t i = 0;
    while (i < t->inf.gone.n &&
           (t->inf.gone.at[i]->obj != m->obj || t->inf.gone.at[i]->lo != m->lo ||
            strcmp(t->inf.gone.at[i]->mapped, m->mapped)))
        i++;
    if (i == t->inf.gone.n)
        return m;
    struct ez_module *was = t->inf.gone.at[i];
    t->inf.ops->loaded_again(t, was);
    t->inf.gone.at[i] = m;
    unloaded_drop(t, i);
    was->fresh = true;
    was->unwind_hooked = was->jumps_hooked = was->ends_hooked = was->profile_hooked = was->copied =
        false;
    was->rule.n = 0;
    return was;
}

void ez_unloaded_clear(struct ez_target *t)
{
    while (t->inf.gone.n)
        unloaded_drop(t, t->inf.gone.n - 1);
    EZ_VEC_FREE(&t->inf.gone);
}
