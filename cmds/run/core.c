/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core.c - `generate-core-file`: writes a core file of the stopped process.
 * Tests: tests/procs/core.sh */
#include "cmds/cmd.h"
#include "cmds/data/values.h"
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
    .brief = "Save the state of the stopped program in a core file.",
    .help = "The file is for gdb, eu-stack and readelf. The file has all threads with their\n"
            "registers, and the memory that the kernel would save (core(5),\n"
            "/proc/PID/coredump_filter). FILE is core.PID by default. The file appears when\n"
            "it is complete.\n"
            "\n"
            "gdb does not know probes. Therefore the file shows the program without them:\n"
            "original code, original return addresses, and threads in moved instructions at\n"
            "the original ones. There are two exceptions. A function with a call-through\n"
            "exit has two more frames \"??\" (\"set exit-mode slots\" before \"probe\"\n"
            "avoids them). A thread inside a trampoline has its pc in the trampoline.",
    .examples = "generate-core-file\n"
                "gcore /tmp/here.core",
    .see_also = "backtrace, detach, info proc mappings",
    OPERANDS(RUN, 0, 1),
    .flags = NEED_STOPPED | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_generate_core_file,
    .complete = comp_file,
};
