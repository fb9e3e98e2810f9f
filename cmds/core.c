/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.c - `generate-core-file`. Tests: tests/procs/core.sh */
#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "cmds/values.h"
#include "shell/out.h"
#include "shell/sess.h"

ez_err *cmd_generate_core_file(struct ez_sess *s, int argc, char **argv)
{
    const char *path =
        argc > 1 ? parse_path(s, argv[1]) : sess_format(s, "core.%d", ez_target_pid(s->target));
    struct values_frames f = { .at = NULL };
    if (ez_probe_count(s->target))
        values_frames(s, &f);
    ez_err *e = ez_core(s->target, path, f.at, f.n);
    if (!e)
        out_line(s, "Saved corefile %s", path);
    EZ_VEC_FREE(&f);
    return e;
}
