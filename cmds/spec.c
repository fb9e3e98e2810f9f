/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.c - spec check, spec show: instrumentation specifications (doc/HOWTO_SPEC.md), read and told. */
#include "cmds/spec.h"
#include "cmds/cmd.h"
#include "shell/out.h"

static ez_err *spec_read_one(struct ez_sess *s, const char *path, struct spec_files *f,
                             unsigned *errors)
{
    struct ez_src *t = &f->file[f->n];
    EZ_TRY(ez_src_load(t, path));
    f->n++;
    ez_spec_read(&f->spec, t);
    EZ_FREE char *said = ez_src_said(t);
    if (*said)
        out_text(s, said);
    *errors += t->errors;
    return NULL;
}

ez_err *spec_files_read(struct ez_sess *s, int argc, char **argv, const char *filter,
                        struct spec_files *out)
{
    unsigned errors = 0;
    *out = (struct spec_files){ .file = ez_alloc((size_t)(argc + 1) * sizeof *out->file) };
    for (int i = 1; i < argc; i++)
        EZ_TRY(spec_read_one(s, argv[i], out, &errors));
    if (filter)
        EZ_TRY(spec_read_one(s, filter, out, &errors));
    return errors ? ez_err_new(EZ_E_FORMAT, 0, "%u error%s", errors, errors == 1 ? "" : "s") : NULL;
}

void spec_files_free(struct spec_files *f)
{
    ez_spec_deinit(&f->spec);
    for (size_t i = 0; i < f->n; i++)
        ez_src_deinit(&f->file[i]);
    free(f->file);
}

static ez_err *spec_told(struct ez_sess *s, int argc, char **argv, bool show)
{
    struct spec_files f;
    size_t listed = 0;
    ez_err *e = spec_files_read(s, argc, argv, NULL, &f);
    for (unsigned i = 0; i < EZ_SPEC_LISTS; i++)
        listed += f.spec.lists[i].n;
    if (!e && show) {
        EZ_FREE char *text = ez_spec_show(&f.spec);
        out_text(s, text);
    } else if (!e) {
        out_line(s, "%zu clause%s, %zu name%s in lists: nothing is wrong.", f.spec.clauses.n,
                 f.spec.clauses.n == 1 ? "" : "s", listed, listed == 1 ? "" : "s");
    }
    spec_files_free(&f);
    return e;
}

ez_err *cmd_spec_check(struct ez_sess *s, int argc, char **argv)
{
    return spec_told(s, argc, argv, false);
}

ez_err *cmd_spec_show(struct ez_sess *s, int argc, char **argv)
{
    return spec_told(s, argc, argv, true);
}
