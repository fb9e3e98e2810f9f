/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.c - spec check, spec show: read and print instrumentation specifications
 * (doc/HOWTO_SPEC.md).
 * Tests: tests/procs/spec.sh */
#include "cmds/probe/spec.h"
#include "cmds/cmd.h"
#include "engine/base/strutil.h"
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
    return errors ? ez_err_new(EZ_E_FORMAT, 0, "The specification has %u error%s", errors,
                               ez_plural(errors))
                  : NULL;
}

void spec_files_free(struct spec_files *f)
{
    ez_spec_deinit(&f->spec);
    for (size_t i = 0; i < f->n; i++)
        ez_src_deinit(&f->file[i]);
    free(f->file);
}

static ez_err *spec_report(struct ez_sess *s, int argc, char **argv, bool show)
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
                 ez_plural(f.spec.clauses.n), listed, ez_plural(listed));
    }
    spec_files_free(&f);
    return e;
}

static ez_err *cmd_spec_check(struct ez_sess *s, int argc, char **argv)
{
    return spec_report(s, argc, argv, false);
}

const struct ez_cmd command_spec_check = {
    .parent = "spec",
    .name = "check",
    .usage = "FILE...",
    .brief = "Check a specification for errors.",
    .help = "Several files are read as one file: the clauses of all FILEs in order, and\n"
            "their lists of routines and files joined.",
    .examples = "spec check calls.spec filter.tau",
    .see_also = "spec show",
    OPERANDS(PROBE, 1, -1),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_spec_check,
    .complete = comp_file,
};

static ez_err *cmd_spec_show(struct ez_sess *s, int argc, char **argv)
{
    return spec_report(s, argc, argv, true);
}

const struct ez_cmd command_spec = {
    .name = "spec",
    .usage = "check|show|load|list|delete",
    .brief = "Instrument the running program by a specification.",
    .help = "A specification says which code is inserted at which places of a program\n"
            "(doc/HOWTO_SPEC.md). eztsh-instrument applies it to source files, \"spec load\"\n"
            "to the running program.",
    .examples = "spec check calls.spec\n"
                "spec load calls.spec",
    .see_also = "spec load, info spec, module",
    OPERANDS(PROBE, 0, -1),
    .flags = TEXT_ONLY,
    .fn = cmd_list_sub,
};

const struct ez_cmd command_spec_show = {
    .parent = "spec",
    .name = "show",
    .usage = "FILE...",
    .brief = "Print a specification in its canonical form.",
    .help = "Each clause is one line. The attributes have a fixed order; attributes with\n"
            "their default are omitted. Comments are kept.",
    .examples = "spec show calls.spec",
    .see_also = "spec check",
    OPERANDS(PROBE, 1, -1),
    .flags = NO_REPEAT | HERE,
    .fn = cmd_spec_show,
    .complete = comp_file,
};
