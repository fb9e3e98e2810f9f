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
    .help = "gdb, eu-stack and readelf can read the file. It contains all threads with their\n"
            "registers, and the memory that the kernel would save (core(5),\n"
            "/proc/PID/coredump_filter). The default of FILE is core.PID. FILE appears only\n"
            "when it is complete.\n"
            "\n"
            "gdb does not know probes. Therefore the file shows the program without probes:\n"
            "with the original code and the original return addresses, and with a thread in\n"
            "a moved instruction at the original instruction. There are two exceptions: a\n"
            "call with a call-through exit has two more frames \"??\" (\"set exit-mode slots\"\n"
            "before \"probe\" avoids them), and a thread in another part of a trampoline has\n"
            "its pc there.",
    .examples = "generate-core-file\n"
                "gcore /tmp/here.core",
    .see_also = "backtrace, detach, info proc mappings",
    OPERANDS(RUN, 0, 1),
    .flags = NEED_STOPPED | NO_REPEAT | TEXT_ONLY,
    .fn = cmd_generate_core_file,
    .complete = comp_file,
};
