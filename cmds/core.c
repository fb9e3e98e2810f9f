/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.c - `generate-core-file`. Tests: tests/procs/core.sh */
#include "cmds/cmd.h"
#include "cmds/values.h"
#include "shell/parse_word.h"
#include "shell/out.h"
#include "shell/sess.h"

static ez_err *cmd_generate_core_file(struct ez_sess *s, int argc, char **argv)
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

const struct ez_cmd command_generate_core_file = {
    .name = "generate-core-file",
    .alias = "gcore",
    .usage = "[FILE]",
    .brief = "Save the stopped program's state in a core file.",
    .help = "For gdb, eu-stack, readelf: all threads with their registers, and the memory that the "
            "kernel\n"
            "would save (/proc/PID/coredump_filter, core(5)); zeros take no room on the disk. FILE "
            "is core.PID\n"
            "if not given. It appears when it is complete: Ctrl-C or a full disk leaves nothing.\n"
            "\n"
            "gdb knows nothing of probes, so the file has the program as it would be without them: "
            "code has\n"
            "its own bytes, functions return to their callers, not to eztsh's slots, and a thread "
            "among\n"
            "moved instructions stands at the original ones. So gdb's \"bt\" is right. Two things "
            "cannot be\n"
            "put so: of a function whose exit goes by call-through (\"info probes\") gdb shows two "
            "frames\n"
            "\"??\" more (\"set exit-mode slots\" before \"probe\" avoids that); and a thread "
            "inside a stub is\n"
            "inside a stub.",
    .examples = "generate-core-file\n"
                "gcore /tmp/here.core",
    .see_also = "backtrace, detach, info proc mappings",
    TAKES(RUN, 0, 1),
    .flags = NEED_STOPPED | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_generate_core_file,
    .complete = comp_file,
};
