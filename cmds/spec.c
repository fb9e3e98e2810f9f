/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.c - spec check, spec show: instrumentation specifications (doc/HOWTO_SPEC.md), read and told. */
#include "cmds/cmd.h"
#include "modules/spec/spec.h"
#include "shell/out.h"

/* Reads the files as one specification; what is wrong in them is printed. */
static ez_err *spec_read(struct ez_sess *s, int argc, char **argv, struct ez_spec *spec,
                         struct ez_src *files)
{
    unsigned errors = 0;
    for (int i = 1; i < argc; i++) {
        EZ_TRY(ez_src_load(&files[i], argv[i]));
        ez_spec_read(spec, &files[i]);
        EZ_FREE char *said = ez_src_said(&files[i]);
        if (*said)
            out_text(s, said);
        errors += files[i].errors;
    }
    return errors ? ez_err_new(EZ_E_FORMAT, 0, "%u error%s", errors, errors == 1 ? "" : "s") : NULL;
}

static ez_err *spec_told(struct ez_sess *s, int argc, char **argv, bool show)
{
    struct ez_spec spec = { 0 };
    struct ez_src *files = ez_alloc((size_t)(argc + 1) * sizeof *files);
    size_t listed = 0;
    ez_err *e = spec_read(s, argc, argv, &spec, files);
    for (unsigned i = 0; i < EZ_SPEC_LISTS; i++)
        listed += spec.lists[i].n;
    if (!e && show) {
        EZ_FREE char *text = ez_spec_show(&spec);
        out_text(s, text);
    } else if (!e) {
        out_line(s, "%zu clause%s, %zu name%s in lists: nothing is wrong.", spec.clauses.n,
                 spec.clauses.n == 1 ? "" : "s", listed, listed == 1 ? "" : "s");
    }
    ez_spec_deinit(&spec);
    for (int i = 1; i < argc; i++)
        ez_src_deinit(&files[i]);
    free(files);
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
