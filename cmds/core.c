/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.c - `generate-core-file`. Tests: tests/procs/core.sh */
#include "cmds/cmd.h"
#include "cmds/parse.h"
#include "shell/out.h"
#include "shell/sess.h"

ez_err *cmd_generate_core_file(struct ez_sess *s, int argc, char **argv)
{
    const char *path =
        argc > 1 ? parse_path(s, argv[1]) : sess_format(s, "core.%d", ez_target_pid(s->target));
    EZ_TRY(ez_core(s->target, path));
    out_line(s, "Saved corefile %s", path);
    return NULL;
}
